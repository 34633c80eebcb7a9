"""Paths of bindings -> what they name, and faults that say what was meant."""

import datetime
from fractions import Fraction

import pytest
from beside import beside

from rulebook.model.cells import Cell
from rulebook.model.lookup import LookupFault, find, printed, slug
from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of
from rulebook.quantities import Length, RollTarget


@pytest.mark.parametrize(("path", "told"), beside(__file__, "found").items())
def test_found(ruleset: Ruleset, path: str, told: str) -> None:
    assert printed(find(ruleset, path)) == told


def test_values_are_found_as_they_are(ruleset: Ruleset) -> None:
    assert find(ruleset, "ruleset.date") == datetime.date(2024, 3, 1)
    assert find(ruleset, "musketry[0-8in, normal, cover]") == Cell(3)
    assert find(ruleset, "ranges.musket.long") == Cell(Length(Fraction(24), "in"))
    assert find(ruleset, "canister_cone.zones.Near.kills") == RollTarget((4,))


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
