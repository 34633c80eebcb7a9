"""Text of a YAML scalar -> typed value, as pydantic field types, each with its JSON Schema.

Every scalar arrives as text; the declared type of its field reads it, never YAML's own guesses.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import core_schema

from rulebook import quantities
from rulebook.limits import DEEPEST_PROSE, LONGEST_LINE, LONGEST_PROSE, LONGEST_TEXT, MOST_LINES
from rulebook.quotation_marks import with_marks
from rulebook.suggestions import nearest

#: Ids are names in expressions; a longer one is a slip.
ID_PATTERN = r"[a-z][a-z0-9_]{0,63}"
#: Letters that are written with two where there is no other way.
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe"})
#: Braces that may be a binding. Jinja's {{ }} and {% %} mean nothing anywhere, and stay text.
BINDING_SHAPED = re.compile(r"(?<!\{)\{[^\W\d_][^{}]*\}?")
#: A length that stands in no table, in braces so that it is printed, and converted, like any other.
LENGTH_IN_BRACES = re.compile(
    r"(?<![\\{])\{([0-9][0-9./ ½¼¾⅓⅔⅛⅜⅝⅞]*(?:in|ft|yd|mm|cm|m|bases?)\.?)\}"
)


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown on one line or a few, whose `{bindings}` are references to values of the ruleset."""

    markdown: str

    def __str__(self) -> str:
        return self.markdown


@dataclass(frozen=True, slots=True)
class Passage(Prose):
    """Markdown of several paragraphs; a paragraph `{table: musketry}` is replaced by the table."""


class Unbound(str):
    """A plain text in which `{bindings}` stand for values of the ruleset, or `\\{` for a brace.

    It is bound where the ruleset is put together, in `rulebook.loading.bindings`, and nowhere
    else; no ruleset that is handed on holds one.
    """

    __slots__ = ()


class UnboundLine(Unbound):
    """An unbound text on one line; once bound it must not be longer than a title may be."""

    __slots__ = ()


class TypedValue(str):
    """A value of an input or result as it is typed; a value that is a length is converted."""

    __slots__ = ()


def expect_text(value: object, expected: str) -> str:
    """Returns the text of a scalar; raises QuantityError (R203, R204) for any other value."""
    if isinstance(value, str):
        return value
    found = "nothing" if value is None else "a mapping" if isinstance(value, dict) else "a list"
    code = "R204" if value is None else "R203"
    raise quantities.QuantityError(f"{found} stands here", expected=expected, code=code)


class ReadBy:
    """An annotation of a field: `read` makes its value, `schema` is its JSON schema for editors.

    It combines PlainValidator and WithJsonSchema without making the schema of the class of the
    value, which is not needed and takes long.
    """

    def __init__(self, read: Callable[[Any], Any], **schema: Any) -> None:
        self.read, self.schema = read, schema

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return dict(self.schema)


def scalar(parse: Callable[[str], Any], expected: str, **schema: Any) -> ReadBy:
    """Makes the annotation of a scalar, of which `parse` reads the text.

    A value that has been read already stays as it is. `expected` and `schema` describe the scalar
    in messages and to editors.
    """

    def read(value: object) -> Any:
        if isinstance(value, str) or value is None or isinstance(value, dict | list):
            return parse(expect_text(value, expected))
        return value

    return ReadBy(read, **{"description": expected, "type": "string", **schema})


def worded(key: str, written: Any) -> BeforeValidator:
    """Makes the annotation of a mapping that may also be written as a text alone.

    The text is then the value of `key`. `written` is the type of what may be written, for the
    schema.
    """

    def wrap(value: object) -> object:
        return {key: value} if isinstance(value, str) else value

    return BeforeValidator(wrap, json_schema_input_type=written)


def or_alone(written: Any) -> BeforeValidator:
    """Makes the annotation of a list that may also be written as a text alone, its only item.

    `written` is the type of what may be written, for the schema.
    """

    def wrap(value: object) -> object:
        return [value] if isinstance(value, str) else value

    return BeforeValidator(wrap, json_schema_input_type=written)


