#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""NumPy beside bench_reduce: a line for each of its works that NumPy has a function for, microseconds of
the shortest call on one thread, and NumPy's time / weft's where build/bench/reduce.json has it.
`./dev bench reduce` runs it behind its own table."""

import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benchmarks/nets"))
from measure_python import shortest  # noqa: E402

WORKS = {
    "sum of all": lambda np, x: lambda: x.sum(),
    "sums of rows": lambda np, x: lambda: x.sum(1),
    "sums of columns": lambda np, x: lambda: x.sum(0),
    "maxima of rows": lambda np, x: lambda: x.max(1),
    "maxima of columns": lambda np, x: lambda: x.max(0),
    "mean and variance of rows": lambda np, x: lambda: (x.mean(1), x.var(1)),
    "arg_max of rows": lambda np, x: lambda: np.argmax(x, 1),
    "cumsum of rows": lambda np, x: lambda: np.cumsum(x, 1),
    "cumsum of columns": lambda np, x: lambda: np.cumsum(x, 0)}


def main():
    try:
        import numpy
    except ImportError:
        print(f"NumPy is not measured: {sys.executable} does not have it")
        return 0
    with open(os.path.join(ROOT, "build/bench/reduce.json"), encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    generator = numpy.random.default_rng(1)
    for row in rows:
        size = re.fullmatch(r"(.*), (\d+)x(\d+)", row["name"])
        if row["threads"] != 1 or not size or size[1] not in WORKS:
            continue
        x = generator.random((int(size[2]), int(size[3])), numpy.float32) - numpy.float32(0.5)
        time_of = shortest(WORKS[size[1]](numpy, x), threads=1, limit=0.5) * 1e3
        weft = row["sides"][0]["least"] * 1e6
        print(f"NumPy {numpy.__version__:8} {row['name']:38} {time_of:10.4g} us   "
              f"{time_of / weft:6.3g} of weft's time", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
