"""Text of a YAML file -> nodes, by way of the parser's events.

Events are taken as they come and nothing of YAML's own is done with them: no constructor runs, no
scalar is guessed at, no alias is followed. What could make a small file large, or make it mean
something else than it says, is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

import yaml

from rulebook.limits import (
    DEEPEST,
    LONGEST_LINE,
    LONGEST_TEXT,
    MOST_FAULTS,
    MOST_ITEMS,
    MOST_VALUES,
    beyond,
)
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode
from rulebook.loading.safe_text import KEPT_FILES, Unreadable, faults_of_scalar
from rulebook.problems import Problem, Span

#: From two positions in a text to their place in the file.
Placing: TypeAlias = Callable[[int, int], Span]


class _Slip(NamedTuple):
    """A common mistake in YAML, with its message and hint.

    It is recognised by the parser's error, which matches `said`, and the line, which matches
    `typed`. Its place is that of the group in `typed` or, without one, where the parser gave up, or
    with `at_start` where the value began.
    """

    said: str
    typed: str
    message: str
    hint: str
    at_start: bool = False


#: A tab or a no-break space where only spaces may stand.
_NO_SPACE = re.compile("[ -]*(?:[a-z_]+:(?=\N{NO-BREAK SPACE}))?([\t\N{NO-BREAK SPACE}])")
_IN_QUOTES = 'put the whole text in quotes: "..."'
_SLIPS = (
    _Slip(
        "block mapping|flow",
        r'[^"]*"[^"]*[0-9](")',
        "a sign for inches, which ends the text in quotes",
        "write 12in where it is a value, {12in} within a text",
    ),
    _Slip("", r"[^“]*(?:: |- |[,\[]) *(“)", "curly quotes around a text", 'write "..."'),
    _Slip(
        "mapping values", r"[ -]*+[^:]+: .*:", "a colon inside a text without quotes", _IN_QUOTES
    ),
    _Slip(
        "mapping values",
        "",
        "this line is indented deeper than the one above, or that one has no colon",
        "begin the keys and the items of a list in one column, each key with a colon behind it",
    ),
    _Slip(
        "flow|quoted",
        r"[^=]*?[{,] *\w+ (=) ",
        "a = where a colon belongs",
        "write a colon and a space: name: value",
    ),
    _Slip(
        "escape",
        "",
        "a backslash with a meaning that YAML does not know",
        "write \\\\ for a backslash, or put the text in single quotes",
    ),
    _Slip("quoted", "", "this quote is never closed", "close it at the end of the text", True),
    _Slip(
        "flow",
        r"[^#]*[{\[][^#}\]]* (#)",
        "the sign # begins a remark, which hides the end of the braces",
        'put the text with # in quotes: "..."',
    ),
    _Slip(
        "flow",
        "",
        "a bracket that is never closed, closed twice, or belongs to a text",
        'close it, put commas between its values, or put the whole text in quotes: "..."',
        True,
    ),
    _Slip(
        "cannot start any token|alias|anchor",
        "",
        "a text cannot begin with this sign",
        _IN_QUOTES,
        True,
    ),
    _Slip("expected ':'", "", "a key without a colon", "write a colon and a space after it", True),
    _Slip(
        "block.*within",
        r"[^']*: '[^']*[^\W\d_](')[^\W\d_]",
        "an apostrophe, which ends the text in quotes",
        'put the whole text in double quotes: "..."',
    ),
    _Slip("block.*within", "", "words behind the end of a value", _IN_QUOTES),
    _Slip(
        "block",
        "",
        "a line that is not indented like those around it",
        "begin it in the same column as the keys or items that it belongs to",
    ),
    _Slip(
        "",
        "",
        "this is not YAML that can be read",
        "look for a missing quote, bracket or colon here or on the line above",
    ),
)


def explain(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    """Converts an error of the YAML parser, at which reading ended, to a fault.

    `text` is the text of the file, `shown` its path in reports.
    """
    lines = text.splitlines() or [""]
    marks = [getattr(error, name, None) for name in ("problem_mark", "context_mark")]
    at, start = (_within(lines, mark) if mark else None for mark in marks)
    at = at or start or (0, 0)
    said = f"{getattr(error, 'context', None)}: {getattr(error, 'problem', error)}"
    said += " within a line" if lines[at[0]][: at[1]].strip() else ""
    if "nesting depth" in said:  # libyaml looks ahead, and may find it before we do
        return _too_deep(Span(shown, at[0] + 1, at[1] + 1, at[0] + 1, at[1] + 2))
    for number in sorted({max(at[0] - 1, 0), at[0], (start or at)[0]}):
        if found := _NO_SPACE.match(lines[number]):
            here = Span(shown, number + 1, found.start(1) + 1, number + 1, found.end(1) + 1)
            message = "a tab or a no-break space among the spaces"
            return Problem("R106", message, here, "plain spaces", "replace it by spaces")
    for slip, place in product(_SLIPS, (at, start or at)):
        typed = re.match(slip.typed, lines[place[0]])
        if typed and re.search(slip.said, said):
            line, column = (start or at) if slip.at_start else place
            column = typed.start(1) if typed.re.groups else column
            here = Span(shown, line + 1, column + 1, line + 1, column + 2)
            return Problem("R106", slip.message, here, hint=slip.hint)
    raise AssertionError("the last slip matches everything")


def _too_deep(span: Span) -> Problem:
    return beyond(DEEPEST, "values in each other", span, "look for brackets that are not closed")


def _within(lines: list[str], mark: yaml.Mark) -> tuple[int, int]:
    """Returns line and column of a mark, from 0, moved to the end of the text if it is past it."""
    if mark.line < len(lines):
        return mark.line, mark.column
    return len(lines) - 1, len(lines[-1])


@lru_cache(maxsize=KEPT_FILES)
def read_yaml(text: str, shown: str) -> tuple[Node | None, tuple[Problem, ...]]:
    """Parses a YAML file; returns its root node, None if nothing could be read, and the faults.

    Results are cached: a watch reads all files again, of which only one has changed.
    """
    root, problems = _EventReader(text, shown).read()
    return root, tuple(problems)


class _EventReader:
    """Builds the nodes of one file in a single pass over the events of the YAML parser."""

    def __init__(self, text: str, shown: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.shown = shown
        self.problems: list[Problem] = []
        self.events: Iterator[yaml.Event] = yaml.parse(text, Loader=yaml.CSafeLoader)
        self.nodes = 0

    def read(self) -> tuple[Node | None, list[Problem]]:
        try:
            root = self._document()
        except Unreadable as fault:
            return None, [*self.problems, *fault.problems]
        except yaml.YAMLError as error:
            slip = explain(error, self.text, self.shown)
            return None, [*(fault for fault in self.problems if not _comes_of(fault, slip)), slip]
        if root is None and not self.problems:
            hint = "write in it or delete it"
            self._fault("R106", "the file is empty", Span(self.shown), hint=hint)
        return root, self.problems

    def _document(self) -> Node | None:
        root: Node | None = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.NodeEvent):
                root = self._node(event, 0)
                self._expect_something(root)
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if event.tags or event.version or documents > 1:
                    message, here = (
                        "a directive or a second document begins here",
                        self._span(event),
                    )
                    hint = "delete the line, or cut the file in two"
                    self._fault("R109", message, here, "one document a file", hint)
                if documents > 1:
                    raise Unreadable(self.problems.pop())
        return root

    def _fault(
        self, code: str, message: str, span: Span, expected: str = "", hint: str = ""
    ) -> None:
        self.problems.append(Problem(code, message, span, expected, hint))

    def _span(self, event: yaml.Event) -> Span:
        start, end = event.start_mark, event.end_mark
        if start is None or end is None:
            return Span(self.shown)
        return Span(self.shown, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _node(self, event: yaml.Event, depth: int) -> Node:
        """Reads the node that begins with an event, `depth` levels deep.

        Reports aliases, anchors and tags. Raises Unreadable if there are too many nodes, levels or
        faults.
        """
        if len(self.problems) > MOST_FAULTS:
            raise Unreadable(self.problems.pop())
        span = self._span(event)
        if isinstance(event, yaml.AliasEvent):
            self._sign(f"*{event.anchor}", "R107", span)
            return Scalar(f"*{event.anchor}", False, span)
        self._count(event, span)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, span)
        if depth >= DEEPEST:
            raise Unreadable(_too_deep(span))
        flow = bool(getattr(event, "flow_style", False))
        read = self._mapping if isinstance(event, yaml.MappingStartEvent) else self._sequence
        return read(span, flow, depth + 1)

    def _count(self, event: yaml.Event, span: Span) -> None:
        """Counts a node, and reports its anchor or tag.

        Raises Unreadable if there are too many nodes.
        """
        self.nodes += 1
        if self.nodes > MOST_VALUES:
            raise Unreadable(beyond(MOST_VALUES, "values in a file", span))
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor is not None:
            self._sign(f"&{anchor}", "R107", span)
        if tag is not None:
            words = self.lines[span.line - 1][span.column - 1 : span.column + 59].split()
            self._sign(words[0] if words else "!", "R108", span)

    def _sign(self, written: str, code: str, span: Span) -> None:
        """Reports an alias, an anchor or a tag, none of which is supported."""
        message = f"an alias, anchor or tag of YAML stands here: {written:.40}"
        expected = "each value written out, or =table.row.field to take it from a table"
        hint = f"put a text that begins with {written[0]} in quotes"
        self._fault(code, message, span, expected, hint)

    def _scalar(self, event: yaml.ScalarEvent, span: Span) -> Scalar:
        text = event.value
        if len(text) > LONGEST_TEXT:
            hint = "move it to a Markdown chapter"
            self.problems.append(beyond(LONGEST_TEXT, "characters in a text", span, hint))
            text = text[:LONGEST_LINE]
        self.problems += faults_of_scalar(text, span, placed_in_scalar(text, span, self.lines))
        return Scalar(text, not event.style, span)

    def _sequence(self, start: Span, flow: bool, depth: int) -> SequenceNode:
        items: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            item = self._node(event, depth)
            self._expect_something(item)
            if len(items) >= MOST_ITEMS:
                raise Unreadable(beyond(MOST_ITEMS, "items in a list", item.span))
            items.append(item)
        return SequenceNode(tuple(items), self._whole(start, flow, event, items))

    def _mapping(self, start: Span, flow: bool, depth: int) -> MappingNode:
        entries: dict[str, Entry] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(self._node(event, depth), entries)
            value = self._node(next(self.events), depth)
            if key is not None:
                self._expect_something(value, key, entries if flow else None)
                entries.setdefault(key.text, Entry(key, value))
        values = [entry.value for entry in entries.values()]
        return MappingNode(entries, self._whole(start, flow, event, values))

    def _whole(self, start: Span, flow: bool, end: yaml.Event, inside: list[Node]) -> Span:
        """Returns the place of a list or mapping, to its closing bracket or the end of its parts.

        `flow` says that it is in brackets, `end` is the event that ends it, `inside` are its parts.
        """
        last = self._span(end) if flow else inside[-1].span if inside else start
        return Span(start.path, start.line, start.column, last.end_line, last.end_column)

    def _key(self, node: Node, entries: Mapping[str, Entry]) -> Scalar | None:
        """Returns a node as a key of a mapping, or None if it is no scalar; reports faults of it.

        Faults are keys that are empty, too long, merge keys or there twice. `entries` are those of
        the mapping so far. Raises Unreadable if there are too many.
        """
        if not isinstance(node, Scalar):
            message = "a list or mapping stands where a key belongs"
            hint = "put the text in quotes if it begins with [ or {"
            self._fault("R111", message, node.span, hint=hint)
            return None
        self._expect_something(node)
        if len(node.text) > LONGEST_LINE:
            self.problems.append(beyond(LONGEST_LINE, "characters in a key", node.span))
        if node.plain and node.text == "<<":
            hint = "write the keys out, or use =table.row.field"
            self._fault("R110", "a merge key stands here", node.span, hint=hint)
        if first := entries.get(node.text):
            self.problems.append(twice(node.text, node.span, first.key.span))
        if len(entries) >= MOST_ITEMS:
            raise Unreadable(beyond(MOST_ITEMS, "keys in a mapping", node.span))
        return node

    def _expect_something(
        self, node: Node, key: Scalar | None = None, braces: dict[str, Entry] | None = None
    ) -> None:
        """Reports a node that is empty, at the place of its key if it has one.

        Other nodes are accepted. `braces` are the entries so far if it is in a flow mapping.
        """
        if not isinstance(node, Scalar) or not node.plain or node.text:
            return
        hint = "write ~ if it does not apply, or indent what belongs to it"
        if key and braces is not None:
            hint = f'write "{{{key.text:.40}}}" if it is a text, or a colon after a key'
            before = next(reversed(braces.values()), None)
            if before and isinstance(before.value, Scalar):
                if not before.value.text:
                    return  # one more piece of a text that commas cut
                hint = _uncut(before.key.text, before.value.text, key.text)
        where = f"after '{key.text:.40}:'" if key else "here"
        self._fault("R112", f"nothing stands {where}", (key or node).span, "a value", hint)


def twice(key: str, span: Span, first: Span) -> Problem:
    """Makes the fault of a key, or an id or heading of a spreadsheet, that was there before.

    `first` is the place where it stands first.
    """
    message, also = f"'{key:.40}' stands twice", (first, "it stands here first")
    hint = "delete one of them, or write the line that begins a new entry"
    if key == "say":
        hint = "write '- ' before it if a step begins here, or delete one of them"
    return Problem("R105", message, span, "each key once", hint, also)


#: Lines after which the reading ends that a key without a value has spoilt.
_SOON = 3


def _comes_of(fault: Problem, slip: Problem) -> bool:
    """Tells whether a fault is only a consequence of the mistake that ended the reading.

    Such a fault is on the same line, or is a key without a value shortly above.
    """
    if fault.span is None or slip.span is None:
        return False
    above = slip.span.line - fault.span.line
    return above == 0 or (fault.code == "R112" and 0 < above <= _SOON)


def placed_in_scalar(text: str, span: Span, lines: list[str]) -> Placing:
    """Returns a function from start and end of a part of a scalar's text to its place.

    It finds the part even if YAML has folded the text. `span` is the place of the scalar, and
    `lines` are those of the file.
    """

    def place(start: int, end: int) -> Span:
        words = text[start:end]
        return locate(lines, span, words, text.count(words, 0, start))

    return place


def locate(lines: list[str], span: Span, words: str, nth: int = 0) -> Span:
    """Returns the place of the nth occurrence (from 0) of a text inside a span of the file.

    `lines` are those of the file. Returns the whole span if the text does not stand there as it is:
    it may be escaped or broken over two lines.
    """
    seen = 0
    for number in range(span.line, min(span.end_line, len(lines)) + 1):
        line = lines[number - 1]
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(line)
        while (start := line.find(words, start, end)) >= 0:
            if seen == nth:
                return Span(span.path, number, start + 1, number, start + 1 + len(words))
            seen, start = seen + 1, start + 1
    return span


def _uncut(key: str, text: str, rest: str) -> str:
    """Makes the hint for a text or number in braces that was split at its comma.

    `text` is the part before the comma, `rest` the part after it.
    """
    number = re.fullmatch(r"([0-9]{1,6}),([0-9]{1,6} ?[a-z]{0,6})", f"{text},{rest}")
    if number:
        sign = "" if re.fullmatch("[0-9]{3}", number[2]) else "."  # of thousands, or decimal
        return f"write {key:.40}: {number[1]}{sign}{number[2]}"
    return f'put a text with a comma in quotes: {key:.40}: "{text:.60}, {rest:.40}"'
