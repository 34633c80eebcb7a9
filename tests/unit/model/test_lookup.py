"""Paths of bindings -> what they name, and faults that say what was meant."""

import datetime
from fractions import Fraction

import pytest
from beside import beside

from rulebook.model.cells import Cell
from rulebook.model.lookup import LookupFault, find, slug
from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of
from rulebook.quantities import Length, Modifier, RollTarget


def inches(number: int) -> Length:
    return Length(Fraction(number), "in")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("ruleset.title", "Powder and Steel"),
        ("ruleset.edition", "1.0"),
        ("ruleset.date", datetime.date(2024, 3, 1)),
        ("musketry.title", "Musketry"),
        ("shooting_modifiers.title", "Shooting"),
        ("canister_cone.title", "Canister cone"),
        ("first_volley.title", "A first volley"),
        ("volley.title", "Volley"),
        ("fire.title", "Fire"),
        ("musketry[0-8in, normal, open]", Cell(2)),
        ("musketry[0-8in, normal, cover]", Cell(3)),
        ("musketry[0-8in, first, open]", Cell(1)),
        ("musketry[16-24in, first, cover]", Cell(4)),
        ("ranges.musket.long", Cell(inches(24))),
        ("ranges.pistol.long", Cell(None)),
        ("ranges.pistol.title", "Pistol"),
        ("round_shot[0-12in, 1-3]", "Miss"),
        ("round_shot[0-12in, 5]", "Hit"),
        ("round_shot[12in+, 6].killed", Cell(2)),
        ("round_shot[12in+, 4-5].killed", Cell(0)),
        ("round_shot[12in+, 2].title", "Miss"),
        ("shooting_modifiers.moved.dice", Cell(Modifier(-1))),
        ("canister_cone.length", inches(24)),
        ("canister_cone.zones.near.to", inches(8)),
        ("canister_cone.zones.Near.kills", RollTarget((4,))),
        ("canister_cone.zones.far.to", inches(24)),
    ],
)
def test_found(ruleset: Ruleset, path: str, found: object) -> None:
    assert find(ruleset, path) == found


@pytest.mark.parametrize(("path", "code", "wrong", "hint"), beside(__file__, "faults"))
def test_faults(ruleset: Ruleset, path: str, code: str, wrong: str, hint: str) -> None:
    with pytest.raises(LookupFault) as caught:
        find(ruleset, path)
    fault = caught.value
    assert (fault.code, path[fault.start : fault.end], fault.hint) == (code, wrong, hint)
    assert fault.message


def test_the_hint_knows_where_the_meant_thing_stands(ruleset: Ruleset) -> None:
    with pytest.raises(LookupFault) as caught:
        find(ruleset, "musket.title")
    assert caught.value.meant == ("tables", "musketry")


def test_keys_may_be_spaced(ruleset: Ruleset) -> None:
    assert find(ruleset, "musketry[ 0-8in ,first,  open]") == Cell(1)
    assert find(ruleset, "musketry[0 - 8in, first, open]") == Cell(1)


@pytest.mark.parametrize(
    ("name", "slugged"), [("Near zone", "near_zone"), ("  5½″ & more!", "5_more"), ("É", "")]
)
def test_slug(name: str, slugged: str) -> None:
    assert slug(name) == slugged


# Every prose scalar is found at its address in the data.


def test_addresses(ruleset: Ruleset) -> None:
    found = {".".join(map(str, at)): prose.markdown for at, prose in prose_of(ruleset)}
    assert found == beside(__file__, "addresses")


def test_each_address_has_a_place_of_its_own(ruleset: Ruleset) -> None:
    for address, _ in prose_of(ruleset):
        assert address in ruleset.places
