"""The American Civil War Game in centimetres: edition 2.1 of the game, each length halved.

What each length comes to is reckoned here from the inches of the other game: half of it, an inch
being 2½ cm, and that to the nearest half centimetre, a quarter upwards. Nothing else may differ.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor, prod
from random import Random
from typing import Any

import pytest
from asked_odds import Asked
from shipped_rulesets import shipped

from rulebook.core import value_types as kinds
from rulebook.core.compute import compute
from rulebook.core.odds import FaultyProcedure, compute_odds
from rulebook.core.programs import Program
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.loading.editions import load_edition
from rulebook.model.grids import Grid
from rulebook.model.prose import Text
from rulebook.model.record_tables import typed_cells
from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of
from rulebook.packaged import content_folder
from rulebook.quantities import Band, Length

OPTIONS = ("no_breakthrough", "sharpshooters", "sleeve", "zouaves")
#: A rod as it is sold, which is no distance of the game.
ROD = ("stick_rod", "rod", "side")
#: What the variant has of its own.
ITS_OWN = {
    "on_the_table",
    "half_scale",
    "round_shot_by_sleeve",
    "ground_and_ranges",
    "figures_and_photographs",
}


@cache
def inches(*options: str) -> Ruleset:
    """The edition that it is based on."""
    loaded = load_edition(content_folder() / "acw" / "releases" / "2.1.json", options)
    assert loaded.ruleset is not None
    return loaded.ruleset


@cache
def centimetres(*options: str) -> Ruleset:
    return shipped("acw-centimetres", *options)


def halved(number: Fraction) -> Fraction:
    """Inches of the larger game -> centimetres of this one."""
    return Fraction(floor(number * Fraction("2.5") / 2 * 2 + Fraction(1, 2)), 2)


def cells(ruleset: Ruleset) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value of each table, modifiers and computed ones apart, and each band of an axis."""
    for name, table in ruleset.tables.items():
        for axis in table.axes if isinstance(table, Grid) else ():
            for choice in axis.choices:
                yield (name, axis.name, choice.key), choice.band
        for at, _, cell in typed_cells(table):
            yield (name, *map(str, at[1:])), cell.value


def expected_of(value: Any) -> Any:
    if isinstance(value, Length):
        assert value.unit == "in"
        return Length(halved(value.number), "cm")
    if isinstance(value, Band) and value.unit is not None:
        assert value.unit == "in"
        high = value.high if value.high is None else halved(value.high)
        return Band(halved(value.low), high, "cm")
    return value


def test_every_value_of_every_table() -> None:
    large, small = dict(cells(inches())), dict(cells(centimetres()))
    assert list(large) == list(small)
    differing = {at for at, value in large.items() if small[at] != expected_of(value)}
    assert differing == {ROD}
    assert str(small[ROD]) == "12 mm"
    assert sum(isinstance(value, Length | Band) for value in large.values()) > 90


def test_what_no_length_is_in_is_the_same() -> None:
    large, small = inches().collections, centimetres().collections
    assert small.modifiers == large.modifiers
    assert small.terms == large.terms
    assert list(small.procedures) == list(large.procedures)
    assert list(small.cutouts) == list(large.cutouts)
    assert list(centimetres().options) == list(inches().options) == list(OPTIONS)


def texts(ruleset: Ruleset) -> dict[tuple[Any, ...], str]:
    """All words with the values in them, by where they stand."""
    ruleset = compute(ruleset).ruleset
    binder = Binder(ruleset)
    examples = ExampleComposer(binder)
    found: dict[tuple[Any, ...], str] = {}
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            for number, part in enumerate(section.parts):
                where = ("sections", section.id, number)
                if isinstance(part, Text):
                    found[where] = binder.text(part.markdown, part.bindings)
                else:
                    text = getattr(part, "text", None)
                    found[where] = binder.text(text.markdown, text.bindings) if text else ""
    for at, prose in prose_of(ruleset):
        known = examples.known(str(at[1])) if at[0] == "examples" else None
        found[tuple(at)] = binder.prose(prose, known)
    return found


_INCHES = re.compile(r"(\d*)([¼½¾]?)″")
_QUARTERS = {"": 0, "¼": 1, "½": 2, "¾": 3}


def printed(text: str) -> str:
    """Inches as they are printed -> centimetres as they are to be printed; rules unnumbered."""

    def centimetres(match: re.Match[str]) -> str:
        number = halved(Fraction(int(match[1] or 0)) + Fraction(_QUARTERS[match[2]], 4))
        whole, half = divmod(number, 1)
        return f"{whole or ''}{'½' if half else ''} cm"

    return _INCHES.sub(centimetres, text)


