"""A ruleset -> the odds explorer: its procedures, the usual odds of each, and their atlases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from rulebook.cache import Cache, digest_of
from rulebook.core.atlas import MOST_BITS, atlas_of, is_large
from rulebook.core.changed_results import Affected
from rulebook.core.odds import FaultyProcedure, Odds, ResultOdds, reckon, told_outcome
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program
from rulebook.documents.document_kind import File, Planned, planned
from rulebook.documents.marks.before import Before
from rulebook.documents.odds.declaration import GROUP
from rulebook.documents.odds.shard import script, shard
from rulebook.documents.parts.views import Identity
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import format_number
from rulebook.translation import gettext

#: The page, and the folder of the atlases beside it.
PAGE, FOLDER = "odds.html", "odds"
#: The stage that keeps atlases.
_STAGE = "atlas"
#: Bits of the atlases of a ruleset together: some 1.7 MB.
_BITS_OF_ALL = 10_000_000
#: Outcomes that are listed where no script runs, the likeliest.
_MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class UsualResult:
    """The likeliest outcomes of a result at the usual inputs, each with its chance in percent."""

    title: str
    mean: str
    outcomes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ExploredProcedure:
    """A procedure, its usual inputs in words, and what comes of it at these."""

    id: str
    title: str
    source: str
    inputs: tuple[tuple[str, str], ...]
    results: tuple[UsualResult, ...]


@dataclass(frozen=True, slots=True)
class OddsView:
    """The explorer. `editions` are others whose atlases may lie in folders beside this one.

    `shards` are the scripts with the atlases, by their paths.
    """

    identity: Identity
    folder: str
    procedures: tuple[ExploredProcedure, ...]
    editions: tuple[str, ...]
    shards: Mapping[str, str]


def plan_odds(
    ruleset: Ruleset, identity: Identity, before: Before | None, cache: Cache
) -> Iterator[Planned]:
    """The explorer, if the ruleset has procedures."""
    if not ruleset.procedures:
        return
    title = gettext(GROUP)
    files = [File(PAGE, "html")]
    files += [File(_path(name), "js", title=name) for name in ruleset.procedures]
    yield planned(
        ruleset, "odds", "odds", title, partial(_view, ruleset, identity, before, cache), *files
    )


def _path(procedure: str) -> str:
    return f"{FOLDER}/{procedure}.js"


def _view(ruleset: Ruleset, identity: Identity, before: Before | None, cache: Cache) -> OddsView:
    known, affected = Programs(ruleset), Affected()
    programs = {name: known.get(name) for name in ruleset.procedures}
    large = sum(is_large(one) for one in programs.values() if one is not None)
    bits = min(MOST_BITS, _BITS_OF_ALL // max(1, large))
    explored, shards = [], {}
    for name, procedure in ruleset.procedures.items():
        program = programs[name]
        assert program is not None, "a ruleset with faulty procedures is not printed"
        # Two that read each other read the same.
        key = digest_of([name, affected.reading(ruleset, name), identity.language, bits])
        body = cache.get_json(_STAGE, key)
        if body is None:
            body = shard(atlas_of(program, bits))
            cache.put_json(_STAGE, key, body)
        shards[_path(name)] = script(ruleset, name, body)
        explored.append(_explored(ruleset, program, procedure.source or ""))
    earlier = before.ruleset.form if before is not None and not before.is_base else None
    return OddsView(identity, ruleset.form, tuple(explored), (earlier,) if earlier else (), shards)


def _explored(ruleset: Ruleset, program: Program, source: str) -> ExploredProcedure:
    inputs = program.defaults()
    try:
        results = tuple(_results(program, reckon(ruleset, program, inputs)))
    except FaultyProcedure:
        results = ()
    told = tuple((one.label, one.told(inputs[name])) for name, one in program.domains.items())
    return ExploredProcedure(program.id, program.title, source, told, results)


def _results(program: Program, odds: Odds) -> Iterator[UsualResult]:
    for name, one in odds.results.items():
        mean = "" if one.mean is None else format_number(round(one.mean, 2))
        yield UsualResult(program.results[name].title, mean, tuple(_listed(program, name, one)))


def _listed(program: Program, name: str, odds: ResultOdds) -> Iterator[tuple[str, str]]:
    likeliest = sorted(odds.outcomes, key=lambda one: -one[1])[:_MOST_LISTED]
    for value, chance in odds.outcomes:
        if (value, chance) in likeliest:
            yield told_outcome(value, program.results[name].kind), f"{float(100 * chance):.1f}"
