"""A ruleset, its options and the edition before -> the odds explorer, a page with all programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rulebook.core.browser_programs import BrowserPrograms
from rulebook.core.odds import FaultyProcedure, compute_odds
from rulebook.core.programs import Program
from rulebook.core.value_types import outcome_text
from rulebook.documents.before import Before
from rulebook.documents.document_kind import File, Planned, planned
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.pages import json_block, screen_page
from rulebook.documents.parts.views import Identity
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import format_number, per_cent
from rulebook.translation import gettext

#: Outcomes that are listed where no script runs, the likeliest.
_MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class UsualOdds:
    """A procedure with its odds for the default inputs, all as text.

    `inputs` are pairs of label and value. Each of `results` is a title, the mean, and the likeliest
    outcomes with their chances in per cent.
    """

    id: str
    title: str
    inputs: tuple[tuple[str, str], ...]
    results: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]


@dataclass(frozen=True, slots=True)
class OddsView:
    """The explorer of the edition in a `folder`.

    `programs` are plain data for the scripts: under "" those of the ruleset, and under the names of
    options and of the edition before those that differ.
    """

    identity: Identity
    folder: str
    procedures: tuple[UsualOdds, ...]
    programs: Mapping[str, Any]


def plan_odds(ruleset: Ruleset, identity: Identity, before: Before | None) -> Iterator[Planned]:
    """Plans the page of the odds explorer, if the ruleset has procedures."""
    if ruleset.procedures:
        view = partial(_view, ruleset, identity, before)
        yield planned(ruleset, "odds", "odds", view, File("odds.html", "html"))


def _view(ruleset: Ruleset, identity: Identity, before: Before | None) -> OddsView:
    own = _programs_of(ruleset, {})
    programs = map(own.checked.get, ruleset.procedures)
    usual = tuple(_usual(ruleset, program) for program in programs if program is not None)
    return OddsView(identity, ruleset.form, usual, _programs(own, before))


def _programs_of(ruleset: Ruleset, shared: dict[str, int]) -> BrowserPrograms:
    return BrowserPrograms(ruleset, Binder(ruleset, "number").plain, shared, quiet=True)


def _programs(own: BrowserPrograms, before: Before | None) -> dict[str, Any]:
    main = own.plain()
    natural, procedures = main["natural"], main["procedures"]
    sets: dict[str, Any] = {"": {"natural": natural, "procedures": procedures}}
    for name, title, variant in _beside(own.ruleset, before):
        theirs = _programs_of(variant, own.shared).plain()
        changed = {key: p for key, p in theirs["procedures"].items() if p != procedures.get(key)}
        gone = [key for key in procedures if key not in theirs["procedures"]]
        if changed or gone or theirs["natural"] != natural:
            sets[name] = {
                "title": title,
                "natural": theirs["natural"],
                "procedures": changed,
                "gone": gone,
            }
    data = [json.loads(text) for text in own.shared]
    return {"words": main["words"], "data": data, "sets": sets}


def _beside(ruleset: Ruleset, before: Before | None) -> Iterator[tuple[str, str, Ruleset]]:
    """Yields the name, title and ruleset of each variant that may be compared with a ruleset.

    These are the edition before, unless `before` is the base of a variant, and the ruleset with
    each option added that is not in force. Options that cannot be applied are left out.
    """
    if before is not None and not before.is_base:
        edition = before.ruleset.form
        yield edition, gettext("Edition %(edition)s", edition=edition), before.ruleset
    for name, option in ruleset.options.items():
        if name in ruleset.chosen:
            continue
        variant = ruleset.with_options([*ruleset.chosen, name]).ruleset
        if variant is not None:
            yield name, option.title, variant


def _usual(ruleset: Ruleset, program: Program) -> UsualOdds:
    inputs = program.defaults()
    domains = program.domains.items()
    given = tuple((domain.label, domain.title_of(inputs[name])) for name, domain in domains)
    try:
        odds = compute_odds(ruleset, program, inputs).results
    except FaultyProcedure:
        odds = {}
    results = []
    for name, result in odds.items():
        mean = "" if result.mean is None else format_number(round(result.mean, 2))
        likeliest = sorted(result.outcomes, key=lambda outcome: -outcome[1])[:_MOST_LISTED]
        listed = tuple(
            (outcome_text(value, program.results[name].kind), per_cent(chance, tenths=True))
            for value, chance in result.outcomes
            if (value, chance) in likeliest
        )
        results.append((program.results[name].title, mean, listed))
    return UsualOdds(program.id, program.title, given, tuple(results))


def explorer(view: OddsView, templates: Path, _: object) -> str:
    """Renders the page of the odds explorer as HTML."""
    return screen_page("odds", view, templates, data=json_block(view.programs))
