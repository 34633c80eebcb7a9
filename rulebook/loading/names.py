"""Ids, of units, decks and scenarios above all -> the faults of those that name nothing.

A scenario's own things come before those of its ruleset. It is played with the options that its
special rules name, so what it says of units and tables is looked up in the ruleset with these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulebook.loading.nodes import circle, expect_known, unknown
from rulebook.loading.options import no_option
from rulebook.model.cells import CellType
from rulebook.model.forces import circle_in, formations_of, pace_of, paces_in
from rulebook.model.grids import Axis, Grid
from rulebook.model.lookup import KINDS, find_entity, nothing_called
from rulebook.model.procedures import inputs_of
from rulebook.model.record_tables import RecordTable, TableOfRows
from rulebook.model.ruleset import KEY, Address, Ruleset, Variant
from rulebook.model.scalars import HEADINGS, TABLES, UNITS, Ref, RowName
from rulebook.model.scenarios import Paces, Scenario, TurnByDice
from rulebook.model.units import ALL_UNITS, Deck, Unit
from rulebook.model.walk import names_in
from rulebook.problems import Fault, Problem, Span, second_place
from rulebook.quantities import join_words
from rulebook.suggestions import nearest, nearest_word

#: What the parts of a scenario are called that a ruleset has none of.
_PARTS_OF_SCENARIOS = {"sides": "side", "places": "place", "features": "feature of the map"}


@dataclass(frozen=True, slots=True)
class Namespace:
    """Looks up ids in a ruleset and, if given, in a scenario that is played with it."""

    ruleset: Ruleset
    scenario: Scenario | None = None

    def _own(self, collection: str) -> Iterable[str]:
        """Returns the ids in a collection of the scenario; none if there is no scenario."""
        if collection == "features":
            return self.scenario.map.features if self.scenario else ()
        own = getattr(self.scenario, collection, ())
        return own if isinstance(own, Mapping) else ()  # what is a list names other things

    def _ids(self, collection: str) -> list[str]:
        return [*self._own(collection), *getattr(self.ruleset.collections, collection, ())]

    def fault(self, name: str, ref: Ref, span: Span | None) -> Problem | None:
        """Returns a fault if an id does not name what its field expects (`ref`), else None."""
        ids = [known for collection in ref.collections for known in self._ids(collection)]
        ids += ref.also
        if name in ids:
            return None
        if ref.collections[0] in _PARTS_OF_SCENARIOS:
            what = join_words(_PARTS_OF_SCENARIOS[collection] for collection in ref.collections)
            otherwise = "an id of the scenario, which has none of this kind"
            return unknown("R302", f"{what} of it", name, ids, span, otherwise=otherwise)
        kinds = join_words(KINDS[collection] for collection in ref.collections)
        expected = f"the id of {kinds} of this ruleset"
        if name in self._own("formations"):
            return other_kind(self.ruleset, name, span, expected)
        if find_entity(self.ruleset, name):
            return other_kind(self.ruleset, name, span, expected, hint=nearest(name, ids))
        option = self.ruleset.adding(name)
        near = "" if option else nearest_word(name, ids)
        hint = f"write '{near}'" if near else ""
        if option:
            hint = f"the option '{option}' adds it; refer to it in that option"
        found = find_entity(self.ruleset, near)
        there = self.ruleset.place(found[0], near) if found else None
        also = second_place(there, "it stands here")
        return Problem("R301", nothing_called(name), span, expected, hint, also)


def other_kind(
    ruleset: Ruleset,
    name: str,
    span: Span | None,
    expected: str,
    *,
    which: str = "",
    hint: str = "",
) -> Problem:
    """Makes the fault of an id that names another kind of thing than the field expects.

    `which` is added to the kind in the message and says what the thing lacks. An id that the
    ruleset does not know is taken for that of a formation.
    """
    known = find_entity(ruleset, name)
    there = ruleset.place(known[0], name) if known else None
    message = f"'{name:.60}' is {KINDS[known[0] if known else 'formations']}{which}"
    return Problem("R305", message, span, expected, hint, second_place(there, "it stands here"))


def rows_fault(
    ruleset: Ruleset, name: str, span: Span | None, expected: str, which: str = ""
) -> Problem | None:
    """Returns a fault if an id does not name a record table, else None.

    `which` says in the message what a table of another kind lacks.
    """
    if isinstance(ruleset.tables.get(name), RecordTable):
        return None
    fault = Namespace(ruleset).fault(name, Ref(("tables",)), span)
    return fault or other_kind(ruleset, name, span, expected, which=which)


_NO_FIELDS = "no fields, since the units have no rows"
_ROW = "a record table, one with 'fields', and a row of it: establishments.infantry"


def check_names_of_scenarios(
    ruleset: Ruleset, structured: Callable[[tuple[str, ...]], Variant]
) -> Iterator[Problem]:
    """Yields faults of unknown names in formations, scenarios and the header's muster.

    Also yields formations that contain each other. `structured` returns the ruleset with other
    options, its references not checked.
    """
    if ruleset.scenarios or ruleset.formations:
        yield from check_muster(ruleset)
    yield from _circle(ruleset, ruleset, None, ("formations",))
    for name, scenario in ruleset.scenarios.items():
        at: Address = ("scenarios", name)
        faults = list(_options(ruleset, scenario, at))
        yield from faults
        chosen = tuple(sorted({*ruleset.chosen, *scenario.options}))
        if at in ruleset.unaffected and not scenario.options:
            continue
        played = ruleset if faults or chosen == ruleset.chosen else structured(chosen).ruleset
        if played is not None:
            yield from _ScenarioNames(ruleset, played, scenario, at).faults()


def check_muster(ruleset: Ruleset) -> Iterator[Problem]:
    """Yields faults of the header's muster: unknown fields and units, paces that are no lengths."""
    at: Address = ("header", "muster")
    fields = fields_of_units(ruleset)
    known = dict.fromkeys(fields)
    for unit in ruleset.units.values():
        known |= dict.fromkeys(unit.tracks)
    for key, names in ruleset.header.muster.counts.items():
        for index, name in enumerate(names):
            span = ruleset.place(*at, "counts", key, index)
            what = "field or track of a unit"
            yield from expect_known(what, name, list(known), span, otherwise=_NO_FIELDS)
            yield from _no_count(name, fields, span)
    for name, pace in ruleset.header.muster.paces.items():
        if fault := Namespace(ruleset).fault(name, UNITS, ruleset.place(*at, "paces", name, KEY)):
            yield fault
            continue
        yield from _paces(ruleset, ruleset, pace, (*at, "paces", name))