def choice_of(words: Iterable[str]) -> ReadBy:
    """Makes the annotation of a scalar that must be one of some words.

    Reading another value raises QuantityError.
    """
    known = list(words)

    def read(value: object) -> str:
        if value not in known:
            raise quantities.QuantityError(
                f"'{value!s:.40}' cannot stand here",
                expected=quantities.join_words(known),
                hint=nearest(str(value), known),
            )
        return str(value)

    return ReadBy(read, enum=known, type="string")


def _matching(regex: str, kind: str, expected: str, **schema: Any) -> ReadBy:
    """Makes the annotation of a text that a regular expression must match as a whole.

    `kind` names such texts in messages, and `expected` describes them.
    """

    def parse(text: str) -> str:
        if not re.fullmatch(regex, text):
            hint = quantities.as_meant(text, parse)
            raise quantities.not_a(kind, text, expected, hint)
        return text

    return scalar(parse, expected, **schema)


def _parse_text(text: str) -> str:
    text = text.strip()
    if not text:
        raise quantities.QuantityError("an empty text", expected="one word or more")
    if len(text) > LONGEST_TEXT:
        hint = "move it to a Markdown chapter"
        raise quantities.too_many(len(text), "characters", LONGEST_TEXT, hint=hint)
    return text


def _parse_plain(text: str) -> str:
    text = with_marks(_parse_text(text))
    bound = BINDING_SHAPED.search(text) or LENGTH_IN_BRACES.search(text) or "\\{" in text
    return Unbound(text) if bound else text


def parse_name(text: str) -> str:
    """Reads a name used in paths: one line without bindings in braces. Raises QuantityError."""
    if isinstance(line := parse_line(text), Unbound):
        raise quantities.QuantityError(
            f"'{line[line.index('{') :][:40]}' in a name",
            code="R210",
            expected="a name without braces, which paths and parameters can call",
        )
    return text.strip()


def _parse_markdown(text: str) -> str:
    """Checks that a text is not empty or nested too deep for a page, and returns it stripped.

    Raises QuantityError.
    """
    text = _parse_text(text)
    if found := too_deep(text):
        raise found
    return text


# How deep Markdown is nested. Each list in a list and each quotation in a quotation takes a part of
# the width of a page, and a step deeper than any page shows. The reader of Markdown looks for the
# end of each bracket to the end of its paragraph, so brackets that are never closed cost the square
# of their number.

#: What stands before the words of a line: white space, and the marks of lists and quotations.
_MARKS = re.compile(r"(?:[ \t]|>|[-*+](?=[ \t])|[0-9]{1,9}\.(?=[ \t]))*+")
#: One of them with the space that belongs to it.
_MARK = re.compile(r"(?:[>*+-]|[0-9]{1,9}\.) ?")
#: A line across the page, which is made of marks and is no list.
_RULE = re.compile(r" {0,3}(?:-(?:[ \t]*+-)++|\*(?:[ \t]*+\*)++|_(?:[ \t]*+_)++)[ \t]*+")
#: Columns by which a list stands farther in than the one that it is a part of.
_STEP = 4
#: Lines without an empty one between them.
_PARAGRAPH = re.compile(r"(?:[^\S\n]*+\S[^\n]*+\n?)++")
#: Brackets, what is no bracket, and the end of a paragraph, where no bracket is open any more.
_BRACKETS = re.compile(r"\\.|[\[\]]|\n[ \t]*+(?=\n)")


class TooDeep(quantities.QuantityError):
    """The fault of a text that is too deep or too long, in its characters from `start` to `end`."""

    def __init__(self, limit: int, what: str, start: int, end: int = 0) -> None:
        hint = "cut it into several paragraphs or sections"
        expected = f"up to {limit}"
        super().__init__(f"more than {limit} {what}", expected=expected, hint=hint, code="R102")
        self.start, self.end = start, end or start + 1


def too_deep(markdown: str) -> TooDeep | None:
    """Returns the first fault of a text that is too long or nested too deep, or None."""
    if len(markdown) > LONGEST_PROSE:
        return TooDeep(LONGEST_PROSE, "characters between two headings or blocks", LONGEST_PROSE)
    for paragraph in _PARAGRAPH.finditer(markdown):
        start, text = paragraph.start(), paragraph[0]
        if len(text) > LONGEST_TEXT:
            return TooDeep(LONGEST_TEXT, "characters without an empty line", start)
        if text.count("\n") > MOST_LINES:
            return TooDeep(MOST_LINES, "lines without an empty one", start)
    return _deep_marks(markdown) or _deep_brackets(markdown)


