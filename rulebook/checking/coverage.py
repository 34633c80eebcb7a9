"""Axes, dice and targets of tables -> faults where a throw or distance finds no answer, or two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from rulebook import quantities
from rulebook.model.cells import Cell
from rulebook.model.grids import Axis, Choice, Grid
from rulebook.model.procedures import TestStep, all_steps
from rulebook.model.record_tables import typed_cells
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem, Span, second_place

#: The die of most games; a ruleset that throws no other need not say so.
COMMON_DIE = 6


def check_axes(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that bands on an axis have no gaps or overlaps, and a die axis every face once.

    Also reports axes on which only some choices are bands.
    """
    for name, table in ruleset.tables.items():
        if not isinstance(table, Grid):
            continue
        for axis in table.axes:
            side = "rows" if axis in table.rows else "columns"
            address: Address = ("tables", name, side, axis.name)
            if axis.kind == "bands":
                yield from _bands(ruleset, axis, address)
            elif axis.die:
                yield from _die(ruleset, axis, axis.die, address)
            elif axis.kind == "choices":
                yield from _mixed(ruleset, axis, address)


def _place(ruleset: Ruleset, address: Address, index: int, choice: Choice) -> Span | None:
    """Returns the place of a choice on an axis, or that of the axis if the choice has none.

    The choice may be an item of a list, with this index, or a key of a mapping.
    """
    for inner in ((index,), (choice.key,)):
        if (*address, *inner) in ruleset.places:
            return ruleset.place(*address, *inner)
    return ruleset.place(*address)


def _bands(ruleset: Ruleset, axis: Axis, address: Address) -> Iterator[Problem]:
    for index, (before, after) in enumerate(pairwise(axis.choices)):
        first, second = before.band, after.band
        if first is None or second is None or (first.unit == second.unit and first.touches(second)):
            continue
        hint = ""
        if first.unit == second.unit and first.high is not None:
            end = quantities.format_number(first.high if first.unit else first.high + 1)
            hint = f"begin the second at {end}{first.unit or ''}"
        message = f"bands that do not touch: {before.key} and {after.key}"
        here = _place(ruleset, address, index + 1, after)
        expected = "bands that touch, in rising order, in one length unit"
        also = second_place(_place(ruleset, address, index, before), "the band before it")
        yield Problem("R401", message, here, expected, hint, also)


def _mixed(ruleset: Ruleset, axis: Axis, address: Address) -> Iterator[Problem]:
    """Reports an axis that has bands and other choices, of which one may be a mistyped band.

    Yields nothing if no choice is a band.
    """
    bands = [index for index, choice in enumerate(axis.choices) if choice.band]
    if bands:
        here = _place(ruleset, address, bands[0], axis.choices[bands[0]])
        message = f"the axis '{axis.name}' has bands and choices on it"
        yield Problem("R401", message, here, "bands only, or choices only")


def _die(ruleset: Ruleset, axis: Axis, die: quantities.Dice, address: Address) -> Iterator[Problem]:
    inner: Address = (*address, str(die)) if (*address, str(die)) in ruleset.places else address
    decided: dict[int, int] = {}
    known = quantities.faces_of(die.sides)
    for index, choice in enumerate(axis.choices):
        scores = choice.faces.scores if choice.faces else frozenset()
        here = _place(ruleset, inner, index, choice)
        beyond = sorted(scores - set(known))
        if beyond:
            message = f"a {die} has no face {beyond[0]}"
            yield Problem("R402", message, here, f"faces from {quantities.shown_faces(die.sides)}")
        twice = sorted(scores & decided.keys())
        if twice:
            there = _place(ruleset, inner, decided[twice[0]], axis.choices[decided[twice[0]]])
            message = f"the face {twice[0]} stands on the axis '{axis.name}' twice"
            also = second_place(there, "it stands here first")
            yield Problem("R402", message, here, "each face once", also=also)
        decided |= dict.fromkeys(scores - decided.keys(), index)
    left = [str(face) for face in known if face not in decided]
    if left:
        faces = quantities.join_words(left, "or")
        message = f"the axis '{axis.name}' says nothing of the face {faces}"
        hint = "add it to one of the places on the axis, or give it one of its own"
        yield Problem("R402", message, ruleset.place(*inner), f"every face of the {die} once", hint)


