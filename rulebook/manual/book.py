"""The files beside this module, and the model -> the chapters of the manual.

The reference, and the tables of cell types and map features, are made from the model when they are
asked for; all other text is in the files. All chapters are like those of any ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rulebook import __version__
from rulebook.loading.chapters import cut_chapter
from rulebook.loading.folder import HEADER_FILE
from rulebook.manual.reference import cell_types, map_features, reference
from rulebook.model.prose import Code, Section

FOLDER = Path(__file__).parent
#: What the manual is called where rulesets are named.
NAME = "manual"
_MADE: Mapping[str, Callable[[], str]] = {"reference.md": reference}
_LISTED = re.compile(r"^  - (\S+\.md)", re.MULTILINE)
_LINK = re.compile(r"\]\(#([\w-]+)\)")


def header() -> str:
    """Returns the text of the manual's ruleset.yaml, with the program's version as edition."""
    return (FOLDER / HEADER_FILE).read_text("utf-8").replace("@VERSION@", __version__)


def chapter_files() -> list[str]:
    """Returns the file names of the manual's chapters, in order."""
    return _LISTED.findall(header())


def chapter(file: str) -> str:
    """Returns the Markdown of a chapter by file name, with generated tables filled in."""
    if file in _MADE:
        return _MADE[file]()
    text = (FOLDER / file).read_text("utf-8")
    return text.replace("@CELL_TYPES@", cell_types()).replace("@MAP_FEATURES@", map_features())


def write_manual(folder: Path) -> None:
    """Writes the manual as a ruleset into a folder, which must not exist. Raises OSError."""
    folder.mkdir(parents=True)
    (folder / HEADER_FILE).write_text(header(), "utf-8", newline="\n")
    for file in chapter_files():
        (folder / file).write_text(chapter(file), "utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Topic:
    """A heading of the manual, with the text below it as it is shown in a terminal."""

    id: str
    level: int
    title: str
    text: str


@cache
def topics() -> Mapping[str, Topic]:
    """Returns all headings of the manual with their texts, by id and in order."""
    return {topic.id: topic for file in chapter_files() for topic in _topics_in(file)}


def chapters() -> list[tuple[Topic, list[Topic]]]:
    """Returns the chapters in order, each with its headings of level 2."""
    found: list[tuple[Topic, list[Topic]]] = []
    for topic in topics().values():
        if topic.level == 1:
            found.append((topic, []))
        elif topic.level == 2:
            found[-1][1].append(topic)
    return found


def _topics_in(file: str) -> Iterator[Topic]:
    text = chapter(file)
    found = cut_chapter(text, file, file).chapter
    sections = found.sections if found else ()
    lines = _readable(text.splitlines(), sections)
    for at, heading in enumerate(sections):
        later = (section for section in sections[at + 1 :] if section.level <= heading.level)
        ends = (section.span.line - 1 for section in later)
        whole = "\n".join(lines[heading.span.line - 1 : next(ends, len(lines))])
        yield Topic(heading.id, heading.level, heading.title, whole.strip())


def _readable(lines: list[str], sections: tuple[Section, ...]) -> list[str]:
    """Returns the lines of a chapter without the markup that only a booklet needs.

    `sections` are those parsed from the lines. Links become `rulebook help TOPIC`.
    """
    written = [_LINK.sub(_asked_for, line.replace("\\{", "{")) for line in lines]
    for section in sections:
        written[section.span.line - 1] = f"{'#' * section.level} {section.title}"
        for part in section.parts:
            if isinstance(part, Code):
                written[part.span.line - 1 : part.span.end_line] = part.text.split("\n")
    return written


def _asked_for(link: re.Match[str]) -> str:
    return f"](rulebook help {as_typed(link[1])})"


def as_typed(name: str) -> str:
    """Returns the id of a heading as it is typed in a terminal, with hyphens for underscores."""
    return name.replace("_", "-")
