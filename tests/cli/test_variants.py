"""A variant, from its first file to its release: marked against its base, printed without it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("unprinted")

HEADER = 'based_on: {}\ntitle: Mud\nedition: "1.0"\ndate: 2020-01-01\n{}'
DOCUMENTS = "documents: {booklet: ~, cutouts: ~, qrs: {papers: [a4]}}\n"
SLOWER = "changes: {tables: {moves: {data: {foot: {open: 5in}}}}}\n"
OWN = ("1.0/qrs-a4.pdf", "1.0/qrs-a4-low.pdf", "1.0/qrs.html")


@pytest.fixture
def mud(mygame: Path) -> Path:
    """A variant of the starter in which men on foot are slower."""
    folder = mygame.parent / "mud"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(HEADER.format("mygame", DOCUMENTS))
    (folder / "slower.yaml").write_text(SLOWER)
    return folder


def built(run, name: str, out: str) -> dict[str, bytes]:
    result = run("build", name, "--out", out)
    assert result.exit_code == 0, result.stderr
    folder = Path(out) / "mud"
    return {one: (folder / one).read_bytes() for one in OWN}


def told_on_screen(files: dict[str, bytes]) -> str:
    return files["1.0/qrs.html"].decode()


def test_the_sheet_marks_what_differs_from_the_base(run, mud):
    html = told_on_screen(built(run, "mud", "out"))
    assert "Show what differs from Mygame 0.1" in html
    (row,) = re.findall(r"<tr[^>]*>(?:(?!</tr>).)*On foot</th>.*?</tr>", html, re.DOTALL)
    assert "changed" in row
    assert "<del" in row and "6″" in row and "5″" in row
    assert html.count("<del") == 1


def test_of_turned_lengths_that_is_said_once(run, mud):
    lengths = "lengths: {read: {in: 2.5cm}}\n"
    (mud / "ruleset.yaml").write_text(HEADER.format("mygame", DOCUMENTS + lengths))
    html = told_on_screen(built(run, "mud", "out"))
    assert "Show what besides lengths differs from Mygame 0.1" in html
    assert html.count("<del") == 1
    html = html.replace("\N{NO-BREAK SPACE}", " ")
    assert "12½ cm" in html and "30 cm" in html
    (mud / "slower.yaml").unlink()
    html = told_on_screen(built(run, "mud", "out"))
    assert "<del" not in html and "<ins" not in html


@pytest.mark.parametrize("lost", ["changed", "gone"])
@pytest.mark.parametrize("base", ["mygame", "mygame@0.1"])
def test_a_release_prints_the_same_whatever_becomes_of_its_base(run, mud, base, lost):
    assert run("release", "mygame").exit_code == 0
    (mud / "ruleset.yaml").write_text(HEADER.format(base, DOCUMENTS))
    result = run("release", "mud")
    assert result.exit_code == 0
    assert ("names no edition of mygame" in result.output) == (base == "mygame")
    files = built(run, "mud", "first")
    assert built(run, "mud@1.0", "frozen") == files
    assert ("differs from Mygame" in told_on_screen(files)) == (base != "mygame")
    game = mud.parent / "mygame"
    moving = game / "moving.yaml"
    moving.write_text(moving.read_text().replace("open: 6in", "open: 8in"))
    if lost == "gone":
        for file in game.iterdir():
            if file.is_file():
                file.unlink()
    assert built(run, "mud@1.0", "later") == files


def test_without_the_edition_of_its_base_a_release_has_no_bars_but_all_its_rules(run, mud):
    assert run("release", "mygame").exit_code == 0
    (mud / "ruleset.yaml").write_text(HEADER.format("mygame@0.1", DOCUMENTS))
    assert run("release", "mud").exit_code == 0
    shutil.rmtree(mud.parent / "mygame")
    html = told_on_screen(built(run, "mud@1.0", "alone"))
    assert "5″" in html and "<del" not in html and "differs from" not in html
