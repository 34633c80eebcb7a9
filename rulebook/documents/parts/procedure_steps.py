"""A procedure -> the sentences that tell it, in the order in which players follow them."""

from __future__ import annotations

from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.views import ToldView
from rulebook.model.procedures import all_steps


def told(binder: Binder, procedure_id: str) -> ToldView:
    """The `say` sentences of a procedure with their values; repeated steps stand once, in order."""
    procedure = binder.ruleset.procedures[procedure_id]
    steps = tuple(binder.prose(step.say) for step in all_steps(procedure.steps) if step.say)
    return ToldView(procedure_id, procedure.title, steps)
