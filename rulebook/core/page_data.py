"""Checked expressions and kinds of values -> plain JSON data, for a page that has no Python.

An expression is an array of its operation and its parts (a text alone is a name, a number itself).
What several expressions use, the cells of a table or the places along an axis, stands once in
`shared`, and they name its number.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from rulebook.core import value_types
from rulebook.core.operations import OPERATIONS, Typed
from rulebook.core.value_types import Kind, LengthKind, json_value, outcome_text
from rulebook.model.scalars import Prose
from rulebook.quantities import Length
from rulebook.translation import ngettext


@dataclass(frozen=True, slots=True)
class ValueLabel:
    """How a value that a step sets is shown: its kind, and the words that stand before it.

    They are what an author or the rules call it, never its name: of no words, "", the sentence of
    the step says what the value is; without any, None, players are not shown it. `fixed` says that
    it is a value that is written out.
    """

    kind: Kind
    words: str | None = None
    fixed: bool = False


@dataclass(slots=True)
class PageData:
    """What a page needs of programs; `sentence` puts sentences into plain words."""

    sentence: Callable[[Prose | None], str]
    shared: dict[str, int] = field(default_factory=dict)

    def share(self, thing: object) -> int:
        """The number of something in `data`; what is written alike has one."""
        return self.shared.setdefault(json.dumps(thing, ensure_ascii=False), len(self.shared))

    def kind(self, kind: Kind) -> int | None:
        """What must be known of a kind to show its values; nothing where they show themselves."""
        if isinstance(kind, LengthKind):
            return self.share(unit_words(kind))
        titles = value_types.titles_of(kind)
        if isinstance(kind, value_types.WordKind):
            titles = {key: outcome_text(key, kind) for key in kind.keys}
        return self.share({"titles": titles}) if titles else None

    def expression(self, typed: Typed | None) -> object:
        if typed is None:
            return None
        if typed.operation == "name":
            return typed.data
        if typed.operation == "=":
            value = json_value(typed.data)
            return value if isinstance(value, bool | int) else ["=", value]
        operation = OPERATIONS[typed.operation]
        found: list[object] = [typed.operation]
        if operation.plain:
            plain = operation.plain(typed.data)
            found.append(self.share(plain) if operation.shared else plain)
        return found + [self.expression(part) for part in typed.parts]


def given(**named: object) -> dict[str, object]:
    """What is given of some things."""
    return {name: value for name, value in named.items() if value is not None}


def unit_words(kind: LengthKind) -> dict[str, object]:
    """How a length is shown: `%` stands for its number, `parts` if that is shown as on a ruler.

    Of bases there are the forms for one and for more.
    """
    if kind.unit != "base":
        return {"unit": str(Length(Fraction(1), kind.unit)).replace("1", "%"), "parts": True}
    forms = [ngettext("%(length)s base", "%(length)s bases", n, length="%") for n in (1, 2)]
    return {"unit": forms[1], "one": forms[0]}