def _paces(ruleset: Ruleset, played: Ruleset, written: Paces, at: Address) -> Iterator[Problem]:
    """Yields faults of paces that are no lengths, and of unknown kinds of ground.

    `at` is the address of the paces in `ruleset`; names are looked up in `played`, the ruleset with
    the options of the scenario.
    """
    for keys, pace in paces_in(written):
        span = ruleset.place(*at, *keys)
        try:
            pace_of(played, pace)
        except Fault as fault:
            yield Problem.at(fault, span)
    for ground in written.over:
        here = ruleset.place(*at, "over", str(ground), KEY)
        here = here or ruleset.place(*at, "over", str(ground))
        yield from ground_faults(played, ground, here)


def _options(ruleset: Ruleset, scenario: Scenario, at: Address) -> Iterator[Problem]:
    for key, rule in scenario.rules.items():
        if rule.option and rule.option not in ruleset.options:
            span = ruleset.place(*at, "rules", key, "option")
            yield no_option(rule.option, list(ruleset.options), span)


def _circle(
    ruleset: Ruleset, played: Ruleset, scenario: Scenario | None, at: Address
) -> Iterator[Problem]:
    """Yields a fault if formations contain each other.

    `at` is the address of the formations; `played` is the ruleset with the options of the scenario,
    if there is one.
    """
    own = scenario.formations if scenario else ruleset.formations
    found = circle_in(formations_of(played, scenario))
    named = [name for name in found if name in own]
    if named:
        start = found.index(named[0])
        turned = [*found[start:-1], *found[:start], found[start]]
        span = ruleset.place(*at, turned[0], "of", turned[1], KEY)
        yield circle("formations", turned, span)


def _no_count(field: str, fields: Mapping[str, CellType], span: Span | None) -> Iterator[Problem]:
    """Yields a fault if a field, which should hold counts, has another type in `fields`.

    Unknown fields are ignored.
    """
    if field in fields and fields[field].name != "count":
        message = f"the field '{field}' holds no counts, but is of type {fields[field]}"
        yield Problem("R305", message, span, "a field of counts, or a track of boxes")


