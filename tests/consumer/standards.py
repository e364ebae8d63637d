#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tests of every layer, compiled as later standards and by a later compiler, and run: one program of
them for each command line. tools/check_headers.py --together has all headers for the same ones."""

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
FLAGS = (f"-O0 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -I{ROOT}/include -I{ROOT}/tests "
         f'-DWEFT_SOURCE_DIR="{ROOT}" -DWEFT_SHARED_DIR=""').split()


def compiled(job):
    """(exit code, what the compiler said) for (command, source, object)."""
    command, source, target = job
    launcher = ["ccache"] if shutil.which("ccache") else []
    return run([*launcher, *command.split(), *FLAGS, "-c", f"{ROOT}/tests/{source}.cpp", "-o", target])


def check(command, folder, pool):
    """The program's exit code and text, or those of what could not be compiled."""
    jobs = [(command, source, os.path.join(folder, source.replace("/", "_") + ".o")) for source in SOURCES]
    failed = [output for code, output in pool.map(compiled, jobs) if code]
    if failed:
        return 1, "\n".join("\n".join(output.splitlines()[:30]) for output in failed)
    program = os.path.join(folder, "program")
    code, output = run([*command.split(), *[job[2] for job in jobs], "-lgtest", "-lgtest_main", "-pthread", "-ldl",
                        "-o", program])
    return (code, output) if code else run([program, "--gtest_brief=1"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("commands", nargs="+", help='as "g++ -std=c++23"')
    options = parser.parse_args()
    tally = Tally(options.tally, "standards")
    with ThreadPoolExecutor(2) as pool:
        for command in options.commands:
            with tempfile.TemporaryDirectory() as folder:
                code, output = check(command, folder, pool)
            passed = [line for line in output.splitlines() if "PASSED" in line]
            good = not code and bool(passed)
            tally.item("PASS" if good else "FAIL", f"{command}, {len(SOURCES)} files",
                       passed[0] if good else "", "" if good else output[-4000:])
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
