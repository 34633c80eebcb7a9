"""`rulebook fmt`: files in the usual form, faulty ones left alone, nothing half written."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.build import publish


@pytest.fixture
def untidy(mygame: Path) -> Path:
    """A file of a ruleset that is not in the usual form."""
    file = mygame / "untidy.yaml"
    file.write_text("terms:\n    cover: {meaning: 'A wall.',  title: 'cover'}  # so\n", "utf-8")
    return file


TIDY = "terms:\n  cover: {title: cover, meaning: A wall.}  # so\n"


def test_a_starter_is_in_the_usual_form(run, mygame):
    told = run("fmt", "--check", "mygame")
    assert (told.exit_code, told.output.splitlines()[-1][-14:]) == (0, "0 would change")


def test_files_are_put_in_the_usual_form(run, untidy):
    before = untidy.read_text("utf-8")
    checked = run("fmt", "mygame", "--check")
    assert checked.exit_code == 1
    assert checked.output.splitlines()[0] == "would change content/mygame/untidy.yaml"
    shown = run("fmt", "mygame", "--diff")
    assert shown.exit_code == 0
    assert shown.output.splitlines()[3:] == [
        " terms:",
        "-    cover: {meaning: 'A wall.',  title: 'cover'}  # so",
        "+  cover: {title: cover, meaning: A wall.}  # so",
    ]
    assert untidy.read_text("utf-8") == before
    told = run("fmt", "mygame")
    assert told.exit_code == 0
    assert "changed content/mygame/untidy.yaml\n" in told.output
    assert untidy.read_text("utf-8") == TIDY
    assert run("fmt", "-q").output == ""
    assert run("fmt", "--check").exit_code == 0


def test_a_faulty_file_is_told_and_left_as_it_is(run, untidy):
    faulty = untidy.with_name("faulty.yaml")
    faulty.write_text("terms: {a: [\n", "utf-8")
    told = run("fmt", "mygame")
    assert told.exit_code == 1
    assert "content/mygame/faulty.yaml:1:12: error[R106]" in told.stderr
    assert faulty.read_text("utf-8") == "terms: {a: [\n"
    assert untidy.read_text("utf-8") == TIDY


def test_what_cannot_be_written_stays_whole(run, untidy, monkeypatch):
    before = untidy.read_text("utf-8")

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publish, "write_whole", full)
    told = run("fmt", "mygame")
    assert told.exit_code == 1
    assert "error[R702]: content/mygame/untidy.yaml cannot be written: no space left" in told.stderr
    assert untidy.read_text("utf-8") == before


def test_a_released_edition_is_refused(run, mygame):
    (mygame / "releases").mkdir()
    (mygame / "releases" / "0.1.json").write_text("{}", "utf-8")
    told = run("fmt", "mygame@0.1")
    assert told.exit_code == 2
    assert "a released edition never changes" in told.output
