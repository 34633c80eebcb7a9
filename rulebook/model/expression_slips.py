"""Text that is no expression -> its first slip, in the words of an author, with what to do.

Python's parser says where it gave up, seldom where the slip is, and never what a player of games
would have to write. The text is gone through from the left, sign by sign: where a value stands and
a sign belongs, or the other way round, or a sign that the language does not have, there it is.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook import quantities
from rulebook.faults import words_of


@dataclass(frozen=True, slots=True)
class Slip:
    """The characters of the text that are at fault, and what is told of them."""

    start: int
    end: int
    message: str
    hint: str = ""
    expected: str = ""

    @classmethod
    def of(cls, key: str, start: int, end: int, /, **values: object) -> Slip:
        """A slip in the words of `faults.txt`."""
        words = words_of(key, values)
        return cls(start, end, words.message, words.hint, words.expected)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_SIGNS = ("+", "-", "*", "/", "//", "==", "!=", "<", "<=", ">", ">=")
#: What is meant by signs and words of the trade, of spreadsheets and of programming languages.
_MEANT = {
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "=>": ">=",
    "=<": "<=",
    "> =": ">=",
    "< =": "<=",
    "= =": "==",
    "! =": "!=",
    "<>": "!=",
    "===": "==",
    "=": "==",
    "×": "*",
    "·": "*",
    "÷": "/",
    ":": "/",
    "−": "-",
    "–": "-",
    "—": "-",
    "&&": "and",
    "||": "or",
    "!": "not",
    ";": ",",
    "++": "+",
}
#: Words between two values that would be signs.
_WORD_SIGNS = {"x": "*", "X": "*", "times": "*", "plus": "+", "minus": "-", "equals": "=="}
_FRACTIONS = {
    "½": "1/2",
    "⅓": "1/3",
    "⅔": "2/3",
    "¼": "1/4",
    "¾": "3/4",
    "⅕": "1/5",
    "⅙": "1/6",
    "⅛": "1/8",
}
_JOINING = ("and", "or", "in", "not", "if", "else")
_CURLY = "‘’‚“”„«»"
_TOKENS = re.compile(
    rf"""(?P<text>'[^']*'|"[^"]*")
    |(?P<curly>[{_CURLY}][^{_CURLY}'"]*[{_CURLY}]?)
    |(?P<key>[0-9]+(?:\.[0-9]+)?(?:-[0-9]+(?:\.[0-9]+)?)?(?:in|cm|mm|yd|ft)\b\+?)
    |(?P<dice>[0-9]*[dD][0-9]+\b)
    |(?P<percent>[0-9]+(?:\.[0-9]+)?\s?%)
    |(?P<number>[0-9]+(?:\.[0-9]*)?[½⅓⅔¼¾⅕⅙⅛]?|[½⅓⅔¼¾⅕⅙⅛])
    |(?P<name>[^\W\d]\w*)
    |(?P<sign>===|[=!<>]\s=|=>|=<|<>|&&|\|\||\+\+|==|!=|<=|>=|//|[-+*/<>])
    |(?P<bracket>[()\[\],.])
    |(?P<other>\S)""",
    re.VERBOSE,
)
_PAIRS = {")": "(", "]": "["}


def find_slip(text: str, functions: Sequence[str]) -> Slip | None:
    """The first slip of a text that cannot be read, or None where it cannot be told."""
    whole = re.fullmatch(r"\s*((?:[0-9]/)*[0-9]{1,2}\+)\s*", text)
    if whole:
        return Slip.of("R221 target", *whole.span(1), target=whole[1])
    return _Walk(list(_tokens(text)), functions).find(len(text.rstrip()))


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKENS.finditer(text):
        yield _Token(str(match.lastgroup), match[0], match.start())


class _Walk:
    """Goes from token to token; `open` holds the brackets and the `if`s that are not ended."""

    def __init__(self, tokens: list[_Token], functions: Sequence[str]) -> None:
        self.tokens = tokens
        self.functions = functions
        self.open: list[_Token] = []
        self.before: _Token | None = None
        #: Whether a value has just ended, so that a sign may follow.
        self.ended = False

    def find(self, length: int) -> Slip | None:
        rules: dict[str, Callable[[_Token], Slip | None]] = {
            "text": self._value,
            "number": self._number,
            "dice": self._value,
            "name": self._name,
            "sign": self._sign,
            "bracket": self._bracket,
        }
        for token in self.tokens:
            slip = _alone(token) or rules.get(token.kind, _stranger)(token)
            if slip:
                return slip
            self.before = token
        if self.before and not self.ended:
            return _nothing_after(self.before)
        return self._left_open() if self.open and length else None

    def _left_open(self) -> Slip:
        last = self.open[-1]
        if last.text == "if":
            return _at("R221 if without else", last)
        return _at("R221 bracket open", last)

    def _value(self, token: _Token) -> Slip | None:
        if not self.ended:
            self.ended = True
            return None
        before = self.before
        assert before is not None
        sign = _WORD_SIGNS.get(token.text) if self._follows(token) else None
        if sign:
            return _at("R221 between values", token, word=token.text, sign=sign)
        if before.text in self.functions:
            hint = f"put what belongs to it in round brackets: {before.text}(a, b)"
        elif before.kind == "number" and token.kind == "name":
            hint = f"write {before.text} * {token.text} if they are multiplied"
        elif before.kind == token.kind == "name":
            hint = f"write {before.text}_{token.text} if it is one name"
        else:
            throw = "throw them in a 'roll' step, and use the name of the throw"
            hint = throw if token.kind == "dice" else "write a sign or a comma between them"
        one, other, here = before.text, token.text, (before.start, token.end)
        return Slip.of("R221 side by side", *here, one=one, other=other, hint=hint)

    def _follows(self, token: _Token) -> bool:
        after = self.tokens[self.tokens.index(token) + 1 :]
        return bool(after) and after[0].kind in ("number", "name", "text")

    def _number(self, token: _Token) -> Slip | None:
        text = token.text
        if text[-1] in _FRACTIONS:
            part = _FRACTIONS[text[-1]]
            meant = f"({text[:-1]} + {part})" if text[:-1] else part
            return _at("R221 part of a number", token, sign=text[-1], meaning=meant)
        if re.fullmatch(r"0+[1-9][0-9]*", text):
            return _at("R221 0 before", token, number=text.lstrip("0"))
        return self._value(token)

    def _name(self, token: _Token) -> Slip | None:
        word = token.text.lower()
        if self.before and self.before.text == "." and keyword.iskeyword(token.text):
            return _no_name(token)
        if word not in _JOINING:
            if word in ("then", "elif"):
                return _at("R221 no word", token, word=token.text)
            if keyword.iskeyword(token.text) and token.text not in ("True", "False", "None", "is"):
                return _no_name(token)
            return self._value(token)
        if token.text != word:
            return _at("R221 capitals", token, word=token.text, lower=word)
        return self._if(token) if word in ("if", "else") else self._joining(token)

    def _if(self, token: _Token) -> Slip | None:
        if not self.ended:
            first = token.text == "if"
            return _at("R221 condition first" if first else "R221 nothing before else", token)
        if token.text == "if":
            self.open.append(token)
        elif self.open and self.open[-1].text == "if":
            self.open.pop()
        else:
            return _at("R221 else without if", token)
        self.ended = False
        return None

    def _joining(self, token: _Token) -> Slip | None:
        """`and`, `or`, `in`; `not` stands before a value, or before `in`."""
        if token.text == "not":
            if self.ended and not self._before_in(token):
                return self._value(token)
            return None
        if not self.ended and not (self.before and self.before.text == "not"):
            return _nothing_before(token)
        self.ended = False
        return None

    def _before_in(self, token: _Token) -> bool:
        after = self.tokens[self.tokens.index(token) + 1 :]
        return bool(after) and after[0].text == "in"

    def _sign(self, token: _Token) -> Slip | None:
        if token.text not in _SIGNS:
            return _stranger(token)
        if not self.ended and token.text not in "+-":
            return _nothing_before(token)
        self.ended = False
        return None

    def _bracket(self, token: _Token) -> Slip | None:
        if token.text in "([":
            self.open.append(token)
            self.ended = False
        elif token.text in _PAIRS:
            return self._closing(token)
        else:
            if not self.ended:
                return _nothing_before(token)
            if token.text == "," and self.open and self.open[-1].text == "if":
                return self._left_open()
            self.ended = False
        return None

    def _closing(self, token: _Token) -> Slip | None:
        if not self.ended and self.before and self.before.text not in "([,":
            return _nothing_after(self.before)
        if self.open and self.open[-1].text == "if":
            return self._left_open()
        if not self.open or self.open[-1].text != _PAIRS[token.text]:
            return _at("R221 brackets" if self.open else "R221 bracket not opened", token)
        self.open.pop()
        self.ended = True
        return None


def _alone(token: _Token) -> Slip | None:
    """What is a slip wherever it stands."""
    text = token.text
    if token.kind == "curly":
        inner = text.strip(_CURLY + " ")
        return _at("R221 curly quotes", token, inner=inner)
    if token.kind == "key":
        return _at("R221 without quotes", token, key=text)
    if token.kind == "dice" and not re.fullmatch(r"d[0-9]+", text):
        return _at("R221 dice", token)
    if token.kind == "percent":
        return _at("R221 percentage", token, number=Fraction(text.rstrip("% ")) / 100)
    return None


def _no_name(token: _Token) -> Slip:
    return _at("R221 no name", token, word=token.text)


def _stranger(token: _Token) -> Slip:
    """A sign that expressions do not have."""
    signs = quantities.join_words(_SIGNS, "and")
    if token.text in ("'", '"'):
        return _at("R221 quote", token)
    if token.text == "=":
        return _at("R221 single =", token, signs=signs)
    if token.text == "?":
        return _at("R221 ?", token, signs=signs)
    if token.text in "{}":
        return _at("R221 braces", token, brace=token.text, signs=signs)
    write = f"write {_MEANT[token.text]}" if token.text in _MEANT else ""
    return _at("R221 no sign", token, sign=token.text, signs=signs, write=write)


def _nothing_before(token: _Token) -> Slip:
    return _at("R221 nothing before", token, sign=token.text)


def _nothing_after(token: _Token) -> Slip:
    return _at("R221 nothing after", token, sign=token.text)


def _at(key: str, token: _Token, /, **values: object) -> Slip:
    return Slip.of(key, token.start, token.end, **values)
