"""Changes, told -> the places in the old print that a slip of errata leads to."""

from dataclasses import replace

import pytest
from small_rulesets import ruleset_of

from rulebook.documents.catalogue import identity_of
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
from rulebook.loading.print_records import PrintedBooklet

PRINTED = PrintedBooklet(
    pages=30,
    headings={"fire": 5, "charts": 8, "end": 23},
    tables={"charts": 9},
    cutouts={},
    examples={},
    procedures={},
)
OLD = ruleset_of({}, "# Fire {#fire}\n\nOn 4.\n\n## Charts {#charts}\n\nSo.", "# End {#end}\n\nEh.")


def changed(thing: Thing, heading: str, stood: bool = True) -> ThingChange:
    standing = RulePlace("1", heading, "Fire")
    path = ("collections", "any", heading)
    return ThingChange(path, thing, heading, "changed", "T", standing, standing if stood else None)


def slip_of(
    *things: ThingChange, booklets: dict[str, PrintedBooklet]
) -> tuple[tuple[str, ...], ErratumView]:
    """The papers of the slip, and its one entry."""
    revision = DescribedRevision("Fire", "rule change", "It was weak.", RulePlace(), things)
    sides = ComparedEdition("small", "Small", "1"), ComparedEdition("small", "Small", "2")
    told = DescribedChanges(*sides, "", (revision,), (), ())
    slip = compose_errata(told, OLD, OLD, identity_of(OLD), booklets)
    assert slip is not None
    return slip.papers, slip.items[0]


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
    papers, item = slip_of(*things, booklets={"large": PRINTED})
    assert papers == ("A4",)
    assert [(one.heading, one.behind) for one in item.places] == places
    assert all(one.pages == (str(PRINTED.headings[one.heading]),) for one in item.places)
    papers, item = slip_of(*things, booklets={})
    assert papers == () and not any(one.pages for one in item.places)


@pytest.mark.parametrize(("thing", "page"), [("table", 9), ("section", 8)])
def test_a_table_is_found_on_the_page_where_it_stands(thing: Thing, page: int) -> None:
    """Its heading may be at the foot of the page before; of changed sentences that is told."""
    _, item = slip_of(changed(thing, "charts"), booklets={"large": PRINTED})
    assert [one.pages for one in item.places] == [(str(page),)]


def test_rules_that_follow_one_another_are_one_place() -> None:
    things = [changed("section", heading) for heading in ("fire", "charts", "end")]
    _, item = slip_of(*things, booklets={"large": PRINTED})
    assert [(one.rule, one.pages) for one in item.places] == [("1–2", ("5–23",))]
    _, item = slip_of(*things[::2], booklets={"large": PRINTED})
    assert [(one.rule, one.pages) for one in item.places] == [("1", ("5",)), ("2", ("23",))]


@pytest.mark.parametrize("more", [0, MOST_WORDS])
def test_new_sentences_stand_beside_the_reason_where_they_are_few(more: int) -> None:
    path, kept = ("sections", "fire", "parts", "0"), "Nobody fires into a wood."
    after = f"{kept} On 5 it falls{' so' * more}."
    part = PartChange(path, "reworded", "", f"{kept} On 4.", after)
    _, item = slip_of(replace(changed("section", "fire"), parts=(part,)), booklets={})
    assert item.words == ("" if more else "On 5 it falls.")
