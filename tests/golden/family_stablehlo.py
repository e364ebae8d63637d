# SPDX-License-Identifier: BSL-1.0
"""Family stablehlo: modules in both forms, read, printed and run; collectives on ranks.

Two of three modules that compilers can read at compile time are compiled programs, too."""

import os

from text import Skip, given, literal, only, out

LARGEST_TEXT = 6000  # characters that a compiler is asked to read


class Module:
    """A test whose program is a module of the data folder."""

    before = ""

    def __init__(self, how, body, data):
        self.how, self.body, self.data = how, body, data

    def run(self):
        return f"{{.{self.how} = {self.body}}}"


def read(case, function, how="trace"):
    files = f"{literal(case['file'])}, {literal(case['generic'])}"
    return how, f"[] {{ return golden::{function}({files}); }}"


def arrays(ref):
    """One array per rank, or a list of them."""
    return ref if isinstance(ref, list) else [ref]


def programs(case):
    only(case, "file generic ops also inputs outputs devices mesh global_form device_inputs "
               "device_outputs")
    if case["kind"] == "module":
        data = ([given(ref) for ref in case["inputs"]] +
                [out(ref, case["tol"]) for ref in case["outputs"]])
        yield "", Module(*read(case, "module_graph"), data)
        yield ".written", Module(*read(case, "written_graph"), data)
        text = text_of(case["file"])
        if text is not None and len(text) <= LARGEST_TEXT and takes_turns():
            body = f"golden::compiled_module<[] {{ return R\"mlir({text})mlir\"; }}>()"
            yield ".compiled", Compiled("call", body, data)
    elif case["kind"] == "collective":
        data = [f"ranks {case['devices']}"]
        for of_rank in case["device_inputs"]:
            data += [given(ref) for ref in arrays(of_rank)]
        for of_rank in case["device_outputs"]:
            data += [out(ref, case["tol"]) for ref in arrays(of_rank)]
        yield "", Module(*read(case, "module_graph", "ranks"), data)
        yield ".written", Module(*read(case, "written_graph", "ranks"), data)
    else:
        raise Skip(f"kind {case['kind']}: not known")


class Compiled(Module):
    """One that has a file of its own: compilers read the text."""

    def run(self):
        return self.body


folder = None  # of the data; generate.py says which
turns = 0


def takes_turns():
    global turns
    turns += 1
    return turns % 3 != 0


def text_of(name):
    path = os.path.join(folder or "", "stablehlo", name)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()
