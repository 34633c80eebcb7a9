"""A page -> a sheet in Markdown, or the YAML files of a ruleset with the same content."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator

from rulebook.importing.grids import kind_of
from rulebook.importing.pages import Heading, Page, PageTable, Sentences
from rulebook.loading.nodes import MappingNode, Node, Scalar, SequenceNode
from rulebook.loading.sheet_file import read_sheet, type_of


def sheet_of(page: Page) -> str:
    """Returns the sheet of a page, as it is written into a file."""
    parts = ["---", f"title: {_yaml_text(page.title)}", "---"]
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
        "ruleset.yaml": "\n".join(_block(read["header"])) + "\n",
        "tables.yaml": "\n".join(_block(read["collections"])) + "\n",
    }


_PLAIN = re.compile(r"[+-]?[A-Za-z0-9][A-Za-z0-9 _.’'/()+&-]*(?<! )")
_WIDEST = 120


def _block(node: MappingNode, indent: str = "") -> Iterator[str]:
    for key, entry in node.entries.items():
        flow = f"{indent}{key}: {_flow(entry.value)}"
        value = entry.value
        if isinstance(value, Scalar) or (len(flow) <= _WIDEST and not _is_deep(value)):
            yield flow
        elif isinstance(value, MappingNode):
            yield f"{indent}{key}:"
            yield from _block(value, indent + "  ")
        elif isinstance(value, SequenceNode):
            yield f"{indent}{key}:"
            yield from (f"{indent}  - {_flow(item)}" for item in value.items)


def _is_deep(node: Node) -> bool:
    values = (
        [entry.value for entry in node.entries.values()] if isinstance(node, MappingNode) else []
    )
    return any(isinstance(value, MappingNode) for value in values)


def _flow(node: Node) -> str:
    if isinstance(node, MappingNode):
        inner = (f"{key}: {_flow(entry.value)}" for key, entry in node.entries.items())
        return f"{{{', '.join(inner)}}}"
    if isinstance(node, SequenceNode):
        return f"[{', '.join(map(_flow, node.items))}]"
    if node.text == "~":
        return "~"
    return _yaml_text(node.text)


def _yaml_text(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
