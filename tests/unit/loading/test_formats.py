"""Every format in which editions were ever released is read for ever.

For each format there is a folder `released/<number>` with an edition frozen in it, byte for byte,
and the defaults of that time: what a released edition leaves out must go on to mean the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from frozen import RELEASED, SMALL_WARS, SMALL_WARS_CM, loaded, snapshot_of
from pydantic import BaseModel

import rulebook.model.ruleset  # noqa: F401  (all models of a ruleset are then known)
from rulebook.loading.editions import load_edition
from rulebook.loading.snapshots import FORMAT, READERS, load_snapshot, read_snapshot
from rulebook.model.plain_data import header_of_edition, plain, plain_ruleset

FORMATS = range(1, FORMAT + 1)


def fixture(number: int, name: str = "small-wars") -> Path:
    return RELEASED / str(number) / name / "releases" / "1.0.json"


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
@pytest.mark.parametrize("folder", [SMALL_WARS, SMALL_WARS_CM], ids=lambda folder: folder.name)
def test_it_says_what_its_folder_says(number: int, folder: Path) -> None:
    """Plain, and with each option in force: header, tables, words, units, cards and cutouts."""
    for options in ((), *((option,) for option in loaded(folder).options)):
        found = load_edition(fixture(number, folder.name), options)
        assert list(found.report.errors) == [] and found.ruleset is not None
        said, says = plain_ruleset(found.ruleset), plain_ruleset(loaded(folder, *options))
        assert says["collections"] == said["collections"]
        assert says["chapters"] == said["chapters"] and says["sections"] == said["sections"]
        assert found.ruleset.header == header_of_edition(loaded(folder).header)
        assert found.ruleset.cover == loaded(folder).cover is not None


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
