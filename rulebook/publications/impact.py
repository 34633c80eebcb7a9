"""Two editions of a ruleset and their changes -> what the changes do in play.

The one place where revisions meet the rules core and the cutouts: for each procedure that a change
reaches the odds in both editions side by side, for each cutout both outlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rulebook.core.program import Program
from rulebook.model.ruleset import Ruleset
from rulebook.publications.impact_cutouts import cutout_impacts
from rulebook.publications.impact_odds import Compared, Comparing, Purse, Side, paired_results
from rulebook.publications.impact_settings import (
    Inputs,
    settings_of,
    slots_of,
    stated_inputs,
)
from rulebook.publications.impact_touched import Editions, Pair, Touched, touched
from rulebook.publications.impact_views import Impact, ProcedureImpact, ProcedureState
from rulebook.publications.impact_words import Teller, listed, notes_on_inputs
from rulebook.revisions.changes import Renamed
from rulebook.revisions.comparison import Comparison

#: The order in which procedures are told, those with differences before all others.
_ORDER: tuple[ProcedureState, ...] = ("changed", "new", "gone", "unreckoned", "same")


def impact_of(
    old: Ruleset, new: Ruleset, comparison: Comparison, names: tuple[str, str] | None = None
) -> Impact:
    """What the changes from one edition to another do in play; `names` are what these are called.

    `comparison` is that of the plain data of the two. Neither ruleset has faults. Whatever takes
    too long to reckon is told as such: the work is bounded, and the same for the same editions.
    """
    called = names or _called(old, new)
    editions = Editions(old, new, comparison)
    impacts = _Impacts(editions, called)
    return Impact(*called, impacts.procedures(), cutout_impacts(editions, called))


def _called(old: Ruleset, new: Ruleset) -> tuple[str, str]:
    """1.0 and 2.0, or the titles of two rulesets."""
    if old.id != new.id and old.header.title != new.header.title:
        return old.header.title, new.header.title
    if old.header.edition != new.header.edition:
        return old.header.edition, new.header.edition
    return "before", "now"


@dataclass(slots=True)
class _Impacts:
    """The procedures of two editions on their way to what becomes of them."""

    editions: Editions
    names: tuple[str, str]

    def procedures(self) -> tuple[ProcedureImpact, ...]:
        reached = touched(self.editions)
        purse = Purse(sum(one.state == "touched" for one in reached))
        stated = (stated_inputs(self.editions.old), stated_inputs(self.editions.new))
        found = [self._impact(one, stated, purse) for one in reached]
        order = {one.id: (_ORDER.index(one.state), -size) for one, size in found}
        return tuple(sorted((one for one, _ in found), key=lambda one: order[one.id]))

    def _impact(
        self,
        one: Touched,
        stated: tuple[Mapping[str, list[Inputs]], Mapping[str, list[Inputs]]],
        purse: Purse,
    ) -> tuple[ProcedureImpact, Fraction]:
        """What becomes of a procedure, and the size of its largest difference."""
        pair, title = one.pair, self._title(one.pair)
        if one.state != "touched":
            state: ProcedureState = "new" if one.state == "new" else "gone"
            return ProcedureImpact(pair.id, title, state), Fraction(0)
        programs = self._programs(pair)
        if programs is None:
            purse.share()
            note = "It cannot be reckoned in both editions."
            return self._without(pair, one, note), Fraction(0)
        sides = Side(self.editions.old, programs[0]), Side(self.editions.new, programs[1])
        slots = slots_of(*programs, self._inputs(pair, programs[1]), self._rows())
        results = paired_results(*programs, self._names(pair, "result", programs[1].results))
        given = [(inputs, False) for inputs in stated[0].get(pair.old or "", ())]
        given += [(inputs, True) for inputs in stated[1].get(pair.new or "", ())]
        comparable = bool(results) and all(slot.values for slot in slots)
        compared = Compared()
        if comparable:
            comparing = Comparing(*sides, slots, results, purse)
            compared = comparing.compared(settings_of(slots, given))
        else:
            purse.share()
        teller = Teller(*sides, slots, self.names)
        notes = (
            *notes_on_inputs(
                slots, {False: self.names[0], True: self.names[1]}, compared=comparable
            ),
            *self._on_results(programs, results),
            *_on_comparison(teller, compared, self.names),
        )
        impact = ProcedureImpact(
            id=pair.id,
            title=title,
            state=_state(compared),
            was=pair.was,
            reasons=one.reasons,
            differences=tuple(map(teller.difference, compared.told)),
            compared=compared.settings,
            differing=compared.differing,
            notes=notes,
        )
        return impact, max((beside.size for beside in compared.told), default=Fraction(0))

    def _title(self, pair: Pair) -> str:
        ruleset = self.editions.new if pair.new else self.editions.old
        return ruleset.procedures[pair.id].title

    def _without(self, pair: Pair, one: Touched, note: str) -> ProcedureImpact:
        title = self._title(pair)
        return ProcedureImpact(pair.id, title, "unreckoned", pair.was, one.reasons, notes=(note,))

    def _programs(self, pair: Pair) -> tuple[Program, Program] | None:
        old = self.editions.old_programs.get(pair.old or "")
        new = self.editions.new_programs.get(pair.new or "")
        return (old, new) if old and new else None

    def _names(self, pair: Pair, part: str, names: Iterable[str]) -> dict[str, str]:
        """What results of the new edition were called."""
        at = ("collections", "procedures", pair.id, part)
        return {name: self.editions.was(*at, name) for name in names}

    def _inputs(self, pair: Pair, program: Program) -> dict[str, str]:
        """What inputs were called; the players' choices stand among the steps."""
        return self._names(pair, "inputs", program.domains)

    def _rows(self) -> dict[tuple[str, str], str]:
        """What rows of tables and modifier tables were called: (table, row) -> row."""
        return {
            (one.path[2], one.path[-1]): one.old
            for one in self.editions.comparison.changes
            if isinstance(one, Renamed)
            and len(one.path) > 4
            and one.path[1] in ("tables", "modifiers")
            and one.path[3] in ("data", "rows")
        }

    def _on_results(
        self, programs: tuple[Program, Program], results: list[tuple[str, str]]
    ) -> Iterator[str]:
        """Sentences on results that only one edition has, or of which it tells something else."""
        for index, program in enumerate(programs):
            known = {pair[index] for pair in results}
            alone = [name.replace("_", " ") for name in program.results if name not in known]
            if alone:
                yield f"Only {self.names[index]} tells so: {listed(alone)}."


def _state(compared: Compared) -> ProcedureState:
    if compared.told:
        return "changed"
    return "same" if compared.settings and not compared.cut else "unreckoned"


def _on_comparison(teller: Teller, compared: Compared, names: tuple[str, str]) -> Iterator[str]:
    """Sentences on what could not be compared."""
    if compared.refused:
        setting, now = compared.refused
        yield f"Only {names[now]} allows such as {teller.setting(setting, now=now)}."
    if compared.faulty:
        times = "one set" if compared.faulty == 1 else f"{compared.faulty} sets"
        yield f"At {times} of inputs one of the editions cannot go on."
    if compared.cut:
        yield (
            f"It takes too long to reckon everywhere: the odds are compared at "
            f"{compared.settings} sets of inputs alone."
        )
