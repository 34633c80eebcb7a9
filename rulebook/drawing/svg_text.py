"""Numbers, words and drawn elements -> the text of an SVG, the same on every machine.

One unit of every view box is one millimetre.
"""

from __future__ import annotations

import re
from fractions import Fraction

Number = Fraction | float
#: Left, top, right, bottom.
Box = tuple[Number, Number, Number, Number]

_PLACES = 4
#: Control characters, halves of surrogates, and what is no character.
_NO_LETTERS = "\\x00-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufffe\\uffff"
_FORBIDDEN = re.compile(f"[{_NO_LETTERS}]")
_TOLD_OTHERWISE = re.compile(f'[{_NO_LETTERS}&<>"]')


def decimal(number: Number, places: int = _PLACES) -> str:
    """A coordinate with up to four decimals, the same on every machine: 139.7, 0, 1.1458."""
    units = 10**places
    # by its type itself, since Fraction asks an abstract class first, and this runs very often
    if type(number) is Fraction:
        # as round(number * units), half to even, without a fraction for each step on the way
        divisor = number.denominator
        scaled, rest = divmod(number.numerator * units, divisor)
        if 2 * rest > divisor or (2 * rest == divisor and scaled % 2):
            scaled += 1
    else:
        scaled = round(number * units)
    if scaled < 0:
        return f"-{decimal(Fraction(-scaled, units), places)}"
    whole, rest = divmod(scaled, units)
    return f"{whole}.{rest:0{places}d}".rstrip("0") if rest else str(whole)


def escaped(text: str) -> str:
    """Words as XML text or attribute; what XML cannot hold becomes a replacement character."""
    if not _TOLD_OTHERWISE.search(text):
        return text
    kept = _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
    for mark, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        kept = kept.replace(mark, entity)
    return kept


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
