#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Every header compiles alone, without a warning, on each compiler, and all of them in one unit, in
both orders of their names. A header whose foreign package (MPI, OpenCL, xsimd...) is not installed is
skipped; any other missing header is a failure."""

import argparse
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from sources import OPTIONAL_INCLUDES, folder_of, headers, includes_of
from tally import Tally, run

FLAGS = [*("-std=c++20 -fsyntax-only -Iinclude -x c++ - "
           "-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror").split(), *OPTIONAL_INCLUDES]
# Folders and top-level headers that may need a package; all others need the standard library only.
OPTIONAL_FOLDERS = {"io", "eigen", "fft", "linalg", "mpi", "xsimd"}
OPTIONAL_HEADERS = {f"weft/{name}.hpp" for name in ("xsimd", "eigen", "fft", "mpi", "opencl", "io")}


NEEDS_OPENCL = "weft/opencl/library.hpp"  # and what includes it: most, but not all of its folder


def is_optional(header):
    if folder_of(header) in OPTIONAL_FOLDERS or header in OPTIONAL_HEADERS | {NEEDS_OPENCL}:
        return True
    return any(is_optional(name) for _, _, name in includes_of("include/" + header)
               if name.startswith("weft/opencl/"))


def compiled(compiler, names):
    return run([compiler, *FLAGS], text="".join(f"#include <{name}>\n" for name in names))


def check(compiler, header):
    code, output = compiled(compiler, [header])
    missing = re.search(r"fatal error: '?([^':]+)'?(: No such file| file not found)", output)
    if missing and is_optional(header) and not missing[1].startswith("weft/"):
        return "SKIP", f"<{missing[1]}> is not installed", ""
    return ("FAIL" if code or output else "PASS"), "", output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("compilers", nargs="+")
    options = parser.parse_args()
    worst = 0
    for compiler in options.compilers:
        tally = Tally(options.tally, f"headers alone {compiler}", quiet=True)
        with ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda header: check(compiler, header), headers())
            for header, (word, note, output) in zip(headers(), results):
                tally.item(word, f"{compiler} <{header}> alone", note, output)
        everywhere = [header for header in headers() if not is_optional(header)]
        for order, names in (("", everywhere), (" from the last", everywhere[::-1])):
            code, output = compiled(compiler, names)
            word = "FAIL" if code or output else "PASS"
            tally.item(word, f"{compiler} all headers in one unit{order}", "", output)
        print(f"headers alone, {compiler}: {tally.passed} passed, {tally.failed} failed")
        worst = max(worst, tally.close())
    return worst


if __name__ == "__main__":
    sys.exit(main())
