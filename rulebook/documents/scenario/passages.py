"""Passages and notes of a scenario -> the parts of text that its booklet prints.

References to rules are numbers without links: the rules are another booklet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulebook.documents.booklet.compose import ROOM
from rulebook.documents.booklet.views import (
    NoteView,
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
from rulebook.drawing.inks import Look
from rulebook.drawing.svg import svg_miniature
from rulebook.loading.chapters import cut_passage
from rulebook.model.not_in_source import Unstated, unstated_of_scenario
from rulebook.model.prose import Block, Text
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Passage, Prose
from rulebook.translation import gettext

#: Width of a cutout in the text, mm.
_PICTURE = 90.0
#: A link to a heading of the rules, which is not in this booklet.
_LINK = re.compile(r"(?<!\\)\[([^\[\]]++)\]\(\s*+<?#[^()]*+\)")


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


class ScenarioNotes:
    """The notes of one scenario, numbered in the order in which it is written."""

    def __init__(self, ruleset: Ruleset, name: str) -> None:
        self._name = name
        self._title = ruleset.scenarios[name].title
        self._items: Sequence[Unstated] = unstated_of_scenario(ruleset, name)
        self._numbers: dict[Address, int] = {
            item.address: number for number, item in enumerate(self._items, start=1)
        }

    def of(self, *address: str | int) -> int | None:
        """The number of the note on a part of the scenario, by where it stands in it."""
        return self._numbers.get(("scenarios", self._name, *address))

    def of_formation(self, name: str) -> int | None:
        """The number of the note on a formation, of the scenario or else of the ruleset."""
        return self.of("formations", name) or self._numbers.get(("formations", name))

    @property
    def statuses(self) -> frozenset[Status]:
        """Those that its notes have."""
        return frozenset(item.status for item in self._items)

    def views(self, passages: PassageComposer) -> tuple[NoteView, ...]:
        """The notes as they are printed: each thing by its title within the scenario."""
        return tuple(
            NoteView(
                number=number,
                status=item.status.value,
                title=self._within(item.title),
                markdown=passages.prose(item.note),
                source=item.source or "",
                rule="",
                rule_id="",
            )
            for number, item in enumerate(self._items, start=1)
        )

    def _within(self, title: str) -> str:
        if title == self._title:
            return gettext("The scenario")
        return title.removeprefix(f"{self._title}: ")
