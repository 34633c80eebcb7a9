"""Dice, pools and chains whose weights are known in closed form; the rest is proved at random."""

from fractions import Fraction
from math import comb

import pytest

from rulebook.dice.chains import Move, Spend, freely, solved
from rulebook.dice.pools import Value, best_of, power, successes, sum_of
from rulebook.dice.throws import dice, kept, rerolled

D6 = dict.fromkeys(range(1, 7), 1)


def test_throws() -> None:
    assert dice(2, 6) == {n: 6 - abs(7 - n) for n in range(2, 13)}
    assert dice(0, 6) == kept(3, 6, 0, True) == {0: 1}
    best = kept(4, 6, 3, True)
    assert Fraction(sum(n * ways for n, ways in best.items()), 6**4) == Fraction(15869, 1296)
    assert sum(kept(50, 20, 25, True).values()) == 20**50
    assert rerolled(D6, lambda score: score == 1) == {1: 1, **dict.fromkeys(range(2, 7), 7)}


def test_a_d66_is_two_dice_one_for_the_tens() -> None:
    two = {10 * tens + ones: 1 for tens in range(1, 7) for ones in range(1, 7)}
    assert dice(1, 66) == kept(1, 66, 1, False) == two
    three = {100 * first + rest: 1 for first in range(1, 7) for rest in two}
    assert dice(1, 666) == three
    assert Fraction(sum(ways for score, ways in two.items() if score <= 16), 36) == Fraction(1, 6)
    assert Fraction(sum(two), 36) == Fraction(77, 2)


def step_by_step(base: dict[int, int], exponent: int) -> dict[int, int]:
    found = {0: 1}
    for _ in range(exponent):
        longer: dict[int, int] = {}
        for place, weight in found.items():
            for further, each in base.items():
                longer[place + further] = longer.get(place + further, 0) + weight * each
        found = longer
    return found


BASES = [
    {0: 1}, {3: 2}, {1: 5, 2: 1, 9: 3}, dict.fromkeys(range(30), 1),
    {0: 10**30, 7: 1, 14: 10**30}, {0: 1, 1: 1, 10**6: 3}, {5: 1, 10**40: 1},
]  # fmt: skip


@pytest.mark.parametrize("base", BASES, ids=lambda base: f"{len(base)} to {max(base)}")
@pytest.mark.parametrize("exponent", [0, 1, 2, 7, 30])
def test_powers(base: dict[int, int], exponent: int) -> None:
    """Whichever way is the quickest for their size."""
    assert power(base, exponent) == step_by_step(base, exponent)


def test_rare_values_far_apart() -> None:
    found = sum_of({(0,): 1, (1,): 1, (10**6,): 1}, {60: 1})
    assert len(found) == comb(60 + 2, 2)
    assert found[10 * 10**6 + 20,] == comb(60, 10) * comb(50, 20)


@pytest.mark.parametrize(
    ("each", "most"),
    [({(n,): 1 for n in D6}, 10**9), ({(n, n * n, n**3): 1 for n in range(100)}, 10**6)],
)
@pytest.mark.parametrize("fixed", [True, False])
def test_work_beyond_all_measure_is_refused_soon(
    each: dict[Value, int], most: int, *, fixed: bool
) -> None:
    def spend(work: int) -> None:
        assert work > 10**9
        raise OverflowError

    with pytest.raises(OverflowError):
        sum_of(each, {most: 1} if fixed else {most: 1, 0: 1}, spend)


def test_large_pools() -> None:
    found = sum_of({(1, 0): 1, (0, 1): 2, (0, 0): 3}, {10: 1})
    assert found[2, 3] == comb(10, 2) * comb(8, 3) * 1**2 * 2**3 * 3**5
    hits = successes({200: 1}, 3, 6)
    assert hits == {(k,): comb(200, k) * 3**200 for k in range(201)}
    killed = successes({k: weight for (k,), weight in hits.items()}, 2, 6)
    ways = sum(killed.values())
    both = {k: Fraction(weight, 6**200) for k, weight in successes({200: 1}, 1, 6).items()}
    assert {k: Fraction(weight, ways) for k, weight in killed.items()} == both, "one throw of both"
    assert best_of({("b",): 3, ("a",): 1}, {3: 1}, True) == {("a",): 1, ("b",): 4**3 - 1}
    assert best_of({(-1,): 1}, {0: 2, 1: 1}, True) == {(0,): 2, (-1,): 1}


