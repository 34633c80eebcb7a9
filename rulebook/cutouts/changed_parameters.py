"""`length=28in` and its like -> a cutout with other parameters, read and proved like an author's.

Names are those of the content files: `length`, `centre.diameter`, `zones.near.to`, `ring`; what
has a name goes by it in lower case, or by its number.
"""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from rulebook import quantities
from rulebook.model.cutouts import Cutout
from rulebook.model.lookup import slug
from rulebook.model.plain_data import plain
from rulebook.suggestions import nearest, some_words

#: A place in the data of a cutout: ("zones", 0, "to").
_Place = tuple[str | int, ...]
AnyShape = TypeVar("AnyShape", bound=Cutout)
#: What authors write where nothing applies.
NOTHING = "~"
#: What of a part of a cutout is its name, and no parameter.
_NAME = "name"


def set_parameters(cutout: AnyShape, values: Mapping[str, str]) -> AnyShape:
    """Returns a copy of the cutout with these parameters, each converted from text to its type.

    A list of scalars is written with commas; `~` stands for no value. Raises QuantityError for a
    name that the shape does not have, for a value that is not of its type, and for values that
    together make no such shape.
    """
    places = {name: (place, many) for name, place, many in _places(cutout)}
    data: Any = {field: plain(getattr(cutout, field)) for field in type(cutout).model_fields}
    for name, text in values.items():
        if name not in places:
            raise _unknown(cutout, name, list(places))
        place, many = places[name]
        value: object = None if text == NOTHING else text
        if many and value is not None:
            value = [part.strip() for part in text.split(",")]
        at = data
        for part in place[:-1]:
            at = at[part]
        at[place[-1]] = value
    try:
        return type(cutout).model_validate(data)
    except ValidationError as error:
        raise _quantity_error(
            error, {name: place for name, (place, _) in places.items()}
        ) from error


def change_lengths(
    cutout: AnyShape, change: Callable[[str, quantities.Length], quantities.Length]
) -> AnyShape:
    """Returns a copy of the cutout with every length replaced by the result of `change`.

    `change` is called with the name of the parameter and its length. Raises QuantityError as
    `set_parameters` does.
    """
    values = {}
    for name, place, _ in _places(cutout):
        found = _at(cutout, place)
        many = found if isinstance(found, tuple) else (found,)
        if many and all(isinstance(length, quantities.Length) for length in many):
            values[name] = ", ".join(str(plain(change(name, length))) for length in many)
    return set_parameters(cutout, values)


def parameters_by_place(cutout: Cutout) -> dict[tuple[str | int, ...], tuple[str, str]]:
    """Maps the place of each parameter in a cutout's data to its name and its value as printed.

    The value of a parameter that is not set is empty.
    """
    return {place: (name, _printed(_at(cutout, place))) for name, place, _ in _places(cutout)}


def _printed(value: Any) -> str:
    """Formats the value of a parameter for print: lists with commas, and no value as empty text."""
    if isinstance(value, tuple):
        return ", ".join(map(_printed, value))
    if isinstance(value, Fraction):
        return quantities.format_number(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _at(model: BaseModel, place: _Place) -> Any:
    """Returns the value at a place in a model, which is a path of field names, keys and indices."""
    found: Any = model
    for part in place:
        found = getattr(found, str(part)) if isinstance(found, BaseModel) else found[part]
    return found


def _unknown(cutout: Cutout, name: str, known: Sequence[str]) -> quantities.QuantityError:
    """Returns the error for a parameter that a shape does not have; `known` are those it has."""
    known = sorted(known, key=lambda name: name.count("."))  # those of the whole before its parts
    shape = getattr(cutout, "shape", "cutout")
    return quantities.QuantityError(
        f"the shape '{shape}' has no parameter '{name[:40]}'",
        expected=some_words(known),
        hint=nearest(name, known),
    )


def _places(model: BaseModel) -> Iterator[tuple[str, _Place, bool]]:
    """Yields name and place of each parameter of a model, and whether it is a list of scalars.

    The place leads to it in the model's data. Names, and fields that all cutouts have, are no
    parameters.
    """
    for field, info in type(model).model_fields.items():
        if (isinstance(model, Cutout) and field in Cutout.model_fields) or field == "shape":
            continue
        yield from _below(field, getattr(model, field), info.annotation)


def _below(field: str, value: object, annotation: Any) -> Iterator[tuple[str, _Place, bool]]:
    """Yields name and place of each parameter in a field, and whether it is a list of scalars."""
    if isinstance(value, BaseModel):
        for name, place, many in _places(value):
            yield f"{field}.{name}", (field, *place), many
    elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
        for index, (key, item) in enumerate(zip(_keys(value), value, strict=True)):
            for name, place, many in _places(item):
                if name != _NAME:
                    yield f"{field}.{key}.{name}", (field, index, *place), many
    elif isinstance(value, Mapping):
        for key in value:
            yield f"{field}.{key}", (field, str(key)), False
    elif value is not None or not any(_has_parts(kind) for kind in _kinds(annotation)):
        listed = any(get_origin(kind) is tuple for kind in _kinds(annotation))
        yield field, (field,), listed or isinstance(value, tuple)


def _kinds(annotation: Any) -> Iterator[Any]:
    """Yields the types that an annotation allows, without Annotated and Union around them."""
    if get_origin(annotation) is Annotated:
        yield from _kinds(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for alternative in get_args(annotation):
            yield from _kinds(alternative)
    else:
        yield annotation


def _has_parts(kind: Any) -> bool:
    """Whether values of a type consist of fields or items that a single text cannot give."""
    if get_origin(kind) is tuple:
        return any(_has_parts(inner) for inner in _kinds(get_args(kind)[0]))
    return get_origin(kind) is dict or (isinstance(kind, type) and issubclass(kind, BaseModel))


def _keys(items: Sequence[BaseModel]) -> list[str]:
    """Returns a key for each part of a list: its name as a slug, or else its number, from 1.

    The number is used if the name is missing, is itself a number, or is not unique.
    """
    keys = [slug(str(getattr(item, _NAME, ""))) for item in items]
    counted = Counter(keys)
    return [
        key if key and counted[key] == 1 and not key.isdigit() else str(number)
        for number, key in enumerate(keys, 1)
    ]


def _quantity_error(
    error: ValidationError, places: Mapping[str, _Place]
) -> quantities.QuantityError:
    """Converts the first fault of a ValidationError to a QuantityError.

    Its message begins with the name of the parameter at fault, if that is one of `places`.
    """
    first = error.errors(include_url=False)[0]
    fault = first.get("ctx", {}).get("error")
    if not isinstance(fault, quantities.QuantityError):
        expected = first["msg"].removeprefix("Input should be ").lower()
        fault = quantities.QuantityError("that cannot stand here", expected=expected)
    # the model puts the kind of a part in brackets into its addresses; the data has none
    loc = tuple(part for part in first["loc"] if not str(part).startswith("["))
    names = [name for name, place in places.items() if place == loc[: len(place)]]
    message = f"{names[0]}: {fault.message}" if names else fault.message
    return quantities.QuantityError(message, expected=fault.expected, hint=fault.hint)


def scaled(cutout: AnyShape, scale: Fraction) -> AnyShape:
    """Returns a copy of the cutout with all lengths multiplied by `scale`.

    Parameters that the cutout lists as not scaled are kept. Raises QuantityError where a length
    cannot be written as a number, or where the shape cannot be made so large or small.
    """
    return change_lengths(
        cutout,
        lambda name, length: (
            length
            if name.partition(".")[0] in cutout.not_scaled
            else quantities.Length(length.number * scale, length.unit)
        ),
    )
