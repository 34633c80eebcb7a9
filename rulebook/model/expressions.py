"""Text of an expression -> its tree, or a fault: a small fixed part of Python's expressions.

Python's own parser reads the text and an allow-list decides what may stand in it; nothing of it is
ever compiled or run by Python. Names and types are no matter here: the rules core checks them.
Where the parser gives up is seldom where the slip is, so a text that it cannot read is gone through
from the left, sign by sign, for what a player of games would have to write.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from rulebook import quantities
from rulebook.model.cells import nearest
from rulebook.model.scalars import ID_PATTERN, id_hint


class ExpressionFault(quantities.QuantityError):
    """A text that is no expression; `start` and `end` are the characters that are at fault."""

    start = end = 0

    @classmethod
    def within(cls, key: str, start: int, end: int, /, **values: object) -> ExpressionFault:
        """A fault in the words of `faults.txt`."""
        fault = cls.of(key, **values)  # type: ignore[arg-type]
        fault.start, fault.end = start, max(end, start + 1)
        return fault


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


def find_slip(text: str, functions: Sequence[str]) -> ExpressionFault | None:
    """The first slip of a text that cannot be read, or None where it cannot be told."""
    whole = re.fullmatch(r"\s*((?:[0-9]/)*[0-9]{1,2}\+)\s*", text)
    if whole:
        return ExpressionFault.within("R221 target", *whole.span(1), target=whole[1])
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

    def find(self, length: int) -> ExpressionFault | None:
        rules: dict[str, Callable[[_Token], ExpressionFault | None]] = {
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

    def _left_open(self) -> ExpressionFault:
        last = self.open[-1]
        if last.text == "if":
            return _at("R221 if without else", last)
        return _at("R221 bracket open", last)

    def _value(self, token: _Token) -> ExpressionFault | None:
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
        elif (before.text, token.text) in (("at", "least"), ("at", "most")):
            function = "max" if token.text == "least" else "min"
            hint = f"write {function}(1, ...) for at {token.text} 1"
        elif before.kind == token.kind == "name":
            hint = f"write {before.text}_{token.text} if it is one name"
        else:
            throw = "throw them in a 'roll' step, and use the name of the throw"
            hint = throw if token.kind == "dice" else "write a sign or a comma between them"
        one, other, here = before.text, token.text, (before.start, token.end)
        return ExpressionFault.within("R221 side by side", *here, one=one, other=other, hint=hint)

    def _follows(self, token: _Token) -> bool:
        after = self.tokens[self.tokens.index(token) + 1 :]
        return bool(after) and after[0].kind in ("number", "name", "text")

    def _number(self, token: _Token) -> ExpressionFault | None:
        text = token.text
        if text[-1] in _FRACTIONS:
            part = _FRACTIONS[text[-1]]
            meant = f"({text[:-1]} + {part})" if text[:-1] else part
            return _at("R221 part of a number", token, sign=text[-1], meaning=meant)
        if re.fullmatch(r"0+[1-9][0-9]*", text):
            return _at("R221 0 before", token, number=text.lstrip("0"))
        return self._value(token)

    def _name(self, token: _Token) -> ExpressionFault | None:
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

    def _if(self, token: _Token) -> ExpressionFault | None:
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

    def _joining(self, token: _Token) -> ExpressionFault | None:
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

    def _sign(self, token: _Token) -> ExpressionFault | None:
        if token.text not in _SIGNS:
            return _stranger(token)
        if not self.ended and token.text not in "+-":
            return _nothing_before(token)
        self.ended = False
        return None

    def _bracket(self, token: _Token) -> ExpressionFault | None:
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

    def _closing(self, token: _Token) -> ExpressionFault | None:
        if not self.ended and self.before and self.before.text not in "([,":
            return _nothing_after(self.before)
        if self.open and self.open[-1].text == "if":
            return self._left_open()
        if not self.open or self.open[-1].text != _PAIRS[token.text]:
            return _at("R221 brackets" if self.open else "R221 bracket not opened", token)
        self.open.pop()
        self.ended = True
        return None


def _alone(token: _Token) -> ExpressionFault | None:
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


def _no_name(token: _Token) -> ExpressionFault:
    return _at("R221 no name", token, word=token.text)


def _stranger(token: _Token) -> ExpressionFault:
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


def _nothing_before(token: _Token) -> ExpressionFault:
    return _at("R221 nothing before", token, sign=token.text)


def _nothing_after(token: _Token) -> ExpressionFault:
    return _at("R221 nothing after", token, sign=token.text)


def _at(key: str, token: _Token, /, **values: object) -> ExpressionFault:
    return ExpressionFault.within(key, token.start, token.end, **values)


#: No rule needs longer, larger or deeper expressions; what does is a slip or an attack.
LONGEST_EXPRESSION = 500
MOST_PARTS = 150
DEEPEST_EXPRESSION = 20

#: What may be called.
FUNCTIONS = (
    "min",
    "max",
    "abs",
    "sum",
    "floor",
    "ceil",
    "round_up",
    "round_half_up",
    "passes",
    "count",
    "has",
    "allowed",
)
_WORDS = {"true": True, "True": True, "false": False, "False": False}
_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//"}
_COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}
#: How a report calls what the language does not have, and what to write in its place.
_REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Pow: ("a power (**)", "multiply out"),
    ast.Mod: ("a remainder (%)", "use // and a subtraction"),
    ast.BitAnd: ("&", "write 'and'"),
    ast.BitOr: ("|", "write 'or'"),
    ast.BitXor: ("a power (^)", "multiply out"),
    ast.LShift: ("<<", "write '<'"),
    ast.RShift: (">>", "write '>'"),
    ast.MatMult: ("@", ""),
    ast.Invert: ("~", "write 'not'"),
    ast.Is: ("'is'", "write =="),
    ast.IsNot: ("'is not'", "write !="),
    ast.Lambda: ("a lambda", ""),
    ast.ListComp: ("a comprehension", "use a pool of dice: 'roll' with 'times'"),
    ast.SetComp: ("a comprehension", "use a pool of dice: 'roll' with 'times'"),
    ast.DictComp: ("a comprehension", "use a pool of dice: 'roll' with 'times'"),
    ast.GeneratorExp: ("a comprehension", "use a pool of dice: 'roll' with 'times'"),
    ast.List: ("a list", "write round brackets: ('a', 'b')"),
    ast.Set: ("braces", "write names without braces, and several values in round brackets"),
    ast.Dict: ("braces", ""),
    ast.JoinedStr: ("a string with values in it", ""),
    ast.NamedExpr: ("an assignment (:=)", "use a 'set' step"),
    ast.Starred: ("a star before a name", ""),
    ast.Slice: ("a slice (:)", "put the key in quotes if it is a band, such as '0-8in'"),
    ast.Await: ("'await'", ""),
    ast.Yield: ("'yield'", ""),
    ast.YieldFrom: ("'yield'", ""),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an expression: the characters of the text at which it stands."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Constant(Piece):
    """A number, a text in quotes, true or false."""

    value: Fraction | int | str | bool


@dataclass(frozen=True, slots=True)
class Name(Piece):
    """An input, something bound by a step, or an entity of the ruleset."""

    id: str


@dataclass(frozen=True, slots=True)
class Operation(Piece):
    """`+ - * / //` of two parts, `-` or `not` of one, `and` or `or` of two and more."""

    operator: str
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Comparison(Piece):
    """Parts with an operator between each and the next: `1 <= die < 4`."""

    operators: tuple[str, ...]
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Choose(Piece):
    """`then if condition else otherwise`."""

    condition: Tree
    then: Tree
    otherwise: Tree


@dataclass(frozen=True, slots=True)
class LookUp(Piece):
    """`table[key, key]`."""

    table: Tree
    keys: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Part(Piece):
    """`row.field`."""

    whole: Tree
    name: str


@dataclass(frozen=True, slots=True)
class Call(Piece):
    """One of FUNCTIONS and its arguments."""

    function: str
    arguments: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Group(Piece):
    """Several values in round brackets, to the right of `in`."""

    items: tuple[Tree, ...]


Tree = Constant | Name | Operation | Comparison | Choose | LookUp | Part | Call | Group


@dataclass(frozen=True, slots=True)
class Expression:
    """A text that has been read, and its tree."""

    text: str
    tree: Tree

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """Raises ExpressionFault where the text is none, or holds what the language does not have.

    Remembered, since a ruleset is read once more for each option that an example chooses.
    """
    flat = text.replace("\n", " ").rstrip()
    if len(flat) > LONGEST_EXPRESSION:
        raise _too_large(f"an expression of {len(flat)} characters", 0, 1)
    start = len(flat) - len(flat.lstrip())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(flat.lstrip(), mode="eval").body
    except SyntaxError as error:
        raise _unreadable(flat, start, error) from None
    except (ValueError, MemoryError, RecursionError):
        raise _too_large("an expression that cannot be taken apart", 0, len(flat)) from None
    return Expression(text, _Reader(flat, start).read(tree, 0))


class _Reader:
    """Walks Python's tree of one text over the allow-list."""

    def __init__(self, text: str, shift: int) -> None:
        self.text = text
        self.shift = shift
        self.bytes = text[shift:].encode()
        self.seen = 0

    def span(self, node: ast.AST) -> tuple[int, int]:
        ends = (getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None))
        start, end = (self.shift + len(self.bytes[:at].decode(errors="replace")) for at in ends)
        return start, end

    def read(self, node: ast.AST, depth: int) -> Tree:
        at = self.span(node)
        self.seen += 1
        if self.seen > MOST_PARTS or depth > DEEPEST_EXPRESSION:
            raise _too_large("an expression of too many parts", *at)

        def inner(*nodes: ast.AST) -> tuple[Tree, ...]:
            return tuple(self.read(one, depth + 1) for one in nodes)

        match node:
            case ast.Constant():
                return self._constant(node, at)
            case ast.Name():
                return self._name(node, at)
            case ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                return self._operation(node, at, inner)
            case ast.IfExp():
                condition, then, otherwise = inner(node.test, node.body, node.orelse)
                return Choose(*at, condition, then, otherwise)
            case ast.Subscript():
                keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                return LookUp(*at, inner(node.value)[0], inner(*keys))
            case ast.Attribute():
                return self._part(node, at, inner(node.value)[0])
            case ast.Call():
                return self._call(node, at, depth)
            case ast.Tuple() if depth == 0:
                raise self._commas(node, at)
            case ast.Tuple():
                return Group(*at, inner(*node.elts))
        raise self._refused(node, at)

    def _operation(
        self, node: ast.expr, at: tuple[int, int], inner: Callable[..., tuple[Tree, ...]]
    ) -> Tree:
        match node:
            case ast.BinOp() if type(node.op) in _BINARY:
                self._no_words(node)
                return Operation(*at, _BINARY[type(node.op)], inner(node.left, node.right))
            case ast.UnaryOp(op=ast.USub() | ast.Not() as op):
                sign = "-" if isinstance(op, ast.USub) else "not"
                return Operation(*at, sign, inner(node.operand))
            case ast.UnaryOp(op=ast.UAdd()):
                return inner(node.operand)[0]
            case ast.BoolOp():
                word = "and" if isinstance(node.op, ast.And) else "or"
                return Operation(*at, word, inner(*node.values))
            case ast.Compare() if all(type(op) in _COMPARE for op in node.ops):
                signs = tuple(_COMPARE[type(op)] for op in node.ops)
                return Comparison(*at, signs, inner(node.left, *node.comparators))
        raise self._refused(node, at)

    def _no_words(self, node: ast.BinOp) -> None:
        """Of texts only lengths are reckoned with."""
        for side in (node.left, node.right):
            if not isinstance(side, ast.Constant) or not isinstance(side.value, str):
                continue
            try:
                quantities.parse_length(side.value)
            except quantities.QuantityError as fault:
                raise ExpressionFault.within(
                    "R222 text in a sum",
                    *self.span(side),
                    hint=fault.hint
                    if re.match("[-0-9]", side.value)
                    else "take the quotes away if a name is meant",
                ) from None

    def _constant(self, node: ast.Constant, at: tuple[int, int]) -> Tree:
        value = node.value
        if isinstance(value, bool | str):
            return Constant(*at, value)
        written = self.text[at[0] : at[1]]
        number = quantities.parse_number(written) if isinstance(value, int | float) else None
        if number is None or "/" in written:
            what = f"'{written[:20]}'" if isinstance(value, int | float | complex) else "this value"
            raise ExpressionFault.within(
                "R222 number of a game", *at, number=what, digits=quantities.MOST_DIGITS
            )
        return Constant(*at, int(number) if number.denominator == 1 else number)

    def _name(self, node: ast.Name, at: tuple[int, int]) -> Tree:
        if node.id in _WORDS:
            return Constant(*at, _WORDS[node.id])
        self._id(node.id, at)
        return Name(*at, node.id)

    def _id(self, name: str, at: tuple[int, int]) -> None:
        written = self.text[at[0] : at[1]]
        if not re.fullmatch(ID_PATTERN, name) or not written.endswith(name):
            raise ExpressionFault.within("R222 no name", *at, name=written, hint=id_hint(written))

    def _part(self, node: ast.Attribute, at: tuple[int, int], whole: Tree) -> Tree:
        name = (at[1] - len(node.attr), at[1])
        if node.attr.startswith("_") or not isinstance(whole, Name | Part | LookUp):
            raise ExpressionFault.within("R222 names nothing", *name, name=node.attr)
        self._id(node.attr, name)
        return Part(*at, whole, node.attr)

    def _call(self, node: ast.Call, at: tuple[int, int], depth: int) -> Tree:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            raise self._uncallable(node)
        if node.keywords:
            raise ExpressionFault.within(
                "R222 argument with a name", *self.span(node.keywords[0]), function=node.func.id
            )
        arguments = tuple(self.read(one, depth + 1) for one in node.args)
        return Call(*at, node.func.id, arguments)

    def _uncallable(self, node: ast.Call) -> ExpressionFault:
        named = node.func.id if isinstance(node.func, ast.Name) else ""
        written = self.text[slice(*self.span(node.func))][:40]
        hint = nearest(named.lower(), FUNCTIONS)
        if named in ("AND", "OR", "NOT", "IN", "IF"):
            hint = f"write {named.lower()}"
        elif not hint and re.fullmatch(ID_PATTERN, named):
            hint = f"write {named}[...], in square brackets, if it is a table"
        known = quantities.join_words(FUNCTIONS)
        return ExpressionFault.within(
            "R222 cannot be called", *self.span(node.func), name=written, known=known, hint=hint
        )

    def _commas(self, node: ast.Tuple, at: tuple[int, int]) -> ExpressionFault:
        """Several values where one belongs: most often a number as it is written in books."""
        written = self.text[slice(*at)]
        hint = "take what is before or after the comma away"
        if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+", written):
            hint = f"write {written.replace(',', '')}"
        elif re.fullmatch(r"[0-9]+,[0-9]+", written):
            hint = f"write {written.replace(',', '.')}"
        return ExpressionFault.within("R222 comma", *at, hint=hint)

    def _refused(self, node: ast.AST, at: tuple[int, int]) -> ExpressionFault:
        known = [node, getattr(node, "op", None), *getattr(node, "ops", ())]
        what, hint = next(
            (_REFUSED[type(one)] for one in known if type(one) in _REFUSED), ("this", "")
        )
        functions = ", ".join(f"{name}()" for name in FUNCTIONS)
        return ExpressionFault.within(
            "R222 cannot stand", *at, what=what, functions=functions, hint=hint
        )


