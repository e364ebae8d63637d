#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs GoogleTest executables, two at a time, and counts their cases. One that is missing (its build
failed), crashes, hangs, or exits with an error after its last case is one more failure."""

import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tally import Tally, run


def cases(report):
    """(passed, failed, skipped names) of a GoogleTest JSON report."""
    passed, failed, skipped = 0, 0, []
    for suite in report.get("testsuites", []):
        for case in suite["testsuite"]:
            if case.get("failures"):
                failed += 1
            elif case["status"] != "RUN" or case["result"] == "SKIPPED":
                skipped.append(f'{suite["name"]}.{case["name"]}')
            else:
                passed += 1
    return passed, failed, skipped


def without_passes(output):
    """What the executable printed, less the two lines of each case that passed in silence."""
    kept = []
    for line in output.splitlines():
        if line.startswith("[       OK") and kept and kept[-1].startswith("[ RUN "):
            kept.pop()
        else:
            kept.append(line)
    return "\n".join(kept)


def execute(path, results, timeout):
    report = os.path.join(results, os.path.basename(path) + ".json")
    if os.path.exists(report):
        os.remove(report)
    if not os.path.exists(path):
        return 0, 1, [], 0.0, "not built"
    start = time.monotonic()
    code, output = run([path, f"--gtest_output=json:{report}"], timeout=timeout)
    seconds = time.monotonic() - start
    try:
        with open(report, encoding="utf-8") as file:
            passed, failed, skipped = cases(json.load(file))
    except (OSError, ValueError):
        return 0, 1, [], seconds, output + f"\nno report, exit code {code}"
    if code and not failed:
        return passed, 1, skipped, seconds, output + f"\nexit code {code} after the last case"
    return passed, failed, skipped, seconds, output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--label", required=True, help="name of the build")
    parser.add_argument("--results", required=True, help="folder of the JSON reports")
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for one executable")
    parser.add_argument("executables", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.results, exist_ok=True)

    with ThreadPoolExecutor(2) as pool:
        done = pool.map(lambda path: execute(path, options.results, options.timeout),
                        options.executables)
        worst = 0
        for path, (passed, failed, skipped, seconds, output) in zip(options.executables, done):
            name = os.path.basename(path)
            print(f"{'FAIL' if failed else 'PASS'} {options.label} {name}: {passed} passed, "
                  f"{failed} failed, {len(skipped)} skipped, {seconds:.1f} s", flush=True)
            if failed:
                print(without_passes(output))
            elif skipped:
                print(f"    skipped: {' '.join(skipped[:8])}" + (" ..." if skipped[8:] else ""))
            tally = Tally(options.tally, f"{options.label} {name}")
            tally.passed, tally.failed, tally.skipped = passed, failed, len(skipped)
            worst = max(worst, tally.close())
    return worst


if __name__ == "__main__":
    sys.exit(main())
