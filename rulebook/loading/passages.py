"""Markdown of a passage -> runs of text and the blocks between them, as chapters are cut."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.loading.prose import Placing, bindings_of, placed_at
from rulebook.model.prose import BLOCK_KINDS, Block, Text
from rulebook.model.scalars import Passage
from rulebook.problems import Problem, Span

#: A paragraph: lines that follow each other without an empty one.
_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
_BLOCK = re.compile(rf"\{{({'|'.join(BLOCK_KINDS)}):[ \t]*([A-Za-z0-9_-]+)[ \t]*\}}[ \t]*")
_CHART = re.compile(r"\{chart:[^{}]*\}[ \t]*")
_HEADING = re.compile(r"#{1,6}[ \t]")


def cut_passage(
    passage: Passage, span: Span | None = None, place: Placing | None = None
) -> tuple[tuple[Text | Block, ...], tuple[Problem, ...]]:
    """The parts of a passage in order, and what is wrong with its braces and paragraphs.

    `place` says where a part of the passage stands; without it the passage is taken to begin at
    the span, or nowhere in particular.
    """
    markdown, span = passage.markdown, span or Span("")
    where = place or placed_at(markdown, span)
    parts: list[Text | Block] = []
    problems: list[Problem] = []
    for start, end, block in _pieces(markdown):
        if block is not None:
            at = where(block.start(2), block.end(2))
            target = block[2].replace("-", "_")
            parts.append(Block(block[1], target, at))  # type: ignore[arg-type]
            continue
        if fault := _not_on_a_card(markdown, start, where):
            problems.append(fault)
            continue
        text = markdown[start:end]
        bindings, faults = bindings_of(text, span, _from(start, where))
        problems += faults
        parts.append(Text(text, bindings, where(start, end)))
    return tuple(parts), tuple(problems)


def _from(start: int, where: Placing) -> Placing:
    """The same places, counted from a later character."""
    return lambda begin, end: where(start + begin, start + end)


def _pieces(markdown: str) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Where each block, or run of paragraphs between two of them, begins and ends."""
    run: tuple[int, int] | None = None
    for paragraph in _PARAGRAPH.finditer(markdown):
        block = _BLOCK.fullmatch(markdown, *paragraph.span())
        alone = block or _HEADING.match(paragraph[0]) or _CHART.fullmatch(paragraph[0])
        if alone and run:
            yield *run, None
            run = None
        if alone:
            yield *paragraph.span(), block
        else:
            run = (run[0] if run else paragraph.start(), paragraph.end())
    if run:
        yield *run, None


def _not_on_a_card(markdown: str, start: int, where: Placing) -> Problem | None:
    if match := _HEADING.match(markdown, start):
        return Problem.of("R209 heading on a card", where(start, match.end()))
    if match := _CHART.match(markdown, start):
        return Problem.of("R211 chart on a card", where(start, match.end()))
    return None
