"""Scores, hits, shots and rounds of close combat, exact odds against every face of the dice.

The numbers are the facts of the sheet: nothing of the package. Read: a d10 of which low faces are
good, the factors of a side added to its score, the side with fewer hits as the loser.

House: halves rounded up, 1 off the score for each fatigue hit, 1 off the strength for each hit, and
one row for each thing that a row may describe.

`combat_score` and `result`: all their inputs. `shooting`: all strengths, formations and arms, and
every set of rows of each of its three tables. `close_combat`: all strengths of both sides, all
formations and arms, every row and pair of rows of each table on each side, and a seeded sample of
the rest. Sets that describe one thing twice are refused.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, combinations, product

import pytest
from asked_odds import Asked, drawn, game
from expected_facts import expected, number_in
from ways import Ways, counted, differing

from rulebook.core.odds import FaultyProcedure

FACTS = expected("horse-and-musket")
#: By row what is added, in the order of the columns: infantry and artillery that fires, attacker
#: and defender. A number that the sheet has not is none.
Factors = Mapping[str, Mapping[str, int]]


def factors(table: str) -> Factors:
    rows = FACTS["modifiers"][table]
    return {row: {to: number_in(n) for to, n in line.items()} for row, line in rows.items()}


FIRER, TARGET, COVER = (factors(f"{name}_factors") for name in ("firer", "target", "cover"))
COMBAT, GROUND, ARMS = (factors(f"{name}_factors") for name in ("combat", "ground", "arm"))
#: Rows that describe one thing twice, of which one counts: the range, the formation of the target,
#: the side from which a shot or an attack comes, its cover; the charge, the enemy, the last combat,
#: woods, and the position of the defender.
ONE_OF_A_SHOT = (
    {"short", "max", "canister"},
    {"column", "open", "skirmishers"},
    {"flank", "rear"},
    {"cover", "to_tree", *COVER},
)
ONE_OF_A_ROUND = (
    {"moving_in", "elite_charge"},
    {"flank", "rear", "evading"},
    {"formed_open", "formed_skirmish"},
    {"irregular", "militia"},
    {"won_last", "beat_chargers"},
    {row for row in GROUND if "woods" in row},
    {*GROUND} - {row for row in GROUND if "woods" in row} - {"higher"},
)
CHARGES = {"moving_in", "elite_charge", "light_charge"}
#: The faces of the die for one, two and three hits: from a score of 4 or less to 10 and more.
HITS: list[list[str]] = FACTS["tables"]["hit_table"]
#: Formation: the divisor of its strength in the first round of combat, and later.
SHARES = {
    row: (2 if first == "½" else 1, 2 if later == "½" else 1)
    for row, (first, later, fixed) in FACTS["columns"]["formations"].items()
    if row != "of" and fixed == "–"
}
#: What befalls a loser by one, and by two or more; infantry against cavalry apart.
LOSERS = {
    "infantry": ("carry_on_bonus", "retreat_half"),
    "infantry_cavalry": ("retreat", "breaks"),
    "cavalry": ("carry_on_bonus", "retreat"),
    "artillery": ("breaks", "breaks"),  # nothing stands for two or more
}


def hits(score: int, die: int) -> int:
    """The hits of a face in the line of a score: from 10 the first line, to 4 the last."""
    for number, faces in enumerate(HITS[min(max(score, 4), 10) - 4], start=1):
        low, _, high = faces.partition("–")
        if low and int(low) <= die <= int(high or low):
            return number
    return 0


def own_score(strength: int, formation: str, *, first_round: bool) -> int:
    """The combat score before factors, with halves rounded up; limbered guns count as 1."""
    if formation == "limbered":
        return 1
    first, later = SHARES[formation]
    divisor = first if first_round else later
    return (strength + divisor - 1) // divisor


def total(factors: Factors, rows: Iterable[str], side: str) -> int:
    """The sum of some rows for an arm or a side."""
    return sum(factors[row].get(side, 0) for row in rows)


def left(strengths: tuple[int, int], hits_of: tuple[int, int]) -> tuple[int, int]:
    """The strengths after a round; 1 each where a draw leaves both with nothing."""
    after = (max(0, strengths[0] - hits_of[1]), max(0, strengths[1] - hits_of[0]))
    return (1, 1) if hits_of[0] == hits_of[1] and after == (0, 0) else after


def fate(attacker: str, defender: str, difference: int) -> str:
    """What becomes of the loser, by the attacker's hits less the defender's."""
    if difference == 0:
        return "carry_on"
    loser, winner = (defender, attacker) if difference > 0 else (attacker, defender)
    side = "infantry_cavalry" if (loser, winner) == ("infantry", "cavalry") else loser
    return LOSERS[side][abs(difference) > 1]


D10 = range(1, 11)
STRENGTHS = range(21)
FORMATIONS = (*SHARES, "limbered")
SIDES = ("infantry", "cavalry", "artillery")
Rows = tuple[str, ...]


@pytest.fixture(scope="module")
def asked() -> Asked:
    return game("horse-and-musket")


def sets(factors: Factors, most: int | None = None) -> Iterator[Rows]:
    """Every set of rows, of so many at the most."""
    sizes = range((len(factors) if most is None else most) + 1)
    return chain.from_iterable(combinations(factors, size) for size in sizes)


def typed(rows: Iterable[str]) -> str:
    return ",".join(rows) or "none"


def one_each(groups: Iterable[set[str]], *rows: str) -> bool:
    """Whether of each group there is one row at the most."""
    return all(len(group & {*rows}) <= 1 for group in groups)


def test_a_score_is_the_part_of_the_strength_that_the_formation_brings(asked):
    for strength, formation, first in product(STRENGTHS, FORMATIONS, (False, True)):
        found = asked.joint(
            "combat_score", strength=strength, formation=formation, first_round=first
        )
        assert found == {own_score(strength, formation, first_round=first): 1}


def test_each_fatigue_hit_takes_one_off_a_score(asked):
    for fatigue, formation in product(range(21), FORMATIONS):
        score = own_score(7, formation, first_round=False) - fatigue
        given = {"strength": 7, "formation": formation, "fatigue": fatigue}
        assert asked.joint("combat_score", first_round=False, **given) == {score: 1}
        asked.expect(shot(score), "shooting", **given)


def test_hits_of_every_score(asked):
    for score in range(-60, 61):
        expected = counted(hits(score, die) for die in D10)
        asked.expect(expected, "result", score=score)


def shot(score: int) -> Ways[tuple[int, int]]:
    return counted((score, hits(score, die)) for die in D10)


@pytest.mark.parametrize("arm", ["infantry", "artillery"])
def test_a_shot_at_nothing_in_particular(asked, arm):
    """All strengths and formations, within canister or short range and beyond it."""
    rows: list[Rows] = [(), ("short",), ("max",), ("canister",)]
    for strength, formation, firer in product(STRENGTHS, FORMATIONS, rows):
        found = asked.joint(
            "shooting", arm=arm, strength=strength, formation=formation, firer=typed(firer)
        )
        score = own_score(strength, formation, first_round=False) + total(FIRER, firer, arm)
        assert not differing(found, shot(score)), (strength, formation, firer)


@pytest.mark.parametrize("arm", ["infantry", "artillery"])
def test_every_set_of_factors_of_a_shot(asked, arm):
    """A set of each table alone: what else is added does not ask for it."""
    for name, factors in {"firer": FIRER, "target": TARGET, "cover": COVER}.items():
        for rows in sets(factors):
            if not one_each(ONE_OF_A_SHOT, *rows):
                continue
            expected = shot(6 + total(factors, rows, arm))
            asked.expect(expected, "shooting", arm=arm, **{name: typed(rows)})


def test_factors_of_all_tables_are_added(asked):
    tables = [list(sets(factors)) for factors in (FIRER, TARGET, COVER)]
    arms = ("infantry", "artillery")
    for arm, strength, formation, firer, target, cover in drawn(
        31, 4000, arms, STRENGTHS, FORMATIONS, *tables
    ):
        initial = "initial" in firer and formation != "line"
        if initial or not one_each(ONE_OF_A_SHOT, *firer, *target, *cover):
            continue
        score = own_score(strength, formation, first_round=False) + sum(
            total(factors, rows, arm)
            for factors, rows in ((FIRER, firer), (TARGET, target), (COVER, cover))
        )
        asked.expect(
            shot(score),
            "shooting",
            arm=arm,
            strength=strength,
            formation=formation,
            firer=typed(firer),
            target=typed(target),
            cover=typed(cover),
        )


def test_rows_of_a_shot_that_describe_one_thing_are_refused(asked):
    for name, factors in {"firer": FIRER, "target": TARGET, "cover": COVER}.items():
        for rows in sets(factors, most=2):
            if not one_each(ONE_OF_A_SHOT, *rows):
                with pytest.raises(FaultyProcedure):
                    asked.joint("shooting", **{name: typed(rows)})


Round = tuple[int, int, int, str, str, int, int]


@cache
def fought(
    scores: tuple[int, int], strengths: tuple[int, int], attacker: str, defender: str
) -> Ways[Round]:
    """A round, throw by throw: hits, difference, who wins, what the loser does, what is left."""
    outcomes = []
    for one, other in product(D10, D10):
        own, others = hits(scores[0], one), hits(scores[1], other)
        winner = "attacker" if own > others else "defender" if others > own else "draw"
        loser = fate(attacker, defender, own - others)
        after = left(strengths, (own, others))
        outcomes.append((own, others, own - others, winner, loser, *after))
    return counted(outcomes)


def wrong(asked: Asked, given: Mapping[str, object], attack: int, defence: int) -> object:
    """How the odds of a round differ from those of two scores; nothing if all is well."""
    sides = [str(given.get(side, "infantry")) for side in ("attacker", "defender")]
    strengths = [int(str(given.get(f"{side}_strength", 6))) for side in ("attacker", "defender")]
    found = asked.joint("close_combat", **given)
    return differing(found, fought((attack, defence), (strengths[0], strengths[1]), *sides))


def test_every_pair_of_strengths(asked):
    for one, other in product(STRENGTHS, STRENGTHS):
        given = {"attacker_strength": one, "defender_strength": other}
        assert not wrong(asked, given, one, other), given


def test_every_pair_of_formations(asked):
    for one, other, first in product(FORMATIONS, FORMATIONS, (False, True)):
        given = {
            "attacker_strength": 9,
            "attacker_formation": one,
            "defender_strength": 7,
            "defender_formation": other,
            "first_round": first,
        }
        scores = [own_score(n, f, first_round=first) for n, f in ((9, one), (7, other))]
        assert not wrong(asked, given, scores[0], scores[1]), given


@pytest.mark.parametrize(("attacker", "defender"), list(product(SIDES, SIDES)))
def test_what_becomes_of_each_arm_against_each(asked, attacker, defender):
    """From the last line of the hits to the first, on both sides."""
    for one, other in product(range(4, 11), range(4, 11)):
        given = {
            "attacker": attacker,
            "attacker_strength": one,
            "defender": defender,
            "defender_strength": other,
        }
        assert not wrong(asked, given, one, other), given


@pytest.mark.parametrize(("column", "side"), [(0, "attacker"), (1, "defender")])
@pytest.mark.parametrize(
    ("name", "factors"), [("factors", COMBAT), ("ground", GROUND), ("arms", ARMS)]
)
def test_every_row_and_pair_of_rows_on_each_side(asked, name, factors, column, side):
    for rows in sets(factors, most=2):
        given = {f"{side}_{name}": typed(rows)}
        if not one_each(ONE_OF_A_ROUND, *(row for row in rows if side in factors[row])):
            with pytest.raises(FaultyProcedure):
                asked.joint("close_combat", **given)
            continue
        scores = [6, 6]
        scores[column] += total(factors, rows, side)
        assert not wrong(asked, given, *scores), rows


def test_nobody_charges_in_a_later_round(asked):
    for row in CHARGES:
        name = "attacker_arms" if row in ARMS else "attacker_factors"
        with pytest.raises(FaultyProcedure, match="first round"):
            asked.joint("close_combat", first_round=False, **{name: row})


def test_fatigue_of_both_sides_in_a_round(asked):
    for one, other in product(range(5), repeat=2):
        given = {"attacker_fatigue": one, "defender_fatigue": other}
        assert not wrong(asked, given, 6 - one, 6 - other), given


def fitting(rows: Rows, factors: Factors, side: str, *, first: bool) -> Rows:
    """Of some rows the first of each thing that they describe, and no charge in a later round."""
    kept: list[str] = []
    for row in rows:
        counted_rows = [one for one in (*kept, row) if side in factors[one]]
        if one_each(ONE_OF_A_ROUND, *counted_rows) and (first or row not in CHARGES):
            kept.append(row)
    return tuple(kept)


def test_rounds_drawn_from_all_inputs(asked):
    tables = {"factors": COMBAT, "ground": GROUND, "arms": ARMS}
    ranges = [SIDES, STRENGTHS, FORMATIONS, *(list(sets(one)) for one in tables.values())]
    for *inputs, first in drawn(47, 500, *ranges, *ranges, (False, True)):
        given: dict[str, object] = {"first_round": first}
        scores = []
        for side, own in (("attacker", inputs[:6]), ("defender", inputs[6:])):
            arm, strength, formation, *rows = own
            given |= {side: arm, f"{side}_strength": strength, f"{side}_formation": formation}
            rows = [
                fitting(some, table, side, first=first)
                for some, table in zip(rows, tables.values(), strict=True)
            ]
            given |= {f"{side}_{n}": typed(r) for n, r in zip(tables, rows, strict=True)}
            scores.append(
                own_score(strength, formation, first_round=first)
                + sum(total(f, r, side) for f, r in zip(tables.values(), rows, strict=True))
            )
        assert not wrong(asked, given, scores[0], scores[1]), given
