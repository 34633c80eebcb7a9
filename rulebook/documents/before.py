"""An edition and its source -> the edition before it, and the changes between the two.

The author may name the edition before in revisions.yaml (`after`); otherwise it is the last one
released with a lower number, of those not withdrawn by then. Options in force and converted lengths
belong to a group of players and not to an edition: with them nothing is compared. A variant is
compared with the ruleset that it is based on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from rulebook.core.compute import Computed, compute
from rulebook.loading.editions import base_of, load_edition, read_history
from rulebook.loading.folder import is_release
from rulebook.loading.snapshots import Snapshot, load_snapshot, read_snapshot
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Report
from rulebook.revisions.comparison import compare, stated_keys
from rulebook.revisions.revised import Revised, revised, stray_names
from rulebook.translation import in_language


@dataclass(frozen=True, slots=True)
class Before:
    """The edition before, read and computed, and all changes from it to the new one.

    For a variant without an earlier edition this is the ruleset that it is based on (`is_base`),
    with lengths converted as in the variant. For a variant with an earlier edition, `marked` is
    that base.
    """

    ruleset: Ruleset
    computed: Computed
    revised: Revised
    is_base: bool = False
    marked: Before | None = None


def find_before(source: Path, ruleset: Ruleset) -> tuple[Before | None, list[Problem]]:
    """Finds the edition that a ruleset is compared with, and the faults of that edition's files.

    This is the edition before it, or, for a variant without one, the ruleset that it is based on. A
    variant that has both is compared with the edition before, and the base is in `marked`. Returns
    None if there is neither, or if options are in force or lengths converted. `source` is the
    folder that the ruleset was read from.
    """
    if ruleset.form != ruleset.header.edition:
        return None, []
    base = _base(source, ruleset)
    earlier, problems = _earlier(source, ruleset)
    if earlier is None or base is None:
        return earlier or base, problems
    return replace(earlier, marked=base), problems


def _base(source: Path, ruleset: Ruleset) -> Before | None:
    """Compares a variant with the ruleset that it is based on, read with lengths as in the variant.

    Returns None if the ruleset is not a variant, or if its base has faults.
    """
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
    """Compares a ruleset with the edition released before it.

    Returns None and no faults if there is no such edition. If its files or the release history
    have faults, returns None and these faults. `source` is the folder of the ruleset.
    """
    history, edition = read_history(source), ruleset.header.edition
    if not history.releases or history.problems:
        return None, history.problems if history.releases else []
    after = history.before(edition)
    if after is None or after not in history.releases or after == edition:
        return None, []
    path = history.releases[after]
    snapshot, problems = read_snapshot(path)
    if snapshot is None:
        return None, problems
    former = _computed(snapshot, path, ruleset.header.language)
    if isinstance(former, Report):
        return None, list(former)
    old, computed = former
    changes = revised(plain_ruleset(old), plain_ruleset(ruleset), history.notes(edition))
    return Before(old, computed, changes), []


@lru_cache(maxsize=2)
def _computed(snapshot: Snapshot, path: Path, language: str) -> tuple[Ruleset, Computed] | Report:
    """Loads a released edition and what is computed from it, or returns the faults of its files.

    The result is cached, since a release does not change while the program runs. Labels that are
    computed are in `language`.
    """
    loaded = load_snapshot(path)
    if loaded.ruleset is None:
        return loaded.report
    with in_language(language):
        return loaded.ruleset, compute(loaded.ruleset)


def wrong_former_ids(source: Path, ruleset: Ruleset) -> Iterator[Problem]:
    """Yields faults of former ids (`was:`) that a working copy states wrongly.

    These are ids that the edition before lacks, or that this one still has. `source` is the folder
    of the ruleset; nothing is yielded for a release. The edition before is read only if there is a
    `was:`.
    """
    if is_release(source) or not stated_keys(plain := plain_ruleset(ruleset)):
        return
    history = read_history(source)
    before = history.releases.get(history.before(ruleset.header.edition) or "")
    snapshot = read_snapshot(before)[0] if before else None
    if snapshot is not None:
        yield from stray_names(compare(snapshot.content, plain), ruleset.places)
