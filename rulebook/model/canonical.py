"""Plain data of a ruleset <-> canonical JSON: one text for one meaning, and its checksum.

Keys are sorted, nothing stands between the marks of JSON, letters stand for themselves, and a line
end closes the text. Things whose order is the author's (`Named`) are written `{"named": {...},
"order": [...]}`, which no fields of a thing are called.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulebook.model.plain import Named, Plain

_NAMED, _ORDER = "named", "order"


def canonical(value: Plain) -> str:
    """The one JSON text of plain data, with a line end."""
    return json.dumps(_written(value), **_STYLE) + "\n"  # type: ignore[arg-type]


_STYLE = {"ensure_ascii": False, "sort_keys": True, "separators": (",", ":"), "allow_nan": False}


def checksum(value: Plain) -> str:
    """The sha256 of the canonical text, in hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def read_canonical(text: str) -> Plain:
    """Plain data of a JSON text. Raises ValueError for what is no JSON, or none of plain data."""
    try:
        return _read(json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant))
    except RecursionError as error:
        raise ValueError("lists and mappings too deep inside one another") from error


def _written(value: Plain) -> Any:
    if isinstance(value, Named):
        named = {key: _written(one) for key, one in value.items()}
        return {_NAMED: named, _ORDER: list(value)}
    if isinstance(value, dict):
        return {key: _written(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_written(one) for one in value]
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"the number {name}")


def _read(value: Any) -> Plain:
    if isinstance(value, dict):
        if value.keys() == {_NAMED, _ORDER}:
            return _read_named(value[_NAMED], value[_ORDER])
        return {key: _read(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_read(one) for one in value]
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{json.dumps(value)[:40]} where a text belongs")


def _read_named(named: Any, order: Any) -> Named:
    if not isinstance(named, dict) or not isinstance(order, list):
        raise ValueError("things by their ids without their order")
    if sorted(map(str, order)) != sorted(named) or not all(isinstance(id_, str) for id_ in order):
        raise ValueError("an order of other ids than there are")
    return Named((id_, _read(named[id_])) for id_ in order)
