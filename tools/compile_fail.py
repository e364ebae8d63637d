#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks tests/compile_fail: NAME.fail.cpp must not compile, with one `error:`, at most 20 lines of
output, and every text of its `// expect:` lines; its twin NAME.pass.cpp must compile in silence.
A case with `// needs: CL/cl.h` is left out where that header is not installed.
The header is parsed once; a case that fails with it is judged without it."""

import argparse
import glob
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

from sources import OPTIONAL_INCLUDES
from tally import Tally, is_clang, run

MOST_LINES = 20


class ParsedHeader:
    """weft/weft.hpp, parsed once: flags that put it before a source which begins with one of ours."""

    def __init__(self, compiler, flags, folder):
        folder = os.path.join(folder, os.path.basename(compiler))
        header = os.path.join(folder, "parsed.hpp")
        made = header + (".pch" if is_clang(compiler) else ".gch")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(header, "w", encoding="utf-8") as file:
            file.write("#include <weft/weft.hpp>\n")
        code, _ = run([compiler, *(flag for flag in flags if flag != "-fsyntax-only"), "-xc++-header", header,
                       "-o", made])
        self.flags = ["-include-pch", made] if is_clang(compiler) else ["-include", header]
        if code:
            self.flags = []  # each case says why

    def __getitem__(self, source):
        with open(source, encoding="utf-8") as file:
            first = re.search(r"^#.*$", file.read(), re.MULTILINE)
        return self.flags if first and first[0].startswith("#include <weft/") else []


def expectations(path, compiler):
    """Texts of the leading comment's `expect:` lines, and of those for this compiler."""
    own = "expect-clang:" if is_clang(compiler) else "expect-gcc:"
    texts = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("//"):
                break
            key, _, text = line[2:].strip().partition(" ")
            if key in ("expect:", own):
                texts.append(text.strip())
    return texts


def lacks(path, compiler):
    """The header that the case needs and the compiler does not find, or nothing."""
    with open(path, encoding="utf-8") as file:
        needed = re.search(r"^// needs: (\S+)", file.read(1000), re.MULTILINE)
    if not needed:
        return ""
    code, _ = run([compiler, "-fsyntax-only", *OPTIONAL_INCLUDES, "-xc++", "-"],
                  text=f"#include <{needed[1]}>\n")
    return needed[1] if code else ""


def check(base, compiler, flags, parsed, twins=True):
    """(problems, lines of output, output) of one case."""
    fail, good = base + ".fail.cpp", base + ".pass.cpp"
    if not os.path.exists(fail):
        return ["there is no NAME.fail.cpp"], 0, ""
    if missing := lacks(fail, compiler):
        return [f"skipped: <{missing}> is not installed"], 0, ""
    problems, lines, output = refusal(fail, [compiler, *parsed[fail], *flags])
    if parsed[fail] and problems:  # or only that includes of includes are named, in more lines
        problems, lines, output = refusal(fail, [compiler, *flags])
    if not twins:
        return problems, lines, output
    if not os.path.exists(good):
        return problems + ["has no twin NAME.pass.cpp"], lines, output
    code, said = run([compiler, *parsed[good], *flags, good])
    if parsed[good] and (code or said):
        code, said = run([compiler, *flags, good])
    if code or said:
        problems.append("its twin does not compile in silence")
        output += "\n-- twin --\n" + said
    return problems, lines, output


def refusal(path, command):
    """(problems, lines of output, output) of a source that must not compile."""
    code, output = run([*command, path])
    lines, problems = len(output.splitlines()), []
    expected = expectations(path, command[0])
    errors = len(re.findall(r"^.*\berror: ", output, re.MULTILINE))
    if code == 0:
        problems.append("compiles")
    elif errors != 1:
        problems.append(f"{errors} errors")
    if lines > MOST_LINES:
        problems.append(f"more than {MOST_LINES} lines")
    if not expected:
        problems.append("has no `// expect:` line")
    problems += [f"does not say `{text}`" for text in expected if text not in output]
    return problems, lines, output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--folder", default="tests/compile_fail")
    parser.add_argument("--include", default="include")
    parser.add_argument("--build", default="build/compile_fail", help="folder of the parsed header")
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("--show", action="store_true", help="print what the compiler says, always")
    parser.add_argument("--no-twins", action="store_true", help="generated cases have no twins")
    parser.add_argument("only", nargs="?", default="", help="part of a case's name")
    options = parser.parse_args()

    flags = ["-std=c++20", "-fsyntax-only", "-I" + options.include, *OPTIONAL_INCLUDES]
    found = glob.glob(os.path.join(options.folder, "**", "*.cpp"), recursive=True)
    bases = sorted({re.sub(r"\.(fail|pass)\.cpp$", "", path) for path in found})
    tally = Tally(options.tally, f"compile_fail {options.compiler}")
    bases = [base for base in bases if options.only in os.path.basename(base)]
    parsed = ParsedHeader(options.compiler, flags, options.build)
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda base: check(base, options.compiler, flags, parsed,
                                                  not options.no_twins), bases)
        for base, (problems, lines, output) in zip(bases, results):
            name = os.path.relpath(base, options.folder)
            note = "; ".join([f"{lines} lines", *problems])
            verdict = "FAIL" if problems else "PASS"
            if problems and problems[0].startswith("skipped"):
                verdict = "SKIP"
            tally.item(verdict, f"{options.compiler} {name}", note,
                       output if problems or options.show else "")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
