"""Grids as they are written, among nodes: the keys along their axes, and data by keys <-> in lists.

Authors write the cells of a grid in lists, or by the keys of their row and column. An option that
changes one cell names it by its keys; all that comes after reads lists.
"""

from __future__ import annotations

import re
from itertools import product
from math import prod

from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode
from rulebook.model.tables import LARGEST_TABLE

_DIE = re.compile(r"d([0-9]{1,3})")


def axes_of(table: Node, side: str) -> list[list[str]]:
    """The keys along each axis of a side, `rows` or `columns`, as they are written."""
    axes = table.get(side) if isinstance(table, MappingNode) else None
    if not isinstance(axes, MappingNode):
        return []
    return [_axis_keys(entry.value) for entry in axes.entries.values()]


def _axis_keys(axis: Node) -> list[str]:
    if isinstance(axis, Scalar):
        die = _DIE.fullmatch(axis.text)
        return [str(face) for face in range(1, int(die[1]) + 1)] if die else []
    if isinstance(axis, MappingNode):
        first = next(iter(axis.entries.values()), None)
        if first and (isinstance(first.value, SequenceNode) or list(axis.entries) == ["numbers"]):
            return _axis_keys(first.value)
        return list(axis.entries)
    return [item.text for item in axis.items if isinstance(item, Scalar)]


def keys_along(table: Node, side: str) -> list[str]:
    """The places along a side as data by keys names them: `8-16in`, or `first, cover`."""
    axes = axes_of(table, side)
    if not axes or prod(map(len, axes)) > LARGEST_TABLE:
        return []
    return [", ".join(place) for place in product(*axes)]


def keyed(table: MappingNode) -> MappingNode | None:
    """The data of a grid by the keys of its axes; None where it is no list that fits them."""
    data = table.get("data")
    down, across = keys_along(table, "rows"), keys_along(table, "columns")
    if not isinstance(data, SequenceNode) or len(data.items) != len(down):
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


def in_lists(collections: MappingNode) -> MappingNode:
    """The collections with the data of every grid in lists, where its keys are those of its axes.

    Other data stays as it is, for the model to complain of.
    """
    tables = collections.entries.get("tables")
    if tables is None or not isinstance(tables.value, MappingNode):
        return collections
    read = {
        key: one if (listed := _listed(one.value)) is one.value else Entry(one.key, listed)
        for key, one in tables.value.entries.items()
    }
    entry = Entry(tables.key, MappingNode(read, tables.value.span))
    return MappingNode({**collections.entries, "tables": entry}, collections.span)


def _listed(table: Node) -> Node:
    data = table.entries.get("data") if isinstance(table, MappingNode) else None
    if (
        not isinstance(table, MappingNode)
        or data is None
        or not isinstance(data.value, MappingNode)
    ):
        return table
    if "fields" in table.entries or "computed" in table.entries:
        return table
    down, across = keys_along(table, "rows"), keys_along(table, "columns")
    rows = _in_order(data.value, down)
    if rows is None:
        return table
    if across:
        inner = [_in_order(row, across) for row in rows]
        if any(cells is None for cells in inner):
            return table
        rows = [
            SequenceNode(tuple(cells or ()), row.span)
            for cells, row in zip(inner, rows, strict=True)
        ]
    listed = Entry(data.key, SequenceNode(tuple(rows), data.key.span))
    return MappingNode({**table.entries, "data": listed}, table.span)


def _in_order(node: Node, keys: list[str]) -> list[Node] | None:
    if not isinstance(node, MappingNode) or not keys or set(node.entries) != set(keys):
        return None
    return [node.entries[key].value for key in keys]
