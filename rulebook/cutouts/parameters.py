"""`length=28in` and its like -> a cutout with other parameters, read and proved like an author's.

Names are those of the content files: `length`, `centre.diameter`, `zones.near.to`, `ring`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ValidationError

from rulebook import quantities as q
from rulebook.model.cells import nearest
from rulebook.model.cutouts.burst import Burst
from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.paths import slug

#: A place in the data of a cutout: ("zones", 0, "to").
_Place = tuple[str | int, ...]


def parameter_names(cutout: Cone | Burst) -> list[str]:
    """What `set_parameters` can set on this cutout."""
    return list(_places(cutout))


def set_parameters(cutout: Cone | Burst, values: Mapping[str, str]) -> Cone | Burst:
    """The cutout with these parameters, each given as text and read by the type of its field.

    Raises QuantityError for a name that the shape does not have, for a value that is not of its
    type, and for lengths that together make no such shape.
    """
    places = _places(cutout)
    data = _written_out(cutout)
    for name, text in values.items():
        if name not in places:
            raise q.QuantityError(
                f"a {cutout.shape} has no parameter '{name[:40]}'",
                expected=q.join_words(places),
                hint=nearest(name, list(places)),
            )
        many = name == "ring"
        _put(data, places[name], [part.strip() for part in text.split(",")] if many else text)
    try:
        return type(cutout).model_validate(data)
    except ValidationError as error:
        raise _told(error, places) from error


def _places(cutout: Cone | Burst) -> dict[str, _Place]:
    """Parameter name -> its place in the data; what all cutouts have is no parameter."""
    found: dict[str, _Place] = {}
    for field in type(cutout).model_fields:
        if field in Cutout.model_fields or field == "shape":
            continue
        value = getattr(cutout, field)
        if isinstance(value, BaseModel):
            found |= {f"{field}.{name}": (field, name) for name in type(value).model_fields}
        elif field == "zones":
            for index, key in enumerate(_zone_keys([zone.name for zone in value])):
                found |= {f"zones.{key}.{name}": (field, index, name) for name in ("to", "kills")}
        else:
            found[field] = (field,)
    return found


def _zone_keys(names: list[str]) -> list[str]:
    """Zones by their names in lower case; by number where that is not unique or is no word."""
    keys = [slug(name) for name in names]
    return [
        key if key and keys.count(key) == 1 and not key.isdigit() else str(number)
        for number, key in enumerate(keys, 1)
    ]


def _put(data: dict[str, Any], place: _Place, value: object) -> None:
    at: Any = data
    for part in place[:-1]:
        at = at[part]
    at[place[-1]] = value


def _written_out(model: BaseModel) -> dict[str, Any]:
    """A model as the text of its scalars, so that it can be read again."""
    return {name: _written(getattr(model, name)) for name in type(model).model_fields}


def _written(value: object) -> Any:
    match value:
        case None:
            return None
        case BaseModel():
            return _written_out(value)
        case tuple():
            return [_written(item) for item in value]
        case q.Length():
            return f"{_written_number(value.number)}{value.unit}"
        case q.RollTarget():
            return str(value) if value.scores else "never"
    return str(value)


def _written_number(number: Fraction) -> str:
    """A number as authors write it, exactly: 5.5, or 55/48 where decimals do not end."""
    if (10**q.MOST_DIGITS) % number.denominator == 0:
        whole, rest = divmod(number.numerator * (10**q.MOST_DIGITS // number.denominator), 10**6)
        return f"{whole}.{rest:06}".rstrip("0").rstrip(".")
    whole, rest = divmod(number.numerator, number.denominator)
    return f"{f'{whole} ' if whole else ''}{rest}/{number.denominator}"


def _told(error: ValidationError, places: Mapping[str, _Place]) -> q.QuantityError:
    """The first fault, with the name of the parameter where it is one parameter's fault."""
    first = error.errors(include_url=False)[0]
    fault = first.get("ctx", {}).get("error")
    if first["type"] in ("too_short", "too_long"):
        context = first["ctx"]
        fault = q.QuantityError(
            f"{context['actual_length']} in the list",
            expected="from 2 to 12 throws, such as 5, 4, 3, 2",
        )
    if not isinstance(fault, q.QuantityError):
        fault = q.QuantityError(first["msg"].lower())
    loc = tuple(first["loc"])
    names = [name for name, place in places.items() if place == loc[: len(place)]]
    message = f"{names[0]}: {fault.message}" if names else fault.message
    return q.QuantityError(message, expected=fault.expected, hint=fault.hint)
