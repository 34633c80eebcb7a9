"""Scalars such as `=ranges.canister.long` -> the scalars that they name; grids by keys -> in lists.

An axis `=fates` has a place for each row of that table.

One fact stands in one place: a cutout takes its length from the table of ranges, or the table from
the cutout. References are followed among nodes, before anything is typed, so that a faulty one is
reported where it stands and the value it takes is read by the type of the field that it stands in.
Authors write the cells of a grid in lists or by the keys of their row and column, and an option
names a cell by its keys; all that comes after reads lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from rulebook import quantities
from rulebook.limits import DEEPEST, MOST_FAULTS, MOST_ITEMS
from rulebook.loading.nodes import (
    Entry,
    MappingNode,
    Node,
    Scalar,
    SequenceNode,
    circle,
    find_node,
    has_references,
    key_span,
    plain,
    shape,
    with_scalars,
)
from rulebook.model.grids import Axis, humanise, in_axis_order, keys_along, read_axes, size_of
from rulebook.model.lookup import (
    LookupFault,
    PathPart,
    ValuePath,
    cell_at,
    no_entity,
    parse_path,
    resolve_path,
    slug,
)
from rulebook.model.record_tables import written_part
from rulebook.model.ruleset import Address
from rulebook.model.scalars import ROWS_AT
from rulebook.problems import Problem, Span, second_place
from rulebook.suggestions import nearest, some_words

_EXPECTED = "a table's row and field or a cutout's attribute, such as =ranges.rifle.long"


def follow(collections: MappingNode) -> tuple[MappingNode, frozenset[Span], tuple[Problem, ...]]:
    """Replaces each reference in the collections by the value that it names.

    Returns the collections, the places of references that name nothing, which stay as they are, and
    the faults.
    """
    follower = _Follower(collections)
    made = {
        kind: _followed(entry.value, follower.replace)
        for kind, entry in collections.entries.items()
    }
    return collections.with_values(made), frozenset(follower.failed), tuple(follower.problems)


def _followed(things: Node, replace: Callable[[Scalar], Scalar]) -> Node:
    """Returns a collection with its references replaced; entities without any are not searched."""
    if not isinstance(things, MappingNode):
        return with_scalars(things, replace)
    return things.with_values(
        {
            name: with_scalars(entry.value, replace)
            for name, entry in things.entries.items()
            if has_references(entry.value)
        }
    )


def referring(collections: MappingNode, taken: Mapping[Address, str]) -> MappingNode:
    """Puts references back where values were `taken` from other places.

    This way, if a variant of a released edition changes such a place, all values taken from it
    change too. Grids must have their data in lists; an address that does not exist is skipped.
    """
    paths = {}
    for address, path in taken.items():
        node, _ = find_node(collections, address)
        if isinstance(node, Scalar):
            paths[node.span] = f"={path}"

    def as_written(scalar: Scalar) -> Scalar:
        path = paths.get(scalar.span)
        return Scalar(path, True, scalar.span) if path else scalar

    made = with_scalars(collections, as_written)
    assert isinstance(made, MappingNode), "a mapping stays one"
    return made


@dataclass(frozen=True, slots=True)
class _At:
    """A node to which a path has come: the rows of a record table, a row of one, or any other."""

    node: Node
    rows_of: Node | None = None
    row_of: Node | None = None


@dataclass(slots=True)
class _Follower:
    """Follows the references of one ruleset."""

    collections: MappingNode
    failed: set[Span] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    #: References that have been followed to their end, by place.
    ends: dict[Span, Scalar] = field(default_factory=dict)
    #: Items of a list by their names, by the place of the list.
    named: dict[Span, dict[str, Node]] = field(default_factory=dict)
    #: References that are being followed because a part of their value is wanted.
    parted: set[Span] = field(default_factory=set)

    def replace(self, scalar: Scalar) -> Scalar:
        """Returns the scalar that a reference leads to; any other scalar is returned as it is."""
        if not scalar.text.startswith("=") or len(self.problems) > MOST_FAULTS:
            return scalar
        return self._end(scalar)

    def _end(self, reference: Scalar) -> Scalar:
        """Returns the scalar at the end of a chain of references, with the place of the first one.

        After a fault, which is reported, the scalar is still a reference.
        """
        chain: list[Scalar] = []
        passed: set[Span] = set()
        at = reference
        while at.text.startswith("=") and at.span not in self.ends:
            if at.span in passed:
                self._cycle(chain[chain.index(at) :])
                break
            chain.append(at)
            passed.add(at.span)
            target = self._target(at)
            if target is None:
                break
            at = target
        end = self.ends.get(at.span, at)
        for link in chain:
            self.ends[link.span] = end
            if end.text.startswith("="):
                self.failed.add(link.span)
        return Scalar(end.text, end.plain, reference.span, reference.text[1:])

    def _cycle(self, chain: list[Scalar]) -> None:
        first = min(chain, key=lambda scalar: scalar.span)
        names = [scalar.text[1:] for scalar in chain[chain.index(first) :]]
        self.problems.append(circle("references", [*names, names[0]], first.span))

    def _target(self, reference: Scalar) -> Scalar | None:
        """Returns the scalar that a reference names, which may be a reference too.

        After a fault, which is reported, returns None.
        """
        try:
            path = parse_path(reference.text[1:])
            found = resolve_path(path, self._entity, self._cell, self._into)
            return self._scalar(found.node, (path.parts or (path.name,))[-1])
        except LookupFault as fault:
            here = reference.span.within(reference.text, 1 + fault.start, 1 + fault.end)
            if fault.code == "R308":
                fault.expected = _EXPECTED
            self.problems.append(Problem.at(fault, here, self._meant(fault)))
            return None

    def _meant(self, fault: LookupFault) -> tuple[Span, str] | None:
        """Returns the place of the name that a fault suggests instead, with a remark.

        Returns None if the fault suggests none.
        """
        if fault.meant is None:
            return None
        there = key_span(self.collections, fault.meant)
        return second_place(there, f"'{fault.meant[1]}' stands here")

    def _scalar(self, node: Node, last: PathPart) -> Scalar:
        """Returns the value of a node at the end of a path; `last` is the last part of the path.

        Raises LookupFault if the node has no value, or is no single value.
        """
        if isinstance(node, MappingNode) and ("value" in node.entries or "status" in node.entries):
            value = node.get("value")
            if value is None:
                raise _missing(last)
            node = value
        if not isinstance(node, Scalar):
            below = list(node.entries) if isinstance(node, MappingNode) else list(self._names(node))
            expected = f"one of its parts: {some_words(below)}" if below else "one value"
            message = f"{shape(node)} stands there, not a value"
            raise LookupFault("R305", message, expected, "", last)
        return node

    def _field(self, table: Node, row: Node, part: PathPart, after: tuple[str, ...] = ()) -> Node:
        """Returns a cell of a row: as it is written, or computed as a part of another cell.

        `after` are the fields that are parts of this cell, to detect one that is part of itself.
        Raises LookupFault if the cell is missing, alone or with its row or table.
        """
        spec = _child_of(_child_of(table, "fields"), part.text)
        if spec is None or _child_of(row, part.text) is not None:
            return self._child(row, part)
        whole, times = _child_of(spec, "of"), _child_of(spec, "times")
        if isinstance(whole, Scalar) and isinstance(times, Scalar):
            if part.text in after:
                raise _part_of_itself(part)
            named = PathPart(whole.text, part.start, part.end)
            cell = self._scalar(self._field(table, row, named, (*after, part.text)), part)
            return self._part(cell, spec, times, part)
        for holder in (row, table):
            status = _child_of(holder, "status")
            if isinstance(status, Scalar) and status.text == "missing":
                raise _missing(part)
        return self._child(row, part)

    def _part(self, cell: Scalar, spec: Node, times: Scalar, part: PathPart) -> Scalar:
        """Multiplies the value of a cell by a ratio and writes the product as an author would.

        If either is `~` or an unresolved reference, returns that one. `spec` is the field of the
        product. Raises LookupFault at `part` if they cannot be multiplied.
        """
        cell, times = self._followed(cell, part), self._followed(times, part)
        kind = _child_of(spec, "type")
        for scalar in (cell, times):
            if scalar.nothing or scalar.text.startswith("="):
                return scalar
        name = kind.text if isinstance(kind, Scalar) else ""
        try:
            text = written_part(cell.text, name, times.text)
        except quantities.QuantityError as fault:
            raise LookupFault("R305", fault.message, fault.expected, fault.hint, part) from fault
        return Scalar(text, True, spec.span)

    def _followed(self, scalar: Scalar, part: PathPart) -> Scalar:
        """Returns the scalar to which a reference leads; any other scalar is returned unchanged.

        It is for cells of which a part is taken. Raises LookupFault, at `part`, if the cell would
        be a part of itself.
        """
        if not scalar.text.startswith("="):
            return scalar
        if scalar.span in self.parted or len(self.parted) >= DEEPEST:
            raise _part_of_itself(part)
        self.parted.add(scalar.span)
        end = self._end(scalar)
        self.parted.discard(scalar.span)
        return end

    def _entity(self, path: ValuePath) -> _At:
        known: dict[str, str] = {}
        name = path.name
        for collection in (*ROWS_AT, "cutouts"):
            entities = self.collections.get(collection)
            if isinstance(entities, MappingNode):
                if found := entities.get(name.text):
                    if path.keys is None and collection in ROWS_AT:
                        # A reference need not say under which key the rows stand.
                        rows = PathPart(ROWS_AT[collection], name.start, name.end)
                        return _At(
                            self._child(found, rows), found if collection == "tables" else None
                        )
                    return _At(found)
                known |= dict.fromkeys(entities.entries, collection)
        raise no_entity(name, known)

    def _into(self, thing: _At, part: PathPart) -> _At:
        if thing.row_of is not None:
            return _At(self._field(thing.row_of, thing.node, part))
        return _At(self._child(thing.node, part), row_of=thing.rows_of)

    def _child(self, node: Node, part: PathPart) -> Node:
        choices: dict[str, Node] = {}
        if isinstance(node, MappingNode):
            if (found := node.get(part.text)) is not None:
                return found
            choices = {key: entry.value for key, entry in node.entries.items()}
        elif isinstance(node, SequenceNode):
            choices = self._names(node)
            if slug(part.text) in choices:
                return choices[slug(part.text)]
        message, known = f"nothing called '{part.text:.40}' stands there", list(choices)
        raise LookupFault("R302", message, some_words(known), nearest(part.text, known), part)

    def _names(self, node: SequenceNode) -> dict[str, Node]:
        if node.span not in self.named:
            self.named[node.span] = {
                slug(name.text): item
                for item in node.items
                if isinstance(item, MappingNode) and isinstance(name := item.get("name"), Scalar)
            }
        return self.named[node.span]

    def _cell(self, table: _At, keys: tuple[PathPart, ...]) -> _At:
        rows, columns = (_axes_of(table.node, side) for side in ("rows", "columns"))
        data = _child_of(table.node, "data")
        if len(rows + columns) != len(keys) or not isinstance(data, SequenceNode):
            here = PathPart("", keys[0].start, keys[-1].end)
            message = f"{len(keys)} keys for a table with {len(rows + columns)} axes"
            raise LookupFault("R307", message, "one key for each axis, rows first", "", here)
        down, across = cell_at(rows, columns, keys)
        row = data.items[down] if down < len(data.items) else None
        cell = (
            row.items[across] if isinstance(row, SequenceNode) and across < len(row.items) else row
        )
        if cell is None or isinstance(cell, SequenceNode):
            raise LookupFault("R302", "the table has no such cell", "", "", keys[-1])
        return _At(cell)


def _child_of(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, MappingNode) else None


def _part_of_itself(part: PathPart) -> LookupFault:
    return LookupFault("R303", "a part of itself, over and over", "a value at the end", "", part)


def _missing(part: PathPart) -> LookupFault:
    message, expected = "that cell is missing: there is nothing to take", "a cell with a value"
    return LookupFault("R306", message, expected, "write the value here, and its source", part)


def _axes_of(table: Node, side: str) -> tuple[Axis, ...]:
    """Returns the axes of a table on a side, `rows` or `columns`; none if they are faulty."""
    axes = _child_of(table, side)
    try:
        return read_axes(plain(axes)) if isinstance(axes, MappingNode) else ()
    except (quantities.QuantityError, ValidationError):
        return ()


def keyed(table: MappingNode) -> MappingNode | None:
    """Converts the data of a grid from lists to mappings by the keys of its axes.

    Returns None if the data is not in lists, or does not fit the axes.
    """
    data = table.get("data")
    sides = [_axes_of(table, side) for side in ("rows", "columns")]
    if not isinstance(data, SequenceNode) or size_of(*sides) > MOST_ITEMS:
        return None
    down, across = map(keys_along, sides)
    if len(data.items) != len(down):
        return None
    rows: dict[str, Entry] = {}
    for key, item in zip(down, data.items, strict=True):
        cells = item.items if isinstance(item, SequenceNode) else (item,)
        if len(cells) != (len(across) or 1):
            return None
        row = _by_keys(across, cells, item) if across else cells[0]
        rows[key] = Entry(Scalar(key, True, item.span), row)
    return MappingNode(rows, data.span)


def _by_keys(keys: list[str], cells: tuple[Node, ...], row: Node) -> MappingNode:
    entries = {
        key: Entry(Scalar(key, True, cell.span), cell)
        for key, cell in zip(keys, cells, strict=True)
    }
    return MappingNode(entries, row.span)


#: What makes a table one of another kind than a list of outcomes.
_OF_OTHER_TABLES = ("fields", "rows", "columns", "cells", "computed")


def spelt_out(collections: MappingNode) -> MappingNode:
    """Expands two short forms in tables: outcomes that are only titles, and axes of other tables.

    `{routs: Flees}` in the data of a table without fields becomes a row with that title. An axis
    `=fates` becomes one with the rows of the table `fates`, their titles being references.
    """
    titled = _with_tables(collections, _titled)
    tables = titled.get("tables")
    known = tables.entries if isinstance(tables, MappingNode) else {}
    return _with_tables(titled, lambda table: _with_axes(table, known))


def _with_tables(
    collections: MappingNode, read: Callable[[MappingNode], MappingNode]
) -> MappingNode:
    """Replaces each table in the collections by what `read` makes of it.

    Returns the same collections if no table changes.
    """
    tables = collections.get("tables")
    if not isinstance(tables, MappingNode):
        return collections
    changed: dict[str, Node] = {}
    for key, entry in tables.entries.items():
        made = read(entry.value) if isinstance(entry.value, MappingNode) else entry.value
        if made is not entry.value:
            changed[key] = made
    return collections.with_value("tables", tables.with_values(changed)) if changed else collections


def _titled(table: MappingNode) -> MappingNode:
    """Expands rows of a table of outcomes that are only titles to mappings.

    Any other table is returned unchanged.
    """
    data = table.get("data")
    if not isinstance(data, MappingNode) or any(key in table.entries for key in _OF_OTHER_TABLES):
        return table
    rows = {
        key: _row_of_title(row.value)
        for key, row in data.entries.items()
        if isinstance(row.value, Scalar)
    }
    return table.with_value("data", data.with_values(rows)) if rows else table


def _row_of_title(title: Scalar) -> MappingNode:
    entries = {} if title.nothing else {"title": Entry(Scalar("title", True, title.span), title)}
    return MappingNode(entries, title.span)


def _with_axes(table: MappingNode, tables: Mapping[str, Entry]) -> MappingNode:
    for side in ("rows", "columns"):
        axes = table.get(side)
        if isinstance(axes, MappingNode) and "computed" not in table.entries:
            read = {key: _axis(axis.value, tables) for key, axis in axes.entries.items()}
            changed = {
                key: axis for key, axis in read.items() if axis is not axes.entries[key].value
            }
            table = table.with_value(side, axes.with_values(changed)) if changed else table
    return table


def _axis(named: Node, tables: Mapping[str, Entry]) -> Node:
    """Returns the places of an axis that is taken from a table: its rows, with their titles.

    Any other axis is returned unchanged.
    """
    if not isinstance(named, Scalar) or not named.text.startswith("="):
        return named
    table = tables.get(named.text[1:].strip())
    rows = _child_of(table.value, "data") if table else None
    if not isinstance(rows, MappingNode) or table is None or _child_of(table.value, "rows"):
        return named
    places = {}
    for key, row in rows.entries.items():
        # References are told apart by their places, so each stands where its row does.
        titled = _child_of(row.value, "title") is not None
        text = f"{named.text}.{key}.title" if titled else humanise(key)
        places[key] = Entry(row.key, Scalar(text, True, row.key.span))
    return MappingNode(places, named.span)


def in_lists(collections: MappingNode) -> MappingNode:
    """Converts the data of every grid from mappings by the keys of its axes to lists.

    Data that does not fit the axes stays as it is; the model will report it.
    """
    return _with_tables(collections, _listed)


def _listed(table: MappingNode) -> MappingNode:
    data = table.get("data")
    if not isinstance(data, MappingNode) or {"fields", "computed"} & table.entries.keys():
        return table
    sides = [_axes_of(table, side) for side in ("rows", "columns")]
    if size_of(*sides) > MOST_ITEMS:
        return table
    parts = {
        key: row.value.entries if isinstance(row.value, MappingNode) else row.value
        for key, row in data.entries.items()
    }
    try:
        rows = in_axis_order(parts, *sides)
    except quantities.QuantityError:
        return table
    items = [
        SequenceNode(tuple(entry.value for entry in row), data.entries[key].value.span)
        if isinstance(row, list)
        else data.entries[key].value
        for key, row in zip(keys_along(sides[0]), rows, strict=True)
    ]
    return table.with_value("data", SequenceNode(tuple(items), table.entries["data"].key.span))
