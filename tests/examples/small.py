#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the examples of a page or two on small settings: what they print must have been found, with
the fingerprints that every compiler and instruction set gives; and what they refuse, in a line."""

import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally  # noqa: E402

TOP = os.path.join(os.path.dirname(__file__), "../..")
SCANS = os.path.join(TOP, "examples/data/digits/digits.npy")

ECHO = r"echo after two seconds: -132\.5 dB; memory taken in 48000 calls: 0 times\n\d+ ns per call"
# (name, command, what the output must match)
RUNS = (
    ("tiny_compiler", ["tiny_compiler"],
     r"(?s)\A(?!.*batch.*batch).*  for all of batch\n.*step    0: misfit 0\.93481\n.*"
     r"step 1000: misfit 0\.00138\nslopes and differences agree"),
    ("embed", ["embed"], ECHO),
    ("digits_mlp", ["digits_mlp", "--data", SCANS, "--epochs", "5"],
     r"read 318 of 360 held-out scans: 88\.33 %\nparameters 6df2db39"),
    ("digits_mlp of two threads", ["digits_mlp", "--data", SCANS, "--epochs", "5", "--threads", "2"],
     r"parameters 6df2db39"),
    ("per_example_gradients", ["per_example_gradients", "--data", SCANS, "--epochs", "5"],
     r"the bits of the loop of single ones\n(.*\n)*  epoch  5: median norm 1\.906, largest 9\.592; "
     r"read 304 of 360 held-out scans, 84\.4 %\nparameters ca6ae882"),
    ("stream_audio", ["stream_audio", "--check"],
     r"(?s)gru .*allocations 0\n.*gru +0 of 2000 .* 9aaa101d\nlstm .*allocations 0\n.*lstm +0 of 2000 "
     r".* 38db9b5f\nconv .*allocations 0\n.*conv +0 of 2000 .* a0d2e5cc"),
    ("stencil", ["stencil", "--steps", "200", "--threads", "1"],
     r"fields e5d67675 .*\nby hand, .* the same bits"),
    ("stencil of two threads", ["stencil", "--steps", "200", "--threads", "2", "--no-compare"],
     r"fields e5d67675 "),
    ("kalman", ["kalman", "--steps", "100"],
     r"radar     12\.385 m\n  filter    7\.192 m  in parallel 7\.192 m\n"
     r"  smoother  3\.705 m  in parallel 3\.705 m\n"
     r"largest difference .*: filter [\d.]+e-1\d, smoother [\d.]+e-1\d (.*\n)*.*results a91e7333 42e48f61"),
)
# (command, what stderr says in a line)
REFUSED = (
    (["digits_mlp", "--data", "absent.npy"], "No such file"),
    (["stream_audio", "--wav", "absent.wav"], "absent.wav: "),
    (["kalman", "--picture", "track.gif"], "track.gif is no name of a picture"),
    (["stencil", "--steps", "1", "--device", "gpu"], "there is no --device gpu"),
    (["stencil", "--steps", "1", "--picture", "absent/coral.png"], "No such file"),
    (["per_example_gradients", "--data", "absent.npy"], "No such file"),
    (["digits_mlp", "--data", SCANS, "--rate", "1e30"], "the loss is not a number in epoch 1"),
)

# (command, an option that the parser refuses)
WRONG = (
    (["stencil", "--steps", "1", "--feed", "nan"], "--feed"),
    (["stencil", "--steps", "1", "--death", "nan"], "--death"),
    (["digits_mlp", "--data", SCANS, "--rate", "1e39"], "--rate"),
    (["digits_mlp", "--data", SCANS, "--rate", "1e-50"], "--rate"),
)


def run(programs, command):
    """(exit code, stdout, stderr)"""
    program = os.path.join(programs, command[0])
    if not os.path.exists(program):
        return 127, "", f"{program} was not built"
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=600,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def problem_of(programs, command, expected):
    """What is wrong with a run, or nothing."""
    code, out, error = run(programs, command)
    if code:
        return f"exit code {code}: {error}{out}"
    return "" if re.search(expected, out) else f"no '{expected}' in\n{out}{error}"


def problem_of_refusal(programs, command, words):
    code, _, error = run(programs, command)
    good = code == 1 and error.count("\n") == 1 and words in error
    return "" if good else f"exit code {code}: {error}"


def check_stencil(programs, tally, label):
    """A picture of the right size; the bits of an OpenCL device, if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.png")
        code, out, error = run(programs, ["stencil", "--steps", "200", "--no-compare", "--picture", path])
        problem = f"exit code {code}: {out}{error}"
        if code == 0:
            with open(path, "rb") as file:
                head = file.read(24)
            right = head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:]) == (256, 256)
            problem = "" if right else f"no picture of 256 x 256: {head}"
        tally.item("FAIL" if problem else "PASS", f"{label} stencil draws", detail=problem)
    code, out, error = run(programs, ["stencil", "--steps", "200", "--device", "opencl"])
    if code == 1 and re.search("this build has no OpenCL|there is no device", error):
        tally.item("SKIP", f"{label} stencil on OpenCL", error.strip())
        return
    problem = "" if "fields e5d67675 " in out and code == 0 else f"exit code {code}: {out}{error}"
    tally.item("FAIL" if problem else "PASS", f"{label} stencil on OpenCL", detail=problem)


def problem_of_host_project():
    """examples/embed as a project of its own, built from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for command in (["-S", os.path.join(TOP, "examples/embed"), "-B", folder, "-G", "Ninja"],
                        ["--build", folder]):
            done = subprocess.run(["cmake", *command], capture_output=True, text=True, timeout=600,
                                  check=False)
            if done.returncode:
                return done.stdout + done.stderr
        return problem_of(folder, ["embed"], ECHO)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="folder of the examples")
    parser.add_argument("--label", default="examples", help="name of the build")
    parser.add_argument("--tally", help="file to append the counts to")
    options = parser.parse_args()
    tally = Tally(options.tally, f"{options.label} small examples")
    for name, command, expected in RUNS:
        problem = problem_of(options.programs, command, expected)
        tally.item("FAIL" if problem else "PASS", f"{options.label} {name}", detail=problem)
    for command, words in REFUSED:
        problem = problem_of_refusal(options.programs, command, words)
        name = f"{options.label} {command[0]} refuses: {words}"
        tally.item("FAIL" if problem else "PASS", name, detail=problem)
    for command, option in WRONG:
        code, _, error = run(options.programs, command)
        problem = "" if code and option in error else f"exit code {code}: {error}"
        tally.item("FAIL" if problem else "PASS", f"{options.label} {' '.join(command)} is refused",
                   detail=problem)
    check_stencil(options.programs, tally, options.label)
    problem = problem_of_host_project()
    tally.item("FAIL" if problem else "PASS", f"{options.label} embed as a project of its own",
               detail=problem)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
