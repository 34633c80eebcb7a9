"""Texts with braces -> the bindings and links in them, the words of plain texts, and faults.

`{name.path}` stands for a value and `{rule: heading}` for a cross-reference, in code spans too.
`\\{` is a brace; `{{ }}` and `{% %}` are text, since prose is never a Jinja template. Anything
else in braces that begins with a letter is reported as a slip.

Titles, headings and cells of text are bound here once, as soon as the collections are typed:
contents, sheets, cards, charts, odds and JSON meet only words. Prose is bound where it is printed,
since its values may still have to be computed, and are marked up.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any, TypeAlias

from rulebook import quantities
from rulebook.limits import LONGEST_LINE, LONGEST_TEXT, MOST_FAULTS, beyond
from rulebook.loading.nodes import circle
from rulebook.loading.yaml_reader import Placing, placed_in_scalar
from rulebook.markdown_reader import links_in, may_lead_to
from rulebook.model.cells import Cell
from rulebook.model.entities import Status
from rulebook.model.lookup import (
    Found,
    LookupFault,
    PathPart,
    computed_in,
    find,
    name_in,
    parse_path,
    printed,
)
from rulebook.model.maps import TablePoint
from rulebook.model.prose import BLOCK_KINDS, Binding, Block, Chart, Code, Remark, Text
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import LENGTH_IN_BRACES, Prose, Unbound, UnboundLine
from rulebook.model.sequence_and_examples import DICE
from rulebook.model.walk import texts_of, with_parts
from rulebook.problems import Problem, Span, second_place
from rulebook.quantities import Length
from rulebook.suggestions import nearest, some_words

_DIRECTIVE = re.compile(r"([A-Za-z_]\w*+)\s*+:\s*+(.*)", re.DOTALL)
_VALUE = re.compile(r"[a-z][a-z0-9_]*(\[[^\[\]]*\])?(\.[A-Za-z0-9_-]+)*")
#: What ends a binding: its brace; another brace or an empty line leaves it open.
_END = re.compile(r"[{}]|\n[^\S\n]*+\n")
_REMARKS = ("read", "house", "missing")
_PLACED = (*BLOCK_KINDS, "chart")
_KNOWN = ("rule", *_PLACED, *_REMARKS)

_NAMED_VALUE = "a value, such as {canister_cone.length} or {musketry[8-16in, first]}"
_PICTURE = re.compile(r"!\[[^\[\]]*\]?")
#: What may stand behind the target of a link.
_BEHIND = frozenset(("", *" \t\n)>\"'"))


def heading_id(text: str) -> str:
    """Normalises the id of a heading for comparison: hyphens become underscores."""
    return text.strip().replace("-", "_")


def placed_at(text: str, span: Span) -> Placing:
    """Returns a function from start and end of a part of `text` to its place in the file.

    The text begins at the start of `span` and stands in the file exactly as it is, unescaped.
    """

    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(index: int) -> tuple[int, int]:
        line = bisect_right(starts, index) - 1
        first = span.column if line == 0 else 1
        return span.line + line, first + index - starts[line]

    def place(start: int, end: int) -> Span:
        return Span(span.path, *position(start), *position(end))

    return place


def bindings_of(
    text: str, span: Span, place: Placing | None = None
) -> tuple[tuple[Binding, ...], tuple[Problem, ...]]:
    """Finds the bindings in braces of a text, in order, and the faults of its braces.

    `place` gives the place of a part of the text; without it the text is taken to begin at `span`
    and to stand in the file as it is.
    """
    place = place or placed_at(text, span)
    bindings: list[Binding] = []
    problems: list[Problem] = []
    for start, end in _braces(text):
        read = _read(text, start, end, place)
        if isinstance(read, Binding):
            bindings.append(read)
        else:
            problems.append(read)
        if len(problems) > MOST_FAULTS:
            break
    return tuple(bindings), tuple(problems)


def _braces(text: str) -> Iterator[tuple[int, int]]:
    """Yields start and end of each `{letter...}` and `{length}`; if unclosed, the start twice.

    Escaped braces, `{{...}}` and `{%...%}` are skipped.
    """
    at = 0
    # Where no }} or %} follows, none is looked for again: a row of { must not cost its square.
    closings = {"{{": "}}", "{%": "%}"}
    while (at := text.find("{", at)) >= 0:
        if at and text[at - 1] == "\\":
            at += 1
        elif text[at : at + 2] in closings:
            close = text.find(closings[text[at : at + 2]], at + 2)
            if close < 0:
                del closings[text[at : at + 2]]
            at = close + 2 if close >= 0 else at + 2
        elif text[at + 1 : at + 2] == "{":
            at += 2
        elif length := LENGTH_IN_BRACES.match(text, at):
            yield at, length.end()
            at = length.end()
        elif not text[at + 1 : at + 2].isalpha():
            at += 1
        else:
            close = _closing(text, at)
            yield at, close
            at = max(close, at + 1)


def _closing(text: str, start: int) -> int:
    """Returns the index after the brace that closes the one at `start`, or `start` if none does."""
    match = _END.search(text, start + 1)
    return match.end() if match and match[0] == "}" else start


def _read(text: str, start: int, end: int, place: Placing) -> Binding | Problem:
    if end == start:
        span, hint = place(start, start + 1), "close it with }, or write \\{ for a brace"
        return Problem("R210", "this brace is never closed", span, _NAMED_VALUE, hint)
    inside = " ".join(text[start + 1 : end - 1].split())
    span = place(start, end)
    directive = _DIRECTIVE.fullmatch(inside)
    if inside[0].isdigit():
        return Binding("length", inside, start, end, span)
    if directive is None:
        if _VALUE.fullmatch(inside):
            return Binding("value", inside, start, end, span)
        message, hint = f"'{{{inside:.60}}}' names no value", "write \\{ if a brace is meant"
        word, _, target = inside.partition(" ")
        if word in _KNOWN and re.fullmatch(r"[\w-]+", target):
            hint = f"write {{{word}: {target}}}"
        elif re.search(r"[.\[]", inside) and _VALUE.fullmatch(inside.lower()):
            hint = f"write {{{inside.lower()}}}"
        return Problem("R210", message, span, _NAMED_VALUE, hint)
    word, target = directive[1], directive[2]
    if word == "rule" and target:
        return Binding("rule", heading_id(target), start, end, span)
    return _misplaced(word, target, inside, span)


def _misplaced(word: str, target: str, inside: str, span: Span) -> Problem:
    if word in (*_PLACED, *_REMARKS) and target:
        message = f"'{{{inside:.60}}}' stands inside a paragraph"
        expected = "a paragraph of its own in a chapter, a note with its words below it"
        hint = "put an empty line before it, and one after a block"
        return Problem("R211", message, span, expected, hint)
    known = ", ".join(f"{{{word}: ...}}" for word in _KNOWN)
    hint = nearest(word.lower(), _KNOWN) if word not in _KNOWN else "write what it leads to"
    return Problem("R210", f"'{{{word:.40}: ...}}' says nothing", span, known, hint)


def links_of(text: str, place: Placing) -> tuple[tuple[Binding, ...], tuple[Problem, ...]]:
    """Finds the links to headings in a Markdown text; returns them and the faults.

    Faults are pictures, and links to anything but headings, web and mail addresses. `place` gives
    the place of a part of the text.
    """
    anchors: dict[Binding, None] = {}
    problems: list[Problem] = []
    behind: dict[str, int] = {}
    pictures = _PICTURE.finditer(text)
    for link in links_in(text):
        if link.picture:
            shown = next(pictures, None)
            start, end = shown.span() if shown else (0, 1)
            message, hint = "a picture stands here", "place a cutout with {cutout: id}"
            problems.append(Problem("R213", message, place(start, end), "text", hint))
            continue
        target = link.target
        start = _stands_at(text, target, behind.get(target, 0))
        behind[target] = start + 1
        end = start + max(len(target), 1)
        span = place(start, end)
        if not may_lead_to(target):
            problems.append(_bad_link(target, span))
        elif target.startswith("#"):
            anchors[Binding("rule", heading_id(target[1:]), start, end, span)] = None
    return tuple(anchors), tuple(problems)


def _stands_at(text: str, target: str, start: int) -> int:
    """Returns the index of a link's target in a Markdown text, searching from `start`.

    If it is not found, since it is spelt in another way (escaped, say), returns `start - 1`.
    """
    if not target:
        return max(text.find("](", start) + 2, start)
    at = text.find(target, start)
    while at >= 0 and text[at + len(target) : at + len(target) + 1] not in _BEHIND:
        at = text.find(target, at + 1)
    return at if at >= 0 else max(start - 1, 0)


def _bad_link(target: str, span: Span) -> Problem:
    expected = "a heading of this ruleset, such as #musketry, or an https:// or mailto: address"
    hint = "write {rule: heading_id} to refer to a rule"
    if heading := re.fullmatch(r"[\w/ -]+\.md#([\w-]+)", target):
        hint = f"write #{heading[1]}"
    return Problem("R213", f"a link to '{target:.60}'", span, expected, hint)


#: The runs of an example by their ids, each with its names; None where it cannot be looked up.
NamesOfRuns: TypeAlias = Mapping[str, "list[str] | None"]


def value_of(ruleset: Ruleset, binding: Binding, runs: NamesOfRuns) -> Found | Problem | None:
    """Returns the value that a binding of a length or a value stands for, or a fault.

    A missing cell is a fault too, since it cannot print. Returns None if the binding names
    something in one of the `runs` of an example.
    """
    try:
        if binding.kind == "length":
            return quantities.parse_length(binding.target)
        if _is_of_run(binding.target, runs):
            return None
        found = find(ruleset, binding.target)
    except quantities.QuantityError as fault:
        return Problem("R204", fault.message, binding.span, fault.expected, fault.hint)
    except LookupFault as fault:
        if fault.code == "R301":
            fault.hint = nearest(name_in(binding.target), list(runs)) or fault.hint
        meant = fault.meant
        also = second_place(ruleset.place(*meant), f"'{meant[-1]}' stands here") if meant else None
        return Problem.at(fault, part_of(binding, binding.span, fault), also)
    if isinstance(found, Cell) and found.status is Status.MISSING:
        message = f"'{binding.target}' is missing, so there is nothing to print"
        hint = "say what is not known in a {missing: Title} note instead"
        return Problem("R306", message, binding.span, "a cell with a value", hint)
    return found


def _is_of_run(target: str, runs: NamesOfRuns) -> bool:
    """Tells whether a path begins with the id of one of the `runs`.

    Raises LookupFault if the run has no dice, result or input of the name after it, or if no name
    follows.
    """
    path = parse_path(target)
    if path.name.text not in runs:
        return False
    names = runs[path.name.text]
    if names is None:
        return True
    name, known = path.name.text, some_words(names)
    if len(path.parts) != 1 or path.keys is not None:
        here = PathPart(target, 0, len(target))
        message = f"'{name}' is a run of this example and no value itself"
        raise LookupFault("R308", message, f"such as {name}.{DICE} or {name}.{names[-1]}", "", here)
    if (part := path.parts[0]).text not in names:
        message = f"the run '{name}' has no '{part.text:.40}'"
        raise LookupFault("R302", message, known, nearest(part.text, names), part)
    return True


def part_of(binding: Binding, span: Span | None, fault: LookupFault) -> Span | None:
    """Returns the place of the part of a binding that is at fault; `span` is that of the binding.

    If the binding is not written on one line as it is, returns all of `span`.
    """
    whole = len(binding.target) + 2
    if span is None or span.line != span.end_line or span.end_column - span.column != whole:
        return span
    return span.shifted(1 + fault.start, 1 + max(fault.end, fault.start + 1))


#: A text with bindings, its address, which for a heading is ("prose", its id), and its place.
_Placed = tuple[Address, Unbound, Span]


def _unbound(ruleset: Ruleset) -> Iterator[_Placed]:
    """Yields all texts with bindings in header, options, collections and headings.

    Each comes as (address, text, place).
    """
    for address, text in texts_of(ruleset, ruleset.options):
        if isinstance(text, Unbound):
            yield address, text, ruleset.place(*address) or Span("")
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            if isinstance(section.title, Unbound):
                yield ("prose", section.id), section.title, section.span


def _with_words(ruleset: Ruleset, words: Mapping[str, str], found: list[_Placed]) -> Ruleset:
    """Returns the ruleset with each text that has bindings replaced by the text made of it.

    `words` has the new texts by the old ones, `found` the texts with bindings and their addresses.
    """
    holding = {address[:2] for address, _, _ in found}

    def put(kind: str, things: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: _replaced(thing, words) if (kind, name) in holding else thing
            for name, thing in things.items()
        }

    collections = {kind: put(kind, things) for kind, things in ruleset.collections}
    return replace(
        ruleset,
        header=_replaced(ruleset.header, words),
        options=put("options", ruleset.options),
        collections=ruleset.collections.model_copy(update=collections),
        chapters=_replaced(ruleset.chapters, words),
    )


#: What holds no text with bindings, and is most of a ruleset; so it is passed over at once.
_NO_TEXTS = {str, int, bool, Fraction, Status, type(None), Length, Prose, TablePoint, Span}
_NO_TEXTS |= {Text, Block, Chart, Remark, Code}


def _replaced(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, Unbound):
        return words.get(value, value)
    if type(value) in _NO_TEXTS:
        return value
    return with_parts(value, lambda part: _replaced(part, words))


#: Bindings of a text with what they name.
_Parts = list[tuple[Binding, Found]]


#: White space at which a line may end; a no-break space stays what it is.
_BREAKS = re.compile(r"[ \t\n]+")


def bind_texts(ruleset: Ruleset, sources: Mapping[str, str]) -> tuple[Ruleset, tuple[Problem, ...]]:
    """Fills in the values that plain texts of a ruleset bind; returns the ruleset and the faults.

    A text with a fault stays as it is. `sources` has the texts of the files by path.
    """
    found = list(_unbound(ruleset))
    if not found:
        return ruleset, ()
    binding = _TextBinder(ruleset, sources, found)
    problems = tuple(islice(binding.faults(), MOST_FAULTS))
    return _with_words(ruleset, binding.words, found), problems


@dataclass(slots=True)
class _TextBinder:
    """Fills values into the plain texts of a ruleset; equal texts are filled once."""

    ruleset: Ruleset
    sources: Mapping[str, str]
    found: list[_Placed]
    parts: dict[str, _Parts] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)

    def faults(self) -> Iterator[Problem]:
        """Binds all texts, those that other texts quote first, and yields the faults found.

        The texts made are stored in `words`. If texts quote each other in a circle, none is bound.
        """
        for _, text, span in self.found:
            yield from self._read(text, span)
        waits_for = {
            text: {str(value) for _, value in parts if isinstance(_text_in(value), Unbound)}
            for text, parts in self.parts.items()
        }
        try:
            order = [*TopologicalSorter(waits_for).static_order()]
        except CycleError as error:
            yield self._cycle(error.args[1])
            return
        for ready in order:
            self._bind(ready)
        for _, text, span in self.found:
            most = LONGEST_LINE if isinstance(text, UnboundLine) else LONGEST_TEXT
            if len(self.words.get(text, "")) > most:
                yield beyond(most, "characters in a text with its values", span)

    def _read(self, text: Unbound, span: Span) -> Iterator[Problem]:
        if span.path not in self.lines:
            self.lines[span.path] = self.sources.get(span.path, "").splitlines()
        place = placed_in_scalar(text, span, self.lines[span.path])
        bindings, faults = bindings_of(text, span, place)
        yield from faults
        parts: _Parts = []
        for binding in bindings:
            value = self._value(binding)
            if isinstance(value, Problem):
                yield value
            else:
                parts.append((binding, value))
        if not faults and len(parts) == len(bindings):
            self.parts.setdefault(text, parts)

    def _value(self, binding: Binding) -> Found | Problem:
        """Looks up what a binding in a plain text names, and returns its value.

        Returns a fault if there is none, or if it can stand only in prose.
        """
        if binding.kind == "rule":
            return _only_in_prose(binding, "a reference to a rule")
        if computed_in(self.ruleset, binding):
            return _only_in_prose(binding, "a value that is computed from the rules")
        value = value_of(self.ruleset, binding, {})
        assert value is not None, "there are no runs"
        return value

    def _bind(self, text: str) -> None:
        """Fills in the values of a text, and stores the text made in `words`.

        If one of the values is a text that could not be bound, stores nothing.
        """
        pieces: list[str] = []
        end = 0
        for binding, value in self.parts.get(text, ()):
            inner = _text_in(value)
            if isinstance(inner, Unbound) and inner not in self.words:
                return
            words = self.words[inner] if isinstance(inner, Unbound) else printed(value)
            pieces += [_plain(text[end : binding.start]), _BREAKS.sub(" ", words).strip()]
            end = binding.end
        whole = "".join([*pieces, _plain(text[end:])])
        if text in self.parts:
            self.words[text] = whole[: LONGEST_TEXT + 1]

    def _cycle(self, cycle: list[str]) -> Problem:
        names: dict[str, Address] = {}
        spans: dict[str, Span] = {}
        for address, text, span in self.found:
            if text in cycle:
                names.setdefault(text, address[:-1] if address[-1] == "value" else address)
                spans.setdefault(text, span)
        first = next(iter(names))
        start = cycle[:-1].index(first)
        turned = [*cycle[start:-1], *cycle[:start]]
        path = [".".join(map(str, names[text])) for text in [first, *reversed(turned[1:]), first]]
        return circle("texts", path, spans[first])


def _only_in_prose(binding: Binding, what: str) -> Problem:
    message, expected = f"{what} in a plain text", "values such as {ranges.musket.long}"
    hint = "put it into prose, such as about, notes or a chapter"
    return Problem("R305", message, binding.span, expected, hint)


def _text_in(value: Found) -> object:
    return value.value if isinstance(value, Cell) else value


def _plain(text: str) -> str:
    """Removes the backslashes before opening braces."""
    return text.replace("\\{", "{")
