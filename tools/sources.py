# SPDX-License-Identifier: BSL-1.0
"""Which files the checks look at; all of them run at the top of the checkout."""

import glob
import re

CODE = ("include/**/*.hpp", "tests/**/*.hpp", "tests/**/*.cpp", "examples/**/*.hpp",
        "examples/**/*.cpp", "benchmarks/**/*.hpp", "benchmarks/**/*.cpp")


# Where Debian has headers of optional packages that are not in a compiler's own folders.
OPTIONAL_INCLUDES = ("-isystem/usr/include/eigen3", "-isystem/usr/include/x86_64-linux-gnu/mpi")


def code_files():
    return sorted({path for pattern in CODE for path in glob.glob(pattern, recursive=True)})


def headers():
    """Names as an #include writes them: weft/core/config.hpp."""
    found = glob.glob("include/weft/**/*.hpp", recursive=True)
    return sorted(path.removeprefix("include/") for path in found)


def folder_of(header):
    """The folder under weft/; empty for the headers directly in it (weft/weft.hpp)."""
    parts = header.split("/")
    return parts[1] if len(parts) > 2 else ""


def includes_of(path):
    """(line number, delimiter, name) of each #include."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if match:
                yield number, match[1], match[2]


def in_order(header, done):
    """Puts the header behind all of weft that it includes; there are no circles (tools/check_layers.py)."""
    if header in done:
        return
    for _, _, name in includes_of("include/" + header):
        if name.startswith("weft/"):
            in_order(name, done)
    done.append(header)
