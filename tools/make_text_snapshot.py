#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the text that examples/char_lm learns: this repository's own sources and documents.

Whole files are held out: those whose path has a CRC-32 divisible by 16, so a file keeps its side
when others come and go. A file is preceded by a line `==> path <==`. Files are taken in the order
of their paths; examples/data itself and files that are not UTF-8 text are left out."""

import argparse
import datetime
import glob
import os
import zlib

PATTERNS = ("*.md", "CMakeLists.txt", "dev", "docs/**/*.md", "tools/*.py", "cmake/*", "include/**/*.hpp",
            "tests/**/*.[ch]pp", "tests/**/*.md", "tests/**/CMakeLists.txt", "benchmarks/**/*.[ch]pp",
            "benchmarks/**/*.py", "benchmarks/**/CMakeLists.txt", "examples/**/*.[ch]pp",
            "examples/**/CMakeLists.txt")
FOLDER = "examples/data/weft_text"
ONE_OF = 16

README = """# weft_text
What `examples/char_lm` learns when it is given no other text: weft's own sources and documents as they were on {date}.

| file | files in it | bytes |
|---|---|---|
| `train.txt` | {train_files} | {train_bytes} |
| `held_out.txt` | {held_out_files} | {held_out_bytes} |

Held out are whole files: those whose path has a CRC-32 divisible by {one_of}. A file follows the line `==> path <==`, in the
order of the paths. Written by `python3 tools/make_text_snapshot.py`; do not edit. Licence: weft's own (BSL-1.0).
"""


def text_of(path):
    """None for a file that is not text."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        return None


def is_held_out(path):
    return zlib.crc32(path.encode()) % ONE_OF == 0


def collect():
    """[(path, text)] in the order of the paths."""
    paths = {path for pattern in PATTERNS for path in glob.glob(pattern, recursive=True)
             if os.path.isfile(path) and not path.startswith("examples/data/")}
    found = ((path, text_of(path)) for path in sorted(paths))
    return [(path, text) for path, text in found if text is not None]


def write(name, files):
    """Size in bytes."""
    data = "".join(f"==> {path} <==\n{text.rstrip()}\n\n" for path, text in files).encode()
    with open(f"{FOLDER}/{name}", "wb") as file:
        file.write(data)
    return len(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="for the README")
    date = parser.parse_args().date
    os.makedirs(FOLDER, exist_ok=True)
    files = collect()
    held_out = [file for file in files if is_held_out(file[0])]
    train = [file for file in files if not is_held_out(file[0])]
    numbers = {"date": date, "one_of": ONE_OF, "train_files": len(train), "held_out_files": len(held_out),
               "train_bytes": write("train.txt", train), "held_out_bytes": write("held_out.txt", held_out)}
    with open(f"{FOLDER}/README.md", "w", encoding="utf-8") as file:
        file.write(README.format(**numbers))
    print(", ".join(f"{name} {value}" for name, value in numbers.items()))
    for path, _ in held_out:
        print("held out:", path)


if __name__ == "__main__":
    main()
