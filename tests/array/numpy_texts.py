#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes numpy_texts.inc, what NumPy's str() makes of arrays:
    python3 tests/array/numpy_texts.py > tests/array/numpy_texts.inc
Needs NumPy 2.4 (the limits of exponents per type are that version's)."""

import numpy as np

NAMES = {"float32": "f32", "float64": "f64", "float16": "f16", "bool": "boolean", "int8": "i8",
         "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
         "uint32": "u32", "uint64": "u64"}
OPTIONS = {"precision": "precision", "threshold": "threshold", "edgeitems": "edge_items",
           "linewidth": "line_width", "suppress": "suppress_small"}
FLOATS = (np.float32, np.float64, np.float16)
inf, nan = np.inf, np.nan


def case(x, **options):
    """One line of the table. Arrays of many elements are their first ones, repeated, or a range."""
    x = np.asarray(x)
    flat = x.reshape(-1)
    bits = flat.view(f"u{x.itemsize}")
    period = next((p for p in range(1, 20) if np.array_equal(bits, np.resize(bits[:p], bits.size))),
                  bits.size) if bits.size > 20 else bits.size
    is_range = period > 20 and np.array_equal(flat, np.arange(x.size, dtype=x.dtype))
    words = [] if is_range else [f"{int(b):#x}" for b in bits[:period]]
    with np.printoptions(**options):
        text = str(x)
    wanted = ", ".join(f".{OPTIONS[k]} = {str(v).lower()}" for k, v in options.items())
    print(f"{{dtype::{NAMES[x.dtype.name]}, {{{x.ndim}, {{{', '.join(map(str, x.shape))}}}}}, "
          f"{{{', '.join(words)}}}, {{{wanted}}}, R\"({text})\"}},")


print("// SPDX-License-Identifier: BSL-1.0\n"
      "// Written by numpy_texts.py, not by hand: arrays, and what NumPy makes of them.")


def floats(t):
    def of(values, **options):
        case(np.array(values, t), **options)

    for x in (0, -0.0, 1, -1.5, 0.1, 1e-4, 9.9e-5, 6e-8, 100, 1e3, 12345, 65504, inf, -inf, nan):
        of(x)
    of([0.0])
    of([0.0, -0.0, 0.0])
    of([1, 2.5, -3.25])
    of([[1, 10, 100], [0.5, 0.25, 0.125]])
    of([0.1, 0.2, 1 / 3, 2 / 3])
    of([1.1, 22.22, 333.3])
    of([nan, 1, inf])
    of([nan, -inf])
    of([-inf, 0.001, 1])
    of([-inf, 1, 2])
    of([inf, 1e-6, 3e2])
    of([nan, nan])
    of([1e-4, 1e-3, 1e-1])
    of([9.9e-5, 1])
    of([1, 1000])
    of([1, 1001])
    of([0, 1, 1000.5])
    of([99, 101, 999, 1000])
    of([999.5, 1000.5, 2049])
    of([-1e-6, 2e-6])
    of([1e-7, -2.5e-3, 0])
    of([1.0, -0.03125, 6.1e-5])
    of([[0.99999999, 0.999], [0.9999, 0.5]])
    of([1 / 3, 1e-2, 5])
    of([np.finfo(t).max, np.finfo(t).tiny, np.finfo(t).smallest_subnormal])
    of([1 / 3, 123.456], precision=3)
    of([1 / 3, 123.456], precision=0)
    of([1e-6, 1e3], precision=2)
    of([1e-6, 1, 0.5], suppress=True)
    of(np.arange(30) / 8)
    of(np.arange(24).reshape(2, 3, 4) / 4)
    of(np.resize([0.5, 1.25, -3], 1001))
    of(np.resize([0.5, 1.25, -3], (40, 40)))
    of(np.zeros((0, 3)))


def wide(t):
    """What needs the range of float32 at least."""
    def of(values, **options):
        case(np.array(values, t), **options)

    for x in (1e15, 1e16, 1e17, 123456789, 1e-5, 1.5e-10, 3.4e38, 16777216, 1e8):
        of(x)
    of([1e5, 1e6 - 1])
    of([1e6])
    of([1e7, 1e7 + 1])
    of([99999999])
    of([1e8, 1])
    of([123456.789, 234567.891])
    of([1e10, -1e-10])
    of([0.1, 1e10, 1.2345678])
    of([3.14159265358979, 2.718281828459045])
    of([123.45678901, 0.00012345678901])
    of([1e-38, 1e38])
    of([1e30, nan, -inf])
    of(np.arange(6).reshape(2, 3) * 1e8 + 0.5)
    of([0.000123456789123, 0.1])
    of([2.0**e for e in range(-12, 12)])
    of([0.123456789012] * 12)


def integers(t):
    info = np.iinfo(t)
    case(np.array(info.min, t))
    case(np.array([info.min, info.max], t))
    case(np.array([0, 1, 10], t))
    case(np.array([[7, 100], [3, 25]], t))
    case(np.arange(100, dtype=t))
    case(np.arange(36, dtype=t).reshape(1, 4, 3, 3))


for t in FLOATS:
    floats(t)
wide(np.float32)
wide(np.float64)
case(np.array([1e100, 1e5]))
case(np.array([1e-300, -1]))
case(np.array(1.7976931348623157e308))
case(np.array([0.1 + 0.2, 1e15 + 0.3]))
for t in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64):
    integers(t)
case(np.array(True))
case(np.array(False))
case(np.array([True, False]))
case(np.array([[True, False, True], [True, True, True]]))
case(np.zeros(40, bool))
case(np.zeros((2, 0), bool))
case(np.zeros((1, 0, 3), np.int32))
case(np.arange(1000))
case(np.arange(1001))
case(np.arange(2000).reshape(4, 500))
case(np.arange(2000).reshape(2, 4, 250))
case(np.arange(1080).reshape(2, 3, 4, 5, 9))
case(np.arange(1152).reshape(8, 2, 8, 9))
case(np.arange(1200).reshape(1200, 1))
case(np.arange(20).reshape(4, 5), threshold=10, edgeitems=1)
case(np.arange(60).reshape(3, 20), linewidth=40)
case(np.arange(12) * 10**12, linewidth=10)
case(np.arange(600).reshape(2, 300), threshold=5000)
