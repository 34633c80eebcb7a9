"""A ruleset and how its lengths are converted -> the converted ruleset, and what will not do.

This is the one place where the lengths of a ruleset are converted: after it is typed, and before
its texts are bound or anything is checked or computed. So whatever prints, computes or draws a
length meets the converted one, and none of it needs to know.

Converted are lengths and bands in tables, on axes, in inputs, cutouts and units, lengths in quotes
in expressions, lengths that inputs are given, and lengths in braces in texts, `{10in}`. Keys stay
as they are written, since they are names: `musketry[0-8in, first]` is the same row for ever. What
is made of wood and card stays (`Cutout.not_scaled`), and so do the cells that it is taken from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from rulebook import quantities
from rulebook.model.cells import Cell
from rulebook.model.cutouts import Cutout
from rulebook.model.expressions import Constant, Expression, parse_expression
from rulebook.model.grids import Choice, Grid
from rulebook.model.header import Documents
from rulebook.model.lengths import Lengths, written
from rulebook.model.lookup import LookupFault, find
from rulebook.model.maps import LONGEST_TABLE, SHORTEST_TABLE, TableScale
from rulebook.model.plain_data import plain
from rulebook.model.procedures import Input
from rulebook.model.prose import Binding, Setting, Text
from rulebook.model.ruleset import Address, Option, Ruleset
from rulebook.model.scalars import LENGTH_IN_BRACES, Prose, TypedValue, Unbound
from rulebook.model.scenarios import Scenario
from rulebook.model.sequence_and_examples import ExampleStep
from rulebook.model.walk import with_parts
from rulebook.problems import Problem


def convert_lengths(ruleset: Ruleset, lengths: Lengths) -> tuple[Ruleset, tuple[Problem, ...]]:
    """Converts the lengths of a ruleset; also returns the faults of what is no longer valid.

    The ruleset is unchanged if the conversion leaves every length as it is.
    """
    if lengths.idle:
        return ruleset, ()
    conversion = _Conversion(ruleset, lengths, _words(ruleset), _unscaled_cells(ruleset))
    collections = ruleset.collections.model_copy(
        update={
            name: {id_: conversion.entity((name, id_), entity) for id_, entity in entities.items()}
            for name, entities in ruleset.collections
        }
    )
    made = replace(
        ruleset,
        header=conversion.of(ruleset.header),
        collections=collections,
        chapters=conversion.of(ruleset.chapters),
        lengths=(*ruleset.lengths, lengths),
    )
    return made, tuple(conversion.problems)


def _words(ruleset: Ruleset) -> frozenset[str]:
    """Returns texts that look like lengths but are names: places on axes, choices of inputs."""
    found: set[str] = set()
    for table in ruleset.tables.values():
        if isinstance(table, Grid):
            found |= {choice.key for axis in table.axes for choice in axis.choices}
    for procedure in ruleset.procedures.values():
        for given in procedure.inputs.values():
            if isinstance(given.one_of, dict):
                found |= set(given.one_of)
    return frozenset(found)


def _unscaled_cells(ruleset: Ruleset) -> list[Cell]:
    """Returns the cells from which cutouts take lengths that are not scaled, such as a rod's.

    If such a cell takes its value from another, that one is returned too.
    """
    found: dict[str, Cell] = {}
    waiting = [
        path
        for at, path in ruleset.taken.items()
        if at[0] == "cutouts"
        and (cutout := ruleset.cutouts.get(str(at[1]))) is not None
        and at[2] in cutout.not_scaled
    ]
    taken = {
        ".".join(map(str, (at[1], *at[3:5]))): path
        for at, path in ruleset.taken.items()
        if at[0] == "tables" and len(at) >= 5
    }
    while waiting:
        path = waiting.pop()
        with suppress(LookupFault):
            cell = find(ruleset, path)
            if path not in found and isinstance(cell, Cell):
                found[path] = cell
                waiting += [taken[path]] if path in taken else []
    return [*found.values()]


@dataclass(slots=True)
class _Conversion:
    """Converts the lengths in the parts of one ruleset, and collects the faults.

    `words` look like lengths but are names; `unscaled` cells stay as they are. `on_table` is set in
    the copy that converts the table of a scenario and everything on it.
    """

    ruleset: Ruleset
    lengths: Lengths
    words: frozenset[str]
    unscaled: list[Cell]
    on_table: Callable[[quantities.Length], quantities.Length] | None = None
    problems: list[Problem] = field(default_factory=list)

    def entity(self, at: Address, entity: Any) -> Any:
        if isinstance(entity, Cutout):
            return self._cutout(at, entity)
        if isinstance(entity, Scenario):
            return self._scenario(at, entity)
        if isinstance(entity, Grid):
            self._expect_bands(at, entity)
        return self.of(entity)

    def of(self, value: Any) -> Any:
        """Converts the lengths in a value of the model and in its parts.

        Returns the same object if it has none.
        """
        convert = _converter(type(value))  # type: ignore[arg-type]
        return convert(self, value) if convert else self.parts_of(value)

    def parts_of(self, value: Any) -> Any:
        """Converts the lengths in the parts of a value; returns the same object if none changes."""
        return with_parts(value, self.of)

    def _tuple(self, items: tuple[Any, ...]) -> Any:
        """Converts the items of a tuple; lengths and values that become equal are kept once."""
        if items and isinstance(items[0], quantities.Length | TypedValue):
            return tuple(dict.fromkeys(map(self.of, items)))
        return self.parts_of(items)

    def _cell(self, cell: Cell) -> Any:
        return cell if any(cell is kept for kept in self.unscaled) else self.parts_of(cell)

    def _setting(self, setting: Setting) -> Setting:
        word = setting.value
        return replace(setting, value=word and replace(word, text=self._value(word.text)))

    def _scenario(self, at: Address, scenario: Scenario) -> Scenario:
        """Converts a scenario; adds a fault if its table becomes too small or too large.

        Everything on its table is converted by one factor, so that edges still meet.
        """
        on_table = replace(self, on_table=self.lengths.on_table(scenario.table.width.unit))
        squares = None if scenario.table.hexes else scenario.table.square
        table = on_table.of(scenario.table.model_copy(update={"squares": squares}))
        for key, side in (("width", table.width), ("depth", table.depth)):
            if not SHORTEST_TABLE.mm <= side.mm <= LONGEST_TABLE.mm:
                expected = f"from {SHORTEST_TABLE} to {LONGEST_TABLE}"
                self._fault(f"a table of {side}", expected, (*at, "table", key))
        laid = {name: on_table.of(getattr(scenario, name)) for name in ("map", "places")}
        made: Scenario = self.of(scenario)
        return made.model_copy(update={"table": table, **laid})

    def _without_dice(self, step: ExampleStep) -> ExampleStep:
        """Returns a step without those of its results that are lengths, if lengths are rounded.

        A sum of rounded lengths is not the rounded sum, so these results could not be checked. If
        lengths are not rounded, returns the step unchanged.
        """
        if not self.lengths.steps:
            return step
        gives = {name: text for name, text in step.gives.items() if self._value(text) == text}
        return step.model_copy(update={"gives": gives})

    def _value(self, text: str) -> str:
        return text if text in self.words else self.lengths.text(text)

    def _choice(self, choice: Choice) -> Choice:
        title = self.of(choice.title)
        if choice.band is None or choice.band.unit is None:
            return replace(choice, title=title)
        band = self.lengths.band(choice.band)
        shown = str(band) if choice.title == str(choice.band) else title
        return replace(choice, title=shown, band=band)

    def _cutout(self, at: Address, cutout: Cutout) -> Cutout:
        """Converts a cutout except for its `not_scaled` fields, and validates the result.

        If that is not valid, adds a fault and returns the cutout as it was.
        """
        kept = {name: getattr(cutout, name) for name in cutout.not_scaled}
        made = self.of(cutout).model_copy(update=kept)
        try:
            return type(cutout).model_validate(plain(made))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            fault = first.get("ctx", {}).get("error")
            inner = tuple(first["loc"])
            if isinstance(fault, quantities.QuantityError):
                self._fault(fault.message, fault.expected, (*at, *inner, *fault.at))
            else:
                self._fault(first["msg"].lower(), "", (*at, *inner))
            return cutout

    def _expect_bands(self, at: Address, grid: Grid) -> None:
        """Adds a fault for each band on an axis of a grid that has no width once it is converted.

        `at` is the address of the grid.
        """
        for side in ("rows", "columns"):
            for axis in getattr(grid, side):
                for number, choice in enumerate(axis.choices):
                    old = choice.band
                    band = old and self.lengths.band(old)
                    if band and old.low != old.high and band.low == band.high:
                        where: Address = (*at, side, axis.name)
                        known = (*where, number) in self.ruleset.places
                        here = (*where, number if known else choice.key)
                        self._fault(f"{old} becomes {band}", "a band of some width", here)

    def _fault(self, message: str, expected: str, at: Address) -> None:
        """Adds the fault R441, about what is not valid once its lengths are converted.

        `at` is the address of what is at fault.
        """
        message = f"with its lengths converted: {message}"
        self.problems.append(Problem("R441", message, self.ruleset.place(*at), expected))

    def _input(self, given: Input) -> Input:
        """Converts the lengths of an input of a procedure, and the titles of its choices.

        A range of lengths becomes a list if rounding makes its steps uneven.
        """
        update: dict[str, Any] = {}
        if isinstance(given.one_of, dict):
            update["one_of"] = {key: self._titled(key, old) for key, old in given.one_of.items()}
        if isinstance(given.length, quantities.Band):
            update = self._range(self.of(given.lengths))
        made: Input = with_parts(given, self.of)
        return made.model_copy(update=update)

    @staticmethod
    def _range(lengths: tuple[quantities.Length, ...]) -> dict[str, Any]:
        numbers = [length.number for length in lengths]
        steps = {after - before for before, after in pairwise(numbers)}
        if len(steps) != 1:
            return {"length": lengths, "step": None}
        unit, step = lengths[0].unit, steps.pop()
        band = quantities.Band(numbers[0], numbers[-1], unit)
        return {
            "length": band,
            "step": None if step == 1 else quantities.Length(Fraction(step), unit),
        }

    def _titled(self, key: str, title: str) -> str:
        """Converts the lengths in the title of a choice with this key.

        A title that is the band of its choice becomes the converted band.
        """
        try:
            band = quantities.parse_band(key)
        except quantities.QuantityError:
            return str(self.of(title))
        for before in self.ruleset.lengths:
            band = before.band(band)
        return str(self.lengths.band(band)) if title == str(band) else str(self.of(title))

    def _expression(self, expression: Expression) -> Expression:
        """Converts the lengths in quotes in an expression; returns it unchanged if it has none."""
        text = expression.text.replace("\n", " ")
        for constant in sorted(_constants(expression.tree), key=lambda found: -found.start):
            value = constant.value
            length = quantities.read_length(value) if isinstance(value, str) else None
            if length is not None and value not in self.words:
                new = written(self.lengths.converted(length))
                text = f"{text[: constant.start]}'{new}'{text[constant.end :]}"
        same = text == expression.text.replace("\n", " ")
        return expression if same else parse_expression(text)

    def _braces(self, text: str) -> str:
        """Converts the lengths in braces, such as {6in}, in a text."""
        return LENGTH_IN_BRACES.sub(lambda match: f"{{{self.lengths.text(match[1])}}}", text)


#: How the values of each type are converted that are more than their parts; the first that fits.
_CONVERTERS: dict[type | tuple[type, ...], Callable[[_Conversion, Any], Any]] = {
    quantities.Length: lambda to, length: (to.on_table or to.lengths.converted)(length),
    quantities.Band: lambda to, band: to.lengths.band(band),
    tuple: _Conversion._tuple,
    Expression: _Conversion._expression,
    Text: lambda to, text: _with_braces(text, to._braces),
    Prose: lambda to, prose: replace(prose, markdown=to._braces(prose.markdown)),
    Unbound: lambda to, text: type(text)(to._braces(text)),
    TypedValue: lambda to, text: TypedValue(to._value(text)),
    Setting: _Conversion._setting,
    Choice: _Conversion._choice,
    Input: _Conversion._input,
    TableScale: lambda to, scale: scale.model_copy(update={"length": to.of(scale.length)}),
    ExampleStep: lambda to, step: to.parts_of(to._without_dice(step)),
    Cell: _Conversion._cell,
    (Lengths, Documents, Option): lambda to, value: value,  # no length of the game is in these
}


@cache
def _converter(kind: type) -> Callable[[_Conversion, Any], Any] | None:
    """Returns the function that converts values of a type; None if only parts are converted."""
    known = (convert for of, convert in _CONVERTERS.items() if issubclass(kind, of))
    return next(known, None)


def _constants(tree: Any) -> Iterator[Constant]:
    if isinstance(tree, Constant):
        yield tree
    elif isinstance(tree, tuple):
        for part in tree:
            yield from _constants(part)
    elif is_dataclass(tree):
        for part in fields(tree):
            yield from _constants(getattr(tree, part.name))


def _with_braces(text: Text, turn: Any) -> Text:
    """Replaces each text in braces by what `turn` makes of it, and moves the bindings with it.

    Returns the same object if nothing changes.
    """
    pieces: list[str] = []
    bindings: list[Binding] = []
    end = length = 0
    for binding in text.bindings:
        between = text.markdown[end : binding.start]
        words = turn(text.markdown[binding.start : binding.end])
        start = length + len(between)
        length = start + len(words)
        target = words[1:-1] if binding.kind == "length" else binding.target
        bindings.append(replace(binding, target=target, start=start, end=length))
        pieces += [between, words]
        end = binding.end
    markdown = "".join([*pieces, text.markdown[end:]])
    if markdown == text.markdown:
        return text
    return replace(text, markdown=markdown, bindings=tuple(bindings))
