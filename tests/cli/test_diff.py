"""`rulebook diff`: what is compared with what, in every form, and how it ends."""

import json
import re
import shutil
from pathlib import Path

import pytest
from beside import beside
from frozen import change, freeze

from rulebook.documents.changes.diff import FORMAT
from rulebook.manual.book import FOLDER
from rulebook.model.revisions import CLASSES
from rulebook.packaged import content_folder

REVISIONS = beside(__file__, "revisions")


def test_comments_and_files_are_no_change(run, released):
    change(released / "shooting.yaml", "# ", "# said otherwise: ")
    (released / "moving.yaml").rename(released / "walking.yaml")
    assert run("diff", "mygame", exits=0).output.splitlines()[-1] == "Nothing changed."


def test_the_working_copy_since_the_last_release(run, changed):
    result = run("diff", "mygame", exits=0)
    lines = result.output.splitlines()
    assert "0.1" in lines[0]
    assert "working" in " ".join(lines[:2])
    assert "CHANGES OF THE RULES WITHOUT A CLASS" in lines
    assert any(re.search(r"3\+ → 2\+", line) for line in lines)


@pytest.mark.parametrize("arguments", [["mygame", "0.1"], ["mygame@0.1"], ["mygame@0.1", "mygame"]])
def test_an_edition_by_its_name(run, changed, arguments):
    assert run("diff", *arguments).output == run("diff", "mygame").output


def test_two_editions_with_their_author_s_words(run, changed):
    """They are compared alike without the folder's own files."""
    assert run("release", "mygame").exit_code == 1
    (changed / "revisions.yaml").write_text(REVISIONS, "utf-8")
    freeze(changed)
    result = run("diff", "mygame", "0.1", "0.2", exits=0)
    assert "1 rule change" in result.output
    assert "Better marksmen\n  Nobody hit anything.\n" in result.output
    assert "working" not in result.output
    assert run("diff", "mygame@0.1", "mygame@0.2").output == result.output
    for path in changed.iterdir():
        if path.is_file() and path.name != "revisions.yaml":
            path.unlink()
    assert run("diff", "mygame", "0.1", "0.2").output == result.output


def test_notes_of_editions_between_are_told_together(run, changed):
    (changed / "revisions.yaml").write_text(REVISIONS, "utf-8")
    freeze(changed)
    change(changed / "shooting.yaml", "[2+, 4+]", "[2+, 5+]")
    change(changed / "ruleset.yaml", 'edition: "0.2"', 'edition: "0.3"')
    assert "Better marksmen" in run("diff", "mygame", "0.1").output
    assert "Better marksmen" not in run("diff", "mygame", "0.2").output


def test_two_rulesets(run, released):
    shutil.copytree(released, released.parent / "yourgame", ignore=shutil.ignore_patterns("rel*"))
    change(released.parent / "yourgame" / "shooting.yaml", "[3+, 4+]", "[2+, 4+]")
    result = run("diff", "mygame", "yourgame", exits=0)
    assert "CHANGES OF THE RULES\n" in result.output
    assert "3+ → 2+" in result.output


def test_json(run, changed):
    (changed / "revisions.yaml").write_text(REVISIONS, "utf-8")
    found = json.loads(run("diff", "mygame", "--format", "json").output)
    assert found["old"]["edition"] == "0.1"
    assert (found["new"]["edition"], found["new"]["working"]) == ("0.2", True)
    assert found["summary"] == "Marksmen are better."
    assert found["counts"]["rule change"] == 1
    (revision,) = found["revisions"]
    assert (revision["title"], revision["class"]) == ("Better marksmen", "rule change")
    assert revision["why"] == "Nobody hit anything." and revision["rule"]
    (table,) = [thing for thing in revision["things"] if thing["id"] == "to_hit"]
    assert (table["thing"], table["kind"], bool(table["rule"])) == ("table", "changed", True)
    (cell,) = table["parts"]
    assert cell["path"][:4] == ["collections", "tables", "to_hit", "data"]
    assert (cell["kind"], cell["before"], cell["after"]) == ("changed", "3+", "2+")
    assert (cell["old"], cell["new"]) == ("3+", "2+")


def form_of(text: str) -> dict:
    """The names in a form that is written `{"a", "b": {"c"}, "d": [{"e"}]}`, each with its own."""
    return json.loads(re.sub(r'("[a-z_ ]+")(?=\s*[,}])', r"\1: null", text))


def assert_of_form(found: object, form: object) -> None:
    """The data has the names of a form and no others."""
    if isinstance(form, dict):
        assert found.keys() == form.keys()
        for name, inner in form.items():
            assert_of_form(found[name], inner)
    elif isinstance(form, list):
        assert isinstance(found, list)
        for one in found:
            assert_of_form(one, form[0])


@pytest.mark.parametrize("arguments", [("1.0", "2.0"), ("--with", "zouaves")])
def test_the_form_of_the_json_is_that_of_the_manual(run, here, arguments):
    chapter = (FOLDER / "editions.md").read_text("utf-8")
    whole, thing, in_play = map(form_of, re.findall(r"```text\n(.*?)```", chapter, re.DOTALL))
    content = ("--content", str(content_folder()))
    result = run(*content, "diff", "acw", *arguments, "--format", "json", "--impact", exits=0)
    found = json.loads(result.output)
    assert found["format"] == whole["format"] == FORMAT
    impact, counts = found.pop("impact"), found.pop("counts")
    assert found["revisions"] or found["unclassed"]
    del whole["counts"]
    whole["revisions"][0]["things"] = whole["editorial"] = whole["unclassed"] = [thing]
    assert_of_form(found, whole)
    assert_of_form({"impact": impact}, in_play)
    procedures = in_play["impact"]["procedures"]
    assert_of_form([one["procedures"] for one in impact["options"]], [procedures])
    assert list(counts) == list(CLASSES)


