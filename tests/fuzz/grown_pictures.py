"""Drawings put together at random, most of their values such as their attributes take."""

from __future__ import annotations

import re
from random import Random

from rulebook.loading.pictures import _PAINTING, ELEMENTS

_NUMBERS = ("0", "1", "-1", ".5", "5.", "0.25", "-0.0", "+3", "1e-3", "1e-30", "999999")
_LENGTHS = (*_NUMBERS, "50%", "10mm", "2px", "3pt", ".5in", "1e-1cm")
_SIZES = tuple(one for one in _LENGTHS if not one.startswith("-"))
_OPACITIES = ("0", "1", "0.5", ".25", "50%", "2", "-1", "1e-9")
_COLOURS = ("red", "#123", "#123456", "#12345678", "transparent", "rgb(1,2,3)", "rgb(900, 2, 3)")
_PAINTS = (*_COLOURS, "none", "currentColor", "url(#a)", "url(#b)", "url(#c)")
_TRANSFORMS = (
    "rotate(30)", "rotate(30 1,2)", "scale(2)", "scale(-1 .5)", "translate(1)", "translate(1-2)",
    "matrix(1 2 3 4 5 6)", "skewX(30)", "skewY(90)", "rotate(30)scale(2) , translate( 3 , 4 )",
    "matrix(1e-3,0,0,1e-3,0,0)", "scale(99999)",
)  # fmt: skip
#: No arc ends where it begins: WeasyPrint divides by nothing for its bounds, a fault of the build.
_OUTLINES = (
    "M0 0L9 9", "m1 1 2 2-3.5.5z", "M0 0h9v9z", "M0,0A5 5 0 0 1 9 9", "M0 0a5 4 30 019 9zl3 3",
    "M1 1a.5.5 0 11.5.5", "M0 0a0 5 0 0 0 1 1", "M5 5t1 1t2 2s3 3 4 4",
    "M0 0T5 5 9 0", "M0 0S1 1 2 2", "M0 0c1 1 2 2 3 3s1 1 2 2q1 1 2 2t1 1", "M0 0zzM1 1", "M3 3",
    "M0 0" + "l1 1" * 200, "M0 0A1e-9 1 0 0 1 5 5", "M.5.5.5.5", "M1-1-1-1", "M0 0h99999h99999", "",
    "M0 0A1 1 0 0 1 99999 99999",
)  # fmt: skip
_ODD = (
    "M1e400 0", "M0 0a1e-5 1e5 45 1 0 1e-3 1", "M0 0Z9 9", "L1 1", "M0 0 1", "scale(0)", "5em",
    "matrix(1 2 2 4 5 6)", "-1 2", "nan", "inf", "", "a", "1 2 3", "auto", "1e9", "1e400", "--",
    "url(#", "M", "none none", "inherit", "٣", "x" * 50, "1;2", "translate(1e300,1)", "evenodd",
)  # fmt: skip
_PLACES = "x y cx cy x1 y1 x2 y2 fx fy stroke-dashoffset"
_EXTENTS = "width height r rx ry stroke-width"
_PARTS = "opacity fill-opacity stroke-opacity stop-opacity offset"
_VALUES: dict[str, tuple[str, ...]] = {
    "id": ("e", "f", "g"),
    "href": ("#a", "#b", "#c"),
    "d": _OUTLINES,
    "points": ("0,0 9,9 0,9", "0 0 10 10", "1,1", "5-5 .5.5", "0,0 0,0"),
    **dict.fromkeys(("transform", "gradientTransform"), _TRANSFORMS),
    **dict.fromkeys(_PLACES.split(), _LENGTHS),
    **dict.fromkeys(_EXTENTS.split(), _SIZES),
    **dict.fromkeys(_PARTS.split(), _OPACITIES),
    **dict.fromkeys(("fill", "stroke"), _PAINTS),
    **dict.fromkeys(("color", "stop-color"), _COLOURS),
    "stroke-miterlimit": ("1", "4", "0"),
    "stroke-dasharray": ("none", "4 2", "0", "0 0", "1,2,3", "50%", "1mm 2px", "0 1e-9"),
    "stroke-linecap": ("butt", "round", "square"),
    "stroke-linejoin": ("miter", "round", "bevel"),
    **dict.fromkeys(("fill-rule", "clip-rule"), ("nonzero", "evenodd")),
    **dict.fromkeys(("gradientUnits", "clipPathUnits"), ("userSpaceOnUse", "objectBoundingBox")),
    "clip-path": ("url(#a)", "url(#b)", "url(#d)", "none"),
    "display": ("none", "inline", "block"),
    "visibility": ("hidden", "visible"),
}
#: What no drawing may hold, or draws nothing.
_OTHERS = ("symbol", "mask", "filter", "image", "text", "style", "pattern", "marker", "svg", "a")
_INSIDE = {"linearGradient": ("stop",), "radialGradient": ("stop",)}
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 148 210">'
_NAMES = "abcd"
_REFERRED = ("clipPath", "linearGradient", "radialGradient", "g", "path", "use")
_REFERENCE = re.compile(r"#(\w)\b")


def drawing(random: Random, odd: float = 0.01) -> str:
    """An SVG file of a few elements; `odd` is the part of values that are of another form.

    What it refers to is there: four elements of any kind, which may refer to those after them.
    """
    named = [
        _element(random, random.choice(_REFERRED), odd, 2, name=name, after=_NAMES[at + 1 :])
        for at, name in enumerate(_NAMES)
    ]
    shown = [
        _element(random, random.choice([*ELEMENTS]), odd, 2, after=_NAMES)
        for _ in range(random.randint(1, 2))
    ]
    return f"{_HEAD}<defs>{''.join(named)}</defs>{''.join(shown)}</svg>"


def _element(
    random: Random, element: str, odd: float, deep: int, *, after: str, name: str = ""
) -> str:
    """An element with some within it; it refers to elements of the names `after` it alone."""
    if random.random() < odd:
        element = random.choice(_OTHERS)
    own = ELEMENTS.get(element, ("x", "y"))
    chosen = {one for one in own if one == "points" or random.random() < 0.7}
    chosen |= set(random.sample([*_PAINTING], random.choice((0, 0, 1, 2, 3))))
    values = {one: _value(random, one, odd, after) for one in sorted(chosen)}
    values = {key: value for key, value in values.items() if value is not None}
    values |= {"id": name} if name else {}
    written = "".join(f' {one}="{value}"' for one, value in values.items())
    if painted := [one for one in _PAINTING if one in values and random.random() < 0.1]:
        styled = ((one, _value(random, one, odd, "")) for one in painted)
        written += f' style="{";".join(f"{one}:{value}" for one, value in styled if value)}"'
    kinds = _INSIDE.get(element, [*ELEMENTS])
    some = random.randint(0, 2) if deep and element not in ("stop", "path", "use") else 0
    inside = "".join(
        _element(random, random.choice(kinds), odd, deep - 1, after=after) for _ in range(some)
    )
    return f"<{element}{written}>{inside}</{element}>"


def _value(random: Random, name: str, odd: float, after: str) -> str | None:
    value = random.choice(_ODD if random.random() < odd else _VALUES[name])
    referred = _REFERENCE.search(value) if "url" in value or name == "href" else None
    return None if referred and referred[1] not in after else value
