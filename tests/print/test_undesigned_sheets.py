"""Quick references that nobody designed for: one huge table, and eighty small ones."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import pytest
from composed import compose
from read_pdf import Letter, Printed
from small_rulesets import ruleset_of

from rulebook.documents.qrs.galley import MARGIN
from rulebook.documents.qrs.layout import best_arrangement, lay_out_sheet
from rulebook.packaged import templates_folder

ROWS, COLUMNS, TABLES = 45, 12, 80
DOCUMENTS = {
    "booklet": None,
    "cutouts": None,
    "qrs": {"papers": ["a4"], "inks": ["full"], "sides": "6", "columns": "any"},
}


def step(title: str, *tables: str) -> dict[str, Any]:
    return {"title": title, "rule": "rules", "tables": list(tables)}


def huge() -> dict[str, Any]:
    columns = [f"c{number}" for number in range(COLUMNS)]
    data = {
        f"r{row}": {"title": f"Weapon {row}"}
        | {name: str(100 * row + 100 + column) for column, name in enumerate(columns)}
        for row in range(ROWS)
    }
    fields = {name: {"type": "count", "title": f"At {name}"} for name in columns}
    table = {"title": "All weapons", "fields": fields, "data": data}
    phase = {"title": "Fire", "steps": {"one": step("All weapons", "all")}}
    return {"tables": {"all": table}, "sequence": {"fire": phase}}


def many() -> dict[str, Any]:
    tables = {
        f"t{number}": {
            "title": f"Test {number}",
            "fields": {"needs": "target"},
            "data": {
                f"r{row}": {"title": f"Case {number}.{row}", "needs": f"{2 + (number + row) % 5}+"}
                for row in range(2 + number % 3)
            },
        }
        for number in range(TABLES)
    }
    phases = {
        f"p{phase}": {
            "title": f"Phase {phase}",
            "steps": {
                f"s{number}": step(f"Test {number}", f"t{number}")
                for number in range(20 * phase, 20 * phase + 20)
            },
        }
        for phase in range(TABLES // 20)
    }
    return {"tables": tables, "sequence": phases}


@cache
def printed(name: str) -> Printed:
    ruleset = ruleset_of({"huge": huge, "many": many}[name](), documents=DOCUMENTS)
    view = compose(ruleset)[0].view
    return Printed(lay_out_sheet(*best_arrangement(view, templates_folder())).pdf(print_hints=True))


def letters(name: str) -> list[list[Letter]]:
    return [printed(name).letters(side) for side in range(len(printed(name).sizes))]


@pytest.mark.parametrize(("name", "sides"), [("huge", 1), ("many", 2)])
def test_it_takes_few_sides_in_type_that_can_be_read(name: str, sides: int) -> None:
    assert len(printed(name).sizes) == sides
    sizes = [letter.size for side in letters(name) for letter in side if letter.text.strip()]
    assert min(sizes) >= 7 - 0.005


@pytest.mark.parametrize("name", ["huge", "many"])
def test_nothing_stands_in_the_margin_or_on_something_else(name: str) -> None:
    for side, (width, _) in zip(letters(name), printed(name).sizes, strict=True):
        rows: dict[float, list[Letter]] = {}
        for letter in side:
            assert letter.left >= MARGIN - 0.05 and letter.right <= width - MARGIN + 0.05
            if letter.text.strip():
                rows.setdefault(round(letter.bottom, 1), []).append(letter)
        for row in rows.values():
            ordered = sorted(row, key=lambda one: one.left)
            for one, after in itertools.pairwise(ordered):
                assert after.left >= one.right - 0.25, (one.text, after.text)


def test_every_figure_of_the_huge_table_stands_in_its_row() -> None:
    lines = " ".join(" ".join(printed("huge").texts).split())
    for row in range(ROWS):
        figures = " ".join(str(100 * row + 100 + column) for column in range(COLUMNS))
        assert f"Weapon {row} {figures}" in lines


def test_every_small_table_stands_on_the_sheet_once() -> None:
    words = " ".join(" ".join(printed("many").texts).split())
    for number in range(TABLES):
        for row in range(2 + number % 3):
            assert words.count(f"Case {number}.{row} ") == 1
