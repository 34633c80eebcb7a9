"""Morale, exact odds against every throw in turn, over all inputs.

Typed from the second draft: 6 or better is good, and in each move after a bad test 1 more is
needed, up to 10; a sixth of the rank and file lost takes 1, a quarter 2; the pips that threats to a
skirmish line take from the throw. Read: the test at 10 is allowed, and failing it disperses the
unit; of a detachment a quarter is lost as soon as a sixth is. Zouaves: nothing before a quarter is
lost, then 1.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from asked_odds import acw
from ways import D6, Ways, counted, differing

NEEDED = {1: 6, 2: 7, 3: 8, 4: 9, 5: 10}
LOST = {"none": 0, "sixth": 1, "quarter": 2}
LOST_BY_ZOUAVES = {"none": 0, "sixth": 0, "quarter": 1}
THREATS = {"far": 1, "cavalry": 1, "middle": 2, "near": 3}

#: Without the option, and with it for a unit of others and for one of zouaves.
UNITS = [(None, LOST), (False, LOST), (True, LOST_BY_ZOUAVES)]
units = pytest.mark.parametrize(("zouaves", "lost"), UNITS, ids=["plain", "others", "zouaves"])


def asked_for(zouaves: bool | None, name: str, **given: object) -> dict[object, Fraction]:
    if zouaves is None:
        return acw().joint(name, **given)
    return acw("zouaves").joint(name, zouaves=zouaves, **given)


def fate(command: int, lost: int) -> Ways[int | str]:
    """Move by move: the units that are left throw one die each, and those that fail go on."""
    found: Counter[int | str] = Counter()
    left = 6**5
    for attempt, needed in NEEDED.items():
        rallied = sum(left // 6 for die in D6 if command - lost + die >= needed)
        found[attempt] = rallied
        left -= rallied
    found["dispersed"] = left
    return found


@units
def test_command_less_losses_and_a_die_must_reach_the_total(
    zouaves: bool | None, lost: dict[str, int]
) -> None:
    for command, losses, attempt in acw().values("morale", "command", "losses", "attempt"):
        expected = counted(command - lost[losses] + die >= NEEDED[attempt] for die in D6)
        found = asked_for(zouaves, "morale", command=command, losses=losses, attempt=attempt)
        assert not differing(found, expected), (command, losses, attempt)


@units
def test_a_unit_rallies_against_rising_totals_or_disperses(
    zouaves: bool | None, lost: dict[str, int]
) -> None:
    for command, losses in acw().values("rally", "command", "losses"):
        found = asked_for(zouaves, "rally", command=command, losses=losses)
        assert not differing(found, fate(command, lost[losses])), (command, losses)


@units
def test_a_threatened_skirmish_line_takes_pips_from_its_throw(
    zouaves: bool | None, lost: dict[str, int]
) -> None:
    inputs = ("command", "losses", "attempt", "threat")
    for command, losses, attempt, threat in acw().values("line_morale", *inputs):
        expected = counted(
            command - lost[losses] + die - THREATS[threat] >= NEEDED[attempt] for die in D6
        )
        found = asked_for(
            zouaves, "line_morale", command=command, losses=losses, attempt=attempt, threat=threat
        )
        assert not differing(found, expected), (command, losses, attempt, threat)


def test_an_officer_is_saved_on_5_or_6() -> None:
    assert not differing(acw().joint("officer_save"), counted(die in {5, 6} for die in D6))


def test_a_general_needs_the_moves_that_he_throws() -> None:
    assert not differing(acw().joint("generals_rally"), counted(D6))
