"""`rulebook list`: the JSON form is a contract."""

import json
import shutil
from typing import Any

from beside import as_written
from fake_stages import use
from frozen import change

KEYS = as_written(__file__, "keys")  # fmt: skip


def the_one(run) -> dict[str, Any]:
    """The ruleset in the content folder, as programs read of it."""
    (ruleset,) = json.loads(run("list", "--json", exits=0).output)["rulesets"]
    return ruleset


def test_json(run, mygame):
    ruleset = the_one(run)
    assert list(ruleset) == KEYS
    assert (ruleset["id"], ruleset["title"], ruleset["edition"]) == ("mygame", "Mygame", "0.1")
    assert ruleset["faults"] == 0
    assert (ruleset["status"], ruleset["editions"]) == ("working copy", [])
    assert "mygame/0.1/qrs-a4.pdf" in ruleset["documents"]
    assert "mygame/0.1/cutouts/grapeshot.svg" in ruleset["documents"]
    assert {"id": "moves", "title": "Moves"} in ruleset["tables"]
    assert [one["id"] for one in ruleset["modifiers"]] == ["shooting", "fighting"]
    assert [one["id"] for one in ruleset["cutouts"]] == ["grapeshot"]
    (shots,) = ruleset["procedures"]
    assert (shots["id"], shots["title"], shots["results"]) == ("shots", "Shots", ["hits"])
    figures, band, _, conditions = shots["inputs"]
    assert figures == {
        "name": "figures",
        "label": "Figures shooting",
        "default": "3",
        "choices": "1 to 12",
        "values": [str(number) for number in range(1, 12 + 1)],
    }
    assert band["values"] == ["0-6in", "6-12in", "12-24in"]
    assert (conditions["default"], conditions["values"][0]) == ("none", "moved")
    assert ruleset["options"] == []
    assert [one["id"] for one in ruleset["examples"]] == ["first_shots"]
    assert [one["id"] for one in ruleset["chapters"]] == [
        "moving", "shooting_chapter", "fighting_chapter"
    ]  # fmt: skip


def test_what_a_build_has_kept_is_not_read_again(run, mygame, blank_files, monkeypatch):
    read = run("--cache", "other", "list", "--json").output
    run("build", exits=0)
    use(monkeypatch, load=None, compute=None, check=None, before=None, plan=None)
    assert run("list", "--json").output == read


def test_an_edition_without_a_date(run, mygame):
    change(mygame / "ruleset.yaml", "\ndate:", "\n# date:")
    ruleset = the_one(run)
    assert (ruleset["edition"], ruleset["date"], ruleset["faults"]) == ("0.1", None, 0)


def test_a_ruleset_with_faults_is_listed_too(run, mygame):
    (mygame / "ruleset.yaml").write_text("title: [")
    ruleset = the_one(run)
    assert list(ruleset) == KEYS
    assert ruleset["title"] is None
    assert ruleset["faults"] > 0
    assert ruleset["documents"] == []
    assert "see 'rulebook check'" in run("list").output


def test_for_people(run, mygame):
    output = run("list").output
    assert output.startswith("mygame 0.1  Mygame (")
    assert "  2 modifiers: shooting, fighting" in output
    assert "    mygame/0.1/booklet-a5.pdf" in output
    verbose = run("-v", "list").output
    assert "    moves  Moves" in verbose
    assert "    shots  Shots\n      figures: 1 to 12\n      range: 0-6in, 6-12in" in verbose


def test_only_those_that_are_named(run, mygame):
    other = mygame.with_name("other")
    shutil.copytree(mygame, other)
    told = {name: run("list", *name.split()).output for name in ("", "other", "mygame other")}
    assert "mygame 0.1" not in told["other"]
    assert told[""] == told["mygame other"]
    assert told[""].endswith(told["other"])
    missed = run("list", "othr")
    assert (missed.exit_code, "did you mean 'other'" in missed.output) == (2, True)


def test_options_are_listed(run, dice):
    ruleset = the_one(run)
    assert ruleset["options"] == [{"id": "brave", "title": "Brave men"}]
    assert "  1 option: brave" in run("list").output


def test_procedures_with_faults_have_neither_inputs_nor_results(run, dice):
    change(dice / "rolls.yaml", "die - deduction", "die - deductoin")
    ruleset = the_one(run)
    fire, nerve = (one for one in ruleset["procedures"] if one["id"] in ("fire", "nerve"))
    assert (fire["inputs"], fire["results"]) == ([], [])
    assert [one["name"] for one in nerve["inputs"]] == ["bold"]


def test_released_editions(run, second):
    (second / "revisions.yaml").write_text('withdrawn: {"0.1": A slip.}\n', "utf-8")
    ruleset = the_one(run)
    assert (ruleset["edition"], ruleset["status"]) == ("0.2", "working copy")
    (edition,) = ruleset["editions"]
    assert list(edition) == [
        "edition", "title", "date", "status", "reason", "withdrawn", "after", "summary",
            "changes", "sha256",
    ]  # fmt: skip
    assert (edition["edition"], edition["status"], edition["reason"]) == (
        "0.1",
        "withdrawn",
        "A slip.",
    )
    assert "\n  released: 0.1 (withdrawn)\n" in run("list").output


def test_nothing_but_releases(run, released):
    assert the_one(run)["status"] == "released", "the working copy is as it was released"
    for path in released.iterdir():
        if path.is_file():
            path.unlink()
    ruleset = the_one(run)
    assert (ruleset["id"], ruleset["edition"], ruleset["status"]) == ("mygame", "0.1", "released")
    assert "mygame/0.1/qrs-a4.pdf" in ruleset["documents"]


def test_editions_of_a_ruleset_with_faults(run, released):
    (released / "ruleset.yaml").write_text("title: [")
    ruleset = the_one(run)
    assert (ruleset["title"], ruleset["status"]) == (None, None)
    assert [one["edition"] for one in ruleset["editions"]] == ["0.1"]
    assert "  released: 0.1" in run("list").output


def test_a_file_that_is_a_sheet(run, here):
    (here / "thursday.md").write_text("# Move\n- go\n")
    (here / "friday.md").write_text("# Move\n- go far\n")
    (here / "game.xlsx").write_text("")
    listed = run("list", "thursday.md", exits=0).output
    assert listed.startswith("thursday 1  Thursday\n")
    assert run("list", "thursday", exits=0).output == listed
    assert "+ panel: go far" in run("diff", "thursday", "friday.md", exits=0).output
    assert "did you mean 'friday.md'?" in run("list", "fridy.md", exits=2).output
    assert "rulebook import game.xlsx" in run("build", "game.xlsx", exits=2).output
    (here / "other").mkdir()
    (here / "other" / "friday.md").write_text("- stay\n")
    both = run("list", "friday.md", "other/friday.md", exits=2).output
    assert "two rulesets are called 'friday'" in both
