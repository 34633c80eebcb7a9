"""The booklets of scenarios, read back: all that two players need is there, and legible."""

import re
from functools import cached_property
from itertools import combinations
from typing import Any

import pypdfium2 as pdfium
import pytest
from printed import document_of, printed
from read_html import Page, read_html
from read_pdf import Printed
from rendered import composed_from, rendered_file
from shipped_rulesets import SHIPPED, shipped
from small_scenarios import meeting, played, ruleset_with

from rulebook.documents.parts.binding import plain_text
from rulebook.documents.scenario.compose import booklet_documents
from rulebook.maps.canvas import MapLook
from rulebook.model.scenarios import Scenario
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size

TEMPLATES = templates_folder()
ALL = [(name, one) for name in SHIPPED for one in shipped(name).scenarios]
SIZES = {name: paper_size(name) for name in ("a5", "a4", "letter")}
#: Points; letters are rounded when they are read.
SMALLEST = 6.98


class Booklet:
    """A scenario's files."""

    def __init__(self, ruleset: str, name: str) -> None:
        self.ruleset, self.name = ruleset, name
        self.stem = f"scenarios/{name.replace('_', '-')}"

    @property
    def scenario(self) -> Scenario:
        return shipped(self.ruleset).scenarios[self.name]

    def read(self, paper: str) -> Printed:
        return Printed(printed(f"{self.stem}-{paper}.pdf", self.ruleset))

    @cached_property
    def a5(self) -> Printed:
        return self.read("a5")

    @cached_property
    def page(self) -> Page:
        return read_html(printed(f"{self.stem}.html", self.ruleset).decode())

    @property
    def view(self) -> Any:
        return document_of(f"{self.stem}-a5.pdf", self.ruleset).view


@pytest.fixture(scope="module", params=ALL, ids=lambda one: one[1])
def booklet(request: pytest.FixtureRequest) -> Booklet:
    return Booklet(*request.param)


def closed_up(text: str) -> str:
    """Without white space and soft breaks of words."""
    return re.sub(r"[\s\u00ad\u2010-]", "", text)


def words_of(view: Any) -> list[str]:
    """What must be on paper and on the screen alike."""
    scenario = Scenario.model_validate(view.map.scenario)
    parts = [*scenario.objectives.values(), *scenario.rules.values()]
    titled = [scenario, *view.sides, *view.places, *parts, *view.notes]
    words = [*(one.title for one in titled), *view.documents]
    words += [label for label, _, _ in view.facts] + [place.where for place in view.places]
    for force in (force for side in view.sides for force in side.forces):
        words += [force.title, f"{force.when}: {force.place}"]
        words += [name for unit in force.units for name in unit.names]
    words += [plain_text(text) for text in view.prose.values()]
    words += [ratio for _, _, ratio in view.balance]
    return [closed_up(word) for word in words if word]


