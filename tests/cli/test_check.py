"""`rulebook check`: reports for people and programs."""

import json
import re
import shutil

import pytest
from frozen import change


def spoil(mygame) -> None:
    change(mygame / "shooting.yaml", "[4+, 5+]", "[4+, often]")
    change(mygame / "sequence.yaml", "cutouts: [grapeshot]", "cutouts: grapeshot")


def test_clean(run, mygame):
    result = run("check", exits=0)
    assert result.output.splitlines() == [
        "mygame 0.1: 8 tables, 1 cutout, 1 example, 3 chapters, 1 scenario, no faults",
        "not stated by the source: 1 house, 1 read (-v lists them)",
    ]


def test_verbose_lists_what_is_not_stated(run, mygame):
    lines = run("-v", "check", "mygame").output.splitlines()
    assert any(line.startswith("  read: Who starts a fight") for line in lines)
    assert any(line.startswith("  house: First shots") for line in lines)


def test_verbosity_after_the_command(run, mygame):
    assert run("check", "-v").output == run("-v", "check").output
    assert run("check", "mygame", "--verbose").output == run("-v", "check").output
    assert run("check", "-q").output == ""
    assert run("-v", "check", "-q").output == run("-q", "check", "-v").output == ""


def test_faults(run, mygame):
    spoil(mygame)
    result = run("check", exits=1)
    assert re.search(r"content/mygame/shooting.yaml:\d+:\d+: error\[R204\]", result.output)
    assert "^^^^^" in result.output
    assert result.output.splitlines()[-1] == "2 faults in 2 files; nothing was built"
    lines = run("check", "--format", "short").output.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("content/mygame/sequence.yaml:")


def test_json(run, mygame):
    clean = json.loads(run("check", "--format", "json").output)
    (ruleset,) = clean["rulesets"]
    assert (ruleset["id"], ruleset["edition"], ruleset["problems"]) == ("mygame", "0.1", [])
    assert {tuple(item) for item in ruleset["unstated"]} == {
        ("status", "title", "note", "source", "section")
    }
    spoil(mygame)
    result = run("check", "--format", "json", exits=1)
    (ruleset,) = json.loads(result.output)["rulesets"]
    assert ruleset["edition"] is None
    assert ruleset["unstated"] == []
    first = ruleset["problems"][0]
    assert list(first) == ["code", "severity", "message", "place", "expected", "hint", "also"]
    assert first["place"]["path"] == "content/mygame/sequence.yaml"


@pytest.mark.parametrize("command", [("check",), ("check", "--format", "short"), ("list",)])
def test_names_of_files_forge_no_line_and_reach_no_terminal(run, here, game, command):
    """A name may hold all but a slash: colours, a bell, the end of a line, a turn of direction."""
    forged = "a\x1b[2J\x07\n\x9b31mno faults\u202e"
    folder = here / "content" / forged
    folder.parent.mkdir()
    shutil.move(game, folder)
    (folder / f"{forged}.yaml").write_text("nonsense: {}\n")
    (folder / f"{forged}.yml").write_text("")
    (folder / "options" / f"{forged}.md").symlink_to("/etc/passwd")
    result = run(*command)
    told = result.output.replace("\n", "")
    assert told.isprintable()
    assert "a\N{REPLACEMENT CHARACTER}[2J" in told
    assert not any(line.startswith(("no faults", "31m")) for line in result.output.splitlines())
    unknown = run("check", "nobody").output
    assert unknown.replace("\n", "").isprintable()
    as_json = run(command[0], *(("--json",) if command == ("list",) else ("--format", "json")))
    assert as_json.output.replace("\n", "").isprintable()
    assert json.loads(as_json.output)["rulesets"][0]["id"] == forged