@dataclass(frozen=True, slots=True)
class _ScenarioNames:
    """Checks the names in a scenario; `played` is the ruleset with its options in force."""

    ruleset: Ruleset
    played: Ruleset
    scenario: Scenario
    at: Address

    def _place(self, *address: str | int) -> Span | None:
        return self.ruleset.place(*self.at, *address)

    def faults(self) -> Iterator[Problem]:
        names = Namespace(self.played, self.scenario)
        for address, name, ref in names_in(self.at, self.scenario):
            if ref != HEADINGS and (fault := names.fault(name, ref, self.ruleset.place(*address))):
                yield fault
        yield from _circle(self.ruleset, self.played, self.scenario, (*self.at, "formations"))
        yield from self._own_units()
        yield from self._grounds()
        for side_id, side in self.scenario.sides.items():
            for force_id, force in side.forces.items():
                if isinstance(force.turn, TurnByDice):
                    yield from self._turn(force.turn, "sides", side_id, "forces", force_id, "turn")

    def _own_units(self) -> Iterator[Problem]:
        """Yields faults in the counts and paces of the scenario's own units."""
        known = list(self.ruleset.header.muster.counts)
        for name, unit in self.scenario.units.items():
            for key in unit.counts:
                here = self._place("units", name, "counts", key, KEY)
                otherwise = "names under 'muster: counts' in ruleset.yaml"
                yield from expect_known("count", key, known, here, otherwise=otherwise)
            if unit.pace is not None:
                at: Address = (*self.at, "units", name, "pace")
                yield from _paces(self.ruleset, self.played, unit.pace, at)

    def _turn(self, turn: TurnByDice, *at: str | int) -> Iterator[Problem]:
        """Yields faults of the procedure whose result decides when a force arrives.

        They are unknown inputs, and a result that is unknown or not named. `at` is the address of
        the force's turn within the scenario.
        """
        procedure = self.played.procedures.get(turn.run or "")
        if procedure is None:
            return
        for name in turn.given:
            here, what = self._place(*at, "given", name, KEY), f"input of '{turn.run}'"
            yield from expect_known(what, name, inputs_of(procedure), here)
        results = list(procedure.result)
        several = turn.take is None and len(results) > 1
        if several or turn.take not in (None, *results):
            here = self._place(*at, "run" if several else "take")
            what = f"result of '{turn.run}', which 'take' names,"
            yield unknown("R302", what, turn.take or "", results, here)

    def _grounds(self) -> Iterator[Problem]:
        """Yields faults of unknown kinds of ground on the map of the scenario."""
        for name, feature in self.scenario.map.features.items():
            if feature.ground is not None:
                here = self._place("map", "features", name, "is")
                yield from ground_faults(self.played, feature.ground, here)


def ground_faults(ruleset: Ruleset, ground: RowName, span: Span | None) -> Iterator[Problem]:
    """Yields a fault if a kind of ground is neither a row of a table nor a choice on its axes."""
    tables = ruleset.all_tables
    if table := tables.get(ground.table):
        there = ruleset.place(*ruleset.address_of_table(ground.table))
        what = f"row of the table '{ground.table}', or place on its axes,"
        yield from expect_known(what, ground.row, list(grounds_of(table)), span, there=there)
    elif fault := Namespace(ruleset).fault(ground.table, TABLES, span):
        full = {f"{key}.{place}" for key, table in tables.items() for place in grounds_of(table)}
        hint = nearest(str(ground), sorted(full)) if fault.code == "R301" else ""
        yield replace(fault, expected=_GROUND, hint=hint or fault.hint)


_GROUND = "a table and a row of it, or a place on one of its axes: terrain.woods"


def grounds_of(table: object) -> Mapping[str, Axis | None]:
    """Returns the kinds of ground in a table by key, which are its rows or the places on its axes.

    A place comes with its axis, a row with None. Other tables have none.
    """
    if isinstance(table, TableOfRows):
        return dict.fromkeys(table.data)
    if isinstance(table, Grid):
        return {choice.key: axis for axis in table.axes for choice in axis.choices}
    return {}


