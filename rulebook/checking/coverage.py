"""Axes, dice and targets of tables -> faults where a throw or distance finds no answer, or two."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import quantities
from rulebook.model.axes import Axis, Choice
from rulebook.model.cells import Cell, CellType
from rulebook.model.cutouts.shapes import Arc, Burst, Cone, Disc
from rulebook.model.cutouts.stick import Stick
from rulebook.model.procedures import RollStep, TestStep, all_steps
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.problems import Problem, Span

#: The die of most games; a ruleset that throws no other need not say so.
COMMON_DIE = 6


def check_axes(ruleset: Ruleset) -> Iterator[Problem]:
    """Bands touch without gap or overlap; every face of a die axis is decided once."""
    for name, table in ruleset.tables.items():
        if not isinstance(table, Grid):
            continue
        for side in ("rows", "columns"):
            for axis in getattr(table, side):
                address: Address = ("tables", name, side, axis.name)
                if axis.kind == "bands":
                    yield from _bands(ruleset, axis, address)
                elif axis.die:
                    yield from _die(ruleset, axis, axis.die, address)
                elif axis.kind == "choices":
                    yield from _mixed(ruleset, axis, address)


def _place(ruleset: Ruleset, address: Address, index: int, choice: Choice) -> Span | None:
    """Where a place on an axis stands: an item of its list, or a key."""
    for inner in ((index,), (choice.key,)):
        if (*address, *inner) in ruleset.places:
            return ruleset.place(*address, *inner)
    return ruleset.place(*address)


def _bands(ruleset: Ruleset, axis: Axis, address: Address) -> Iterator[Problem]:
    for index, (before, after) in enumerate(zip(axis.choices, axis.choices[1:], strict=False)):
        here = _place(ruleset, address, index + 1, after)
        there = _place(ruleset, address, index, before)
        yield from _between(before, after, here, there)


def _between(
    before: Choice, after: Choice, here: Span | None, there: Span | None
) -> Iterator[Problem]:
    """What is wrong between two neighbouring bands; nothing if they touch."""
    one, other = before.band, after.band
    if one is None or other is None:
        return
    pair = f"{before.key} and {after.key}"
    if one.unit != other.unit:
        yield Problem.of("R401 two units", here, also=there, pair=pair)
    elif one.high is None or other.low is None:
        yield Problem.of("R401 open band", here, also=there, pair=pair)
    elif not one.touches(other):
        high = one.high if one.unit else one.high + 1
        end = f"{high.numerator}" if high.denominator == 1 else f"{float(high):g}"
        end += one.unit or ""
        if other.low > high:
            yield Problem.of("R401 gap", here, also=there, pair=pair, end=end)
        elif one.low is not None and other.low < one.low:
            yield Problem.of("R401 falling", here, also=there, pair=pair)
        else:
            lengths = not one.unit and one.high == other.low
            end += f", or write {before.key}in if these are lengths" if lengths else ""
            yield Problem.of("R401 overlap", here, also=there, pair=pair, end=end)


def _mixed(ruleset: Ruleset, axis: Axis, address: Address) -> Iterator[Problem]:
    """An axis with bands and choices on it: most likely a band that was mistyped or left over."""
    bands = [index for index, choice in enumerate(axis.choices) if choice.band]
    if bands:
        choice = axis.choices[bands[0]]
        yield Problem.of(
            "R401 bands and choices", _place(ruleset, address, bands[0], choice), axis=axis.name
        )


def _die(ruleset: Ruleset, axis: Axis, die: quantities.Dice, address: Address) -> Iterator[Problem]:
    inner: Address = (*address, str(die)) if (*address, str(die)) in ruleset.places else address
    decided: dict[int, int] = {}
    for index, choice in enumerate(axis.choices):
        scores = choice.faces.scores if choice.faces else frozenset()
        here = _place(ruleset, inner, index, choice)
        beyond = sorted(score for score in scores if score > die.sides)
        if beyond:
            sides = die.sides
            yield Problem.of("R402 no such face", here, die=die, face=beyond[0], sides=sides)
        twice = sorted(scores & decided.keys())
        if twice:
            there = _place(ruleset, inner, decided[twice[0]], axis.choices[decided[twice[0]]])
            yield Problem.of("R402 face twice", here, also=there, face=twice[0], axis=axis.name)
        decided |= dict.fromkeys(scores - decided.keys(), index)
    left = [str(face) for face in range(1, die.sides + 1) if face not in decided]
    if left:
        place = ruleset.place(*inner)
        faces = quantities.join_words(left, "or")
        yield Problem.of("R402 face left out", place, axis=axis.name, faces=faces, die=die)


def check_faces(ruleset: Ruleset) -> Iterator[Problem]:
    """Cells that hold faces of one die: within a row no face is claimed twice."""
    for name, table in ruleset.tables.items():
        if isinstance(table, Grid) and table.cells.name == "faces":
            for number, line in enumerate(table.data):
                row: Address = ("tables", name, "data", number)
                yield from _disjoint(
                    ruleset, [((*row, column), cell) for column, cell in enumerate(line)]
                )
        if not isinstance(table, RecordTable):
            continue
        by_die: dict[str, list[str]] = {}
        for key, spec in table.fields.items():
            if spec.type.name == "faces":
                by_die.setdefault(str(spec.type), []).append(key)
        for key, record in table.data.items():
            for fields in by_die.values():
                at: Address = ("tables", name, "data", key)
                yield from _disjoint(
                    ruleset, [((*at, field), record.cells[field]) for field in fields]
                )


def _disjoint(ruleset: Ruleset, cells: list[tuple[Address, Cell]]) -> Iterator[Problem]:
    claimed: dict[int, Address] = {}
    for address, cell in cells:
        faces = cell.value.scores if isinstance(cell.value, quantities.Faces) else frozenset()
        clash = sorted(faces & claimed.keys())
        if clash:
            there = ruleset.place(*claimed[clash[0]])
            yield Problem.of(
                "R403 face in two cells", ruleset.place(*address), also=there, face=clash[0]
            )
        claimed |= dict.fromkeys(faces - claimed.keys(), address)


def check_targets(ruleset: Ruleset) -> Iterator[Problem]:
    """Roll targets that no throw reaches: a warning, since the dice may be named in words alone.

    Where a procedure adds something to its throws, no score is out of reach for certain.
    """
    steps = [one for procedure in ruleset.procedures.values() for one in all_steps(procedure.steps)]
    if any(isinstance(step, TestStep) and step.plus for step in steps):
        return
    highest = max([COMMON_DIE, *_highest_throws(ruleset)])
    for address, target in _targets(ruleset):
        score = max(target.scores, default=0)
        if score > highest:
            yield Problem.of(
                "R404 out of reach", ruleset.place(*address), score=score, highest=highest
            )


def _cells(ruleset: Ruleset) -> Iterator[tuple[Address, CellType, Cell]]:
    for name, table in ruleset.tables.items():
        if isinstance(table, RecordTable):
            for key, row in table.data.items():
                for field, cell in row.cells.items():
                    yield ("tables", name, "data", key, field), table.fields[field].type, cell
        elif isinstance(table, Grid):
            for number, line in enumerate(table.data):
                for column, cell in enumerate(line):
                    yield ("tables", name, "data", number, column), table.cells, cell


def _highest_throws(ruleset: Ruleset) -> Iterator[int]:
    for _, cell_type, cell in _cells(ruleset):
        if cell_type.die:
            yield cell_type.die.sides
        if isinstance(cell.value, quantities.Dice):
            yield cell.value.count * cell.value.sides
    for table in ruleset.tables.values():
        if isinstance(table, Grid):
            yield from (axis.die.sides for axis in table.axes if axis.die)

    for procedure in ruleset.procedures.values():
        for step in all_steps(procedure.steps):
            rolled = step.roll.values() if isinstance(step, RollStep) else ()
            for thrown in (step.dice,) if isinstance(step, TestStep) else rolled:
                if thrown.dice:
                    yield (thrown.keep or thrown.dice.count) * thrown.dice.sides


def _targets(ruleset: Ruleset) -> Iterator[tuple[Address, quantities.RollTarget]]:
    for address, _, cell in _cells(ruleset):
        if isinstance(cell.value, quantities.RollTarget):
            yield address, cell.value
    for name, cutout in ruleset.cutouts.items():
        if isinstance(cutout, Burst):
            yield ("cutouts", name, "kills"), cutout.kills
        elif isinstance(cutout, Cone):
            for index, zone in enumerate(cutout.zones):
                yield ("cutouts", name, "zones", index, "kills"), zone.kills
        elif isinstance(cutout, Disc | Arc):
            for index, ring in enumerate(cutout.rings):
                if isinstance(ring.target, quantities.RollTarget):
                    yield ("cutouts", name, "rings", index, "target"), ring.target
        elif isinstance(cutout, Stick):
            for index, mark in enumerate(cutout.listed):
                if isinstance(mark.target, quantities.RollTarget):
                    yield ("cutouts", name, "marks", index, "target"), mark.target
