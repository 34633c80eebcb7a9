"""The view of a quick-reference sheet at a size of type -> columns of tables, pieces of panels.

How many characters stand on a column of the sheet depends on the paper and on the type, so it is
only here that a table gets its columns, and that a panel with a table too wide for one column of
the sheet goes across two. A panel may go over to the next column between two of its pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulebook.publications.column_widths import ColumnNeed, least_room, room_of, share

View = Mapping[str, Any]


def panels_of(view: View) -> Iterator[View]:
    """The panels of all phases in the order of the turn."""
    return (panel for phase in view["phases"] for panel in phase["panels"])


def fitted(view: View, widths: tuple[float, float], type_size: float) -> dict[str, Any]:
    """The view with wide panels and all panels in pieces; `widths` of one column and of two, mm."""
    rooms = (room_of(widths[0], type_size), room_of(widths[1], type_size))

    def panel_at(panel: View) -> dict[str, Any]:
        wide = panel["wide"] or needed_room(panel) > rooms[0]
        tables = [_with_columns(table, rooms[wide]) for table in panel["tables"]]
        resized = {**panel, "wide": wide, "tables": tables}
        return {**resized, "pieces": _pieces(resized)}

    phases = [
        {**phase, "panels": [panel_at(panel) for panel in phase["panels"]]}
        for phase in view["phases"]
    ]
    return {**view, "phases": phases}


#: As many lines of reminders and steps, and as many rows of a table, do not stand by themselves.
_FEW_LINES, _FEW_ROWS = 3, 2


def _pieces(panel: View) -> list[dict[str, Any]]:
    """A panel cut between its tables: none is torn, and nothing small is left by itself.

    A wide one stays whole: two columns have room for it.
    """
    if panel["wide"]:
        return [dict(panel)]
    parts: list[dict[str, Any]] = [{"say": panel["say"], "told": panel["told"], "tables": []}]
    lines = len(panel["say"]) + sum(len(told["steps"]) for told in panel["told"])
    small = lines <= _FEW_LINES and not panel["pictures"]
    for table in panel["tables"]:
        if small or len(table["body"]) <= _FEW_ROWS:
            parts[-1]["tables"].append(table)
        else:
            parts.append({"say": (), "told": (), "tables": [table]})
        small = False
    captions = {name: len(panel[name]) > 1 for name in ("told", "tables")}
    pieces = [
        {**panel, "pictures": (), "examples": (), **part, "captions": captions} for part in parts
    ]
    pieces[0]["pictures"] = panel["pictures"]
    pieces[-1]["examples"] = panel["examples"]
    for number, piece in enumerate(pieces):
        piece["id"] = f"{panel['id']}.{number}" if number else panel["id"]
    return pieces


def needed_room(panel: View) -> int:
    """Characters side by side without which a word in a table of the panel is broken."""
    return max((table["least"] for table in panel["tables"]), default=0)


def _with_columns(table: View, room: float) -> dict[str, Any]:
    columns = [ColumnNeed(**need) for need in table["needs"]]
    return {
        **table,
        "weights": share(columns, room),
        "room": int(room),
        "least": least_room(columns),
    }
