"""Layouts of cards: those that are shipped, and every mistake in one with its place."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from rulebook.render.faults import RenderFault
from rulebook.render.layouts import MARGIN, layouts, read_layout
from rulebook.shipped import templates_folder

SHIPPED = layouts(templates_folder())
GOOD = """\
title: Poker cards
card: {width: 63mm, height: 88mm}
bleed: 3mm
sheets:
  a4: {columns: 3, rows: 3}
"""


def test_the_sizes_of_the_trade_are_there_on_both_papers() -> None:
    sizes = {name: (float(one.width), float(one.height)) for name, one in SHIPPED.items()}
    assert sizes == {
        "a6": (105, 148),
        "bridge": (57, 89),
        "business": (85, 55),
        "mini": (44, 68),
        "poker": (63, 88),
        "tarot": (70, 120),
        "us-poker": (63.5, 88.9),
    }
    assert all({"a4", "letter"} <= one.sheets.keys() for one in SHIPPED.values())


def test_nine_poker_cards_stand_where_they_should_on_a4() -> None:
    sheet = SHIPPED["poker"].sheets["a4"]
    assert (sheet.places, sheet.left, sheet.top) == (9, Fraction("10.5"), Fraction("16.5"))
    assert sheet.gap_across == sheet.gap_down == 0
    first, last = sheet.trim(0), sheet.trim(8)
    assert (first.left, first.top) == (Fraction("10.5"), 297 - Fraction("16.5"))
    assert (last.right, last.bottom) == (210 - Fraction("10.5"), Fraction("16.5"))


@pytest.mark.parametrize(
    ("name", "paper"), [(n, p) for n, one in SHIPPED.items() for p in one.sheets]
)
def test_cards_keep_clear_of_the_edges_and_of_each_other(name: str, paper: str) -> None:
    sheet = SHIPPED[name].sheets[paper]
    trims = [sheet.trim(place) for place in range(sheet.places)]
    shown = [sheet.shown(place) for place in range(sheet.places)]
    for number, (trim, seen) in enumerate(zip(trims, shown, strict=True)):
        assert (trim.width, trim.height) == (SHIPPED[name].width, SHIPPED[name].height)
        assert trim.left >= MARGIN
        assert trim.bottom >= MARGIN
        assert sheet.width - trim.right >= MARGIN
        assert sheet.height - trim.top >= MARGIN
        assert seen.holds(trim)
        others = [*trims[:number], *trims[number + 1 :]]
        assert not any(seen.meets(other) for other in others)


def test_margins_are_centred_unless_they_are_given(tmp_path: Path) -> None:
    sheet = read(tmp_path, GOOD).sheets["a4"]
    assert (sheet.left, sheet.top) == (Fraction("10.5"), Fraction("16.5"))
    given = read(tmp_path, GOOD.replace("rows: 3", "rows: 3, left: 6mm, top: 20mm")).sheets["a4"]
    assert (given.left, given.top) == (6, 20)


def read(folder: Path, text: str):
    layout, problems = told(folder, text)
    assert not problems
    return layout


def told(folder: Path, text: str):
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return read_layout(path)


#: What is changed in the good one, the code, what the place points at, and what is told.
MISTAKES = [
    ("columns: 3 > columns: 4", "R605", "4", "4 columns of cards are 252 mm wide"),
    ("rows: 3 > rows: 4", "R605", "4}", "4 rows of cards are 352 mm high, the paper has room for"),
    ("columns: 3 > columns: 0", "R204", "0,", "'0' will not do for 'columns'"),
    ("columns: 3 > columns: three", "R204", "three", "'three' is not a count"),
    ("columns: 3 > columns: -3", "R204", "-3", "'-3' is not a count"),
    ("columns: 3,  > ", "R202", "a4", "'columns' is not there"),
    ("columns > colums", "R201", "colums", "the key 'colums' is not known here"),
    ("width: 63mm > width: 630mm", "R605", "630mm", "the width is 630 mm"),
    ("width: 63mm > width: 0mm", "R605", "0mm", "the width is 0 mm"),
    ("width: 63mm > width: 1 base", "R605", "1 base", "the width is given in bases"),
    ("width: 63mm > width: 63", "R204", "63,", "'63' is not a length"),
    ("width: 63mm > width: nan", "R204", "nan", "'nan' is not a length"),
    ("width: 63mm > width: 2 m", "R605", "2 m,", "the width is 2 m"),
    ("bleed: 3mm > bleed: 30mm", "R605", "30mm", "the bleed is 30 mm"),
    ("rows: 3 > rows: 2, gap_down: 4mm", "R605", "4mm", "the bleed of 3 mm is larger than half"),
    ("rows: 3 > rows: 3, bleed: 4mm", "R605", "4mm", "the bleed is 4 mm"),
    ("rows: 3 > rows: 3, left: 4mm", "R605", "4mm", "with 'left' at 4 mm the cards come too near"),
    ("rows: 3 > rows: 3, top: 40mm", "R605", "40mm", "with 'top' at 40 mm the cards come too near"),
    ("a4: > legal:", "R201", "legal", "the key 'legal' is not known here"),
    ("{width: 63mm, height: 88mm} > 63x88", "R203", "63x88", "'card' is a text"),
    ("  a4: {columns: 3, rows: 3} > ", "R112", "sheets", "nothing stands after 'sheets:'"),
    (
        "sheets:\n  a4: {columns: 3, rows: 3} > sheets: {}",
        "R605",
        "sheets",
        "no sheet of any paper",
    ),
    ("bleed: 3mm > bleed: 3mm\nbleed: 2mm", "R105", "bleed: 2mm", "the key 'bleed' stands twice"),
    (f"{GOOD} > - poker", "R203", "- poker", "the file is no mapping"),
]


@pytest.mark.parametrize(("change", "code", "at", "said"), MISTAKES)
def test_each_mistake_is_told_with_its_place(
    tmp_path: Path, change: str, code: str, at: str, said: str
) -> None:
    text = GOOD.replace(*change.split(" > "), 1)
    layout, problems = told(tmp_path, text)
    assert layout is None
    problem = problems[0]
    assert (problem.code, problem.message[: len(said)]) == (code, said)
    assert problem.span is not None
    assert problem.span.path.endswith("mine.yaml")
    line = text.splitlines()[problem.span.line - 1]
    assert line[problem.span.column - 1 :].startswith(at)
    assert problem.expected or problem.hint


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    assert [problem.code for problem in told(tmp_path, "")[1]] == ["R106"]


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    assert [problem.code for problem in read_layout(path)[1]] == ["R605"]


def test_all_faults_of_all_layouts_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "layouts"
    folder.mkdir()
    (folder / "one.yaml").write_text(GOOD.replace("columns: 3", "columns: 9"))
    (folder / "two.yaml").write_text(GOOD.replace("rows: 3", "rows: 9"))
    (folder / "three.yaml").write_text(GOOD)
    with pytest.raises(RenderFault) as fault:
        layouts(tmp_path)
    assert [problem.code for problem in fault.value.problems] == ["R605", "R605"]


def test_no_layouts_are_none(tmp_path: Path) -> None:
    assert layouts(tmp_path) == {}
