#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks what every source file keeps: the licence line first, `#pragma once` in headers, macros in
core/config.hpp alone and all named WEFT_*, nothing longer than 400 lines but tables. A macro that a
foreign header asks for stands where that header is included."""

import argparse
import re
import sys

from sources import code_files
from tally import Tally

LICENCE = "// SPDX-License-Identifier: BSL-1.0"
MOST_LINES = 400
FOREIGN_MACROS = {("include/weft/opencl/library.hpp", "CL_TARGET_OPENCL_VERSION"),
                  ("include/weft/c_api.hpp", "WEFT_C_API"),  # one that writes functions
                  ("include/weft/c_api.hpp", "WEFT_C_EXPORT"),
                  ("include/weft/c_api.hpp", "WEFT_C_API_"),  # in the text of a C header
                  ("include/weft/c_api.hpp", "WEFT_C_ARRAY")}
TABLES = re.compile(r"table|golden|^tests/conformance/")  # long by nature


def problems(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if not lines or lines[0] != LICENCE:
        yield f"{path}:1: the first line is not `{LICENCE}`"
    if path.endswith(".hpp") and "#pragma once" not in lines:
        yield f"{path}: no `#pragma once`"
    if path.startswith("include/") and len(lines) > MOST_LINES and not TABLES.search(path):
        yield f"{path}: {len(lines)} lines; split it (the house's limit is {MOST_LINES})"
    for number, line in enumerate(lines, 1):
        macro = re.match(r"\s*#\s*define\s+(\w+)", line)
        if not macro or not path.startswith("include/") or (path, macro[1]) in FOREIGN_MACROS:
            continue
        if path != "include/weft/core/config.hpp":
            yield f"{path}:{number}: macro {macro[1]} outside core/config.hpp"
        elif not macro[1].startswith("WEFT_"):
            yield f"{path}:{number}: macro {macro[1]} is not named WEFT_*"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    tally = Tally(parser.parse_args().tally, "sources")
    paths = code_files()
    found = [text for path in paths for text in problems(path)]
    tally.item("FAIL" if found else "PASS", "source rules", f"{len(paths)} files", "\n".join(found))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
