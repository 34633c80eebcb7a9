"""Points, curves and words on a map -> the elements of its SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulebook.drawing.svg_text import decimal, escaped
from rulebook.maps.curves import Piece
from rulebook.maps.geometry import Point, Segment
from rulebook.text_fitting import text_width
from rulebook.typefaces import SERIF, SERIF_BOLD, SERIF_ITALIC, Typeface

#: The attributes of SVG that choose a face.
_FACES = {SERIF: "", SERIF_ITALIC: ' font-style="italic"', SERIF_BOLD: ' font-weight="600"'}
#: Decimals of outlines, and of symbols, which are smaller than what is measured on a map.
EXACT, FINE = 4, 2


def pair(point: Point, places: int = EXACT) -> str:
    return f"{decimal(point[0], places)},{decimal(point[1], places)}"


def lines_path(points: Sequence[Point], *, closed: bool = False, places: int = EXACT) -> str:
    """A path of straight lines."""
    return f"M{' '.join(pair(point, places) for point in points)}{'Z' if closed else ''}"


def segments_path(segments: Iterable[Segment], places: int = FINE) -> str:
    return "".join(f"M{pair(one, places)} {pair(other, places)}" for one, other in segments)


def curve_path(pieces: Sequence[Piece], *, closed: bool = False) -> str:
    """A path of curves; pieces without a bend are straight lines."""
    if not pieces:
        return ""
    drawn = [f"M{pair(pieces[0][0])}"]
    for start, one, other, end in pieces:
        if start == one and other == end:
            drawn.append(f"L{pair(end)}")
        else:
            drawn.append(f"C{pair(one)} {pair(other)} {pair(end)}")
    return "".join(drawn) + ("Z" if closed else "")


def circle_path(centre: Point, radius: float) -> str:
    """A circle as curves, which every page maker draws alike."""
    x, y = centre
    handle = 0.5523 * radius
    points = (
        ((x + radius, y + handle), (x + handle, y + radius), (x, y + radius)),
        ((x - handle, y + radius), (x - radius, y + handle), (x - radius, y)),
        ((x - radius, y - handle), (x - handle, y - radius), (x, y - radius)),
        ((x + handle, y - radius), (x + radius, y - handle), (x + radius, y)),
    )
    curves = "".join("C" + " ".join(pair(p, FINE) for p in three) for three in points)
    return f"M{pair((x + radius, y), FINE)}{curves}Z"


def path(
    d: str,
    *,
    fill: str = "none",
    stroke: str = "",
    width: float = 0.0,
    dash: Sequence[float] = (),
    cap: str = "",
    opacity: float = 1.0,
) -> str:
    """A path, or nothing where there is nothing to draw."""
    if not d or (fill == "none" and not stroke):
        return ""
    told = [f'd="{d}" fill="{fill}"']
    if fill != "none":
        told.append('fill-rule="evenodd"')
        if opacity < 1:
            told.append(f'fill-opacity="{decimal(opacity, 2)}"')
    if stroke:
        told.append(f'stroke="{stroke}" stroke-width="{decimal(width, 3)}"')
        told.append('stroke-linejoin="round"')
    if cap:
        told.append(f'stroke-linecap="{cap}"')
    if dash:
        told.append(f'stroke-dasharray="{" ".join(decimal(part, 3) for part in dash)}"')
    return f"<path {' '.join(told)}/>\n"


def group(name: str, drawn: Iterable[str], feature: str = "") -> str:
    """A group by its class, or nothing where it would be empty; a feature's own has its id."""
    body = "".join(drawn)
    if not body:
        return ""
    told = f' data-feature="{escaped(feature)}"' if feature else ""
    return f'<g class="{name}"{told}>\n{body}</g>\n'


def words(
    text: str,
    at: Point,
    size: float,
    *,
    face: Typeface = SERIF,
    colour: str,
    spaced: float = 0.0,
) -> str:
    """A line of words that begins at a point."""
    x, y = (decimal(value, 3) for value in at)
    told = [f'x="{x}" y="{y}" font-size="{decimal(size, 3)}"{_FACES[face]}']
    if spaced:
        told.append(f'letter-spacing="{decimal(spaced * size, 3)}"')
    return f'<text {" ".join(told)} fill="{colour}">{escaped(text)}</text>\n'


def centred(text: str, centre: Point, size: float, *, face: Typeface = SERIF, colour: str) -> str:
    """A word or a number whose capitals have their middle at a point."""
    x, y = centre
    at = (x - text_width(text, size, face) / 2, y + 0.33 * size)
    return words(text, at, size, face=face, colour=colour)


def letters(
    text: str,
    places: Sequence[tuple[Point, float]],
    size: float,
    *,
    face: Typeface,
    colour: str,
) -> str:
    """Words each of whose letters begins at a place of its own, turned by degrees."""
    xs = " ".join(decimal(x, 2) for (x, _), _ in places)
    ys = " ".join(decimal(y, 2) for (_, y), _ in places)
    turns = " ".join(decimal(angle, 1) for _, angle in places)
    return (
        f'<text x="{xs}" y="{ys}" rotate="{turns}" font-size="{decimal(size, 3)}"{_FACES[face]} '
        f'fill="{colour}">{escaped(text)}</text>\n'
    )