def check_units(ruleset: Ruleset) -> Iterator[Problem]:
    """Yields faults of units that name unknown rows, or have a field in two of their rows."""
    for at, unit in units_and_own(ruleset):
        first: dict[str, RowName] = {}
        for index, row in enumerate(unit.rows):
            span = ruleset.place(*at, "rows", index)
            table = ruleset.tables.get(row.table)
            if not isinstance(table, RecordTable):
                if fault := rows_fault(ruleset, row.table, span, _ROW):
                    yield replace(fault, expected=_ROW)
            elif row.row not in table.data:
                what, there = f"row of the table '{row.table}'", ruleset.place("tables", row.table)
                yield unknown("R302", what, row.row, list(table.data), span, there=there)
            else:
                twice = [field for field in table.fields if field in first]
                if twice:
                    message = (
                        f"a second field '{twice[0]}' of the unit: of {first[twice[0]]}, {row}"
                    )
                    yield Problem("R206", message, span, "each field in one of its rows")
                first |= dict.fromkeys(table.fields, row)


def units_and_own(ruleset: Ruleset) -> Iterator[tuple[Address, Unit]]:
    """Yields all units with their addresses: those of the ruleset, then those of each scenario."""
    yield from ((("units", name), unit) for name, unit in ruleset.units.items())
    for scenario_id, scenario in ruleset.scenarios.items():
        for name, unit in scenario.units.items():
            yield ("scenarios", scenario_id, "units", name), unit


_GRADES = "a record table (one with 'fields') or a list of words"
_UNTICKED = " without rows of which one is ticked"


def check_decks(ruleset: Ruleset) -> Iterator[Problem]:
    """Yields faults of decks and units: unknown symbols and fields, and tables without rows."""
    for at, unit in units_and_own(ruleset):
        yield from _symbol(ruleset, unit.symbol, at)
    for name, deck in ruleset.decks.items():
        at = ("cards", name)
        for key, card in (deck.cards or {}).items():
            yield from _symbol(ruleset, card.symbol, (*at, "cards", key))
        for title, choices in deck.grades.items():
            if isinstance(choices, str):
                here = ruleset.place(*at, "grades", title)
                fault = rows_fault(ruleset, choices, here, _GRADES, _UNTICKED)
                yield from [fault] if fault else []
        if deck.made_from is None:
            continue
        if deck.made_from == ALL_UNITS and not ruleset.units:
            message = "a deck of units in a ruleset that has none"
            expected = "'units' in one of the files, or a deck of a table or a list of cards"
            yield Problem("R437", message, ruleset.place(*at, "from"), expected)
            continue
        if not isinstance(ruleset.tables.get(deck.made_from), RecordTable | None):
            expected = "'units', a record table (one with 'fields') or a modifier table"
            here, which = ruleset.place(*at, "from"), " without rows to make cards of"
            yield other_kind(ruleset, deck.made_from, here, expected, which=which)
            continue
        fields = deck_fields(ruleset, deck)
        if fields is not None:
            yield from _fields(ruleset, deck, at, fields)


def _symbol(ruleset: Ruleset, symbol: str | None, at: Address) -> Iterator[Problem]:
    """Yields a fault if a symbol is neither built in nor in the header."""
    if symbol is not None:
        from rulebook.drawing.symbols import SYMBOLS

        known = sorted([*ruleset.symbols, *SYMBOLS])
        yield from expect_known("symbol", symbol, known, ruleset.place(*at, "symbol"))


def deck_fields(ruleset: Ruleset, deck: Deck) -> Mapping[str, CellType] | None:
    """Returns the fields that cards of a deck may show, with their types.

    Returns None if the table that the deck is made from has no rows, or the deck lists its cards.
    """
    if deck.made_from == ALL_UNITS:
        return fields_of_units(ruleset)
    table = ruleset.all_tables.get(deck.made_from or "")
    return table.types if isinstance(table, TableOfRows) else None


def fields_of_units(ruleset: Ruleset) -> dict[str, CellType]:
    """Returns the fields of the rows of all units of the ruleset, with their types."""
    fields: dict[str, CellType] = {}
    for unit in ruleset.units.values():
        for row in unit.rows:
            table = ruleset.tables.get(row.table)
            if isinstance(table, RecordTable):
                fields |= {name: spec.type for name, spec in table.fields.items()}
    return fields


def _fields(
    ruleset: Ruleset, deck: Deck, at: Address, fields: Mapping[str, CellType]
) -> Iterator[Problem]:
    for key in ("show", "boxes", "large", "labels"):
        for index, field in enumerate(getattr(deck, key) or ()):
            span = ruleset.place(*at, key, field if key == "labels" else index)
            what = "field of what the deck is made from"
            yield from expect_known(what, field, list(fields), span, otherwise=_NO_FIELDS)
            if key == "boxes":
                yield from _no_count(field, fields, span)
