# SPDX-License-Identifier: BSL-1.0
"""Family models: training runs of the models in model_bodies.hpp. One program computes the losses
of all steps, the gradients of the first and the parameters after the last."""

import re

from family_scan import Structs, present
from text import Program, Skip, array, given, only, out, real, spelling


def optimiser(case, params):
    """What makes the update and its state."""
    fields = {"sgd": {"lr", "momentum"}, "adam": {"lr", "b1", "b2", "eps"}}
    how = dict(case["optimizer"])
    kind = how.pop("kind")
    if set(how) != fields.get(kind):
        raise Skip(f"an optimizer that the runner does not know: {case['optimizer']}")
    words = {name: real(value) for name, value in how.items()}
    return spelling("optimiser", kind, params=params, **words)


def training(case):
    only(case, "model doc optimizer optimizer_doc steps params batch losses grads_step0 "
               "params_final loss_tol grad_tol final_tol loss_first_last")
    loss = spelling("model", case["model"])
    structs = Structs("tree_" + re.sub(r"\W", "_", case["name"]))
    types, names = [structs.field(case["params"])], ["start"]
    data = [given(ref) for ref in present(case["params"])]
    for name, ref in sorted(case["batch"].items()):
        types.append("key" if name == "key" else array(ref))
        names.append(name)
        data.append(given(ref))
    update = optimiser(case, types[0].removesuffix("<tensor>"))
    body = (f"return golden::models::trained<{case['steps']}>("
            f"[&](auto p, [[maybe_unused]] int step) {{ return {loss}; }}, start, {update});")
    data += [out(case["losses"], case["loss_tol"]),
             *(out(ref, case["grad_tol"]) for ref in present(case["grads_step0"])),
             *(out(ref, case["final_tol"]) for ref in present(case["params_final"]))]
    return Program(types, names, body, data, structs.text)


def programs(case):
    if case.get("kind") != "training":
        raise Skip(f"models {case.get('kind')}: no such kind in tests/golden/family_models.py")
    yield "", training(case)
