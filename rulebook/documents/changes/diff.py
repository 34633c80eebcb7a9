"""All changes in words (`described`) -> what `rulebook diff` writes of them.

Text for a terminal, Markdown and a page for a screen are templates over the same changes, so that
all three say the same. JSON, for programs, has the same changes, with the values as they are kept;
its form is a contract, which the chapter on editions of the manual describes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap
from typing import Any

from rulebook.documents.changes.described import (
    ComparedEdition,
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RulePlace,
    ThingChange,
    WordRun,
    elided,
)
from rulebook.documents.changes.describing import ChangeDescriber
from rulebook.documents.impact.compose import Impact
from rulebook.documents.impact.odds import ARROW
from rulebook.frozen_view import canonical
from rulebook.model.revisions import CLASSES, EDITORIAL
from rulebook.quantities import join_words
from rulebook.translation import gettext, ngettext
from rulebook.typeset.environment import render_template, screen_styles

#: The format of the JSON: it counts up whenever a name in it goes, or means something else.
FORMAT = 2
STYLES = ("tables", "matter", "changes")


def diff_view(
    changes: DescribedChanges, impact: Impact | None = None, language: str = "en"
) -> dict[str, Any]:
    """Returns the variables of the templates that print all changes.

    `language` is that of the new edition, and `impact` what the changes do in play, if computed.
    """
    return {
        "language": language,
        "heading": _heading(changes),
        "summed": summed(changes),
        "summary": changes.summary,
        "classes": list(_classes(changes)),
        "impact": impact,
    }


def _classes(changes: DescribedChanges) -> Iterator[tuple[str, list[DescribedRevision]]]:
    """Yields the heading of each class of changes, with its changes.

    Changes without a class come first, then the classes from the most serious to editorial ones.
    Classes without changes are left out.
    """
    if changes.unclassed:
        title = gettext("Changes of the rules")
        if changes.revised:
            title = gettext("Changes of the rules without a class")
        yield title, _unsaid(changes.unclassed)
    for class_, revisions in changes.by_class.items():
        listed = [*revisions, *(_unsaid(changes.editorial) if class_ == EDITORIAL else ())]
        if listed and (revisions or changes.revised):
            yield CLASSES[class_].name(2).capitalize(), listed
        elif listed:
            yield gettext("Reworded"), listed


def _unsaid(things: Sequence[ThingChange]) -> list[DescribedRevision]:
    """Makes a revision without a title for each thing whose changes the author does not describe.

    Things of which only the source changed are counted in one revision at the end.
    """
    shown = [thing for thing in things if not thing.parts or thing.shown]
    found = [DescribedRevision("", "", "", RulePlace(), (thing,)) for thing in shown]
    if rest := len(things) - len(shown):
        what = ngettext(
            "Another source is noted of one thing.",
            "Another source is noted of %(number)s things.",
            rest,
        )
        found.append(DescribedRevision(what, "", "", RulePlace(), ()))
    return found


def _heading(changes: DescribedChanges) -> str:
    """Returns the heading of the list of changes, with titles, editions and dates.

    An example is "My Game, 1.0 (17 June 2024) → 2.0 (16 July 2025, working copy)".
    """
    old, new = changes.old, changes.new
    titled = "" if old.ruleset == new.ruleset else f"{new.title}, "
    return f"{old.title}, {_edition(old)} {ARROW} {titled}{_edition(new)}"


def _edition(side: ComparedEdition) -> str:
    beside = [side.date] if side.date else []
    beside += [gettext("working copy")] if side.working else []
    if side.options:
        beside.append(gettext("with %(options)s", options=join_words(side.options, "and")))
    return f"{side.edition} ({', '.join(beside)})" if beside else side.edition


def summed(changes: DescribedChanges) -> str:
    """Counts the changes in one phrase, such as "17 rule changes and 3 editorial changes".

    Changes without a class are counted by things. Returns "Nothing changed." if there are none.
    """
    words = [
        f"{len(found)} {CLASSES[class_].name(len(found))}"
        for class_, found in changes.by_class.items()
        if found
    ]
    if changes.unclassed:
        number = len(changes.unclassed)
        words.append(
            ngettext(
                "%(number)s thing changed without a class",
                "%(number)s things changed without a class",
                number,
            )
            if changes.revised
            else ngettext("%(number)s thing changed", "%(number)s things changed", number)
        )
    if changes.editorial and not changes.by_class[EDITORIAL]:
        number = len(changes.editorial)
        words.append(ngettext("%(number)s thing reworded", "%(number)s things reworded", number))
    return join_words(words, "and") if words else gettext("Nothing changed.")


def _marked(text: str, start: str, end: str, written: Callable[[str], str] = str) -> str:
    """Encloses text in the marks `start` and `end`, with spaces at its ends outside of the marks.

    `written` escapes the text for the output format.
    """
    inner = text.strip()
    if not inner:
        return written(text)
    lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{lead}{start}{written(inner)}{end}{trail}"


_TEXT_MARKS = {"deleted": ("[-", "-]"), "inserted": ("{+", "+}")}


def diff_text(view: Mapping[str, Any], templates: Path, *, width: int = 80) -> str:
    """Returns the changes as text for a terminal that is `width` columns wide.

    Deleted and inserted words are marked: [-so-] and {+so+}.
    """
    columns = max(width, 40)

    def paragraph(text: str, indent: str = "", hanging: str = "  ") -> str:
        """Wraps text to lines that begin with `indent`, and then `hanging` except on the first."""
        lines = wrap(
            " ".join(text.split()),
            columns,
            initial_indent=indent,
            subsequent_indent=indent + hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "".join(f"{line}\n" for line in lines)

    def runs(listed: Sequence[WordRun]) -> str:
        return "".join(
            _marked(run.text, *_TEXT_MARKS[run.kind]) if run.kind in _TEXT_MARKS else run.text
            for run in elided(listed)
        )

    functions = {"paragraph": paragraph, "runs": runs}
    return render_template("diff.txt.j2", view, templates, **functions).rstrip("\n") + "\n"


_MARKUP = re.compile(r"([\\`*_\[\]<>|~]|&(?=#?\w{1,40};))")
#: At the start of a line these begin a list or a heading.
_LEADING = re.compile(r"^([^\S\n]*+)([-+#>]|\d++[.)])(\s)", re.MULTILINE)
_MARKDOWN_MARKS = {"kept": "", **dict.fromkeys(("deleted", "removed"), "~~")}
_MARKDOWN_MARKS |= dict.fromkeys(("inserted", "added"), "**")


def diff_markdown(view: Mapping[str, Any], templates: Path) -> str:
    """Returns the changes as a Markdown document, with ~~deleted~~ and **inserted** words."""

    def mark(text: str, kind: str) -> str:
        sign = _MARKDOWN_MARKS[kind]
        return _marked(text, sign, sign, _escaped) if sign else _escaped(text)

    functions = {"escaped": _escaped, "mark": mark}
    return render_template("diff.md.j2", view, templates, **functions).rstrip() + "\n"


def _escaped(text: str) -> str:
    """Escapes text so that Markdown prints it literally, and puts it on one line."""
    line = " ".join(_LEADING.sub(r"\1\\\2\3", _MARKUP.sub(r"\\\1", text)).split("\n"))
    return re.sub(r" ++", " ", line)


def diff_page(view: Mapping[str, Any], templates: Path, accent: str) -> str:
    """Returns the changes as one self-contained HTML page that also prints well without colours."""
    css = screen_styles(STYLES, accent, templates)
    return render_template("diff.html.j2", view, templates, css=css)


def diff_json(
    changes: DescribedChanges, describer: ChangeDescriber, impact: Impact | None = None
) -> dict[str, Any]:
    """Returns both editions and all changes as plain data that can be written as JSON.

    `describer` looks up the data of changed parts in both editions. `impact`, what the changes do
    in play, is included if given, without pictures.
    """

    def things(listed: Sequence[ThingChange]) -> list[dict[str, Any]]:
        return [_plain_thing(thing, describer) for thing in listed]

    plain: dict[str, Any] = {
        "format": FORMAT,
        "old": asdict(changes.old),
        "new": asdict(changes.new),
        "summary": changes.summary,
        "counts": {class_: len(found) for class_, found in changes.by_class.items()},
        "revisions": [
            {
                "title": revision.title,
                "class": revision.class_,
                "why": revision.why,
                "rule": revision.standing.rule or None,
                "things": things(revision.things),
            }
            for revision in changes.revisions
        ],
        "editorial": things(changes.editorial),
        "unclassed": things(changes.unclassed),
    }
    if impact is not None:
        plain["impact"] = json.loads(canonical(impact))
        for cutout in plain["impact"]["cutouts"]:
            del cutout["svg"], cutout["width"]
    return plain


def _plain_thing(thing: ThingChange, describer: ChangeDescriber) -> dict[str, Any]:
    return {
        "path": thing.path,
        "thing": thing.thing.name,
        "id": thing.id,
        "kind": thing.kind,
        "title": thing.title,
        "rule": thing.standing.rule or None,
        "chapter": thing.standing.chapter or None,
        "was": thing.was or None,
        "parts": [_plain_part(part, describer) for part in thing.parts],
        "tables": [
            {
                "heads": table.heads,
                "rows": [
                    {"labels": row.labels, "kind": row.kind, "cells": list(map(asdict, row.cells))}
                    for row in table.rows
                ],
            }
            for table in thing.tables
        ],
        "also": [
            {"thing": follows.thing.name, "title": follows.title, **_plain_part(part, describer)}
            for follows in thing.also
            for part in follows.parts
        ],
    }


def _plain_part(part: PartChange, describer: ChangeDescriber) -> dict[str, Any]:
    old, new = describer.kept(part.path)
    return {
        "path": part.path,
        "kind": part.kind,
        "where": part.where,
        "before": part.before or None,
        "after": part.after or None,
        "old": old,
        "new": new,
    }
