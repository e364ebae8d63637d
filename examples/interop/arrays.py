# SPDX-License-Identifier: BSL-1.0
"""What the scripts beside this file share: .safetensors files, and names of a module's arguments."""
import json
import struct

import numpy as np
from jaxlib.mlir import ir

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2",
         "I8": "<i1", "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "<u1", "BOOL": "?"}


def save_safetensors(path, arrays):
    """As the package safetensors writes them: a length, a header in JSON, the arrays."""
    header, stored, at = {}, [], 0
    for name in sorted(arrays):
        x = np.asarray(arrays[name])
        kind = next(kind for kind, code in TYPES.items() if np.dtype(code) == x.dtype)
        stored.append(np.ascontiguousarray(x, TYPES[kind]).tobytes())
        header[name] = {"dtype": kind, "shape": x.shape,
                        "data_offsets": [at, at + len(stored[-1])]}
        at += len(stored[-1])
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(stored))


def load_safetensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(length)), file.read()
    return {name: np.frombuffer(data[slice(*about["data_offsets"])],
                                TYPES[about["dtype"]]).reshape(about["shape"])
            for name, about in header.items() if name != "__metadata__"}


def named_module(module, names):
    """The text of a module whose arguments say their names as those of weft's own modules do."""
    with module.context:
        main = next(f for f in module.body.operations
                    if ir.StringAttr(f.attributes["sym_name"]).value == "main")
        main.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [ir.DictAttr.get({"weft.name": ir.StringAttr.get(name)}) for name in names])
    return str(module)
