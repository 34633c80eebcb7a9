"""A working copy whose things say what they were called -> those that were never called so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulebook.loading.releases import find_releases, is_release
from rulebook.loading.revision_notes import edition_before, read_revisions
from rulebook.loading.snapshots import read_snapshot
from rulebook.model.modifiers import ModifierTable
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Collections, Ruleset
from rulebook.model.tables import RecordTable
from rulebook.problems import Problem
from rulebook.revisions.comparison import compare
from rulebook.revisions.release import stray_names


def former_faults(source: Path, ruleset: Ruleset) -> Iterator[Problem]:
    """Each `was:` that names nothing which the edition before had and this one has no longer.

    Nothing is read of that edition where no thing says what it was called.
    """
    if is_release(source) or not any(one.was for one in _things(ruleset)):
        return
    revisions, _, _ = read_revisions(source)
    edition = edition_before(source, ruleset.header.edition, revisions)
    before = find_releases(source).get(edition or "")
    snapshot = read_snapshot(before)[0] if before else None
    if snapshot is not None:
        yield from stray_names(compare(snapshot.content, plain_ruleset(ruleset)), ruleset.places)


def _things(ruleset: Ruleset) -> Iterator[Entity]:
    """All that may say what it was called: entities, rows of tables, options."""
    yield from ruleset.options.values()
    for name in Collections.model_fields:
        for entity in getattr(ruleset.collections, name).values():
            yield entity
            if isinstance(entity, RecordTable):
                yield from entity.data.values()
            elif isinstance(entity, ModifierTable):
                yield from entity.rows.values()
