# SPDX-License-Identifier: BSL-1.0
"""Family ops: tables of elementwise functions, comparisons, integers and conversions."""

from text import Program, Skip, array, element, given, only, out, spelling

WIDTH = {"int": "i", "uint": "u", "float": "f", "bfloat": "bf"}


def short(dtype):
    """int32 -> i32; the data's short names stay."""
    for long, letter in WIDTH.items():
        if dtype.startswith(long) and dtype[len(long):].isdigit():
            return letter + dtype[len(long):]
    return dtype


def check_type(case, ref):
    if "dtype" in case and short(case["dtype"]) != ref["dtype"]:
        raise Skip(f"a dtype {case['dtype']} over arrays of {ref['dtype']}")


def unary(case):
    only(case, "op dtype x out nan")
    check_type(case, case["x"])
    array(case["x"])
    return Program([array(case["x"])], ["x"], spelling("unary", case["op"]),
                   [given(case["x"]), out(case["out"], case["tol"], bits=True)])


def binary(case):
    only(case, "op dtype a b out nan")
    check_type(case, case["a"])
    refs = [case[f] for f in ("a", "b") if f in case]
    names = ["a", "b"][:len(refs)]
    types = list(map(array, refs))
    words = {}
    dtype = case["a"]["dtype"]
    if case["kind"] == "integer":
        words = {"T": element(dtype), "U": element("u" + dtype[1:]), "I": element("i" + dtype[1:])}
    return Program(types, names, spelling(case["kind"], case["op"], **words),
                   [*map(given, refs), out(case["out"], case["tol"])])


def convert(case):
    only(case, "x out nan")
    signs = "same sign" in case.get("note", "")
    types = [array(case["x"])]
    return Program(types, ["x"], spelling("convert", "", T=element(case["out"]["dtype"])),
                   [given(case["x"]), out(case["out"], case["tol"], bits=True, signs=signs)])


KINDS = {"unary": unary, "binary": binary, "compare": binary, "integer": binary,
         "convert": convert}


def programs(case):
    if case.get("kind") not in KINDS:
        raise Skip(f"ops {case.get('kind')}: no such kind in tests/golden/family_ops.py")
    yield "", KINDS[case["kind"]](case)
