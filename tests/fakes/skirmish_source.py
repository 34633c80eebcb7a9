"""The facts of the Napoleonic skirmish game -> scores and words, for the tests of its odds."""

from fractions import Fraction
from math import prod

from beside import as_written
from expected_facts import expected, number_in
from ways import at_least

FACTS = expected("napoleonic-skirmish")
DEFENCES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100)
COLUMNS = {
    table: {
        row: dict(zip(lines["of"], cells, strict=True))
        for row, cells in lines.items()
        if row != "of"
    }
    for table, lines in FACTS["columns"].items()
}
#: What becomes of a shot, in the words of the scatter chart.
PLACES = as_written(__file__, "places")
#: The same on throws 1 to 6, by the three columns of the chart.
SCATTER = {
    crowd: [PLACES[FACTS["places"][f"scatter_chart[{throw}, {crowd}]"]] for throw in range(1, 7)]
    for crowd in ("few", "some", "many")
}


def numbers(table: str, row: str, *fields: str) -> tuple[int, ...]:
    return tuple(number_in(COLUMNS[table][row][field]) for field in fields)


#: Strength within half range and beyond, and whether the weapon has a distance for scatter.
WEAPONS = {
    weapon: (*numbers("weapons", weapon, "near_strength", "far_strength"), line["scatter"] != "–")
    for weapon, line in COLUMNS["weapons"].items()
    if weapon != "blunderbuss"
}
#: The score for things in the way.
COVER = {cover: number_in(line["passes"]) for cover, line in COLUMNS["in_the_way"].items()}
#: Guns: strength within half range and beyond, minimum crew; limbers: crew, horses at half speed.
GUNS = {
    gun: (
        *numbers("cannon", gun, "near_strength", "far_strength", "crew"),
        *numbers("limbers", gun, "crew", "half_speed"),
    )
    for gun in COLUMNS["cannon"]
}
#: Rockets: crew to move, strength.
ROCKETS = {
    rocket: numbers("rockets", rocket, "moving", "strength") for rocket in ("heavy", "light")
}


def wounding(strength: int, defence: int) -> Fraction:
    """The chance of a blow to wound: a score, two scores thrown one after the other, or none."""
    cell = FACTS["tables"]["wound_chart"][strength - 1][DEFENCES.index(defence)]
    if cell == "–":
        return Fraction(0)
    return prod((at_least(int(score)) for score in cell.rstrip("+").split("/")), start=Fraction(1))
