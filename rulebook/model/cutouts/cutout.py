"""What all cutouts have in common: a title, how they are used, and lengths that can be drawn.

Only what the rules state stands in these models; the geometry is made in `rulebook.cutouts`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from pydantic import Field

from rulebook.model.provenance import Entity
from rulebook.model.scalars import Id, Line, ProseText
from rulebook.quantities import Length, QuantityError

#: No cutout is longer: two tables end to end.
LONGEST = Length(Fraction(3), "m")


def true_scale(name: str, length: Length, *at: str | int, least: Length | None = None) -> None:
    """Refuse a length that cannot be drawn, or cut out; `at` is where it stands in the cutout."""
    if length.unit == "base":
        raise QuantityError.of("R204 given in bases", at=at, name=name)
    if not 0 < length.mm <= LONGEST.mm:
        raise QuantityError.of(
            "R204 length out of bounds", at=at, name=name, length=length, longest=LONGEST
        )
    if least is not None and length.mm < least.mm:
        raise QuantityError.of("R204 too small", at=at, name=name, given=length, least=least)


class Cutout(Entity):
    """What all shapes have in common.

    `not_scaled` are lengths of the thing itself and not of the game: wood and card stay as
    they are where the game is scaled.
    """

    not_scaled: ClassVar[frozenset[str]] = frozenset()

    title: Line
    use: ProseText | None = Field(None, description="how it is laid on the table, printed on it")
    rule: Id | None = Field(None, description="id of the heading whose rule uses it")
