#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles every C++ block of every page, runs those that are programs and compares what they print
with the `text` block behind them. tests/docs/README.md has the rules; nothing is left out silently:
the last lines count blocks, and name what was not compiled, with the page's reason."""

import argparse
import hashlib
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

from examples_of_docs import examples_of, pages
from sources import OPTIONAL_INCLUDES
from tally import Tally, is_clang, run

FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wno-psabi", "-Werror", "-fmax-errors=1"]
# A header of ours -> what it needs on the machine, and what is linked.
NEEDS = {"weft/opencl.hpp": ("CL/cl.h", ["-ldl"]), "weft/io.hpp": ("nlohmann/json.hpp", []),
         "weft/io/npz.hpp": ("zip.h", ["-lzip"]), "weft/stablehlo.hpp": ("nlohmann/json.hpp", []),
         "weft/eigen.hpp": ("eigen3/Eigen/Core", []), "weft/fft.hpp": ("eigen3/Eigen/Core", []),
         "weft/io/png.hpp": ("png.h", ["-lpng"]), "weft/dlpack.hpp": ("dlpack/dlpack.h", []),
         "weft/mpi.hpp": ("boost/mpi.hpp", ["-lboost_mpi", "-lboost_serialization", "-lmpi"]),
         "weft/stablehlo_files.hpp": ("nlohmann/json.hpp", [])}
MOST_SECONDS = 580     # of one compilation, and of one program


class Compiler:
    """A compiler with the header parsed once, and what it has found so far."""

    def __init__(self, name, build):
        self.name, self.build = name, os.path.join(build, os.path.basename(name))
        self.cache = ["ccache"] if shutil.which("ccache") else []
        os.makedirs(self.build, exist_ok=True)
        self.flags = [flag for flag in FLAGS if flag != "-fmax-errors=1" or not is_clang(name)]
        self.has = {}
        self.header = self.parse_header()

    def parse_header(self):
        """Flags that make `#include <weft/weft.hpp>` find it parsed. The folder comes before include/."""
        folder = os.path.join(self.build, "header", "weft")
        shutil.rmtree(os.path.dirname(folder), ignore_errors=True)
        os.makedirs(folder)
        made = os.path.join(folder, "weft.hpp." + ("pch" if is_clang(self.name) else "gch"))
        with open(os.path.join(folder, "weft.hpp"), "w", encoding="utf-8") as file:
            file.write("#ifndef WEFT_PARSED\n#define WEFT_PARSED\n"
                       f'#include "{os.path.abspath("include/weft/weft.hpp")}"\n#endif\n')
        code, said = run([self.name, *self.flags, "-isystem", "include", "-xc++-header", file.name,
                          "-o", made], timeout=MOST_SECONDS)
        if code:
            raise ValueError("weft/weft.hpp does not compile:\n" + said)
        if is_clang(self.name):
            return ["-include-pch", made]
        return ["-isystem", os.path.dirname(folder)]

    def missing(self, headers):
        """The first header that this compiler does not find, or nothing."""
        for header in headers:
            if header not in self.has:
                code, _ = run([self.name, "-fsyntax-only", *OPTIONAL_INCLUDES, "-xc++", "-"],
                              text=f"#include <{header}>\n")
                self.has[header] = code == 0
            if not self.has[header]:
                return header
        return ""

    def command(self, source, includes):
        """What compiles the source; the parsed header serves sources that begin with it."""
        parsed = self.header if includes[:1] == ["weft/weft.hpp"] else []
        return [self.name, *self.flags, *parsed, "-isystem", "include", *OPTIONAL_INCLUDES, source]


def differs(stated, printed):
    """The first line in which they differ, or nothing; a line `...` stands for any lines."""
    at = 0
    for number, line in enumerate(stated):
        if line.strip() == "...":
            rest = stated[number + 1:]
            return next((None for i in range(at, len(printed) + 1)
                         if not differs(rest, printed[i:])), "nothing after `...` is printed so")
        if at == len(printed) or printed[at].rstrip() != line.rstrip():
            shown = printed[at] if at < len(printed) else "(the end)"
            return f"the page says `{line}`, the program `{shown}`"
        at += 1
    return f"the page lacks `{printed[at]}`" if at < len(printed) else None


