# SPDX-License-Identifier: BSL-1.0
"""Family scan: scans of the bodies in scan_bodies.hpp, values and gradients; associative scans;
cumulative operations; calls that must not compile (table.REFUSED).

A JSON array becomes a std::tuple, an object a struct of arrays (init, xs) or arguments of their own
(consts, which the body captures); leaves stand in the order of sorted names, as JAX has them."""

import re

import table
from text import Program, Refused, Skip, allowed, array, given, only, out, spelling

SCAN_FIELDS = ("body doc init xs consts length reverse unroll carry ys cot_carry cot_ys d_init d_xs "
               "d_consts grad_tol")


def is_leaf(tree):
    return isinstance(tree, dict) and "file" in tree


def is_float(ref):
    return ref["dtype"] in ("f32", "f64", "f16", "bf16")


def parts(tree):
    if isinstance(tree, list):
        return list(tree)
    return [tree[name] for name in sorted(tree)]


def leaves(tree):
    """References and, where a value is absent, None."""
    if tree is None or is_leaf(tree):
        return [tree]
    return [leaf for part in parts(tree) for leaf in leaves(part)]


def present(tree):
    return [leaf for leaf in leaves(tree) if leaf is not None]


def without_leading(tree):
    if is_leaf(tree):
        return {**tree, "shape": tree["shape"][1:]}
    if isinstance(tree, list):
        return [without_leading(t) for t in tree]
    return {name: without_leading(t) for name, t in tree.items()}


class Structs:
    """Struct templates for the objects of one program."""

    def __init__(self, prefix):
        self.prefix, self.text, self.count = prefix, "", 0

    def field(self, tree, template="tensor"):
        if is_leaf(tree):
            return array(tree, template)
        if isinstance(tree, list):
            return "std::tuple<" + ", ".join(self.field(t, template) for t in tree) + ">"
        return f"{self.named(tree)}<{template}>"

    def stack(self, tree):
        """Of xs: an object is a stack of the struct that one step sees."""
        if is_leaf(tree):
            return array(tree)
        if isinstance(tree, list):
            return "std::tuple<" + ", ".join(map(self.stack, tree)) + ">"
        lengths = {ref["shape"][0] for ref in leaves(tree)}
        if len(lengths) != 1:
            raise Skip("xs of different lengths")
        return f"stacked<{self.named(without_leading(tree))}, {lengths.pop()}, tensor>"

    def named(self, tree):
        fields = " ".join(f"{self.field(tree[n], 'array')} {n};" for n in sorted(tree))
        self.count += 1
        name = f"{self.prefix}_{self.count}"
        self.text += (f"template <template <class, auto...> class array> struct {name} "
                      f"{{ {fields} }};\n")
        return name


