"""A ruleset, its options and the edition before -> the odds explorer with the programs of all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulebook.core.odds import FaultyProcedure, Odds, ResultOdds, reckon, told_outcome
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program
from rulebook.core.told_programs import ToldPrograms
from rulebook.documents.document_kind import File, Planned, planned
from rulebook.documents.marks.before import Before
from rulebook.documents.odds.declaration import GROUP
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.views import Identity
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import format_number
from rulebook.translation import gettext

PAGE = "odds.html"
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
    inputs: tuple[tuple[str, str], ...]
    results: tuple[UsualResult, ...]


@dataclass(frozen=True, slots=True)
class OddsView:
    """The explorer. `programs` are those of the ruleset and what it is compared with, as JSON."""

    identity: Identity
    folder: str
    procedures: tuple[ExploredProcedure, ...]
    programs: Mapping[str, Any]


def plan_odds(ruleset: Ruleset, identity: Identity, before: Before | None) -> Iterator[Planned]:
    """The explorer, if the ruleset has procedures."""
    if ruleset.procedures:
        view = partial(_view, ruleset, identity, before)
        yield planned(ruleset, "odds", "odds", gettext(GROUP), view, File(PAGE, "html"))


def _view(ruleset: Ruleset, identity: Identity, before: Before | None) -> OddsView:
    known = Programs(ruleset)
    programs = [program for name in ruleset.procedures if (program := known.get(name))]
    explored = tuple(_explored(ruleset, program) for program in programs)
    return OddsView(identity, ruleset.form, explored, _programs(ruleset, before))


def _programs(ruleset: Ruleset, before: Before | None) -> dict[str, Any]:
    """By name what is compared: "" is the ruleset; of others there is what they have otherwise."""
    shared: dict[str, int] = {}
    whole = _plain(ruleset, shared)
    own = {"natural": whole["natural"], "procedures": whole["procedures"]}
    sets: dict[str, Any] = {"": own}
    for name, (title, other) in _beside(ruleset, before).items():
        theirs = _plain(other, shared)
        changed = {
            key: one
            for key, one in theirs["procedures"].items()
            if one != own["procedures"].get(key)
        }
        gone = [key for key in own["procedures"] if key not in theirs["procedures"]]
        if changed or gone or theirs["natural"] != own["natural"]:
            sets[name] = {
                "title": title,
                "natural": theirs["natural"],
                "procedures": changed,
                "gone": gone,
            }
    data = [json.loads(text) for text in shared]
    return {"words": whole["words"], "data": data, "sets": sets}


def _plain(ruleset: Ruleset, shared: dict[str, int]) -> dict[str, Any]:
    binder = Binder(ruleset, references="number")
    told = ToldPrograms(
        ruleset, lambda say: plain_text(binder.prose(say)), shared, steps_told=False
    )
    return told.plain()


def _beside(ruleset: Ruleset, before: Before | None) -> dict[str, tuple[str, Ruleset]]:
    """The edition before and the ruleset with each of its other options, by name with a title."""
    found = {}
    if before is not None and not before.is_base:
        edition = before.ruleset.form
        found[edition] = gettext("Edition %(edition)s", edition=edition), before.ruleset
    for name, option in ruleset.options.items():
        variant = ruleset.with_options([*ruleset.chosen, name]).ruleset
        if variant is not None and name not in ruleset.chosen:
            found[name] = option.title, variant
    return found


def _explored(ruleset: Ruleset, program: Program) -> ExploredProcedure:
    inputs = program.defaults()
    try:
        results = tuple(_results(program, reckon(ruleset, program, inputs)))
    except FaultyProcedure:
        results = ()
    told = tuple((one.label, one.told(inputs[name])) for name, one in program.domains.items())
    return ExploredProcedure(program.id, program.title, told, results)


def _results(program: Program, odds: Odds) -> Iterator[UsualResult]:
    for name, one in odds.results.items():
        mean = "" if one.mean is None else format_number(round(one.mean, 2))
        yield UsualResult(program.results[name].title, mean, tuple(_listed(program, name, one)))


def _listed(program: Program, name: str, odds: ResultOdds) -> Iterator[tuple[str, str]]:
    likeliest = sorted(odds.outcomes, key=lambda one: -one[1])[:_MOST_LISTED]
    for value, chance in odds.outcomes:
        if (value, chance) in likeliest:
            yield told_outcome(value, program.results[name].kind), f"{float(100 * chance):.1f}"
