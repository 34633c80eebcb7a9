"""Two texts, or two lists of lines -> what they share, what differs, and how much they are alike.

Whatever has no id is known again by this: words of a sentence, sentences of a text, steps, items.
A line of the edition before is None where nothing changed, and empty where there was none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from math import prod
from typing import TypeVar

#: A word, or a number with its unit. Hyphens and apostrophes stand inside of words; what is neither
#: a word nor a space is a sign by itself.
WORD = r"[−+]?\d+(?:[.,]\d+|[½¼¾⅓⅔])?[″′°%+](?!\w)|\w+(?:[’'\-]\w+)*"
#: One or two words of so few letters between changes are struck with these, or a sign that joins.
_SHORT = re.compile(r"[\w″′°%+−]{1,3}")
_JOINING = ("–", "—", "/", "×")
#: As much of two texts is the same, of 1, where one is taken for the other reworded.
ALIKE = 0.5
#: Pairs of like words among which passages are looked for.
MOST_PAIRS = 60_000
#: Pairs of words of all lines that are laid beside each other: two pages of prose.
MOST_STEPS = 4_000_000
#: Pairs of words of texts that are compared in the other way: of thirty pages each.
MOST_CELLS = 1 << 29

T = TypeVar("T")


class Matcher(SequenceMatcher[T]):
    """A SequenceMatcher that takes bounded time.

    Finding the best passages may take time that grows with the cube of the lengths. If too many
    words are alike, the longest common subsequence is used instead; texts that are too long even
    for that share nothing.
    """

    def __init__(self, before: Sequence[T], now: Sequence[T]) -> None:
        super().__init__(None, before, now, autojunk=False)
        self.texts = before, now
        found = self.b2j  # type: ignore[attr-defined]
        if sum(len(found.get(word, ())) for word in before) > MOST_PAIRS:
            short = prod(map(len, self.texts)) <= MOST_CELLS
            paired = shared(before, now) if short else []
            self.matching_blocks = [*paired, Match(len(before), len(now), 0)]


def shared(before: Sequence[T], now: Sequence[T]) -> list[Match]:
    """Finds the longest common subsequence of two lists.

    Returns it as matching blocks: the start of each common run in both lists, and its length.
    """
    from rapidfuzz.distance import Indel  # here, for it is slow to import

    numbers: dict[T, int] = {}
    old, new = ([numbers.setdefault(word, len(numbers)) for word in x] for x in (before, now))
    return [
        Match(opcode.src_start, opcode.dest_start, opcode.src_end - opcode.src_start)
        for opcode in Indel.opcodes(old, new)
        if opcode.tag == "equal"
    ]


def together(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Returns the keys of both lists in the order of the new one.

    A key that only the old list has follows the key that was before it there, or comes first.
    """
    order, last = list(now), ""
    for key in before:
        if key not in now:
            order.insert(order.index(last) + 1 if last else 0, key)
        last = key
    return order


@dataclass(frozen=True, slots=True)
class WordSpan:
    """A span of words in two lists: from `a` to `b` in the old one, from `c` to `d` in the new one.

    If `kept`, the words are the same; else the new ones replace the old ones.
    """

    kept: bool
    a: int
    b: int
    c: int
    d: int


def passages(matcher: Matcher[T], text: Callable[[int, int], str]) -> list[WordSpan]:
    """Divides two lists of words into spans that are kept and spans that are changed, in turn.

    `matcher` is that of the two lists. Very short kept spans between two changes are joined with
    these, since sentences in which every other word is struck out cannot be read; equal words at
    the ends of a change stay kept. `text` returns the printed text of the words of the second list
    between two indices.
    """
    found: list[WordSpan] = []
    codes = matcher.get_opcodes()
    for index, (tag, a, b, c, d) in enumerate(codes):
        between = 0 < index < len(codes) - 1
        kept = tag == "equal" and not (between and _is_little(text(c, d)))
        if found and not found[-1].kept and not kept:
            found[-1] = WordSpan(False, found[-1].a, b, found[-1].c, d)
        else:
            found.append(WordSpan(kept, a, b, c, d))
    return [part for span in found for part in _without_ends(span, matcher)]


def _is_little(text: str) -> bool:
    words = text.replace("\u2060", " ").split()
    short = len(words) <= 2 and all(map(_SHORT.fullmatch, words))
    return "\n" not in text and (short or (len(words) == 1 and words[0] in _JOINING))


def _without_ends(span: WordSpan, matcher: Matcher[T]) -> Iterator[WordSpan]:
    """Yields a changed span without the equal words at its ends, which become kept spans beside it.

    Empty spans are left out. A kept span is yielded as it is.
    """
    a, b, c, d = span.a, span.b, span.c, span.d
    before, now = matcher.texts
    while not span.kept and a < b and c < d and before[a] == now[c]:
        a, c = a + 1, c + 1
    while not span.kept and a < b and c < d and before[b - 1] == now[d - 1]:
        b, d = b - 1, d - 1
    parts = (
        WordSpan(True, span.a, a, span.c, c),
        WordSpan(span.kept, a, b, c, d),
        WordSpan(True, b, span.b, d, span.d),
    )
    yield from (part for part in parts if part.a < part.b or part.c < part.d)


@dataclass(frozen=True, slots=True)
class GoneText:
    """A removed text (Markdown), and the index of the part or line before which it stood."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class LineMarks:
    """The old version of each line (None if unchanged, empty if new), and the removed lines."""

    was: tuple[str | None, ...] = ()
    gone: tuple[GoneText, ...] = ()

    @property
    def any(self) -> bool:
        return bool(self.gone) or any(was is not None for was in self.was)


def line_marks(now: Sequence[str], then: Sequence[str]) -> LineMarks:
    """Compares two lists of lines, of which `then` is the old one.

    Returns the old version of each new or changed line, which is the old line most like it, if any,
    and the old lines that were removed.
    """
    lines = list(now)
    was: list[str | None] = [None] * len(lines)
    gone: list[GoneText] = []
    for kind, first, last, start, end in Matcher(then, lines).get_opcodes():
        if kind == "equal":
            continue
        words = [len(" ".join(those).split()) for those in (then[first:last], lines[start:end])]
        few = words[0] * words[1] <= MOST_STEPS
        alike = (
            (likeness(then[at], lines[index]), at, index)
            for index in range(start, end)
            for at in (range(first, last) if few else ())
        )
        found = pairs(pair for pair in alike if pair[0] >= ALIKE)
        for index in range(start, end):
            was[index] = then[found[index]] if index in found else ""
        left = (at for at in range(first, last) if at not in found.values())
        gone += [GoneText(start, then[at]) for at in left]
    return LineMarks(tuple(was), tuple(gone))


def pairs(alike: Iterable[tuple[float, T, T]]) -> dict[T, T]:
    """Pairs old with new parts, the most alike first, and uses each part at most once.

    Each of `alike` is a likeness, an old part and a new part. Returns the old parts by the new
    ones.
    """
    found: dict[T, T] = {}
    for _, old, new in sorted(alike, key=lambda pair: -pair[0]):
        if new not in found and old not in found.values():
            found[new] = old
    return found


def likeness(before: str, now: str) -> float:
    """Returns how alike two texts are, from 0 to 1.

    This is twice the number of words that they have in common, in order, divided by the number of
    words of both.
    """
    return Matcher(before.split(), now.split()).ratio()
