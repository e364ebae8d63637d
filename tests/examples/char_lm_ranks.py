#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks examples/char_lm as several processes under mpirun: one process on a mesh has the bits and the
checkpoints of one without; the loss of the first step is that of one process where the batch is split,
later ones differ by sums that are rounded in parts, and how much is printed; checkpoints of four
processes go on with four (the same bits), two, one, and on another mesh; a process that is killed or
stopped ends the job in time, with a line that names it and the call, and the last checkpoint is
whole; refusals take a line."""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools"))
from tally import Tally  # noqa: E402

TEXT = os.path.join(os.path.dirname(__file__), "../../examples/data/weft_text/train.txt")
CHARACTERS = 24000  # the last twentieth, which is held out, must fill a block of 1024
STEPS = 6
LIMIT = 8           # seconds that a process waits for another
# Losses of later steps, beside one process: float sums of 1024 terms in other orders, through Adam.
NEAR = 2e-4


class Run:
    """What a run said."""

    def __init__(self, code, out, error, seconds):
        self.code, self.out, self.error, self.seconds = code, out, error, seconds
        self.losses = {int(step): float(nats) for step, nats in
                       re.findall(r"\bstep (\d+): ([\d.e+-]+) nats\s*$", out, re.MULTILINE)}
        found = re.search(r"parameters ([0-9a-f]{8})", out)
        self.parameters = found[1] if found else ""
        self.sample = re.search(r"^----\n(.*)\n----$", out, re.MULTILINE | re.DOTALL)
        self.bits = re.search(r"^  GRU +([\d.]+)", out, re.MULTILINE)

    def problem(self):
        if self.code or not self.parameters:
            return f"exit code {self.code}: {self.error.strip()[-800:]}"
        return ""

    def result(self):
        return self.sample and self.sample[1], self.bits and self.bits[1], self.parameters


class Trainings:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        with open(TEXT, "rb") as file:
            text = file.read(CHARACTERS)
        with open(self.path("text"), "wb") as file:
            file.write(text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, ranks, *options):
        words = [self.program, "--text", self.path("text"), "--steps", str(STEPS), "--sample", "20",
                 "--losses", *options]
        if ranks == 0:
            return words
        threads = [] if "--threads" in options else ["--threads", "1"]
        return ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks), *words, *threads]

    def run(self, ranks, *options):
        """Of 0 ranks: one process, without mpirun."""
        start = time.monotonic()
        done = subprocess.run(self.command(ranks, *options), capture_output=True, text=True,
                              errors="replace", timeout=300, check=False)
        return Run(done.returncode, done.stdout, done.stderr, time.monotonic() - start)

    def struck(self, ranks, rank, by, *options):
        """Sends one of the processes a signal after the next checkpoint is there."""
        path = options[options.index("--checkpoint") + 1]
        with open(self.path("out"), "w+", encoding="utf-8", errors="replace") as out, \
                open(self.path("error"), "w+", encoding="utf-8", errors="replace") as error:
            process = subprocess.Popen(self.command(ranks, *options), stdout=out, stderr=error)
            while process.poll() is None and not os.path.exists(path):
                time.sleep(0.002)
            start = time.monotonic()
            for child in children(process.pid):
                if rank_of(child) == rank:
                    os.kill(child, by)
            try:
                code = process.wait(120)
            except subprocess.TimeoutExpired:
                process.kill()
                code = -1
            seconds = time.monotonic() - start
            out.seek(0), error.seek(0)
            return Run(code, out.read(), error.read(), seconds)


def children(parent):
    """All processes below it."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                if name.isdigit() and int(file.read().rsplit(")", 1)[1].split()[1]) == parent:
                    found += [int(name), *children(int(name))]
        except (OSError, IndexError):
            continue
    return found


def rank_of(process):
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            found = re.search(rb"(?:^|\0)OMPI_COMM_WORLD_RANK=(\d+)", file.read())
    except OSError:
        return -1
    return int(found[1]) if found else -1


def steps_done(path):
    with open(path, "rb") as file:
        found = re.search(rb'"steps done" *: *"(\d+)"', file.read(100_000))
    return int(found[1]) if found else -1


