"""Two editions of a ruleset and their changes -> what the changes do in play.

Here revisions meet the rules core and the cutouts: for each procedure that a change reaches the
odds in both editions side by side, the largest difference first; for each cutout both outlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rulebook import quantities
from rulebook.core.odds import FaultyProcedure, reckon
from rulebook.core.weights import MOST_MOVES, Budget
from rulebook.documents.impact.cutouts import cutout_impacts
from rulebook.documents.impact.odds import (
    MOST_MOVES_IN_ALL,
    Compared,
    Comparing,
    MovesLeft,
    ProcedureSide,
    paired_results,
)
from rulebook.documents.impact.settings import Inputs, settings_of, slots_of, stated_inputs
from rulebook.documents.impact.touched import Editions, Pair, Touched, touched
from rulebook.documents.impact.views import Impact, OptionImpact, ProcedureImpact, ProcedureState
from rulebook.documents.impact.words import (
    DifferenceDescriber,
    listed,
    lowered,
    told_odds,
)
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.comparison import Comparison, compare
from rulebook.translation import gettext, ngettext

#: The order in which procedures are told, those with differences before all others.
_ORDER: tuple[ProcedureState, ...] = ("changed", "new", "gone", "unreckoned", "same")


def impact_of(
    old: Ruleset, new: Ruleset, comparison: Comparison, names: tuple[str, str] | None = None
) -> Impact:
    """What the changes from one edition to another do in play; `names` are what these are called.

    `comparison` is that of the plain data of the two, neither of which has faults. Whatever takes
    too long to reckon is told as such: the work is bounded, and the same for the same editions.
    """
    called = names or _called(old, new)
    editions = Editions(old, new, comparison)
    procedures = _procedures(editions, called)
    options = tuple(_options(editions, called, procedures))
    return Impact(*called, procedures, options, cutout_impacts(editions, called))


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
    editions: Editions, names: tuple[str, str], told: tuple[ProcedureImpact, ...]
) -> Iterator[OptionImpact]:
    """What options do that are new or that changed, each alone."""
    old, new = editions.old, editions.new
    if new.chosen or new.variants is None:
        return
    comparison = editions.comparison
    changed = {one.path[1] for one in comparison.changes if one.path[0] == "options"}
    reached = [name for name in new.options if name in changed]
    for name in reached:
        title, was = new.options[name].title, comparison.was("options", name)
        known = was in old.options and old.variants is not None
        before = old.with_options([was]).ruleset if known else new
        after = new.with_options([name]).ruleset
        if before is None or after is None:
            continue
        both = Editions(before, after, compare(plain_ruleset(before), plain_ruleset(after)))
        called = names if known else (gettext("The rules"), title)
        share = MOST_MOVES_IN_ALL // len(reached)
        found = _procedures(both, called, share)
        procedures = tuple(one for one in found if one not in told)
        if procedures:
            yield OptionImpact(name, title, "changed" if known else "new", procedures)


def _procedures(
    editions: Editions, names: tuple[str, str], moves: int = MOST_MOVES_IN_ALL
) -> tuple[ProcedureImpact, ...]:
    """What becomes of all procedures that a change reaches, within so many moves."""
    reached = touched(editions)
    moves_left = MovesLeft(sum(one.state == "touched" for one in reached), moves)
    impacts = _Impacts(editions, names, moves_left)
    found = [impacts.of(one) for one in reached]
    found.sort(key=lambda one: (_ORDER.index(one[0].state), -one[1]))
    return tuple(impact for impact, _ in found)


@dataclass
class _Impacts:
    """The procedures of two editions on their way to what becomes of them."""

    editions: Editions
    names: tuple[str, str]
    moves_left: MovesLeft

    @cached_property
    def _stated(self) -> tuple[Mapping[str, list[Inputs]], Mapping[str, list[Inputs]]]:
        """Of the old and of the new edition the inputs that it states itself."""
        return stated_inputs(self.editions.old), stated_inputs(self.editions.new)

    @cached_property
    def _rows(self) -> dict[tuple[str, str], str]:
        """What rows of tables and modifier tables were called: (table, row) -> row."""
        former = self.editions.comparison.former_keys.items()
        return {
            (path[2], path[4]): was
            for path, was in former
            if path[1:2] in (("tables",), ("modifiers",)) and len(path) == 5
            if path[3] in ("data", "rows")
        }

    def of(self, one: Touched) -> tuple[ProcedureImpact, Fraction]:
        """What becomes of a procedure, and the size of its largest difference."""
        if one.state != "touched":
            return self._alone(one.pair), Fraction(0)
        share, pair = self.moves_left.share(), one.pair
        programs = self.editions.programs
        old, new = programs[0].get(pair.old or ""), programs[1].get(pair.new or "")
        if old is None or new is None:
            note = gettext("It cannot be reckoned in both editions.")
            return self._impact(one, Compared(), notes=(note,)), Fraction(0)
        sides = ProcedureSide(self.editions.old, old), ProcedureSide(self.editions.new, new)
        slots = slots_of(old, new, self._were(pair, "inputs", new.domains), self._rows)
        results = paired_results(old, new, self._were(pair, "result", new.results))
        compared = Compared()
        if results and all(slot.values for slot in slots):
            stated = (
                (inputs, bool(now))
                for now, name in enumerate(pair)
                for inputs in self._stated[now].get(name or "", ())
            )
            comparing = Comparing(sides, slots, results, self.moves_left, share)
            compared = comparing.compared(settings_of(slots, stated))
        describer = DifferenceDescriber(sides, slots, self.names)
        notes = tuple(self._notes(describer, results, compared))
        size = max((difference.size for difference in compared.told), default=Fraction(0))
        return self._impact(one, compared, describer, notes), size

    def _impact(
        self,
        one: Touched,
        compared: Compared,
        describer: DifferenceDescriber | None = None,
        notes: tuple[str, ...] = (),
    ) -> ProcedureImpact:
        state = _state(compared)
        return ProcedureImpact(
            id=one.pair.id,
            title=self._title(one.pair),
            state=state,
            told=_told(state, compared),
            was=one.pair.was,
            reasons=one.reasons,
            differences=tuple(map(describer.difference, compared.told)) if describer else (),
            compared=compared.settings,
            differing=compared.differing,
            notes=notes,
        )

    def _alone(self, pair: Pair) -> ProcedureImpact:
        """A procedure of one edition, with its odds at the usual inputs."""
        state: ProcedureState = "new" if pair.new else "gone"
        ruleset = self.editions.new if pair.new else self.editions.old
        program = self.editions.programs[pair.new is not None].get(pair.id)
        usual = tuple(self._usual(ProcedureSide(ruleset, program))) if program else ()
        title = self._title(pair)
        return ProcedureImpact(pair.id, title, state, _told(state, Compared()), usual=usual)

    def _usual(self, side: ProcedureSide) -> Iterator[str]:
        for name in side.program.results:
            budget = Budget(max(min(MOST_MOVES, self.moves_left.left), 0))
            inputs = side.program.defaults()
            try:
                odds = reckon(side.ruleset, side.program, inputs, [name], budget)
            except FaultyProcedure:
                continue
            finally:
                self.moves_left.left -= budget.spent
            yield told_odds(side.program, name, odds.results[name])

    def _title(self, pair: Pair) -> str:
        return str(getattr(self.editions.entity("procedures", pair), "title", ""))

    def _were(self, pair: Pair, part: str, names: Iterable[str]) -> dict[str, str]:
        """What inputs or results of the new edition were called in the old one."""
        was = self.editions.comparison.was
        return {name: was("collections", "procedures", pair.id, part, name) for name in names}

    def _notes(
        self, describer: DifferenceDescriber, results: list[tuple[str, str]], compared: Compared
    ) -> Iterator[str]:
        """Sentences on what only one edition has, and on what could not be compared."""
        yield from describer.notes_on_inputs()
        for index, side in enumerate(describer.sides):
            known = {pair[index] for pair in results}
            alone = [
                lowered(result.title)
                for name, result in side.program.results.items()
                if name not in known
            ]
            if alone:
                yield gettext(
                    "Only %(edition)s tells: %(results)s.",
                    edition=self.names[index],
                    results=listed(alone),
                )
        if compared.refused:
            setting, now = compared.refused
            yield gettext(
                "Only %(edition)s allows: %(inputs)s.",
                edition=self.names[now],
                inputs=describer.setting(setting, now=now),
            )
        if compared.faulty:
            yield gettext(
                "One of the editions cannot go on at %(sets)s.", sets=_sets(compared.faulty)
            )
        if compared.cut:
            yield (
                gettext(
                    "It takes too long to reckon more than %(sets)s.",
                    sets=_sets(compared.settings),
                )
                if compared.settings
                else gettext("It takes too long to reckon more any.")
            )


def _state(compared: Compared) -> ProcedureState:
    if compared.told:
        return "changed"
    return "same" if compared.settings and not compared.cut else "unreckoned"


def _told(state: ProcedureState, compared: Compared) -> str:
    match state:
        case "new":
            return gettext("It is new.")
        case "gone":
            return gettext("It is not used any more.")
        case "changed":
            return gettext(
                "Its odds differ at %(number)s of %(sets)s.",
                number=compared.differing,
                sets=_sets(compared.settings),
            )
        case "same":
            return gettext("Its odds are the same at %(sets)s.", sets=_sets(compared.settings))
    return gettext("Its odds could not be compared.")


def _sets(number: int) -> str:
    return ngettext(
        "one set of inputs",
        "%(sets)s sets of inputs",
        number,
        sets=quantities.format_number(number),
    )
