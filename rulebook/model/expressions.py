"""Text of an expression -> its tree, or a fault: a small fixed part of Python's expressions.

Python's own parser reads the text and an allow-list decides what may stand in it; nothing of it is
ever compiled or run by Python. Names and types are no matter here: the rules core checks them.
A text that it cannot read is searched for what is written otherwise elsewhere: see MEANT.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from rulebook import quantities
from rulebook.limits import DEEPEST
from rulebook.model.scalars import ID_PATTERN, ReadBy, id_hint
from rulebook.suggestions import nearest

#: What is typed in an expression, as books, spreadsheets and programs write it, and what is meant.
MEANT = (
    (r"≥|=>|> =", ">="),
    (r"≤|=<|< =", "<="),
    (r"≠|<>|! =", "!="),
    (r"===|= =|(?<![=<>!])=(?!=)", "=="),
    (r"×|·|(?<=[\w)\]] )(?:[xX]|times)(?= [\w(])", "*"),
    (r"÷", "/"),
    (r"[−–—]|(?<=[\w)\]] )minus(?= [\w(])", "-"),
    (r"\+\+|(?<=[\w)\]] )plus(?= [\w(])", "+"),
    (r"&&?|\bAND\b", "and"),
    (r"\|\|?|\bOR\b", "or"),
    (r"!(?!=)|\bNOT\b", "not"),
    (r"\bI[Ff]\b", "if"),
    (r"\bE(?:lse|LSE)\b", "else"),
    (r";", ","),
    (r"^\s*if (.+?) then (.+?) else (.+)", r"\2 if \1 else \3"),
    (r"^(.+?) \? (.+?) : (.+)", r"\2 if \1 else \3"),
    (r"([0-9]+)½", r"\1.5"),
    (r"([0-9]+)¼", r"\1.25"),
    (r"([0-9]+)¾", r"\1.75"),
    (r"½", "1/2"),
    (r"⅓", "1/3"),
    (r"⅔", "2/3"),
    (r"¼", "1/4"),
    (r"¾", "3/4"),
    (r"([0-9.]+) ?%(?=\s*(?:[-+*/,)\]]|$))", r"\1 / 100"),
    (r"(?<![.\w])0+([1-9][0-9]*)\b", r"\1"),
    (r"^([0-9]{1,3}),([0-9]{3})$", r"\1\2"),
    (r"^([0-9]+),([0-9]+)$", r"\1.\2"),
    (r"[‘’‚“”„«»]+([^‘’‚“”„«»'\"]*)[‘’‚“”„«»]*", r"'\1'"),
    (r"([0-9.]+) ?[\"″]", r"'\1in'"),
    (r"[0-9.]+(?:-[0-9.]+)?(?:in|cm|mm|yd|ft)\b\+?", r"'\g<0>'"),
    (r"\b(?:[0-9]/)*[0-9]{1,2}\+(?=\s*(?:[,)\]]|$))", r"'\g<0>'"),
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_WRITTEN = "numbers, names, words in quotes and signs, such as max(0, die - needs[range, 'open'])"


class ExpressionFault(quantities.QuantityError):
    """The fault of a text that is no expression, in its characters from `start` to `end`."""

    def __init__(
        self,
        code: str,
        message: str,
        at: tuple[int, int],
        expected: str = _WRITTEN,
        hint: str = "",
    ) -> None:
        super().__init__(message, code=code, expected=expected, hint=hint)
        self.start, self.end = at[0], max(at[1], at[0] + 1)


def _as_meant(text: str) -> tuple[int, int, str] | None:
    """Finds the first part of a text that looks like syntax of other languages.

    Returns its start, its end and a hint at how it is written here, or None.
    """
    bare = _QUOTED.sub(lambda quoted: "'" + "_" * (len(quoted[0]) - 2) + "'", text)
    matches = ((re.search(pattern, bare), meant) for pattern, meant in MEANT)
    found = [(*match.span(), f"write {match.expand(meant)}") for match, meant in matches if match]
    return min(found, key=lambda place: (place[0], -place[1]), default=None)


#: No rule needs longer, larger or deeper expressions; what does is a slip or an attack.
LONGEST_EXPRESSION = 500
MOST_PARTS = 150

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


@dataclass(frozen=True, slots=True)
class TextRange:
    """A part of an expression, at the characters from `start` to `end` of its text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Constant(TextRange):
    """A number, a text in quotes, true or false."""

    value: Fraction | int | str | bool


