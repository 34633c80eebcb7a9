"""Two rulesets, as they were read -> their comparison, with what the author says of the changes."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.documents.changes.summary import Telling
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.revisions import EditionNotes
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.release import revised


def compared(old: Ruleset, new: Ruleset, notes: Iterable[EditionNotes] = ()) -> Telling:
    """Two editions, or two rulesets, in the words of a reader.

    `notes` are those of the editions after the old one up to the new one, the oldest first. Where
    lengths are turned in one of the two, both are compared with the lengths that are written: that
    they are turned is one change, and not one of every length. What changed is told as it prints.
    """
    printed = old, new
    if old.header.lengths != new.header.lengths:
        old, new = old.written or old, new.written or new
    said = list(notes)
    told = {"summary": said[-1].summary if len(said) == 1 else None}
    changes = tuple(change for one in said for change in one.changes)
    together = EditionNotes().model_copy(update={**told, "changes": changes})
    return Telling(revised(plain_ruleset(old), plain_ruleset(new), together), old, new, printed)
