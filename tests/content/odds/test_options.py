"""The American Civil War game: every procedure is proved, and options change what they should."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from asked_odds import acw
from beside import beside
from ways import differing

OPTIONS = ("no_breakthrough", "sharpshooters", "sleeve", "zouaves")

MAIN = sorted(acw().ruleset.procedures)
WITH_ALL = sorted(acw(*OPTIONS).ruleset.procedures)
#: The option that changes a procedure, or adds it.
CHANGED = beside(__file__, "changed")


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
