"""Options: rules that a ruleset may be played with, or not. An overlay adds, changes and removes.

What an overlay does to the data is done where the data is loaded, before anything is typed; here
is what is known of an option by itself, and of a ruleset that has some chosen.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from rulebook.model.provenance import Entity
from rulebook.model.scalars import Id, Line


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


class Option(Entity):
    """An optional rule; its id is the name of its file.

    Its overlays are plain data here: they are read with what they lie over.
    """

    title: Line
    rule: Id | None = Field(
        None, description="id of the heading where it stands in full; what it adds prints there"
    )
    belongs: Id | None = Field(
        None,
        description="id of the heading behind which its rule prints while it is in force; "
        "if left out, that of the first thing that it changes",
    )
    after: Annotated[
        tuple[Id, ...],
        BeforeValidator(_listed, json_schema_input_type=tuple[Id, ...] | Id),
    ] = Field((), description="options over which it wins where they change the same thing")
    adds: Any = None
    changes: Any = None
    removes: Any = None
