"""The quick-reference sheet of Horse and Musket, typed line by line -> its numbers by row.

The oracle of the tests of that ruleset: typed from the source in its own order, and nothing of the
content or of the package. None is a place where the sheet has a dash or nothing; a number read as
another than what is printed has a remark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Factors = Mapping[str, tuple[str, int | None, int | None]]

#: Row: a word of its condition, and the numbers of infantry and of artillery that fires.
FIRER: Factors = {
    "short": ("Short", 2, 1),
    "max": ("Max", -2, -1),
    "rifled": ("Rifled", 1, None),
    "initial": ("Initial volley", 2, None),
    "rested": ("Rested", 1, None),
    "good_shots": ("Good shots", 1, None),
    "ragged": ("Ragged", -2, None),
    "poor_weapon": ("bad flints", -1, None),
    "canister": ("Canister", None, 4),
    "first_shot": ("wheeled", None, -1),
}
TARGET: Factors = {
    "column": ("Column or limbered", 2, 4),
    "open": ("Open line or unlimbered", -1, -1),
    "flank": ("flank", 4, 6),
    "rear": ("rear", 4, 4),
    "obscured": ("Obscured", -1, None),
    "skirmishers": ("Skirmishers", -3, -2),
    "cover": ("Cover or obstacle", -2, -2),
    "to_tree": ("to tree", -3, -2),
}
COVER: Factors = {
    "wooden": ("Wooden", -4, -2),
    "wood_and_brick": ("Wood and brick", -6, -3),
    "brick": ("Brick", -8, -4),
    "fortified": ("Fortified", -10, -8),
    "light_works": ("Light fieldworks", -4, -2),
    "heavy_works": ("Heavy fieldworks", -8, -4),
}
#: Row: a word of its condition, and the numbers of attacker and defender. A single number is read
#: as that of both.
COMBAT: Factors = {
    "moving_in": ("moving into contact", 2, None),
    "elite_charge": ("British or elite", 4, None),
    "formed_open": ("open order", 1, None),
    "formed_skirmish": ("against skirmishers", 2, None),
    "flank": ("flank", 2, -2),
    "rear": ("rear", 4, -4),
    "column": ("column", 2, None),
    "irregular": ("Against irregular", 1, 1),  # one number
    "militia": ("Against militia", 3, 3),  # one number
    "evading": ("evading", 4, -4),
    "skirmish_close": ("Skirmishers against close order", -2, None),
    "infantry_artillery": ("Infantry against artillery", 2, None),
    "poor_troops": ("Irregulars and militia", None, -2),
    "support": ("Support", 1, 2),
    "inspiration": ("inspiration", 1, 2),  # -1 for the attacker on the sheet
    "won_last": ("or drew", 2, 2),  # one number
    "beat_chargers": ("Won the last combat against chargers", 4, 4),  # one number
    "no_bayonets": ("Lacking bayonets", -2, -2),  # one number
}
GROUND: Factors = {
    "woods_irregulars": ("irregulars", 3, 3),
    "woods_open": ("skirmishers or open order", -1, -1),
    "woods_others": ("others", -3, -3),
    "dense_woods": ("dense woods", -4, -4),
    "higher": ("Higher", 1, 1),  # one number
    "light_works": ("light fieldworks, a linear obstacle or woods", -2, 2),
    "heavy_works": ("heavy fieldworks", -5, 5),
    "wooden": ("area: wooden", -2, 2),
    "wood_and_brick": ("wood and brick", -4, 4),
    "brick": ("brick and stone", -6, 6),
    "fortified": ("fortified", -8, 8),
}
ARMS: Factors = {
    "light_charge": ("Light cavalry charging", 4, None),
    "secure": ("Infantry against cavalry, flanks secure", None, 2),
    "open_flanks": ("Cavalry against infantry, flanks not secure", 3, None),
    "artillery": ("Artillery", -4, -4),  # one number
}
FACTORS: Mapping[str, Factors] = {
    "firer_factors": FIRER,
    "target_factors": TARGET,
    "cover_factors": COVER,
    "combat_factors": COMBAT,
    "ground_factors": GROUND,
    "arm_factors": ARMS,
}

#: Score: the faces of the die for one, two and three hits.
HITS = {
    "10+": "6–10 3–5 1–2",
    "9": "5–9 2–4 1",
    "8": "5–8 2–4 1",
    "7": "4–7 2–3 1",
    "6": "4–6 1–3 –",
    "5": "3–5 1–2 –",
    "<=4": "1–4 – –",
}
#: Formation: the divisor of its strength in the first round of combat, and later.
SHARES = {
    "line": (1, 1),
    "march_column": (1, 1),
    "attack_column": (1, 1),
    "cavalry_column": (2, 1),
    "skirmish": (2, 2),
    "unlimbered": (1, 1),
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
    line = HITS["10+" if score >= 10 else "<=4" if score <= 4 else str(score)]
    for number, faces in enumerate(line.split(), start=1):
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


def total(factors: Factors, rows: Iterable[str], column: int) -> int:
    """The sum of some rows in the first column (0) or the second (1)."""
    numbers = (factors[row][1:] for row in rows)
    return sum((first, second)[column] or 0 for first, second in numbers)


def fate(attacker: str, defender: str, difference: int) -> str:
    """What becomes of the loser, by the attacker's hits less the defender's."""
    if difference == 0:
        return "carry_on"
    loser, winner = (defender, attacker) if difference > 0 else (attacker, defender)
    side = "infantry_cavalry" if (loser, winner) == ("infantry", "cavalry") else loser
    return LOSERS[side][abs(difference) > 1]
