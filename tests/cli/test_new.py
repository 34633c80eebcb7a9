"""`rulebook new`: a start that checks clean, and that editors can complete."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from beside import beside
from click.testing import CliRunner
from composed import compose
from drawn_pictures import drawing

from rulebook.checking.all_checks import check
from rulebook.cli import cli
from rulebook.commands.new import usual_paper
from rulebook.documents.qrs.galley import Galleys
from rulebook.documents.qrs.layout import arrange
from rulebook.loading.rulesets import load
from rulebook.model.schemas import ruleset_schema, topic_schema
from rulebook.packaged import content_folder, templates_folder

#: The module; the package has the command under the same name.
command = sys.modules[usual_paper.__module__]


GAMES = [kind for kind in command.KINDS if kind != "sheet"]


@pytest.mark.parametrize("kind", GAMES)
def test_each_starter_has_all_that_a_game_needs(run, here, kind):
    """A turn, units, a scenario with a map; no fault or warning."""
    assert run("new", "mygame", "--like", kind, "--paper", "a4", "--ink", "full").exit_code == 0
    folder = Path("content/mygame")
    loaded = load(folder)
    assert loaded.ruleset is not None, list(loaded.report)
    assert list(check(loaded.ruleset)) == []
    ruleset = loaded.ruleset
    assert ruleset.header.title == "Mygame"
    assert all((ruleset.sequence, ruleset.units, ruleset.decks, ruleset.examples))
    (scenario,) = ruleset.scenarios.values()
    assert scenario.map.features
    assert all(force.of for side in scenario.sides.values() for force in side.forces.values())
    files = [path for path in folder.rglob("*.*") if path.is_file()]
    assert not [path for path in files if "@" in path.read_text() or "(TITLE)" in path.read_text()]


def test_a_sheet_is_one_file_with_the_chosen_paper(run, here):
    run("new", "thursday-night", "--like", "sheet", "--paper", "letter", "--ink", "low", exits=0)
    (page,) = Path("content/thursday-night").iterdir()
    ruleset = load(page.parent).ruleset
    assert page.name == "sheet.md" and ruleset.header.title == "Thursday night"
    documents = ruleset.header.documents
    assert (documents.qrs.papers, documents.qrs.inks) == (("letter",), ("low",))
    assert run("check", exits=0).output.endswith("no faults\n")


@pytest.mark.parametrize("kind", GAMES)
def test_the_commands_in_the_remarks_of_each_starter_run_and_its_pages_are_made(run, here, kind):
    run("new", "mygame", "--like", kind, exits=0)
    typed = [
        line.partition("#   rulebook ")[2].split()
        for path in Path("content").rglob("*.yaml")
        for line in path.read_text().splitlines()
        if "#   rulebook " in line
    ]
    assert len(typed) > 1
    for words in typed:
        assert run(*words, exits=0).output
    # Those for a screen, by the real stages: they are the soonest made.
    told = run("build", "mygame", "-j", "1", "--only", "*.html", exits=0).stdout
    assert "/scenarios/" in told


def test_the_kinds_of_games_are_told(run):
    told = run("new", "--help", exits=0).output
    for kind, shows in command.KINDS.items():
        assert f"  {kind:<11} {shows}\n" in told
    assert "choose one of them" in run("new", "a", "--like", "skirmish", "--from", "acw").output


def test_the_rule_of_the_starter_runs_as_it_says(run, mygame):
    typed = [
        line.split()[3:]
        for line in (mygame / "shooting.yaml").read_text().splitlines()
        if line.startswith("  #   rulebook ")
    ]
    assert [words[:2] for words in typed] == [["mygame", "shots"]] * 2
    told = run("odds", *typed[0]).output
    assert [line.split() for line in told.splitlines()[-3:]] == [
        [band, *(f"{float(3 * Fraction(7 - needs, 6)):.2f}" for needs in scores)]
        for band, scores in {"0-6in": (3, 4), "6-12in": (4, 5), "12-24in": (5, 6)}.items()
    ]
    assert "--seed" in run("roll", *typed[1]).output


def test_every_file_leads_editors_to_a_schema_that_is_there(mygame):
    for path in sorted(mygame.glob("*.yaml")):
        first = path.read_text().splitlines()[0]
        schema = first.removeprefix("# yaml-language-server: $schema=")
        assert json.loads((mygame / schema).read_text()) == (
            ruleset_schema() if path.name == "ruleset.yaml" else topic_schema()
        )


def test_a_path_is_taken_as_it_is(run, here):
    assert run("new", "games/skirmish-1").exit_code == 0
    assert Path("games/skirmish-1/ruleset.yaml").is_file()
    assert Path("games/.schema/topic.schema.json").is_file()
    assert "Skirmish 1" in Path("games/skirmish-1/ruleset.yaml").read_text()
    assert run("--content", "games", "check").exit_code == 0
    Path("games/filled").mkdir()
    assert run("--content", "games", "new", "filled").exit_code == 0
    assert Path("games/filled/ruleset.yaml").is_file()


def test_nothing_is_overwritten(run, mygame):
    before = (mygame / "ruleset.yaml").read_text()
    (mygame / "moving.md").unlink()
    result = run("new", "mygame")
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert (mygame / "ruleset.yaml").read_text() == before
    assert not (mygame / "moving.md").exists()


def test_a_file_in_the_way(run, here):
    Path("content").mkdir()
    Path("content/mygame").touch()
    assert run("new", "mygame").exit_code == 2
    Path("content/mygame").unlink()
    Path("content").rmdir()
    Path("content").touch()
    result = run("new", "mygame")
    assert result.exit_code == 1
    assert "cannot be written" in result.output


@pytest.mark.parametrize(("name", "meant"), beside(__file__, "names_that_are_no_ids"))
def test_names_that_are_no_ids(run, here, name, meant):
    result = run("new", name)
    assert result.exit_code == 2
    assert (f"such as '{meant}'" in result.output) if meant else ("such as" not in result.output)
    assert not Path("content").exists()


@pytest.mark.usefixtures("no_documents")
def test_a_shipped_ruleset_as_a_start(run):
    assert run("new", "mywar", "--from", "acw").exit_code == 0
    assert run("check", "mywar").exit_code == 0
    started = Path("content/mywar")
    assert (content_folder() / "acw" / "releases").is_dir()
    assert not (started / "releases").exists(), "it is another ruleset"
    assert not (started / "revisions.yaml").exists()
    assert run("release", "mywar").exit_code == 0
    result = run("new", "another", "--from", "acv")
    assert result.exit_code == 2
    assert "did you mean 'acw'?" in result.output


def test_the_sheet_of_the_starter_fills_its_columns(mygame):
    """It is the first page that a newcomer sees."""
    ruleset = load(mygame).ruleset
    assert ruleset is not None
    for view in (one.view for one in compose(ruleset) if one.kind == "qrs"):
        galleys = Galleys(view, templates_folder())
        sheet, found = galleys.sheet, arrange(galleys)
        heights = {panel.id: panel.height for panel in galleys.at(found.type_size).panels()}
        feet = [0.0] * sheet.columns
        for place in found.placed:
            feet[place.column] = max(feet[place.column], place.top + heights[place.id])
        assert min(feet) > 0.7 * sheet.height


def test_another_cover_is_printed_again(run, mygame):
    """By the real stages, on a page for a screen: it is the soonest made."""
    header = mygame / "ruleset.yaml"
    header.write_text(header.read_text().replace("# cover:", "cover:"))
    build = ("build", "mygame", "-j", "1", "--only", "booklet.html")
    assert "R217" in run(*build).stderr
    told = []
    for colour in ("red", "red", "blue"):
        (mygame / "cover.svg").write_bytes(drawing(f'<rect width="148" fill="{colour}"/>'))
        told.append(run(*build).stdout)
    assert ["1 written, 0 unchanged" in one for one in told] == [True, False, True]


def test_the_paper_and_the_ink_of_one_printer(run, here):
    result = run("new", "mygame", "--paper", "letter", "--ink", "full")
    assert result.exit_code == 0
    (ruleset,) = json.loads(run("list", "--json").output)["rulesets"]
    names = [Path(path).name for path in ruleset["documents"]]
    assert "qrs-letter.pdf" in names
    assert "booklet-letter-imposed.pdf" in names
    assert not [name for name in names if "-a4" in name or "-a5" in name or "-low" in name]


def test_in_a_terminal_it_is_asked(here, monkeypatch):
    monkeypatch.setattr(command, "in_a_terminal", lambda: True)
    monkeypatch.setenv("LC_ALL", "en_CA.UTF-8")
    told = CliRunner().invoke(cli, ["new", "mygame"], input="\n\nlow\n")
    assert told.exit_code == 0
    assert "What kind of game? (skirmish, big-battle, sheet, solo-hex) [skirmish]" in told.output
    assert "Which paper is in your printer? (a4, letter, both) [letter]" in told.output
    header = Path("content/mygame/ruleset.yaml").read_text("utf-8")
    assert "\n  papers: [letter] " in header
    assert "\n  inks: [low] " in header


@pytest.mark.parametrize(("settings", "paper"), beside(__file__, "the_paper_of_a_country"))
def test_the_paper_of_a_country(settings, paper):
    assert usual_paper(settings) == paper
