#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs StableHLO modules with JAX on the CPU.

run_in_jax.py FOLDER: in FOLDER, or in each folder in it that has one, m.mlir is compiled as it
stands and run on in_0.npy, in_1.npy, ... (bfloat16 as uint16); results are written to out_0.npy,
..., likewise. Where arguments have `?` for extents, those of the arrays are put in first. A module
that does not compile or run leaves error.txt.
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
from jax._src.lib import _jax, xla_client  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402


def main_function(module):
    for function in module.body.operations:
        if ir.StringAttr(function.attributes["sym_name"]).value == "main":
            return function
    raise ValueError("no function @main")


def with_numbers(module, function, types, arguments):
    """The module with a main for these arguments, in which every `?` has become a number."""
    function.attributes["sym_name"] = ir.StringAttr.get("program")
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    inputs, outputs = [str(t) for t in types.inputs], [str(t) for t in types.results]
    own = [
        "tensor<" + "".join(f"{n}x" for n in x.shape) + f"{ir.RankedTensorType(t).element_type}>"
        for x, t in zip(arguments, types.inputs)
    ]
    lines = ["func.func public @main(" + ", ".join(f"%a{i}: {t}" for i, t in enumerate(own))]
    lines[0] += ") -> (" + ", ".join(outputs) + ") {"
    for i, (is_, wanted) in enumerate(zip(own, inputs)):
        lines.append(f"%c{i} = stablehlo.convert %a{i} : ({is_}) -> {wanted}")
    operands = ", ".join(f"%c{i}" for i in range(len(inputs)))
    results = ", ".join(f"%r#{i}" for i in range(len(outputs)))
    lines.append(f"%r:{len(outputs)} = func.call @program({operands}) : "
                 f"({', '.join(inputs)}) -> ({', '.join(outputs)})")
    lines.append(f"return {results} : {', '.join(outputs)}\n}}")
    text = str(module).rstrip()[:-1] + "\n".join(lines) + "\n}"
    refined = _jax.mlir.refine_polymorphic_shapes(
        mlir.module_to_bytecode(ir.Module.parse(text)),
        enable_shape_assertions=True,
        validate_static_shapes=True,
    )
    return str(ir.Module.parse(refined))


def prepared(text, folder):
    """The text to compile, and the arguments."""
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        function = main_function(module)
        types = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        arguments = []
        for i, t in enumerate(types.inputs):
            x = np.load(os.path.join(folder, f"in_{i}.npy"))
            is_bf16 = str(ir.RankedTensorType(t).element_type) == "bf16"
            arguments.append(x.view(ml_dtypes.bfloat16) if is_bf16 else x)
        if any("?" in str(t) for t in types.inputs):
            text = with_numbers(module, function, types, arguments)
        return text, arguments


def run(folder, backend):
    with open(os.path.join(folder, "m.mlir")) as file:
        text, arguments = prepared(file.read(), folder)
    arguments = [jax.device_put(x) for x in arguments]
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
