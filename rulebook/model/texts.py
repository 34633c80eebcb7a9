"""Worked examples and terms: what is told beside the rules."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rulebook.model.provenance import Entity
from rulebook.model.scalars import Line, ProseText


class Example(Entity):
    """A situation of play, followed step by step to its end."""

    title: Line
    situation: ProseText
    steps: Annotated[tuple[ProseText, ...], Field(min_length=1)]
    outcome: ProseText


class Term(Entity):
    """A word of the game: its meaning, for the glossary, and its forms, for the index."""

    title: Line
    meaning: ProseText | None = Field(None, description="one sentence; without it only indexed")
    forms: tuple[Line, ...] = Field((), description="other forms of the word, such as a plural")
