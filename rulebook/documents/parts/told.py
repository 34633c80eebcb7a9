"""A procedure -> the sentences that tell it, in the order in which players follow them."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.parts.binding import Binder
from rulebook.model.procedures import all_steps
from rulebook.revisions.marked import LineMarks


@dataclass(frozen=True, slots=True)
class ToldView:
    """A procedure told as numbered steps (Markdown); `marks` tell what they were before."""

    id: str
    title: str
    steps: tuple[str, ...]
    marks: LineMarks | None = None


def told(binder: Binder, procedure_id: str) -> ToldView:
    """The `say` sentences of a procedure with their values; repeated steps stand once, in order."""
    procedure = binder.ruleset.procedures[procedure_id]
    steps = tuple(binder.prose(step.say) for step in all_steps(procedure.steps) if step.say)
    return ToldView(procedure_id, procedure.title, steps)
