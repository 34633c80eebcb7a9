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
    """Adds a doubt for each cell that keeps a column of a table from being of one type."""
    for table in page.parts:
        if not isinstance(table, PageTable):
            continue
        for at in range(1, len(table.head)):
            cells = [row[at] for row in table.rows]
            kinds = Counter(kind for cell in cells if (kind := kind_of(cell.text)))
            most = kinds.most_common(1)[0] if kinds else ("text", 0)
            if type_of([cell.text for cell in cells]) != "text" or most[0] == "text":
                continue
            if 2 * most[1] > kinds.total():
                for cell in cells:
                    if kind_of(cell.text) not in ("", most[0]):
                        words = f"`{cell.text}` among {_PLURALS.get(most[0], most[0] + 's')}"
                        if most[0] == "count" and cell.text[0] in "-–−":
                            words += ", which may be modifiers without their plus signs"
                        page.doubt(cell.place, f"{words}: the column is taken as text")


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
