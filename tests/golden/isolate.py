#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""After a build of golden_cases that failed: finds the cases that do not compile, one by one, and
writes the sources again with a failing test in the place of each, so that the others run."""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ENTRY = re.compile(r'^    \{("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*"),$', re.MULTILINE)


def error_of(command, folder, text):
    """The first error of a source text, or None."""
    done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=text, text=True,
                          cwd=folder, errors="replace", check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, env=dict(os.environ, LC_ALL="C"))
    if done.returncode == 0:
        return None
    found = re.search(r"error: (.*)", done.stderr)
    return "does not compile: " + (found[1] if found else done.stderr[-200:])


def parts(text):
    """(family.case, the file with this case alone) of each case."""
    starts = list(ENTRY.finditer(text))
    end = text.rindex("});\n\n} // namespace")
    for this, following in zip(starts, [m.start() for m in starts[1:]] + [end]):
        name = f"{json.loads(this[1])}.{json.loads(this[2])}"
        yield name, text[:starts[0].start()] + text[this.start():following] + text[end:]


def broken_cases(unit):
    command = shlex.split(unit["command"])
    for flag in ("-o", "-c"):
        at = command.index(flag)
        del command[at:at + (2 if flag == "-o" else 1)]
    command = [word for word in command if word != unit["file"]]
    if "ccache" in os.path.basename(command[0]):
        del command[0]
    with open(unit["file"], encoding="utf-8") as file:
        text = file.read()
    if error_of(command, unit["directory"], text) is None:
        return {}
    found = {name: error_of(command, unit["directory"], one) for name, one in parts(text)}
    return {name: error for name, error in found.items() if error is not None}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="folder of the build")
    parser.add_argument("--data", required=True, help="folder of the families")
    options = parser.parse_args()
    sources = os.path.join(os.path.abspath(options.build), "tests", "golden", "sources")
    with open(os.path.join(options.build, "compile_commands.json"), encoding="utf-8") as file:
        units = [unit for unit in json.load(file) if os.path.dirname(unit["file"]) == sources]
    broken = {}
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(broken_cases, units):
            broken.update(found)
    for name, error in sorted(broken.items()):
        print(f"FAIL {name} ({error})")
    listed = os.path.join(sources, "broken.json")
    with open(listed, "w", encoding="utf-8") as file:
        json.dump(broken, file)
    return subprocess.run([sys.executable, "-B", os.path.join(HERE, "generate.py"), "--data",
                           options.data, "--out", sources, "--broken", listed],
                          stdout=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
