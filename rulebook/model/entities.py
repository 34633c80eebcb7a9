"""What all things that an author writes have in common: keys with meanings, ids, a status.

`stated`: the source says so. `read`: our reading of an unclear or contradictory source. `house`:
ours. `missing`: the source does not give it; it prints as an empty cell for the players to fill.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, PlainValidator, model_validator

from rulebook import quantities
from rulebook.model.scalars import Id, ProseText, Text
from rulebook.translation import gettext_noop


class FrozenModel(BaseModel):
    """What an author writes as a mapping: it has these keys and no others, and never changes.

    The docstring below a field says what it is for: to authors as well, see `meanings`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def one_key(code: str, what: str, *keys: str) -> Any:
    """Makes a validator of a model: exactly one of these keys must be given.

    A fault has this code, and `what` names the model in its message.
    """

    def check(model: BaseModel) -> BaseModel:
        given = [key for key in keys if getattr(model, key) is not None]
        if len(given) != 1:
            expected = f"one of {quantities.join_words(map(repr, keys), 'and')}"
            raise quantities.wrong_keys(code, what, given, expected, tuple(given[1:2]))
        return model

    return model_validator(mode="after")(check)


@cache
def written_fields(kind: Any) -> dict[str, str]:
    """Maps the keys that an author writes to the names of the fields of a model.

    Returns an empty mapping for any other type.
    """
    fields = kind.model_fields if isinstance(kind, type) and issubclass(kind, BaseModel) else {}
    return {info.alias or name: name for name, info in fields.items()}


def meanings(model: type[BaseModel]) -> dict[str, str]:
    """Maps each field of a model to its docstring, or else to its description, or to "".

    Docstrings are also taken from the classes from which the model inherits.
    """
    found = {name: info.description or "" for name, info in model.model_fields.items()}
    for kind in reversed(model.__mro__):
        if kind.__module__.startswith(__package__):
            found |= _documented(kind.__module__).get(kind.__name__, {})
    return {name: found[name] for name in model.model_fields}


@cache
def _documented(module: str) -> dict[str, dict[str, str]]:
    """Maps the names of the classes of a module to the docstrings of their fields.

    Returns an empty mapping if the source of the module is not installed.
    """
    source = linecache.getlines(str(sys.modules[module].__file__))
    body = ast.parse("".join(source)).body
    return {kind.name: dict(_docstrings(kind)) for kind in body if isinstance(kind, ast.ClassDef)}


def _docstrings(kind: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yields each field of a class that has a docstring below it, with the docstring."""
    for field, below in pairwise(kind.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())


class Status(StrEnum):
    STATED = "stated"
    READ = gettext_noop("read")
    HOUSE = gettext_noop("house")
    MISSING = gettext_noop("missing")


def _parse_status(value: object) -> Status:
    try:
        return Status(value)  # type: ignore[arg-type]
    except ValueError:
        known = quantities.join_words(Status)
        raise quantities.not_a("a status", str(value), known) from None


StatusName = Annotated[Status, PlainValidator(_parse_status, json_schema_input_type=Status)]


class Noted(FrozenModel):
    """What may carry a status: everything with an id, and the cells of tables.

    A status other than `stated` needs a note: for `read` it says which words of the source and why
    this reading, for `missing` what is not given.
    """

    status: StatusName = Status.STATED
    """stated, read, house or missing"""
    note: ProseText | None = None
    """why the status is not 'stated'"""
    source: Text | None = None
    """where in the source this stands"""

    @model_validator(mode="after")
    def _explained(self) -> Self:
        if self.status is not Status.STATED and self.note is None:
            raise quantities.QuantityError(
                f"status {self.status} without a note", expected="'note', which says why"
            )
        return self


class Entity(Noted):
    """What has an id of its own, by which editions are compared."""

    was: Id | None = None
    """its id in the edition before, if it had another"""
