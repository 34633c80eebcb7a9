"""The procedures that a change reaches -> what becomes of each, the largest difference first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rulebook import quantities
from rulebook.core.odds import FaultyProcedure, reckon
from rulebook.core.programs import Program
from rulebook.core.weights import MOST_MOVES, Budget
from rulebook.documents.impact.odds import (
    MOST_MOVES_IN_ALL,
    Compared,
    Comparing,
    Purse,
    Side,
    paired_results,
)
from rulebook.documents.impact.settings import Inputs, Slot, settings_of, slots_of, stated_inputs
from rulebook.documents.impact.touched import Editions, Pair, Touched, touched
from rulebook.documents.impact.views import ProcedureImpact, ProcedureState
from rulebook.documents.impact.words import Teller, listed, notes_on_inputs, told_odds
from rulebook.revisions.changes import Renamed

#: The order in which procedures are told, those with differences before all others.
_ORDER: tuple[ProcedureState, ...] = ("changed", "new", "gone", "unreckoned", "same")


def procedure_impacts(
    editions: Editions, names: tuple[str, str], moves: int = MOST_MOVES_IN_ALL
) -> tuple[ProcedureImpact, ...]:
    """What becomes of all procedures that a change reaches, within so many moves."""
    reached = touched(editions)
    purse = Purse(sum(one.state == "touched" for one in reached), moves)
    impacts = _Impacts(editions, names, purse)
    found = [impacts.of(one) for one in reached]
    found.sort(key=lambda one: (_ORDER.index(one[0].state), -one[1]))
    return tuple(impact for impact, _ in found)


@dataclass(slots=True)
class _Impacts:
    """The procedures of two editions on their way to what becomes of them."""

    editions: Editions
    names: tuple[str, str]
    purse: Purse
    #: Of the old and of the new edition the inputs that it states itself.
    stated: tuple[Mapping[str, list[Inputs]], ...] = field(init=False)
    rows: Mapping[tuple[str, str], str] = field(init=False)

    def __post_init__(self) -> None:
        self.stated = (stated_inputs(self.editions.old), stated_inputs(self.editions.new))
        self.rows = dict(_rows(self.editions))

    def of(self, one: Touched) -> tuple[ProcedureImpact, Fraction]:
        """What becomes of a procedure, and the size of its largest difference."""
        if one.state != "touched":
            return self._alone(one.pair), Fraction(0)
        share = self.purse.share()
        programs = self._programs(one.pair)
        if programs is None:
            note = "It cannot be reckoned in both editions."
            return self._impact(one, Compared(), notes=(note,)), Fraction(0)
        sides = Side(self.editions.old, programs[0]), Side(self.editions.new, programs[1])
        slots = slots_of(*programs, self._were(one.pair, "inputs", programs[1].domains), self.rows)
        were = self._were(one.pair, "result", programs[1].results)
        results = paired_results(*programs, were)
        compared = Compared()
        if results and all(slot.values for slot in slots):
            settings = settings_of(slots, self._stated(one.pair))
            compared = Comparing(*sides, slots, results, self.purse, share).compared(settings)
        teller = Teller(*sides, slots, self.names)
        notes = self._notes(teller, slots, results, compared)
        size = max((beside.size for beside in compared.told), default=Fraction(0))
        return self._impact(one, compared, teller, tuple(notes)), size

    def _impact(
        self,
        one: Touched,
        compared: Compared,
        teller: Teller | None = None,
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
            differences=tuple(map(teller.difference, compared.told)) if teller else (),
            compared=compared.settings,
            differing=compared.differing,
            notes=notes,
        )

    def _alone(self, pair: Pair) -> ProcedureImpact:
        """A procedure of one edition, with its odds at the usual inputs."""
        state: ProcedureState = "new" if pair.new else "gone"
        ruleset = self.editions.new if pair.new else self.editions.old
        programs = self.editions.new_programs if pair.new else self.editions.old_programs
        program = programs.get(pair.id)
        usual = self._usual(Side(ruleset, program)) if program else ()
        return ProcedureImpact(
            pair.id, self._title(pair), state, _told(state, Compared()), usual=tuple(usual)
        )

    def _usual(self, side: Side) -> Iterator[str]:
        for name in side.program.results:
            budget = Budget(max(min(MOST_MOVES, self.purse.left), 0))
            inputs = side.program.defaults()
            try:
                odds = reckon(side.ruleset, side.program, inputs, [name], budget)
            except FaultyProcedure:
                continue
            finally:
                self.purse.left -= budget.spent
            yield told_odds(side.program, name, odds.results[name])

    def _title(self, pair: Pair) -> str:
        ruleset = self.editions.new if pair.new else self.editions.old
        return ruleset.procedures[pair.id].title

    def _programs(self, pair: Pair) -> tuple[Program, Program] | None:
        old = self.editions.old_programs.get(pair.old or "")
        new = self.editions.new_programs.get(pair.new or "")
        return (old, new) if old and new else None

    def _were(self, pair: Pair, part: str, names: Iterable[str]) -> dict[str, str]:
        """What inputs or results of the new edition were called in the old one."""
        at = ("collections", "procedures", pair.id, part)
        return {name: self.editions.was(*at, name) for name in names}

    def _stated(self, pair: Pair) -> Iterator[tuple[Inputs, bool]]:
        for now, name in ((False, pair.old), (True, pair.new)):
            yield from ((inputs, now) for inputs in self.stated[now].get(name or "", ()))

    def _notes(
        self,
        teller: Teller,
        slots: tuple[Slot, ...],
        results: list[tuple[str, str]],
        compared: Compared,
    ) -> Iterator[str]:
        """Sentences on what only one edition has, and on what could not be compared."""
        yield from notes_on_inputs(slots, self.names)
        for index, side in enumerate((teller.old, teller.new)):
            known = {pair[index] for pair in results}
            alone = [name.replace("_", " ") for name in side.program.results if name not in known]
            if alone:
                yield f"Only {self.names[index]} tells: {listed(alone)}."
        if compared.refused:
            setting, now = compared.refused
            yield f"Only {self.names[now]} allows: {teller.setting(setting, now=now)}."
        if compared.faulty:
            yield f"One of the editions cannot go on at {_sets(compared.faulty)}."
        if compared.cut:
            where = f"than {_sets(compared.settings)}" if compared.settings else "any"
            yield f"It takes too long to reckon more {where}."


def _rows(editions: Editions) -> Iterator[tuple[tuple[str, str], str]]:
    """What rows of tables and modifier tables were called: (table, row) -> row."""
    for one in editions.comparison.changes:
        of_rows = one.path[1:2] in (("tables",), ("modifiers",)) and len(one.path) == 5
        if isinstance(one, Renamed) and of_rows and one.path[3] in ("data", "rows"):
            yield (one.path[2], one.path[4]), one.old


def _state(compared: Compared) -> ProcedureState:
    if compared.told:
        return "changed"
    return "same" if compared.settings and not compared.cut else "unreckoned"


def _told(state: ProcedureState, compared: Compared) -> str:
    match state:
        case "new":
            return "It is new."
        case "gone":
            return "It is not used any more."
        case "changed":
            return f"Its odds differ at {compared.differing} of {_sets(compared.settings)}."
        case "same":
            return f"Its odds are the same at {_sets(compared.settings)}."
    return "Its odds could not be compared."


def _sets(number: int) -> str:
    return (
        "one set of inputs" if number == 1 else f"{quantities.format_number(number)} sets of inputs"
    )
