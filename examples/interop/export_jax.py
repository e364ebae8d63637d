#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Exports the models of models.py from JAX: for each, into a folder,
  NAME.mlir            the StableHLO module; its arguments are the weights and x, with their names
  NAME.safetensors     the weights
  NAME_x.npy           an input
  NAME_y.npy           what JAX gives for it on this CPU
usage: export_jax.py [FOLDER]                 (data beside this file)
       export_jax.py --bench FOLDER           the modules of the benchmark's sizes alone"""
import os
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax  # noqa: E402
import numpy as np  # noqa: E402

from arrays import named_module, save_safetensors  # noqa: E402
from models import MODELS  # noqa: E402


def module_text(function, weights, x):
    module = jax.jit(function).lower(weights, x).compiler_ir("stablehlo")
    return named_module(module, [*sorted(weights), "x"])  # JAX takes a dict's arrays in this order


def main(arguments):
    bench = arguments[:1] == ["--bench"]
    rest = arguments[1 if bench else 0:]
    folder = rest[0] if rest else os.path.join(os.path.dirname(__file__), "data")
    for name, (function, small, large) in MODELS.items():
        weights, x = (large if bench else small)()
        path = os.path.join(folder, name)
        with open(path + ".mlir", "w") as file:
            file.write(module_text(function, weights, x))
        if bench:
            continue
        save_safetensors(path + ".safetensors", weights)
        np.save(path + "_x.npy", x)
        np.save(path + "_y.npy", np.asarray(jax.jit(function)(weights, x)))


if __name__ == "__main__":
    main(sys.argv[1:])