def _deep_marks(markdown: str) -> TooDeep | None:
    start = 0
    for line in markdown.split("\n"):
        marks = _MARKS.match(line)
        if marks and _depth(marks[0]) > DEEPEST_PROSE and not _RULE.fullmatch(line):
            what = "lists and quotations in each other"
            return TooDeep(DEEPEST_PROSE, what, start, start + marks.end())
        start += len(line) + 1
    return None


def _depth(marks: str) -> int:
    """Returns how deep lists and quotations are nested at the start of a line.

    `marks` are the marks before its words; the indent of the last of them counts too.
    """
    found = list(_MARK.finditer(marks))
    if not found:
        return 0
    before = _MARK.sub("", marks[: found[-1].start()]).expandtabs(_STEP)
    return len(found) + len(before) // _STEP


def _deep_brackets(markdown: str) -> TooDeep | None:
    depth = 0
    for match in _BRACKETS.finditer(markdown):
        if match[0] == "[":
            depth += 1
            if depth > DEEPEST_PROSE:
                return TooDeep(DEEPEST_PROSE, "brackets in each other", *match.span())
        elif match[0] == "]":
            depth = max(0, depth - 1)
        elif match[0][0] == "\n":
            depth = 0
    return None


def parse_line(text: str) -> str:
    """Returns a title: text on one line, stripped; an UnboundLine if it has `{bindings}`.

    Raises QuantityError.
    """
    text = _parse_plain(text)
    if "\n" in text:
        raise quantities.QuantityError("a line break in a title", expected="one line")
    if len(text) > LONGEST_LINE:
        raise quantities.too_many(len(text), "characters", LONGEST_LINE)
    return UnboundLine(text) if isinstance(text, Unbound) else text


def parse_id(text: str) -> str:
    if not re.fullmatch(ID_PATTERN, text):
        raise quantities.QuantityError(
            f"'{text[:40]}' is not an id",
            code="R205",
            expected="a small letter, then small letters, digits and underscores, 64 at most",
            hint=id_hint(text),
        )
    return text


def id_hint(text: str) -> str:
    """Returns a hint that proposes an id made from a text; empty if none can be made."""
    guess = _as_id(text)
    if figures := re.fullmatch(r"([0-9]+[a-z]*)_?(.*)", guess):
        guess = f"{figures[2]}_{figures[1]}"
        if not figures[2]:
            return f"put a letter or a word before it, such as row_{figures[1]}"
    return f"write {guess}" if re.fullmatch(ID_PATTERN, guess) else ""


def _as_id(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower().translate(_SPELT_OUT))
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", bare).strip("_")


def id_from(title: str, taken: Container[str], usual: str) -> str:
    """Makes an id from a title that is none of the `taken` ones; it begins with `usual` if needed.

    It always gives the same id for the same title and taken ids.
    """
    words = _as_id(title)[:50].strip("_")
    name = words if re.fullmatch(ID_PATTERN, words) else f"{usual}_{words}".strip("_")
    others = (f"{name}_{number}" for number in count(2))
    return name if name not in taken else next(other for other in others if other not in taken)


def _parse_colour(text: str) -> str:
    digits = re.fullmatch("#[0-9a-fA-F]{6}", text)
    red, green, blue = (int(text[i : i + 2], 16) if digits else 255 for i in (1, 3, 5))
    if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 130:
        expected = "six hexadecimal digits, dark enough to print words in, such as '#7a2b1d'"
        raise quantities.not_a("a dark colour", text, expected)
    return text.lower()


def _parse_date(text: str) -> datetime.date:
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            raise ValueError
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise quantities.not_a("a date", text, "year-month-day, such as 2010-07-16") from None