def apart(run, reference, first=1):
    """The largest relative difference of losses."""
    steps = [s for s in reference.losses if s >= first]
    if not steps or any(s not in run.losses for s in steps):
        return float("inf")
    return max(abs(run.losses[s] / reference.losses[s] - 1) for s in steps)


def check_meshes(t, alone, report):
    """One process on a mesh, then several; what four on data=4 did."""
    ref = t.path("alone")
    one = t.run(1, "--mesh", "data=1", "--checkpoint", t.path("one"), "--checkpoint-every", "3")
    report("data=1 is one process", one.problem() or (
        "" if one.result() == alone.result() and one.losses == alone.losses else
        f"{one.result()} {one.losses}\nnot {alone.result()} {alone.losses}"))
    with open(ref, "rb") as first, open(t.path("one"), "rb") as second:
        report("its checkpoint, byte for byte", "" if first.read() == second.read() else "differs")
    runs = {}
    for ranks, mesh in ((2, "data=2"), (4, "data=4"), (4, "data=2,model=2"), (2, "model=2")):
        run = runs[mesh] = t.run(ranks, "--mesh", mesh)
        problem = run.problem()
        if not problem and "model" not in mesh and run.losses.get(1) != alone.losses[1]:
            problem = f"the first loss is {run.losses.get(1)}, of one process {alone.losses[1]}"
        far = apart(run, alone)
        print(f"    {mesh}: first loss {'equal' if run.losses.get(1) == alone.losses[1] else 'differs'}, "
              f"losses of {STEPS} steps at most {far:.1e} apart, parameters {run.parameters}, "
              f"{run.seconds:.1f} s")
        report(mesh, problem or ("" if far < NEAR else f"losses are {far} apart"))
    again = t.run(2, "--mesh", "data=2", "--threads", "2")
    report("threads change nothing", again.problem() or (
        "" if again.result() == runs["data=2"].result() else f"{again.result()}"))
    return runs["data=4"]


