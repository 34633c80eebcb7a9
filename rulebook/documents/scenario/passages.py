"""Passages of a scenario -> the parts of text that its booklet prints, as chapters have them.

References to rules are numbers without links: the rules are another booklet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.documents.booklet.compose import ROOM
from rulebook.documents.booklet.views import (
    Part,
    PicturePart,
    StepsPart,
    TablePart,
    TextPart,
)
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.cutout_drawings import drawing_of
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.tables import TableComposer
from rulebook.drawing.svg import svg_miniature
from rulebook.drawing.svg_elements import Look
from rulebook.loading.chapters import cut_passage
from rulebook.model.prose import Block, Text
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Passage, Prose

#: Width of a cutout in the text, mm.
_PICTURE = 90.0
#: A link to a heading of the rules, which is not in this booklet.
_LINK = re.compile(r"(?<!\\)\[([^\]]+)\]\(\s*<?#[^)]*\)")


class PassageComposer:
    """Makes the parts of passages of one scenario."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._binder = Binder(ruleset, references="number")
        self._tables = TableComposer(self._binder, {}, notes={})
        self._examples = ExampleComposer(self._binder)

    def prose(self, text: Prose | None) -> str:
        """A line or a few as Markdown; nothing gives empty text."""
        return _LINK.sub(r"\1", self._binder.prose(text))

    def passage(self, text: Passage | None) -> tuple[Part, ...]:
        """Paragraphs, and the tables, cutouts, procedures and examples that stand among them."""
        return () if text is None else tuple(self._parts(text))

    def _parts(self, text: Passage) -> Iterator[Part]:
        for part in cut_passage(text)[0]:
            if isinstance(part, Text):
                yield TextPart(_LINK.sub(r"\1", self._binder.text(part.markdown, part.bindings)))
            else:
                yield self._block(part)

    def _block(self, block: Block) -> Part:
        name = block.target
        if block.kind == "table":
            return TablePart(self._tables.view(name, ROOM), "")
        if block.kind == "steps":
            return StepsPart(self._binder.steps(name), None)
        if block.kind == "cutout":
            cutout = self._ruleset.cutouts[name]
            look = Look(accent=self._ruleset.header.accent)
            svg = svg_miniature(drawing_of(self._ruleset, name), _PICTURE, look)
            return PicturePart(name, cutout.title, svg, self.prose(cutout.use), "", None)
        return self._examples.whole(name)
