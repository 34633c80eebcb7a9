"""Sheets of scenarios read back: every force, unit and turn, on pages that are full and legible."""

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pikepdf
import pytest
from printed import printed
from read_pdf import Printed, tidy
from rendered import composed_from, rendered
from shipped_rulesets import SHIPPED, shipped
from small_scenarios import UNITS, meeting, played, ruleset_with

from rulebook.documents.scenario.handouts import card_documents, sheet_documents
from rulebook.documents.scenario.layout import FOOT, MARGIN, NOTE_ROOM
from rulebook.model.forces import units_known, units_of_side
from rulebook.model.scenarios import Scenario
from rulebook.paper_and_ink import paper_size

ALL = [(name, scenario) for name in SHIPPED for scenario in shipped(name).scenarios]
PAPERS = ("a4", "letter")


@cache
def read(name: str, scenario: str, what: str, paper: str) -> Printed:
    return Printed(printed(f"scenarios/{scenario.replace('_', '-')}-{what}-{paper}.pdf", name))


def words(pdf: Printed) -> str:
    return " ".join(pdf.texts)


def scenario_of(name: str, scenario: str) -> Scenario:
    return shipped(name).scenarios[scenario]


@pytest.mark.parametrize(("name", "scenario"), ALL)
@pytest.mark.parametrize("paper", PAPERS)
def test_each_force_and_unit_is_on_its_roster(name: str, scenario: str, paper: str) -> None:
    pdf = read(name, scenario, "sheets", paper)
    model = scenario_of(name, scenario)
    known = units_known(shipped(name), model)
    for side in model.sides.values():
        mine = " ".join(text for text in pdf.texts if text.startswith(side.title))
        rosters = " ".join(
            text for text in pdf.texts if f"{side.title} {model.title} Roster" in text
        )
        for force in side.forces.values():
            when = f"{model.turn.capitalize()} {force.turn}" if force.turn else "Start"
            assert tidy(force.title) in mine
            assert when in rosters
            for given in force.names.values():
                assert all(tidy(one) in rosters for one in given)
        units = units_of_side(shipped(name), model, side)
        for unit, number in units.items():
            title = known[unit].title
            lines = len(re.findall(rf"(?<!× ){re.escape(title)}(?! §)", rosters))
            many = [int(n) for n in re.findall(rf"(\d+) × {re.escape(title)}", rosters)]
            assert lines + sum(many) >= number, (side.title, title)


@pytest.mark.parametrize(("name", "scenario"), ALL)
@pytest.mark.parametrize("paper", PAPERS)
def test_each_turn_is_on_the_order_forms_and_on_the_track(
    name: str, scenario: str, paper: str
) -> None:
    pdf = read(name, scenario, "sheets", paper)
    model = scenario_of(name, scenario)
    turns = model.length.turns or 20
    track = [text for text in pdf.texts if "track" in text[:20]]
    numbers = Counter(re.findall(r"\b\d+\b", " ".join(track)))
    assert all(numbers[str(turn)] >= 1 for turn in range(1, turns + 1))
    spec = shipped(name).header.documents.scenarios
    for side in model.sides.values():
        forms = [text for text in pdf.texts if f"{side.title} {model.title} Orders" in text]
        if spec is not None and not spec.order_forms:
            assert forms == [] and "order" not in words(pdf).casefold()
            continue
        numbers = Counter(re.findall(r"\b\d+\b", " ".join(forms)))
        assert all(numbers[str(turn)] >= 1 for turn in range(1, turns + 1))
        for force in side.forces.values():
            if force.turn and force.at in model.places:
                place = model.places[force.at].title
                assert f"Comes in: {tidy(place)}" in " ".join(forms)
                assert f"{tidy(force.title)}, {tidy(place)}" in " ".join(track)


@pytest.mark.parametrize(("name", "scenario"), ALL)
@pytest.mark.parametrize("paper", PAPERS)
def test_sheets_are_legible_within_margins_and_full(name: str, scenario: str, paper: str) -> None:
    pdf = read(name, scenario, "sheets", paper)
    within(pdf)
    assert all(size == pytest.approx(paper_size(paper), abs=0.1) for size in pdf.sizes)


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_no_sheet_has_a_white_foot(name: str, scenario: str) -> None:
    """Down to the line at the foot nothing is white for more than some rows are high."""
    pdf = read(name, scenario, "sheets", "a4")
    for page, (_, high) in enumerate(pdf.sizes):
        rows = pdf.viewed[page].render(scale=2).to_numpy().min(axis=(1, 2))
        inked = [number * high / len(rows) for number, least in enumerate(rows) if least < 235]
        above_foot = [row for row in inked if row < high - MARGIN - 5]
        assert max(above_foot) > high - MARGIN - FOOT - NOTE_ROOM - 1, (page, pdf.texts[page][:60])


def test_the_boxes_on_the_rosters_of_gettysburg() -> None:
    """Drawn squares of 4 mm: 24 men and 3 officers, 12 and 3, and 4, 1 and 20 of a gun."""
    data = printed("scenarios/gettysburg-sheets-a4.pdf")
    boxes = sum(len(_squares(page)) for page in Printed(data).pdf.pages)
    assert boxes == 16 * (24 + 3) + 2 * (12 + 3) + 6 * (4 + 1 + 20)


