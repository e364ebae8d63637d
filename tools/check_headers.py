#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Every header compiles alone, without a warning, on each compiler, and all of them in one unit, in
both orders of their names; with --doors alone are only those directly in weft/, which programs begin
with. A header whose foreign package (MPI, OpenCL, xsimd...) is not installed is skipped; any other
missing header is a failure. With --together only one unit of all headers, optional ones too where
their packages are: what standards and options beside C++20 are checked with.
    tools/check_headers.py --together "g++ -std=c++23" "clang++-16 -fno-exceptions"
"""

import argparse
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from sources import OPTIONAL_INCLUDES, folder_of, headers, includes_of
from tally import Tally, run

FLAGS = [*("-fsyntax-only -Iinclude "
           "-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror").split(), *OPTIONAL_INCLUDES]
# Folders and top-level headers that may need a package; all others need the standard library only.
OPTIONAL_FOLDERS = {"io", "eigen", "fft", "linalg", "mpi", "xsimd"}
OPTIONAL_HEADERS = {f"weft/{name}.hpp" for name in ("xsimd", "eigen", "fft", "mpi", "opencl", "io",
                                                   "dlpack")}


NEEDS_OPENCL = "weft/opencl/library.hpp"  # and what includes it: most, but not all of its folder


def is_optional(header):
    if folder_of(header) in OPTIONAL_FOLDERS or header in OPTIONAL_HEADERS | {NEEDS_OPENCL}:
        return True
    return any(is_optional(name) for _, _, name in includes_of("include/" + header)
               if name.startswith("weft/opencl/"))


def compiled(compiler, text):
    return run([*compiler.split(), *FLAGS, "-x", "c++", "-"], text=text)


def include(header):
    return f"#include <{header}>\n"


def foreign(header, seen):
    """The headers of packages behind one of ours."""
    for _, _, name in includes_of("include/" + header):
        if name.startswith("weft/") and name not in seen:
            seen.add(name)
            yield from foreign(name, seen)
        elif "." in name and not name.startswith("weft/"):
            yield name


def include_if_possible(header):
    there = " && ".join(f"__has_include(<{name}>)" for name in sorted(set(foreign(header, set()))))
    return f"#if {there}\n{include(header)}#endif\n" if there else include(header)


def check(compiler, header):
    code, output = compiled(compiler, include(header))
    missing = re.search(r"fatal error: '?([^':]+)'?(: No such file| file not found)", output)
    if missing and is_optional(header) and not missing[1].startswith("weft/"):
        return "SKIP", f"<{missing[1]}> is not installed", ""
    return ("FAIL" if code or output else "PASS"), "", output


def check_alone(compiler, path, alone):
    tally = Tally(path, f"headers alone {compiler}", quiet=True)
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda header: check(compiler, header), alone)
        for header, (word, note, output) in zip(alone, results):
            tally.item(word, f"{compiler} <{header}> alone", note, output)
    everywhere = [header for header in headers() if not is_optional(header)]
    for order, names in (("", everywhere), (" from the last", everywhere[::-1])):
        code, output = compiled(compiler, "".join(map(include, names)))
        word = "FAIL" if code or output else "PASS"
        tally.item(word, f"{compiler} all headers in one unit{order}", "", output)
    print(f"headers alone, {compiler}: {tally.passed} passed, {tally.failed} failed")
    return tally.close()


def check_together(compilers, path):
    tally = Tally(path, "headers together")
    text = "".join(map(include_if_possible, headers()))
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda compiler: compiled(compiler, text), compilers)
        for compiler, (code, output) in zip(compilers, results):
            tally.item("FAIL" if code or output else "PASS", f"{compiler} all headers in one unit", "", output)
    return tally.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("--together", action="store_true", help="only a unit of all headers")
    parser.add_argument("--doors", action="store_true", help="alone: only the headers directly in weft/")
    parser.add_argument("compilers", nargs="+", help='a command with options; "g++" is "g++ -std=c++20"')
    options = parser.parse_args()
    compilers = [name if "-std=" in name else name + " -std=c++20" for name in options.compilers]
    if options.together:
        return check_together(compilers, options.tally)
    alone = [name for name in headers() if not options.doors or not folder_of(name)]
    return max(check_alone(compiler, options.tally, alone) for compiler in compilers)


if __name__ == "__main__":
    sys.exit(main())
