"""All documents of a ruleset, composed."""

from rulebook.core.compute import Computed, compute
from rulebook.documents.before import Before
from rulebook.documents.catalogue import plan
from rulebook.documents.document_kind import ComposedDocument
from rulebook.model.ruleset import Ruleset


def compose(
    ruleset: Ruleset, computed: Computed | None = None, before: Before | None = None
) -> list[ComposedDocument]:
    made = (planned.compose() for planned in plan(ruleset, computed or compute(ruleset), before))
    return [composed for composed in made if composed is not None]
