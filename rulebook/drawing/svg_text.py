"""Numbers, words and drawn elements -> the text of an SVG, the same on every machine.

One unit of every view box is one millimetre.
"""

from __future__ import annotations

from fractions import Fraction

Number = Fraction | float
#: Left, top, right, bottom.
Box = tuple[Number, Number, Number, Number]

_PLACES = 4


def decimal(number: Number, places: int = _PLACES) -> str:
    """A coordinate with up to four decimals, the same on every machine: 139.7, 0, 1.1458."""
    units = 10**places
    if isinstance(number, Fraction):
        # as round(number * units), half to even, without a fraction for each step on the way
        below, rest = divmod(number.numerator * units, number.denominator)
        twice = 2 * rest - number.denominator
        scaled = below + (1 if twice > 0 or (twice == 0 and below % 2) else 0)
    else:
        scaled = round(number * units)
    whole, rest = divmod(abs(scaled), 10**places)
    text = f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")
    return f"-{text}" if scaled < 0 else text


def escaped(text: str) -> str:
    """Words as XML text or attribute; what XML cannot hold becomes a replacement character."""
    kept = "".join(c if _allowed(ord(c)) else "\N{REPLACEMENT CHARACTER}" for c in text)
    for mark, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        kept = kept.replace(mark, entity)
    return kept


def _allowed(code: int) -> bool:
    control = code < 0x20 or 0x7F <= code < 0xA0
    return not control and not 0xD800 <= code <= 0xDFFF and code not in (0xFFFE, 0xFFFF)


def svg_root(box: Box, title: str, description: str, body: str, *, fonts: str) -> str:
    """The <svg> element: as many millimetres large as its view box has units."""
    left, top, right, bottom = box
    width, height = decimal(right - left), decimal(bottom - top)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{decimal(left)} {decimal(top)} {width} {height}" role="img" '
        f'font-family="{fonts}">\n'
        f"<title>{escaped(title)}</title>\n<desc>{escaped(description)}</desc>\n{body}</svg>\n"
    )
