#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks what the library says to its user: every text starts with `weft: `; every static_assert's
text is expected by a case of tests/compile_fail; what the run says about a mistake that types can
see, too, is that static_assert's text, with the numbers of the run behind it."""

import argparse
import glob
import re
import sys

from tally import Tally

STRING = r'"(?:[^"\\]|\\.)*"'
# Of a compiler's options, of a backend's own kernels, of a header that CI may lack: no case.
NO_CASE = ("float arithmetic must round", "contract: ", "a pass made more nodes", "xsimd_target: ",
           "io: files are read and written on little-endian")
# What only the run can know.
RUN_ONLY = (": extents ", "argument ", "array: ", "arrays: ", "concat: the joined extents", "device_tensor: ",
            "fixed_memory: ", "as_mdspan: ", "c_api: ",
            "borrow: ", "dlpack_array: ", "from_dlpack: ", "from_mdspan: ", "host_array: ", "linalg: a matrix of ", "interpret: ",
            "mesh_of: ", "model: ", "mpi: ", "sharding: ", "stablehlo: ",
            "no argument has a name of ", "opencl: ", "run_ranks: ", "pad: the number of elements", "reshape: the elements of ",
            "slice: the extent is ", "slice: the number of elements", "tensor: no memory for zeros")
# Texts about an operation of a module: importing::fail and reader::start put "weft: " and its name
# in front.
OF_OPERATIONS = ("include/weft/stablehlo/import", "include/weft/stablehlo/parse",
                 "include/weft/stablehlo/reader", "include/weft/stablehlo/lexer")
BEGINNINGS = ("arg", "weft: ", "weft: einsum: ")  # of texts that are put together
MOST_OF_A_TEXT = 20  # characters that an `expect:` line must have to count


def joined(code):
    """The text of adjacent string literals."""
    text = "".join(literal[1:-1] for literal in re.findall(STRING, code))
    return text.replace('\\"', '"')


def calls(source, opening):
    """(line, what stands in the brackets) of every call that `opening` finds."""
    for found in re.finditer(opening, source):
        at, depth = found.end(), 1
        while depth:
            literal = re.compile(STRING).match(source, at)
            if literal:
                at = literal.end()
                continue
            depth += {"(": 1, ")": -1}.get(source[at], 0)
            at += 1
        yield source.count("\n", 0, found.start()) + 1, source[found.end():at - 1]


def expected_texts(folder):
    for path in glob.glob(folder + "/*.fail.cpp"):
        with open(path, encoding="utf-8") as file:
            for text in re.findall(r"^// expect(?:-gcc|-clang)?: (.*)$", file.read(), re.MULTILINE):
                if len(text) >= MOST_OF_A_TEXT:
                    yield text.strip()


def asserted(paths):
    """place -> text"""
    texts = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line, inside in calls(file.read(), r"\bstatic_assert\("):
                if inside.rstrip().endswith('"') and "," in inside:
                    texts[f"{path}:{line}"] = joined(inside)
    return texts


def raised(paths):
    """Places and first literals of texts that the run makes."""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        for line, inside in calls(source, r"\bmessage(?: \w+)?\("):
            if inside.startswith('"'):
                yield f"{path}:{line}", joined(inside)
        for found in re.finditer(rf"\bconst\* \w+_text =\s*((?:{STRING}\s*)+);", source):
            yield f"{path}:{source.count(chr(10), 0, found.start()) + 1}", joined(found[1])
        for text in re.findall(rf'einsum_error::\w+, "\w+", ({STRING})', source):
            if text != '""':
                yield path, "weft: einsum: " + joined(text)


def problems(include, cases):
    paths = sorted(glob.glob(include + "/**/*.hpp", recursive=True))
    expected, texts = list(expected_texts(cases)), asserted(paths)
    for place, text in texts.items():
        if not text.startswith("weft: "):
            yield f"{place}: `{text}` does not start with `weft: `"
        elif text.removeprefix("weft: ").startswith(NO_CASE):
            continue
        elif not any(part in text for part in expected):
            yield f"{place}: no case of {cases} expects `{text}`"
    for place, text in raised(paths):
        words = text.removeprefix("weft: ").rstrip(": ")
        if text in BEGINNINGS or place.startswith(OF_OPERATIONS):
            continue
        if not text.startswith("weft: "):
            yield f"{place}: `{text}` does not start with `weft: `"
        elif not text.startswith(tuple("weft: " + run for run in RUN_ONLY)) \
                and not any(other.startswith("weft: " + words) or text.startswith(other + ": ")
                            for other in texts.values()):
            yield f"{place}: no static_assert says `{text}`"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tally", help="file to append the counts to")
    tally = Tally(parser.parse_args().tally, "texts")
    found = list(problems("include/weft", "tests/compile_fail"))
    tally.item("FAIL" if found else "PASS", "error texts", "", "\n".join(found))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
