"""An edition and where it stands -> the edition before it, and what has changed between the two.

Which one is before, its author says in revisions.yaml (`after`); else it is the last one released
of those with a lower number, and not withdrawn by then. Options that are chosen, and lengths that
are turned, belong to a table and not to an edition: nothing is compared where there are some. A
variant is compared with the ruleset that it is based on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from rulebook.core.compute import Computed, compute
from rulebook.loading.editions import base_of, load_edition
from rulebook.loading.print_records import PrintRecord, RecordOf, read_print_record
from rulebook.loading.releases import find_releases, is_release, record_path
from rulebook.loading.revision_notes import edition_before, read_revisions
from rulebook.loading.snapshots import Snapshot, load_read, read_snapshot
from rulebook.model.plain_data import Plain, plain_ruleset
from rulebook.model.prose import rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Report
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
    snapshot, problems = read_snapshot(releases[after])
    if snapshot is None:
        return None, problems
    former = _former(snapshot, releases[after])
    if not isinstance(former, _Former):
        return None, list(former)
    record = record_path(releases[after])
    printed, problems = read_print_record(record, former.of) if record.exists() else (None, [])
    if problems:
        return None, problems
    changes = revised(former.plain, plain_ruleset(ruleset), notes_of(revisions, edition))
    return Before(former.ruleset, former.computed, changes, printed=printed), []


@dataclass(frozen=True, slots=True)
class _Former:
    """What is found of a released edition by its file alone; `of` is what a record of it is of."""

    ruleset: Ruleset
    computed: Computed
    plain: Mapping[str, Plain]
    of: RecordOf


@lru_cache(maxsize=2)
def _former(snapshot: Snapshot, path: Path) -> _Former | Report:
    """A released edition, or its faults; kept, since it never changes while a watch goes on."""
    loaded = load_read(snapshot, path)
    if loaded.ruleset is None:
        return loaded.report
    old = loaded.ruleset
    of = RecordOf(old.id, snapshot.edition, snapshot.sha256, rule_numbers(old.chapters))
    return _Former(old, compute(old), plain_ruleset(old), of)
