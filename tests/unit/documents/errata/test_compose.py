"""Changes, told -> the places in the old print that a slip of errata leads to."""

from dataclasses import replace

import pytest
from small_rulesets import ruleset_of

from rulebook.documents.catalogue import identity_of
from rulebook.documents.changes.rule_numbers import RuleNumbers
from rulebook.documents.errata.compose import MOST_WORDS, ErratumView, compose_errata
from rulebook.documents.marks.change_words import (
    ComparedEdition,
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RulePlace,
    Thing,
    ThingChange,
)

#: Of the new edition the end is a chapter later.
NEW = {"fire": "1", "charts": "1.1", "horse": "2", "end": "3"}
NUMBERS = RuleNumbers(
    {"fire": "1", "charts": "1.1", "end": "2"}, NEW, {heading: heading for heading in NEW}
)
OLD = ruleset_of({}, "# Fire {#fire}\n\nOn 4.\n\n## Charts {#charts}\n\nSo.", "# End {#end}\n\nEh.")


def changed(thing: Thing, heading: str, stood: bool = True) -> ThingChange:
    standing = RulePlace("1", heading, "Fire")
    path = ("collections", "any", heading)
    return ThingChange(path, thing, heading, "changed", "T", standing, standing if stood else None)


def slip_of(*things: ThingChange) -> ErratumView:
    """The one entry of the slip."""
    revision = DescribedRevision("Fire", "rule change", "It was weak.", RulePlace(), things)
    sides = ComparedEdition("small", "Small", "1"), ComparedEdition("small", "Small", "2")
    told = DescribedChanges(*sides, "", (revision,), (), ())
    slip = compose_errata(told, identity_of(OLD), NUMBERS)
    assert slip is not None
    return slip.items[0]


@pytest.mark.parametrize(
    ("things", "places"),
    [
        ([changed("table", "fire"), changed("example", "end")], [("1", False)]),
        ([changed("example", "end"), changed("section", "fire")], [("1", False)]),
        ([changed("example", "end"), changed("term", "")], [("2 (now 3)", False)]),
        (
            [changed("section", "end"), changed("table", "fire")],
            [("1", False), ("2 (now 3)", False)],
        ),
        ([changed("section", one) for one in NUMBERS.old], [("1–2 (now 1–3)", False)]),
        ([changed("section", "charts", stood=False)], [("1.1", True)]),
        ([changed("section", "horse", stood=False)], [("1.1", True)]),
        ([], []),
    ],
)
def test_the_places_of_a_change(things: list[ThingChange], places: list[tuple[str, bool]]) -> None:
    assert [(one.rule, one.behind) for one in slip_of(*things).places] == places


@pytest.mark.parametrize("more", [0, MOST_WORDS])
def test_new_sentences_stand_beside_the_reason_where_they_are_few(more: int) -> None:
    path, kept = ("sections", "fire", "parts", "0"), "Nobody fires into a wood."
    after = f"{kept} On 5 it falls{' so' * more}."
    part = PartChange(path, "reworded", "", f"{kept} On 4.", after)
    item = slip_of(replace(changed("section", "fire"), parts=(part,)))
    assert item.words == ("" if more else "On 5 it falls.")
