"""Every prose scalar is found at its address in the data."""

from __future__ import annotations

from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of


def test_addresses(ruleset: Ruleset) -> None:
    found = {address: prose.markdown for address, prose in prose_of(ruleset)}
    assert found == {
        ("header", "summary"): "A small game of muskets, for {ruleset.title} beginners.",
        ("header", "scale", "ground"): "One inch to ten paces.",
        ("tables", "musketry", "about"): "deduct from each die",
        ("modifiers", "shooting_modifiers", "rows", "square", "when"): "firing at a square",
        ("modifiers", "shooting_modifiers", "rows", "moved", "when"): "the firers have moved",
        ("procedures", "musket_volley", "steps", 0, "say"): (
            "Find the deduction for range, volley and cover."
        ),
        ("procedures", "musket_volley", "steps", 1, "say"): (
            "Throw a die for every six figures; each kills its pips less the deduction."
        ),
        ("examples", "first_volley", "note"): "The example is ours.",
        ("examples", "first_volley", "situation"): ("Twelve figures fire a first volley at {6in}."),
        ("examples", "first_volley", "steps", 0): (
            "The deduction is {musketry[0-8in, first, open]}."
        ),
        ("examples", "first_volley", "outcome"): "Two dice of 4 kill six figures.",
        ("examples", "two_volleys", "note"): "The example is ours.",
        ("examples", "two_volleys", "situation"): (
            "Twelve figures fire at {6in}, by day and by moonlight."
        ),
        ("examples", "two_volleys", "steps", 0): "They throw a die for every six figures.",
        ("examples", "two_volleys", "steps", 1, "say"): (
            "By day {by_day.firers} figures throw {by_day.dice} and kill {by_day.casualties}."
        ),
        ("examples", "two_volleys", "steps", 2, "say"): (
            "By moonlight the same dice kill {by_moonlight.casualties}."
        ),
        ("examples", "two_volleys", "outcome"): (
            "The moon saved {musketry[0-8in, normal, open]} figures; by day {by_day.casualties} "
            "fell."
        ),
        ("sequence", "fire", "note"): "The source gives no order of play.",
        ("sequence", "fire", "steps", "musketry", "say", 0): "Deduct for range, volley and cover.",
        ("terms", "volley", "meaning"): "All figures of a unit fire at once.",
    }


def test_each_address_has_a_place_of_its_own(ruleset: Ruleset) -> None:
    for address, _ in prose_of(ruleset):
        assert address in ruleset.places
