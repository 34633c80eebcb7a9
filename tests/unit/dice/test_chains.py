"""Repeated throws whose chances are known in closed form."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rulebook.dice.chains import Chain, Move


def geometric() -> Chain[str, str]:
    """Throw a die until it shows 6."""
    return Chain({"throw": ({"throw": 5}, {"six": 1})})


def coupons(faces: int) -> Chain[int, str]:
    """Throw until every face was shown."""
    moves: dict[int, Move[int, str]] = {
        shown: ({**({shown: shown} if shown else {}), shown + 1: faces - shown}, {})
        for shown in range(faces - 1)
    }
    moves[faces - 1] = ({faces - 1: faces - 1}, {"all": 1})
    return Chain(moves)


def ruin(stakes: int, win: int, lose: int) -> Chain[int, str]:
    """Win or lose one stake at a time, until none or all `stakes` are won."""
    return Chain(
        {
            held: (
                {
                    after: weight
                    for after, weight in ((held - 1, lose), (held + 1, win))
                    if 0 < after < stakes
                },
                {
                    **({"ruined": lose} if held == 1 else {}),
                    **({"rich": win} if held == stakes - 1 else {}),
                },
            )
            for held in range(1, stakes)
        }
    )


def test_throws_until_a_six() -> None:
    chain = geometric()
    assert chain.trapped() == set()
    assert chain.solved({"throw": 1})[0] == {"six": 1}
    assert chain.solved({"throw": 1})[1] == 6
    left, inside = chain.lengths({"throw": 1}, 4)
    assert left == [{"six": Fraction(5, 6) ** n * Fraction(1, 6)} for n in range(4)]
    assert inside == {"throw": Fraction(5, 6) ** 4}


def test_collecting_all_faces() -> None:
    assert coupons(6).solved({0: 1})[1] == 6 * sum(Fraction(1, n) for n in range(1, 7))
    assert coupons(300).solved({0: 1})[1] == 300 * sum(Fraction(1, n) for n in range(1, 301))


@pytest.mark.parametrize("stakes", [2, 5, 60, 400])
def test_ruin(stakes: int) -> None:
    fair, unfair = ruin(stakes, 1, 1), ruin(stakes, 1, 2)
    held = stakes // 2
    assert fair.solved({held: 1})[0]["ruined"] == 1 - Fraction(held, stakes)
    assert fair.solved({held: 1})[1] == held * (stakes - held)
    rich = Fraction(2**held - 1, 2**stakes - 1)
    assert unfair.solved({held: 1})[0] == {"rich": rich, "ruined": 1 - rich}
    assert unfair.solved({held: 1})[1] == 3 * (held - stakes * rich)


def test_states_that_are_never_left() -> None:
    moves: dict[str, Move[str, str]] = {
        "free": ({"ring": 1}, {"out": 1}),
        "ring": ({"round": 1}, {}),
        "round": ({"ring": 2}, {}),
        "alone": ({"alone": 1}, {}),
        "late": ({"late": 1, "free": 1}, {}),
    }
    chain = Chain(moves)
    assert chain.trapped() == {"ring", "round", "alone"}
    for start in ("free", "ring", "alone", "late"):
        with pytest.raises(ValueError, match="leads to no exit"):
            chain.solved({start: 1})[0]
        with pytest.raises(ValueError, match="leads to no exit"):
            chain.solved({start: 1})[1]
    left, inside = chain.lengths({"free": 1}, 3)
    assert left == [{"out": Fraction(1, 2)}, {}, {}]
    assert inside == {"ring": Fraction(1, 2)}


@pytest.mark.parametrize(
    "move", [({}, {}), ({"other": 1}, {}), ({"throw": 0}, {"out": 1}), ({}, {"out": -1})]
)
def test_moves_that_are_none(move: Move[str, str]) -> None:
    with pytest.raises(ValueError, match="'throw'"):
        Chain({"throw": move})


def test_thousands_of_states() -> None:
    # Scores up to 5000, where throws of 1 and 2 add nothing.
    end = 5000
    chain: Chain[int, int] = Chain(
        {
            score: (
                {score: 2, **{score + n: 1 for n in (3, 4, 5, 6) if score + n < end}},
                {score + n: 1 for n in (3, 4, 5, 6) if score + n >= end},
            )
            for score in range(end)
        }
    )
    ends = chain.solved({0: 1})[0]
    assert sorted(ends) == [end + n for n in range(6)]
    assert sum(ends.values()) == 1
    # Wald: as many throws as the mean of what they add goes into the mean of the end.
    mean_end = sum(score * chance for score, chance in ends.items())
    assert chain.solved({0: 1})[1] == mean_end / Fraction(3 + 4 + 5 + 6, 6)


def test_the_work_is_told_and_may_be_refused() -> None:
    """A walk of so many states up and down."""

    def walk(most: int, spend: Callable[[int], None]) -> Chain[int, str]:
        moves: dict[int, Move[int, str]] = {0: ({0: 1, 1: 2}, {})}
        moves |= {at: ({at - 1: 1, at + 1: 2}, {}) for at in range(1, most - 1)}
        moves[most - 1] = ({most - 2: 1}, {"out": 2})
        return Chain(moves, spend)

    def work(most: int) -> int:
        told: list[int] = []
        walk(most, told.append).solved({0: 1})
        return sum(told)

    assert 0 < work(50) < work(100) < work(200)

    class Refused(Exception):
        pass

    def refuse(moves: int) -> None:
        raise Refused

    with pytest.raises(Refused):
        walk(9, refuse).solved({0: 1})
    with pytest.raises(Refused):
        walk(9, refuse).lengths({0: 1}, 3)
