"""The pages for a screen by the parser of the standard: no faults, and tables whose rows agree."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from click.testing import CliRunner
from rendered import rendered_file
from revised_acw import notes_alone, of_second
from tinyhtml5.parser import HTMLParser

from rulebook.cli import cli
from rulebook.documents.changes.layout import changes
from rulebook.documents.document_kind import File
from rulebook.packaged import templates_folder

TEMPLATES = templates_folder()


def faults(html: str) -> list[str]:
    """What is wrong on a page."""
    parser = HTMLParser(namespace_html_elements=False)
    root = parser.parse(html)
    found = [f"{place}: {code} {values}" for place, code, values in parser.errors]
    return found + [f"table {n}: rows of {ragged(t)}" for n, t in tables(root) if ragged(t)]


def tables(root: Element) -> list[tuple[int, Element]]:
    return list(enumerate(root.iter("table")))


def ragged(table: Element) -> list[int]:
    """The widths of the rows of a table in cells, if they are not all the same."""
    reaching: dict[int, int] = {}
    widths: list[int] = []
    for number, row in enumerate(table.iter("tr")):
        width = reaching.get(number, 0)
        for cell in row:
            across, down = int(cell.get("colspan", 1)), int(cell.get("rowspan", 1))
            width += across
            for below in range(number + 1, number + down):
                reaching[below] = reaching.get(below, 0) + across
        widths.append(width)
    return sorted(set(widths)) if len(set(widths)) > 1 else []


def test_faults_are_found() -> None:
    start = "<!doctype html><title>.</title>"
    assert faults(f"{start}<p>Fire") == []
    assert faults(f"{start}<p><div></p></span>")
    assert faults(f"{start}<table><tbody><tr><td>1</td></tr><tr><td>1</td><td>2</td></tr></table>")


@pytest.mark.parametrize("name", ["qrs", "booklet", "cards"])
def test_marked_pages(name: str) -> None:
    page = rendered_file(of_second()[name], f"{name}.html")
    assert faults(page.decode()) == []


def test_notes_on_changes() -> None:
    (made,) = changes(notes_alone(), [File("notes.html", "html")], TEMPLATES)
    assert faults(made.data.decode()) == []


def test_differences_and_the_pages_that_lead_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    for arguments in ("new mygame", "release mygame", "build --only qrs.html"):
        assert run(cli, arguments.split()).exit_code == 0
    header, moves = (Path("content/mygame") / name for name in ("ruleset.yaml", "moving.yaml"))
    for path, old, new in ((header, '"0.1"', '"0.2"'), (moves, "open: 6in", "open: 8in")):
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    told = run(cli, ["diff", "mygame", "--format", "html"])
    assert told.exit_code == 0 and faults(told.output) == []
    pages = list(Path("output").rglob("index.html"))
    assert len(pages) == 2
    for page in pages:
        assert faults(page.read_text("utf-8")) == []
