"""The charts of the Napoleonic skirmish game as its source prints them -> rows of scores and words.

Typed from the source, for the tests of its facts and those of its odds alike.
"""

from __future__ import annotations

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
