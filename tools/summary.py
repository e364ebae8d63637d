#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Adds up a tally file: names what failed and what was skipped, then prints the totals as the last
line. Exit code 1 if anything failed or nothing ran."""

import sys


def main():
    totals, failed, skipped = [0, 0, 0], [], []
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            *counts, what = line.rstrip("\n").split(" ", 3)
            counts = [int(count) for count in counts]
            totals = [a + b for a, b in zip(totals, counts)]
            if counts[1]:
                failed.append(f"  failed: {what}: {counts[1]}")
            if counts[2]:
                skipped.append(f"  skipped: {what}: {counts[2]}")
    print(*skipped, *failed, sep="\n")
    passed, failures, skips = totals
    if passed + failures == 0:
        print("nothing ran")
    print(f"{passed} passed, {failures} failed, {skips} skipped")
    return 1 if failures or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
