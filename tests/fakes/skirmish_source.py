"""The tables of the Napoleonic skirmish game as its source prints them -> scores and words.

Typed from the source, for the tests of its facts and those of its odds alike.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from chances import at_least

#: Strength 1 to 15 in the row, defence 1 to 10 and 100 in the column.
WOUNDS = """
4 5 5 6 6 6/4 6/5 6/6 - - -
4 4 5 5 6 6 6/4 6/5 6/6 - -
3 4 4 5 5 6 6 6/4 6/5 6/6 -
3 3 4 4 5 5 6 6 6/4 6/5 -
3 3 3 4 4 5 5 6 6 6/4 -
2 3 3 3 4 4 5 5 6 6 -
2 2 3 3 3 4 4 5 5 6 -
2 2 2 3 3 3 4 4 5 5 -
2 2 2 2 3 3 3 4 4 5 -
1 2 2 2 2 3 3 3 4 4 5
1 1 2 2 2 2 3 3 3 4 5
1 1 1 2 2 2 2 3 3 3 5
1 1 1 1 2 2 2 2 3 3 4
1 1 1 1 1 2 2 2 2 3 4
1 1 1 1 1 1 2 2 2 2 4
"""
CHART = [line.split() for line in WOUNDS.strip().splitlines()]
DEFENCES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100)

#: What becomes of a shot on throws 1 to 6 of the scatter chart, by its three columns.
SCATTER = {
    "few": ["named", "nobody", "nobody", "nobody", "other", "target"],
    "some": ["named", "nobody", "nobody", "other", "other", "target"],
    "many": ["named", "nobody", "other", "other", "other", "target"],
}

#: Strength within half range and beyond, and whether the weapon has a distance for scatter.
WEAPONS = {
    "bow": (3, 2, False),
    "carbine": (4, 3, True),
    "musket": (4, 3, True),
    "rifle": (5, 4, False),
    "rifled_carbine": (4, 3, False),
    "volley_gun": (4, 3, True),
    "pistol": (3, 2, True),
}
#: The score for things in the way.
COVER = {"light": 3, "solid": 4, "heavy": 5}
#: Guns: strength within half range and beyond, minimum crew; limbers: crew, horses at half speed.
GUNS = {
    "three": (8, 7, 2, 1, 1),
    "six": (9, 8, 3, 2, 2),
    "nine": (10, 9, 3, 3, 3),
    "twelve": (11, 10, 4, 3, 4),
    "eighteen": (13, 12, 5, 4, 5),
    "twenty_four": (15, 14, 5, 4, 6),
    "howitzer": (10, 9, 3, 3, 4),
}
#: Rockets: crew to move, strength.
ROCKETS = {"heavy": (4, 9), "light": (3, 7)}


def wounding(strength: int, defence: int) -> Fraction:
    """The chance of a blow to wound: a score, two scores thrown one after the other, or none."""
    cell = CHART[strength - 1][DEFENCES.index(defence)]
    if cell == "-":
        return Fraction(0)
    return prod((at_least(int(score)) for score in cell.split("/")), start=Fraction(1))
