"""Changes, told -> the places in the old print that a slip of errata leads to."""

import pytest
from small_rulesets import ruleset_of

from rulebook.documents.catalogue import identity_of
from rulebook.documents.errata.compose import compose_errata
from rulebook.documents.marks.change_words import (
    ComparedEdition,
    DescribedChanges,
    DescribedRevision,
    RulePlace,
    Thing,
    ThingChange,
)
from rulebook.loading.print_records import PrintedBooklet

PRINTED = PrintedBooklet(
    pages=30,
    headings={"fire": 5, "charts": 8, "end": 23},
    tables={},
    cutouts={},
    examples={},
    procedures={},
)
OLD = ruleset_of({}, "# Fire {#fire}\n\nOn 4.\n\n## Charts {#charts}\n\nSo.", "# End {#end}\n\nEh.")


def changed(thing: Thing, heading: str, stood: bool = True) -> ThingChange:
    standing = RulePlace("1", heading, "Fire")
    path = ("collections", "any", heading)
    return ThingChange(path, thing, heading, "changed", "T", standing, standing if stood else None)


@pytest.mark.parametrize(
    ("things", "places"),
    [
        ([changed("table", "fire"), changed("example", "end")], [("fire", False)]),
        ([changed("example", "end"), changed("section", "fire")], [("fire", False)]),
        ([changed("example", "end"), changed("term", "")], [("end", False)]),
        ([changed("section", "end"), changed("table", "fire")], [("fire", False), ("end", False)]),
        ([changed("section", "charts", stood=False)], [("charts", True)]),
        ([], []),
    ],
)
def test_the_places_of_a_change(things: list[ThingChange], places: list[tuple[str, bool]]) -> None:
    revision = DescribedRevision("Fire", "rule change", "It was weak.", RulePlace(), tuple(things))
    sides = ComparedEdition("small", "Small", "1"), ComparedEdition("small", "Small", "2")
    told = DescribedChanges(*sides, "", (revision,), (), ())
    identity = identity_of(OLD)
    slip = compose_errata(told, OLD, OLD, identity, {"large": PRINTED})
    assert slip.papers == ("A4",)
    assert [(one.heading, one.behind) for one in slip.items[0].places] == places
    assert all(one.pages == (PRINTED.headings[one.heading],) for one in slip.items[0].places)
    unknown = compose_errata(told, OLD, OLD, identity, {})
    assert unknown is not None and unknown.papers == ()
    assert not any(one.pages for one in unknown.items[0].places)
