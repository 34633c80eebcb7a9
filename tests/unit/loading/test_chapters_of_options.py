"""The chapter of an optional rule shows what the rule brings along, though it is not in force."""

from __future__ import annotations

from pathlib import Path

from frozen import change, freeze, loaded

from rulebook.documents.booklet.compose import compose_booklet
from rulebook.documents.catalogue import identity_of
from rulebook.loading.rulesets import load
from rulebook.loading.snapshots import load_snapshot
from rulebook.model.ruleset import Ruleset

ANNEX = """

## The night volley {#night_volley}

Muskets reach {moonlit_ranges.musket.long} by night and {ranges.musket.long} by day.

{table: moonlit_ranges}

{steps: night_fire}
"""
PROCEDURE = """\
adds:
  procedures:
    night_fire:
      title: Fire at night
      steps:
        - {say: "At {moonlit_ranges.musket.long} throw a die.", test: seen, dice: d6, target: 5+}
      result: {seen: seen}
"""


def with_chapter(game: Path) -> Path:
    annex = game / "annex.md"
    annex.write_text(annex.read_text() + ANNEX)
    change(game / "options" / "moonlight.yaml", "adds:\n", PROCEDURE)
    return game


def told(ruleset: Ruleset) -> str:
    """All that the view of the booklet holds of the section."""
    view = compose_booklet(ruleset, identity_of(ruleset), "a5", {}, {})
    sections = (section for chapter in view.chapters for section in chapter.sections)
    return str(next(section for section in sections if section.id == "night_volley"))


def test_its_tables_steps_and_values_print_there(game: Path) -> None:
    with_chapter(game)
    plain, in_force = loaded(game), loaded(game, "moonlight")
    assert "night_fire" not in plain.procedures
    for ruleset in (plain, in_force):
        section = told(ruleset)
        assert "Muskets reach 8″ by night and 24″ by day" in section
        assert "At 8″ throw a die" in section
        assert "Ranges by moonlight" in section


def test_a_release_prints_the_same(game: Path) -> None:
    again = load_snapshot(freeze(with_chapter(game))).ruleset
    assert told(again) == told(loaded(game))


def test_only_there(game: Path) -> None:
    with_chapter(game)
    fighting = game / "fighting.md"
    fighting.write_text(fighting.read_text() + "\n{steps: night_fire}\n")
    (problem,) = load(game).report
    assert (problem.code, "the option 'moonlight' adds it" in problem.hint) == ("R301", True)
    assert load(game, ["moonlight"]).ruleset is not None
