#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""clang-format on every source file, and clang-tidy on the headers, in one translation unit: it looks
at all that a unit includes, whatever it reports on."""

import argparse
import os
import re
import sys

from sources import code_files, folder_of, headers
from tally import Tally, run


def format_check(tally, tool):
    paths = code_files()
    if not paths:
        return
    code, output = run([tool, "--dry-run", "-Werror", *paths])
    places = sorted({line.split(" error:")[0] for line in output.splitlines() if " error:" in line})
    detail = "\n".join(places[:40] or [output]) + "\n`./dev format` mends it"
    tally.item("FAIL" if code else "PASS", "format", f"{len(paths)} files", detail if code else "")


def tidy(tool, scratch, names):
    source = os.path.join(scratch, "headers.cpp")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines(f"#include <{name}>\n" for name in names)
    only = "--header-filter=include/weft/"
    code, output = run([tool, "--quiet", only, source, "--", "-std=c++20", "-Iinclude"])
    noise = re.compile(r"^\d+ (warning|error).*(generated|treated as errors?)\.?$")
    return code, "\n".join(line for line in output.splitlines() if not noise.match(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("--format", default="clang-format-16")
    parser.add_argument("--tidy", default="clang-tidy-16")
    parser.add_argument("--scratch", default="build/tidy", help="folder for the generated units")
    options = parser.parse_args()
    tally = Tally(options.tally, "format and tidy")
    format_check(tally, options.format)

    os.makedirs(options.scratch, exist_ok=True)
    # Optional doors need packages; each is a few lines over a folder that is checked here.
    names = [n for n in headers() if folder_of(n) not in ("", "io", "eigen", "fft", "linalg", "mpi")]
    code, output = tidy(options.tidy, options.scratch, names)
    tally.item("FAIL" if code else "PASS", "tidy", f"{len(names)} headers", output if code else "")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
