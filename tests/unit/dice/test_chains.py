"""Repeated throws whose chances are known in closed form."""

from fractions import Fraction

import pytest

from rulebook.dice.chains import Move, Spend, freely, solved


def coupons(faces: int) -> dict[int, Move[int, str]]:
    """Throw until every face was shown."""
    moves: dict[int, Move[int, str]] = {
        shown: ({**({shown: shown} if shown else {}), shown + 1: faces - shown}, {})
        for shown in range(faces - 1)
    }
    return moves | {faces - 1: ({faces - 1: faces - 1}, {"all": 1})}


def ruin(stakes: int, win: int, lose: int) -> dict[int, Move[int, str]]:
    """Win or lose one stake at a time, until none or all `stakes` are won."""
    moves: dict[int, Move[int, str]] = {}
    for held in range(1, stakes):
        after = {held - 1: lose, held + 1: win}
        inside = {key: weight for key, weight in after.items() if 0 < key < stakes}
        ends = {"ruined" if not key else "rich": after[key] for key in after if key not in inside}
        moves[held] = inside, ends
    return moves


def test_throws_until_a_six() -> None:
    assert solved({"throw": ({"throw": 5}, {"six": 1})}, {"throw": 1}) == ({"six": 1}, 6)
    assert solved({}, {}) == ({}, 0)


@pytest.mark.parametrize("faces", [6, 300])
def test_collecting_all_faces(faces: int) -> None:
    assert solved(coupons(faces), {0: 1})[1] == faces * sum(
        Fraction(1, n) for n in range(1, faces + 1)
    )


@pytest.mark.parametrize("stakes", [2, 5, 60, 400])
def test_ruin(stakes: int) -> None:
    held = stakes // 2
    exits, length = solved(ruin(stakes, 1, 1), {held: 1})
    assert exits["ruined"] == 1 - Fraction(held, stakes)
    assert length == held * (stakes - held)
    rich = Fraction(2**held - 1, 2**stakes - 1)
    exits, length = solved(ruin(stakes, 1, 2), {held: 1})
    assert exits == {"rich": rich, "ruined": 1 - rich}
    assert length == 3 * (held - stakes * rich)


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
    # Scores up to 5000, where throws of 1 and 2 add nothing.
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


def test_the_work_is_counted_and_may_be_refused() -> None:
    """A walk of so many states up and down."""

    def walk(most: int, spend: Spend = freely) -> None:
        moves: dict[int, Move[int, str]] = {0: ({0: 1, 1: 2}, {})}
        moves |= {at: ({at - 1: 1, at + 1: 2}, {}) for at in range(1, most - 1)}
        solved({**moves, most - 1: ({most - 2: 1}, {"out": 2})}, {0: 1}, spend)

    def work(most: int) -> int:
        spent: list[int] = []
        walk(most, spent.append)
        return sum(spent)

    assert 0 < work(50) < work(100) < work(200)

    def refuse(moves: int) -> None:
        raise OverflowError

    with pytest.raises(OverflowError):
        walk(9, refuse)
