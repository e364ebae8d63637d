#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times jax.jit of the benchmark's models on the CPU, as bench_stablehlo does its own: a line for
each, its name, the shortest and the median time of a call in microseconds. Calls take arrays that are
on the device and wait for the result."""
import os
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../examples/interop"))
import jax  # noqa: E402
from models import MODELS  # noqa: E402


def measure(call):
    for limit in (0.1, 1.0):
        every, total = [], 0.0
        while total < limit or len(every) < 10:
            start = time.perf_counter()
            call()
            every.append(time.perf_counter() - start)
            total += every[-1]
    every.sort()
    return every[0] * 1e6, every[len(every) // 2] * 1e6


def main():
    for name, (function, _, data) in MODELS.items():
        weights, x = jax.device_put(data())
        compiled = jax.jit(function)
        compiled(weights, x).block_until_ready()
        shortest, median = measure(lambda: compiled(weights, x).block_until_ready())
        print(f"{name} {shortest:.2f} {median:.2f}", flush=True)


if __name__ == "__main__":
    main()