def _up_to(most: int, what: str) -> Callable[[str], int]:
    """Makes a reader of a number of columns or sides; it reads `any` and `0` as 0."""

    def parse(text: str) -> int:
        number = 0 if text.strip() in ("any", "0") else quantities.parse_count(text)
        if number > most:
            raise quantities.not_a(f"a number of {what}", text, f"1 to {most}, or any")
        return number

    return parse


def _parse_type_size(text: str) -> int:
    size = re.fullmatch(r"([0-9]{1,2}) ?(pt)?", text)
    if not size or not SMALLEST_TYPE <= int(size[1]) <= LARGEST_TYPE:
        expected = f"whole points from {SMALLEST_TYPE}pt to {LARGEST_TYPE}pt"
        raise quantities.not_a("a size of type", text, expected)
    return int(size[1])


#: More columns do not stand side by side on a sheet; more sides are printed only if any may be.
MOST_COLUMNS, MOST_SIDES = 6, 8
#: Of the type of a sheet, in points.
SMALLEST_TYPE, LARGEST_TYPE = 7, 16

_ANY = ["string", "number", "boolean"]
_NUMBER_OR_TEXT = ["string", "number"]
_WHOLE_OR_TEXT = ["integer", "string"]
_UNITS = "(in|ft|yd|mm|cm|m|bases?)"

_words = partial(scalar, minLength=1)

Text = Annotated[str, _words(_parse_plain, "text", type=_ANY, description="text with {bindings}")]
Line = Annotated[
    str,
    _words(
        parse_line,
        "text on one line",
        type=_NUMBER_OR_TEXT,
        description="text on one line with {bindings}",
    ),
]
LineOrNone = Annotated[
    str,
    scalar(
        lambda text: parse_line(text) if text.strip() else "",
        "text on one line, or none",
        type=_NUMBER_OR_TEXT,
        description="text on one line with {bindings}; may be empty",
    ),
]
Name = Annotated[str, _words(parse_name, "a name on one line", type=_NUMBER_OR_TEXT)]
ProseText = Annotated[
    Prose, _words(lambda text: Prose(_parse_markdown(text)), "Markdown with {bindings}")
]
PassageText = Annotated[
    Passage,
    _words(lambda text: Passage(_parse_markdown(text)), "Markdown with {bindings} and blocks"),
]
Id = Annotated[str, scalar(parse_id, "an id", pattern=f"^{ID_PATTERN}$")]


