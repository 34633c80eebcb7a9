"""What all cutouts have in common: a title, how they are used, and lengths that can be drawn.

Only what the rules state stands in these models; the geometry is made in `rulebook.cutouts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator

from rulebook.model import scalars
from rulebook.model.entities import Entity
from rulebook.model.scalars import HeadingId, Line, ProseText
from rulebook.quantities import Length, out_of_bounds

#: No cutout is longer: two tables end to end.
LONGEST = Length(Fraction(3), "m")


def drawn(least: Length | None = None) -> Any:
    """A length that is drawn at true scale: one that a ruler measures, and no smaller."""
    expected = f"{least} or more" if least else f"more than 0 and up to {LONGEST}"

    def check(length: Length) -> Length:
        in_bounds = length.unit != "base" and 0 < length.mm <= LONGEST.mm
        if not in_bounds or (least is not None and length.mm < least.mm):
            raise out_of_bounds("length", length, expected)
        return length

    return AfterValidator(check)


DrawnLength = Annotated[scalars.Length, drawn()]


class Cutout(Entity):
    """What all shapes have in common.

    `not_scaled` are lengths of the thing itself and not of the game: wood and card stay as
    they are where the game is scaled.
    """

    not_scaled: ClassVar[frozenset[str]] = frozenset()
    #: A field that prose may well name.
    example: ClassVar[str] = "title"

    title: Line
    use: ProseText | None = None
    """how it is laid on the table, printed on it"""
    rule: HeadingId | None = None
    """id of the heading whose rule uses it"""

    @property
    def derived(self) -> Mapping[str, object]:
        """What paths may name of it beside its fields, or in their place."""
        return {}
