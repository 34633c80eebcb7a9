"""Text of a path -> its name, keys and parts, each with the characters at which it stands.

The grammar is that of bindings in prose:

    ruleset.title  ruleset.subtitle  ruleset.edition  ruleset.date
    ENTITY.title                       any table, modifier table, cutout, example, phase or term
    GRID[key, key, ...]                keys of the row axes, then of the column axes
    TABLE.row.field  TABLE.row.title   of a record table
    MODIFIERS.row.changed              an amount of a modifier table
    CUTOUT.attribute  CUTOUT.zones.near.kills

A cell of type `row TABLE` stands for that row's title; `.field` after it goes on into the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rulebook.faults import Fault
from rulebook.model.ruleset import Address

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PART = re.compile(r"\.([A-Za-z0-9_-]+)")
_KEYS = re.compile(r"\[([^\[\]{}]*)\]")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a path and the characters at which it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Path:
    """A name, the keys in brackets after it if there are any, and the parts after the points."""

    name: Part
    keys: tuple[Part, ...] | None
    parts: tuple[Part, ...]


class LookupFault(Fault):
    """A path that names nothing: what is wrong with which characters of it, and what was meant.

    `start` and `end` count characters of the path; `meant` is the address of what the hint
    proposes.
    """

    meant: Address | None = None

    def __init__(self, code: str, message: str, expected: str, hint: str, part: Part) -> None:
        super().__init__(code, message, expected, hint)
        self.start, self.end = part.start, part.end


def slug(name: str) -> str:
    """How a path writes a name that people read: `Near zone` as near_zone."""
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def parse_path(path: str) -> Path:
    """Raises LookupFault where the path is not one."""
    match = _NAME.match(path)
    whole = Part(path, 0, len(path))
    if match is None:
        raise LookupFault.of("R308 no path", whole, path=path)
    name = Part(match[0], 0, match.end())
    at = match.end()
    keys: tuple[Part, ...] | None = None
    if bracket := _KEYS.match(path, at):
        keys = tuple(_keys(bracket[1], bracket.start(1)))
        at = bracket.end()
    parts: list[Part] = []
    while part := _PART.match(path, at):
        parts.append(Part(part[1], part.start(1), part.end(1)))
        at = part.end()
    if at < len(path):
        rest = Part(path[at:], at, len(path))
        raise LookupFault.of("R308 path unread", rest, rest=rest.text)
    return Path(name, keys, tuple(parts))


def _keys(text: str, start: int) -> Iterable[Part]:
    for raw in text.split(","):
        key = raw.strip()
        at = start + len(raw) - len(raw.lstrip())
        yield Part(key, at, at + max(1, len(key)))
        start += len(raw) + 1
