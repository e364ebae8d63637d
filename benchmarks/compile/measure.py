#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What weft costs to compile. First the headers: user CPU seconds of `-fsyntax-only` (best of N) and
the preprocessed size, <weft/weft.hpp> beside <Eigen/Core> and an empty file. Then whole programs,
benchmarks/compile/*.cpp, each with -O2 -c. `./dev bench compile` runs it."""

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


def user_seconds(command, repeat):
    """Best of `repeat`; None if it does not compile."""
    best = None
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            print("\n".join(done.stderr.splitlines()[:5]), file=sys.stderr)
            return None
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        best = seconds if best is None else min(best, seconds)
    return best


def preprocessed(compiler, path):
    """(bytes, lines) of text after preprocessing, without line markers and blank lines."""
    text = subprocess.run([compiler, *flags(), "-E", "-P", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False).stdout
    return len(text), text.count(b"\n")


def header_table(compiler, repeat, folder):
    print(f"\n{compiler}: headers, -fsyntax-only\n"
          f"{'':16}{'user s':>8}{'bytes':>12}{'lines':>9}{'s / Eigen':>11}{'bytes / Eigen':>15}")
    rows, eigen = {}, None
    for name, text in UNITS.items():
        path = os.path.join(folder, re.sub(r"\W", "_", name) + ".cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        seconds = user_seconds([compiler, *flags(), "-fsyntax-only", path], repeat)
        if seconds is None:
            print(f"{name:16}  does not compile")
            continue
        rows[name] = (seconds, *preprocessed(compiler, path))
        if name == "Eigen/Core":
            eigen = rows[name]
        ratios = ""
        if eigen and name != "(empty)":
            ratios = f"{seconds / eigen[0]:11.2f}{rows[name][1] / eigen[1]:15.2f}"
        print(f"{name:16}{seconds:8.2f}{rows[name][1]:12}{rows[name][2]:9}{ratios}")
    return "weft/weft.hpp" in rows


def program_table(compiler, repeat, folder):
    programs = sorted(glob.glob(os.path.join(ROOT, "benchmarks/compile/*.cpp")))
    if not programs:
        return True
    print(f"\n{compiler}: programs, -O2 -c\n{'':24}{'user s':>8}{'object bytes':>14}")
    good = True
    for path in programs:
        target = os.path.join(folder, "program.o")
        seconds = user_seconds([compiler, *flags(), "-O2", "-c", path, "-o", target], repeat)
        name = os.path.basename(path)
        good = good and seconds is not None
        print(f"{name:24}  does not compile" if seconds is None else
              f"{name:24}{seconds:8.2f}{os.path.getsize(target):14}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="take the best of this many")
    parser.add_argument("compilers", nargs="*", default=["g++", "clang++-16"])
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for compiler in options.compilers:
            if not shutil.which(compiler):
                print(f"\n{compiler}: not installed")
                continue
            good = header_table(compiler, options.repeat, folder) and good
            good = program_table(compiler, min(options.repeat, 2), folder) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