def check_resumes(t, four, report):
    """A checkpoint of four processes, gone on with by others."""
    half = t.path("half")
    run = t.run(4, "--mesh", "data=4", "--checkpoint", half, "--checkpoint-every", str(STEPS // 2),
                "--limit", str(LIMIT))
    report("checkpoints change nothing", run.problem() or (
        "" if run.result() == four.result() else f"{run.result()} not {four.result()}"))
    stopped, at = t.path("stopped"), STEPS
    for _ in range(3): # it may be faster than the signal
        if at == STEPS:
            if os.path.exists(stopped):
                os.remove(stopped)
            t.struck(4, 0, signal.SIGKILL, "--mesh", "data=4", "--checkpoint", stopped,
                     "--checkpoint-every", str(STEPS // 2), "--limit", str(LIMIT))
            at = steps_done(stopped)
    report("stopped in the middle", "" if at == STEPS // 2 else f"after step {at}")
    for ranks, mesh in ((4, "data=4"), (2, "data=2"), (0, ""), (4, "data=2,model=2")):
        on = ("--mesh", mesh) if mesh else ()
        run = t.run(ranks, *on, "--resume", stopped)
        problem = run.problem()
        first = run.losses.get(at + 1)
        if not problem and mesh == "data=4" and run.result() != four.result():
            problem = f"{run.result()} not {four.result()}"
        if not problem and "model" not in mesh and first != four.losses.get(at + 1):
            problem = f"its first loss is {first}, undisturbed {four.losses.get(at + 1)}"
        if not problem and not apart(run, four, at + 1) < NEAR:
            problem = f"losses are {apart(run, four, at + 1)} apart"
        report(f"step {at} of data=4 goes on with {mesh or 'one process'}", problem)


def check_faults(t, four, report):
    for what, by, words in (
            ("killed", signal.SIGKILL, r"rank \d waits for rank [\d ]*\b2\b.* in \w+"),
            ("stopped", signal.SIGSTOP, r"rank \d waits for rank [\d ]*\b2\b.* in \w+.*"
             rf"nothing has come for {LIMIT} s")):
        path = t.path("of " + what)
        run = t.struck(4, 2, by, "--mesh", "data=4", "--checkpoint", path, "--checkpoint-every", "1",
                       "--limit", str(LIMIT))
        problem = "" if run.code not in (0, -1) else f"exit code {run.code}"
        if not problem and run.seconds > LIMIT + 20:
            problem = f"it took {run.seconds:.0f} s"
        if not problem and not re.search(words, run.error):
            problem = "nobody names the rank and the call:\n" + run.error[-1500:]
        found = re.search(r"rank \d: (?:weft: )?.*waits for.*|weft: mpi: rank \d waits for.*", run.error)
        print(f"    {what} after step {steps_done(path)}, ended {run.seconds:.1f} s later: "
              f"{found[0][:160] if found else ''}")
        report(f"a rank that is {what}", problem)
        at = steps_done(path)
        on = t.run(2, "--mesh", "data=2", "--resume", path, "--checkpoint", path)
        problem = on.problem()
        if not problem and at < STEPS and on.losses.get(at + 1) != four.losses.get(at + 1):
            problem = f"loss {on.losses.get(at + 1)} at step {at + 1}, not {four.losses.get(at + 1)}"
        left = [name for name in os.listdir(t.folder) if name.endswith(".ranks.tmp")]
        report(f"two ranks go on after step {at}", problem or (f"left: {left}" if left else ""))


def check_refusals(t, report):
    other = t.path("other")
    with open(t.path("text"), "rb") as file, open(other, "wb") as to:
        to.write(file.read()[::-1])
    apart_from = f'[ "$OMPI_COMM_WORLD_RANK" = 1 ] && x=%s || x={t.path("text")}; exec "$@" --text $x'
    for text, ranks, *options in (
            ("the mesh has 2 ranks, and 3 processes run; write mpirun -n 2", 3, "--mesh", "data=2"),
            ("is no multiple of 3", 3, "--mesh", "data=3"),
            ("its axes are data and model", 2, "--mesh", "rows=2"),
            ("an axis is name=size", 2, "--mesh", "data"),
            ("--device opencl with --mesh", 2, "--mesh", "data=2", "--device", "opencl"),
            ("give --mesh data=2", 2), ("No such file", 2, "--mesh", "data=2", "--resume", "absent"),
            ("the mesh has 2 ranks, and 1 process runs", 0, "--mesh", "data=2")):
        run = t.run(ranks, *options)
        lines = [line for line in run.error.splitlines() if line.startswith("char_lm: ")]
        good = run.code and len(lines) == 1 and text in lines[0]
        report("refuses: " + text, "" if good else f"exit code {run.code}: {run.error[-600:]}")
    for text, file in (("process 1 has ", other), ("process 1: cannot open ", t.path("absent"))):
        command = t.command(2, "--mesh", "data=2")
        at = command.index(t.program)
        command[at:at] = ["sh", "-c", apart_from % file, "sh"]
        at = command.index("--text")
        del command[at:at + 2]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        lines = [line for line in done.stderr.splitlines() if line.startswith("char_lm: ")]
        good = done.returncode and len(lines) == 1 and text in lines[0]
        report("refuses: " + text, "" if good else f"exit code {done.returncode}: {done.stderr[-600:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--label", default="char_lm", help="name of the build")
    parser.add_argument("--tally", help="file to append the counts to")
    options = parser.parse_args()
    tally = Tally(options.tally, f"{options.label} char_lm on ranks")

    def report(name, problem):
        tally.item("FAIL" if problem else "PASS", f"{options.label} ranks: {name}", detail=problem)

    with tempfile.TemporaryDirectory() as folder:
        t = Trainings(os.path.abspath(options.program), folder)
        said = t.run(0, "--mesh", "data=1").error
        if "this build has no MPI" in said or shutil.which("mpirun") is None:
            tally.item("SKIP", f"{options.label} ranks", said.strip() or "there is no mpirun")
            return tally.close()
        alone = t.run(0, "--checkpoint", t.path("alone"), "--checkpoint-every", "3")
        report("one process", alone.problem())
        if not alone.problem():
            four = check_meshes(t, alone, report)
            if not four.problem():
                check_resumes(t, four, report)
                check_faults(t, four, report)
        check_refusals(t, report)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