def test_pages_have_the_sizes_of_their_papers(booklet: Booklet) -> None:
    for paper, size in SIZES.items():
        read = booklet.read(paper)
        assert all(found == pytest.approx(size, abs=0.01) for found in read.sizes), paper
    for paper in ("a4", "letter"):
        sheets = booklet.read(f"{paper}-imposed")
        wide, high = SIZES[paper]
        assert {tuple(round(s) for s in size) for size in sheets.sizes} == {
            (round(high), round(wide))
        }
        assert len(sheets.sizes) == 2 * -(-len(booklet.a5.sizes) // 4)


def test_every_force_turn_and_entry_is_on_paper(booklet: Booklet) -> None:
    for paper in SIZES:
        text = closed_up(" ".join(booklet.read(paper).texts))
        assert [word for word in words_of(booklet.view) if word not in text] == []


def expect_within(read: Printed, paper: str) -> None:
    wide, high = SIZES[paper]
    for number in range(1, len(read.sizes)):
        letters = read.letters(number)
        small = {one.text for one in letters if one.size < SMALLEST}
        assert small == set(), f"{paper}, page {number + 1}"
        assert min(one.left for one in letters) > 8
        assert max(one.right for one in letters) < wide - 8
        assert min(one.top for one in letters) > 6
        assert max(one.bottom for one in letters) < high - 6


def test_nothing_is_small_and_nothing_runs_off_the_page(booklet: Booklet) -> None:
    for paper in SIZES:
        expect_within(booklet.read(paper), paper)


def test_the_key_lies_open_with_the_map(booklet: Booklet) -> None:
    for paper in SIZES:
        text = booklet.read(paper).texts
        key = next(n for n, page in enumerate(text) if "Key to the map" in page)
        battle = next(n for n, page in enumerate(text) if "of table" in page)
        facing = abs(key - battle) == 1 and min(key, battle) % 2 == 1
        assert key == battle or facing, paper


def test_no_heading_stands_alone_at_the_foot_of_a_page(booklet: Booklet) -> None:
    titles = {closed_up(title) for _, title, _ in booklet.a5.bookmarks()}
    for number in range(1, len(booklet.a5.sizes)):
        inside = [one for one in booklet.a5.letters(number) if 17 <= one.top < 193]
        foot = max(one.bottom for one in inside)
        last = "".join(one.text for one in inside if one.bottom > foot - 3)
        assert closed_up(last) not in titles, f"page {number + 1}"


def test_neither_objectives_nor_notes_stand_alone_on_a_page(booklet: Booklet) -> None:
    """Objectives are together, and at least three notes are on the last page that has any."""
    objectives = {one.title for one in booklet.scenario.objectives.values()}
    pages = [closed_up(page) for page in booklet.a5.texts]
    heading = booklet.a5.anchors["objectives"]
    assert all(closed_up(title) in pages[heading] for title in objectives)
    last = [closed_up(note.title) for note in booklet.view.notes[-3:]]
    end = min(booklet.a5.anchors.get(name, len(pages)) for name in ("filler-1", "back-cover"))
    assert all(title in pages[end - 1] for title in last)


def test_the_back_cover_says_what_the_battle_takes(booklet: Booklet) -> None:
    back = closed_up(booklet.a5.texts[-1])
    assert len(booklet.a5.texts) % 4 == 0, "it is the outside of what is folded"
    view = booklet.view
    assert back.startswith(closed_up(booklet.scenario.title.upper()))
    assert 0 < len(view.back.blurb.split()) <= 60
    for label, text in view.strip.items():
        assert closed_up(label) in back and closed_up(text) in back
    assert closed_up(f"{view.identity.title}, edition {view.identity.edition}") in back


def test_no_words_of_the_back_cover_lie_on_each_other(booklet: Booklet) -> None:
    # Letters that share a glyph have one box.
    letters = {one[2:]: one for one in booklet.a5.letters(len(booklet.a5.texts) - 1)}
    for one, other in combinations(letters.values(), 2):
        across = min(one.right, other.right) - max(one.left, other.left)
        down = min(one.bottom, other.bottom) - max(one.top, other.top)
        assert across < 0.8 or down < 0.8, (one, other)


def expect_rows_together(read: Printed) -> None:
    """A table that goes on has four rows or more on either page."""
    tables = read.row_pages()
    assert tables
    assert [one for one in tables if len(one) > 1 and min(one.values()) < 4] == []


@pytest.mark.parametrize("paper", ["a5", "a4"])
def test_a_table_that_goes_on_has_four_rows_on_either_page(booklet: Booklet, paper: str) -> None:
    expect_rows_together(booklet.read(paper))


def test_no_word_below_the_turn_track_is_broken(booklet: Booklet) -> None:
    heading = f"{booklet.scenario.turn.capitalize()} track"
    page = next(text for text in reversed(booklet.read("a4").texts) if heading in text)
    told = (force for row in booklet.view.track for box in row for _, force, _ in box.coming)
    assert [word for one in told for word in one.split() if word not in page] == []


def test_no_word_of_a_heading_is_broken(booklet: Booklet) -> None:
    html = printed(f"{booklet.stem}.html", booklet.ruleset).decode()
    heads = re.findall(r"<thead>.*?</thead>", html, re.DOTALL)
    words = " ".join(re.findall(r"<th\b[^>]*>([^<]+)</th>", " ".join(heads))).split()
    assert words
    text = " ".join(booklet.a5.texts)
    assert [word for word in words if word not in text] == []


def test_the_cover_is_all_ground_and_tells_what_players_ask_first(booklet: Booklet) -> None:
    data = printed(f"{booklet.stem}-a5.pdf", booklet.ruleset)
    text = closed_up(booklet.a5.texts[0])
    strip = booklet.view.strip
    assert {"Table", "Length", "Sides"} <= strip.keys()
    assert all(closed_up(told) in text for told in strip.values())
    picture = pdfium.PdfDocument(data)[0].render(scale=0.5).to_pil().convert("RGB")
    wide, high = picture.size
    edge = [(x, y) for x in (1, wide // 2, wide - 2) for y in (1, high // 2, high - 2)]
    edge.remove((wide // 2, high // 2))
    assert all(picture.getpixel(at) != (255, 255, 255) for at in edge)


def test_a_side_has_one_colour_wherever_it_is_shown(booklet: Booklet) -> None:
    """On the map, beside its name, on the time line and in the chart of strengths."""
    html = printed(f"{booklet.stem}.html", booklet.ruleset).decode()
    for number, side in enumerate(booklet.scenario.sides.values()):
        (marks,) = {*re.findall(rf'class="side side-{number}"\s+style="--side:(#\w+)"', html)}
        for view in booklet.view.time_lines:
            assert {colour for n, colour, _ in view.sides if n == number} == {marks}
        if booklet.view.chart:
            assert booklet.view.chart.series[number].colour == marks
        assert marks == MapLook().colour(side.colour)
        assert marks in html[html.index("<svg") :]


# On the screen.


def test_files_are_told_by_their_papers(booklet: Booklet) -> None:
    html = printed(f"{booklet.stem}.html", booklet.ruleset).decode()
    listed = html[html.index('<ul class="files">') :].partition("</ul>")[0]
    name = booklet.stem.rpartition("/")[2]
    links = dict(re.findall(r'<a href="([^"]+)">([^<]+?)\s*</a>', listed))
    assert links[f"{name}-sheets-letter.pdf"] == "Letter"
    assert links[f"{name}-sheets-a4.pdf"] == "A4"
    assert closed_up(f"{name}-sheets-letter.pdf") in closed_up(" ".join(booklet.a5.texts))


def test_the_screen_says_what_the_paper_says(booklet: Booklet) -> None:
    text = closed_up(booklet.page.text)
    assert [word for word in words_of(booklet.view) if word not in text] == []


# The worst that a scenario may be.


def _bare() -> dict[str, Any]:
    """Almost everything is missing."""
    none = {"status": "missing", "note": "Not given."}
    scenario = meeting() | dict.fromkeys(("length", "background", "situation", "victory"), none)
    scenario |= {"map": {}, "places": {}, "objectives": {}}
    for side in scenario["sides"].values():
        side["commander"] = none
        for force in side["forces"].values():
            force |= {"at": "anywhere", "turn": "0"}
    return scenario


def _many() -> dict[str, Any]:
    """Many forces, 24 places."""
    scenario = meeting()
    for n in range(1, 23):
        scenario["places"][f"p{n}"] = {"title": f"Entry {n}", "entry": [f"{3 * n}in", "0in"]}
    of = {"regiment": "2", "battery": "1"}
    scenario["sides"]["red"]["forces"] = {
        f"f{n}": {"title": f"Force {n} of the Grand Army", "of": of, "at": f"p{1 + n % 22}"}
        | {"turn": str(1 + n % 12)}
        for n in range(60)
    }
    return scenario


def _on_a_table(wide: int, deep: int) -> dict[str, Any]:
    scenario = meeting()
    scenario |= {"map": {}, "objectives": {}}
    scenario["table"] = {"width": f"{wide}in", "depth": f"{deep}in"}
    west = {"title": "West", "entry": ["0in", f"{deep // 2}in"]}
    corners = [(wide - 3, 0), (wide, 0), (wide, deep), (wide - 3, deep)]
    zone = [[f"{x}in", f"{y}in"] for x, y in corners]
    scenario["places"] = {"west": west, "east": {"title": "East", "zone": zone}}
    return scenario


def _long() -> dict[str, Any]:
    """Names that no column has room for."""
    scenario = meeting()
    name = "Łódźkie Przedmieście świętego Krzyża, Königlich-Württembergisches Leibgrenadierregiment"
    red = scenario["sides"]["red"]
    for one in (
        scenario,
        red,
        red["forces"]["main"],
        scenario["places"]["west"],
        scenario["objectives"]["hill"],
        scenario["map"]["features"]["mill_hill"],
    ):
        one["title"] = name  # fmt: skip
    return scenario | {"subtitle": name, "turn": "Bewegungsdurchgang"}


def _six() -> dict[str, Any]:
    scenario = meeting()
    for colour in ("green", "brown", "yellow", "grey"):
        some = {"title": "Some", "of": {"regiment": "1"}, "turn": "4", "at": "west"}
        scenario["sides"][colour] = {"title": colour, "colour": colour, "forces": {"some": some}}
    return scenario


@pytest.mark.parametrize(
    "scenario",
    [_bare(), _many(), _on_a_table(360, 24), _on_a_table(12, 12), _long(), _six()],
    ids=["bare", "many", "wide", "tiny", "long", "six sides"],
)
def test_the_worst_scenarios_print_within_their_pages(scenario: dict[str, Any]) -> None:
    one = played(ruleset_with(scenario))
    small, _, screen = map(composed_from, booklet_documents(one, ()))
    read = Printed(rendered_file(small, "scenarios/meeting-a5.pdf"))
    expect_within(read, "a5")
    expect_rows_together(read)
    text = closed_up(" ".join(read.texts))
    assert [word for word in words_of(small.view) if word not in text] == []
    page = read_html(rendered_file(screen, "scenarios/meeting.html").decode())
    assert len(page.ids) == len(set(page.ids))
