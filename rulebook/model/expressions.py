"""Text of an expression -> its tree, or a fault: a small fixed part of Python's expressions.

Python's own parser reads the text and an allow-list decides what may stand in it; nothing of it is
ever compiled or run by Python. Names and types are no matter here: the rules core checks them.
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

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from rulebook import quantities
from rulebook.faults import words_of
from rulebook.model.cells import nearest
from rulebook.model.expression_slips import Slip, find_slip
from rulebook.model.scalars import ID_PATTERN, id_hint

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


class ExpressionFault(quantities.QuantityError):
    """A text that is no expression; `start` and `end` are the characters that are at fault."""

    def __init__(self, code: str, message: str, start: int, end: int, **told: str) -> None:
        super().__init__(message, code=code, expected=told.get("expected", ""), hint=told["hint"])
        self.start, self.end = start, max(end, start + 1)

    @classmethod
    def within(cls, key: str, start: int, end: int, /, **values: object) -> ExpressionFault:
        """A fault in the words of `faults.txt`."""
        words = words_of(key, values)
        return cls(words.code, words.message, start, end, expected=words.expected, hint=words.hint)


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
    if slip is None:
        at = min(start + max(0, (error.offset or 1) - 1), max(len(text) - 1, 0))
        slip = Slip.of("R221 unread" if text.strip() else "R221 empty", at, at + 1)
    return ExpressionFault(
        "R221",
        slip.message,
        slip.start,
        slip.end,
        expected=slip.expected,
        hint=slip.hint,
    )


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


def _read(value: object) -> Expression:
    if not isinstance(value, str):
        raise quantities.QuantityError.of("R203 no expression")
    return parse_expression(value)


ExpressionText = Annotated[
    Expression,
    PlainValidator(_read),
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
            return _read(value)
        return Expression(written, Constant(0, len(written), written))
    return _read(value)


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
