"""Text of a YAML file -> the same content in the usual form, so that all files read alike.

Quotes, spaces, indentation, blank lines and the order of keys change; content and comments do not.
The file is not written anew from its nodes, which know no comments: the text between what the
parser saw is changed, and lines are moved. Formatting what is formatted changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from rulebook.loading.folder import HEADER_FILE, REVISIONS_FILE, find_files
from rulebook.loading.nodes import Node, find_node, plain
from rulebook.loading.options import is_option
from rulebook.loading.safe_text import Unreadable, forbidden_characters, read_text
from rulebook.loading.yaml_reader import read_yaml
from rulebook.model import schemas
from rulebook.problems import Problem, Span

Schema: TypeAlias = Mapping[str, Any]
#: A part of a text, from and to, and what is to stand there instead.
_Edit: TypeAlias = tuple[int, int, str]

_WIDTH = 100
#: Where a text stands -> a frame to try it in without quotes, and the texts that this holds then.
_FRAMES = {
    "value": ("k: {}", ["k", ""]),
    "key": ("{}: v", ["", "v"]),
    "flow value": ("[{}, v]", ["", "v"]),
    "flow key": ("{{{}: v}}", ["", "v"]),
}


class Unformattable(Exception):
    """Written in a way that cannot be put in order without changing what it says."""


def formatted(text: str, schema: Schema) -> str:
    """A file without a fault of YAML in the usual form; `schema` is the JSON Schema of its content.

    Keys are put in the order of the schema only where it names them all: names that the author
    chose keep their order, which may be a part of what the file says. Raises Unformattable.
    """
    made = text.replace("\r\n", "\n").replace("\r", "\n")
    for step in (_with_usual_spaces, _indented, _keys_in_order(schema), _with_comments_aligned):
        try:
            made = step(made, _composed(made))
        except yaml.YAMLError as fault:
            raise Unformattable from fault
    before, after = (read_yaml(one, "")[0] for one in (text, made))
    if before is None or after is None or plain(before) != plain(after):
        raise Unformattable
    return made.replace("\n", "\r\n") if "\r\n" in text else made


@dataclass(frozen=True, slots=True)
class Formatting:
    """A file of a ruleset as it is and as it is to be; the same where it is in the usual form."""

    file: Path
    before: str
    after: str


def format_ruleset(folder: Path) -> tuple[list[Formatting], list[Problem]]:
    """Every YAML file of a ruleset that has no fault of YAML, and the faults of the others.

    A link is passed over: what it leads to is a file of the folder itself, or of somebody else.
    """
    files = find_files(folder)
    problems, found = files.problems, []
    if (folder / REVISIONS_FILE).is_file():
        files.yaml.append(REVISIONS_FILE)
    roots: dict[str, tuple[str, Node]] = {}
    for file in files.yaml:
        path = folder / file
        shown = path.as_posix()
        if path.is_symlink():
            continue
        try:
            text = read_text(path, shown)
        except Unreadable as error:
            problems.append(error.problem)
            continue
        faults = forbidden_characters(text, shown)
        root, more = (None, []) if faults else read_yaml(text, shown)
        problems += [*faults, *more]
        if root is not None and not more:
            roots[file] = text, root
    header = roots.get(HEADER_FILE)
    variant = header is not None and find_node(header[1], ("based_on",))[0] is not None
    for file, (text, _) in roots.items():
        try:
            after = formatted(text, _schema(_kind_of(file, variant=variant)))
        except Unformattable:
            problems.append(Problem.of("R702 not formatted", Span((folder / file).as_posix())))
        else:
            found.append(Formatting(folder / file, text, after))
    return found, problems


def _kind_of(file: str, *, variant: bool) -> str:
    """Which schema is that of a file of a ruleset; `variant` if the ruleset has a base."""
    if file in (HEADER_FILE, REVISIONS_FILE):
        return file.removesuffix(".yaml")
    return "option" if is_option(file) else "variant" if variant else "topic"


@cache
def _schema(kind: str) -> Schema:
    made: Schema = getattr(schemas, f"{kind}_schema")()
    return made


def _composed(text: str) -> yaml.Node:
    found = yaml.compose(text, Loader=yaml.CSafeLoader)
    if found is None:
        raise Unformattable
    return found


def _is_flow(node: yaml.Node) -> bool:
    """Whether a node is a collection in braces or brackets."""
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _parts(node: yaml.Node) -> list[yaml.Node]:
    """What stands in a collection in the order of the text: items, or each key and its value."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _all(node: yaml.Node) -> Iterator[yaml.Node]:
    yield node
    for part in _parts(node):
        yield from _all(part)


