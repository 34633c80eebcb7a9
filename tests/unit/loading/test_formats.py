"""Every format in which editions were ever released is read for ever.

For each format there is a folder `released/<number>` with an edition frozen in it, byte for byte,
and the defaults of that time: what a released edition leaves out must go on to mean the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from asked_odds import Asked
from frozen import RELEASED, SMALL_WARS, SMALL_WARS_CM, snapshot_of
from pydantic import BaseModel

import rulebook.model.options
import rulebook.model.ruleset  # noqa: F401  (all models of a ruleset are then known)
from rulebook import quantities as q
from rulebook.loading.editions import load_edition
from rulebook.loading.snapshots import FORMAT, READERS, load_snapshot, read_snapshot
from rulebook.model.plain import plain
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid, RecordTable

FORMATS = range(1, FORMAT + 1)


def fixture(number: int, name: str = "small-wars") -> Path:
    return RELEASED / str(number) / name / "releases" / "1.0.json"


def read(number: int, *options: str) -> Ruleset:
    found = load_edition(fixture(number), options)
    assert found.ruleset is not None, list(found.report)
    return found.ruleset


def mean_of_hits(ruleset: Ruleset, **inputs: str) -> Fraction:
    odds = Asked(ruleset).joint("shots", **inputs)
    return sum((hits * share for hits, share in odds.items()), Fraction(0))


def test_every_format_has_its_reader_and_its_edition() -> None:
    assert sorted(READERS) == [number for number in FORMATS if number < FORMAT]
    folders = sorted(path.name for path in RELEASED.iterdir() if path.name.isdigit())
    assert folders == [str(number) for number in FORMATS]


@pytest.mark.parametrize("number", FORMATS)
def test_an_edition_of_each_format_is_read(number: int) -> None:
    snapshot, problems = read_snapshot(fixture(number))
    assert problems == [] and snapshot is not None
    assert json.loads(fixture(number).read_text("utf-8"))["format"] == str(number)
    assert (snapshot.ruleset, snapshot.edition, snapshot.written) == ("small-wars", "1.0", number)
    assert list(load_snapshot(fixture(number)).report) == []


@pytest.mark.parametrize("number", FORMATS)
class TestItSaysWhatItSaid:
    def test_the_header(self, number: int) -> None:
        header = read(number).header
        assert (header.title, header.edition, str(header.date)) == (
            "Small Wars",
            "1.0",
            "2010-06-17",
        )
        assert header.natural == {1: "fails", 6: "passes"}
        assert header.documents.qrs is not None
        assert (header.documents.qrs.sides, header.documents.qrs.columns) == (1, 2)
        assert read(number).cover is not None

    def test_tables(self, number: int) -> None:
        ruleset = read(number)
        strengths, lost = ruleset.tables["strengths"], ruleset.tables["lost"]
        assert isinstance(strengths, RecordTable) and isinstance(lost, Grid)
        foot, horse = strengths.data["foot"].cells, strengths.data["horse"].cells
        assert foot["half"].value == 12 and horse["half"].value == 7
        assert foot["move"].value == q.parse_length("6in")
        assert foot["skill"].value == q.parse_roll_target("6/4+")
        assert horse["skill"].value == q.parse_roll_target("never")
        assert (foot["share"].value, horse["share"].value) == (Fraction(1, 3), Fraction(1, 8))
        assert horse["hits_on"].value == q.Faces(frozenset())
        assert horse["notes"].value is None
        assert (horse["move"].status, str(horse["move"].note)) == (
            "read",
            "Or ten: the page is torn.",
        )
        assert str(foot["reach"].value) == "0–7½″"
        assert all(cell.status == "missing" for row in lost.data for cell in row)

    def test_the_words(self, number: int) -> None:
        chapters = read(number).chapters
        marks = [(one.file, one.annex, one.appendix) for one in chapters]
        assert marks == [
            ("moving.md", False, False),
            ("shooting.md", False, False),
            ("fighting.md", False, False),
            ("annex.md", True, False),
            ("odds.md", True, True),
        ]
        assert [section.id for section in chapters[3].sections] == ["night", "moonlight"]

    def test_units_cards_and_cutouts(self, number: int) -> None:
        ruleset = read(number)
        (regiment,) = ruleset.units.values()
        assert regiment.tracks["men"].boxes == 24
        assert [mark.at for mark in regiment.tracks["men"].marks] == [12]
        assert list(ruleset.decks) == ["army", "tricks"]
        assert ruleset.decks["tricks"].back is None
        assert list(ruleset.cutouts) == [
            "grapeshot", "burst", "field", "move_stick", "range_stick", "stands", "tokens",
        ]  # fmt: skip

    def test_what_is_thrown(self, number: int) -> None:
        """Three figures that need 4 or more on a die."""
        assert mean_of_hits(read(number), range="6-12in") == 3 * Fraction(3, 6)

    def test_an_option(self, number: int) -> None:
        """By moonlight the barrel on a wall, which adds 1, counts for nothing."""
        given = {"range": "6-12in", "conditions": "rest"}
        assert mean_of_hits(read(number), **given) == 3 * Fraction(4, 6)
        assert mean_of_hits(read(number, "moonlight"), **given) == 3 * Fraction(3, 6)


@pytest.mark.parametrize("number", FORMATS)
def test_a_variant(number: int) -> None:
    """It holds all of its base; 6in at half scale are 7.5cm, where an inch is read as 2.5cm."""
    found = load_snapshot(fixture(number, "small-wars-cm"))
    assert list(found.report.errors) == [] and found.ruleset is not None
    strengths, moves = (found.ruleset.tables[name] for name in ("strengths", "moves"))
    assert isinstance(strengths, RecordTable) and isinstance(moves, RecordTable)
    assert strengths.data["foot"].cells["half"].value == 10
    assert moves.data["foot"].cells["open"].value == q.parse_length("7.5cm")
    assert "rough_ground" not in found.ruleset.terms
    assert found.ruleset.header.based_on == "small-wars"


@pytest.mark.parametrize("folder", [SMALL_WARS, SMALL_WARS_CM], ids=lambda folder: folder.name)
def test_the_format_of_today_is_written_as_it_was(folder: Path) -> None:
    """Another spelling would give editions that were released another checksum."""
    assert snapshot_of(folder).text() == fixture(FORMAT, folder.name).read_text("utf-8")


@pytest.mark.parametrize("number", FORMATS)
def test_what_is_left_out_means_what_it_meant(number: int) -> None:
    """New fields may come. A default that changes needs a new format, and a reader of the old."""
    before = json.loads((RELEASED / str(number) / "defaults.json").read_text("utf-8"))
    now = dict(defaults())
    if number == FORMAT:
        changed = {name: (before[name], now.get(name, "gone")) for name in before}
        assert {name: pair for name, pair in changed.items() if pair[0] != pair[1]} == {}


def defaults() -> Iterator[tuple[str, object]]:
    """`QrsSpec.sides` -> its default, of every field of a ruleset's models that has one."""
    waiting: list[type[BaseModel]] = list(BaseModel.__subclasses__())
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        if model.__module__.startswith("rulebook.model.") and "revisions" not in model.__module__:
            for name, field in model.model_fields.items():
                if not field.is_required():
                    default = field.get_default(call_default_factory=True)
                    yield f"{model.__name__}.{field.alias or name}", plain(default)
