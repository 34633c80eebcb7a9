"""What changes do in play -> lines for a terminal, Markdown, and plain data for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulebook import quantities as q
from rulebook.publications.impact_views import Impact, ProcedureImpact
from rulebook.publications.impact_words import ARROW
from rulebook.publications.views import as_view

#: Where no change reaches a procedure or a cutout.
NOTHING = "No procedure and no cutout is touched."


def impact_lines(impact: Impact) -> Iterator[str]:
    """The impact for a terminal, what belongs together indented."""
    yield f"In play, {impact.old} {ARROW} {impact.new}"
    if not impact.procedures and not impact.cutouts:
        yield f"  {NOTHING}"
    for one in impact.procedures:
        if one.state != "same":
            yield ""
            yield f"  {one.title}{reached_by(one)}"
            yield from (f"    {line}" for line in told_of(one))
    same = impact.of_state("same")
    if same:
        yield ""
        yield f"  The same odds: {_joined(same)}"
    if impact.cutouts:
        yield ""
        yield "  Cutouts"
        yield from (f"    {one.told}" for one in impact.cutouts)


def impact_markdown(impact: Impact) -> str:
    """The impact as a section of Markdown, its heading of the second level."""
    lines = [f"## In play, {_escaped(impact.old)} {ARROW} {_escaped(impact.new)}", ""]
    if not impact.procedures and not impact.cutouts:
        lines += [NOTHING, ""]
    for one in impact.procedures:
        if one.state != "same":
            lines += [f"### {_escaped(one.title + reached_by(one))}", ""]
            lines += [*_list(told_of(one)), ""]
    same = impact.of_state("same")
    if same:
        lines += [f"The same odds: {_escaped(_joined(same))}", ""]
    if impact.cutouts:
        lines += ["### Cutouts", "", *_list(one.told for one in impact.cutouts), ""]
    return "\n".join(lines)


def impact_json(impact: Impact) -> dict[str, Any]:
    """The impact as plain data, without pictures; the form is stable.

    {"old", "new", "procedures": [{"id", "title", "state", "told", "was", "reasons", "differences",
    "compared", "differing", "usual", "notes"}], "cutouts": [{"id", "title", "state", "told", "was",
    "parameters"}]}, each with the fields of `impact_views`.
    """
    plain = as_view(impact)
    for cutout in plain["cutouts"]:
        del cutout["svg"], cutout["width"]
    return plain


def reached_by(one: ProcedureImpact) -> str:
    """Why a procedure is touched, behind its title: ", by its own steps and the table “Fire”"."""
    told = q.join_words((reason.told for reason in one.reasons), "and")
    return f", by {told}" if told else ""


def told_of(one: ProcedureImpact) -> Iterator[str]:
    """The sentences on a procedure: differences or usual odds, the state, the notes."""
    yield from (difference.told for difference in one.differences)
    yield one.told + (f" {_sentence(one.usual)}" if one.usual else "")
    yield from one.notes


def _sentence(words: Sequence[str]) -> str:
    told = ", ".join(words)
    return f"{told[:1].upper()}{told[1:]}."


def _joined(procedures: Iterable[ProcedureImpact]) -> str:
    """A test, by the table “Needs”; Another, by its own steps."""
    return "; ".join(one.title + reached_by(one) for one in procedures) + "."


def _list(lines: Iterable[str]) -> list[str]:
    return [f"- {_escaped(line)}" for line in lines]


def _escaped(text: str) -> str:
    """Words that Markdown prints as they stand; within a line a full stop marks nothing."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
