"""What the source does not plainly state, in the order of the booklet."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beside import as_written, beside, rows
from small_rulesets import ruleset_of

from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.tables import TableComposer
from rulebook.loading.rulesets import load
from rulebook.model.cards import deal
from rulebook.model.cells import MISSING
from rulebook.model.entities import Status
from rulebook.model.not_in_source import unstated
from rulebook.model.ruleset import Ruleset
from rulebook.problems import format_report

VALID = Path(__file__).parents[2] / "bad" / "valid" / "game"


def test_the_valid_ruleset(ruleset: Ruleset) -> None:
    assert [
        (item.status, item.title, item.section_id, item.address) for item in unstated(ruleset)
    ] == [
        (Status.HOUSE, "A first volley", "musketry", ("examples", "first_volley")),
        (
            Status.READ,
            "How far the ball runs on",
            "round_shot",
            ("prose", "round_shot", "How far the ball runs on"),
        ),
        (Status.HOUSE, "Two volleys", "night", ("examples", "two_volleys")),
        (Status.HOUSE, "Fire", None, ("sequence", "fire")),
    ]


def test_rows_cells_and_conditions(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(VALID, game)
    shooting = game / "shooting.yaml"
    text = shooting.read_text()
    for old, new in as_written(__file__, "rows_cells_and_conditions").items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    shooting.write_text(text)
    loaded = load(game)
    assert format_report(loaded.report) == ""
    assert loaded.ruleset is not None
    found = unstated(loaded.ruleset)[:5]
    assert [(item.status.value, item.title, item.address) for item in found] == rows(
        __file__, "rows_and_cells_found"
    )
    assert [str(item.note) for item in found] == beside(__file__, "notes_of_rows_and_cells")
    assert found[0].source == "p. 4"
    assert {item.section_id for item in found} == {"musketry"}


# Tables and rows that are missing as a whole: blanks to fill in, and one note.

LOST = {"status": "missing", "note": "The page is lost."}


def form(**more: Any) -> dict[str, Any]:
    return beside(__file__, "form") | more


def notes(collections: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(item.title, item.status.value) for item in unstated(ruleset_of(collections))]


def test_a_record_table_that_is_missing_leaves_its_cells_out() -> None:
    ruleset = ruleset_of({"tables": {"form": form()}})
    table = ruleset.tables["form"]
    assert table.data["foot"].cells == {"move": MISSING, "range": MISSING}
    assert table.data["guns"].cells == table.data["foot"].cells
    horse = table.data["horse"].cells["range"]
    assert (horse.value, horse.status) == (None, Status.READ)


def test_its_cells_are_blanks_on_the_page_and_on_cards() -> None:
    deck = {"title": "Units", "from": "form"}
    ruleset = ruleset_of({"tables": {"form": form()}, "cards": {"deck": deck}})
    view = TableComposer(Binder(ruleset)).view("form", 100)
    blank = [[cell.missing for cell in row.cells] for row in view.body]
    assert blank == [[True, True], [True, False], [True, True]]
    cards = deal(ruleset, "deck")
    assert [[field.name for field in card.shown if field.missing] for card in cards] == [
        ["move", "range"],
        ["move"],
        ["move", "range"],
    ]


def test_a_row_that_is_missing_leaves_its_cells_out() -> None:
    data = {"foot": {"move": "6in", "range": "9in"}, "horse": LOST}
    tables = {"tables": {"form": form(status="stated", note=None, data=data)}}
    table = ruleset_of(tables).tables["form"]
    assert table.data["horse"].cells == {"move": MISSING, "range": MISSING}
    assert notes(tables) == [("Unit data: Horse", "missing")]


def test_a_grid_that_is_missing_leaves_its_data_out() -> None:
    grid = beside(__file__, "grid")
    found = ruleset_of({"tables": {"hits": grid}}).tables["hits"]
    assert found.data == ((MISSING, MISSING),) * 6
    assert notes({"tables": {"hits": grid}}) == [("Hits", "missing")]


def test_a_modifier_that_is_missing_leaves_its_amounts_out() -> None:
    modifiers = beside(__file__, "modifiers")
    found = ruleset_of({"modifiers": {"fire": modifiers}}).modifiers["fire"].data
    assert found["hill"].cells == {"score": MISSING, "dice": MISSING}
    assert found["wall"].cells.keys() == {"score"}
    assert notes({"modifiers": {"fire": modifiers}}) == [("Fire: uphill", "missing")]