def linked_files(text, compiler):
    """Objects of the sources that a prelude names: `// link: tests/support/x.cpp`."""
    objects = []
    for path in re.findall(r"^// link: (\S+)", text, re.MULTILINE):
        made = os.path.join(compiler.build, os.path.basename(path) + ".o")
        code, said = run([*compiler.cache, compiler.name, "-O0", *compiler.flags, "-Iinclude", "-Itests",
                          "-c", path, "-o", made], timeout=MOST_SECONDS)
        if code:
            raise ValueError(said)
        objects.append(made)
    return objects


def refused(example, command):
    code, said = run([*command, "-fsyntax-only"], timeout=MOST_SECONDS)
    if not example.output:
        return "FAIL", "no `text` block says what the compiler says", ""
    others = " (g++)" if is_clang(command[0]) else " (clang)"    # what the other compiler says
    wanted = [re.sub(r" \((g\+\+|clang)\)$", "", line.strip()) for line in example.output
              if not line.endswith(others)]
    lacking = [line for line in wanted if line not in said]
    if code == 0:
        return "FAIL", "compiles, and is marked `refused`", ""
    if lacking:
        return "FAIL", f"the compiler does not say `{lacking[0]}`", said
    return "PASS", "refused", ""


def program(example, command, made, linked):
    code, said = run([*command, "-O0", "-o", made, *linked, "-lpthread"], timeout=MOST_SECONDS)
    if code:
        return "FAIL", "does not compile", said
    folder = made + ".run"          # what it writes stays there
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    code, said = run(["env", "-C", folder, os.path.abspath(made)], timeout=MOST_SECONDS)
    if code:
        return "FAIL", f"ends with {code}", said
    if example.inside and example.output is None:
        return "PASS", "runs in " + example.inside, ""
    problem = differs(example.output or [], said.rstrip().splitlines())
    return ("FAIL", problem, said) if problem else ("PASS", "runs", "")


def check(example, compiler):
    """(verdict, note, what was said)"""
    try:
        return verdict_on(example, compiler)
    except ValueError as wrong:
        return "FAIL", "cannot be put together", str(wrong)


def verdict_on(example, compiler):
    if example.reason:
        return "SKIP", "not compiled: " + example.reason, ""
    text = example.source()
    includes = re.findall(r"^#include <([^>]+)>", text, re.MULTILINE)
    needs = [NEEDS[name] for name in includes if name in NEEDS]
    if missing := compiler.missing([header for header, _ in needs]):
        return "SKIP", f"<{missing}> is not installed", ""
    name = re.sub(r"\W+", "_", example.name) + "_" + hashlib.sha1(text.encode()).hexdigest()[:6]
    made = os.path.join(compiler.build, name)
    with open(made + ".cpp", "w", encoding="utf-8") as file:
        file.write(text)
    command = compiler.command(made + ".cpp", includes)
    if example.refused:
        return refused(example, command)
    if example.is_program():
        linked = linked_files(text, compiler) + [flag for _, flags in needs for flag in flags]
        return program(example, command, made, linked)
    code, said = run([*command, "-fsyntax-only"], timeout=MOST_SECONDS)
    return ("FAIL", "does not compile", said) if code else ("PASS", "compiles", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--build", default="build/docs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("only", nargs="*", help="parts of pages' names; none: all pages")
    options = parser.parse_args()

    tally = Tally(options.tally, f"docs {options.compiler}")
    examples, blocks, skipped = [], 0, []
    for page in pages():
        if options.only and not any(part in page for part in options.only):
            continue
        try:
            found, count = examples_of(page)
            examples += found
            blocks += count
        except ValueError as wrong:
            tally.item("FAIL", str(wrong))
    compiler = Compiler(options.compiler, options.build)
    with ThreadPoolExecutor(options.jobs) as pool:
        for example, (verdict, note, said) in zip(
                examples, pool.map(lambda e: check(e, compiler), examples)):
            tally.item(verdict, f"{options.compiler} {example.name}", note, "\n".join(
                said.splitlines()[:40]))
            skipped += [f"{example.name}: {note}"] if verdict == "SKIP" else []
    print(f"{blocks} blocks of C++ in {len({e.page for e in examples})} pages are {len(examples)} "
          f"sources; {len(skipped)} not compiled")
    for line in skipped:
        print("    " + line)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
