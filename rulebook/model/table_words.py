"""What all tables have in common: the words around their cells, and where they are printed."""

from __future__ import annotations

from pydantic import Field

from rulebook.model import scalars
from rulebook.model.provenance import Entity
from rulebook.model.scalars import Line, ProseText


class PrintedTable(Entity):
    """A grid, a record table or a modifier table, on the sheet and in the booklet."""

    title: Line
    about: ProseText | None = Field(None, description="what a cell means, printed under the title")
    notes: tuple[ProseText, ...] = Field((), description="footnotes")
    qrs: scalars.Flag = Field(True, description="false: not for the quick-reference sheet")
    booklet: scalars.Flag = Field(True, description="false: only its values, bound in the prose")
