#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tests of every layer, compiled as later standards and by a later compiler, and run: one program of
them for each command line. tools/check_headers.py --together has all headers for the same ones. With
--libcxx also against LLVM's standard library, where std::mdspan is."""

import argparse
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally, run  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Whole sources of tests/ that need GoogleTest and the interpreter alone.
SOURCES = ("support/meaning", "array/test_tensor", "graph/test_interpret", "pass/test_epilogue",
           "transform/test_grad_movement", "lang/test_cheatsheet", "lang/test_einsum", "lang/test_scan",
           "run/test_explain", "stablehlo/test_parse")
# Those for another standard library: test_mdspan has a part that is there only where <mdspan> is.
LIBCXX_SOURCES = ("support/meaning", "array/test_mdspan", "array/test_tensor", "lang/test_cheatsheet")
GTEST = "/usr/src/googletest/googletest"  # its sources, which Debian's libgtest-dev brings along
FLAGS = (f"-O0 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -I{ROOT}/include -I{ROOT}/tests "
         f'-DWEFT_SOURCE_DIR="{ROOT}" -DWEFT_SHARED_DIR=""').split()


def compiled(job):
    """(exit code, what the compiler said) for (command, flags, source, object)."""
    command, flags, source, target = job
    launcher = ["ccache"] if shutil.which("ccache") else []
    return run([*launcher, *command.split(), *flags, "-c", source, "-o", target])


def check(command, jobs, libraries, folder, pool):
    """The exit code and text of the program of jobs (flags, source), or those of what could not be compiled."""
    objects = [os.path.join(folder, f"{number}.o") for number in range(len(jobs))]
    said = pool.map(compiled, [(command, *job, target) for job, target in zip(jobs, objects)])
    failed = [output for code, output in said if code]
    if failed:
        return 1, "\n".join("\n".join(output.splitlines()[:30]) for output in failed)
    program = os.path.join(folder, "program")
    code, output = run([*command.split(), *objects, *libraries, "-pthread", "-ldl", "-o", program])
    return (code, output) if code else run([program, "--gtest_brief=1"])


def own(sources):
    return [(FLAGS, f"{ROOT}/tests/{source}.cpp") for source in sources]


def plain(command, folder, pool):
    return check(command, own(SOURCES), ["-lgtest", "-lgtest_main"], folder, pool)


def with_libcxx(command, place, folder, pool):
    """`place` has clang's include/ and lib/; GoogleTest is compiled with it, too."""
    command += f" -nostdinc++ -isystem {place}/include/c++/v1"
    theirs = [([f"-I{GTEST}", "-O0"], f"{GTEST}/src/{name}.cc") for name in ("gtest-all", "gtest_main")]
    libraries = ["-nostdlib++", f"{place}/lib/libc++.a", f"{place}/lib/libc++abi.a"]
    code, output = check(command, own(LIBCXX_SOURCES) + theirs, libraries, folder, pool)
    if not code and "of_the_standard_library" not in run([os.path.join(folder, "program"), "--gtest_list_tests"])[1]:
        return 1, "there is no test mdspan.of_the_standard_library: <mdspan> was not found"
    return code, output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("--libcxx", metavar="FOLDER",
                        help="LLVM's, with include/c++/v1 and lib: clang++-19 -std=c++23 with it, too")
    parser.add_argument("commands", nargs="*", help='as "g++ -std=c++23"')
    options = parser.parse_args()
    tally = Tally(options.tally, "standards")
    cases = [(command, plain, (command,)) for command in options.commands]
    if options.libcxx:
        cases.append(("clang++-19 -std=c++23 with libc++", with_libcxx, ("clang++-19 -std=c++23", options.libcxx)))
    with ThreadPoolExecutor(2) as pool:
        for name, case, arguments in cases:
            with tempfile.TemporaryDirectory() as folder:
                code, output = case(*arguments, folder, pool)
            passed = [line for line in output.splitlines() if "PASSED" in line]
            good = not code and bool(passed)
            tally.item("PASS" if good else "FAIL", name, passed[0] if good else "", "" if good else output[-4000:])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
