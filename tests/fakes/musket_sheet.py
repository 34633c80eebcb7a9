"""The quick-reference sheet of Horse and Musket -> its factors, its hits and its fates.

The oracle of the tests of the odds: its numbers are the facts of the source, and nothing is of the
content or of the package.
"""

from collections.abc import Iterable, Mapping

from expected_facts import expected, number_in

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
