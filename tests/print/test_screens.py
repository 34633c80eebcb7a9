"""The pages for a screen: self-contained, every link leading somewhere, legible on a telephone."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from click.testing import CliRunner
from frozen import change
from printed import acw, document_of, printed
from read_html import Page, read_html
from rendered import rendered_file
from revised_acw import notes, of_second
from shipped_rulesets import SHIPPED, shipped
from tinyhtml5.parser import HTMLParser

from rulebook.cli import cli
from rulebook.documents.changes.notes import changes
from rulebook.documents.document_kind import File
from rulebook.documents.parts.binding import plain_text
from rulebook.packaged import templates_folder

NAMES = ("qrs.html", "booklet.html")
#: These, and those of the scenarios of all rulesets.
PAGES = [("acw", name) for name in NAMES] + [
    (game, f"scenarios/{one.replace('_', '-')}.html")
    for game in SHIPPED
    for one in shipped(game).scenarios
]


@pytest.fixture(scope="module", params=NAMES)
def screen(request: pytest.FixtureRequest) -> tuple[str, Page]:
    return request.param, read_html(printed(request.param).decode())


@pytest.fixture(scope="module", params=PAGES, ids="-".join)
def page(request: pytest.FixtureRequest) -> Page:
    game, name = request.param
    return read_html(printed(name, game).decode())


@pytest.fixture(scope="module")
def qrs() -> Page:
    return read_html(printed("qrs.html", marked=False).decode())


@pytest.fixture(scope="module")
def booklet() -> Page:
    return read_html(printed("booklet.html").decode())


def test_a_page_needs_nothing_but_itself(screen: tuple[str, Page]) -> None:
    name, page = screen
    assert all("src" not in script.attributes for script in page.all("script"))
    outside = ("link", "iframe", "object", "embed", "image", "base", "form")
    assert page.all(*outside) == []
    for value in page.values("src"):
        assert name == "booklet.html" and value.startswith("data:image/svg+xml;base64,")
    for value in page.values("href", "action", "data", "srcset", "xlink:href"):
        assert re.match(r"(#|https://|mailto:|\.\./index\.html$)", value), value
    styles = "".join(element.text for element in page.all("style"))
    assert "@import" not in styles
    for address in re.findall(r"url\(([^)]*)\)", styles):
        assert address.startswith("data:font/ttf;base64,"), address[:60]
    text = printed(name).decode()
    assert "file://" not in text and "/work/" not in text and "font:IBM" not in text


def test_every_link_has_its_place_and_every_place_is_one(page: Page) -> None:
    assert len(page.ids) == len(set(page.ids))
    targets = {value[1:] for value in page.values("href") if value.startswith("#")}
    assert targets and targets <= set(page.ids)
    clips = set(re.findall(r"url\(#([^)]*)\)", " ".join(page.values("clip-path", "fill"))))
    assert clips <= set(page.ids)


def test_headings_step_down_one_at_a_time(page: Page) -> None:
    levels = [int(element.tag[1]) for element in page.all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_sheet_leads_to_each_phase(qrs: Page) -> None:
    nav = [element for element in qrs.all("a") if "nav" in element.inside]
    phases = acw().sequence
    assert [link.attributes["href"] for link in nav] == [f"#phase-{name}" for name in phases]
    sections = [e.attributes["id"] for e in qrs.of_class("phase") if e.tag == "section"]
    assert sections == [f"phase-{name}" for name in phases]


def test_the_sheet_on_the_screen_says_what_the_printed_one_says(qrs: Page) -> None:
    text = "".join(qrs.text.split())
    for phase in document_of("qrs-a4.pdf").view.phases:
        for panel in phase.panels:
            assert "".join(f"{panel.title}{panel.rule}".split()) in text
            for line in panel.say:
                assert "".join(plain_text(line).split()) in text, line
    tables = [table for table in acw().all_tables.values() if table.qrs]
    assert len(qrs.all("table")) == len(tables)


def test_the_booklet_on_the_screen_has_all_chapters_notes_and_words(booklet: Page) -> None:
    view = document_of("booklet.html").view
    rules = [rule.attributes["id"] for rule in booklet.of_class("rule")]
    assert rules == [section.id for chapter in acw().chapters for section in chapter.sections]
    notes = [name for name in booklet.ids if re.fullmatch(r"note-\d+", name)]
    assert notes == [f"note-{note.number}" for note in view.notes]
    text = re.sub(r"\W", "", booklet.text)
    for term in acw().terms.values():
        if term.meaning:
            assert re.sub(r"\W", "", term.title + term.meaning.markdown) in text


def test_no_braces_of_bindings_are_left(screen: tuple[str, Page]) -> None:
    _, page = screen
    assert not re.search(r"\{[a-z_]+[.:\[]", page.text)
    assert "{{" not in page.text and "{%" not in page.text


# The pages for a screen by the parser of the standard: no faults, and tables whose rows agree.

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


@pytest.mark.parametrize("name", ["qrs", "booklet", "cards"])
def test_marked_pages(name: str) -> None:
    page = rendered_file(of_second(name), f"{name}.html")
    assert faults(page.decode()) == []


def test_notes_on_changes() -> None:
    (made,) = changes(notes(), [File("notes.html", "html")], TEMPLATES)
    assert faults(made.data.decode()) == []


def test_differences_and_the_pages_that_lead_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    header, moves = (Path("content/mygame") / name for name in ("ruleset.yaml", "moving.yaml"))
    assert run(cli, ["new", "mygame"]).exit_code == 0
    no_more = "".join(f"  {kind}: ~\n" for kind in ("booklet", "cards", "cutouts", "scenarios"))
    change(header, "  # papers: [a4]", f"{no_more}  papers: [a4]")
    for arguments in ("release mygame", "build --only qrs.html"):
        assert run(cli, arguments.split()).exit_code == 0
    change(header, '"0.1"', '"0.2"')
    change(moves, "open: 6in", "open: 8in")
    told = run(cli, ["diff", "mygame", "--format", "html"])
    assert told.exit_code == 0 and faults(told.output) == []
    pages = list(Path("output").rglob("index.html"))
    assert len(pages) == 2
    for page in pages:
        assert faults(page.read_text("utf-8")) == []
