"""Layouts of cards: those that are shipped, and every mistake in one with its place."""

from fractions import Fraction
from pathlib import Path

import pytest
from beside import beside

from rulebook.imposing.layouts import MARGIN, layouts, read_layout
from rulebook.packaged import templates_folder
from rulebook.problems import RenderFault

SHIPPED = layouts(templates_folder())
GOOD = """\
title: Poker cards
card: {width: 63mm, height: 88mm}
bleed: 3mm
sheets:
  a4: {columns: 3, rows: 3}
"""


def test_the_sizes_of_the_trade_are_there_on_both_papers() -> None:
    sizes = {name: [float(one.width), float(one.height)] for name, one in SHIPPED.items()}
    assert sizes == beside(__file__, "sizes_of_the_trade")
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
    *beside(__file__, "mistakes"),
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
    assert problem.span.path.endswith("mine.yaml")
    line = text.splitlines()[problem.span.line - 1]
    assert line[problem.span.column - 1 :].startswith(at)
    assert problem.expected or problem.hint


@pytest.mark.parametrize(("data", "code"), [(b"", "R106"), (b"\xff\xfe\x00", "R605")])
def test_a_file_that_is_empty_or_no_text_is_told(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(data)
    assert [problem.code for problem in read_layout(path)[1]] == [code]


def test_all_faults_of_all_layouts_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "layouts"
    folder.mkdir()
    (folder / "one.yaml").write_text(GOOD.replace("columns: 3", "columns: 9"))
    (folder / "two.yaml").write_text(GOOD.replace("rows: 3", "rows: 9"))
    (folder / "three.yaml").write_text(GOOD)
    with pytest.raises(RenderFault) as fault:
        layouts(tmp_path)
    assert [problem.code for problem in fault.value.problems] == ["R605", "R605"]


def test_what_a_designer_saves_is_read_anew_in_the_same_process(tmp_path: Path) -> None:
    assert layouts(tmp_path) == {}
    (tmp_path / "layouts").mkdir()
    for width in (50, 63):
        layout = GOOD.replace("width: 63mm", f"width: {width}mm")
        (tmp_path / "layouts" / "one.yaml").write_text(layout)
        assert layouts(tmp_path)["one"].width == width
