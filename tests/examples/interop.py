#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks examples/interop on the committed data: what JAX and PyTorch computed, weft computes, loaded
at run time and compiled in; what weft exports, JAX computes, where WEFT_JAX_PYTHON names a Python that
has it; and that what cannot be is refused in a line."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally  # noqa: E402

EXAMPLE = os.path.join(os.path.dirname(__file__), "../../examples/interop")
DATA = os.path.join(EXAMPLE, "data")

# Largest differences of float32 results. Sums are in another order and maths functions are other
# ones, each within some ULP; an ULP of a number between 1 and 2 is 1.2e-7.
BOUNDS = {
    "gru": 2e-6,  # numbers below 4 after 24 steps, each of sums of 48 products
    "conv_net": 3e-7,  # probabilities
    "attention": 1e-5,  # numbers up to 16, of sums of 64 products of such
    "torch_net": 4e-6,  # logarithms about -2.3, of sums of 288 products
}


def run(*command):
    """(exit code, stdout, stderr)"""
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    return done.returncode, done.stdout, done.stderr


def problem_of(bound, *command):
    """What is wrong with a program that prints a largest difference, or nothing."""
    code, out, error = run(*command)
    found = re.search(r"^largest difference: (\S+)$", out, re.MULTILINE)
    if code or not found:
        return f"exit code {code}: {error.strip()}"
    return "" if float(found[1]) <= bound else f"{found[0]}, not {bound} at most\n{out}"


def check_bad_data(program, report):
    """One wrong weight is seen; broken files are refused."""
    with tempfile.TemporaryDirectory() as folder:
        for end in (".mlir", ".safetensors", "_x.npy", "_y.npy"):
            shutil.copy(os.path.join(DATA, "gru" + end), folder)
        name = os.path.join(folder, "gru")
        with open(name + ".safetensors", "r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(b"\0\0\x80\x3f")  # 1.0f
        seen = problem_of(BOUNDS["gru"], program, name)
        report("sees a wrong weight", "" if "at most" in seen else f"not seen {seen}")

        with open(name + ".mlir", encoding="utf-8") as file:
            text = file.read()
        for what, new, words in (
                ("a text that breaks off", text[:1000], "gru.mlir:"),
                ("an operation it does not know", text.replace("stablehlo.tanh", "stablehlo.tahn"),
                 "gru.mlir:"),
                ("an argument without a file", text.replace('"x"', '"z"'), "gru_z.npy")):
            with open(name + ".mlir", "w", encoding="utf-8") as file:
                file.write(new)
            code, _, error = run(program, name)
            good = code == 1 and error.count("\n") == 1 and words in error
            report("refuses " + what, "" if good else f"exit code {code}: {error}")


def check_export(program, tally, report):
    python = os.environ.get("WEFT_JAX_PYTHON")
    with tempfile.TemporaryDirectory() as folder:
        code, _, error = run(program, folder)
        report("exports", "" if code == 0 else f"exit code {code}: {error}")
        if not python:
            tally.item("SKIP", "interop in JAX", "WEFT_JAX_PYTHON names no Python that has JAX")
            return
        code, out, error = run(python, os.path.join(EXAMPLE, "run_in_jax.py"), folder)
        report("in JAX", "" if code == 0 else f"exit code {code}: {out}{error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="folder of the three programs")
    parser.add_argument("--label", default="interop", help="name of the build")
    parser.add_argument("--tally", help="file to append the counts to")
    options = parser.parse_args()
    tally = Tally(options.tally, f"{options.label} interop")

    def report(name, problem):
        tally.item("FAIL" if problem else "PASS", f"{options.label} interop {name}", detail=problem)

    at_run_time, compiled, exporter = (os.path.join(options.programs, "interop_" + name)
                                       for name in ("run", "compiled", "model"))
    for name, bound in BOUNDS.items():
        report(name, problem_of(bound, at_run_time, os.path.join(DATA, name)))
    report("gru compiled in", problem_of(BOUNDS["gru"], compiled, DATA))
    check_bad_data(at_run_time, report)
    check_export(exporter, tally, report)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