def unnumbered(text: str) -> str:
    """Without the numbers of rules, which a rule more moves on; spaces are all alike."""
    return re.sub(r"\[[\dAB.]+ (?=[^]]*\]\(#)", "[", text.replace("\N{NO-BREAK SPACE}", " "))


def test_every_text() -> None:
    large, small = texts(inches()), texts(centimetres())
    own = {at for at in large.keys() | small.keys() if at[0] == "header" or at[1] in ITS_OWN}
    own.add(("cutouts", "sleeve", "note"))
    assert large.keys() - own == small.keys() - own
    expected = {at: unnumbered(printed(large[at])) for at in large.keys() - own}
    rod = ("sections", "bounce_stick_rule", 0)
    expected[rod] = expected[rod].replace("a rod ½ cm square", "a rod 12 mm square")
    assert {at: unnumbered(small[at]) for at in expected} == expected
    assert sum("″" in text for text in large.values()) > 50


def test_no_inches_are_left_but_in_words_of_the_source_and_for_comparison() -> None:
    inch = re.compile(r"″|\binch")
    found = {at[:2]: text for at, text in texts(centimetres()).items() if inch.search(text)}
    own = {("sections", name) for name in ITS_OWN - {"on_the_table"}}
    assert found.keys() > own
    assert all("“" in text for at, text in found.items() if at not in own), "words of the source"
    assert not [at for at, text in found.items() if re.search(r"\d″", text)]


def corresponding(large: Program, small: Program) -> dict[str, dict[Any, Any]]:
    """Each value of each input in inches -> the value that is at its place in centimetres."""
    found: dict[str, dict[Any, Any]] = {}
    assert list(large.domains) == list(small.domains)
    for name, domain in large.domains.items():
        other = small.domains[name]
        assert not domain.several
        turn = halved if domain.kind == kinds.LengthKind("in") else expected_of
        assert other.values == tuple(map(turn, domain.values))
        assert other.default == turn(domain.default)
        found[name] = dict(zip(domain.values, other.values, strict=True))
    return found


def sets_of_inputs(program: Program) -> Iterator[dict[str, Any]]:
    """All, if these are few; else each input over all that it may be, and sets drawn at random.

    Of numbers those up to a score: they are the same numbers in both games, and are there for what
    lengths do to them.
    """
    domains = program.domains
    names = list(domains)
    known = {
        name: domain.values[:20] if isinstance(domain.kind, kinds.NumberKind) else domain.values
        for name, domain in domains.items()
    }
    if prod(map(len, known.values())) <= 200:
        for values in product(*known.values()):
            yield dict(zip(names, values, strict=True))
        return
    plain = {name: domain.default for name, domain in domains.items()}
    for name, values in known.items():
        yield from ({**plain, name: value} for value in values)
    random = Random(",".join(names))
    for _ in range(30):
        yield {name: random.choice(values) for name, values in known.items()}


def held(options: tuple[str, ...]) -> list[str]:
    """The procedures that an option changes; without one all."""
    of_game = inches().procedures if options else {}
    known = inches(*options).procedures
    return [name for name, one in known.items() if of_game.get(name) != one]


CHOICES = [(), *((option,) for option in OPTIONS)]


@pytest.mark.parametrize("options", CHOICES, ids=lambda one: "".join(one) or "plain")
def test_the_odds_are_those_of_the_larger_game(options: tuple[str, ...]) -> None:
    large, small = Asked(inches(*options)), Asked(centimetres(*options))
    for name in held(options):
        of_large, of_small = large.program(name), small.program(name)
        same = corresponding(of_large, of_small)
        for given in sets_of_inputs(of_large):
            turned = {key: same[key][value] for key, value in given.items()}
            wanted = told(large, of_large, given)
            assert told(small, of_small, turned) == wanted, (name, given)


def told(asked: Asked, program: Program, given: dict[str, Any]) -> object:
    """The chances of all results together, or why there are none."""
    try:
        return compute_odds(asked.ruleset, program, given).joint
    except FaultyProcedure as fault:
        return [problem.message.partition(" (")[0] for problem in fault.problems]


def test_every_procedure_is_held_against_the_larger_game() -> None:
    every = {name for options in CHOICES for name in held(options)}
    assert every == {*centimetres(*OPTIONS).procedures}
