"""Changes, told -> the places in the old print that a slip of errata leads to."""

from dataclasses import replace

import pytest
from small_rulesets import ruleset_of

from rulebook.documents.catalogue import identity_of
from rulebook.documents.changes.described import (
    ComparedEdition,
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RuleNumbers,
    RulePlace,
    ThingChange,
)
from rulebook.documents.changes.things import THINGS
from rulebook.documents.errata import MOST_WORDS, ErratumView, compose_errata

#: Of the new edition the end is a chapter later.
NEW = {"fire": "1", "charts": "1.1", "horse": "2", "end": "3"}
NUMBERS = RuleNumbers(
    {"fire": "1", "charts": "1.1", "end": "2"}, NEW, {heading: heading for heading in NEW}
)
OLD = ruleset_of({}, "# Fire {#fire}\n\nOn 4.\n\n## Charts {#charts}\n\nSo.", "# End {#end}\n\nEh.")


def changed(collection: str, heading: str, stood: bool = True) -> ThingChange:
    standing = RulePlace("1", heading, "Fire")
    path, thing = ("collections", collection, heading), THINGS[collection]
    return ThingChange(path, thing, heading, "changed", "T", standing, standing if stood else None)


def slip_of(*things: ThingChange) -> ErratumView:
    """The one entry of the slip."""
    revision = DescribedRevision("Fire", "rule change", "It was weak.", RulePlace(), things)
    sides = ComparedEdition("small", "Small", "1"), ComparedEdition("small", "Small", "2")
    told = DescribedChanges(*sides, "", (revision,), (), (), NUMBERS)
    slip = compose_errata(told, identity_of(OLD))
    assert slip is not None
    return slip.items[0]


@pytest.mark.parametrize(
    ("things", "places"),
    [
        ([changed("tables", "fire"), changed("examples", "end")], [("1", False)]),
        ([changed("examples", "end"), changed("sections", "fire")], [("1", False)]),
        ([changed("examples", "end"), changed("terms", "")], [("2 (now 3)", False)]),
        (
            [changed("sections", "end"), changed("tables", "fire")],
            [("1", False), ("2 (now 3)", False)],
        ),
        ([changed("sections", one) for one in NUMBERS.old], [("1–2 (now 1–3)", False)]),
        ([changed("sections", "charts", stood=False)], [("1.1", True)]),
        ([changed("sections", "horse", stood=False)], [("1.1", True)]),
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
    item = slip_of(replace(changed("sections", "fire"), parts=(part,)))
    assert item.words == ("" if more else "On 5 it falls.")
