#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs a module that weft exported (model.cpp) in JAX on the CPU: FOLDER/dropout_rnn.mlir takes what
its manifest, .json, says, by name: constants from .safetensors, the rest from _arguments.safetensors.
Results are compared with weft's own, _results.safetensors; a difference is an exit code of 1.
usage: run_in_jax.py FOLDER"""
import json
import os
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax._src import xla_bridge  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402

from arrays import load_safetensors  # noqa: E402

# Both sum 16 products of numbers below 1 in an order of their own, twelve times after each other,
# and have maths functions of their own: some ULP of 1 each.
BOUND = 2e-6


def main(name):
    with open(name + ".json") as file:
        manifest = json.load(file)
    with open(name + ".mlir") as file:
        text = file.read()
    arrays = load_safetensors(name + ".safetensors") | load_safetensors(
        name + "_arguments.safetensors")
    expected = load_safetensors(name + "_results.safetensors")

    backend = xla_bridge.get_backend("cpu")
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    program = backend.compile_and_load(text, devices, xla_client.CompileOptions())
    given = [jax.device_put(arrays[one["name"]]) for one in manifest["arguments"]]
    results = program.execute_sharded(given).disassemble_into_single_device_arrays()
    largest = 0.0
    for one, (x,) in zip(manifest["results"], results):
        x, y = np.asarray(x), expected[one["name"]]
        difference = float(np.abs(x - y).max())
        print(one["name"], x.shape, "JAX", x.ravel()[:4], "weft", y.ravel()[:4],
              f"largest difference {difference:.2g}")
        largest = max(largest, difference)
    return 0 if largest <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main(os.path.join(sys.argv[1], "dropout_rnn")))
