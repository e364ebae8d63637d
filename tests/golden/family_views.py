# SPDX-License-Identifier: BSL-1.0
"""Family views: slices, broadcasting, reductions, sorting, indexing, padding, shape operations."""

from text import (Check, Program, Skip, array, given, literal, numbers, only, out, real, spelling)


def index_text(index):
    def item(i):
        if not isinstance(i, list):
            return str(i)
        start, stop, step = ("" if v is None else str(v) for v in i)
        return f"{start}:{stop}" + (f":{step}" if step else "")
    return ", ".join(item(i) for i in index)


def shape_list(shape):
    return f"{{{len(shape)}, {{{numbers(shape)}}}}}"


def listed(value):
    return list(value) if isinstance(value, list) else [value]


def of_x(case, body, *others):
    """A program of x and perhaps other arrays, whose result is `out`."""
    refs = [case["x"], *(case[o] for o in others)]
    data = [*map(given, refs), out(case["out"], case["tol"])]
    return Program(list(map(array, refs)), ["x", *(o[0] for o in others)], body, data)


def slice_(case):
    only(case, "x index out")
    return of_x(case, spelling("views", "slice", spec=literal(index_text(case["index"]))))


def slice_invalid(case):
    only(case, "shape index")
    return Check(f"golden::refuses_view({literal(index_text(case['index']))}, "
                 f"{shape_list(case['shape'])})")


def broadcast(case):
    only(case, "shapes inputs result out")
    names = [f"x{i}" for i in range(len(case["inputs"]))]
    return Program(list(map(array, case["inputs"])), names, " + ".join(names),
                   [*map(given, case["inputs"]), out(case["out"], case["tol"])])


def broadcast_invalid(case):
    only(case, "shapes axis")
    shapes = ", ".join(shape_list(s) for s in case["shapes"])
    return Check(f"golden::refuses_broadcast({{{shapes}}})")


def reduce_(case):
    only(case, "op x axes keepdims out")
    axes = case["axes"]
    words = [spelling("reduce", "no axis")] if axes == [] else list(axes or [])
    words += ["keep"] if case["keepdims"] else []
    return of_x(case, spelling("reduce", case["op"], A=numbers(words)))


def along_axis(name, others=(), fields=""):
    def make(case):
        only(case, "x axis out " + " ".join(others) + fields)
        return of_x(case, spelling("views", name, A=case["axis"]), *others)
    return make


def argsort(case):
    only(case, "x axis descending sorted out")
    body = spelling("views", "argsort descending" if case["descending"] else "argsort",
                    A=case["axis"])
    return of_x(case, body)


def top_k(case):
    only(case, "x k values out")
    data = [given(case["x"]), out(case["values"], case["tol"]), out(case["out"], case["tol"])]
    return Program([array(case["x"])], ["x"], spelling("views", "top_k", k=case["k"]), data)


def where(case):
    only(case, "mask x y out")
    refs = [case["mask"], case["x"], case["y"]]
    return Program(list(map(array, refs)), ["p", "a", "b"], spelling("views", "where"),
                   [*map(given, refs), out(case["out"], case["tol"])])


def concatenate(case):
    only(case, "inputs axis out")
    names = [f"x{i}" for i in range(len(case["inputs"]))]
    return Program(list(map(array, case["inputs"])), names,
                   spelling("views", "concatenate", A=case["axis"], a=", ".join(names)),
                   [*map(given, case["inputs"]), out(case["out"], case["tol"])])


def padded(widths, value):
    """Axis by axis: (low, high, interior) of each."""
    body = "x"
    for axis, (low, high, interior) in enumerate(widths):
        body = spelling("views", "pad along an axis", axis=axis, low=low, high=high,
                        interior=interior, x=body, value=real(value))
    return body


def pad(case):
    only(case, "x widths mode value out")
    if case["mode"] == "constant":
        return of_x(case, padded([(*w, 0) for w in case["widths"]], case["value"]))
    if case["mode"] not in ("edge", "reflect", "symmetric", "wrap"):
        raise Skip(f"a mode that the runner does not know: {case['mode']}")
    paddings = ", ".join(spelling("views", "pad mode", low=low, high=high, mode=case["mode"])
                         for low, high in case["widths"])
    return of_x(case, spelling("views", "pad", paddings=paddings))


def pad_interior(case):
    only(case, "x config value out")
    return of_x(case, padded(case["config"], case["value"]))


def roll(case):
    """args: [shift] of the flattened array, or [shift, axis], or lists of both: of one number and
    several, it stands for each."""
    args = listed(case["args"])
    if len(args) == 1 or args[1] is None:
        return spelling("views", "roll", A="", n=sum(listed(args[0])), x="x")
    shifts, axes = listed(args[0]), listed(args[1])
    body = "x"
    for i in range(max(len(shifts), len(axes)) if shifts and axes else 0):
        body = spelling("views", "roll", A=axes[i % len(axes)], n=shifts[i % len(shifts)], x=body)
    return body


def flat(args):
    """Numbers of a number, of a list, of nested lists; none for None."""
    if args is None:
        return ""
    return numbers(e for a in listed(args) for e in listed(a) if e is not None)


def moved(case):
    """One axis; several at once are a transposition, as numpy defines them."""
    rank = len(case["x"]["shape"])
    source, target = ([a % rank for a in listed(axes)] for axes in case["args"])
    if len(source) == 1:
        return spelling("views", "moveaxis", A=flat(case["args"]))
    order = [axis for axis in range(rank) if axis not in source]
    for to, axis in sorted(zip(target, source)):
        order.insert(to, axis)
    return spelling("views", "transpose", A=numbers(order))


def by_axes(name, args):
    """No axes at all are not none named: they leave x as it is."""
    if args == [] and name != "diagonal":
        return "x"
    return spelling("views", name, A=flat(args))


SHAPE_OPERATIONS = {
    "roll": roll,
    "reshape": lambda c: spelling("views",
                                  "reshape to a rest" if -1 in listed(c["args"]) else "reshape",
                                  E=numbers(listed(c["args"]))),
    "repeat": lambda c: spelling("views", "repeat", n=listed(c["args"])[0],
                                 A=flat(listed(c["args"])[1:])),
    "moveaxis": moved,
    "tril": lambda c: spelling("views", "tril", n=c["args"]),
    "triu": lambda c: spelling("views", "triu", n=c["args"]),
    **{name: (lambda name: lambda c: by_axes(name, c["args"]))(name)
       for name in ("transpose", "flip", "tile", "diagonal", "squeeze", "expand_dims")},
}


def shape_operation(case):
    only(case, "x args out")
    return of_x(case, SHAPE_OPERATIONS[case["kind"]](case))


KINDS = {
    "slice": slice_, "slice_invalid": slice_invalid, "broadcast": broadcast,
    "broadcast_invalid": broadcast_invalid, "reduce": reduce_, "argsort": argsort, "top_k": top_k,
    "where": where, "concatenate": concatenate, "pad": pad, "pad_interior": pad_interior,
    "argmax": along_axis("argmax"), "argmin": along_axis("argmin"), "sort": along_axis("sort"),
    "take": along_axis("take", ("indices",)),
    "take_along_axis": along_axis("take_along_axis", ("indices",)),
    **{name: shape_operation for name in SHAPE_OPERATIONS},
}


def programs(case):
    if case.get("kind") not in KINDS:
        raise Skip(f"views {case.get('kind')}: no such kind in tests/golden/family_views.py")
    yield "", KINDS[case["kind"]](case)
