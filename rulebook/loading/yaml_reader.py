"""Text of a YAML file -> nodes, by way of the parser's events.

Events are taken as they come and nothing of YAML's own is done with them: no constructor runs, no
scalar is guessed at, no alias is followed. What could make a small file large, or make it mean
something else than it says, is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import yaml

from rulebook.faults import Words, words_of
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode
from rulebook.loading.safe_text import (
    KEPT_FILES,
    forbidden_in_scalar,
    html_in,
    html_problem,
    unprintable_characters,
)
from rulebook.model.ruleset import Collections
from rulebook.problems import MOST_FAULTS, Problem, Span


@dataclass(frozen=True, slots=True)
class _Complaint:
    """What the parser said, where it gave up, and where it had begun; lines and columns from 0."""

    said: str
    context: str
    lines: list[str]
    at: tuple[int, int]
    opened: tuple[int, int]

    @property
    def line(self) -> str:
        return self.lines[self.at[0]]

    @property
    def here(self) -> str:
        return self.line[self.at[1] : self.at[1] + 1]


def explain(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    """One fault for one complaint; reading of the file ends with it."""
    complaint = _read(error, text)
    if "nesting depth" in complaint.said:  # libyaml looks ahead, and may find it before we do
        slip, (line, column) = _slip("R102 deep values", most=DEEPEST), complaint.at
    else:
        slip, (line, column) = _find(complaint)
    here = Span(shown, line + 1, column + 1, line + 1, column + 2)
    return Problem(slip.code, slip.message, here, slip.expected, slip.hint)


def _slip(key: str, /, **values: object) -> Words:
    return words_of(key, values)


def _read(error: yaml.YAMLError, text: str) -> _Complaint:
    lines = text.splitlines() or [""]
    marks = [getattr(error, name, None) for name in ("problem_mark", "context_mark")]
    at, opened = (_within(lines, mark) if mark else None for mark in marks)
    at = at or opened or (0, 0)
    context = str(getattr(error, "context", None) or "")
    if "flow node" in context and marks[0] and marks[0].line >= len(lines):
        # Nothing follows the bracket, and the parser tells where the file ends.
        opened = _never_closed(text) or opened
    return _Complaint(
        str(getattr(error, "problem", None) or error),
        context,
        lines,
        at,
        opened or at,
    )


def _never_closed(text: str) -> tuple[int, int] | None:
    """Where the last bracket stands that is open at the end of a text."""
    open_brackets: list[yaml.Mark] = []
    with suppress(yaml.YAMLError):
        for token in yaml.scan(text, Loader=yaml.CSafeLoader):
            if isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken):
                open_brackets.append(token.start_mark)
            elif isinstance(token, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken):
                del open_brackets[-1:]
    return (open_brackets[-1].line, open_brackets[-1].column) if open_brackets else None


def _within(lines: list[str], mark: yaml.Mark) -> tuple[int, int]:
    """A place in the text; past its end, the end of the last line."""
    if mark.line < len(lines):
        return mark.line, mark.column
    return len(lines) - 1, len(lines[-1])


def _find(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    """The slip behind a complaint, and the line and column where it is told."""
    said, context = complaint.said, complaint.context
    if "cannot start any token" in said or re.match(r" *\t", complaint.line):
        return _bad_start(complaint), complaint.at
    if slip := _of_print(complaint):
        return slip
    if "mapping values are not allowed" in said:
        return _stray_colon(complaint)
    equals = re.search(r"[{,] *\w+ (=) ", complaint.lines[complaint.opened[0]])
    if equals and ("flow" in context or "quoted scalar" in context):
        return _slip("R106 equals"), (complaint.opened[0], equals.start(1))
    if "quoted scalar" in context:
        return _quotes(complaint)
    if "flow" in context:
        return _brackets(complaint)
    if "could not find expected ':'" in said:
        return _slip("R106 no colon"), complaint.opened
    if "alias" in context or "anchor" in context:
        sign = complaint.lines[complaint.opened[0]][complaint.opened[1] :][:1]
        return _slip("R106 sign", sign=sign), complaint.opened
    if "block mapping" in context and "expected key" in said:
        return _broken_mapping(complaint), complaint.at
    if "block collection" in context or "block sequence" in context:
        return _slip("R106 beside a list"), complaint.at
    if "block scalar" in context:
        return _slip("R106 block"), complaint.at
    return _slip("R106 unread"), complaint.at


def _of_print(complaint: _Complaint) -> tuple[Words, tuple[int, int]] | None:
    """Signs that are right in a book and mean something else, or nothing, to YAML."""
    for number in dict.fromkeys((complaint.at[0], complaint.opened[0], complaint.at[0] - 1)):
        line = complaint.lines[max(number, 0)]
        if space := re.match(r"[ -]*(?:[a-z_]+:)?(\N{NO-BREAK SPACE})", line):
            return _slip("R106 no-break space"), (number, space.start(1))
    for number, column in (complaint.at, complaint.opened):
        before = complaint.lines[number][:column].rstrip()
        if (inches := re.search('([0-9]{1,6})"$', before)) and before.count('"') > 1:
            at = number, inches.end() - 1
            return _slip("R106 inches", number=inches[1]), at
    quoted = re.search(r"(?:: |- |[,\[]) *(“([^“”]*)”)", complaint.line)
    if quoted and quoted.start(1) <= complaint.at[1] <= quoted.end(1):
        return _slip("R106 curly quotes", text=quoted[2]), (complaint.at[0], quoted.start(1))
    return None


def _bad_start(complaint: _Complaint) -> Words:
    here, line = complaint.here, complaint.line
    if here == "\t" or "\t" in line[: len(line) - len(line.lstrip())]:
        return _slip("R106 tab")
    return _slip("R106 beginning", sign=here)


_ITEM = re.compile(r"\s*+(?:- )*+")


def _stray_colon(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    """A second colon in a text, or a line that goes deeper below a value."""
    lines, (number, column) = complaint.lines, complaint.at
    before = complaint.line[:column]
    begun = _ITEM.match(before)
    key, _, value = before[begun.end() if begun else 0 :].partition(":")
    if key and not key[0].isspace() and value[:1].isspace():
        return _slip("R106 colon in a text"), complaint.at
    above = number - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    for item in (above, number):
        if item >= 0 and re.match(r"\s*- ", lines[item]):
            return _slip("R106 item"), (item, len(lines[item]) - len(lines[item].lstrip()))
    if above >= 0 and not re.search(r":(\s|$)", lines[above]):
        return _slip("R106 key"), (above, len(lines[above]) - len(lines[above].lstrip()))
    return _slip("R106 indented deeper"), (number, len(before) - len(before.lstrip()))


def _quotes(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    if "escape" in complaint.said:
        return _slip("R106 backslash"), complaint.at
    return _slip("R106 quote"), complaint.opened


def _brackets(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    line, column = complaint.opened
    bracket = complaint.lines[line][column : column + 1]
    closing = {"{": "}", "[": "]"}.get(bracket, "} or ]")
    here = complaint.here
    if here and here in "}]" and "node" in complaint.context:
        return _slip("R106 closes nothing", bracket=here), complaint.at
    before = complaint.lines[line][: complaint.at[1]]
    name = re.search(r": *([a-z_]+)$", before[column:])
    if here == "[" and complaint.at[0] == line and name:
        places = re.match(r"[^\]]*\]?", complaint.lines[line][complaint.at[1] :])
        text = name[1] + (places[0] if places else "")
        return _slip("R106 look-up", text=text), complaint.at
    if here and here not in "}]" and complaint.at[0] == line:
        return _slip("R106 no comma", bracket=bracket, closing=closing), complaint.at
    return _slip("R106 bracket", bracket=bracket, closing=closing), complaint.opened


def _broken_mapping(complaint: _Complaint) -> Words:
    before = complaint.line[: complaint.at[1]].rstrip()
    if before.endswith(("}", "]")):
        return _slip("R106 words after a bracket", bracket=before[-1])
    return _slip("R106 after a quoted text" if before else "R106 beside keys")


#: Lines after which the reading ends that a line too far left has spoilt.
_SOON = 3
DEEPEST = 64
MOST_NODES = 50_000
MOST_KEYS = 5_000
LONGEST_SCALAR = 4_000
LONGEST_KEY = 200
#: Keys of a file that hold lists and mappings, to which ~ says nothing.
_HOLDING_MORE = {
    *Collections.model_fields,
    "credits",
    "scale",
    "chapters",
    "annexes",
    "appendices",
    "documents",
}


class _Stop(Exception):
    """The rest of the file is not worth reading."""


@dataclass(slots=True)
class _Open:
    """A mapping or sequence whose end has not been seen; `key` waits for its value."""

    span: Span
    mapping: bool
    flow: bool
    entries: dict[str, Entry] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    key: Scalar | None = None
    key_spoilt: bool = False


class _Cut(NamedTuple):
    """A text in braces that its comma cuts: the number of its fault, and the last of its pieces."""

    number: int
    entry: Entry
    text: str
    end: Scalar


@lru_cache(maxsize=KEPT_FILES)
def read_yaml(text: str, shown: str) -> tuple[Node | None, tuple[Problem, ...]]:
    """The root node of a file and its faults; the node is None where nothing could be read.

    What was read last is kept: a watch reads the same files again, but for one of them.
    """
    root, problems = _Reader(text, shown).read()
    return root, tuple(problems)


class _Reader:
    """One pass over the events of one file."""

    def __init__(self, text: str, shown: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.shown = shown
        self.problems: list[Problem] = []
        self.open: list[_Open] = []
        self.cut: _Cut | None = None
        self.root: Node | None = None
        self.nodes = 0
        self.documents = 0

    def read(self) -> tuple[Node | None, list[Problem]]:
        try:
            for event in self._events():
                self._take(event)
                if len(self.problems) > MOST_FAULTS:
                    return None, self.problems
        except _Stop:
            return None, self.problems
        except yaml.YAMLError as error:
            slip = explain(error, self.text, self.shown)
            slip = self._not_below(slip) or slip
            return None, [*(fault for fault in self.problems if not _same_line(fault, slip)), slip]
        if self.root is None and not self.problems:
            self._fault("R106 empty file", Span(self.shown))
        return self.root, self.problems

    def _not_below(self, slip: Problem) -> Problem | None:
        """The line below a key without a value, if it has as many spaces before it as the key.

        Where the reading ends soon after, that line was meant to stand below the key.
        """
        key = self.problems[-1].span if self.problems else None
        if key is None or self.problems[-1].code != "R112" or key.line == len(self.lines):
            return None
        above, below = self.lines[key.line - 1 : key.line + 1]
        depths = {len(line) - len(line.lstrip()) for line in (above, below)}
        deeper = slip.message == words_of("R106 indented deeper", {}).message
        near = deeper and slip.span and slip.span.line <= key.line + _SOON
        if not near or len(depths) > 1 or not below.strip() or not above.endswith(":"):
            return None
        self.problems.pop()
        at = depths.pop() + 1
        span = Span(self.shown, key.line + 1, at, key.line + 1, at + 1)
        return Problem.of("R106 not below", span, key=above.strip()[:-1])

    def _events(self) -> Iterator[yaml.Event]:
        return yaml.parse(self.text, Loader=yaml.CSafeLoader)

    def _fault(self, key: str, span: Span, /, **values: Any) -> None:
        self.problems.append(Problem.of(key, span, **values))

    def _span(self, event: yaml.Event) -> Span:
        start, end = event.start_mark, event.end_mark
        if start is None or end is None:
            return Span(self.shown)
        return Span(self.shown, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _take(self, event: yaml.Event) -> None:
        match event:
            case yaml.DocumentStartEvent():
                self._start_document(event)
            case yaml.AliasEvent():
                self._fault("R107 alias", self._span(event), name=str(event.anchor))
                self._add(Scalar("", True, self._span(event)), usable=False)
            case yaml.ScalarEvent():
                self._count(event)
                self._scalar(event)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._count(event)
                self._descend(event)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._ascend(event)

    def _start_document(self, event: yaml.DocumentStartEvent) -> None:
        self.documents += 1
        if event.tags or event.version:
            self._fault("R109 directive", self._span(event))
        if self.documents > 1:
            self._fault("R109 second document", self._span(event))
            raise _Stop

    def _count(self, event: yaml.NodeEvent) -> None:
        """Count a node, and refuse the anchor or tag that may hang on it."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self._fault("R102 many values", self._span(event), most=MOST_NODES)
            raise _Stop
        if event.anchor is not None:
            self._fault("R107 anchor", self._span(event), name=event.anchor)
        tag: str | None = getattr(event, "tag", None)
        if tag is not None:
            self._fault("R108 tag", self._span(event), tag=self._written(event))

    def _written(self, event: yaml.NodeEvent) -> str:
        """A node as it is written, up to the first space."""
        span = self._span(event)
        words = self.lines[span.line - 1][span.column - 1 : span.column + 59].split()
        return words[0][:40] if words else ""

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        span = self._span(event)
        scalar = Scalar(event.value, not event.style, span)
        if len(scalar.text) > LONGEST_SCALAR:
            scalar = self._too_long(scalar)
        if scalar.plain and not scalar.text:
            self._empty(span)
        if found := html_in(scalar.text):
            self.problems.append(html_problem(found[0], locate(self.lines, span, found[0])))
        if event.style == '"' and (fault := forbidden_in_scalar(scalar.text, span)):
            self.problems.append(fault)
        else:
            self.problems += unprintable_characters(scalar.text, self._placing(scalar))
        self._add(scalar)

    def _placing(self, scalar: Scalar) -> Callable[[int, int], Span]:
        """Where a part of a scalar stands in the file, escaped or folded as it may be there."""

        def place(start: int, end: int) -> Span:
            words = scalar.text[start:end]
            return locate(self.lines, scalar.span, words, scalar.text.count(words, 0, start))

        return place

    def _too_long(self, scalar: Scalar) -> Scalar:
        self._fault("R102 long text", scalar.span, count=len(scalar.text), most=LONGEST_SCALAR)
        return Scalar(scalar.text[:LONGEST_KEY], scalar.plain, scalar.span)

    def _empty(self, span: Span) -> None:
        """A key, or the dash of a list, with nothing after it; the place told is the key's."""
        key = self.open[-1].key if self.open else None
        if not key:
            self._fault("R112 nothing", span)
        elif self.open[-1].flow and self.open[-1].mapping and self._is_cut(key):
            return
        elif self.open[-1].flow:
            write = _for_braces(key.text[:40])
            self._fault("R112 braces", key.span, key=key.text, write=write)
        elif len(self.open) == 1 and key.text in _HOLDING_MORE:
            self._fault("R112 nothing held", key.span, key=key.text)
        else:
            self._fault("R112 nothing after", key.span, key=key.text)

    def _is_cut(self, key: Scalar) -> bool:
        """Whether a key in braces is the rest of the text before it, which ends at its comma."""
        before = next(reversed(self.open[-1].entries.values()), None)
        after = self.lines[key.span.end_line - 1][key.span.end_column - 1 :].lstrip()
        if before is None or after.startswith(":") or re.search(r"[)\]]", key.text):
            return False
        if self.cut is not None and self.cut.end is before.key:
            # A text with several commas is told once, and whole.
            del self.problems[self.cut.number]
            text = f"{self.cut.text}, {key.text}"
            self.cut = _Cut(len(self.problems), self.cut.entry, text, key)
        elif isinstance(before.value, Scalar) and before.value.plain and before.value.text:
            text = f"{before.value.text}, {key.text}"
            self.cut = _Cut(len(self.problems), before, text, key)
        else:
            return False
        entry = self.cut.entry
        line = self.lines[entry.value.span.line - 1][entry.value.span.column - 1 :]
        if number := re.match("([0-9]{1,6},[0-9]{1,6} ?[a-z]{0,6}) {0,3}[,}]", line):
            # A comma before three digits is that of thousands.
            write = number[1].replace(",", "" if re.search(",[0-9]{3}$", number[1]) else ".")
            self._fault(
                "R112 decimal comma",
                entry.value.span,
                key=entry.key.text,
                number=number[1],
                write=write,
            )
            return True
        self._fault("R112 comma", entry.value.span, key=entry.key.text, text=self.cut.text)
        return True

    def _descend(self, event: yaml.NodeEvent) -> None:
        span = self._span(event)
        if len(self.open) >= DEEPEST:
            self._fault("R102 deep values", span, most=DEEPEST)
            raise _Stop
        mapping = isinstance(event, yaml.MappingStartEvent)
        flow = bool(getattr(event, "flow_style", False))
        self.open.append(_Open(span, mapping, flow))

    def _ascend(self, event: yaml.Event) -> None:
        done = self.open.pop()
        children = [entry.value for entry in done.entries.values()] if done.mapping else done.items
        last = self._span(event) if done.flow else children[-1].span if children else done.span
        start = done.span
        span = Span(start.path, start.line, start.column, last.end_line, last.end_column)
        if done.mapping:
            self._add(MappingNode(done.entries, span))
        else:
            self._add(SequenceNode(tuple(done.items), span))

    def _add(self, node: Node, usable: bool = True) -> None:
        """Put a finished node where it belongs; an unusable one keeps keys and values in step."""
        if not self.open:
            self.root = node if usable else None
            return
        parent = self.open[-1]
        if not parent.mapping:
            parent.items.append(node)
        elif parent.key is None and not parent.key_spoilt:
            self._key(parent, node)
        else:
            self._value(parent, node)

    def _key(self, parent: _Open, node: Node) -> None:
        if not isinstance(node, Scalar):
            parent.key_spoilt = True
            self._fault("R111 no text", node.span)
            return
        parent.key = node
        if len(node.text) > LONGEST_KEY:
            self._fault("R102 long key", node.span, count=len(node.text), most=LONGEST_KEY)
        if node.plain and node.text == "<<":
            self._fault("R110 merge key", node.span)
        if first := parent.entries.get(node.text):
            self.problems.append(
                Problem.of("R105 key twice", node.span, also=first.key.span, key=node.text)
            )
        if len(parent.entries) >= MOST_KEYS:
            self._fault("R102 many keys", node.span, most=MOST_KEYS)
            raise _Stop

    def _value(self, parent: _Open, node: Node) -> None:
        if parent.key is not None:
            parent.entries.setdefault(parent.key.text, Entry(parent.key, node))
        parent.key, parent.key_spoilt = None, False


def _same_line(fault: Problem, slip: Problem) -> bool:
    """Whether a fault stands on the line of the slip that ended the reading, and so comes of it."""
    return bool(fault.span and slip.span and fault.span.line == slip.span.line)


def locate(lines: list[str], span: Span, words: str, nth: int = 0) -> Span:
    """Where the nth occurrence of some words stands inside a span; `lines` are those of the file.

    The whole span where they do not stand there as such: escaped, or broken over two lines.
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


def _for_braces(text: str) -> str:
    """What to write for a word between braces that has no value: it shows what was meant."""
    name, sign, value = (part.strip() for part in re.split("([:=]|$)", text, maxsplit=1))
    if sign and value:
        return f"write {{{name}: {value}}}, with a space after the colon"
    if any(text.count(left) < text.count(right) for left, right in ("()", "[]")):
        return 'put the whole expression in quotes: "max(0, die - 2)"'
    return f'write "{{{text}}}" if this is a binding, or a colon and a value after it'
