# SPDX-License-Identifier: BSL-1.0
"""Family autocast: an op in a region of a low type, results and gradients; regions in regions.

A case is autocast<low>([](...) { return convert<out_dtype>(op(...)); }); inputs of several types,
which weft does not mix, are converted to the result's."""

import re

from family_conv import words_of
from text import Program, Skip, allowed, array, element, given, literal, only, out, spelling

LINEAR = "linear via einsum ...n,mn->...m"
SCAN = "scan of linear via einsum ...n,mn->...m"
STEP = re.compile(r"(\w+) = (?:f32\()?(\w+)\)? @ (\w+)(?: \(cast by hand\))?")


def parameters(names):
    return ", ".join("auto " + name for name in names)


def region(low, names, body, arguments):
    """A function of `names` run as autocast<low>. (Names are its own: compilers warn of others.)"""
    return (f"autocast<{element(low)}>([]({parameters(names)}) {{ {body} }})"
            f"({', '.join(arguments)})")


def names_of(case, letter="x"):
    return [f"{letter}{i}" for i in range(len(case["inputs"]))]


def program(case, body, outputs):
    """`body` of x0... as autocast<low>."""
    given_names = names_of(case, "given")
    low = case["low"] if "low" in case else case["steps"][0]["region"]
    return Program(list(map(array, case["inputs"])), given_names,
                   f"return {region(low, names_of(case), body, given_names)};",
                   [*map(given, case["inputs"]), *outputs])


def numeric(case):
    allowed(f"autocast {case['op']}")
    only(case, "policy low op inputs out out_dtype spec axis eps attrs")
    if case["op"] == "layer_norm" and case["eps"] != 1e-5:
        raise Skip("layer_norm with another eps")
    types = {ref["dtype"] for ref in case["inputs"]}
    arguments = [name if len(types) == 1 or ref["dtype"] == case["out_dtype"]
                 else f"convert<{element(case['out_dtype'])}>({name})"
                 for name, ref in zip(names_of(case), case["inputs"])]
    words = {"a": ", ".join(arguments), "spec": literal(case.get("spec", "")),
             "axis": case.get("axis")}
    if "attrs" in case:
        words.update(words_of(case["attrs"]))
    body = spelling("autocast", case["op"], **words)
    body = f"return convert<{element(case['out_dtype'])}>({body});"
    return program(case, body, [out(case["out"], case["tol"])])


def linear(case):
    """One rounding, and two: the product's and the sum's."""
    only(case, "policy low op inputs out out_dtype out_two_roundings elements_where_they_differ "
               "dy dx dw db grad_dtype")
    outputs = [out(case[name], case["tol"]) for name in ("out", "out_two_roundings")]
    both = [spelling("autocast", name, T=element(case["low"]))
            for name in (case["op"], "product and bias")]
    return program(case, f"return std::pair({', '.join(both)});", outputs)


def linear_gradient(case):
    p = program(case, "", [given(case["dy"])] +
                [out(case[name], case["tol"]) for name in ("dx", "dw", "db")])
    names = names_of(case, "of")
    once = region(case["low"], names_of(case), f"return {spelling('autocast', 'linear')};", names)
    p.body = (f"auto loss = [&]({parameters(names)}) {{ return sum({once} * dy); }}; "
              f"return value_and_grad<0, 1, 2>(loss)({', '.join(p.names)}).second;")
    p.types.append(array(case["dy"]))
    p.names.append("dy")
    return p


def scan(case):
    """Layers with one rounding and with two; and in float, rounded at the end."""
    only(case, "policy low op layers inputs out out_dtype out_two_roundings "
               "out_rounded_only_at_the_end elements differ_two_roundings "
               "differ_rounded_only_at_the_end")
    low = element(case["low"])
    bodies = [f"golden::layers<{low}>(x0, x1, x2, [](auto x, auto w, auto b) {{ return "
              + spelling("autocast", name, T=low) + "; })" for name in ("layer", "layer in two")]
    names = names_of(case, "in_float")
    plain = spelling("autocast", "layers in float", a=", ".join(names))
    bodies.append(f"convert<{low}>({region('f32', names, f'return {plain};', names_of(case))})")
    outputs = [out(case[name], case["tol"]) for name in
               ("out", "out_two_roundings", "out_rounded_only_at_the_end")]
    return program(case, f"return std::tuple({', '.join(bodies)});", outputs)


def regions(case):
    only(case, "inputs steps")
    low = case["steps"][0]["region"]
    inside = {low: None, f"{low} again": None, f"disabled inside {low}": "f32"}
    inside.update({f"{t} inside {low}": t for t in ("bf16", "f16")})
    lines, results = "auto x = x0; auto w = x1; ", []
    for step in case["steps"]:
        found = STEP.fullmatch(step["op"])
        if step["region"] not in inside or not found:
            raise Skip(f"a step that the runner does not know: {step['region']}: {step['op']}")
        result, *operands = found.groups()
        inner = inside[step["region"]]
        product = (region(inner, "ab", "return matmul(a, b);", operands) if inner
                   else f"matmul({', '.join(operands)})")
        lines += f"auto {result} = {product}; "
        results.append(f"convert<{element(step['dtype'])}>({result})")
    return program(case, f"{lines}return std::tuple({', '.join(results)});",
                   [out(step["out"], case["tol"]) for step in case["steps"]])


def programs(case):
    if case.get("kind") == "regions":
        yield "", regions(case)
    elif case.get("kind") != "numeric":
        raise Skip(f"autocast {case.get('kind')}: no such kind in tests/golden/family_autocast.py")
    elif case["op"] == LINEAR:
        yield "", linear(case)
        yield ".grad", lambda: linear_gradient(case)
    elif case["op"] == SCAN:
        yield "", scan(case)
    else:
        yield "", numeric(case)
