"""A page -> a sheet in Markdown, or the YAML files of a ruleset with the same content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rulebook.importing.grids import kind_of
from rulebook.importing.pages import Heading, Page, PageTable, Sentences
from rulebook.loading.nodes import plain
from rulebook.loading.sheet_file import COLLECTIONS, HEADER, read_sheet, type_of
from rulebook.loading.yaml_writer import write_yaml


def sheet_of(page: Page) -> str:
    """Returns the sheet of a page, as it is written into a file."""
    parts = ["---", write_yaml({"title": page.title}).rstrip(), "---"]
    for part in page.parts:
        if not (isinstance(part, PageTable) and parts[-1].startswith("**")):
            parts.append("")
        if isinstance(part, Heading):
            parts.append(f"{'#' * min(part.level, 6)} {_in_cell(part.text)}")
        elif isinstance(part, Sentences):
            parts += part.lines
        else:
            parts += _table(part)
    return "\n".join(parts) + "\n"


def _table(table: PageTable) -> Iterator[str]:
    if table.title:
        bold = "*" not in table.title
        yield f"**{_in_cell(table.title)}**" if bold else f"## {_in_cell(table.title)}"
        yield ""
    rows = [table.head, *(tuple(cell.text for cell in row) for row in table.rows)]
    for number, texts in enumerate(rows):
        yield "".join(f"| {_in_cell(text)} " if text else "| " for text in texts) + "|"
        if number == 0:
            yield "| --- " * len(table.head) + "|"


def _in_cell(text: str) -> str:
    text = re.sub(r"(?<!\\)([|{])", r"\\\1", text)
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", text).replace("\n", "<br>")


def add_doubts_of_columns(page: Page) -> None:
    """Adds doubts about cells that keep a column from being of one type, and may be slips.

    There are none about numbers such as ½ among others, which print as they are typed, nor about
    cells with doubts of their own.
    """
    doubted = {place for doubt in page.doubts if doubt.texts for place in doubt.places}
    tables = [part for part in page.parts if isinstance(part, PageTable)]
    for cells in (column for table in tables for column in list(zip(*table.rows, strict=True))[1:]):
        kinds = Counter(kind for cell in cells if (kind := kind_of(cell.text)))
        most, count = kinds.most_common(1)[0] if kinds else ("text", 0)
        whole = type_of([cell.text for cell in cells]) != "text"
        if whole or most == "text" or 2 * count <= kinds.total():
            continue
        for text, place in cells:
            number = most in ("count", "band", "dice") and re.sub("[.,/ ]", "", text).isnumeric()
            if kind_of(text) not in ("", most) and not number and place not in doubted:
                words = f"among {_PLURALS.get(most, most + 's')}"
                if most == "count" and text[0] in "-–−":
                    words += ", which may be modifiers without their plus signs"
                page.doubt(place, f"{words}: the column is taken as text", f"`{text}`")


_PLURALS = {"dice": "dice"}


def rulesets_of(sheet: str, name: str) -> dict[str, str]:
    """Returns the YAML files of a ruleset that says what a sheet says, by their names."""
    read, _ = read_sheet(sheet, "sheet.md", name)
    return {
        "ruleset.yaml": write_yaml(plain(read[HEADER])),
        "tables.yaml": write_yaml(plain(read[COLLECTIONS])),
    }
