"""The axes of a grid: choices, bands, single numbers, or the faces of a die."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cells import Faults, expect_mapping


@dataclass(frozen=True, slots=True)
class Choice:
    """One place on an axis: its key in data and expressions, what it prints, and what it means."""

    key: str
    title: str
    band: quantities.Band | None = None
    faces: quantities.Faces | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """Choices, bands, single numbers, or the faces of a die.

    `label` is what the axis is called in print where its name does not say it; a `headed` axis
    across a table is called so above its places, which do not explain themselves: 0, 1, 2.
    """

    name: str
    choices: tuple[Choice, ...]
    die: quantities.Dice | None = None
    label: str = ""
    headed: bool = False

    @property
    def title(self) -> str:
        return self.label or humanise(self.name)

    @property
    def kind(self) -> Literal["choices", "bands", "numbers", "die"]:
        if self.die:
            return "die"
        if all(choice.number is not None for choice in self.choices):
            return "numbers"
        return "bands" if all(choice.band for choice in self.choices) else "choices"

    @property
    def keys(self) -> list[str]:
        return [choice.key for choice in self.choices]


def humanise(name: str) -> str:
    """The title of an id that was given none."""
    return name.replace("_", " ").capitalize()


_PLACES = "a die such as d6, or places in a list, such as [0-8in, 8-16in]"


def _refused(place: object, name: str, expected: str) -> quantities.QuantityError:
    """What cannot stand on an axis."""
    return quantities.QuantityError(
        f"'{place!s:.40}' is no place on the axis '{name}'", expected=expected
    )


def _read_axis(name: str, raw: object) -> Axis:
    """`[a, b]`, `{a: Title, b: Title}`, `[0-8in, 8-16in]`, `d6`, `{d6: [1-2, 3, 4-6]}` or
    `{numbers: [1, 2, 10]}`.
    """
    if isinstance(raw, str) and re.fullmatch(r"[0-9]*d[0-9]+", raw):
        die = quantities.parse_dice(raw)
        return _die_axis(name, die, [str(face) for face in range(1, die.sides + 1)])
    if isinstance(raw, dict) and len(raw) == 1:
        (key, places), *_ = raw.items()
        if key == "numbers" and isinstance(places, list | dict):
            return _number_axis(name, places)
        if isinstance(places, list) and re.match("[0-9]*d[0-9]", str(key)):
            return _die_axis(name, quantities.parse_dice(str(key)), places)
        if isinstance(places, list) or re.fullmatch("d[0-9]+", str(places)):
            raise _refused(key, name, _PLACES)
    if not isinstance(raw, dict | list) or not raw:
        raise _refused(raw or "nothing", name, _PLACES)
    titles = _titles(name, raw)
    return Axis(name, tuple(_read_choice(key, title) for key, title in titles.items()))


def _titles(name: str, raw: dict[str, object] | list[object]) -> dict[str, object]:
    """The keys of places, each with the title that it is given."""
    if isinstance(raw, dict):
        return raw
    titles: dict[str, object] = {}
    for key in raw:
        if not isinstance(key, str) or key in titles:
            raise _refused(key, name, "choices or bands, each once")
        titles[key] = None
    return titles


def _number_axis(name: str, raw: dict[str, object] | list[object]) -> Axis:
    """Single whole numbers, between which there may be others that are nowhere in the table."""
    choices = []
    for key, title in _titles(name, raw).items():
        if not re.fullmatch(r"-?(0|[1-9][0-9]{0,5})", key):
            raise _refused(key, name, "single whole numbers, such as numbers: [1, 2, 10]")
        number = int(key)
        choices.append(
            Choice(key, _shown(title) or quantities.format_number(number), number=number)
        )
    if not choices:
        raise _refused("nothing", name, _PLACES)
    return Axis(name, tuple(choices), headed=True)


def _read_choice(key: str, title: object) -> Choice:
    shown = _shown(title)
    if re.fullmatch(scalars.ID_PATTERN, key):
        return Choice(key, shown or humanise(key))
    band = quantities.parse_band(key)
    return Choice(key, shown or str(band), band=band)


def _shown(title: object) -> str | None:
    return None if title is None else scalars.parse_line(scalars.expect_text(title, "a title"))


def _die_axis(name: str, die: quantities.Dice, places: Sequence[object]) -> Axis:
    if die.count != 1:
        raise _refused(die, name, "one die")
    choices = (
        Choice(key, str(faces), faces=faces)
        for key in _titles(name, list(places))
        for faces in [quantities.parse_faces(key)]
    )
    return Axis(name, tuple(choices), die)


def read_axes(value: object) -> tuple[Axis, ...]:
    """The axes of a side by their names. Raises QuantityError and ValidationError."""
    named = expect_mapping(value, "names of axes, such as {range: [0-8in, 8-16in]}")
    axes, faults = [], Faults()
    for name, raw in named.items():
        with faults.at(name):
            if not re.fullmatch(scalars.ID_PATTERN, str(name)):
                what = f"'{name:.40}' is not an id for an axis"
                raise quantities.QuantityError(what, code="R205")
            axes.append(_read_axis(name, raw))
    faults.raise_any()
    return tuple(axes)


_AXES_SCHEMA = {
    "type": "object",
    "description": "axis name -> choices, bands, a die, or {numbers: [1, 2, 10]}",
    "additionalProperties": {
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 1},
            {"type": "object", "minProperties": 1},
            {
                "type": "string",
                "pattern": r"^(d\d+|=[a-z][a-z0-9_]*)$",
                "description": "a die, or =TABLE for the rows of a table",
            },
        ]
    },
}
Axes = Annotated[tuple[Axis, ...], scalars.ReadBy(read_axes, _AXES_SCHEMA)]
