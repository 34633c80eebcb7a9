"""Every procedure of the American Civil War game at its defaults: sampled plays against exact odds.

Plays are drawn with a seed, so that a test never fails by chance; each share must lie within four
times its standard error. Outcomes too rare for that are put together. And what is common to all
procedures: none is left without a proof, and options chosen together change what each alone does.
"""

import re
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from asked_odds import acw
from beside import beside
from ways import differing

OPTIONS = ("no_breakthrough", "sharpshooters", "sleeve", "zouaves")
PLAYS = 2_500
#: Outcomes expected fewer times than this are put together.
RARE = 8
SIGMAS = 4

MAIN = sorted(acw().ruleset.procedures)
WITH_ALL = sorted(acw(*OPTIONS).ruleset.procedures)
SAMPLED = [*((name, ()) for name in MAIN), *((name, OPTIONS) for name in WITH_ALL)]
#: The option that changes a procedure, or adds it.
CHANGED = beside(__file__, "changed")


def deviation(times: int, share: Fraction) -> float:
    """How far the number of times lies from the expected one, in standard errors."""
    error = sqrt(PLAYS * share * (1 - share))
    off = abs(times - PLAYS * share)
    return float(off / error) if error else float(off and SIGMAS + 1)


@pytest.mark.parametrize(("name", "options"), SAMPLED)
def test_plays_fall_as_the_odds_say(name: str, options: tuple[str, ...]) -> None:
    found = acw(*options).odds(name)
    shares = dict(found.joint)
    told: dict[Any, int] = {}
    for outcome, times in acw(*options).played(name, PLAYS, seed=1863).items():
        # A play tells a number of passes that the odds tell only as more.
        key = outcome if outcome in shares else next(k for k in shares if str(k[0]) == "more")
        told[key] = told.get(key, 0) + times
    often = {outcome for outcome, share in shares.items() if PLAYS * share >= RARE}
    for outcome in often:
        off = deviation(told.get(outcome, 0), shares[outcome])
        assert off <= SIGMAS, (outcome, told.get(outcome, 0), float(PLAYS * shares[outcome]))
    rest = sum((share for outcome, share in shares.items() if outcome not in often), Fraction(0))
    assert deviation(PLAYS - sum(told.get(one, 0) for one in often), rest) <= SIGMAS
    for index, (result, odds) in enumerate(found.results.items()):
        numbers = [value for value, _ in odds.outcomes]
        if odds.mean is None or not all(isinstance(value, int) for value in numbers):
            continue
        spread = sum(share * (value - odds.mean) ** 2 for value, share in odds.outcomes)
        mean = Fraction(sum(key[index] * times for key, times in told.items()), PLAYS)
        assert abs(mean - odds.mean) <= SIGMAS * sqrt(spread / PLAYS), result


def test_a_wrong_share_would_be_seen() -> None:
    """A deduction of 1 in place of 2 is far beyond the error of the plays."""
    wrong = dict(acw().odds("volley", range="0-8in", volley="first").joint)
    told = acw().played("volley", PLAYS, seed=1863)
    assert max(deviation(times, wrong.get(one, Fraction(0))) for one, times in told.items()) > 10


def test_a_difference_from_counting_would_be_seen() -> None:
    half = Fraction(1, 2)
    assert not differing({True: half, False: half}, {True: 3, False: 3})
    assert differing({True: half, False: half}, {True: 2, False: 4}).keys() == {True, False}
    assert differing({True: Fraction(1)}, {True: 1, False: 1}).keys() == {True, False}
    assert differing({1: half, 2: half}, {1: 1}).keys() == {1, 2}


def test_every_procedure_is_proved_by_counting() -> None:
    """The tests beside this one ask for each by its name."""
    files = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
    asked = {word for path in files for word in re.findall(r'"(\w+)"', path.read_text("utf-8"))}
    assert {*MAIN, *WITH_ALL} <= asked


@pytest.mark.parametrize("name", WITH_ALL)
def test_options_together_change_what_each_changes_alone(name: str) -> None:
    alone = acw(CHANGED[name]) if name in CHANGED else acw()
    found, expected = acw(*OPTIONS).odds(name), alone.odds(name)
    assert found.inputs == expected.inputs
    assert found.joint == expected.joint


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_leaves_all_other_procedures_alone(option: str) -> None:
    for name in MAIN:
        if CHANGED.get(name) != option:
            assert acw(option).odds(name).joint == acw().odds(name).joint, name