@dataclass(frozen=True, slots=True)
class Name(TextRange):
    """An input, something bound by a step, or an entity of the ruleset."""

    id: str


@dataclass(frozen=True, slots=True)
class Operation(TextRange):
    """`+ - * / //` of two parts, `-` or `not` of one, `and` or `or` of two and more."""

    operator: str
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class ComparisonChain(TextRange):
    """Parts with an operator between each and the next: `1 <= die < 4`."""

    operators: tuple[str, ...]
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Choose(TextRange):
    """`then if condition else otherwise`."""

    condition: Tree
    then: Tree
    otherwise: Tree


@dataclass(frozen=True, slots=True)
class LookUp(TextRange):
    """`table[key, key]`."""

    table: Tree
    keys: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class FieldAccess(TextRange):
    """`row.field`."""

    whole: Tree
    name: str


@dataclass(frozen=True, slots=True)
class Call(TextRange):
    """One of FUNCTIONS and its arguments."""

    function: str
    arguments: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Alternatives(TextRange):
    """Several values in round brackets, to the right of `in`."""

    items: tuple[Tree, ...]


Tree = (
    Constant
    | Name
    | Operation
    | ComparisonChain
    | Choose
    | LookUp
    | FieldAccess
    | Call
    | Alternatives
)


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression: its text and its syntax tree."""

    text: str
    tree: Tree

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """Parses a text as an expression.

    Raises ExpressionFault if it is none, or is too large. Results are cached, since a ruleset is
    read again for each option that an example chooses.
    """
    flat = text.replace("\n", " ").rstrip()
    if len(flat) > LONGEST_EXPRESSION:
        raise _too_large((0, 1))
    start = len(flat) - len(flat.lstrip())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(flat.lstrip(), mode="eval").body
    except SyntaxError as error:
        raise _unreadable(flat, start + (error.offset or 1) - 1) from None
    except (ValueError, MemoryError, RecursionError):
        raise _too_large((0, len(flat))) from None
    return Expression(text, _TreeReader(flat, start).read(tree, 0))


class _TreeReader:
    """Converts Python's syntax tree of a text to a Tree, and refuses syntax that is not allowed.

    `shift` is the number of characters of `text` before the part that Python parsed.
    """

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
        if self.seen > MOST_PARTS or depth > DEEPEST:
            raise _too_large(at)

        def inner(*nodes: ast.AST) -> tuple[Tree, ...]:
            return tuple(self.read(node, depth + 1) for node in nodes)

        match node:
            case ast.Constant():
                return self._constant(node, at)
            case ast.Name(id="true" | "false"):
                return Constant(*at, node.id == "true")
            case ast.Name():
                return Name(*at, self._id(node.id, at))
            case ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                return self._operation(node, at, inner)
            case ast.IfExp():
                return Choose(*at, *inner(node.test, node.body, node.orelse))
            case ast.Subscript():
                keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                return LookUp(*at, inner(node.value)[0], inner(*keys))
            case ast.Attribute():
                name = self._id(node.attr, (at[1] - len(node.attr), at[1]))
                whole = inner(node.value)[0]
                if isinstance(whole, Name | FieldAccess | LookUp):
                    return FieldAccess(*at, whole, name)
            case ast.Call() if not node.keywords:
                return Call(*at, self._function(node.func), inner(*node.args))
            case ast.Tuple() if depth:
                return Alternatives(*at, inner(*node.elts))
        raise self._refused(at)

    def _operation(
        self, node: ast.expr, at: tuple[int, int], inner: Callable[..., tuple[Tree, ...]]
    ) -> Tree:
        match node:
            case ast.BinOp() if type(node.op) in _BINARY:
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
                return ComparisonChain(*at, signs, inner(node.left, *node.comparators))
        raise self._refused(at)

    def _constant(self, node: ast.Constant, at: tuple[int, int]) -> Constant:
        value = node.value
        if isinstance(value, bool | str):
            return Constant(*at, value)
        written = self.text[slice(*at)]
        number = quantities.parse_number(written) if isinstance(value, int | float) else None
        if number is None or "/" in written:
            raise self._refused(at)
        return Constant(*at, int(number) if number.denominator == 1 else number)

    def _id(self, name: str, at: tuple[int, int]) -> str:
        written = self.text[slice(*at)]
        if not re.fullmatch(ID_PATTERN, name) or not written.endswith(name):
            raise ExpressionFault(
                "R222",
                f"'{written:.40}' is not a name",
                at,
                "lower-case letters, digits and underscores",
                id_hint(written),
            )
        return name

    def _function(self, node: ast.expr) -> str:
        at = self.span(node)
        written = self.text[slice(*at)]
        if isinstance(node, ast.Name) and written in FUNCTIONS:
            return written
        meant = _as_meant(written)
        hint = meant[2] if meant else nearest(written.lower(), FUNCTIONS)
        known = quantities.join_words(FUNCTIONS)
        raise ExpressionFault("R222", f"'{written:.40}' cannot be called", at, known, hint)

    def _refused(self, at: tuple[int, int]) -> ExpressionFault:
        written = self.text[slice(*at)]
        meant = _as_meant(written)
        what = f"'{written:.40}' cannot stand in an expression"
        return ExpressionFault("R222", what, at, hint=meant[2] if meant else "")


def _unreadable(text: str, at: int) -> ExpressionFault:
    """Makes the fault of a text that Python cannot parse; `at` is where its parser stopped.

    If the text has syntax of other languages, the fault is placed there.
    """
    if meant := _as_meant(text):
        start, end, hint = meant
        what = f"'{text[start:end]:.40}' cannot be read in an expression"
        return ExpressionFault("R221", what, (start, end), hint=hint)
    at = min(max(0, at), max(len(text) - 1, 0))
    return ExpressionFault("R221", "this expression cannot be read", (at, at))


def _too_large(at: tuple[int, int]) -> ExpressionFault:
    most = (
        f"up to {LONGEST_EXPRESSION} characters and {MOST_PARTS} parts, "
        f"no more than {DEEPEST} inside one another"
    )
    return ExpressionFault(
        "R223", "this expression is too large", at, most, "cut it in two with a 'set' step"
    )


def read_expression(value: object) -> Expression:
    """Reads the value of a field that must be an expression.

    Raises QuantityError for what is no text, and ExpressionFault for a text that is no expression.
    """
    if not isinstance(value, str):
        raise quantities.QuantityError("no expression stands here", code="R203", expected=_WRITTEN)
    return parse_expression(value)


ExpressionText = Annotated[
    Expression,
    ReadBy(
        read_expression,
        type=["string", "integer", "boolean"],
        description="such as max(0, die - 2)",
    ),
]


def _read_target(value: object) -> Expression:
    written = value.strip() if isinstance(value, str) else ""
    try:
        quantities.parse_roll_target(written)
    except quantities.QuantityError:
        return read_expression(value)
    return Expression(written, Constant(0, len(written), written))


TargetText = Annotated[
    Expression,
    ReadBy(
        _read_target,
        type=["string", "integer"],
        description="4+, 6/4+ or never; or an expression of a target, such as needs[range]",
    ),
]
"""A target as it is written in a table, or an expression of one."""
