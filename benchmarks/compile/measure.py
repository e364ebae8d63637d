#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What weft costs to compile. First the headers: CPU seconds of `-fsyntax-only`, the system's part
included (the best of N, taken in turns), and the preprocessed size, <weft/weft.hpp> beside
<Eigen/Core> and an empty file. Then whole programs, benchmarks/compile/*.cpp, each with -O2 -c.
`./dev bench compile` runs it.
--instructions counts the compiler's instructions instead, which other jobs on the machine do not
change: with `perf stat` where the machine counts them, else with valgrind, about 50 times slower
(--headers leaves the programs out, --check compiles them with -fsyntax-only)."""

import argparse
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EIGEN = "/usr/include/eigen3"
UNITS = {
    "(empty)": "",
    "Eigen/Core": "#include <Eigen/Core>\n",
    "weft/weft.hpp": "#include <weft/weft.hpp>\n",
}


def flags():
    return ["-std=c++20", "-I" + os.path.join(ROOT, "include"), "-isystem", EIGEN]


def cpu_seconds(command):
    """Of one compilation; None if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print("\n".join(done.stderr.splitlines()[:5]), file=sys.stderr)
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def perf_instructions(command):
    done = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", *command],
                          stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"^(\d+),,instructions:u", done.stderr, re.MULTILINE)
    return int(found[1]) if found and done.returncode == 0 else None


def valgrind_instructions(command):
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--trace-children=yes",
            "--cachegrind-out-file=/dev/null"]
    done = subprocess.run([*tool, *command], stderr=subprocess.PIPE, text=True, check=False)
    found = re.findall(r"I *refs: *([\d,]+)", done.stderr)
    return sum(int(n.replace(",", "")) for n in found) if found and done.returncode == 0 else None


class Seconds:
    """What compilations cost: CPU time, the best of several of each, in turns."""
    title, width, digits = "CPU s", 8, 2

    def __init__(self, repeat):
        self.repeat = repeat

    def of(self, commands):
        best = [cpu_seconds(command) for command in commands]
        for _ in range(self.repeat - 1):
            best = [None if least is None else min(least, cpu_seconds(command))
                    for least, command in zip(best, commands)]
        return best


class Instructions:
    """The same in millions of instructions, of the driver and all that it starts."""
    title, width, digits = "M instructions", 16, 1

    def __init__(self):
        counters = {"perf": perf_instructions, "valgrind": valgrind_instructions}
        self.count = next((count for tool, count in counters.items()
                           if shutil.which(tool) and count(["true"])), None)
        if self.count is None:
            sys.exit("--instructions: neither perf nor valgrind counts instructions here")

    def of(self, commands):
        return [self.of_one(command) for command in commands]

    def of_one(self, command):
        if cpu_seconds(command) is None:  # which prints the errors
            return None
        counted = self.count(command)
        return None if counted is None else counted / 1e6


def preprocessed(compiler, path):
    """(bytes, lines) of text after preprocessing, without line markers and blank lines."""
    text = subprocess.run([compiler, *flags(), "-E", "-P", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False).stdout
    return len(text), text.count(b"\n")


def header_table(compiler, cost, folder):
    print(f"\n{compiler}: headers, -fsyntax-only\n{'':16}{cost.title:>{cost.width}}"
          f"{'bytes':>12}{'lines':>9}{'/ Eigen':>11}{'bytes / Eigen':>15}")
    paths = [os.path.join(folder, re.sub(r"\W", "_", name) + ".cpp") for name in UNITS]
    for path, text in zip(paths, UNITS.values()):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    costs = cost.of([[compiler, *flags(), "-fsyntax-only", path] for path in paths])
    rows, eigen = {}, None
    for name, path, spent in zip(UNITS, paths, costs):
        if spent is None:
            print(f"{name:16}  does not compile")
            continue
        rows[name] = (spent, *preprocessed(compiler, path))
        if name == "Eigen/Core":
            eigen = rows[name]
        ratios = ""
        if eigen and name != "(empty)":
            ratios = f"{spent / eigen[0]:11.2f}{rows[name][1] / eigen[1]:15.2f}"
        print(f"{name:16}{spent:{cost.width}.{cost.digits}f}"
              f"{rows[name][1]:12}{rows[name][2]:9}{ratios}", flush=True)
    return "weft/weft.hpp" in rows


def program_table(compiler, cost, folder, check):
    programs = sorted(glob.glob(os.path.join(ROOT, "benchmarks/compile/*.cpp")))
    if not programs:
        return True
    target = os.path.join(folder, "program.o")
    how = ["-fsyntax-only"] if check else ["-O2", "-c", "-o", target]
    print(f"\n{compiler}: programs, {how[0]}\n{'':24}{cost.title:>{cost.width}}"
          f"{'' if check else 'object bytes':>14}")
    good = True
    for path in programs:
        [spent] = cost.of([[compiler, *flags(), *how, path]])
        name = os.path.basename(path)
        good = good and spent is not None
        size = "" if check or spent is None else f"{os.path.getsize(target):14}"
        print(f"{name:24}  does not compile" if spent is None else
              f"{name:24}{spent:{cost.width}.{cost.digits}f}{size}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=10, help="take the best of this many")
    parser.add_argument("--instructions", action="store_true", help="count instead of timing")
    parser.add_argument("--headers", action="store_true", help="the headers alone")
    parser.add_argument("--check", action="store_true", help="programs: check, make no code")
    parser.add_argument("compilers", nargs="*", default=["g++", "clang++-16"])
    options = parser.parse_args()
    counted = Instructions() if options.instructions else None
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for compiler in options.compilers:
            if not shutil.which(compiler):
                print(f"\n{compiler}: not installed")
                continue
            cost = counted or Seconds(options.repeat)
            good = header_table(compiler, cost, folder) and good
            if not options.headers:
                cost = counted or Seconds(min(options.repeat, 2))
                good = program_table(compiler, cost, folder, options.check) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
