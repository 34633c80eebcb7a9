"""Symbols: the library, what kinds they stand for, and drawings that a ruleset brings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from drawn_pictures import drawing
from frozen import freeze, loaded, write_tiny

from rulebook.documents.cards.compose import compose_deck
from rulebook.documents.cards.layout import card_pages
from rulebook.documents.cards.pieces import draw_symbol
from rulebook.documents.catalogue import identity_of
from rulebook.drawing.symbols import PEN, SIDE, SYMBOLS, svg_symbol, symbol_for
from rulebook.loading.editions import load_edition
from rulebook.loading.rulesets import load
from rulebook.model.header import CardsSpec
from rulebook.packaged import templates_folder

UNITS = """units:
  uhlans: {title: Uhlans, kind: lancers}
  foot: {title: Foot, kind: infantry, symbol: skirmishers}
cards:
  army: {title: Army, from: units}
"""


@pytest.mark.parametrize("name", SYMBOLS)
def test_symbols_stay_on_their_square(name: str) -> None:
    symbol = SYMBOLS[name]
    for path, pen in ((symbol.lines, PEN / 2), (symbol.filled, 0)):
        for number in re.findall(r"-?[\d.]+", path):
            assert pen <= float(number) <= SIDE - pen, (name, number)
    assert f"<title>{name}</title>" in svg_symbol(name, 8, "#ffffff", name)


def test_kinds_have_symbols_by_their_usual_words() -> None:
    words = ["infantry", "cavalry", "artillery", "hero", "wagon", "engineers", "gun", "zeppelin"]
    found = ["foot", "horse", "gun", "commander", "wagon", "engineer", "gun", ""]
    assert [symbol_for(word) for word in words] == found


def write_game(content: Path) -> Path:
    folder = write_tiny(content)
    header = folder / "ruleset.yaml"
    header.write_text(header.read_text("utf-8") + "symbols: {lancers: lance.svg}\n", "utf-8")
    (folder / "lance.svg").write_bytes(drawing('<path d="M0 0L9 9"/>', 'viewBox="0 0 9 9"'))
    (folder / "army.yaml").write_text(UNITS, "utf-8")
    return folder


def test_a_drawing_of_the_ruleset_stands_for_its_kind(tmp_path: Path) -> None:
    ruleset = loaded(write_game(tmp_path))
    deck = compose_deck(ruleset, "army", identity_of(ruleset), lambda *_: "", CardsSpec())
    uhlans, foot = deck.cards
    assert uhlans.symbol.startswith("data:image/svg+xml;base64,")
    assert foot.symbol == "skirmishers"
    assert str(draw_symbol(uhlans)).startswith("<img ")
    pages = card_pages(deck, ["full", "low"], templates_folder())
    assert pages["full"].faces == pages["low"].faces == (0, 1)


def test_a_released_edition_keeps_its_drawings(tmp_path: Path) -> None:
    folder = write_game(tmp_path)
    found = load_edition(freeze(folder))
    assert found.ruleset is not None, list(found.report)
    assert found.ruleset.symbols == loaded(folder).symbols != {}


def test_a_drawing_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    folder = write_game(tmp_path)
    (folder / "lance.svg").unlink()
    assert [problem.code for problem in load(folder).report] == ["R217"]
