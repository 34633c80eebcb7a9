"""The files beside this module, the model and the texts of faults -> the chapters of the manual.

Most chapters are written; the reference and the list of fault codes are made when they are asked
for, from what the program itself goes by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rulebook import __version__
from rulebook.manual.fault_codes import fault_codes
from rulebook.manual.reference import reference

FOLDER = Path(__file__).parent
#: What the manual is called where rulesets are named.
NAME = "manual"
HEADER = "ruleset.yaml"
_MADE: Mapping[str, Callable[[], str]] = {
    "reference.md": reference,
    "fault_codes.md": fault_codes,
}
_LISTED = re.compile(r"^  - (\S+\.md)", re.MULTILINE)
_HEADING = re.compile(r"(#{1,4}) +(.*?)(?: +\{#([\w-]+)\})?")
_FENCE = re.compile(r"(`{3,}).*")


def header() -> str:
    """The manual's ruleset.yaml: its edition is the version of the program."""
    return (FOLDER / HEADER).read_text("utf-8").replace("@VERSION@", __version__)


def chapter_files() -> list[str]:
    """The names of the chapters in their order."""
    return _LISTED.findall(header())


def chapter(file: str) -> str:
    """The Markdown of a chapter."""
    return _MADE[file]() if file in _MADE else (FOLDER / file).read_text("utf-8")


def write_manual(folder: Path) -> None:
    """Write the manual as a ruleset into a new folder; raises OSError."""
    folder.mkdir(parents=True)
    (folder / HEADER).write_text(header(), "utf-8", newline="\n")
    for file in chapter_files():
        (folder / file).write_text(chapter(file), "utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Topic:
    """A heading of the manual: its id, level and words, and the Markdown down to the next like it."""

    id: str
    level: int
    title: str
    text: str


@cache
def topics() -> Mapping[str, Topic]:
    """All headings in the order of the manual, by their ids."""
    return {topic.id: topic for file in chapter_files() for topic in _topics_in(chapter(file))}


def _topics_in(text: str) -> Iterator[Topic]:
    lines = text.splitlines()
    found = list(_headings(lines))
    for index, (start, level, title, name) in enumerate(found):
        ends = (line for line, deep, *_ in found[index + 1 :] if deep <= level)
        whole = "\n".join(lines[start : next(ends, len(lines))]).strip()
        yield Topic(name.replace("-", "_"), level, title, whole)


def _headings(lines: list[str]) -> Iterator[tuple[int, int, str, str]]:
    """Line, level, words and id of each heading; lines of code hold none."""
    fence = ""
    for number, line in enumerate(lines):
        if opening := _FENCE.fullmatch(line):
            if not fence:
                fence = opening[1]
            elif line.startswith(fence):
                fence = ""
        elif not fence and (heading := _HEADING.fullmatch(line)):
            slug = re.sub(r"\W+", "_", heading[2].lower()).strip("_")
            yield number, len(heading[1]), heading[2], heading[3] or slug
