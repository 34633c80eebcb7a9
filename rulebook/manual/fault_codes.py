"""The texts of all faults -> the chapter of the manual that explains every code.

Of each code there is what it means and the texts told under it, with dots for what a report puts
in, and a report as it is told of one of the faulty rulesets among the tests, which stand in
`fault_examples.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from rulebook.faults import LENGTH_OF_CODE, Wording, catalogue

EXAMPLES = Path(__file__).parent / "fault_examples.txt"
_INTRODUCTION = """\
# Every fault {#fault_codes}

Each report carries a code. Here is what every code means, a report as you would see it, and all
texts that belong to the code; dots stand for your own words and numbers. In a terminal
`rulebook help R421` shows one of them.
"""
_GROUPS = {
    "1": ("Files and YAML", "reading"),
    "2": ("What a file is made of", "structure"),
    "3": ("Names", "names"),
    "4": ("The sense of the game", "sense"),
    "5": ("Worked examples", "examples"),
    "6": ("Printing", "printing"),
    "7": ("Building", "building"),
    "8": ("Editions", "editions"),
}


def fault_codes() -> str:
    """The chapter in Markdown."""
    return "\n".join(_chapter())


def _chapter() -> Iterator[str]:
    yield _INTRODUCTION
    group = ""
    for code, meaning in catalogue().meanings.items():
        if code[1] != group:
            group = code[1]
            title, name = _GROUPS[group]
            yield f"## {title} {{#faults_of_{name}}}\n"
        yield f"### {code} {{#{code.lower()}}}\n"
        yield f"{meaning[0].upper()}{meaning[1:]}.\n".replace("*", "\\*")
        if code in examples():
            yield from _fenced(examples()[code])
            yield f"All reports of {code}:\n"
        if texts := "\n".join(_texts(code)):
            yield from _fenced(texts)


def _fenced(text: str) -> Iterator[str]:
    yield f"````text\n{text}\n````\n"


def _texts(code: str) -> Iterator[str]:
    for name, wording in catalogue().wordings.items():
        if name[:LENGTH_OF_CODE] == code:
            yield from _lines(wording)


def _lines(wording: Wording) -> Iterator[str]:
    """A message, what is expected and what to do; lines of nothing but dots are left out."""
    yield _dotted(wording.message)
    for part, lines in (("expected", wording.expected), ("hint", wording.hint)):
        told = map(_dotted, lines)
        yield from (f"  {part}: {line}" for line in told if re.search(r"\w", line))


def _dotted(text: str) -> str:
    """A text with dots for what is put in."""
    return "".join(
        words + ("" if name is None else "…") for words, name, *_ in Formatter().parse(text)
    )


@cache
def examples() -> Mapping[str, str]:
    """Code -> a report of it."""
    told = re.split(r"^(R\d{3})-\S+\n", EXAMPLES.read_text("utf-8"), flags=re.MULTILINE)
    return {code: report.strip("\n") for code, report in zip(told[1::2], told[2::2], strict=True)}
