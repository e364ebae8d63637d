#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Every source of examples/ is right and without a warning for the compiler of a configured build; no
code is made, which takes a third of the time.
    tools/check_examples.py build/gcc-debug
"""

import argparse
import json
import os
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor

from tally import Tally, run


def checks(folder):
    """(source, command) of each."""
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    examples = os.path.join(os.getcwd(), "examples") + os.sep
    for entry in entries:
        if not entry["file"].startswith(examples):
            continue
        words = shlex.split(entry["command"])
        if os.path.basename(words[0]) == "ccache":
            words = words[1:]
        at = words.index("-o")
        yield os.path.relpath(entry["file"]), [*words[:at], *words[at + 2:], "-fsyntax-only"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("build", help="a build folder that was configured with examples")
    options = parser.parse_args()
    tally = Tally(options.tally, "examples", quiet=True)
    found = list(checks(options.build))
    if not found:
        tally.item("FAIL", f"no examples in {options.build}", "", "")
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda one: run(one[1]), found)
        for (source, _), (code, output) in zip(found, results):
            tally.item("FAIL" if code or output else "PASS", source, "", output)
    print(f"examples, {options.build}: {tally.passed} passed, {tally.failed} failed")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
