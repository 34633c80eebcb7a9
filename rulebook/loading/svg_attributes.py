"""Attributes of an SVG element -> those that draw, with plain values; others are refused.

A `style` becomes the attributes that it stands for. No value names anything but an element of the
same drawing, and no number is larger than any page.
"""

from __future__ import annotations

import re

from rulebook.faults import words_of

_PAINTS = (
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin "
    "stroke-miterlimit stroke-dasharray stroke-dashoffset opacity clip-path clip-rule color "
    "stop-color stop-opacity display visibility"
)
_SHAPES = (
    "id transform d x y width height cx cy r rx ry x1 y1 x2 y2 fx fy points offset gradientUnits "
    "gradientTransform clipPathUnits"
)
#: How shapes are painted; what a drawing program writes either as attributes or as a style.
_PAINT = frozenset(_PAINTS.split())
_SHAPE = frozenset(_SHAPES.split())
#: They change nothing of what is drawn here.
_PASSED_OVER = re.compile(r"class|role|version|lang|tabindex|(?:data|aria|-inkscape|font|text)-.*")
#: Properties of a style with these values are as if they were not there.
_NEUTRAL = frozenset(("normal", "auto", "none", "accumulate", "markers fill stroke", "start", "1"))
_COLOURS = frozenset(("fill", "stroke", "color", "stop-color"))
_REFERRING = ("fill", "stroke", "clip-path")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([A-Za-z_][\w.-]*)['\"]?\s*\)(?:\s+[a-z]+)?", re.ASCII)
_HREF = re.compile(r"#([A-Za-z_][\w.-]*)", re.ASCII)
_ID = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_VALUE = re.compile(r"[A-Za-z0-9#%(),.\s+-]*", re.ASCII)
_HUGE = re.compile(r"(?<![.\d])\d{7,}|\d[eE]\+?\d", re.ASCII)
_LENGTH = re.compile(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*(?:px|mm|cm|in|pt|pc)?\s*", re.ASCII)
_BOX = re.compile(r"[-+]?\d{1,6}(?:\.\d{1,12})?", re.ASCII)
_XLINK = "http://www.w3.org/1999/xlink href"


class Refused(Exception):
    """An attribute that no drawing may have."""

    def __init__(self, key: str, /, **values: object) -> None:
        self.words = words_of(key, values)
        super().__init__(self.words.message)


def plain_attributes(
    element: str, attributes: dict[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The attributes that draw, and the ids of other elements that they name; raises Refused."""
    plain: dict[str, str] = {}
    for name, value in attributes.items():
        if name in ("href", _XLINK):
            plain["href"] = _named(element, value)
        elif name == "style":
            continue
        elif " " in name or _PASSED_OVER.fullmatch(name):
            continue  # of another namespace, or told to those who cannot see
        elif name in _PAINT or name in _SHAPE:
            plain[name] = _checked(name, value)
        else:
            raise Refused("R218 attribute", name=name)
    plain |= _styled(attributes.get("style", ""))  # it goes before attributes
    named = (_REFERENCE.fullmatch(plain.get(name, "")) for name in _REFERRING)
    drawn = (plain["href"].removeprefix("#"),) if "href" in plain else ()
    return plain, (*drawn, *(match[1] for match in named if match))


def _named(element: str, value: str) -> str:
    match = _HREF.fullmatch(value.strip())
    if match is None or element not in ("use", "linearGradient", "radialGradient"):
        raise Refused("R218 reference", name=value)
    return f"#{match[1]}"


def _checked(name: str, value: str) -> str:
    value = " ".join(value.split())
    if name == "id":
        if not _ID.fullmatch(value):
            raise Refused("R218 id", value=value)
        return value
    if name in _REFERRING and (match := _REFERENCE.fullmatch(value)):
        return f"url(#{match[1]})"
    if "url" in value.lower() or not _VALUE.fullmatch(value):
        raise Refused("R218 value", value=value, name=name)
    if name not in _COLOURS and _HUGE.search(value):
        raise Refused("R218 huge", name=name)
    return value


def _styled(style: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name in _PAINT:
            found[name] = _checked(name, value)
        elif name and not _PASSED_OVER.fullmatch(name) and value not in _NEUTRAL:
            raise Refused("R218 property", name=name)
    return found


def view_box(attributes: dict[str, str]) -> str | None:
    """`left top width height` of the root, None where it does not say so in numbers."""
    if "viewBox" in attributes:
        numbers = attributes["viewBox"].replace(",", " ").split()
        if len(numbers) != 4 or not all(_BOX.fullmatch(number) for number in numbers):
            return None
    else:
        sides = [_LENGTH.fullmatch(attributes.get(side, "")) for side in ("width", "height")]
        numbers = ["0", "0", *(side[1] for side in sides if side)]
        if len(numbers) != 4:
            return None
    return " ".join(numbers) if min(map(float, numbers[2:])) > 0 else None
