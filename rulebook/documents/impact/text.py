"""What changes do in play -> lines for a terminal, Markdown, and plain data for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from rulebook import quantities
from rulebook.documents.impact.views import Impact, OptionImpact, ProcedureImpact
from rulebook.documents.impact.words import ARROW
from rulebook.views import canonical

#: Where no change reaches a procedure or a cutout.
NOTHING = "No procedure and no cutout is touched."


def impact_lines(impact: Impact, width: int | None = None) -> Iterator[str]:
    """The impact for a terminal so many columns wide, what belongs together indented."""
    for line in _lines_of(impact):
        lead = line[: len(line) - len(line.lstrip())]
        yield from wrap(line, max(width or len(line), 40), subsequent_indent=f"{lead}    ") or [""]


def _lines_of(impact: Impact) -> Iterator[str]:
    yield f"In play, {impact.old} {ARROW} {impact.new}"
    if _empty(impact):
        yield f"  {NOTHING}"
    yield from _lines(impact.procedures, "  ")
    for option in impact.options:
        yield ""
        yield f"  {heading_of(option)}"
        yield from _lines(option.procedures, "    ")
    if impact.cutouts:
        yield ""
        yield "  Cutouts"
        yield from (f"    {one.told}" for one in impact.cutouts)


def _lines(procedures: Sequence[ProcedureImpact], indent: str) -> Iterator[str]:
    for one in procedures:
        if one.state != "same":
            yield ""
            yield f"{indent}{one.title}{reached_by(one)}"
            yield from (f"{indent}  {line}" for line in told_of(one))
    same = same_odds(procedures)
    if same:
        yield ""
        yield indent + same


def impact_markdown(impact: Impact) -> str:
    """The impact as a section of Markdown, its heading of the second level."""
    lines = [f"## In play, {_escaped(impact.old)} {ARROW} {_escaped(impact.new)}", ""]
    if _empty(impact):
        lines += [NOTHING, ""]
    lines += _markdown(impact.procedures, "###")
    for option in impact.options:
        lines += [f"### {_escaped(heading_of(option))}", "", *_markdown(option.procedures, "####")]
    if impact.cutouts:
        lines += ["### Cutouts", "", *_list(one.told for one in impact.cutouts), ""]
    return "\n".join(lines)


def _markdown(procedures: Sequence[ProcedureImpact], marks: str) -> list[str]:
    lines: list[str] = []
    for one in procedures:
        if one.state != "same":
            lines += [f"{marks} {_escaped(one.title + reached_by(one))}", ""]
            lines += [*_list(told_of(one)), ""]
    same = same_odds(procedures)
    return [*lines, _escaped(same), ""] if same else lines


def _empty(impact: Impact) -> bool:
    return not (impact.procedures or impact.options or impact.cutouts)


def heading_of(option: OptionImpact) -> str:
    """Zouaves (a new option): the odds without and with it."""
    if option.state == "new":
        return f"{option.title} (a new option): the odds without and with it"
    return f"{option.title} (an option that changed)"


def same_odds(procedures: Iterable[ProcedureImpact]) -> str:
    """A sentence on those that a change reaches and that have the same odds; "" if there are none.

    The same odds: A test, by the table “Needs”; A shot, by its own steps.
    """
    same = [one.title + reached_by(one) for one in procedures if one.state == "same"]
    return f"The same odds: {'; '.join(same)}." if same else ""


def impact_json(impact: Impact) -> dict[str, Any]:
    """The impact as plain data, without pictures, in the form that the help of `diff` tells."""
    plain: dict[str, Any] = json.loads(canonical(impact))
    for cutout in plain["cutouts"]:
        del cutout["svg"], cutout["width"]
    return plain


def reached_by(one: ProcedureImpact) -> str:
    """Why a procedure is touched, behind its title: ", by its own steps and the table “Fire”"."""
    told = quantities.join_words((reason.told for reason in one.reasons), "and")
    return f", by {told}" if told else ""


def told_of(one: ProcedureImpact) -> Iterator[str]:
    """The sentences on a procedure: differences or usual odds, the state, the notes."""
    yield from (difference.told for difference in one.differences)
    yield told_state(one)
    yield from one.notes


def told_state(one: ProcedureImpact) -> str:
    """What becomes of a procedure: "It is new. At the usual inputs: mean 1.41 casualties."."""
    return one.told + (f" At the usual inputs: {', '.join(one.usual)}." if one.usual else "")


def _list(lines: Iterable[str]) -> list[str]:
    return [f"- {_escaped(line)}" for line in lines]


def _escaped(text: str) -> str:
    """Words that Markdown prints as they stand; within a line a full stop marks nothing."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
