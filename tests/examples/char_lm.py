#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks examples/char_lm: the same parameters, held-out bits and sample from the CPU and from an
OpenCL device (if there is one), from trainings resumed on either, and after three kills; and that
files of other trainings are refused in a line. Threads, precision, temperature and the curve of the loss
do what they say, and nothing else. With --kills N nothing but a longer training that is killed N times."""

import argparse
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally  # noqa: E402

TEXT = os.path.join(os.path.dirname(__file__), "../../examples/data/weft_text/train.txt")
CHARACTERS = 24000  # the last twentieth, which is held out, must fill a block of 1024
STEPS = 6


class Trainings:
    def __init__(self, program, folder, steps=STEPS):
        self.folder = folder
        with open(TEXT, "rb") as file:
            text = file.read(CHARACTERS)
        with open(self.path("text"), "wb") as file:
            file.write(text)
        self.program = program
        self.options = {"--text": self.path("text"), "--steps": str(steps), "--sample": "20"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, *options):
        """`options`, names and values, instead of and besides those of all trainings."""
        all_of_them = self.options | dict(zip(options[::2], options[1::2]))
        return [self.program, *(word for pair in all_of_them.items() for word in pair)]

    def run(self, *options):
        """(exit code, stdout, stderr)"""
        done = subprocess.run(self.command(*options), capture_output=True, text=True,
                              errors="replace", timeout=900, check=False)
        return done.returncode, done.stdout, done.stderr

    def result(self, *options):
        """(sample, held-out bits, hash of the parameters), or why there is none."""
        code, out, error = self.run(*options)
        sample = re.search(r"^----\n(.*)\n----$", out, re.MULTILINE | re.DOTALL)
        bits = re.search(r"^  GRU +([\d.]+)", out, re.MULTILINE)
        parameters = re.search(r"parameters ([0-9a-f]{8})", out)
        if code or not (sample and bits and parameters):
            return f"exit code {code}: {error.strip()}"
        return sample[1], bits[1], parameters[1]


    def stop(self, path, delay, *options):
        """Kills a training so many seconds after it writes its next checkpoint to `path`. Was there
        something left to kill?"""
        before = stamp(path)
        process = subprocess.Popen(self.command("--checkpoint", path, *options),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and stamp(path) == before:
            time.sleep(0.001)
        if process.poll() is None:
            time.sleep(delay)
        process.kill()
        return process.wait() == -signal.SIGKILL

    def stop_anywhere(self, delay, *options):
        """Kills a training so many seconds after its start, wherever it is."""
        process = subprocess.Popen(self.command(*options), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.kill()
        return process.wait() == -signal.SIGKILL


def stamp(path):
    """Tells files that replace each other apart."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return None
    return there.st_ino, there.st_mtime_ns