def _squares(page: Any) -> list[float]:
    """The boxes to tick on a page: subpaths that go right, down, left by 4 mm, as `draw_boxes`."""
    found = []
    last: list[tuple[float, float]] = []
    for one in pikepdf.parse_content_stream(page):
        name = str(one.operator)
        if name == "m":
            last = [(float(one.operands[0]), float(one.operands[1]))]
        elif name == "l":
            last.append((float(one.operands[0]), float(one.operands[1])))
        elif name == "h" and len(last) == 4:
            (x0, y0), (x1, y1), (x2, y2), _ = last
            right, down = x1 - x0, y2 - y1
            if y0 == y1 and x1 == x2 and abs(down - 4) < 0.01 and right > 3.9:
                found.append(right)
    return found


@pytest.mark.parametrize(("name", "scenario"), ALL)
@pytest.mark.parametrize("paper", PAPERS)
def test_the_cards_of_a_scenario(name: str, scenario: str, paper: str) -> None:
    pdf = read(name, scenario, "cards", paper)
    model = scenario_of(name, scenario)
    wide, high = map(float, paper_size(paper))
    assert all(size == pytest.approx((wide, high), abs=0.1) for size in pdf.sizes)
    assert len(pdf.sizes) % 2 == 0
    fronts = " ".join(pdf.texts[0::2])
    backs = " ".join(pdf.texts[1::2])
    total = faces = 0
    for side in model.sides.values():
        units = units_of_side(shipped(name), model, side).total()
        total += units
        there = backs.count(side.title.upper())
        assert units <= there <= 1.2 * units, "hardly a card goes on over a second"
        faces += there
        for force in side.forces.values():
            when = f"{model.turn.capitalize()} {force.turn}" if force.turn else "Start"
            assert tidy(f"{side.title} · {force.title} · {when}") in fronts
    assert faces <= 1.1 * total
    places = {"poker": 9, "mini": 16 if paper == "a4" else 12}
    assert len(pdf.sizes) in {2 * -(-faces // many) for many in places.values()}


# --- worst inputs


def made(scenario: dict[str, Any], paper: str = "a4", **more: Any) -> Iterator[Printed]:
    """The sheets of a scenario, and then its cards."""
    one = played(ruleset_with(scenario, **more))
    for document in (*sheet_documents(one), *card_documents(one)):
        composed = composed_from(document)
        (file,) = rendered(composed, *(a.path for a in composed.files if a.paper == paper))
        yield Printed(file.data)


def within(pdf: Printed) -> None:
    """Every page has its head, and no letter outside of the margins or too small."""
    for page, (wide, high) in enumerate(pdf.sizes):
        assert re.search("Roster|Orders|counter", pdf.texts[page])
        for letter in pdf.letters(page):
            assert letter.size >= 6.99
            assert letter.left >= MARGIN - 0.5
            assert letter.right <= wide - MARGIN + 0.5
            assert letter.bottom <= high - MARGIN + 1


def test_a_hundred_forces_of_which_half_come_at_once() -> None:
    scenario = meeting()
    plain = scenario["sides"]["red"]["forces"]["main"]
    forces = {}
    for number in range(100):
        force = {**deepcopy(plain), "of": {"regiment": "1"}, "title": f"Force {number}"}
        forces[f"f{number}"] = {**force, "turn": "3" if number % 2 else "5"}
    scenario["sides"]["red"]["forces"] = forces
    sheets = next(made(scenario))
    within(sheets)
    text = words(sheets)
    assert all(f"Force {number} " in text for number in range(100))
    assert re.search(r"and \d+ more", text)


def test_long_names_in_many_letters() -> None:
    scenario = meeting()
    title = ("Königlich-Preußisches Füsilierregiment „Prinz Łukasz von Šumava“ " * 3).strip()
    scenario["title"] = scenario["sides"]["red"]["title"] = title
    force = scenario["sides"]["red"]["forces"]["main"]
    force["title"] = "W" * 150
    force["names"] = {"regiment": [title, "Ø" * 120]}
    force["commander"] = {"title": title}
    scenario["places"]["west"]["title"] = title
    sheets, cards = made(scenario, "letter")
    within(sheets)
    assert "Šumava" in words(sheets)
    assert "Šumava" in words(cards)


@pytest.mark.parametrize("turns", [1, 7, 13, 61, 200])
def test_any_length_of_game(turns: int) -> None:
    scenario = {**meeting(), "length": str(turns)}
    scenario["sides"]["red"]["forces"]["main"]["turn"] = "1"
    sheets = next(made(scenario))
    within(sheets)
    tracks = " ".join(text for text in sheets.texts if "Turn track" in text)
    for turn in range(1, turns + 1):
        assert re.search(rf"\b{turn}\b", tracks)


def test_almost_everything_missing() -> None:
    scenario = meeting()
    scenario["length"] = {"status": "missing", "note": "Not told."}
    scenario["sides"]["red"]["commander"] = {"status": "missing", "note": "Not told."}
    del scenario["objectives"]
    sheets = next(made(scenario))
    within(sheets)
    assert "How long the game lasts is not stated." in words(sheets)


def test_a_unit_with_two_thousand_boxes_goes_on() -> None:
    units = deepcopy(UNITS)
    units["regiment"]["tracks"] = {
        f"t{number}": {"title": f"Track {number}", "boxes": "200"} for number in range(10)
    }
    sheets = next(made(meeting(), "letter", units=units))
    within(sheets)
    assert words(sheets).count("Track 9 200") == 7
    assert "Regiment, continued" in words(sheets)
