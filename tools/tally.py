# SPDX-License-Identifier: BSL-1.0
"""The tally file: a line `passed failed skipped what` per finished piece of work. Checks append to
it, `tools/summary.py` adds it up. Also the one way our checks run a command."""

import os
import subprocess


class Tally:
    """Prints a line per item, counts it, and appends the counts to `path` (if any) at the end."""

    def __init__(self, path, what, quiet=False):
        self.path, self.what, self.quiet = path, what, quiet
        self.passed = self.failed = self.skipped = 0

    def item(self, word, name, note="", detail=""):
        """word: PASS, FAIL or SKIP. `detail` (what the compiler said) is printed below, indented.
        A quiet tally prints no PASS."""
        self.passed += word == "PASS"
        self.failed += word == "FAIL"
        self.skipped += word == "SKIP"
        if self.quiet and word == "PASS":
            return
        print(f"{word} {name}" + (f" ({note})" if note else ""), flush=True)
        for line in detail.splitlines():
            print("    " + line)

    def close(self):
        """The exit code: 0 if nothing failed."""
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f"{self.passed} {self.failed} {self.skipped} {self.what}\n")
        return 1 if self.failed else 0


def run(command, text=None, timeout=600):
    """(exit code, stdout and stderr together); a timeout is exit code 124."""
    environment = dict(os.environ, LC_ALL="C")
    try:
        done = subprocess.run(command, input=text, env=environment, timeout=timeout,
                              text=True, errors="replace", check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
        said = said.decode(errors="replace") if isinstance(said, bytes) else said
        return 124, said + f"\nstopped after {timeout} s"
    except FileNotFoundError:
        return 127, f"{command[0]}: not installed"
    return done.returncode, done.stdout


def is_clang(compiler):
    return "clang" in os.path.basename(compiler)
