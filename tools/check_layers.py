#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the arrows of the design: a header includes its own folder and folders to its left in
core -> op -> graph -> pass -> transform -> array -> lang -> (backends) -> run, a backend includes
neither array, lang nor another backend, and no headers include each other in a circle. The headers
directly in weft/ (the umbrella, the optional doors) stand above all folders. Whatever is included, the
text of core/config.hpp comes first: it refuses what cannot be compiled, the single header before it too.
What weft/weft.hpp reaches is included by every user: of the standard library only what compiles fast."""

import argparse
import os
import sys

from sources import folder_of, headers, in_order, includes_of
from tally import Tally

LINE = ["core", "op", "graph", "pass", "transform", "array", "lang"]
BACKENDS = ["cpu", "opencl", "stablehlo"]

# <algorithm> alone is 7 % of what g++ 12 does for weft/weft.hpp.
LIGHT = {"array", "bit", "compare", "concepts", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "exception",
         "initializer_list", "new", "numbers", "tuple", "type_traits", "utility"}


def up_to(folder):
    return set(LINE[:LINE.index(folder) + 1])


ALLOWED = {folder: up_to(folder) for folder in LINE}
ALLOWED |= {backend: up_to("transform") | {backend} for backend in BACKENDS}
ALLOWED |= {over: up_to("array") | {over} for over in ("io", "eigen")}
ALLOWED["linalg"] = up_to("lang") | {"linalg"}
ALLOWED["fft"] = ALLOWED["linalg"] | {"fft"}
ALLOWED["xsimd"] = ALLOWED["cpu"] | {"xsimd"}
ALLOWED["run"] = {*LINE, *BACKENDS, "run"}
ALLOWED["testing"] = ALLOWED["run"] | {"testing"}
ALLOWED["mpi"] = ALLOWED["run"] | {"mpi"}  # an engine knows its ranks by an interface alone


def wrong_arrows(header):
    """One text per include that the header may not have."""
    path, own = "include/" + header, folder_of(header)
    if own and own not in ALLOWED:
        yield f"{path}: weft/{own} is no folder of the layout"
        return
    for number, delimiter, name in includes_of(path):
        at = f"{path}:{number}: "
        if delimiter == '"':
            yield at + f'"{name}" is written <weft/...>'
        elif name == "iostream":
            yield at + "<iostream> costs every user; print in tests and examples"
        elif name.startswith("weft/"):
            folder = folder_of(name)
            if not os.path.exists("include/" + name):
                yield at + f"<{name}> does not exist"
            elif own and not folder:
                yield at + f"{own} must not include <{name}>, which stands above all folders"
            elif own and folder not in ALLOWED[own]:
                yield at + f"{own} must not include {folder} (<{name}>)"


def heavy_includes(graph):
    """One text per standard header that weft/weft.hpp reaches and that costs every user."""
    reached = []
    in_order("weft/weft.hpp", reached)
    for header in reached:
        for name in graph[header]:
            if not name.startswith("weft") and "." not in name and name not in LIGHT:
                yield f"include/{header}: <{name}> would be compiled by everybody who includes weft/weft.hpp"


def circles(graph):
    """Depth-first: each include that closes a circle, as a text with the circle."""
    done, stack = set(), []

    def visit(header):
        if header in stack:
            yield " -> ".join([*stack[stack.index(header):], header])
        elif header not in done:
            stack.append(header)
            for name in graph.get(header, ()):
                yield from visit(name)
            stack.pop()
            done.add(header)

    for header in graph:
        yield from visit(header)


def first_text(header):
    """The header whose own text a compiler meets first; standard and foreign headers aside."""
    for _, _, name in includes_of("include/" + header):
        if name.startswith("weft/"):
            return first_text(name)
    return header


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    tally = Tally(parser.parse_args().tally, "layers")

    names = headers()
    wrong = [text for header in names for text in wrong_arrows(header)]
    tally.item("FAIL" if wrong else "PASS", "include arrows", f"{len(names)} headers",
               "\n".join(wrong))
    graph = {header: [name for _, _, name in includes_of("include/" + header)] for header in names}
    loops = list(circles(graph))
    tally.item("FAIL" if loops else "PASS", "include circles", "", "\n".join(loops))
    heavy = [] if loops else list(heavy_includes(graph))
    tally.item("FAIL" if heavy else "PASS", "standard headers of weft/weft.hpp", "", "\n".join(heavy))
    late = [] if loops else [f"include/{name}: begins with {first_text(name)}"
                             for name in names if first_text(name) != "weft/core/config.hpp"]
    tally.item("FAIL" if late else "PASS", "core/config.hpp first", "", "\n".join(late))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
