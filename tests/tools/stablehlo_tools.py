#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks weft-run, weft-explain and weft-freeze through their command lines: results of modules in
both forms, of every element type, bf16 as its bits; bad modules, inputs and options in a line."""

import argparse
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally  # noqa: E402

TYPES = {"f32": ("<f4", "f"), "f64": ("<f8", "d"), "i8": ("|i1", "b"), "i16": ("<i2", "h"),
         "i32": ("<i4", "i"), "i64": ("<i8", "q"), "ui8": ("|u1", "B"), "ui16": ("<u2", "H"),
         "ui32": ("<u4", "I"), "ui64": ("<u8", "Q"), "i1": ("|b1", "?"), "f16": ("<f2", "e")}


def npy(descr, code, shape, values):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() +
            struct.pack("<" + code * len(values), *values))


def read_npy(path, code):
    """(header, elements) of a file of version 1.0"""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    body = data[10 + length:]
    return data[10:10 + length].decode(), struct.unpack(f"<{len(body) // struct.calcsize('<' + code)}" + code, body)


def module(type_, body, results=1):
    kinds = ", ".join([f"tensor<2x2x{type_}>"] * results)
    return f"""module @m {{
  func.func public @main(%arg0: tensor<2x2x{type_}>, %arg1: tensor<2x2x{type_}>) -> ({kinds}) {{
{body}
  }}
}}
"""


class Tools:
    def __init__(self, folder, tools):
        self.folder, self.tools = folder, tools

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return self.path(name)

    def run(self, tool, *options):
        done = subprocess.run([os.path.join(self.tools, tool), *options], capture_output=True,
                              text=True, timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr


def check_types(t):
    """x - y and y, of every type."""
    body = """    %0 = "stablehlo.{op}"(%arg0, %arg1) : (tensor<2x2x{t}>, tensor<2x2x{t}>) -> tensor<2x2x{t}>
    return %0, %arg1 : tensor<2x2x{t}>, tensor<2x2x{t}>"""
    for name, (descr, code) in TYPES.items():
        op = "xor" if name == "i1" else "subtract"
        t.write("m.mlir", module(name, body.format(t=name, op=op), 2))
        x, y = ([1, 1, 0, 0], [1, 0, 1, 0]) if name == "i1" else ([9, 8, 7, 6], [1, 2, 3, 4])
        t.write("x.npy", npy(descr, code, (2, 2), x))
        t.write("y.npy", npy(descr, code, (2, 2), y))
        rc, out, err = t.run("weft-run", t.path("m.mlir"), "--inputs", t.path("x.npy"),
                             "--inputs", t.path("y.npy"), "--output", t.path("out"))
        if rc != 0:
            return f"{name}: {err}"
        if f"result 1: {name} (2, 2)" not in out:
            return f"{name}: printed {out!r}"
        header, got = read_npy(t.path("out0.npy"), code)
        want = tuple(a != b for a, b in zip(x, y)) if name == "i1" else (8, 6, 4, 2)
        if got != want or f"'{descr}'" not in header:
            return f"{name}: {got} {header}"
        if read_npy(t.path("out1.npy"), code)[1] != tuple(y):
            return f"{name}: the second result"
    return ""


def check_bf16(t):
    """Its bits in uint16 arrays, and the '<V2' of ml_dtypes."""
    t.write("m.mlir", module("bf16", "    %0 = stablehlo.add %arg0, %arg1 : tensor<2x2xbf16>\n"
                                     "    return %0 : tensor<2x2xbf16>"))
    one, two, half, three = 0x3f80, 0x4000, 0x3f00, 0x4040
    t.write("x.npy", npy("<u2", "H", (2, 2), [one, two, half, one]))
    t.write("y.npy", npy("<V2", "H", (2, 2), [one, one, half, two]))
    rc, _, err = t.run("weft-run", t.path("m.mlir"), "--inputs", t.path("x.npy"), "--inputs",
                       t.path("y.npy"), "--output", t.path("out"))
    if rc != 0:
        return err
    header, got = read_npy(t.path("out0.npy"), "H")
    return "" if got == (two, three, one, three) and "'<u2'" in header else f"{got} {header}"


def check_explain(t):
    t.write("m.mlir", module("f32", "    %0 = stablehlo.multiply %arg0, %arg1 : tensor<2x2xf32>\n"
                                    "    %1 = stablehlo.tanh %0 : tensor<2x2xf32>\n"
                                    "    return %1 : tensor<2x2xf32>"))
    rc, out, err = t.run("weft-explain", t.path("m.mlir"))
    for wanted in ("argument 0: f32 (2, 2)", "result 0: f32 (2, 2)", "tanh", "schedule",
                   "group (2, 2) elementwise", "arena", "arithmetic 8 operations"):
        if wanted not in out:
            return f"no '{wanted}' in {out} {err}"
    return "" if rc == 0 else err


def check_mistakes(t):
    """Each is one line on standard error, and no output."""
    good = module("f32", "    return %arg0 : tensor<2x2xf32>")
    t.write("good.mlir", good)
    t.write("cut.mlir", good[:60])
    t.write("unknown.mlir", module("f32", "    %0 = stablehlo.nonsense %arg0 : tensor<2x2xf32>\n"
                                          "    return %0 : tensor<2x2xf32>"))
    t.write("x.npy", npy("<f4", "f", (2, 2), [1, 2, 3, 4]))
    t.write("i.npy", npy("<i4", "i", (2, 2), [1, 2, 3, 4]))
    t.write("long.npy", npy("<f4", "f", (3, 2), [1, 2, 3, 4, 5, 6]))
    t.write("no.npy", b"\x93NUMPY\x01")
    x = ["--inputs", t.path("x.npy")]
    cases = [
        ("weft-run", [t.path("missing.mlir"), *x, *x], "missing.mlir"),
        ("weft-run", [t.path("cut.mlir"), *x, *x], "cut.mlir:2:"),
        ("weft-run", [t.path("unknown.mlir"), *x, *x], "unknown.mlir:3:"),
        ("weft-run", [t.path("unknown.mlir"), *x, *x], "stablehlo.nonsense"),
        ("weft-run", [t.path("good.mlir"), *x], "1 arguments given, the program has 2"),
        ("weft-run", [t.path("good.mlir"), *x, "--inputs", t.path("i.npy")], "is i32, expected f32"),
        ("weft-run", [t.path("good.mlir"), *x, "--inputs", t.path("long.npy")], "expected"),
        ("weft-run", [t.path("good.mlir"), *x, "--inputs", t.path("no.npy")], "no.npy"),
        ("weft-explain", [t.path("cut.mlir")], "cut.mlir:2:"),
        ("weft-freeze", [t.path("cut.mlir"), "--name", "m", "--output", t.path("m.hpp")], "cut.mlir:2:"),
        ("weft-freeze", [t.path("good.mlir"), "--name", "1m", "--output", t.path("m.hpp")], "usage"),
    ]
    if "--device" in t.run("weft-run", "--help")[1]:
        cases.append(("weft-run", [t.path("good.mlir"), *x, *x, "--device", "cuda"], "there is no --device cuda"))
    for tool, options, words in cases:
        rc, out, err = t.run(tool, *options)
        if rc == 0 or words not in err or err.count("\n") != 1 or out:
            return f"{tool} {options}: {rc} {out} {err}"
    return "a header was written" if os.path.exists(t.path("m.hpp")) else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", required=True, help="folder of the programs")
    parser.add_argument("--label", default="")
    parser.add_argument("--tally")
    options = parser.parse_args()
    tally = Tally(options.tally, f"{options.label} tools")
    for check in (check_types, check_bf16, check_explain, check_mistakes):
        with tempfile.TemporaryDirectory() as folder:
            problem = check(Tools(folder, options.tools))
        tally.item("FAIL" if problem else "PASS", f"{options.label} tools {check.__name__[6:]}",
                   detail=problem)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
