# SPDX-License-Identifier: BSL-1.0
"""Family conv: values, gradients by x and filter for a cotangent, padding by name, and the bytes of a
filter read in other layouts.

Layouts of the data: x and result have N and C, the filter O and I; lists are in `spatial_order`."""

from text import Program, Skip, array, element, given, literal, only, out, real, spelling

ATTRIBUTES = ("lhs rhs out spatial_order strides padding lhs_dilation rhs_dilation reverse "
              "feature_groups batch_groups")
LISTS = ("strides", "padding", "lhs_dilation", "rhs_dilation", "reverse")
RULES = {"SAME": "same", "SAME_LOWER": "same_lower", "VALID": "valid"}


def spatial(layout):
    return [letter for letter in layout if letter not in "OI"]


def in_filter_order(attrs):
    """The lists in weft's order, which is the filter's."""
    given_order = attrs.get("spatial_order", "".join(spatial(attrs["rhs"])))
    places = [given_order.index(letter) for letter in spatial(attrs["rhs"])]
    return {name: [attrs[name][p] for p in places] for name in LISTS if name in attrs}


def number(value):
    if isinstance(value, list):
        return "{" + ", ".join(map(number, value)) + "}"
    return str(int(value))


def options(attrs, rule=None):
    """conv_options, in the order of its members; a list of nothing is left out."""
    lists = in_filter_order(attrs)
    texts = {name: number(value) for name, value in lists.items() if value}
    if rule:
        if rule not in RULES:
            raise Skip(f"a padding that the runner does not know: {rule}")
        texts["padding"] = f"pads::{RULES[rule]}"
    for name in ("feature_groups", "batch_groups"):
        texts[name] = number(attrs.get(name, 1))
    order = LISTS[:-1] + ("feature_groups", "batch_groups", "reverse")
    return ", ".join(f".{name} = {texts[name]}" for name in order if name in texts)


def words_of(attrs, rule=None):
    only(attrs, ATTRIBUTES)
    return {"spec": literal(f"{attrs['lhs']},{attrs['rhs']}->{attrs['out']}"),
            "options": options(attrs, rule)}


def call(case, attrs, operands, rule=None, dtype=None):
    """conv of these operands, with elements `dtype` where they are not the operands'."""
    name = "" if dtype in (None, case["x"]["dtype"]) else "in another type"
    return spelling("conv", name, a=operands, T=element(dtype or case["x"]["dtype"]),
                    **words_of(attrs, rule))


def program(case, body, outputs, more=()):
    refs = [case["x"], case["w"], *more]
    return Program(list(map(array, refs)), ["x", "w", "dy"][:len(refs)], body,
                   [*map(given, refs), *outputs])


def value(case, rule=None):
    body = call(case, case["attrs"], "x, w", rule, case["y"]["dtype"])
    outputs = [out(case["y"], case["tol"])]
    if "y_f32" in case:  # the sums, not rounded
        body = f"std::pair({body}, {call(case, case['attrs'], 'x, w', rule, 'f32')})"
        outputs.append(out(case["y_f32"], case["tol"]))
    return program(case, body, outputs)


def gradients(case, rule=None):
    tol = case.get("grad_tol", case["tol"])
    forward = call(case, case["attrs"], "a, b", rule, case["y"]["dtype"])
    body = spelling("conv", "gradients", forward=forward)
    return program(case, body, [out(case[name], tol) for name in ("dx", "dw")], [case["dy"]])


def layouts(case):
    """The same bytes read in every layout of the table, plain and reversed. What the first row
    differs by is taken away, so that y comes out of all; y_wrong is one of them as it is."""
    results, shape = [], case["y"]["shape"]
    if not case["attrs"]["out"].endswith("C") or shape[0] != 1:
        raise Skip("a layout table of another result layout")
    first = next(row for row in case["layout_table"]
                 if row["rhs"] == case["attrs"]["rhs"] and not row["reverse"])
    for row in case["layout_table"]:
        attrs = {**case["attrs"], "rhs": row["rhs"], "reverse": [row["reverse"]]}
        off = [a - b for a, b in zip(row["y0"], first["y0"])]
        results.append(spelling("conv", "less its first row", y=call(case, attrs, "x, w"),
                                off=", ".join(map(real, off))))
    outputs = [out(case["y"], case["tol"])] * len(results)
    if "y_wrong" in case:
        attrs = {**case["attrs"], "rhs": "HIO"}
        results.append(call(case, attrs, "x, w"))
        outputs.append(out(case["y_wrong"], case["tol"]))
    return program(case, f"return std::tuple({', '.join(results)});", outputs)


def programs(case):
    if case.get("kind") != "conv":
        raise Skip(f"conv {case.get('kind')}: no such kind in tests/golden/family_conv.py")
    only(case, "attrs x w y y_f32 dy dx dw tol grad_tol padding_name accumulate layout_table y_wrong")
    yield "", lambda: value(case)
    if "dy" in case:
        yield ".grad", lambda: gradients(case)
    if "padding_name" in case:
        yield ".by_rule", lambda: value(case, case["padding_name"])
        if "dy" in case:
            yield ".by_rule.grad", lambda: gradients(case, case["padding_name"])
    if "layout_table" in case:
        yield ".layouts", lambda: layouts(case)
