"""Changes as they are told (`change_words`) -> lines for a terminal.

Words that went and came have marks, [-so-] and {+so+}, where there are no colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from rulebook.documents.changes.phrases import (
    ARROW,
    Group,
    also_of,
    chapters_of,
    elided,
    heading,
    is_whole,
    name_of,
    rows_of,
    summed,
    told_parts,
)
from rulebook.documents.marks.change_words import (
    Consequence,
    PartChange,
    Run,
    ThingChange,
    ToldChanges,
)

#: Stand before and behind words while lines are broken; none of them is a space to break at.
_MARKS = {
    "deleted": ("\ue000", "\ue001"),
    "inserted": ("\ue002", "\ue003"),
    "before": ("\ue004", "\ue005"),
    "after": ("\ue006", "\ue007"),
}
#: The marks of values, of which signs and arrows tell what they are, show only in colour.
_PLAIN = dict.fromkeys("\ue004\ue005\ue006\ue007", "")
_PLAIN |= {"\ue000": "[-", "\ue001": "-]", "\ue002": "{+", "\ue003": "+}"}
_COLOURED = dict.fromkeys("\ue001\ue003\ue005\ue007", "\x1b[0m")
_COLOURED |= {"\ue000": "\x1b[31;9m", "\ue002": "\x1b[32;4m"}
_COLOURED |= {"\ue004": "\x1b[31m", "\ue006": "\x1b[32m"}
_CLOSES = dict(_MARKS.values())
_SIGNS = {"added": "+ ", "removed": "- "}


@dataclass(frozen=True, slots=True)
class Terminal:
    """What lines are written for: how wide, and whether colours are shown."""

    width: int = 80
    colours: bool = False


def change_lines(told: ToldChanges, terminal: Terminal) -> Iterator[str]:
    """All changes, by class, each thing with what was and is."""
    shown = _COLOURED if terminal.colours else _PLAIN
    going_on = ""
    for line in _lines(told, terminal.width):
        text = line.lstrip()
        lead = line[: len(line) - len(text)]
        text = going_on + text
        going_on = _open_at_end(text)
        text += _CLOSES.get(going_on, "") if terminal.colours else ""
        yield lead + "".join(shown.get(letter, letter) for letter in text)
        going_on = going_on if terminal.colours else ""


def _open_at_end(text: str) -> str:
    """The mark that is open where a line ends: it goes on in the next one."""
    opened = ""
    for letter in text:
        if letter in _CLOSES:
            opened = letter
        elif letter in _CLOSES.values():
            opened = ""
    return opened


def _lines(told: ToldChanges, width: int) -> Iterator[str]:
    yield from _wrapped(heading(told), "", width)
    yield from _wrapped(summed(told), "", width)
    if told.summary:
        yield ""
        yield from _wrapped(told.summary, "", width, hanging="")
    for chapter in chapters_of(told):
        yield ""
        yield chapter.title.upper()
        for group in chapter.groups:
            yield ""
            yield from _group(group, width)


def _group(group: Group, width: int) -> Iterator[str]:
    indent = ""
    if group.title:
        number = f"{group.standing.rule} " if group.standing.rule else ""
        yield from _wrapped(f"{number}{group.title}", "", width)
        yield from _wrapped(group.why, "  ", width, hanging="")
        indent = "  "
    for thing in group.things:
        yield from _wrapped(name_of(thing), indent, width)
        yield from _thing(thing, indent + "  ", width)


def _thing(thing: ThingChange, indent: str, width: int) -> Iterator[str]:
    for part in told_parts(thing):
        yield from _wrapped(_part(part), indent, width)
    for table in thing.tables if is_whole(thing) else ():
        sign = "- " if all(row.kind == "removed" for row in table.rows) else "+ "
        for told in rows_of(table):
            yield from _wrapped(sign + ": ".join(filter(None, told)), indent, width)
    for one in thing.also:
        yield from _wrapped(f"also {also_of(one)}: {_told(one)}", indent, width)


def _part(part: PartChange) -> str:
    if part.kind == "renamed":
        place = f"{part.where}: " if part.where else ""
        return f"{place}{part.before} is called {part.after} now"
    place = f"{part.where}: " if part.where else ""
    return f"{_SIGNS.get(part.kind, '')}{place}{_told(part)}"


def _told(one: PartChange | Consequence) -> str:
    if one.runs:
        return _marked(elided(one.runs))
    told = (
        _MARKS[side][0] + text + _MARKS[side][1]
        for side, text in (("before", one.before), ("after", one.after))
        if text
    )
    return f" {ARROW} ".join(told)


def _marked(runs: Sequence[Run]) -> str:
    """Words in one line, each that went or came between marks."""
    texts: list[str] = []
    for run in runs:
        text = " ".join(run.text.split("\n")) if run.text.strip() else " " * bool(run.text)
        if run.kind == "kept":
            texts.append(text)
            continue
        start, end = _MARKS[run.kind]
        inner = text.strip()
        lead = text[: len(text) - len(text.lstrip())]
        trail = text[len(text.rstrip()) :]
        texts.append(f"{lead}{start}{inner}{end}{trail}" if inner else text)
    return "".join(texts)


def _wrapped(text: str, indent: str, width: int, hanging: str = "  ") -> Iterator[str]:
    """A paragraph in lines, those after the first set in."""
    line = " ".join(text.split())
    if line:
        yield from wrap(
            line,
            max(width, 40),
            initial_indent=indent,
            subsequent_indent=indent + hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