@dataclass(frozen=True, slots=True)
class Ref:
    """An annotation of an id: the collections in one of which it must occur.

    `headings` are those of the chapters; `places`, `sides` and `features` are parts of the scenario
    that contains the id, whose own units and formations are searched before those of the ruleset.
    `also` are words that are allowed instead of an id.
    """

    collections: tuple[str, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowName:
    """A row of a table, or a place on one of its axes, written `establishments.infantry`."""

    table: str
    row: str

    def __str__(self) -> str:
        return f"{self.table}.{self.row}"


def row_name(kind: str, expected: str, row: str = ID_PATTERN) -> ReadBy:
    """Makes the annotation of a text `table.row`; `row` is the pattern of the part after the dot.

    `kind` names such texts in messages, and `expected` describes them.
    """
    pattern = rf"({ID_PATTERN})\.({row})"

    def parse(text: str) -> RowName:
        match = re.fullmatch(pattern, text)
        if match is None:
            raise quantities.not_a(kind, text, expected)
        return RowName(match[1], match[2])

    return scalar(parse, expected, pattern=f"^{pattern}$")


HEADINGS, UNITS = Ref(("headings",)), Ref(("units",))
#: The collections of tables -> the key of a table under which its rows stand.
ROWS_AT = {"tables": "data", "modifiers": "rows"}
TABLES = Ref(tuple(ROWS_AT))
HeadingId = Annotated[Id, HEADINGS]
CutoutId = Annotated[Id, Ref(("cutouts",))]
ProcedureId = Annotated[Id, Ref(("procedures",))]
UnitId = Annotated[Id, UNITS]
Length = Annotated[
    quantities.Length,
    scalar(
        quantities.parse_length,
        "a length, such as 24in, 7.5in, 60cm, or =table.row.field",
        pattern=rf"^(=.+|[\d./ ]*\d ?{_UNITS})$",
    ),
]
Angle = Annotated[
    quantities.Angle,
    scalar(
        quantities.parse_angle,
        "degrees from 1 to 360, such as 45° or 45deg, or =table.row.field",
        type=_NUMBER_OR_TEXT,
        pattern=r"^(=.+|[\d./ ]*\d ?(°|deg)?)$",
    ),
]
RollTarget = Annotated[
    quantities.RollTarget,
    scalar(
        quantities.parse_roll_target,
        "a roll target, such as 4+, 6/4+ or never",
        pattern=r"^(=.+|never|\d+(/\d+)*\+)$",
    ),
]
Dice = Annotated[
    quantities.Dice,
    scalar(
        quantities.parse_dice,
        "a throw of dice, such as 2d6",
        pattern=r"^(=.+|\d*d\d+)$",
    ),
]
Modifier = Annotated[
    quantities.Modifier | quantities.Never,
    scalar(
        quantities.parse_modifier,
        "a modifier, such as +1 or -2, or never",
        type=_WHOLE_OR_TEXT,
        description="+1, -2, 0, or never for what is not allowed",
    ),
]
LengthModifier = Annotated[
    quantities.LengthModifier | quantities.Never,
    scalar(
        quantities.parse_length_modifier,
        "a length modifier, such as +4cm or -2in, or never",
        type=_WHOLE_OR_TEXT,
        pattern=rf"^(=.+|never|[+-]?[\d./ ]*\d ?{_UNITS})$",
        description="+4cm, -2cm, 0cm, or never for what is not allowed",
    ),
]
Count = Annotated[
    int, scalar(quantities.parse_count, "a whole number, such as 12", type=_WHOLE_OR_TEXT)
]
Columns = Annotated[
    int,
    scalar(
        _up_to(MOST_COLUMNS, "columns"),
        f"columns of a sheet, 1 to {MOST_COLUMNS}; or any, as many as suit it",
        type=_WHOLE_OR_TEXT,
    ),
]
Sides = Annotated[
    int,
    scalar(
        _up_to(MOST_SIDES, "sides"),
        f"sides of a sheet, 1 to {MOST_SIDES}; or any, as many as its type needs",
        type=_WHOLE_OR_TEXT,
    ),
]
TypeSize = Annotated[
    int, scalar(_parse_type_size, "a size of type, such as 12pt", type=_WHOLE_OR_TEXT)
]
Ratio = Annotated[
    Fraction, scalar(quantities.parse_ratio, "a ratio, such as 1/2", type=["number", "string"])
]
Flag = Annotated[bool, scalar(quantities.parse_flag, "true or false", type=["boolean", "string"])]
Colour = Annotated[str, scalar(_parse_colour, "a colour, such as '#7a2b1d'")]
Date = Annotated[datetime.date, scalar(_parse_date, "year-month-day", format="date")]
Edition = Annotated[
    str,
    _matching(
        r"[0-9]{1,4}(\.[0-9]{1,4}){0,3}[a-z]?",
        "an edition",
        "numbers and points, such as 2.0",
        type=_NUMBER_OR_TEXT,
        description="an edition, such as '2.0'",
    ),
]
_LANGUAGE = "[a-z]{2,3}(-[A-Z]{2})?"
Language = Annotated[
    str,
    _matching(
        _LANGUAGE,
        "a language",
        "two or three small letters, with those of a country or without: en, en-GB, fr",
        pattern=f"^{_LANGUAGE}$",
    ),
]


def _parse_given(value: object) -> str:
    """Reads a value of an input or result as text; joins a list of conditions with +.

    An empty list is read as `none`. Raises QuantityError.
    """
    items = value if isinstance(value, list) else [value]
    words = [item.strip() for item in items if isinstance(item, str)]
    if len(words) < len(items) or not all(words):
        raise quantities.QuantityError(
            "no value of an input or result", code="R203", expected="a word, a number or a list"
        )
    return TypedValue("+".join(words) or "none")


#: A value of an input or result, which is read when the kind of it is known.
Given = Annotated[str, ReadBy(_parse_given, type=["string", "number", "boolean", "array"])]
