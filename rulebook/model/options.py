"""Options: rules that a ruleset may be played with, or not. An overlay adds, changes and removes.

What an overlay does to the data is done where the data is loaded, before anything is typed; here
is what is known of an option by itself, and of a ruleset that has some chosen.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from rulebook.model.provenance import Entity
from rulebook.model.scalars import Id, Line


class Option(Entity):
    """An optional rule; its id is the name of its file.

    Its overlays are plain data here: they are read with what they lie over.
    """

    title: Line
    rule: Id | None = Field(
        None, description="id of the heading where it stands in full; what it adds prints there"
    )
    adds: Any = None
    changes: Any = None
    removes: Any = None
