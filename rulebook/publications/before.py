"""An edition and where it stands -> the edition before it, and what has changed between the two.

Which one is before, its author says in revisions.yaml (`after`); else it is the last one released
of those with a lower number. Options that are chosen, and lengths that are turned, belong to a
table and not to an edition: nothing is compared where there are some.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulebook.core.compute import Computed, compute
from rulebook.loading.editions import is_release, load_edition
from rulebook.loading.releases import edition_before, find_releases
from rulebook.loading.revision_notes import read_revisions
from rulebook.model.plain import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem
from rulebook.publications.release import Revised, notes_of, revised


@dataclass(frozen=True, slots=True)
class Before:
    """The edition before, read and computed, and all changes from it to the new one."""

    ruleset: Ruleset
    computed: Computed
    revised: Revised


def find_before(source: Path, ruleset: Ruleset) -> tuple[Before | None, list[Problem]]:
    """The edition before the one that was read from `source`, or the faults of what tells of it.

    Both are empty where none was released before it.
    """
    folder = source.parent.parent if is_release(source) else source
    releases = find_releases(folder)
    if not releases or ruleset.form != ruleset.header.edition:
        return None, []
    edition = ruleset.header.edition
    revisions, _, problems = read_revisions(folder)
    notes = notes_of(revisions, edition)
    after = (notes.after if notes else None) or edition_before(folder, edition)
    if problems:
        return None, list(problems)
    if after not in releases or after == edition:
        return None, []
    loaded = load_edition(releases[after])
    if loaded.ruleset is None:
        return None, list(loaded.report)
    old = loaded.ruleset
    changes = revised(plain_ruleset(old), plain_ruleset(ruleset), notes)
    return Before(old, compute(old), changes), []
