"""Two editions of a ruleset and their changes -> what the changes do in play.

Here revisions meet the rules core and the cutouts: for each procedure that a change reaches the
odds in both editions side by side, the largest difference first; for each cutout both outlines.

A procedure is affected by a change of its own steps, of a table, a modifier table or a cutout that
it looks up, of the ruleset's natural scores, and of a procedure that it runs. What it looks up is
taken from the rules core, so changed words alone affect nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from rulebook import quantities
from rulebook.core.odds import Allowance, FaultyProcedure, OddsCalculator
from rulebook.core.programs import Program, all_steps
from rulebook.core.steps import InnerRun
from rulebook.documents.impact import views
from rulebook.documents.impact.cutouts import cutout_of_both, cutout_of_one
from rulebook.documents.impact.odds import (
    PairedProcedure,
    odds_lines,
    paired_inputs,
    paired_results,
)
from rulebook.limits import MOST_WORK
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.classes import is_played
from rulebook.revisions.comparison import Comparison, compare
from rulebook.translation import gettext, gettext_noop, ngettext

#: What procedures look up, and run -> what one of them is called as a reason.
_REASONS: Mapping[str, tuple[views.ReasonKind, str]] = {
    "header": ("natural scores", gettext_noop("natural scores")),
    "tables": ("table", gettext_noop("the table “%(title)s”")),
    "modifiers": ("modifiers", gettext_noop("the modifiers “%(title)s”")),
    "cutouts": ("cutout", gettext_noop("the cutout “%(title)s”")),
    "procedures": ("procedure", gettext_noop("the procedure “%(title)s”")),
}


@dataclass
class PairedEditions:
    """Two editions beside each other: what is the same thing in both, and what plays alike.

    `moves` is about how many moves may be computed of each.
    """

    old: Ruleset
    new: Ruleset
    comparison: Comparison
    moves: int = MOST_WORK
    _reasons: dict[str, tuple[views.Reason, ...]] = field(default_factory=dict)

    @cached_property
    def calculators(self) -> tuple[OddsCalculator, OddsCalculator]:
        old, new = Allowance(moves=self.moves), Allowance(moves=self.moves)
        return OddsCalculator(self.old, old), OddsCalculator(self.new, new)

    def pairs(self, collection: str) -> list[tuple[str | None, str | None]]:
        """All entities of a collection by their old and new ids, those that are gone last."""
        old, new = (getattr(one.collections, collection) for one in (self.old, self.new))
        were = {name: self.comparison.entity_was(collection, name) for name in new}
        gone = [name for name in old if name not in were.values()]
        return [*((was, name) for name, was in were.items()), *((name, None) for name in gone)]

    def plays_alike(self, collection: str, name: str) -> bool:
        """Whether an entity of the new edition was there before, and differs in words at most."""
        known = self.comparison.of_things
        if collection == "header":
            return all(change.path[1] != name for change in known.get(("header",), ()))
        changes = known.get(("collections", collection, name), ())
        was = self.comparison.entity_was(collection, name)
        return was is not None and not any(map(is_played, changes))

    def reasons(self, name: str) -> tuple[views.Reason, ...]:
        """Why a procedure of both editions may have other odds: nothing where it cannot."""
        if name not in self._reasons:
            self._reasons[name] = tuple(dict.fromkeys(self._found_reasons(name)))
        return self._reasons[name]

    def _found_reasons(self, name: str) -> Iterator[views.Reason]:
        if not self.plays_alike("procedures", name):
            yield views.Reason("own", name, "", gettext("its own steps"))
        program = self.calculators[1].program(name)
        looked_up = program.looked_up if program else ()
        touched = [one for one in looked_up if not self.plays_alike(*one)]
        for step in all_steps(program.steps) if program else ():
            # A new procedure stands by itself; that this one runs it is a change of its steps.
            if isinstance(step, InnerRun) and self.reasons(step.program.id):
                touched.append(("procedures", step.program.id))
        for collection, key in touched:
            if collection in _REASONS:
                kind, text = _REASONS[collection]
                entity = getattr(self.new.collections, collection, {}).get(key)
                title = str(getattr(entity, "title", ""))
                yield views.Reason(kind, key, title, gettext(text, title=title))


#: The order in which procedures stand, those with differences before all others.
_ORDER: tuple[views.ProcedureState, ...] = ("changed", "new", "gone", "uncompared", "same")


def impact_of(
    old: Ruleset, new: Ruleset, comparison: Comparison, names: tuple[str, str] | None = None
) -> views.Impact:
    """What the changes from one edition to another do in play; `names` are what these are called.

    `comparison` is that of the plain data of the two, neither of which has faults. Whatever takes
    too long to compute is said to be so: the work is bounded, and the same for the same editions.
    """
    called = names or _called(old, new)
    editions = PairedEditions(old, new, comparison)
    procedures = _procedures(editions, called)
    options = tuple(_options(editions, called, procedures))
    return views.Impact(*called, procedures, options, tuple(_cutouts(editions, called)))


def _called(old: Ruleset, new: Ruleset) -> tuple[str, str]:
    """1.0 and 2.0, or the titles of two rulesets."""
    if new.chosen != old.chosen:
        return gettext("the rules"), quantities.join_words(
            (new.options[one].title for one in new.chosen), "and"
        )
    if old.id != new.id and old.header.title != new.header.title:
        return old.header.title, new.header.title
    if old.header.edition != new.header.edition:
        return old.header.edition, new.header.edition
    return gettext("before"), gettext("now")


def _options(
    editions: PairedEditions, names: tuple[str, str], of_rules: tuple[views.ProcedureImpact, ...]
) -> Iterator[views.OptionImpact]:
    """What options do that are new or that changed, each alone."""
    old, new = editions.old, editions.new
    if new.chosen or new.variants is None:
        return
    comparison = editions.comparison
    changed = {change.path[1] for change in comparison.changes if change.path[0] == "options"}
    for name in (name for name in new.options if name in changed):
        title, was = new.options[name].title, comparison.was("options", name)
        known = was in old.options and old.variants is not None
        before = old.with_options([was]).ruleset if known else new
        called = names if known else (gettext("The rules"), title)
        found = _between(before, new.with_options([name]).ruleset, called, len(new.options))
        procedures = tuple(one for one in found if one not in of_rules)
        if procedures:
            yield views.OptionImpact(name, title, "changed" if known else "new", procedures)


def effects_of_options(
    ruleset: Ruleset,
) -> Iterator[tuple[str, tuple[views.ProcedureImpact, ...]]]:
    """Each option that is not chosen, and what becomes of the procedures that it reaches.

    Those with the largest difference come first.
    """
    # As it was written: the computed tables of the other are in it as grids of odds.
    written = ruleset.variants(ruleset.chosen).ruleset if ruleset.variants else None
    for name, option in ruleset.options.items():
        if name not in ruleset.chosen:
            wanted = ruleset.with_options([*ruleset.chosen, name]).ruleset if written else None
            called = gettext("The rules"), option.title
            yield name, _between(written, wanted, called, len(ruleset.options))


def _between(
    before: Ruleset | None, after: Ruleset | None, names: tuple[str, str], of: int
) -> tuple[views.ProcedureImpact, ...]:
    """What becomes of the procedures from one ruleset to another, `of` so many to be compared."""
    if before is None or after is None:
        return ()
    comparison = compare(plain_ruleset(before), plain_ruleset(after))
    return _procedures(PairedEditions(before, after, comparison, MOST_WORK // of), names)


def _procedures(
    editions: PairedEditions, names: tuple[str, str]
) -> tuple[views.ProcedureImpact, ...]:
    """What becomes of all procedures that a change reaches."""
    found: list[tuple[views.ProcedureImpact, Fraction]] = []
    for was, name in editions.pairs("procedures"):
        if was is None or name is None:
            found.append((_of_one_edition(editions, was, name), Fraction(0)))
        elif editions.reasons(name):
            found.append(_of_both_editions(editions, was, name, names))
    found.sort(key=lambda one: (_ORDER.index(one[0].state), -one[1]))
    return tuple(impact for impact, _ in found)


def _of_one_edition(
    editions: PairedEditions, was: str | None, now: str | None
) -> views.ProcedureImpact:
    """A procedure that is new or gone, with its odds at the usual inputs."""
    name, calculator = now or was or "", editions.calculators[now is not None]
    title = calculator.ruleset.procedures[name].title
    program = calculator.program(name)
    usual = tuple(_usual(calculator, program)) if program else ()
    if now:
        return views.ProcedureImpact(name, title, "new", gettext("It is new."), usual=usual)
    gone = gettext("It is not used any more.")
    return views.ProcedureImpact(name, title, "gone", gone, usual=usual)


def _usual(calculator: OddsCalculator, program: Program) -> Iterator[str]:
    for name in program.results:
        try:
            odds = calculator.odds(program, name, program.defaults())
        except FaultyProcedure:
            continue
        if odds is not None:
            yield odds_lines(program, name, odds)


def _of_both_editions(
    editions: PairedEditions, was: str, name: str, names: tuple[str, str]
) -> tuple[views.ProcedureImpact, Fraction]:
    """What becomes of a procedure, and the size of its largest difference."""
    title, former = editions.new.procedures[name].title, was if was != name else ""
    reasons = editions.reasons(name)
    calculators = editions.calculators
    old, new = calculators[0].program(was), calculators[1].program(name)
    if old is None or new is None:
        text = gettext("It cannot be computed in both editions.")
        found = views.ProcedureImpact(name, title, "uncompared", text, former, reasons)
        return found, Fraction(0)
    comparison = editions.comparison

    def were(part: str, keys: Iterable[str]) -> dict[str, str]:
        """What inputs or results of the new edition were called in the old one."""
        return {key: comparison.was("collections", "procedures", name, part, key) for key in keys}

    inputs = paired_inputs(old, new, were("inputs", new.domains), _former_rows(comparison))
    results = paired_results(old, new, were("result", new.results))
    paired = PairedProcedure(calculators, (old, new), inputs, results, names)
    compared, notes = paired.compared(), [*paired.notes()]
    differences = map(paired.difference, compared.shown)
    if compared.left_out:
        notes.append(
            gettext("One of the editions has no odds at %(sets)s.", sets=_sets(compared.left_out))
        )
    state: views.ProcedureState = "uncompared"
    text = gettext("Its odds could not be compared.")
    if compared.differing:
        state = "changed"
        text = gettext(
            "Its odds differ at %(number)s of %(sets)s.",
            number=compared.differing,
            sets=_sets(compared.settings),
        )
    elif compared.settings:
        state = "same"
        text = gettext("Its odds are the same at %(sets)s.", sets=_sets(compared.settings))
    found = views.ProcedureImpact(
        name,
        title,
        state,
        text,
        former,
        reasons,
        # What prints alike is too small to be shown.
        differences=tuple(
            difference for difference in differences if difference.before != difference.after
        ),
        compared=compared.settings,
        differing=compared.differing,
        notes=tuple(notes),
    )
    return found, max((one.size for one in compared.shown), default=Fraction(0))


def _former_rows(comparison: Comparison) -> dict[tuple[str, str], str]:
    """What rows of tables and modifier tables were called: (table, row) -> row."""
    return {
        (path[2], path[4]): was
        for path, was in comparison.former_keys.items()
        if path[1:2] in (("tables",), ("modifiers",)) and len(path) == 5
        if path[3] in ("data", "rows")
    }


def _sets(number: int) -> str:
    return ngettext(
        "one set of inputs",
        "%(sets)s sets of inputs",
        number,
        sets=quantities.format_number(number),
    )


def _cutouts(editions: PairedEditions, names: tuple[str, str]) -> Iterator[views.CutoutImpact]:
    """The cutouts that changed, in the order of the new edition, then those that are gone."""
    old, new = editions.old, editions.new
    for was, name in editions.pairs("cutouts"):
        if was and name:
            found = cutout_of_both(old, new, was, name, names)
            if found is not None:
                yield found
        elif name:
            yield cutout_of_one(new, name, "new")
        elif was:
            yield cutout_of_one(old, was, "gone")
