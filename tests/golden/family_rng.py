# SPDX-License-Identifier: BSL-1.0
"""Family rng: generators, keys, and draws. Keys are inputs of the programs, as words."""

import itertools

from text import Check, Program, Skip, array, element, given, key, numbers, only, out, real
from text import spelling

FIELDS = "op seed shape dtype partitionable out "


LAYOUT = "random_options{.partitionable = false}"


def extents(case, shape=None):
    """The extents of a draw, behind the options that the case asks for."""
    layout = [] if case.get("partitionable", True) is True else [LAYOUT]
    written = numbers(case["shape"] if shape is None else shape)
    return ", ".join(layout + ([written] if written else []))


def count(shape):
    n = 1
    for e in shape:
        n *= e
    return n


def blocks(case):
    only(case, "op keys counters out")
    refs = [case["keys"], case["counters"]]
    return Program(list(map(array, refs)), ["a", "b"], spelling("rng", case["op"]),
                   [*map(given, refs), out(case["out"], case["tol"], bits=True)])


def key_(case):
    only(case, "op seed seed_bits out")
    wide = case.get("seed_bits", 32) == 64
    unsigned, low = ("std::uint64_t", 64) if wide else ("std::uint32_t", 32)
    seed = int(case["seed"]) & ((1 << low) - 1)
    return Check(f"golden::words_of(weft::key({unsigned}{{{seed}u}}))",
                 [out(case["out"], case["tol"], bits=True)])


def draw(name, fields="", **words):
    def make(case):
        only(case, FIELDS + fields)
        given_words = {f: real(case[f]) for f in fields.split()}
        body = spelling("rng", name, E=extents(case), **given_words, **words)
        return of_key(case, body)
    return make


def of_key(case, body, result=None):
    return Program(["key"], ["k"], body,
                   [key(case["seed"]), out(result or case["out"], case["tol"], bits=True)])


def split(case):
    only(case, FIELDS)
    n = count(case["shape"])  # a shape of keys is its keys, row-major
    return of_key(case, spelling("rng", "split", E=extents(case, [n])),
                  {**case["out"], "shape": [n, 2]})


def fold_in(case):
    only(case, "op seed data out")
    result, places = case["out"], list(itertools.product(*map(range, case["data"]["shape"])))
    body = ", ".join(spelling("rng", "fold_in", i=f'at<"{numbers(place)}">(x)')
                     for place in places)
    rows = [{**result, "offset": result["offset"] + 2 * i, "shape": [2]}
            for i in range(len(places))]
    return Program(["key", array(case["data"])], ["k", "x"], f"std::tuple({body})",
                   [key(case["seed"]), given(case["data"]),
                    *(out(row, case["tol"], bits=True) for row in rows)])


def chain(case):
    only(case, "op seed steps out")
    body = "k"
    for step in case["steps"]:
        if step["op"] == "fold_in":
            body = f"fold_in({body}, {step['arg']})"
        elif step["op"] == "split":
            n, taken = step["arg"]  # from the end where it is negative
            body = f"split<{n}>({body})[{taken % n}]"
        else:
            raise Skip(f"a step {step['op']}")
    return of_key(case, body)


def bits(case):
    only(case, FIELDS + "width")
    name = "bits" if case["width"] == 32 else f"bits of width {case['width']}"
    return of_key(case, spelling("rng", name, E=extents(case)))


def uniform(case):
    """jax may round a product and a sum, or once; weft rounds once: docs/numerics.md."""
    only(case, FIELDS + "lo hi out_two_roundings out_fused")
    words = {"E": extents(case), "lo": real(case["lo"]), "hi": real(case["hi"])}
    unit = (case["lo"], case["hi"]) == (0, 1)
    if case["dtype"] != "f32":
        if not unit:
            raise Skip("uniform of a type in a range: no spelling in tests/golden/table.py")
        body = spelling("rng", "uniform of a type", T=element(case["dtype"]), **words)
    else:
        body = spelling("rng", "uniform" if unit else "uniform in a range", **words)
    return of_key(case, body, case.get("out_fused"))


def dropout(case):
    only(case, "op seed shape keep x mask out")
    m = spelling("rng", "bernoulli", E=numbers(case["shape"]), p=real(case["keep"]))
    body = f"auto m = {m}; return std::pair(m, select(m, x / {real(case['keep'])}, 0));"
    return Program(["key", array(case["x"])], ["k", "x"], body,
                   [key(case["seed"]), given(case["x"]),
                    *(out(case[f], case["tol"], bits=True) for f in ("mask", "out"))])


def normal(case):
    """The draw, and the uniform numbers under it: two keys of one seed."""
    only(case, FIELDS + "u")
    body = spelling("rng", "normal", E=extents(case))
    data = [key(case["seed"]), out(case["out"], case["tol"])]
    if "u" not in case:
        return Program(["key"], ["k"], body, data)
    under = spelling("rng", "uniform in a range", E=extents(case), lo="-0.99999994f", hi="1")
    return Program(["key", "key"], ["k", "k1"], f"std::pair({body}, {under.replace('(k,', '(k1,')})",
                   [data[0], *data, out(case["u"], {"exact": True}, bits=True)])


def randint(case):
    only(case, FIELDS + "lo hi")
    return of_key(case, spelling("rng", "randint", T=element(case["dtype"]), lo=case["lo"],
                                 hi=case["hi"], E=extents(case)))


def permutation(case):
    only(case, "op seed n out")
    return of_key(case, spelling("rng", "permutation", E=case["n"]))


def permutation_axis(case):
    only(case, "op seed axis x out")
    return Program(["key", array(case["x"])], ["k", "x"],
                   spelling("rng", "permutation_axis", axis=case["axis"]),
                   [key(case["seed"]), given(case["x"]), out(case["out"], case["tol"], bits=True)])


def categorical(case):
    only(case, "op seed axis logits prefix out min_gap")
    axes = numbers([case["axis"], *case["prefix"]])
    return Program(["key", array(case["logits"])], ["k", "x"],
                   spelling("rng", "categorical", A=axes),
                   [key(case["seed"]), given(case["logits"]),
                    out(case["out"], case["tol"], bits=True)])


OPS = {
    "threefry2x32": blocks, "philox4x32": blocks, "key": key_, "split": split, "fold_in": fold_in,
    "chain": chain, "bits": bits, "uniform": uniform, "bernoulli": draw("bernoulli", "p"),
    "dropout": dropout, "normal": normal, "truncated_normal": draw("truncated_normal", "lo hi"),
    "randint": randint, "permutation": permutation, "permutation_axis": permutation_axis,
    "gumbel": draw("gumbel"), "exponential": draw("exponential"), "categorical": categorical,
}


def programs(case):
    if case.get("op") not in OPS:
        raise Skip(f"rng {case.get('op')}: no such op in tests/golden/family_rng.py")
    yield "", OPS[case["op"]](case)
