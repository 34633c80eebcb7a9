"""A picture -> SVG whose unit is a millimetre: for screens, cutters and the pages of booklets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from rulebook.drawing.elements import (
    PLAIN,
    Element,
    Group,
    Lettering,
    Letters,
    Paint,
    Path,
    Picture,
    Placing,
    Words,
    number,
    numbers,
)

_PLACES = 4
#: Control characters, halves of surrogates, and what is no character.
_FORBIDDEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufffe\\uffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def decimal(value: Fraction | float, places: int = _PLACES) -> str:
    """Formats a number with up to `places` decimals, the same on every machine: 0, 1.1458."""
    units = 10**places
    # by its type itself, since Fraction asks an abstract class first, and this runs very often
    if type(value) is Fraction:
        # as round(value * units), half to even, without a fraction for each step on the way
        divisor = value.denominator
        scaled, rest = divmod(value.numerator * units, divisor)
        if 2 * rest > divisor or (2 * rest == divisor and scaled % 2):
            scaled += 1
    else:
        scaled = round(value * units)
    if scaled < 0:
        return f"-{decimal(Fraction(-scaled, units), places)}"
    whole, rest = divmod(scaled, units)
    return f"{whole}.{rest:0{places}d}".rstrip("0") if rest else str(whole)


def rounded(value: Fraction | float, places: int = _PLACES) -> float:
    """Rounds a coordinate in the same way as `decimal`."""
    return float(decimal(value, places))


def printable(text: str) -> str:
    """Replaces characters that XML does not allow."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(text: str) -> str:
    """Escapes text for XML elements and attributes."""
    return printable(text).translate(_ENTITIES)


def svg_text(picture: Picture, *, ids: bool = False) -> str:
    """Writes a picture as an <svg> element, in which a unit is a millimetre.

    If `ids`, groups are named by ids, else by classes.
    """
    left, top, width, height = map(number, picture.window)
    about = f"<desc>{escaped(picture.description)}</desc>\n" if picture.description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{left} {top} {width} {height}" role="img" font-family="{picture.fonts}">\n'
        f"<title>{escaped(picture.title)}</title>\n{about}"
        f"{svg_elements(picture.elements, ids=ids)}</svg>\n"
    )


def svg_elements(elements: Iterable[Element], above: Paint = PLAIN, *, ids: bool = False) -> str:
    """Writes elements as SVG; `above` is the paint of the group around them.

    If `ids`, groups are named by ids, else by classes.
    """
    return "".join(_written(element, above, ids) for element in elements)


def _written(element: Element, above: Paint, ids: bool) -> str:
    match element:
        case Path(d, paint):
            return f'<path d="{d}"{_painted(paint or above, above)}/>\n'
        case Words(text, x, y, lettering, anchor, rotation):
            place = f'x="{number(x)}" y="{number(y)}"'
            how = "" if anchor == "start" else f' text-anchor="{anchor}"'
            if rotation:
                how += f' transform="rotate({numbers((rotation, x, y))})"'
        case Letters(text, places, lettering):
            xs, ys, turns = map(numbers, zip(*places, strict=True))
            place, how = f'x="{xs}" y="{ys}" rotate="{turns}"', ""
        case Group():
            return _group(element, above, ids)
    how += ' stroke="none"' if above.stroke else ""
    return f"<text {place}{_lettered(lettering)}{how}>{escaped(text)}</text>\n"


def _group(group: Group, above: Paint, ids: bool) -> str:
    clip, paint = "", group.paint or above
    attributes = [f' {"id" if ids else "class"}="{group.name}"' if group.name else ""]
    if group.window:
        left, top, wide, high = group.window
        name = group.name or f"window-{'-'.join(map(number, group.window))}"
        corners = (left, top), (left + wide, top), (left + wide, top + high), (left, top + high)
        path = f'<path d="M{" ".join(map(numbers, corners))}Z"/>'
        clip = f'<defs><clipPath id="{name}">{path}</clipPath></defs>\n'
        attributes = [f' clip-path="url(#{name})"']
    if group.feature:
        attributes.append(f' data-feature="{escaped(group.feature)}"')
    if group.placing:
        attributes.append(f' transform="{_transform(group.placing)}"')
    if group.opacity < 1:
        attributes.append(f' opacity="{number(group.opacity)}"')
    inside = svg_elements(group.elements, paint, ids=ids)
    return f"{clip}<g{''.join(attributes)}{_painted(paint, above)}>\n{inside}</g>\n"


def _transform(placing: Placing) -> str:
    steps = [f"translate({numbers((placing.x, placing.y))})"]
    if placing.turn:
        steps.append(f"rotate({number(placing.turn)})")
    if placing.scale != 1:
        steps.append(f"scale({number(placing.scale)})")
    if any(placing.origin):
        steps.append(f"translate({numbers(-side for side in placing.origin)})")
    return " ".join(steps)


@lru_cache(maxsize=1024)
def _painted(paint: Paint, above: Paint) -> str:
    """Returns the SVG attributes of a paint: none if it equals `above`, else fill and changes."""
    if paint == above:
        return ""
    there = {**_attributes(above), "fill": ""}
    return "".join(
        f' {name}="{value}"'
        for name, value in _attributes(paint).items()
        if value != there[name] and (paint.stroke or not name.startswith("stroke-"))
    )


def _attributes(paint: Paint) -> dict[str, str]:
    return {
        "fill": paint.fill or "none",
        "fill-rule": "evenodd" if paint.even_odd else "nonzero",
        "fill-opacity": number(paint.opacity),
        "stroke": paint.stroke or "none",
        "stroke-width": number(paint.width),
        "stroke-linejoin": paint.join,
        "stroke-linecap": paint.cap,
        "stroke-dasharray": numbers(paint.dash) or "none",
    }


@lru_cache(maxsize=1024)
def _lettered(lettering: Lettering) -> str:
    _, weight, style = lettering.face
    attributes = [f' font-size="{number(lettering.size)}"']
    if style != "normal":
        attributes.append(f' font-style="{style}"')
    if weight != 400:
        attributes.append(f' font-weight="{weight}"')
    if lettering.spacing:
        attributes.append(f' letter-spacing="{number(lettering.spacing)}"')
    return f'{"".join(attributes)} fill="{lettering.fill}"'