def _edited(text: str, edits: Iterable[_Edit]) -> str:
    made, at = [], 0
    for start, end, new in sorted(edits):
        made += [text[at:start], new]
        at = end
    return "".join([*made, text[at:]])


# Quotes, and the spaces within a line.


def _with_usual_spaces(text: str, root: yaml.Node) -> str:
    return _edited(text, _spacing(text, root, "value"))


def _spacing(text: str, node: yaml.Node, stands: str) -> Iterator[_Edit]:
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.ScalarNode):
        if node.style in ("'", '"') and "\n" not in text[start:end]:
            yield start, end, _in_quotes_if_needed(text[start:end], node.value, stands)
        return
    flow, parts = "flow " * _is_flow(node), _parts(node)
    pairs = isinstance(node, yaml.MappingNode)
    for number, part in enumerate(parts):
        key = pairs and not number % 2
        yield from _spacing(text, part, flow + ("key" if key else "value"))
        if number and (flow or (pairs and not key)):
            sign = "," if key or not pairs else ":"
            yield from _gap(text, parts[number - 1].end_mark.index, part.start_mark.index, sign)
    if flow and not (parts and parts[0].start_mark.index == start):
        edges = [parts[0].start_mark.index, parts[-1].end_mark.index] if parts else []
        yield from _gap(text, start + 1, edges[0] if edges else end - 1, "")
        if edges:
            yield from _gap(text, edges[1], end - 1, "")


def _gap(text: str, start: int, end: int, sign: str) -> Iterator[_Edit]:
    """Between two parts on a line: the sign and a space; a comma before a bracket goes."""
    gap = text[start:end]
    if "\n" not in gap and gap.strip() in ((sign,) if sign else ("", ",")):
        yield start, end, f"{sign} " if sign else ""


def _in_quotes_if_needed(written: str, value: str, stands: str) -> str:
    """A text in double quotes, in single ones if it holds double ones, in none if YAML needs none.

    They stay as well where another program that reads YAML would take the text for a number, a
    date, true or false.
    """
    if _means_itself(value, stands):
        return value
    if "\\" in written or not value.isprintable():
        return written
    return f'"{value}"' if '"' not in value else "'" + value.replace("'", "''") + "'"


_RESOLVER = yaml.resolver.Resolver()
_TEXT = "tag:yaml.org,2002:str"


def _means_itself(value: str, stands: str) -> bool:
    """Whether a text without quotes is read as the same text."""
    if not value.isprintable():
        return False
    if _RESOLVER.resolve(yaml.ScalarNode, value, (True, False)) != _TEXT:  # type: ignore[no-untyped-call]
        return False
    frame, held = _FRAMES[stands]
    try:
        events = list(yaml.parse(frame.format(value), Loader=yaml.CSafeLoader))
    except yaml.YAMLError:
        return False
    scalars = [event for event in events if isinstance(event, yaml.ScalarEvent)]
    # A stream, a document and a collection, each with its beginning and its end.
    whole = len(events) == 6 + len(scalars) and not any(one.style for one in scalars)
    return whole and [one.value for one in scalars] == [one or value for one in held]


# Indentation and blank lines.


