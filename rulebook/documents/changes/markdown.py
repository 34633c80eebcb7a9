"""Changes as they are told (`change_words`) -> Markdown: ~~what went~~ and **what came**."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulebook.documents.changes.phrases import (
    ARROW,
    Group,
    also_of,
    chapters_of,
    heading,
    is_in_table,
    name_of,
    summed,
    told_parts,
)
from rulebook.documents.marks.change_words import (
    ChangedCell,
    ChangedRow,
    ChangedTable,
    Consequence,
    PartChange,
    Run,
    ThingChange,
    ToldChanges,
)

_MARKS = {"kept": "", "deleted": "~~", "inserted": "**"}
_MARKUP = re.compile(r"([\\`*_\[\]<>|~])")
#: At the start of a line these begin a list or a heading.
_LEADING = re.compile(r"^(\s*)([-+#>]|\d+[.)])(\s)", re.MULTILINE)


def change_markdown(told: ToldChanges) -> str:
    """All changes as a document of its own, by class."""
    return "\n".join(_lines(told)).rstrip() + "\n"


def _lines(told: ToldChanges) -> Iterator[str]:
    yield f"# {_escaped(heading(told))}"
    yield from ("", _escaped(summed(told)))
    if told.summary:
        yield from ("", _escaped(told.summary))
    for chapter in chapters_of(told):
        yield from ("", f"## {chapter.title}")
        for group in chapter.groups:
            yield from _group(group)


def _group(group: Group) -> Iterator[str]:
    if group.title:
        number = f"{group.standing.rule} " if group.standing.rule else ""
        yield from ("", f"### {_escaped(number + group.title)}")
    if group.why:
        yield from ("", _escaped(group.why))
    for thing in group.things:
        yield from ("", f"**{_escaped(name_of(thing))}**")
        yield from _thing(thing)


def _thing(thing: ThingChange) -> Iterator[str]:
    parts = [_part(part) for part in told_parts(thing) if not is_in_table(part, thing)]
    parts += [f"also {_escaped(also_of(one))}: {_told(one)}" for one in thing.also]
    if parts:
        yield ""
        yield from (f"- {part}" for part in parts)
    for table in thing.tables:
        yield ""
        yield from _table(table)


def _part(part: PartChange) -> str:
    place = f"{_escaped(part.where)}: " if part.where else ""
    if part.kind == "renamed":
        return f"{place}{_escaped(part.before)} is called {_escaped(part.after)} now"
    return place + _told(part)


def _told(one: PartChange | Consequence) -> str:
    if one.runs:
        return "".join(_run(run) for run in one.runs)
    before, after = (_marked(text, mark) for text, mark in ((one.before, "~~"), (one.after, "**")))
    return f" {ARROW} ".join(text for text in (before, after) if text)


def _run(run: Run) -> str:
    return _marked(run.text, _MARKS[run.kind])


def _marked(text: str, mark: str) -> str:
    """Words between marks, which touch them; the spaces stand outside."""
    inner = text.strip()
    if not inner or not mark:
        return _escaped(text)
    lead = text[: len(text) - len(text.lstrip())]
    return f"{lead}{mark}{_escaped(inner)}{mark}{text[len(text.rstrip()) :]}"


def _escaped(text: str) -> str:
    """Text that Markdown prints as it stands, in one line."""
    line = " ".join(_LEADING.sub(r"\1\\\2\3", _MARKUP.sub(r"\\\1", text)).split("\n"))
    return re.sub(r" {2,}", " ", line)


def _table(table: ChangedTable) -> Iterator[str]:
    """A table; Markdown has one row of heads, in which those over several columns are named too."""
    heads = _heads(table)
    yield _row([*map(_escaped, table.stub_heads), *heads])
    yield _row(["---"] * len(table.stub_heads) + [":-:"] * len(heads))
    labels: list[str] = []
    for row in table.rows:
        own = [cell.text for cell in row.labels]
        labels = labels[: len(table.stub_heads) - len(own)] + own
        yield _row([*(_label(one, row) for one in labels), *(_cell(one) for one in row.cells)])


def _heads(table: ChangedTable) -> list[str]:
    width = len(table.rows[0].cells) if table.rows else 0
    levels = [[cell.text for cell in head for _ in range(cell.across)] for head in table.head]
    columns = zip(*(level for level in levels if len(level) == width), strict=True)
    return [_escaped(", ".join(texts)) for texts in columns] or [""] * width


def _label(text: str, row: ChangedRow) -> str:
    return _marked(text, {"added": "**", "removed": "~~"}.get(row.kind, ""))


def _cell(cell: ChangedCell) -> str:
    if not cell.changed:
        return _escaped(cell.after or "")
    both = (_marked(cell.before or "", "~~"), _marked(cell.after or "", "**"))
    return " ".join(text for text in both if text)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
