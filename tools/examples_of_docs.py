# SPDX-License-Identifier: BSL-1.0
"""The C++ of the pages: what blocks there are, and which source each is part of. tests/docs/README.md
says how a page marks them."""

import glob
import re
from dataclasses import dataclass, field

LANGUAGES = {"cpp", "text", "sh", "cmake", "python", "json", "mlir", "c", "ini", "yaml", "make", "dockerfile"}
FENCE = re.compile(r"^( *)(```+)([\w+-]*)[^\n]*\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- example: *((?:(?!-->).)*?) *-->\s*\Z")
PROGRAM = re.compile(r"^int main\(", re.MULTILINE)
PRELUDES = "tests/docs"


@dataclass
class Example:
    """One source: a block, those that go on where it ends, and the page's words about it."""
    page: str
    line: int
    text: str
    inside: str = ""         # the prelude around it
    reason: str = ""         # why it is not compiled
    refused: bool = False    # must not compile
    output: list = field(default_factory=list)   # what the page says that it prints; None: nothing said
    blocks: int = 1

    @property
    def name(self):
        return f"{self.page}:{self.line}"

    def source(self):
        text = self.text
        if self.inside:
            with open(f"{PRELUDES}/{self.inside}.cpp", encoding="utf-8") as file:
                around = file.read()
            parts = re.split(r"^ *// example\n", around, flags=re.MULTILINE)
            if len(parts) != 2:
                raise ValueError(f"{PRELUDES}/{self.inside}.cpp has not one line `// example`")
            includes = "".join(re.findall(r"^#include.*\n", text, re.MULTILINE))
            body = re.sub(r"^#include.*\n", "", text, flags=re.MULTILINE)
            text = includes + parts[0] + body + parts[1]
        return text

    def is_program(self):
        return not self.refused and PROGRAM.search(self.source()) is not None


def pages():
    """Every page, also one that nobody has added to git yet, and of an archive without git."""
    own = [name for name in glob.glob("*/") if not name.startswith("build")]
    return sorted(glob.glob("*.md") + [page for name in own
                                       for page in glob.glob(name + "**/*.md", recursive=True)])


def marked(example, words, before):
    """Reads `in NAME`, `after`, `refused`, `not compiled: WHY` into the example. `before`: the one above."""
    if words.startswith("not compiled: "):
        example.reason = words.removeprefix("not compiled: ")
        return example
    rest = words.split()
    while rest:
        word = rest.pop(0)
        if word == "in" and rest:
            example.inside = rest.pop(0)
        elif word == "refused":
            example.refused = True
        elif word == "after" and before:
            example.text = before.text + example.text
            example.inside, example.blocks = before.inside, before.blocks + 1
        else:
            raise ValueError(f"{example.name}: `example: {words}` is not understood")
    return example


def examples_of(page):
    """The examples of a page, and the number of its C++ blocks."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    found, blocks, open_program = [], 0, None
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 1
        language, body = fence[3], re.sub(rf"^{fence[1]}", "", fence[4], flags=re.MULTILINE)
        if language not in LANGUAGES:
            raise ValueError(f"{page}:{line}: a block of the language `{language}`; "
                             f"write one of {' '.join(sorted(LANGUAGES))}")
        if language == "text" and open_program:
            open_program.output, open_program = body.splitlines(), None
        if language != "cpp":
            continue
        blocks += 1
        mark = MARK.search(text, 0, fence.start())
        plain = [e for e in found if not e.refused and not e.reason]
        example = marked(Example(page, line, body), mark[1] if mark else "",
                         plain[-1] if plain else None)
        if example.blocks > 1 and not example.refused:
            example.line = plain[-1].line    # one source, named by its first block
            found.remove(plain[-1])
        example.output = None
        found.append(example)
        open_program = example
    if len(re.findall(r"^ *```+cpp", text, re.MULTILINE)) != blocks:
        raise ValueError(f"{page}: a C++ block is not closed")
    return found, blocks
