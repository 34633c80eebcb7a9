"""Workbooks, documents and notes as players make them: all of each stands in the sheet, in order.

Beside each file stands what a careful reader finds in it, written before anything read it:
`tables` with the texts of all cells as they are shown and the types of the columns, `sentences`,
`headings`, and what is `lost_by_right`. `head_above` is a row over the head, `types_also` and
`title_also` are other answers to accept.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulebook.importing.files import read_pages
from rulebook.importing.pages import Page
from rulebook.importing.sheets import sheet_of
from rulebook.loading.sheet_file import COLLECTIONS, read_sheet, type_of

HERE = Path(__file__).parent
FILES = sorted(path.name.removesuffix(".expected.yaml") for path in HERE.glob("*.expected.yaml"))
#: A form to be filled in, of which nothing but the head is there.
FORM = "blank_form"
#: Columns that are read in another way: a die result as a band, German dice as words.
OTHERWISE = {
    ("Movement!A16:D21", 2): "band",
    ('table 4 under "Gunnery"', 2): "band",
    ("race.csv!A4:E10", 1): "text",
}


@cache
def expected(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((HERE / f"{name}.expected.yaml").read_text("utf-8"))
    return loaded


@cache
def page_of(name: str) -> Page:
    return read_pages([HERE / name])


@cache
def lines_of(name: str) -> list[list[str]]:
    """The cells of each line of the sheet; one for a line that is of no table."""
    made = []
    for line in sheet_of(page_of(name)).splitlines():
        cells = re.split(r"(?<!\\)\|", line[1:-1]) if line.startswith("|") else [line]
        made.append([plain(cell) for cell in cells])
    return made


def plain(text: str) -> str:
    text = re.sub(r"\\(.)", r"\1", text.replace("<br>", " ")).replace("*", "")
    return " ".join(text.split())


@pytest.mark.parametrize("name", FILES)
def test_each_row_stands_in_one_line_in_order(name: str) -> None:
    lines = lines_of(name)
    for table in expected(name)["tables"]:
        rows = [[plain(cell) for cell in row] for row in table["rows"]]
        if table.get(FORM):
            continue
        at = next(number for number, line in enumerate(lines) if line == rows[0])
        assert lines[at : at + len(rows)] == rows, table["where"]


@pytest.mark.parametrize("name", FILES)
def test_each_head_stands_above_its_table(name: str) -> None:
    lines = lines_of(name)
    for table in expected(name)["tables"]:
        if table.get(FORM):
            continue
        head = [plain(cell) for cell in table["head"] or [""] * len(table["rows"][0])]
        above = list(map(plain, table.get("head_above", [])))
        for first, last in table.get("head_above_spans", []):
            above[first : last + 1] = [above[first]] * (last + 1 - first)
        row = [plain(cell) for cell in table["rows"][0]]
        found = next(lines[number - 2] for number, line in enumerate(lines) if line == row)
        assert found == [
            f"{over}: {cell}" if over and over != cell else cell
            for over, cell in zip(above or [""] * len(head), head, strict=True)
        ]


@pytest.mark.parametrize("name", FILES)
def test_columns_have_the_types_that_are_expected(name: str) -> None:
    """A column of which a doubt names a cell may be text instead."""
    doubts = "\n".join(map(str, page_of(name).doubts))
    for table in expected(name)["tables"]:
        for at, kind in list(enumerate(table["types"]))[1:]:
            texts = [plain(row[at]) for row in table["rows"]]
            own = type_of([text for text in texts if text != "no"])
            allowed = {kind, *table.get("types_also", {}).get(at, [])}
            if kind == "count" and not all(text.isdecimal() for text in texts if text):
                allowed |= {"text"}
            if "mixed" in allowed:
                allowed |= {"band"}
            allowed |= {OTHERWISE.get((table["where"], at), kind)}
            named = any(f"`{text}`" in doubts for text in texts)
            assert own in allowed or (own == "text" and (named or "mixed" in allowed)), (
                table["where"],
                at,
                own,
                allowed,
            )


@pytest.mark.parametrize("name", FILES)
def test_each_sentence_and_heading_is_there(name: str) -> None:
    texts = {re.sub(r"^(?:#+|[-*] |[0-9]+\.) *", "", line[0]) for line in lines_of(name)}
    texts |= {line[0] for line in lines_of(name)} | {plain(page_of(name).title)}
    for sentence in [*expected(name)["sentences"], *expected(name)["headings"]]:
        assert {plain(sentence), plain(sentence).removeprefix("- ")} & texts, sentence
    for table in expected(name)["tables"]:
        titles = {table["title"], *table.get("title_also", [])}
        assert {plain(title).removesuffix(":") for title in titles} & (texts | {""}), titles


@pytest.mark.parametrize("name", FILES)
def test_what_is_left_out_is_named(name: str) -> None:
    doubts = "\n".join(map(str, page_of(name).doubts))
    for lost in expected(name)["lost_by_right"]:
        for quoted in re.findall(r"(?:comment on|hidden tab) \"?([^\",]+)", lost):
            assert quoted.partition("!")[0] in doubts, lost
        if lost.startswith(("header ", "hidden text ")):
            for quoted in re.findall(r'"([^"]+)"', lost):
                assert quoted.strip() in doubts, lost
        if "picture" in lost:
            assert "a picture" in doubts


@pytest.mark.parametrize("name", FILES)
def test_the_sheet_is_read_without_a_fault(name: str) -> None:
    read, faults = read_sheet(sheet_of(page_of(name)), "sheet.md", "game")
    assert not faults
    tables = read[COLLECTIONS].get("tables")
    assert tables is not None
