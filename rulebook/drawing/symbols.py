"""Signs of arms and of what befalls them -> one family of small drawings for cards and markers.

Each is drawn on a square of 24 units, in lines of one width and a few filled shapes, so that all
are told apart at 6 mm and in grey.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from rulebook.drawing.elements import Drawn, Paint, Path
from rulebook.drawing.shapes import Stamp
from rulebook.drawing.svg import svg_elements

#: The side of the square on which symbols are drawn, and the width of their lines.
SIDE, PEN = 24.0, 1.6


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol: path data of its lines and of its filled areas."""

    lines: str
    filled: str = ""


def _circle(x: float, y: float, radius: float) -> str:
    """Returns path data of a circle, in four curves."""
    k = 0.5523 * radius
    right, left, below, above = x + radius, x - radius, y + radius, y - radius
    return (
        f"M{right:g} {y:g}C{right:g} {y + k:g} {x + k:g} {below:g} {x:g} {below:g}"
        f"C{x - k:g} {below:g} {left:g} {y + k:g} {left:g} {y:g}"
        f"C{left:g} {y - k:g} {x - k:g} {above:g} {x:g} {above:g}"
        f"C{x + k:g} {above:g} {right:g} {y - k:g} {right:g} {y:g}Z"
    )


def _wheel(x: float, y: float, radius: float) -> str:
    near = 0.7071 * radius
    return (
        _circle(x, y, radius)
        + f"M{x - near:g} {y - near:g}L{x + near:g} {y + near:g}"
        + f"M{x + near:g} {y - near:g}L{x - near:g} {y + near:g}"
    )


