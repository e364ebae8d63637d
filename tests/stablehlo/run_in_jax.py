#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs StableHLO modules with JAX on the CPU.

run_in_jax.py FOLDER: in FOLDER, or in each folder in it that has one, m.mlir is compiled as it
stands and run on in_0.npy, in_1.npy, ... (bfloat16 as uint16); results are written to out_0.npy,
..., likewise. A module that does not compile or run leaves error.txt.
"""
import os
import sys

import numpy as np

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import jax  # noqa: E402
import ml_dtypes  # noqa: E402

jax.config.update("jax_enable_x64", True)
from jax._src import xla_bridge  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402


def argument_types(text):
    """The element types of @main's arguments, as the text writes them."""
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        for function in module.body.operations:
            if ir.StringAttr(function.attributes["sym_name"]).value == "main":
                types = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
                return [str(ir.RankedTensorType(t).element_type) for t in types.inputs]
    raise ValueError("no function @main")


def run(folder, backend):
    with open(os.path.join(folder, "m.mlir")) as file:
        text = file.read()
    arguments = []
    for i, element in enumerate(argument_types(text)):
        x = np.load(os.path.join(folder, f"in_{i}.npy"))
        arguments.append(jax.device_put(x.view(ml_dtypes.bfloat16) if element == "bf16" else x))
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    program = backend.compile_and_load(text, devices, xla_client.CompileOptions())
    results = program.execute_sharded(arguments).disassemble_into_single_device_arrays()
    for i, (x,) in enumerate(results):
        x = np.asarray(x)
        x = x.view(np.uint16) if x.dtype == ml_dtypes.bfloat16 else x
        np.save(os.path.join(folder, f"out_{i}.npy"), x)


def main(folder):
    backend = xla_bridge.get_backend("cpu")
    folders = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    for at in [folder, *folders]:
        if not os.path.exists(os.path.join(at, "m.mlir")):
            continue
        try:
            run(at, backend)
        except Exception as error:  # whatever a module does, the next one is run
            with open(os.path.join(at, "error.txt"), "w") as file:
                file.write(f"{type(error).__name__}: {error}\n")


if __name__ == "__main__":
    main(sys.argv[1])
