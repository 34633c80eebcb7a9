"""The sheet at the largest type that fits, or a fault that says by how much it does not."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from beside import as_written, beside
from composed import compose
from read_pdf import Printed
from small_rulesets import ruleset_of

from rulebook.documents.parts.views import StepsView, room_of
from rulebook.documents.qrs.arrangement import PlacedPanel, pack
from rulebook.documents.qrs.compose import QrsView, sheet_of_two
from rulebook.documents.qrs.galley import FOOT, HEAD, Galleys, panels_of, sheet_of
from rulebook.documents.qrs.layout import (
    HOLE,
    Arrangement,
    _foot,
    _frame,
    _turn,
    arrange,
    best_arrangement,
    column_counts,
    how_it_came_out,
    lay_out_sheet,
)
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder
from rulebook.problems import Problem, RenderFault

TEMPLATES = templates_folder()
LINE = "Throw a die for each of the figures that fire, and take from it what the table says."
CONE = as_written(__file__, "cone")
PHASES = {"move": "Move", "fire": "Fire"}


def sheet_view(ruleset: Ruleset) -> QrsView:
    view = compose(ruleset)[0].view
    return replace(view, columns=view.columns or 4)


def view_of(
    *lines: int, sides: int = 1, columns: int = 2, pictures: int = 0, paper: str = "a4"
) -> QrsView:
    """A sheet with a panel for each number of reminders, in two phases; the first have pictures."""
    half = (len(lines) + 1) // 2
    steps = [
        {
            "title": f"Panel {number}",
            "rule": "rules",
            "say": [LINE] * count,
            "cutouts": ["cone"] if number < pictures else [],
        }
        for number, count in enumerate(lines)
    ]
    sequence = {
        phase: {"title": title, "steps": {f"s{n}": step for n, step in enumerate(part)}}
        for (phase, title), part in zip(PHASES.items(), (steps[:half], steps[half:]), strict=True)
        if part
    }
    asked = {"papers": [paper], "inks": ["full"], "sides": str(sides), "columns": str(columns)}
    ruleset = ruleset_of(
        {"cutouts": {"cone": CONE}, "sequence": sequence},
        documents={"qrs": asked, "booklet": None, "cutouts": None},
    )
    return sheet_view(ruleset)


def galleys(view: QrsView) -> Galleys:
    return Galleys(view, TEMPLATES)


def fits(view: QrsView, size: float) -> bool:
    return pack(galleys(view).at(size).panels(), sheet_of(view)) is not None


@pytest.mark.parametrize(
    ("view", "size"),
    [
        (view_of(3, 4), 16),
        (view_of(*[13] * 6), 8.5),
        (view_of(24, 20, 22, 25), 7.5),
        (view_of(5, 6, 5, 6, 8, 7, pictures=4), 8),
        (view_of(*[5] * 6, pictures=6), 8.5),
        (view_of(*[6] * 6, pictures=6), 7.5),
        (view_of(6, 6, 6, 6, 6, 7, pictures=6), 7.25),
    ],
    ids=["little", "middling", "much", "some pictures", "pictures", "more pictures", "smallest"],
)
def test_the_type_is_the_largest_that_fits(view: QrsView, size: float) -> None:
    """Pictures are of one size at any type, so heights are not simply in proportion to it."""
    assert arrange(galleys(view)).type_size == size
    assert fits(view, size)
    assert size == 16 or not fits(view, size + 0.25)


def heights(view: QrsView, size: float) -> dict[str, float]:
    """Of whole panels, by their ids."""
    found: dict[str, float] = {}
    for panel in galleys(view).at(size).panels():
        whole = panel.id.partition(".")[0]
        found[whole] = found.get(whole, 0.0) + panel.height
    return found


def refusal(view: QrsView) -> Problem:
    with pytest.raises(RenderFault) as raised:
        arrange(galleys(view))
    (problem,) = raised.value.problems
    assert problem.code == "R601"
    return problem


def test_what_does_not_fit_is_refused_with_how_much_and_the_largest_panels() -> None:
    view = view_of(18, 30, 14, 26, 22, 10)
    problem = refusal(view)
    measured = list(heights(view, 7).values())
    room = 210 - 7 - 7 - HEAD - FOOT  # the paper without margins, head and foot
    found = re.search(r"on 1 side of a4: at 7 pt its panels take (\d+) mm", problem.message)
    assert found and int(found[1]) == pytest.approx(sum(measured), abs=1)
    assert problem.expected == f"panels for 2 columns of {room:.0f} mm"
    named = re.findall(r"Panel (\d) \((\d+) mm\)", problem.hint)
    assert [int(number) for number, _ in named] == [1, 3, 4]
    assert [int(height) for _, height in named] == [round(measured[n]) for n in (1, 3, 4)]


def test_more_sides_make_room() -> None:
    lines = (18, 30, 14, 26, 22, 10)
    arrangement = arrange(galleys(view_of(*lines, sides=2)))
    assert {place.side for place in arrangement.placed} == {0, 1}
    assert "2 sides of letter" in refusal(view_of(*lines * 2, sides=2, paper="letter")).message


def test_it_says_how_it_came_out_and_what_smaller_type_would_save() -> None:
    """A sheet that would take one side in 7.5 points takes two in larger type."""

    def told(view: QrsView) -> str:
        sheet = galleys(view)
        return how_it_came_out(sheet, arrange(sheet))

    assert told(view_of(3, 4, sides=2)) == "1 side, 16 pt"
    lines = (24, 20, 22, 25)
    assert fits(view_of(*lines), 7.5) and not fits(view_of(*lines), 7.75)
    assert re.fullmatch(
        r"2 sides, \d+(\.\d+)? pt; one side at 7.5 pt would do", told(view_of(*lines, sides=2))
    )
    assert re.fullmatch(r"2 sides, \d+(\.\d+)? pt", told(view_of(*lines * 2, sides=2)))


@pytest.mark.parametrize("allowed", [2, 3, 5])
def test_no_sheet_is_printed_that_good_type_does_not_need(allowed: int) -> None:
    arrangement = arrange(galleys(view_of(*[13] * 8, sides=allowed)))
    assert {place.side for place in arrangement.placed} == {0, 1}
    assert arrangement.type_size >= 8


def test_more_panels_than_any_sheet_has_are_refused() -> None:
    problem = refusal(view_of(*[1] * 401, sides=8, columns=6))
    assert problem.message == "the quick reference has 401 panels"
    assert problem.expected == "up to 400 panels"


WORD = "Donaudampfschifffahrtsgesellschaftskapitaen" * 2


def view_with_table(
    heads: Sequence[str], *, title: str = "Short", wide: str = "false", cell: str = "4+"
) -> QrsView:
    """A sheet with one panel of a table with these heads, and a phase and a panel so called."""
    columns = {f"c{number}": head for number, head in enumerate(heads)}
    table = {
        "title": "Points",
        "rows": {"who": ["foot", "horse"]},
        "columns": {"of": columns},
        "cells": "text",
        "data": [[cell] * len(heads)] * 2,
    }
    step = {"title": title, "rule": "rules", "say": [title], "tables": ["t"], "wide": wide}
    asked = {"papers": ["letter"], "inks": ["full"], "sides": "1"}
    ruleset = ruleset_of(
        {"tables": {"t": table}, "sequence": {"a": {"title": title, "steps": {"s": step}}}},
        documents={"qrs": asked, "booklet": None, "cutouts": None},
    )
    return sheet_view(ruleset)


@pytest.mark.parametrize(
    ("view", "span"),
    [
        (view_with_table(["Alpha", "Beta", "Gamma"], title=WORD), 1),
        (view_with_table(["Detached points"] * 14), 2),
        (view_with_table(["Alpha", "Beta"], cell=WORD), 2),
    ],
    ids=["title", "heads", "cells"],
)
def test_words_too_long_are_broken_and_stay_in_their_columns(view: QrsView, span: int) -> None:
    arrangement = arrange(galleys(view))
    pdf = lay_out_sheet(galleys(view), arrangement).pdf(print_hints=False)
    sheet = sheet_of(view)
    letters = [letter for letter in Printed(pdf).letters(0) if 14 < letter.top < 200]
    assert letters
    assert max(letter.right for letter in letters) <= 7 + sheet.span_width(span) + 0.01
    for one, other in combinations(letters, 2):
        if abs(one.top - other.top) < 0.5 and one.text.strip() and other.text.strip():
            apart = min(one.right, other.right) - max(one.left, other.left)
            assert apart < 0.2, (one, other)


def test_a_table_whose_words_cannot_stand_is_refused() -> None:
    with pytest.raises(RenderFault) as raised:
        arrange(galleys(view_with_table(["Detached points"] * 24)))
    (problem,) = raised.value.problems
    assert problem.code == "R604"
    found = re.match(r"the table Points needs (\d+) characters side by side", problem.message)
    assert found and int(found[1]) > 1.6 * 125
    assert problem.message.endswith("two columns of the sheet have room for 125")
    assert problem.hint.startswith("use shorter words")
    assert arrange(galleys(view_with_table(["Detached points"] * 12))).placed


def test_a_panel_goes_across_two_columns_where_words_would_be_broken_in_one() -> None:
    few, many = view_with_table(["Alpha", "Beta"]), view_with_table(["Detached"] * 5)
    for view, size, span in ((few, 13.25, 1), (many, 13.25, 2)):
        arrangement = arrange(galleys(view))
        assert (arrangement.type_size, arrangement.placed[0].span) == (size, span)


def words_printed(view: QrsView) -> list[str]:
    set_in_type = galleys(view)
    pdf = lay_out_sheet(set_in_type, arrange(set_in_type)).pdf(print_hints=False)
    (text,) = (page.get_textpage().get_text_bounded() for page in Printed(pdf).viewed)
    words: list[str] = text.split()
    return words


def test_type_is_not_so_large_that_words_break() -> None:
    view = view_with_table(["Detached"] * 10)
    table = view.phases[0].panels[0].tables[0]
    room = room_of(sheet_of(view).span_width(2), 11)
    assert table.least > room
    size = arrange(galleys(view)).type_size
    assert 7 <= size <= 11 * room / table.least < size + 0.25
    assert words_printed(view).count("Detached") == 10


def test_a_word_over_narrow_columns_is_not_broken() -> None:
    axes = {"columns": {"of": {"a": "Disestablishmentarianism"}, "n": {"x": "1", "y": "2"}}}
    table = {"title": "T", "rows": {"who": ["foot"]}, "cells": "count", "data": [["1", "2"]]}
    step = {"title": "T", "rule": "rules", "tables": ["t"]}
    ruleset = ruleset_of(
        {
            "tables": {"t": {**table, **axes}},
            "sequence": {"a": {"title": "A", "steps": {"s": step}}},
        },
        documents={"qrs": {"columns": "6", "sides": "1"}, "booklet": None, "cutouts": None},
    )
    assert words_printed(sheet_view(ruleset)).count("Disestablishmentarianism") == 1


def cut_panel(*rows: int, say: int) -> list[list[tuple[str, int, int, int]]]:
    """The pieces of a panel with so many reminders, and tables of so many rows."""
    tables = {
        f"t{number}": {
            "title": f"Table {number}",
            "rows": {"n": [f"r{n}" for n in range(count)]},
            "columns": {"of": ["x", "y"]},
            "cells": "count",
            "data": [["1", "2"]] * count,
        }
        for number, count in enumerate(rows)
    }
    step = {"title": "Long", "rule": "rules", "say": ["Aim."] * say, "tables": list(tables)}
    ruleset = ruleset_of(
        {"tables": tables, "sequence": {"p": {"title": "Phase", "steps": {"s": step}}}},
        documents={"qrs": {"papers": ["a4"]}, "booklet": None, "cutouts": None},
    )
    pieces = galleys(sheet_view(ruleset)).at(8).pieces.values()
    return [
        [(one.kind, one.number, one.first, one.last) for one in piece.cut.pieces[piece.number]]
        for piece in pieces
    ]


@pytest.mark.parametrize(("rows", "say", "pieces"), beside(__file__, "pieces"))
def test_a_panel_is_cut_where_three_rows_and_a_third_are_left_on_either_side(
    rows: list[int], say: int, pieces: list[list[list[object]]]
) -> None:
    """And what is small stays with what is before it or behind it."""
    assert cut_panel(*rows, say=say) == [[tuple(cut) for cut in piece] for piece in pieces]


def test_no_part_of_a_table_torn_in_two_has_less_than_a_third_of_the_other() -> None:
    pieces = cut_panel(20, say=3)[1:]
    assert (pieces[0], pieces[-1]) == ([("tables", 0, 0, 5)], [("tables", 0, 15, 20)])
    assert len(pieces) == 2 + 10


def test_steps_that_go_over_keep_their_numbers() -> None:
    steps = tuple(f"Step {number}." for number in range(1, 9))
    view = view_of(3)
    panel = view.phases[0].panels[0]
    told = replace(panel, say=(), procedures=(StepsView("p", "Panel 0", steps),))
    view = replace(view, phases=(replace(view.phases[0], panels=(told,)),))
    pieces = galleys(view).at(8).pieces
    assert [piece.cut.pieces[piece.number][0].first for piece in pieces.values()] == [0, 3, 4, 5]
    at = [PlacedPanel("move-s0", 0, 0, 1, 0)]
    at += [PlacedPanel(f"move-s0.{n}", 0, 1, 1, 9.0 * n, carried=n == 1) for n in (1, 2, 3)]
    sheet = lay_out_sheet(galleys(view), Arrangement(8, tuple(at)))
    (text,) = Printed(sheet.pdf(print_hints=True)).texts
    assert text.count("continued") == 1
    assert "Step 3. 1. 2. 3." in text
    assert "Step 8. 4. 5. 6. 7. 8." in text


TURN = re.compile(r'<span class="p(\d)( here)?"[^>]*><i[^>]*></i><i[^>]*></i><b>([^<]*)</b>')


def test_the_turn_stands_at_the_head_of_each_side_with_its_own_phases_filled() -> None:
    view = view_of(9, 9, 9, 9, 9, 9, columns=2, sides=2)
    at = [PlacedPanel(f"move-s{n}", 0, 0, 1, 50.0 * n) for n in range(3)]
    at += [PlacedPanel(f"fire-s{n}", 1, 0, 1, 50.0 * n) for n in range(3)]
    html, _ = _frame(galleys(view), Arrangement(8, tuple(at)))
    assert [TURN.findall(head) for head in html.split("<header>")[1:]] == [
        [("1", " here", "1 Move"), ("2", "", "2 Fire")],
        [("1", "", "1 Move"), ("2", " here", "2 Fire")],
    ]


@pytest.mark.parametrize(("phases", "named"), [(6, 6), (16, 1), (40, 0)])
def test_a_long_turn_names_only_what_it_has_room_for(phases: int, named: int) -> None:
    view = view_of(3, 3)
    many = [
        replace(view.phases[0], id=f"p{number}", number=str(number), tab="Manoeuvre")
        for number in range(phases)
    ]
    size, turn = _turn(many, {"p0"}, 283, 120)
    assert size >= 7 - 0.01
    assert sum("Manoeuvre" in step.text for step in turn) == named
    assert turn[-1].left + turn[-1].width == pytest.approx(283, abs=0.01)


def test_columns_are_as_many_as_let_the_type_be_larger() -> None:
    """None is better than what is chosen: all that are tried are measured here."""
    for lines in ([13] * 8, [30, 4, 4, 4, 30, 9], [40, 6, 6, 6]):
        view = replace(view_of(*lines, sides=2), columns=0)
        chosen, found = best_arrangement(view, TEMPLATES)
        assert chosen.view.columns in column_counts(view) == (4, 3, 5, 2)
        for columns in column_counts(view):
            try:
                other = arrange(galleys(replace(view, columns=columns)))
            except RenderFault:
                continue
            assert found.sides <= other.sides
            if found.sides == other.sides:
                assert found.type_size >= other.type_size - HOLE


def test_what_is_rare_stands_on_a_second_sheet_that_the_first_names() -> None:
    view = view_of(3, 4, 5, 6)
    phases = tuple(
        replace(
            phase,
            panels=tuple(
                replace(panel, sheet=2 if panel.id.endswith("s1") else 1) for panel in phase.panels
            ),
        )
        for phase in view.phases
    )
    whole = replace(view, phases=phases)
    first, second = sheet_of_two(whole, 1), sheet_of_two(whole, 2)
    assert [panel.id for panel in panels_of(first)] == ["move-s0", "fire-s0"]
    assert [panel.id for panel in panels_of(second)] == ["move-s1", "fire-s1"]
    assert first.elsewhere == ("Panel 1", "Panel 3")
    assert second.elsewhere == ()
    assert (first.columns, second.columns) == (2, 0), "the second has as many as suit it"
    assert [phase.id for phase in second.turn] == ["move", "fire"]
    html, _ = _frame(galleys(first), arrange(galleys(first)))
    assert "On the second sheet: Panel 1, Panel 3" in html


def test_titles_of_the_second_sheet_are_told_whole_or_not_at_all() -> None:
    def foot(*titles: str) -> str:
        view = replace(view_of(3, 4), elsewhere=titles)
        return _foot(view, (), room=100)

    assert foot("Rockets", "Mines") == "On the second sheet: Rockets, Mines"
    assert foot("Rockets", "Mines", "M" * 60) == "On the second sheet: Rockets, Mines and more"
    assert foot("M" * 90, "Mines") == "More on the second sheet"
    assert foot() == ""