def half_done(trainings, name, device):
    """A checkpoint in the middle of the training."""
    path = trainings.path(name)
    trainings.stop(path, 0, "--device", device, "--checkpoint-every", str(STEPS // 2))
    return path


def steps_done(path):
    with open(path, "rb") as file:
        found = re.search(rb'"steps done" *: *"(\d+)"', file.read(100_000))
    return int(found[1]) if found else -1


def killed(trainings, times, longest, draw):
    """(result, steps done at each kill) of a training that is resumed after each of so many kills.
    They come up to `longest` seconds after a checkpoint; of more than three, every other one up to
    four times as long after the start: while a file is read, or before the first is written."""
    path = trainings.path("killed")
    always = "--checkpoint", path, "--checkpoint-every", "1"
    for _ in range(20):
        at, resume = [], []
        if os.path.exists(path):
            os.remove(path)
        while len(at) < times:
            delay = draw.uniform(0, longest)
            if not (trainings.stop_anywhere(4 * delay, *always, *resume)
                    if times > 3 and len(at) % 2 == 0 else
                    trainings.stop(path, delay, "--checkpoint-every", "1", *resume)):
                break
            at.append(steps_done(path) if os.path.exists(path) else 0)
            resume = ["--resume", path] if os.path.exists(path) else []
        if len(at) == times:
            return trainings.result(*resume), at
        longest /= 2  # it was faster: once more, from the start
    return f"it is never killed {times} times", []


def check_kills(program, folder, times, seed, same):
    """A longer training, of two steps for each kill."""
    trainings = Trainings(program, folder, 2 * times)
    start = time.monotonic()
    expected = trainings.result()
    longest = (time.monotonic() - start) / (2 * times)
    if isinstance(expected, str):
        same("CPU", expected, "a result")
        return
    result, at = killed(trainings, times, longest, random.Random(seed))
    same(f"{times} kills after steps {at} (seed {seed})", result, expected)


def refused(trainings, file, text, *options):
    """What is wrong with how a file is refused, or nothing."""
    code, _, error = trainings.run("--resume", file, *options)
    good = code == 1 and error.count("\n") == 1 and text in error
    return "" if good else f"exit code {code}: {error}"


def check_refusals(trainings, report, good):
    """`good`: a checkpoint."""
    foreign, cut = trainings.path("foreign"), trainings.path("cut")
    with open(foreign, "wb") as file:
        file.write(struct.pack("<Q", 8) + b"{}      ")
    with open(good, "rb") as whole, open(cut, "wb") as file:
        file.write(whole.read()[:-4])
    for file, text, *options in (
            (good, "--seed is 1 there and 2 here", "--seed", "2"),
            (good, "--precision is bf16 there and f32 here", "--precision", "f32"),
            (good, "--steps is 6 there and 7 here", "--steps", "7"),
            (good, "hash of the text", "--text", TEXT),
            (foreign, "no checkpoint of char_lm"), (cut, "safetensors_file"),
            (trainings.path("absent"), "No such file"),
            (good, "there is no --device gpu", "--device", "gpu")):
        report("refuses: " + text, refused(trainings, file, text, *options))


def check_options(trainings, expected, same, report):
    """Threads change nothing, precision the parameters, temperature the sample alone."""
    sample, bits, parameters = expected
    for threads in ("1", "2"):
        same(f"--threads {threads}", trainings.result("--threads", threads), expected)
    full = trainings.result("--precision", "f32")
    report("--precision f32", "" if isinstance(full, tuple) and full[2] != parameters else f"{full}")
    cold, hot = (trainings.result("--temperature", t, "--sample", "200") for t in ("0.05", "2"))
    report("--temperature", "" if cold[1:] == hot[1:] == (bits, parameters) and
           len(set(cold[0])) < len(set(hot[0])) else f"{cold}\n{hot}")
    for options in (("--temperature", "0"), ("--temperature", "nan"), ("--rate", "nan"),
                    ("--limit", "nan", "--mesh", "data=2"), ("--precision", "f16"), ("--threads", "-1"),
                    ("--curve", trainings.path("curve.txt")), ("--curve-every", "2")):
        code, _, error = trainings.run(*options)
        report("refuses " + " ".join(options), "" if code and options[0] in error else
               f"exit code {code}: {error}")


def check_curve(trainings, expected, same, report):
    """Points of the loss: the last has the held-out bits of the report; measuring changes nothing."""
    path = trainings.path("curve.csv")
    same("with a curve", trainings.result("--curve", path, "--curve-every", "4"), expected)
    with open(path, encoding="utf-8") as file:
        rows = [line.strip().split(",") for line in file][1:]
    good = ([row[0] for row in rows] == ["4", str(STEPS)] and
            abs(float(rows[-1][2]) - float(expected[1])) < 6e-4 and
            all(0 < float(x) < 8 for row in rows for x in row[1:]))
    report("numbers of the curve", "" if good else f"{rows}")
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        path = trainings.path("curve." + kind)
        code, out, error = trainings.run("--curve", path, "--curve-every", "2")
        problem = "" if code == 0 else f"exit code {code}: {error}"
        if "this build has no plplot" not in out and not problem:
            with open(path, "rb") as file:
                problem = "" if file.read(5).startswith(start[:5]) else "no picture"
        report("curve as " + kind, problem)
    code, _, error = trainings.run("--curve", trainings.path("absent/curve.csv"))
    report("refuses a curve that cannot be written", "" if code == 1 and error.count("\n") == 1 and
           "cannot write" in error else f"exit code {code}: {error}")


def check_device(trainings, expected, same, tally, label):
    code, _, error = trainings.run("--device", "opencl", "--steps", "1", "--sample", "0")
    if code == 1 and re.search("this build has no OpenCL|there is no device", error):
        tally.item("SKIP", f"{label} OpenCL", error.strip())
        return
    same("OpenCL device", trainings.result("--device", "opencl"), expected)
    for first, then in (("cpu", "opencl"), ("opencl", "cpu")):
        path = half_done(trainings, "from_" + first, first)
        same(f"from {first} (step {steps_done(path)}) to {then}",
             trainings.result("--device", then, "--resume", path), expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--label", default="char_lm", help="name of the build")
    parser.add_argument("--tally", help="file to append the counts to")
    parser.add_argument("--kills", type=int, help="kill a training so often, and check no more")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32), help="of the kills")
    options = parser.parse_args()
    tally = Tally(options.tally, f"{options.label} char_lm")

    def report(name, problem):
        tally.item("FAIL" if problem else "PASS", f"{options.label} {name}", detail=problem)

    def same(name, result, expected):
        report(name, "" if result == expected else f"{result}\nnot {expected}")

    with tempfile.TemporaryDirectory() as folder:
        if options.kills:
            check_kills(options.program, folder, options.kills, options.seed, same)
            return tally.close()
        trainings = Trainings(options.program, folder)
        start = time.monotonic()
        expected = trainings.result()
        seconds = time.monotonic() - start
        report("CPU", expected if isinstance(expected, str) else "")
        if isinstance(expected, tuple):
            half = half_done(trainings, "half", "cpu")
            same(f"resumed after step {steps_done(half)}", trainings.result("--resume", half),
                 expected)
            check_refusals(trainings, report, half)
            check_options(trainings, expected, same, report)
            check_curve(trainings, expected, same, report)
            result, at = killed(trainings, 3, seconds / STEPS, random.Random(options.seed))
            same(f"three kills after steps {at} (seed {options.seed})", result, expected)
            check_device(trainings, expected, same, tally, options.label)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
