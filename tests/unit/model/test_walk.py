"""Every prose scalar is found at its address in the data."""

from __future__ import annotations

from beside import beside

from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of


def test_addresses(ruleset: Ruleset) -> None:
    found = {".".join(map(str, at)): prose.markdown for at, prose in prose_of(ruleset)}
    assert found == beside(__file__, "addresses")


def test_each_address_has_a_place_of_its_own(ruleset: Ruleset) -> None:
    for address, _ in prose_of(ruleset):
        assert address in ruleset.places
