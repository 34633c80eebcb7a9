"""A quantity in whatever way it is typed -> as it is written here.

What is plain is simply understood; what may be meant otherwise is only proposed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

VULGAR = {
    Fraction(1, 2): "½",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜",
    Fraction(5, 8): "⅝",
    Fraction(7, 8): "⅞",
}

#: The months in English, German, French and Spanish, as spreadsheets shorten them.
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("jan janv ene", "feb févr", "mar mär mrz mars", "apr avr abr", "may mai", "jun juin"),
            *("jul juil", "aug août ago", "sep sept", "oct okt", "nov", "dec dez déc dic"),
        ),
        start=1,
    )
    for name in names.split()
}


def _from_date(found: re.Match[str]) -> str:
    """Returns the two numbers of which a spreadsheet has made a date, the lower one first."""
    return "{}-{}".format(*sorted((int(found[1]), MONTHS[found[2].lower()])))


#: What is typed as books print it, and how it is written here; one after another.
_AS_PRINTED: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile("^[“„‘](.{1,40})[”“’]$"), r"\1"),
    (re.compile("[–—−]"), "-"),
    (re.compile("(?<=[0-9]),(?=[0-9])"), "."),
    (re.compile(" ?(?:zoll|pouces?|pulgadas?|pollici|duim)", re.IGNORECASE), "in"),
    (re.compile(" ?centimet(?:re|er)s?"), "cm"),
    (re.compile("^(?:over|above|more than|beyond|>) ?(.+)$"), r"\1+"),
    (re.compile(rf"^([0-9]+)[-. ]+({'|'.join(MONTHS)})\.?$", re.IGNORECASE), _from_date),
    (re.compile("^(?:up to|at most|≤) ?"), "<="),
    (re.compile("(?<=[0-9]) ?(?:in|cm)? ?(?:-|to) ?(?=[0-9])"), "-"),
    (re.compile("(?<=[0-9])(?: or (?:more|over|better|higher|above|up)| \\+)$"), "+"),
)


def as_books_print(text: str) -> str:
    """Returns what may be meant by a text as books print it, such as 9,5 or "over 16"."""
    for pattern, written in _AS_PRINTED:
        text = pattern.sub(written, text)
    return text


_OF_VULGAR = {sign: part for part, sign in VULGAR.items()}
#: Other ways to type a quantity whose meaning is plain, and how it is written; one after another.
_PLAIN = tuple(
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        (r"\s+", " "),
        (r" ?([½¼¾⅓⅔⅛⅜⅝⅞])", lambda found: f" {_OF_VULGAR[found[1]]}"),
        (r"[–—−]", "-"),
        (r"(?<=[0-9]) ?(?:''|[\"″”]|in(?:ch(?:es)?)?\b\.?)", "in"),
        (r"(?<=[0-9]) ?(?:['’′]|(?:foot|feet|ft)\b\.?)", "ft"),
        (r"(?<=[0-9]) ?(?:yards?|yds?)\b\.?", "yd"),
        (r"(?<=[0-9]) ?(cm|mm|m)\b\.?", lambda found: found[1].lower()),
        (r"^ ?([+-]) (?=[0-9])", r"\1"),
        (r"(?<=[0-9]) \+$", "+"),
    )
)


def plainly(text: str) -> str:
    """Returns a quantity as it is written here, where another way to type it is as plain.

    `18 in.`, `7½"`, `100 yds`, `− 2` and `4 +` are 18in, 7 1/2in, 100yd, -2 and 4+.
    """
    if text.isalnum() and text.isascii() and text.islower():
        return text
    for pattern, written in _PLAIN:
        text = pattern.sub(written, text)
    return text.strip()
