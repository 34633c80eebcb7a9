"""Options in force: their rules stand once, where the rules are that they change."""

from __future__ import annotations

import shutil
from pathlib import Path

from frozen import SMALL_WARS, loaded

from rulebook.loading.options_in_force import IN_FORCE
from rulebook.model.prose import Section, Text


def sections(folder: Path, *options: str) -> dict[str, list[Section]]:
    """The sections of each chapter by its file."""
    return {chapter.file: list(chapter.sections) for chapter in loaded(folder, *options).chapters}


def words(section: Section) -> str:
    return "\n".join(part.markdown for part in section.parts if isinstance(part, Text))


def test_the_rule_of_an_option_stands_behind_what_it_changes() -> None:
    plain, chosen = sections(SMALL_WARS), sections(SMALL_WARS, "moonlight")
    assert [one.id for one in plain["annex.md"]] == ["night", "moonlight"]
    assert [one.id for one in chosen["annex.md"]] == ["night"]
    (moved,) = [one for one in chosen["shooting.md"] if one.id == "moonlight"]
    assert words(moved) == f"{IN_FORCE} By moonlight the wall counts for nothing."
    assert IN_FORCE not in words(plain["annex.md"][1])


def test_the_annex_goes_when_only_its_opening_is_left(tmp_path: Path) -> None:
    """An opening that holds a value, and so a rule, stays."""
    folder = tmp_path / SMALL_WARS.name
    shutil.copytree(SMALL_WARS, folder)
    annex = folder / "annex.md"
    before = "By night nobody shoots beyond {to_hit[6-12in, open]} or more."
    assert before in annex.read_text("utf-8")
    annex.write_text(annex.read_text("utf-8").replace(before, "If both agree."), "utf-8")
    assert "annex.md" in sections(folder)
    assert "annex.md" not in sections(folder, "moonlight")


def test_one_rule_of_two_options_is_told_once(tmp_path: Path) -> None:
    folder = tmp_path / SMALL_WARS.name
    shutil.copytree(SMALL_WARS, folder)
    other = "title: Starlight\nrule: moonlight\nchanges: {terms: {barrel: {title: tube}}}\n"
    other = other.replace("barrel", next(iter(loaded(folder).terms)))
    (folder / "options" / "starlight.yaml").write_text(other)
    chosen = sections(folder, "moonlight", "starlight")
    told = [words(one) for listed in chosen.values() for one in listed if one.id == "moonlight"]
    assert told == [f"{IN_FORCE} By moonlight the wall counts for nothing."]