#: The library, by the names that content uses.
SYMBOLS: Mapping[str, Symbol] = {
    # Crossed muskets.
    "foot": Symbol(
        "M7 17.5L20.5 2.5M17 17.5L3.5 2.5",
        "M8.2 14.2L10.2 16L6 21.5L2 22L3.2 18.6ZM15.8 14.2L13.8 16L18 21.5L22 22L20.8 18.6Z",
    ),
    # Crossed sabres.
    "horse": Symbol(
        "M5 19.5C12 16.5 18.5 11 20.5 2.5M19 19.5C12 16.5 5.5 11 3.5 2.5"
        "M2.5 15.5C3.5 19 6 21 9.5 21.2M21.5 15.5C20.5 19 18 21 14.5 21.2M5 19.5L2.8 21.7"
        "M19 19.5L21.2 21.7"
    ),
    "gun": Symbol(
        _wheel(8.5, 16, 5.2) + "M7 19.5L1.8 21.8",
        "M5 12.8L20.8 4.6L22.5 7.8L7.4 16.8Z",
    ),
    "howitzer": Symbol(
        _wheel(9.5, 16, 5.2) + "M7 19.5L1.8 21.8",
        "M5.5 15.4L14.6 3.2L20.4 7.4L11.4 19.4Z",
    ),
    "rockets": Symbol("M11.5 12.5L3 21", "M22 2L19.8 9.4L13.6 15.4L8.6 10.4L14.6 4.2Z"),
    # The bugle horn of light troops.
    "skirmishers": Symbol(
        "M4 11C4.5 19.5 18.5 20.5 18.6 10.5M4 11L11.5 3L18.6 10.5M2.4 10.4L5.6 10.4",
        "M16.6 12.4L14.2 5.8L22.6 5.8L20.2 12.4Z",
    ),
    "commander": Symbol(
        _circle(12, 12, 10),
        "M12 4.6L13.9 9.7L19.2 9.9L15 13.2L16.5 18.4L12 15.4L7.5 18.4L9 13.2L4.8 9.9L10.1 9.7Z",
    ),
    "wagon": Symbol(
        f"{_circle(6.8, 18.2, 3.2)}{_circle(17.2, 18.2, 3.2)}M2 13.4L22 13.4"
        "M4 13.4C3 4 8 3.4 12 5.4C16 3.4 21 4 20 13.4M12 5.4L12 13.4"
    ),
    # A gate with towers.
    "engineer": Symbol(
        "",
        "M2.5 21L2.5 4L6 4L6 6.6L8.4 6.6L8.4 4L11 4L11 8L13 8L13 4L15.6 4L15.6 6.6L18 6.6L18 4"
        "L21.5 4L21.5 21L15 21L15 16.4C15 12.4 9 12.4 9 16.4L9 21Z",
    ),
    "limber": Symbol(_wheel(9.5, 15.8, 5.4) + "M11 14.5L22.5 14.5", "M4 4.4L15 4.4L15 9.6L4 9.6Z"),
    "ship": Symbol(
        "M12 2.5L12 16",
        "M1.8 15.6L22.2 15.6L18.6 21.4L5.6 21.4ZM13.4 3.4C18 6.4 19.8 9.6 20 13.6L13.4 13.6Z"
        "M10.6 5.6L10.6 13.6L4.6 13.6C5 10.6 7.6 7.6 10.6 5.6Z",
    ),
    "colours": Symbol(
        "M5 2.2L5 22", "M6 3.4C10 1.4 13.4 6 21.4 3.4L21.4 13.2C13.4 15.8 10 11.2 6 13.2Z"
    ),
    "move": Symbol("", "M2.4 9.4L12.4 9.4L12.4 4L22 12L12.4 20L12.4 14.6L2.4 14.6Z"),
    "retreat": Symbol("M20.6 20.4C20.6 10.6 16.4 8.6 9.6 8.6", "M10.6 2.4L10.6 14.8L2 8.6Z"),
    # A shot and its smoke.
    "fire": Symbol(
        "M14 12L22 12M13.2 8.4L19.8 4.4M13.2 15.6L19.8 19.6M12 7L13.4 2.2M12 17L13.4 21.8",
        _circle(6.8, 12, 4.4),
    ),
    "flame": Symbol(
        "",
        "M12.6 1.6C13.6 6 19.6 9 19.6 15.2C19.6 20 16.2 22.4 12 22.4C7.8 22.4 4.4 20 4.4 15.4"
        "C4.4 11.6 7 9.8 7.6 6.4C9.4 7.6 10 9 10 10.8C12 8.8 13 5.4 12.6 1.6Z",
    ),
    "empty": Symbol(_circle(12, 12, 9.4) + "M5.4 18.6L18.6 5.4"),
    "disorder": Symbol("", "M13.5 1.8L5 13.4L11 13.4L8.6 22.2L19 9.6L12.6 9.6L16.4 1.8Z"),
    "halt": Symbol("", "M7.6 2L16.4 2L22 7.6L22 16.4L16.4 22L7.6 22L2 16.4L2 7.6Z"),
    "casualty": Symbol("M4.4 4.4L19.6 19.6M19.6 4.4L4.4 19.6"),
    "question": Symbol(
        "M7 8.6C7 1.4 17.6 1.6 17.4 8.2C17.2 12 12 11.8 12 15.8", _circle(12, 20.2, 1.7)
    ),
    "shield": Symbol("M12 2.2L20.4 5C20.6 13 18 18.6 12 21.8C6 18.6 3.4 13 3.6 5Z"),
    "eye": Symbol(
        "M1.8 12C6.6 4.4 17.4 4.4 22.2 12C17.4 19.6 6.6 19.6 1.8 12Z", _circle(12, 12, 3.4)
    ),
    "target": Symbol(
        f"{_circle(12, 12, 7.6)}M12 1.8L12 7.6M12 16.4L12 22.2M1.8 12L7.6 12M16.4 12L22.2 12",
        _circle(12, 12, 2),
    ),
    # A man lying on the ground behind his musket.
    "prone": Symbol(
        "M1.8 20.6L22.2 20.6M13.6 13.8L22 10.8M10.6 15.4L2.6 17.6", _circle(9.6, 11.2, 3.2)
    ),
    # A ball in a barrel, and the ramrod above it.
    "loaded": Symbol("M7 8.6L7 21.6L17 21.6L17 8.6M12 2.2L12 11.6", _circle(12, 16.4, 3)),
    # An hourglass that has run down.
    "tired": Symbol(
        "M5.4 2.4L18.6 2.4M5.4 21.6L18.6 21.6M7 2.4C7 8 10.4 9.4 10.8 12C10.4 14.6 7 16 7 21.6"
        "M17 2.4C17 8 13.6 9.4 13.2 12C13.6 14.6 17 16 17 21.6",
        "M8.4 20.6C8.8 17.8 10.4 16.8 12 15C13.6 16.8 15.2 17.8 15.6 20.6Z",
    ),
    "double": Symbol(
        "",
        "M2.4 3.6L11.4 12L2.4 20.4L2.4 15L5.6 12L2.4 9ZM12 3.6L21 12L12 20.4L12 15L15.2 12L12 9Z",
    ),
    # A wheel sunk in the ground.
    "mud": Symbol(
        f"{_wheel(12, 9.6, 7)}M1.8 15.2C4 13.4 6 17 8.2 15.2M15.8 15.2C18 13.4 20 17 22.2 15.2"
        "M3.4 20.6C6 18.8 8.4 22.2 11 20.6C13.6 18.8 16 22.2 20.6 20.2"
    ),
    # Two sides that meet.
    "melee": Symbol(
        "",
        "M1.8 4.6L10.8 12L1.8 19.4L1.8 14.4L4.4 12L1.8 9.6Z"
        "M22.2 4.6L13.2 12L22.2 19.4L22.2 14.4L19.6 12L22.2 9.6Z",
    ),
    "laurels": Symbol(
        "M11.4 21.6C4.6 19.6 2.4 12.6 5.4 4.6M12.6 21.6C19.4 19.6 21.6 12.6 18.6 4.6"
        "M5 13.4L9 11.4M5.8 17.2L9.8 14.8M4.8 9.4L8.4 7.4M19 13.4L15 11.4M18.2 17.2L14.2 14.8"
        "M19.2 9.4L15.6 7.4"
    ),
}
#: The words by which units are sorted, with the symbol of each; a symbol's own name stands for it.
_OF_KINDS = {
    "foot": "infantry musketeers pikemen militia grenadiers guard",
    "horse": "cavalry dragoons lancers hussars cuirassiers mounted",
    "gun": "artillery guns battery cannon",
    "rockets": "rocket",
    "howitzer": "howitzers mortar mortars",
    "skirmishers": "skirmisher light_infantry light rifles riflemen jaeger",
    "commander": "commanders general generals leader leaders officer officers hero heroes command",
    "wagon": "wagons train supply baggage transport",
    "engineer": "engineers sapper sappers pioneer pioneers",
    "limber": "limbers team teams",
    "ship": "ships boat boats gunboat",
}
_BY_KIND = {word: name for name, words in _OF_KINDS.items() for word in words.split()}


