"""Straight marks as they are typed -> primes behind figures, quotation marks, apostrophes.

Each mark becomes one other, so that places in a text stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_FIGURE = "0-9½¼¾⅓⅔⅛⅜⅝⅞"
_YEAR = re.compile(r"'[0-9]+(?!['0-9])")
_MARK = re.compile("[\"']")
#: Behind it, and before words, a mark opens a quotation.
_BEFORE = re.compile(r"(?:^|[\s(\[{=—–/“‘-])$")
_PRIME, _OPENS, _CLOSES = {'"': "″", "'": "′"}, {'"': "“", "'": "‘"}, {'"': "”", "'": "’"}


def with_primes(text: str) -> str:
    """Returns a text with primes behind figures, and apostrophes before years; all else as typed.

    The mark at the end of a quotation is no prime: "a 6".
    """
    return _set(text, lambda mark, found: found if found in "″′" or mark == "year" else "")


def with_marks(text: str) -> str:
    """Returns a text with primes, quotation marks and apostrophes in place of straight marks."""
    return _set(text, lambda _, found: found)


def _set(text: str, wanted: Callable[[str, str], str]) -> str:
    if not _MARK.search(text):
        return text
    read, made, opened = list(text), list(text), {'"': False, "'": False}
    for found in _MARK.finditer(text):
        mark, at = found[0], found.start()
        before, after = "".join(read[:at][-1:]), text[at + 1 : at + 2]
        kind = "mark"
        if mark == "'" and _YEAR.match(text, at) and not re.match(f"[{_FIGURE}]", before):
            kind, sign = "year", "’"
        elif _BEFORE.search(before) and after.strip():
            sign = _OPENS[mark] if mark == '"' or _closed(text, mark, at) else "’"
            opened[mark] = sign == _OPENS[mark]
        elif re.match(f"[{_FIGURE}]", before) and not (mark == "'" and after.isalpha()):
            ends = opened[mark] and not _closed(text, mark, at)
            sign = _CLOSES[mark] if ends else _PRIME[mark]
            opened[mark] &= not ends
        else:
            sign = _CLOSES[mark]
            opened[mark] &= mark == "'" and after.isalpha()
        read[at] = sign
        made[at] = wanted(kind, sign) or mark
    return "".join(made)


def _closed(text: str, mark: str, at: int) -> bool:
    """Whether the quotation in which a mark stands is closed by one of the marks behind it."""
    for later in range(at + 1, len(text)):
        if text[later] == mark:
            after = text[later + 1 : later + 2]
            if _BEFORE.search(text[later - 1]) and after.strip():
                return False
            if mark == '"' or not after.isalpha():
                return True
    return False
