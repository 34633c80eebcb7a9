"""Volleys and skirmish fire, exact odds against plain counting, over all their inputs.

Typed from the second draft: the musketry table, six firers to a die, six numbered figures to a
group, and the faces that kill in skirmish fire. Read: a deduction is made from each die, a die
never falls below nothing, and fewer than six firers throw none.

`volley`: its two results each alone over all 2,880 sets of inputs. Both together for every number
of groups of six up to ten, since figures over throw no die, as the results alone tell; and for a
seeded sample of larger ones: how groups are joined is the same for any number of them.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from asked_odds import acw, drawn
from ways import D6, Ways, counted, differing, falling, joined, plus

#: Deductions by range; then normal volley and first volley, each in the open and in cover.
DEDUCTIONS = {"0-8in": (2, 3, 1, 2), "8-16in": (3, 4, 2, 3), "16-24in": (4, 5, 3, 4)}
KINDS = tuple(product(("normal", "first"), ("open", "cover")))
#: Faces that kill within 12 inches, and from there to 24.
SKIRMISH = {
    "formed": ({5, 6}, {6}),
    "picked": ({6}, set()),
    "cover": ({6}, set()),
    "open_order": ({5, 6}, {6}),
    "open_order_in_cover": ({6}, set()),
}
PICKED_AND_MOUNTED: tuple[set[int], set[int]] = ({6}, {6})

Pairs = Ways[tuple[int, int]]


@cache
def figures_struck(hits: int) -> Ways[int]:
    """A die for each hit names the figure; which have been named is followed die by die."""
    named: Ways[frozenset[int]] = {frozenset(): 1}
    for _ in range(hits):
        named = joined(named, counted(D6), lambda before, figure: before | {figure})
    found: Ways[int] = {}
    for struck, ways in named.items():
        found[len(struck)] = found.get(len(struck), 0) + ways
    return found


@cache
def one_group(deduction: int) -> Pairs:
    """Hits of one die and the different figures that they find, every throw in turn."""
    found: Pairs = {}
    for die in D6:
        hits = max(0, die - deduction)
        for numbers in product(D6, repeat=hits):
            pair = (hits, len(set(numbers)))
            found[pair] = found.get(pair, 0) + 6 ** (6 - hits)
    return found


@cache
def groups(deduction: int, number: int) -> Pairs:
    """Each group of firers has a group of the target before it, which none else fires at."""
    if not number:
        return {(0, 0): 1}
    return joined(groups(deduction, number - 1), one_group(deduction), plus)


@cache
def of_groups(deduction: int, number: int, which: int) -> Ways[int]:
    """Only the hits, or only the figures, of so many groups."""
    if not number:
        return {0: 1}
    one: Ways[int] = {}
    for pair, ways in one_group(deduction).items():
        one[pair[which]] = one.get(pair[which], 0) + ways
    return joined(of_groups(deduction, number - 1, which), one, plus)


def deduction_of(distance: str, kind: tuple[str, str]) -> int:
    return DEDUCTIONS[distance][KINDS.index(kind)]


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
@pytest.mark.parametrize("distance", DEDUCTIONS)
def test_each_die_of_a_volley_loses_its_deduction(distance: str, kind: tuple[str, str]) -> None:
    """Hits, and figures hit, each alone: any number of figures firing."""
    deduction = deduction_of(distance, kind)
    given = {"range": distance, "volley": kind[0], "cover": kind[1]}
    for (firers,) in acw().values("volley", "firers"):
        for which, result in enumerate(("casualties", "figures_hit")):
            found = acw().alone("volley", result, firers=firers, **given)
            assert not differing(found, of_groups(deduction, firers // 6, which)), firers


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
@pytest.mark.parametrize("distance", DEDUCTIONS)
def test_hits_and_the_figures_that_they_find_go_together(
    distance: str, kind: tuple[str, str]
) -> None:
    given = {"range": distance, "volley": kind[0], "cover": kind[1]}
    for firers in (5, 11, *range(6, 61, 6)):
        found = acw().joint("volley", firers=firers, **given)
        assert not differing(found, groups(deduction_of(distance, kind), firers // 6)), firers


@pytest.mark.parametrize(
    ("firers", "distance", "kind"),
    [(132, "0-8in", ("first", "open")), *drawn(17, 4, range(61, 133), list(DEDUCTIONS), KINDS)],
)
def test_hits_and_figures_of_large_volleys(
    firers: int, distance: str, kind: tuple[str, str]
) -> None:
    found = acw().joint("volley", firers=firers, range=distance, volley=kind[0], cover=kind[1])
    assert not differing(found, groups(deduction_of(distance, kind), firers // 6))


def test_which_figures_are_found_by_any_number_of_hits() -> None:
    for (hits,) in acw().values("figures_found", "hits"):
        assert not differing(acw().joint("figures_found", hits=hits), figures_struck(hits)), hits


@pytest.mark.parametrize("hits", range(7))
def test_figures_found_are_counted_throw_by_throw(hits: int) -> None:
    """The way in which they are counted for many hits is right for few."""
    assert counted(len(set(found)) for found in product(D6, repeat=hits)) == figures_struck(hits)


def test_the_higher_fires_first_and_equals_together() -> None:
    expected = counted(
        "one" if one > other else "other" if other > one else "together"
        for one, other in product(D6, D6)
    )
    assert not differing(acw().joint("first_fire"), expected)
    assert expected == {"one": 15, "other": 15, "together": 6}


@pytest.mark.parametrize("sharp", [None, False, True])
@pytest.mark.parametrize("target", SKIRMISH)
def test_every_skirmisher_throws_his_own_die(target: str, sharp: bool | None) -> None:
    """Sharpshooters add 1 to each; where no score will do, none does for them either."""
    asked = acw() if sharp is None else acw("sharpshooters")
    option = {} if sharp is None else {"sharpshooters": sharp}
    inputs = ("figures", "range", "mounted_officer")
    for figures, distance, mounted in asked.values("skirmish_fire", *inputs):
        bands = PICKED_AND_MOUNTED if target == "picked" and mounted else SKIRMISH[target]
        kills = bands[("near", "far").index(distance)]
        if sharp:
            kills = {die for die in D6 if die in kills or die + 1 in kills}
        found = asked.joint(
            "skirmish_fire",
            figures=figures,
            target=target,
            range=distance,
            mounted_officer=mounted,
            **option,
        )
        ways = falling(figures, frozenset(kills))
        assert not differing(found, ways), (figures, distance, mounted)