def symbol_for(kind: str) -> str:
    """Returns the name of the symbol for a kind of unit; "" if there is none."""
    return kind if kind in SYMBOLS else _BY_KIND.get(kind, "")


def symbol_paths(name: str, colour: str) -> Drawn:
    """Returns the elements of a symbol in one colour: its lines and its filled areas."""
    symbol = SYMBOLS[name]
    pen = Paint(None, colour, PEN, cap="round", join="round")
    paths = (Path(symbol.lines, pen), Path(symbol.filled, Paint(colour)))
    return tuple(path for path in paths if path.d)


def stamp_symbol(name: str, left: float, top: float, side: float) -> Stamp:
    """Returns a black symbol as a stamp, `side` mm wide, with its corner at (`left`, `top`)."""
    paths = symbol_paths(name, "#000000")
    return Stamp(paths, paths, left, top, SIDE, SIDE, scale=side / SIDE)


def svg_symbol(name: str, side: float, colour: str, title: str) -> str:
    """Writes a symbol as SVG, `side` mm wide, in one colour."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side:g}mm" height="{side:g}mm"'
        f' viewBox="0 0 {SIDE:g} {SIDE:g}" role="img"><title>{escape(title)}</title>'
        f"{svg_elements(symbol_paths(name, colour))}</svg>"
    )