def _indented(text: str, root: yaml.Node) -> str:
    if not _is_block(root):
        return text
    layout = _Layout(text)
    layout.place(root, 0)
    made: list[str] = []
    for number, placed in enumerate(layout.placed()):
        line = placed
        if number not in layout.kept:
            line = placed.rstrip(" \t")
            if not line and not (made and made[-1]):
                continue
        made.append(line)
    while made and not made[-1] and len(layout.lines) - 1 not in layout.kept:
        made.pop()
    return "\n".join(made) + "\n"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


class _Layout:
    """What stands on each line of a text; lines and columns from 0.

    `begins` has the columns at which keys and dashes begin on a line, as they are and as they are
    to be; `dashes` how many of them are dashes; `moves` by how much a line inside a value moves;
    `kept` are lines of texts of more than one line, where spaces and blank lines may matter.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.removesuffix("\n").split("\n")
        self.begins: dict[int, list[tuple[int, int]]] = {}
        self.dashes: dict[int, int] = {}
        self.moves: dict[int, int] = {}
        self.kept: set[int] = set()

    def place(self, node: yaml.Node, column: int) -> None:
        """Have a block mapping or sequence begin at a column, and all in it behind that."""
        was = node.start_mark.column
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                self._begin(key.start_mark.line, was, column)
                self._place_value(value, key.end_mark.line, was, column)
            return
        dash = node.start_mark.line
        for item in _parts(node):
            while self.lines[dash][: was + 1].strip("- ") or self.lines[dash][was : was + 1] != "-":
                dash += 1
            self._begin(dash, was, column)
            self.dashes[dash] = self.dashes.get(dash, 0) + 1
            self._place_value(item, dash, was, column)
            dash = self.last_line(item) + 1

    def _begin(self, line: int, was: int, column: int) -> None:
        self.begins.setdefault(line, []).append((was, column))

    def _place_value(self, value: yaml.Node, line: int, was: int, column: int) -> None:
        """The same of a value; `line` is that of its key or dash, which stand at the columns."""
        if _is_block(value):
            self.place(value, column + 2)
            return
        first, last = value.start_mark.line, self.last_line(value)
        move = column + 2 - _indent(self.lines[first]) if first > line else column - was
        if isinstance(value, yaml.ScalarNode) and last > first:
            block = value.style in ("|", ">")
            self.kept |= set(range(first + block, last + 1))
            if block and not any(sign.isdigit() for sign in self._header(value)):
                held = (line for line in self.lines[first + 1 : last + 1] if line.strip(" "))
                move = column + 2 - _indent(next(held, ""))
        self.moves |= dict.fromkeys(range(line + 1, last + 1), move)

    def _header(self, block: yaml.Node) -> str:
        """The signs at the beginning of a block of text: |, >-, |2+."""
        return self.lines[block.start_mark.line][block.start_mark.column :].partition("#")[0]

    def last_line(self, node: yaml.Node) -> int:
        """The last line on which something of a node stands."""
        if _is_block(node):
            return self.last_line(_parts(node)[-1])
        end: int = min(node.end_mark.line, len(self.lines) - 1)
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            # The parser has gone on to what follows; a + keeps the blank lines between.
            end -= node.end_mark.line == end and node.end_mark.column < len(self.lines[end])
            while "+" not in self._header(node) and not self.lines[end].strip(" "):
                end -= 1
        return end

    def placed(self) -> Iterator[str]:
        """The lines where they are to stand.

        A comment stands over what follows; one that is farther in, below what it followed.
        """
        follows: dict[int, tuple[int, int]] = {}
        next_one = (-1, 0)
        for number in range(len(self.lines) - 1, -1, -1):
            next_one = self.begins[number][0] if number in self.begins else next_one
            follows[number] = next_one
        around: list[tuple[int, int]] = []
        for number, line in enumerate(self.lines):
            column, rest = _indent(line), line.lstrip(" ")
            if number in self.begins:
                for one in self.begins[number]:
                    around = [*(other for other in around if other[0] < one[0]), one]
                column, dashes = self.begins[number][0][1], self.dashes.get(number, 0)
                for _ in range(dashes):
                    rest = rest[1:].lstrip(" ")
                rest = "- " * dashes + rest
            elif number in self.moves:
                column += self.moves[number]
            elif rest.startswith("#"):
                first_inside = not around or around[-1][1] < follows[number][1]
                over = first_inside or column <= follows[number][0]
                below = [now for was, now in around if was <= column]
                column = follows[number][1] if over else below[-1] if below else 0
            yield " " * column + rest

    def with_comments_below(self, end: int, column: int) -> int:
        """The last line of what ends on a line, with comments after it farther in than a column."""
        after = range(end + 1, len(self.lines))
        for line in after:
            words = self.lines[line].strip()
            if words and not (words[0] == "#" and _indent(self.lines[line]) > column):
                break
            end = line if words else end
        return end

    def move(self, column: int, starts: list[int], ends: list[int], order: list[int]) -> None:
        """Put entries of a mapping at a column in order, each with the comments directly over it.

        Blank lines stay where they are, and so does the comment at the top of a file.
        """
        behind = [self._first_over(starts[0], column), *(end + 1 for end in ends)]
        begins = [
            next(line for line in range(after, start + 1) if self.lines[line].strip())
            for after, start in zip(behind, starts, strict=False)
        ]
        parts = [self.lines[a : b + 1] for a, b in zip(begins, ends, strict=True)]
        gaps = [self.lines[a:b] for a, b in zip(behind, begins, strict=False)]
        dashes = parts[0][0][:column]
        if dashes.strip():
            if parts[order[0]][0].lstrip().startswith("#"):
                return
            parts[0][0] = " " * column + parts[0][0][column:]
            parts[order[0]][0] = dashes + parts[order[0]][0][column:]
        moved = [parts[number] for number in order]
        lines = [line for gap, part in zip(gaps, moved, strict=True) for line in (*gap, *part)]
        self.lines[behind[0] : behind[-1]] = lines

    def _first_over(self, line: int, column: int) -> int:
        """The first line of the comment directly over a line, unless the file begins with it."""
        first = line
        while first and self.lines[first - 1][column:].startswith("#"):
            first -= 1
        return first if first and self.lines[first - 1] != "---" else line


# Order of keys.


def _keys_in_order(schema: Schema) -> Callable[[str, yaml.Node], str]:
    def ordered(text: str, root: yaml.Node) -> str:
        shapes = _Shapes(schema)
        start, end = root.start_mark.index, root.end_mark.index
        text = text[:start] + shapes.in_braces(text, root, shapes.top) + text[end:]
        root = _composed(text)
        layout = _Layout(text)
        shapes.in_blocks(layout, root, shapes.top)
        return "\n".join(layout.lines) + "\n"

    return ordered


class _Shapes:
    """A JSON Schema, walked beside the nodes of a file to tell the order of keys."""

    def __init__(self, schema: Schema) -> None:
        self.definitions: Schema = schema.get("$defs", {})
        self.top = list(self._spelt_out(schema))

    def _spelt_out(self, schema: Schema) -> Iterator[Schema]:
        """All that one schema allows."""
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"].rpartition("/")[2]]
        yield schema
        for either in ("anyOf", "oneOf", "allOf"):
            for one in schema.get(either, ()):
                yield from self._spelt_out(one)

    def below(self, shapes: Iterable[Schema], key: str | None) -> list[Schema]:
        """What may stand under a key, or None for the items of a list."""
        found: list[Any] = []
        for shape in shapes:
            if key is None:
                found += [shape.get("items"), *shape.get("prefixItems", ())]
            elif key in shape.get("properties", ()):
                found.append(shape["properties"][key])
            else:
                found += [*shape.get("patternProperties", {}).values()]
                found.append(shape.get("additionalProperties"))
        return [one for each in found if isinstance(each, dict) for one in self._spelt_out(each)]

    def order(self, node: yaml.Node, shapes: Iterable[Schema]) -> list[int] | None:
        """The entries by number in the order of the schema; None if they stand so, or may not.

        The collections of a file are arranged by its author, as what is in them.
        """
        if not isinstance(node, yaml.MappingNode):
            return None
        keys = [key.value for key, _ in node.value]
        named = [shape["properties"] for shape in shapes if "properties" in shape]
        free = any(
            isinstance(shape.get(other), dict)
            for shape in shapes
            for other in ("patternProperties", "additionalProperties")
        )
        fits = next((list(each) for each in named if each.keys() >= set(keys)), None)
        if fits is None or free or len(set(keys)) < len(keys) or "tables" in fits:
            return None
        order = sorted(range(len(keys)), key=lambda number: fits.index(keys[number]))
        return None if order == sorted(order) else order

    def inner(
        self, node: yaml.Node, shapes: Sequence[Schema]
    ) -> Iterator[tuple[yaml.Node, list[Schema]]]:
        """The values in a collection, with what may stand there."""
        if isinstance(node, yaml.MappingNode):
            keys = {key.value for key, _ in node.value}
            fits = [one for one in shapes if one.get("properties", {}).keys() >= keys]
            for key, value in node.value:
                yield value, self.below(fits[:1] or shapes, key.value)
        else:
            for item in _parts(node):
                yield item, self.below(shapes, None)

    def in_braces(self, text: str, node: yaml.Node, shapes: Sequence[Schema]) -> str:
        """The text of a node with mappings in braces in order; those with a comment stay."""
        entries: list[tuple[int, int, str]] = []
        keys = [key for key, _ in node.value] if isinstance(node, yaml.MappingNode) else []
        for number, (part, below) in enumerate(self.inner(node, shapes)):
            start, end = part.start_mark.index, part.end_mark.index
            begins = keys[number].start_mark.index if keys else start
            written = text[begins:start] + self.in_braces(text, part, below)
            entries.append((begins, end, written))
        edges = [node.start_mark.index, *(edge for one in entries for edge in one[:2])]
        edges.append(node.end_mark.index)
        gaps = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
        order = self.order(node, shapes) if _is_flow(node) and "#" not in "".join(gaps) else None
        told = [entries[number][2] for number in order or range(len(entries))]
        return "".join(part for pair in zip(gaps, [*told, ""], strict=True) for part in pair)

    def in_blocks(self, layout: _Layout, node: yaml.Node, shapes: Sequence[Schema]) -> int:
        """Put the lines of mappings in order, with the comments over them; the last line of all."""
        ends = [
            self.in_blocks(layout, one, below) if _is_block(one) else layout.last_line(one)
            for one, below in self.inner(node, shapes)
        ]
        if isinstance(node, yaml.MappingNode):
            column: int = node.start_mark.column
            ends = [layout.with_comments_below(end, column) for end in ends]
            starts = [key.start_mark.line for key, _ in node.value]
            if order := self.order(node, shapes):
                layout.move(column, starts, ends, order)
        return ends[-1]


# Comments behind values.


def _with_comments_aligned(text: str, root: yaml.Node) -> str:
    """Comments at the ends of lines that follow one another stand below each other."""
    layout = _Layout(text)
    ends = dict.fromkeys(range(len(layout.lines)), 0)
    for node in _all(root):
        if isinstance(node, yaml.ScalarNode):
            first, last = node.start_mark.line, layout.last_line(node)
            block = node.style in ("|", ">")
            ends |= dict.fromkeys(range(first, last + block), _WIDTH * _WIDTH)
            ends[last] = max(ends[last], node.end_mark.column)
    together: list[tuple[int, str, str]] = []
    for number, line in enumerate([*layout.lines, ""]):
        start = line.find(" #", ends.get(number, 0))
        if start >= 0 and line.lstrip()[0] != "#":
            together.append((number, line[:start].rstrip(), line[start + 1 :]))
            continue
        column = max((len(before) for _, before, _ in together), default=0)
        if any(column + 2 + len(comment) > _WIDTH for _, _, comment in together):
            column = 0
        for one, before, comment in together:
            layout.lines[one] = f"{before:<{column}}  {comment}"
        together = []
    return "\n".join(layout.lines) + "\n"