def check_faces(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that no face of a die is in two cells of a row that throw the same die."""
    for name, table in ruleset.tables.items():
        rows: dict[tuple[str | int, str], list[tuple[Address, Cell]]] = {}
        for at, cell_type, cell in typed_cells(table):
            if cell_type.name == "faces":
                row = rows.setdefault((at[1], str(cell_type)), [])
                row.append((("tables", name, *at), cell))
        for cells in rows.values():
            yield from _disjoint(ruleset, cells)


def _disjoint(ruleset: Ruleset, cells: list[tuple[Address, Cell]]) -> Iterator[Problem]:
    claimed: dict[int, Address] = {}
    for address, cell in cells:
        faces = cell.value.scores if isinstance(cell.value, quantities.Faces) else frozenset()
        clash = sorted(faces & claimed.keys())
        if clash:
            message = f"the face {clash[0]} stands in two cells of this row"
            expected = "each face in one cell of a row; the rest is a miss"
            also = second_place(ruleset.place(*claimed[clash[0]]), "it stands here first")
            yield Problem("R403", message, ruleset.place(*address), expected, also=also)
        claimed |= dict.fromkeys(faces - claimed.keys(), address)


def check_targets(ruleset: Ruleset) -> Iterator[Problem]:
    """Warns of roll targets that no throw of the ruleset's dice can reach.

    The dice are those in tables, on axes and in procedures, and an ordinary six-sided die. It is
    only a warning, since prose may name other dice. Nothing is reported if a procedure adds to the
    throws of a test, or of a ruleset without chapters, which need not say what is thrown.
    """
    if not ruleset.chapters:
        return
    steps = [
        step for procedure in ruleset.procedures.values() for step in all_steps(procedure.steps)
    ]
    if any(isinstance(step, TestStep) and step.plus for step in steps):
        return
    highest = max([COMMON_DIE, *_highest_throws(ruleset)])
    for address, target in _targets(ruleset):
        score = max(target.scores, default=0)
        if score > highest:
            message = f"no throw of this ruleset reaches {score}"
            expected = f"up to {highest}, the highest throw that its dice make"
            hint = "write 'never' if it cannot be done, or name the dice in a procedure"
            here = ruleset.place(*address)
            yield Problem("R404", message, here, expected, hint, severity="warning")


def _highest_throws(ruleset: Ruleset) -> Iterator[int]:
    """Yields the highest result of each throw of dice in tables, on axes and in procedures."""
    for table in ruleset.tables.values():
        types_and_cells = list(typed_cells(table))
        dice: list[object] = [cell_type.die for _, cell_type, _ in types_and_cells]
        dice += [cell.value for _, _, cell in types_and_cells]
        dice += [axis.die for axis in table.axes] if isinstance(table, Grid) else []
        yield from (die.count * die.sides for die in dice if isinstance(die, quantities.Dice))
    for procedure in ruleset.procedures.values():
        for step in all_steps(procedure.steps):
            for thrown in step.thrown.values():
                if isinstance(thrown, quantities.Dice):
                    yield (thrown.keep or thrown.count) * thrown.sides


def _targets(ruleset: Ruleset) -> Iterator[tuple[Address, quantities.RollTarget]]:
    """Returns the roll targets in the cells of tables and on cutouts, with their addresses."""
    found: list[tuple[Address, Any]] = [
        (("tables", name, *at), cell.value)
        for name, table in ruleset.tables.items()
        for at, _, cell in typed_cells(table)
    ]
    for name, cutout in ruleset.cutouts.items():
        found.append((("cutouts", name, "kills"), getattr(cutout, "kills", None)))
        for part, key in (("zones", "kills"), ("rings", "target"), ("marks", "target")):
            listed = getattr(cutout, part, ())
            for index, mark in enumerate(listed if isinstance(listed, tuple) else ()):
                found.append((("cutouts", name, part, index, key), getattr(mark, key)))
    return ((at, value) for at, value in found if isinstance(value, quantities.RollTarget))


def check_conditions(ruleset: Ruleset) -> Iterator[Problem]:
    """Checks that no two modifiers of a table have the same condition.

    Case and white space are ignored.
    """
    for name, table in ruleset.modifiers.items():
        first: dict[str, str] = {}
        for key, row in table.data.items():
            when = " ".join(row.when.markdown.casefold().split())
            if when in first:
                there = ruleset.place(*ruleset.address_of_row(name, first[when], "when"))
                here = ruleset.place(*ruleset.address_of_row(name, key, "when"))
                message = f"'{row.when.markdown:.60}' is the condition of two modifiers"
                also = second_place(there, "it stands here first")
                yield Problem("R411", message, here, "each condition once", also=also)
            first.setdefault(when, key)
