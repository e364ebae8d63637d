#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Arrays to NumPy and back by DLPack, in one process and without a copy: a shared library of
tests/array/dlpack_library.cpp, loaded by ctypes, and the capsules that Python hands them over in."""

import argparse
import ctypes
import gc
import os
import shutil
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally, run  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "../../include")
PYTHON = ctypes.pythonapi
PYTHON.PyCapsule_New.restype = ctypes.py_object
PYTHON.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
PYTHON.PyCapsule_GetPointer.restype = ctypes.c_void_p
PYTHON.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
PYTHON.PyCapsule_SetName.argtypes = (ctypes.py_object, ctypes.c_char_p)
FRESH, USED = b"dltensor", b"used_dltensor"  # names live as long as the capsules


class Lent:
    """What np.from_dlpack takes: the protocol's two methods."""

    def __init__(self, pointer):
        self.pointer = pointer

    def __dlpack__(self, stream=None):
        return PYTHON.PyCapsule_New(self.pointer, FRESH, None)

    def __dlpack_device__(self):
        return (1, 0)


def load(folder):
    path = os.path.join(folder, "dlpack_library.so")
    launcher = ["ccache"] if shutil.which("ccache") else []
    code, output = run([*launcher, "g++", "-std=c++20", "-O1", "-fPIC", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}",
                        "-c", os.path.join(HERE, "dlpack_library.cpp"), "-o", path + ".o"])
    if not code:
        code, output = run(["g++", "-shared", path + ".o", "-o", path])
    if code:
        raise AssertionError("\n".join(output.splitlines()[:30]))
    library = ctypes.CDLL(path)
    for name in ("f32", "f64", "f16", "i8", "i64", "u16", "kept"):
        getattr(library, "lend_" + name).restype = ctypes.c_void_p
    library.address_of_kept.restype = ctypes.c_void_p
    library.write_kept.argtypes = (ctypes.c_float,)
    library.weigh.restype, library.weigh.argtypes = ctypes.c_double, (ctypes.c_void_p,)
    library.last_error.restype = ctypes.c_char_p
    return library


def numpy_takes_every_type(library):
    wanted = np.arange(30) + np.arange(30) % 2
    for name, dtype in dict(f32="f4", f64="f8", f16="f2", i8="i1", i64="i8", u16="u2").items():
        x = np.from_dlpack(Lent(getattr(library, "lend_" + name)()))
        assert x.dtype == np.dtype(dtype) and x.shape == (2, 5, 3), (name, x.dtype, x.shape)
        assert np.array_equal(x, wanted.reshape(2, 5, 3).astype(dtype)), (name, x)
        view = x[1, ::2]
        del x
        gc.collect()  # the view keeps the loan alive
        assert np.array_equal(view, wanted.reshape(2, 5, 3)[1, ::2].astype(dtype)), (name, view)


def nothing_is_copied(library):
    place = library.address_of_kept()
    x = np.from_dlpack(Lent(library.lend_kept()))
    assert x.ctypes.data == place and x.strides == (12, 4), (x.ctypes.data, place, x.strides)
    library.write_kept(7)  # copies, as it is lent: the loan keeps what it was
    assert x[3, 2] == 0 and library.address_of_kept() != place
    del x
    gc.collect()
    place = library.address_of_kept()
    library.write_kept(8)  # nobody else has it now
    assert library.address_of_kept() == place
    y = np.from_dlpack(Lent(library.lend_kept()))
    assert y[3, 2] == 8


def weighed(library, x):
    """NumPy's capsule, taken over as Python's protocol asks: renamed, so that nobody takes it twice."""
    capsule = x.__dlpack__()
    pointer = PYTHON.PyCapsule_GetPointer(capsule, FRESH)
    PYTHON.PyCapsule_SetName(capsule, USED)
    result, text = library.weigh(pointer), library.last_error().decode()
    if text:
        PYTHON.PyCapsule_SetName(capsule, FRESH)  # not taken: the capsule's end gives it back
    return result, text


def weft_takes_any_strides(library):
    plain = np.arange(24, dtype=np.float32).reshape(4, 6) - 7
    arrays = [plain, plain.T, plain[::2, ::-3], plain[1:3, 2:], plain[:0], plain[:, 2:3], plain.astype(np.float64).T,
              np.asfortranarray(plain.astype(np.int32)), plain.astype(np.float16), np.broadcast_to(plain[0], (3, 6))]
    for x in arrays:
        if not x.flags.writeable:
            x = np.lib.stride_tricks.as_strided(plain, x.shape, x.strides)  # NumPy lends only what may be written
        i, j = np.indices(x.shape)
        before = sys.getrefcount(x)
        assert weighed(library, x) == (float((x.astype(float) * (10 * i + j + 1)).sum()), ""), x
        assert sys.getrefcount(x) == before, "the loan was not given back"


def what_does_not_fit_stays_numpys(library):
    x = np.zeros((2, 3, 4), dtype=np.float32)
    before = sys.getrefcount(x)
    text = weighed(library, x)[1]
    assert text == "weft: array: shape (2, 3, 4) does not fit (rows, columns); equal names need equal extents, at least 0", text
    y = np.zeros((2, 3), dtype=np.uint8)
    text = weighed(library, y)[1]
    assert text == "weft: from_dlpack: elements are uint8, the tensor's f32; take them as their own type", text
    gc.collect()
    assert sys.getrefcount(x) == before, "the loan was not given back"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    tally = Tally(parser.parse_args().tally, "dlpack with NumPy")
    with tempfile.TemporaryDirectory() as folder:
        library = load(folder)
        for check in (numpy_takes_every_type, nothing_is_copied, weft_takes_any_strides, what_does_not_fit_stays_numpys):
            try:
                check(library)
                tally.item("PASS", "dlpack: " + check.__name__)
            except AssertionError as failed:
                tally.item("FAIL", "dlpack: " + check.__name__, detail=repr(failed))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
