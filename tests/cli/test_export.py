"""`rulebook export`: tables as files for spreadsheets."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.usefixtures("unprinted")


def test_a_table_goes_to_the_terminal_and_names_are_as_elsewhere(run, mygame):
    told = run("export", "mygame", "moves", exits=0)
    heading, *rows = told.output.splitlines()
    assert heading.split(",")[:2] == ["id", "title"]
    assert rows
    assert run("export", "mygame", "moves", "--tsv").output.splitlines()[0].split("\t")[0] == "id"
    assert "did you mean 'moves'?" in run("export", "mygame", "movs", exits=2).output


def test_a_table_read_back_from_the_file_is_the_same_edition(run, mygame):
    assert run("release", "mygame").exit_code == 0
    folder = mygame
    told = run("export", "mygame", "shooting", "-o", str(folder / "shooting.csv")).output
    assert told.endswith("to read it from there write: rows: shooting.csv\n")
    assert (folder / "shooting.csv").read_bytes().startswith(b"\xef\xbb\xbfid,")
    (file,) = (one for one in folder.glob("*.yaml") if "  shooting:\n" in one.read_text("utf-8"))
    text = file.read_text("utf-8")
    rows = re.search(r"  shooting:\n(?:    .*\n)*?    rows:\n((?:      .*\n)+)", text)
    assert rows
    file.write_text(text.replace(f"    rows:\n{rows[1]}", "    rows: shooting.csv\n"), "utf-8")
    assert "is released already, as it stands" in run("release", "mygame").output
    written = (folder / "shooting.csv").read_text("utf-8")
    changed = re.sub(r"(crowd,.*),'\+1", r"\1,'+2", written)
    (folder / "shooting.csv").write_text(changed, "utf-8")
    assert "R803" in run("release", "mygame").output
