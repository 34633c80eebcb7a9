"""What documents print, as frozen objects -> their fields, and the bytes by which they are known.

A view is a frozen dataclass of values: text, numbers, None, tuples and mappings of them, and other
views. It holds nothing that can be done, read or opened, so a template finds in it nothing but what
is to be printed, and any process may be handed it.
"""

from __future__ import annotations

import json
from dataclasses import Field
from typing import Any, ClassVar, Protocol, TypeGuard


class View(Protocol):
    """A frozen dataclass of values."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


def fields_of(view: View) -> dict[str, Any]:
    """Returns the fields of a view by name, in order; values that are views are not converted."""
    return {name: getattr(view, name) for name in view.__dataclass_fields__}


def is_view(value: object) -> TypeGuard[View]:
    """Whether a value is a view, not plain data."""
    return hasattr(value, "__dataclass_fields__") and not isinstance(value, type)


def canonical(value: object) -> bytes:
    """Encodes views and plain JSON data as JSON, with the same bytes on every machine.

    The order of fields and keys is part of the result, since a template that goes over a mapping
    prints it in that order. Raises ValueError or TypeError for anything else.
    """
    return _encode(value).encode("utf-8")


def _fields(value: object) -> dict[str, Any]:
    if not is_view(value):
        raise TypeError(f"{type(value).__name__} is neither a view nor plain data")
    return fields_of(value)


_encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_fields
).encode