@pytest.mark.parametrize(
    ("form", "marked", "heading"),
    [
        ("text", ["3+ → 2+"], "In play, 0.1 → 0.2"),
        ("md", ["~~3+~~", "**2+**"], "## In play"),
        ("html", ["<del>3+</del>", "<ins>2+</ins>"], "<h2>In play</h2>"),
    ],
)
def test_forms(run, changed, form, marked, heading):
    text = run("diff", "mygame", "--format", form, "--impact").output
    assert all(one in text for one in [*marked, heading])


def test_a_page(run, changed):
    result = run("diff", "mygame", "--format", "html", "-o", "changes.html")
    assert (result.exit_code, result.output) == (0, "wrote changes.html\n")
    page = Path("changes.html").read_text("utf-8")
    assert "://" not in page.replace("http://www.w3.org/", "")
    assert "@font-face" in page


@pytest.mark.parametrize(("arguments", "told"), beside(__file__, "usage"))
def test_usage(run, released, arguments, told):
    assert told in run("diff", *arguments, exits=2).output


def test_no_edition_has_been_released(run, mygame):
    assert "no edition of 'mygame' has been released" in run("diff", "mygame", exits=2).output


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("shooting.yaml", "a: [3+, 4]", "shooting.yaml"),
        ("revisions.yaml", "editions: {0.2: {changes: no}}", "revisions.yaml"),
    ],
)
def test_faults_of_content_and_of_notes(run, changed, file, text, fault):
    (changed / file).write_text(text, "utf-8")
    assert fault in run("diff", "mygame", exits=1).output


def test_a_folder_that_cannot_be_written(run, changed):
    result = run("diff", "mygame", "-o", "content/mygame/ruleset.yaml/changes.txt")
    assert (result.exit_code, "R702" in result.output) == (1, True)


@pytest.mark.parametrize(
    ("command", "status", "severity"), [("release", 1, "error"), ("check", 0, "warning")]
)
def test_a_former_id_is_held_against_the_edition_before(run, changed, command, status, severity):
    (changed / "revisions.yaml").write_text(REVISIONS, "utf-8")
    change(changed / "shooting.yaml", "  to_hit:\n", "  to_hit:\n    was: to_htt\n")
    result = run(command, "mygame", exits=status)
    assert "shooting.yaml" in result.output
    assert f"{severity}[R806]: nothing that is gone was called 'to_htt'" in result.output


def test_a_renamed_table_and_its_uses(run, released):
    for path in released.iterdir():
        if path.suffix in (".yaml", ".md"):
            path.write_text(re.sub(r"\bto_hit\b", "scores", path.read_text("utf-8")), "utf-8")
    change(released / "shooting.yaml", "  scores:\n", "  scores:\n    was: to_hit\n")
    assert run("check", "mygame").exit_code == 0
    result = run("diff", "mygame")
    told = [line for line in result.output.splitlines() if "(table)" in line]
    assert told == ["2.1 To hit (table), whose id was to_hit"]
    found = json.loads(run("diff", "mygame", "--format", "json").output)
    (table,) = found["editorial"]
    assert (table["kind"], table["was"]) == ("renamed", "to_hit") and not found["unclassed"]


VARIANT = """based_on: mygame
title: Small
edition: "1"
lengths: {scale: 1/2, read: {in: 1cm}}
appendices: [walls.md]
"""


def test_turned_lengths_are_one_change_and_print_as_they_are_turned(run, mygame):
    variant = mygame.parent / "small"
    variant.mkdir()
    (variant / "ruleset.yaml").write_text(VARIANT)
    (variant / "walls.md").write_text("# Walls {#walls}\n\nA wall stops men within {12in}.\n")
    result = run("diff", "mygame", "small", exits=0)
    assert "A wall stops men within 6 cm." in result.output
    assert "lengths: at ½ of the lengths, 1″ read as 1 cm" in " ".join(result.output.split())
    assert "(table)" not in result.output
    found = json.loads(run("diff", "mygame", "small", "--format", "json").output)["unclassed"]
    parts = [part for thing in found for part in thing["parts"]]
    (lengths,) = [one for one in parts if one["path"] == ["header", "lengths"]]
    assert lengths["new"]["scale"] == "0.5"


class TestWithAnOption:
    """The ruleset as it is, beside itself with an option in force."""

    def test_what_it_changes(self, run, wet):
        result = run("diff", "mygame", "--with", "rain", exits=0)
        assert "working copy, with Rain)" in " ".join(result.output.split())
        assert "CHANGES OF THE RULES\n" in result.output
        assert "without a class" not in result.output
        assert re.search(r"^  - .*[Cc]rowd", result.output, re.MULTILINE)

    def test_json_names_it(self, run, wet):
        found = json.loads(run("diff", "mygame", "--with", "rain", "--format", "json").output)
        assert (found["old"]["options"], found["new"]["options"]) == ([], ["Rain"])
        parts = [part for thing in found["unclassed"] for part in thing["parts"]]
        assert {"removed"} == {one["kind"] for one in parts if "shooting" in one["path"]}

    def test_of_an_edition(self, run, wet):
        freeze(wet)
        result = run("diff", "mygame@0.1", "--with", "rain", exits=0)
        assert "working copy" not in result.output
        assert "with Rain)" in result.output

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["0.1", "--with", "rain"], "--with and another edition, '0.1'"),
            (["--with", "rian"], "no option 'rian', did you mean 'rain'?"),
        ],
    )
    def test_usage(self, run, wet, arguments, told):
        assert told in run("diff", "mygame", *arguments, exits=2).output
