"""Procedures of the American Civil War game against icepool, which reckons with dice of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest
from asked_odds import acw
from icepool import d6
from ways import differing


def of(die: Any) -> dict[Any, int]:
    """The quantities of an icepool die."""
    return {tuple(k) if isinstance(k, icepool.Vector) else k: n for k, n in die.items()}


def group(hits: int) -> Any:
    """Hits on one group, with the different figures that they find."""
    if not hits:
        return icepool.Vector((0, 0))
    return d6.pool(hits).unique().size().map(lambda figures: icepool.Vector((hits, figures)))


@pytest.mark.parametrize("firers", [6, 19, 24, 60])
@pytest.mark.parametrize(
    ("distance", "volley", "cover", "deduction"),
    [
        ("0-8in", "first", "open", 1),
        ("0-8in", "normal", "open", 2),
        ("8-16in", "normal", "cover", 4),
        ("16-24in", "normal", "cover", 5),
    ],
)
def test_a_volley(firers: int, distance: str, volley: str, cover: str, deduction: int) -> None:
    each = d6.map(lambda die: group(max(0, die - deduction)))
    found = acw().joint("volley", firers=firers, range=distance, volley=volley, cover=cover)
    assert not differing(found, of((firers // 6) @ each))


def test_canister() -> None:
    for near, middle, far in [(6, 6, 6), (0, 5, 9), (24, 24, 24), (1, 0, 0)]:
        fallen = near @ (d6 >= 4) + middle @ (d6 >= 5) + far @ (d6 >= 6)
        found = acw().joint("canister", near=near, middle=middle, far=far)
        assert not differing(found, of(fallen))


@pytest.mark.parametrize("bonus", [0, 1, 3])
def test_a_melee(bonus: int) -> None:
    """Scores are doubled, so that half a die more is whole."""
    doubled: dict[tuple[str, int, str, int], tuple[Any, Any]] = {
        ("infantry", 1, "infantry", 1): (2 * d6, 2 * d6),
        ("infantry", 2, "infantry", 1): (3 * d6, 2 * d6),
        ("cavalry", 1, "infantry", 1): (2 * (2 @ d6), 2 * d6),
        ("infantry", 3, "cavalry", 1): (3 * d6, 2 * d6),
    }
    for (arm, figures, other_arm, others), (attack, defence) in doubled.items():
        lead = attack + 2 * bonus - defence
        winner = lead.map(lambda n: "attacker" if n > 0 else "defender" if n < 0 else "draw")
        found = acw().joint(
            "melee",
            attacker=arm,
            attacker_count=figures,
            defender=other_arm,
            defender_count=others,
            attacker_bonus=bonus,
        )
        assert not differing(found, of(winner)), (arm, figures)


def fate(points: int, needed: int = 6) -> Any:
    """The number of the move in which the unit rallies, by mixing what follows a bad test."""
    if needed > 10:
        return "dispersed"
    later = fate(points, needed + 1)
    return d6.map(lambda die: str(needed - 5) if points + die >= needed else later)


@pytest.mark.parametrize(("losses", "points"), [("none", 0), ("sixth", -1), ("quarter", -2)])
def test_a_rally(losses: str, points: int) -> None:
    for command in range(7):
        found = acw().joint("rally", command=command, losses=losses)
        told = {str(move): share for move, share in found.items()}
        assert not differing(told, of(icepool.Die([fate(command + points)])))


@pytest.mark.parametrize("until", [10, 20])
@pytest.mark.parametrize(("distance", "less"), [("0-36in", 0), ("36-48in", 1), ("48-60in", 2)])
def test_counter_battery(distance: str, less: int, until: int) -> None:
    """The mean from absorption, the chance of up to so many hits from so many dice added up."""
    damage = d6.map(lambda die: max(0, die - less))

    def hit(total: int, more: int) -> int:
        return min(until, total + more)

    found = acw().odds("counter_battery", range=distance, until=until).results["hits_needed"]
    mean: Fraction = icepool.Die([0]).mean_time_to_absorb(hit, damage)
    assert found.mean == mean
    reached = Fraction(0)
    for outcome, share in found.outcomes:
        if isinstance(outcome, int):
            reached += share
            enough: Fraction = (outcome @ damage).probability(">=", until)
            assert reached == enough, outcome
