"""An edition and where it stands -> the edition before it, and what has changed between the two.

Which one is before, its author says in revisions.yaml (`after`); else it is the last one released
of those with a lower number, and not withdrawn by then. Options that are chosen, and lengths that
are turned, belong to a table and not to an edition: nothing is compared where there are some. A
variant is compared with the ruleset that it is based on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rulebook.core.compute import Computed, compute
from rulebook.loading.editions import base_of, load_edition
from rulebook.loading.print_records import PrintRecord, RecordOf, read_print_record
from rulebook.loading.releases import find_releases, is_release, record_path
from rulebook.loading.revision_notes import edition_before, read_revisions
from rulebook.loading.snapshots import read_snapshot
from rulebook.model.plain import plain_ruleset
from rulebook.model.prose import rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem
from rulebook.revisions.release import Revised, notes_of, revised


@dataclass(frozen=True, slots=True)
class Before:
    """The edition before, read and computed, and all changes from it to the new one.

    Of a variant it may be the ruleset that it is based on (`is_base`), its lengths turned alike;
    where a variant has an edition before it, that base is what it is `marked` by. `printed` is how
    the edition before was printed, None where that was not recorded.
    """

    ruleset: Ruleset
    computed: Computed
    revised: Revised
    is_base: bool = False
    marked: Before | None = None
    printed: PrintRecord | None = None


def find_before(source: Path, ruleset: Ruleset) -> tuple[Before | None, list[Problem]]:
    """The edition before the one that was read from `source`, or the faults of what tells of it.

    Both are empty where none was released before it, and it is no variant. What differs from its
    base is marked in a variant, rather than what changed since its edition before.
    """
    if ruleset.form != ruleset.header.edition:
        return None, []
    base = _base(source, ruleset)
    earlier, problems = _earlier(source, ruleset)
    if earlier is None or base is None:
        return earlier or base, problems
    return replace(earlier, marked=base), problems


def _base(source: Path, ruleset: Ruleset) -> Before | None:
    """The ruleset that a variant is based on, if it is there to be compared."""
    path = base_of(source, ruleset)
    if path is None:
        return None
    own = ruleset.header.lengths
    plain = load_edition(path).ruleset
    if plain is not None and own is not None and plain.header.lengths is None:
        plain = load_edition(path, lengths=own).ruleset
    if plain is None:
        return None
    changes = revised(plain_ruleset(plain), plain_ruleset(ruleset), None)
    return Before(plain, compute(plain), changes, is_base=True)


def _earlier(source: Path, ruleset: Ruleset) -> tuple[Before | None, list[Problem]]:
    """The edition released before this one."""
    folder = source.parent.parent if is_release(source) else source
    releases = find_releases(folder)
    if not releases:
        return None, []
    edition = ruleset.header.edition
    revisions, _, problems = read_revisions(folder)
    after = edition_before(folder, edition, revisions)
    if problems:
        return None, list(problems)
    if after is None or after not in releases or after == edition:
        return None, []
    loaded = load_edition(releases[after])
    if loaded.ruleset is None:
        return None, list(loaded.report)
    old = loaded.ruleset
    printed, problems = _printed(releases[after], old)
    if problems:
        return None, problems
    changes = revised(plain_ruleset(old), plain_ruleset(ruleset), notes_of(revisions, edition))
    return Before(old, compute(old), changes, printed=printed), []


def _printed(path: Path, ruleset: Ruleset) -> tuple[PrintRecord | None, list[Problem]]:
    """How the edition was printed whose file and content these are."""
    record = record_path(path)
    if not record.exists():
        return None, []
    snapshot, problems = read_snapshot(path)
    if snapshot is None:
        return None, problems
    of = RecordOf(ruleset.id, snapshot.edition, snapshot.sha256, rule_numbers(ruleset.chapters))
    return read_print_record(record, of)