def _unreadable(text: str, start: int, error: SyntaxError) -> ExpressionFault:
    """A fault at the first slip, or where Python's parser stopped; without its words."""
    slip = find_slip(text, FUNCTIONS)
    if slip is not None:
        return slip
    at = min(start + max(0, (error.offset or 1) - 1), max(len(text) - 1, 0))
    return ExpressionFault.within("R221 unread" if text.strip() else "R221 empty", at, at + 1)


def _too_large(what: str, start: int, end: int) -> ExpressionFault:
    return ExpressionFault.within(
        "R223 too large",
        start,
        end,
        what=what,
        characters=LONGEST_EXPRESSION,
        parts=MOST_PARTS,
        deep=DEEPEST_EXPRESSION,
    )


def read_expression(value: object) -> Expression:
    """The expression that an author writes. Raises QuantityError, for a slip ExpressionFault."""
    if not isinstance(value, str):
        raise quantities.QuantityError.of("R203 no expression")
    return parse_expression(value)


ExpressionText = Annotated[
    Expression,
    PlainValidator(read_expression),
    PlainSerializer(str),
    WithJsonSchema(
        {"type": ["string", "integer", "boolean"], "description": "such as max(0, die - 2)"}
    ),
]


def _read_target(value: object) -> Expression:
    if isinstance(value, str):
        written = value.strip()
        try:
            quantities.parse_roll_target(written)
        except quantities.QuantityError:
            return read_expression(value)
        return Expression(written, Constant(0, len(written), written))
    return read_expression(value)


TargetText = Annotated[
    Expression,
    PlainValidator(_read_target),
    PlainSerializer(str),
    WithJsonSchema(
        {
            "type": ["string", "integer"],
            "description": "4+, 6/4+ or never; or an expression of a target, such as needs[range]",
        }
    ),
]
"""A target as it is written in a table, or an expression of one."""
