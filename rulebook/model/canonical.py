"""Plain data of a ruleset <-> canonical JSON: one text for one meaning, and its checksum.

Keys are sorted, nothing stands between the marks of JSON, letters stand for themselves, and a line
end closes the text. Things whose order is the author's (`Named`) are written `{"named": {...},
"order": [...]}`: a mapping and a list, which no cells of a row are that an author may call so.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulebook.model.plain_data import Named, Plain

#: Lists and mappings inside one another: more than twice as many as YAML may have.
DEEPEST = 200
_NAMED, _ORDER = "named", "order"
_TOO_DEEP = "lists and mappings too deep inside one another"


def canonical(value: Plain) -> str:
    """The one JSON text of plain data, with a line end."""
    return json.dumps(_written(value), **_STYLE) + "\n"  # type: ignore[arg-type]


_STYLE = {"ensure_ascii": False, "sort_keys": True, "separators": (",", ":"), "allow_nan": False}


def checksum(value: Plain) -> str:
    """The sha256 of the canonical text, in hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def read_canonical(text: str) -> Plain:
    """Plain data of a canonical text. Raises ValueError for any other text."""
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        value = _read(found, DEEPEST)
        whole = canonical(value).encode() == text.encode()
    except json.JSONDecodeError as error:
        raise ValueError(f"it is damaged, or breaks off, at character {error.pos + 1}") from error
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    if not whole:
        raise ValueError("it is written otherwise than rulebook writes it")
    return value


def written_named(value: Named) -> tuple[int, int]:
    """How many characters stand before and behind the things of a `Named` in its text."""
    behind = json.dumps(list(value), **_STYLE)  # type: ignore[arg-type]
    return len(f'{{"{_NAMED}":'), len(f',"{_ORDER}":{behind}}}')


def _written(value: Plain) -> Any:
    if isinstance(value, dict):
        # Most that stands in plain data is texts, which need no call.
        parts = {key: one if type(one) is str else _written(one) for key, one in value.items()}
        return {_NAMED: parts, _ORDER: list(value)} if isinstance(value, Named) else parts
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


def _read(value: Any, deeper: int) -> Plain:
    if not deeper:
        raise ValueError(_TOO_DEEP)
    if isinstance(value, dict):
        named, order = value.get(_NAMED), value.get(_ORDER)
        if len(value) == 2 and isinstance(named, dict) and isinstance(order, list):
            return _read_named(named, order, deeper - 1)
        return {key: _read(one, deeper - 1) for key, one in value.items()}
    if isinstance(value, list):
        return [_read(one, deeper - 1) for one in value]
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{json.dumps(value)[:40]} where a text belongs")


def _read_named(named: dict[str, Any], order: list[Any], deeper: int) -> Named:
    if sorted(map(str, order)) != sorted(named) or not all(isinstance(id_, str) for id_ in order):
        raise ValueError("an order of other ids than there are")
    return Named((id_, _read(named[id_], deeper)) for id_ in order)
