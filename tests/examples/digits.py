#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks examples/digits in short trainings: it learns, with the same parameters and readings from
one thread and two, in both precisions; that the pictures are whole; and that what cannot be is
refused in a line."""

import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally  # noqa: E402

DATA = os.path.join(os.path.dirname(__file__), "../../examples/data/digits/digits.npy")
EPOCHS = 12
LEAST = 94.0  # per cent read after so many epochs


def run(program, *options):
    """(exit code, stdout, stderr); `options`, names and values, instead of and besides the usual."""
    used = {"--data": DATA, "--epochs": str(EPOCHS)} | dict(zip(options[::2], options[1::2]))
    done = subprocess.run([program, *(word for pair in used.items() for word in pair)],
                          capture_output=True, text=True, timeout=900, check=False)
    return done.returncode, done.stdout, done.stderr


def result(program, *options):
    """(all that is told of the held-out scans, per cent read, hash of the parameters), or why there
    is none."""
    code, out, error = run(program, *options)
    told = re.search(r"^confusion.*?(?=^drawn|^read )", out, re.MULTILINE | re.DOTALL)
    read = re.search(r"^read (\d+) of 360 held-out scans: ([\d.]+) %", out, re.MULTILINE)
    parameters = re.search(r"parameters ([0-9a-f]{8})", out)
    if code or not (told and read and parameters):
        return f"exit code {code}: {error.strip()}"
    return told[0], float(read[2]), parameters[1]


def problem_of_table(told, per_cent):
    """What is wrong with the confusion matrix and the list of misread scans, or nothing."""
    rows = [[0 if word == "." else int(word) for word in line.split()[1:]]
            for line in told.splitlines()[2:12]]
    misread = len(re.findall(r"^  scan ", told, re.MULTILINE))
    scans, right = sum(map(sum, rows)), sum(rows[i][i] for i in range(10))
    if scans != 360 or right + misread != 360 or abs(per_cent - right / 3.6) > 0.01:
        return f"{scans} scans, {right} read, {misread} misread, {per_cent} %"
    return ""


def problem_of_png(path):
    """What is wrong with a picture of 3 x 8 bits a point, or nothing."""
    with open(path, "rb") as file:
        whole = file.read()
    if whole[:8] != b"\x89PNG\r\n\x1a\n":
        return "no PNG"
    at, packed, width, height = 8, b"", 0, 0
    while at < len(whole):
        length, kind = struct.unpack(">I4s", whole[at:at + 8])
        body = whole[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    points = zlib.decompress(packed)
    if len(points) != height * (1 + 3 * width) or len(set(points)) < 3:
        return f"{width} x {height}, {len(points)} bytes, {len(set(points))} values"
    return ""


def check_precision(program, precision, report):
    """The hash of the parameters."""
    one = result(program, "--precision", precision, "--threads", "1")
    if isinstance(one, str):
        report(precision, one)
        return one
    told, per_cent, parameters = one
    report(f"{precision} reads {per_cent} %", "" if per_cent >= LEAST else f"less than {LEAST}")
    report(f"{precision} table", problem_of_table(told, per_cent))
    two = result(program, "--precision", precision, "--threads", "2")
    report(f"{precision} two threads", "" if two == one else f"{two}\nnot {one}")
    return parameters


def check_device(program, tally, report):
    """Two epochs on an OpenCL device end in the CPU's parameters."""
    few = ("--epochs", "2")
    code, _, error = run(program, "--epochs", "1", "--device", "opencl")
    if code == 1 and re.search("this build has no OpenCL|there is no device", error):
        tally.item("SKIP", "digits OpenCL", error.strip())
        return
    here, there = result(program, *few), result(program, *few, "--device", "opencl")
    report("OpenCL device", "" if here == there else f"{there}\nnot {here}")


def check_pictures(program, folder, report):
    code, out, error = run(program, "--epochs", "1", "--pictures", folder)
    report("draws", "" if code == 0 and "drawn: " in out else f"exit code {code}: {error}")
    for name in ("filters.png", "misread.png"):
        path = os.path.join(folder, name)
        report(name, problem_of_png(path) if os.path.exists(path) else "not drawn")


def check_refusals(program, folder, report):
    with open(DATA, "rb") as file:
        whole = file.read()
    cut, wrong = os.path.join(folder, "cut.npy"), os.path.join(folder, "wrong.npy")
    with open(cut, "wb") as file:
        file.write(whole[:-1])
    with open(wrong, "wb") as file:
        file.write(whole[:-1] + b"\x0a")
    for text, *options in (
            ("No such file", "--data", os.path.join(folder, "absent.npy")),
            ("load_npy", "--data", cut),
            ("the digit of scan 1796 is 10", "--data", wrong),
            ("there is no --device gpu", "--device", "gpu"),
            ("the loss is not a number", "--rate", "1e30")):
        code, _, error = run(program, *options)
        good = code == 1 and error.count("\n") == 1 and text in error
        report("refuses: " + text, "" if good else f"exit code {code}: {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--label", default="digits", help="name of the build")
    parser.add_argument("--tally", help="file to append the counts to")
    options = parser.parse_args()
    tally = Tally(options.tally, f"{options.label} digits")

    def report(name, problem):
        tally.item("FAIL" if problem else "PASS", f"{options.label} digits {name}", detail=problem)

    program = options.program
    found = [check_precision(program, precision, report) for precision in ("f32", "bf16")]
    report("precisions differ", "" if found[0] != found[1] else f"both {found[0]}")
    check_device(program, tally, report)
    other = result(program, "--seed", "2")
    report("seeds differ", "" if other[2] not in found else f"both {other[2]}")
    with tempfile.TemporaryDirectory() as folder:
        check_pictures(program, folder, report)
        check_refusals(program, folder, report)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
