"""Fields that are parts of others: reckoned for every row, and found by references too."""

import shutil
from pathlib import Path

import pytest
from beside import beside
from small_rulesets import ruleset_of

from rulebook.loading.rulesets import load
from rulebook.model.cells import MISSING
from rulebook.model.entities import Status
from rulebook.model.lookup import find, printed
from rulebook.model.not_in_source import unstated
from rulebook.model.ruleset import Ruleset
from rulebook.model.sticks import Stick
from rulebook.problems import format_report

LOST = {"status": "missing", "note": "The page is lost."}


def with_part(kind: str, times: str, value: object) -> Ruleset:
    """A table of one row, with a field `whole` and a part of it, which stands first."""
    fields = {"part": {"type": kind, "of": "whole", "times": times}, "whole": kind}
    table = {"title": "T", "fields": fields, "data": {"it": {"whole": value}}}
    return ruleset_of({"tables": {"t": table}})


@pytest.mark.parametrize(("kind", "times", "value", "told"), beside(__file__, "part"))
def test_part(kind: str, times: str, value: str | None, told: str) -> None:
    cells = with_part(kind, times, value).tables["t"].data["it"].cells
    assert list(cells) == ["part", "whole"]
    assert str(cells["part"]) == told


def test_a_part_of_what_is_missing_is_missing_and_has_no_note() -> None:
    ruleset = with_part("length", "1/2", LOST)
    cells = ruleset.tables["t"].data["it"].cells
    assert (cells["part"], cells["whole"].status) == (MISSING, Status.MISSING)
    assert [item.title for item in unstated(ruleset)] == ["T: It, Whole"]


GUNS = beside(__file__, "guns")
STICK = """
cutouts:
  stick: {shape: stick, title: Stick, marks: {row: guns.light, columns: [quarter, half, range]}}
"""


def test_references_lead_to_parts(tmp_path: Path) -> None:
    valid = Path(__file__).parents[2] / "bad" / "valid" / "game"
    shutil.copytree(valid, tmp_path / "game")
    (tmp_path / "game" / "guns.yaml").write_text(GUNS + STICK)
    loaded = load(tmp_path / "game")
    assert format_report(loaded.report) == ""
    ruleset = loaded.ruleset
    paths = ["guns.light.quarter", "guns.heavy.range", "guns.heavy.quarter", "guns_rules.all.reach"]
    assert [printed(find(ruleset, path)) for path in paths] == ["6″", "12″", "3″", "3″"]
    assert printed(find(ruleset, "guns_rules.all.nothing")) == "–"
    assert isinstance(ruleset.cutouts["stick"], Stick)