class Scan:
    """One scan case: its arguments in the order init, xs, constants; then what a gradient needs."""

    def __init__(self, case):
        self.case, self.body = case, spelling("scan", case["body"])
        self.keys = table.KEYS.get(case["body"], set())
        self.structs = Structs("tree_" + re.sub(r"\W", "_", case["name"]))
        self.types, self.names, self.data = [], [], []
        self.differentiable = []  # positions of arguments with gradients, and their trees
        self.argument("init", case["init"], case.get("d_init"))
        if case["xs"] is not None:
            self.argument("xs", case["xs"], case.get("d_xs"))
        for name, ref in sorted((case["consts"] or {}).items()):
            self.argument("k_" + name, ref, (case.get("d_consts") or {}).get(name),
                          "consts." + name)

    def argument(self, name, tree, gradient, place=None):
        is_key = (place or name) in self.keys
        field = self.structs.stack if name == "xs" else self.structs.field
        self.types.append("key" if is_key else field(tree))
        self.data += map(given, present(tree))
        if not is_key and any(map(is_float, present(tree))):
            self.differentiable.append((len(self.names), gradient))
        self.names.append(name)

    def call(self):
        case = self.case
        options = [".reverse = true"] if case["reverse"] else []
        if case["length"] is not None:
            options.append(f".length = {case['length']}")
        if case["unroll"] > 1:  # JAX also takes True and False: the same values
            options.append(f".unroll = {case['unroll']}")
        consts = [n for n in self.names if n.startswith("k_")]
        fields = " ".join(f"decltype({n}) {n[2:]};" for n in consts)
        k = f"struct constants {{ {fields} }} k{{{', '.join(consts)}}}; " if consts else ""
        xs = "xs" if case["xs"] is not None else "none"
        return k, (f"scan<scan_options{{{', '.join(options)}}}>(golden::bodies::{self.body}"
                   f"({'k' if consts else 'none'}), init, {xs})")

    def value(self):
        k, call = self.call()
        outputs = [out(ref, self.case["tol"])
                   for ref in present(self.case["carry"]) + present(self.case["ys"])]
        p = Program(self.types, self.names, f"{k}return {call};", self.data + outputs)
        p.before = self.structs.text
        return p

    def gradient(self):
        """Of sum(cot_carry * carry) + sum(cot_ys * ys) over the leaves that have a cotangent."""
        case, terms, types, names, data = self.case, [], [], [], []
        cotangents = leaves(case["cot_carry"])
        if case["cot_carry"] is None:
            cotangents = [None] * len(leaves(case["carry"]))
        cotangents += leaves(case["cot_ys"]) if case["ys"] is not None else []
        for i, ref in enumerate(cotangents):
            if ref is not None:
                terms.append(f"sum(golden::leaf<{i}>(r) * c{i})")
                types.append(array(ref))
                names.append(f"c{i}")
                data.append(given(ref))
        k, call = self.call()
        inner = ", ".join("auto " + n for n in self.names)
        outer = ["of_" + n for n in self.names]
        which = ", ".join(str(at) for at, _ in self.differentiable)
        body = (f"auto loss = [&]({inner}) {{ {k}auto r = {call}; return {' + '.join(terms)}; }}; "
                f"return value_and_grad<{which}>(loss)({', '.join(outer)}).second;")
        outputs = ["any" if ref is None else out(ref, case["grad_tol"])
                   for _, tree in self.differentiable for ref in leaves(tree)]
        p = Program(self.types + types, outer + names, body, self.data + data + outputs)
        p.before = self.structs.text
        return p


def scan(case):
    only(case, SCAN_FIELDS)
    yield "", Scan(case).value
    if case.get("cot_carry") is not None or case.get("cot_ys") is not None:
        yield ".grad", Scan(case).gradient


def associative(case):
    only(case, "op doc axis reverse x out")
    combine = spelling("associative_scan", case["op"])
    structs = Structs("tree")
    options = f".axis = {case['axis']}" + (", .reverse = true" if case["reverse"] else "")
    body = (f"associative_scan<associative_scan_options{{{options}}}>("
            f"[](auto a, auto b) {{ return {combine}; }}, x)")
    data = [*map(given, present(case["x"])),
            *(out(ref, case["tol"]) for ref in present(case["out"]))]
    p = Program([structs.field(case["x"], "tensor")], ["x"], f"return {body};", data)
    p.before = structs.text
    return p


def cumulative(case):
    only(case, "op axis reverse x out")
    body = spelling("cumulative", case["op"],
                    A=f"{case['axis']}" + (", reversed" if case["reverse"] else ""))
    return Program([array(case["x"])], ["x"], body,
                   [given(case["x"]), out(case["out"], case["tol"])])


def error(case):
    only(case, "what")
    if case["what"] not in table.REFUSED:
        raise Skip(f"scan error '{case['what']}': no source in tests/golden/table.py")
    says, source = table.REFUSED[case["what"]]
    allowed(f"scan error {case['what']}")
    return Refused(source, says)


def programs(case):
    """(suffix, what makes the program): a pending gradient leaves the value."""
    kind = case.get("kind")
    if kind == "scan":
        yield from scan(case)
    elif kind == "associative_scan":
        yield "", associative(case)
    elif kind == "cumulative":
        yield "", cumulative(case)
    elif kind == "error":
        yield "", error(case)
    else:
        raise Skip(f"scan {kind}: no such kind in tests/golden/family_scan.py")
