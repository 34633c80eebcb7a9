"""A picture -> SVG whose unit is a millimetre: for screens, cutters and the pages of booklets."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from rulebook.drawing.elements import (
    PLAIN,
    Contour,
    Corner,
    Element,
    ExactPoint,
    Group,
    Lettering,
    Letters,
    Line,
    Paint,
    Path,
    Picture,
    Placing,
    Point,
    Words,
    bend_radius,
    number,
    numbers,
)

_PLACES = 4
#: Control characters, halves of surrogates, and what is no character.
_FORBIDDEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufffe\\uffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def decimal(value: Fraction | float, places: int = _PLACES) -> str:
    """Formats a number with up to `places` decimals, without trailing zeros: 0, 1.1458.

    The result is the same on every machine.
    """
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
    """Rounds a number to the decimals with which `decimal` would write it."""
    return float(decimal(value, places))


#: Degrees of one curve.
MOST_TURN = 45.0


def curves(start: Point, end: Point, turn: float) -> Iterator[tuple[Point, Point, Point]]:
    """Approximates an arc of a circle by cubic curves; yields two control points and end of each.

    `turn` is the angle of the arc in degrees, positive clockwise as y runs down; it is neither 0
    nor a whole turn.

    WeasyPrint 70 draws a circle whose radius is 0.6 % too large between its quarters, half a
    millimetre on a shell burst of six inches, and half a circle as one curve. These curves, an
    eighth of a circle each, are off by 4 millionths of the radius (Goldapp, Approximation of
    circular arcs by cubic polynomials, 1991).
    """
    half = math.radians(turn) / 2
    across, down = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2
    slant = math.cos(half) / math.sin(half)
    middle = (start[0] + across - down * slant, start[1] + down + across * slant)
    count = math.ceil(abs(turn) / MOST_TURN - 1e-9)
    step = 2 * half / count
    handle = 4 / 3 * math.tan(step / 4)
    x, y = start[0] - middle[0], start[1] - middle[1]
    for piece in range(1, count + 1):
        after = (x * math.cos(step) - y * math.sin(step), x * math.sin(step) + y * math.cos(step))
        near = (middle[0] + x - handle * y, middle[1] + y + handle * x)
        far = (middle[0] + after[0] + handle * after[1], middle[1] + after[1] - handle * after[0])
        yield near, far, end if piece == count else (middle[0] + after[0], middle[1] + after[1])
        x, y = after


@lru_cache(maxsize=1024)
def path_data(path: str | Line | Contour, *, arcs: bool = False) -> str:
    """Returns the SVG path data of a line, contour or path; data given as text are unchanged.

    `arcs` asks for arcs, for cutters, instead of curves, which look the same in all viewers. The
    result is cached, since many markers have the same path.
    """
    if isinstance(path, str):
        return path
    if isinstance(path, Line):
        return f"M{_pair((path.x1, path.y1))} {_pair((path.x2, path.y2))}"
    first, bent = path.corners[0], any(corner.turn for corner in path.corners)
    found = [f"M{_pair((first.x, first.y))}"]
    for start, end in path.pieces:
        if start.turn:
            found.append(_bend(start, end, arcs))
        elif end is not first:
            found.append(f"{'L' if bent else ''}{_pair((end.x, end.y))}")
    return " ".join(found) + (" Z" if bent else "Z") * path.closed


def _pair(point: ExactPoint) -> str:
    return f"{decimal(point[0])},{decimal(point[1])}"


def _bend(start: Corner, end: Corner, arcs: bool) -> str:
    """Returns path data for an arc between two corners: one arc or several curves."""
    if arcs:
        radius = decimal(bend_radius(start, end))
        flags = f"{int(not -180 <= start.turn <= 180)} {int(start.turn > 0)}"
        return f"A{radius},{radius} 0 {flags} {_pair((end.x, end.y))}"
    ends = (float(start.x), float(start.y)), (float(end.x), float(end.y))
    return " ".join("C" + " ".join(map(_pair, curve)) for curve in curves(*ends, float(start.turn)))


def printable(text: str) -> str:
    """Replaces characters that XML does not allow by the replacement character."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(text: str) -> str:
    """Escapes text for XML elements and attributes, and replaces characters that XML forbids."""
    return printable(text).translate(_ENTITIES)


def svg_text(picture: Picture, *, cutter: bool = False) -> str:
    """Writes a picture as an <svg> element with its title, in which a unit is a millimetre.

    If `cutter`, groups are named by ids and arcs are kept; otherwise groups are named by classes
    and arcs are written as curves.
    """
    left, top, width, height = map(number, picture.window)
    about = f"<desc>{escaped(picture.description)}</desc>\n" if picture.description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{left} {top} {width} {height}" role="img" font-family="{picture.fonts}">\n'
        f"<title>{escaped(picture.title)}</title>\n{about}"
        f"{svg_elements(picture.elements, cutter=cutter)}</svg>\n"
    )


def svg_elements(elements: Iterable[Element], above: Paint = PLAIN, *, cutter: bool = False) -> str:
    """Writes elements as SVG; `above` is the paint of the group around them.

    If `cutter`, groups are named by ids and arcs are kept; otherwise groups are named by classes
    and arcs are written as curves.
    """
    return "".join(_written(element, above, cutter) for element in elements)


def _written(element: Element, above: Paint, cutter: bool) -> str:
    match element:
        case Path(d, paint):
            return f'<path d="{path_data(d, arcs=cutter)}"{_painted(paint or above, above)}/>\n'
        case Words(text, x, y, lettering, anchor, rotation):
            place = f'x="{number(x)}" y="{number(y)}"'
            how = "" if anchor == "start" else f' text-anchor="{anchor}"'
            if rotation:
                how += f' transform="rotate({numbers((rotation, x, y))})"'
        case Letters(text, places, lettering):
            xs, ys, turns = map(numbers, zip(*places, strict=True))
            place, how = f'x="{xs}" y="{ys}" rotate="{turns}"', ""
        case Group():
            return _group(element, above, cutter)
    how += ' stroke="none"' if above.stroke else ""
    return f"<text {place}{_lettered(lettering)}{how}>{escaped(text)}</text>\n"


def _group(group: Group, above: Paint, cutter: bool) -> str:
    clip, paint = "", group.paint or above
    attributes = [f' {"id" if cutter else "class"}="{group.name}"' if group.name else ""]
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
    inside = svg_elements(group.elements, paint, cutter=cutter)
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
    """Returns the SVG attributes that set a paint inside a group with the paint `above`.

    There are none if both are equal; otherwise the fill and all that differs.
    """
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
