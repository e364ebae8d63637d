#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a debug build costs at run time: one small program, written with weft, with Eigen and with
xtensor (benchmarks/debug/*.cpp), built with -O0 -g and with -O2, both with -march=native. A table of
the shortest CPU times, and how many times as long -O0 takes. `./dev bench debug [compiler]` runs it."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIBRARIES = {"weft": None, "eigen": "/usr/include/eigen3/Eigen/Core",
             "xtensor": "/usr/include/xtensor/xtensor.hpp"}
BUILDS = {"debug": ["-O0", "-g"], "release": ["-O2"]}


def times_of(compiler, library, options, folder):
    """{work: (seconds, a number of its result)}; None if it does not compile or run."""
    program = os.path.join(folder, library)
    source = os.path.join(HERE, library + ".cpp")
    command = [compiler, "-std=c++20", "-march=native", *options, "-I", os.path.join(ROOT, "include"),
               "-isystem", "/usr/include/eigen3", source, "-o", program, "-lpthread"]
    built = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if built.returncode:
        print("\n".join(built.stderr.splitlines()[:5]), file=sys.stderr)
        return None
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"{library} {options}: exit status {done.returncode}", file=sys.stderr)
        return None
    rows = (line.split("|") for line in done.stdout.splitlines())
    return {name: (float(seconds), float(value)) for name, seconds, value in rows}


def readable(seconds):
    for unit, factor in (("ns", 1e9), ("us", 1e6)):
        if seconds * factor < 1000:
            return f"{seconds * factor:.4g} {unit}"
    return f"{seconds * 1e3:.4g} ms"


def agree(times):
    """Do all builds of all libraries compute the same? Sums differ by their order."""
    good = True
    for name in {name for t in times.values() for name in t}:
        values = [t[name][1] for t in times.values() if name in t]
        if max(values) - min(values) > 1e-3 * max(1.0, *map(abs, values)):
            print(f"{name}: results differ: {values}")
            good = False
    return good


def table(compiler, times):
    libraries = [x for x in LIBRARIES if (x, "debug") in times]
    print(f"\n{compiler}, -O0 -g beside -O2\n{'':22}" + "".join(
        f"{name + ': -O2':>16}{'-O0':>11}{'ratio':>7}" for name in libraries))
    worst = 0
    for name in times[libraries[0], "debug"]:
        line = f"{name:22}"
        for library in libraries:
            debug, release = (times[library, b].get(name) for b in BUILDS)
            if debug is None:
                line += f"{'-':>16}{'-':>11}{'-':>7}"
                continue
            ratio = debug[0] / release[0]
            line += f"{readable(release[0]):>16}{readable(debug[0]):>11}{ratio:7.1f}"
            if library == "weft":
                worst = max(worst, ratio)
        print(line)
    print(f"weft: at most {worst:.1f} times as long", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compilers", nargs="*", default=["g++"])
    good = True
    for compiler in parser.parse_args().compilers:
        times = {}
        with tempfile.TemporaryDirectory() as folder:
            for library, header in LIBRARIES.items():
                if header and not os.path.exists(header) or not shutil.which(compiler):
                    print(f"{library} with {compiler}: not installed")
                    continue
                built = {b: times_of(compiler, library, o, folder) for b, o in BUILDS.items()}
                if None in built.values():
                    good = False
                    continue
                times.update({(library, b): t for b, t in built.items()})
        if ("weft", "debug") in times:
            good = agree(times) and good
            table(compiler, times)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