def test_throws_until_a_six() -> None:
    assert solved({"throw": ({"throw": 5}, {"six": 1})}, {"throw": 1}) == ({"six": 1}, 6)
    assert solved({}, {}) == ({}, 0)


@pytest.mark.parametrize("faces", [6, 300])
def test_collecting_all_faces(faces: int) -> None:
    moves: dict[int, Move[int, str]] = {
        shown: ({**({shown: shown} if shown else {}), shown + 1: faces - shown}, {})
        for shown in range(faces - 1)
    }
    moves[faces - 1] = {faces - 1: faces - 1}, {"all": 1}
    assert solved(moves, {0: 1})[1] == faces * sum(Fraction(1, n) for n in range(1, faces + 1))


def ruin(stakes: int, win: int, lose: int, spend: Spend = freely) -> tuple[Fraction, Fraction]:
    """The chance to win all stakes, one at a time from half of them, and how long it takes."""
    moves: dict[int, Move[int, str]] = {}
    for held in range(1, stakes):
        after = {held - 1: lose, held + 1: win}
        inside = {key: weight for key, weight in after.items() if 0 < key < stakes}
        ends = {"ruined" if not key else "rich": after[key] for key in after if key not in inside}
        moves[held] = inside, ends
    exits, length = solved(moves, {stakes // 2: 1}, spend)
    assert sum(exits.values()) == 1
    return exits["rich"], length


@pytest.mark.parametrize("stakes", [2, 5, 60, 400])
def test_ruin(stakes: int) -> None:
    held = stakes // 2
    assert ruin(stakes, 1, 1) == (Fraction(held, stakes), held * (stakes - held))
    rich = Fraction(2**held - 1, 2**stakes - 1)
    assert ruin(stakes, 1, 2) == (rich, 3 * (held - stakes * rich))


def test_the_work_of_a_chain_is_counted_and_may_be_refused() -> None:
    spent: list[list[int]] = [[], [], []]
    for stakes, found in zip((50, 100, 200), spent, strict=True):
        ruin(stakes, 1, 1, found.append)
    assert 0 < sum(spent[0]) < sum(spent[1]) < sum(spent[2])

    def refuse(moves: int) -> None:
        raise OverflowError

    with pytest.raises(OverflowError):
        ruin(9, 1, 1, refuse)


@pytest.mark.parametrize("start", ["free", "ring", "late"])
def test_states_that_are_never_left(start: str) -> None:
    moves: dict[str, Move[str, str]] = {
        "free": ({"ring": 1}, {"out": 1}),
        "ring": ({"round": 1}, {}),
        "round": ({"ring": 2}, {}),
        "late": ({"late": 1, "free": 1}, {}),
    }
    with pytest.raises(ValueError, match="leads to no exit"):
        solved(moves, {start: 1})


def test_thousands_of_states() -> None:
    """Scores up to 5000, where throws of 1 and 2 add nothing."""
    end = 5000
    moves: dict[int, Move[int, int]] = {
        score: (
            {score: 2, **{score + n: 1 for n in (3, 4, 5, 6) if score + n < end}},
            {score + n: 1 for n in (3, 4, 5, 6) if score + n >= end},
        )
        for score in range(end)
    }
    ends, length = solved(moves, {0: 1})
    assert sorted(ends) == [end + n for n in range(6)]
    assert sum(ends.values()) == 1
    # Wald: as many throws as the mean of what they add goes into the mean of the end.
    mean_end = sum(score * chance for score, chance in ends.items())
    assert length == mean_end / Fraction(3 + 4 + 5 + 6, 6)
