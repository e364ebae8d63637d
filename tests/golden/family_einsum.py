# SPDX-License-Identifier: BSL-1.0
"""Family einsum: values (float32 exact, bf16, random floats), and texts that must be refused."""

from family_views import shape_list
from text import Check, Program, Skip, array, given, literal, only, out, spelling


def refused(case):
    shapes = case.get("shapes") or [ref["shape"] for ref in case["inputs"]]
    return Check(f"golden::refuses_einsum({literal(case['spec'])}, "
                 f"{{{', '.join(map(shape_list, shapes))}}})")


def stretches_a_label(case):
    """A named label of extent 1 meets a larger one; weft refuses it, on purpose."""
    terms = case["spec"].replace(" ", "").split("->")[0].split(",")
    extents = {}
    for term, ref in zip(terms, case["inputs"]):
        head, dots, tail = term.partition("...")
        shape = ref["shape"]
        if not dots and len(head) != len(shape):
            return False
        ends = list(zip(head, shape)) + (list(zip(tail[::-1], shape[::-1])) if dots else [])
        for label, extent in ends:
            extents.setdefault(label, set()).add(extent)
    return any(len(e) > 1 for e in extents.values())


def value(case):
    only(case, "spec shapes explicit_inputs explicit_output n_labels dtype inputs out class "
               "repeated_in_operand rejected_by_numpy rejected_by_jax accumulate out_f32")
    if stretches_a_label(case):
        return refused(case)
    if case.get("class") not in (None, "ellipsis_summed", "label_size1_broadcast"):
        raise Skip(f"a class that the runner does not know: {case['class']}")
    names = [f"x{i}" for i in range(len(case["inputs"]))]
    words = {"spec": literal(case["spec"]), "a": ", ".join(names)}
    body = spelling("einsum", "", **words)
    outputs = [out(case["out"], case["tol"])]
    if "out_f32" in case:
        body = f"std::pair({body}, {spelling('einsum', 'accumulated', **words)})"
        outputs.append(out(case["out_f32"], case["tol"]))
    return Program(list(map(array, case["inputs"])), names, body,
                   [*map(given, case["inputs"]), *outputs])


def invalid(case):
    only(case, "spec shapes reason")
    return refused(case)


KINDS = {"value": value, "invalid": invalid}


def programs(case):
    if case.get("kind") not in KINDS:
        raise Skip(f"einsum {case.get('kind')}: no such kind in tests/golden/family_einsum.py")
    yield "", KINDS[case["kind"]](case)
