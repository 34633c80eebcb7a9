"""Two editions as they print -> what an owner of the old one must print again.

A sheet of the quick reference is printed again if anything on it changed, or stands elsewhere than
recorded of the edition before, a page of the booklet if it has a bar in its margin: both are known
when they are laid out (`render.reprint`). Cards and cutouts are known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulebook.documents.cutouts.compose import all_cutouts_view
from rulebook.documents.impact.views import Impact
from rulebook.documents.parts.views import as_view
from rulebook.model.ruleset import Ruleset
from rulebook.paper import PaperName

View = Mapping[str, Any]

#: States of cutouts of which the old ones are of no more use.
_OTHER = ("outline", "face", "new")


@dataclass(frozen=True, slots=True)
class ReprintView:
    """What is to be printed again, in words: panels of the sheet, rules, cards by deck, cutouts."""

    panels: tuple[str, ...]
    rules: tuple[str, ...]
    cards: tuple[tuple[str, tuple[str, ...]], ...]
    cutouts: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def any(self) -> bool:
        return bool(self.panels or self.rules or self.cards or self.cutouts)


def reprint_view(
    sheet: View | None,
    booklet: View | None,
    decks: Sequence[View],
    *,
    cutouts: Sequence[str],
    impact: Impact,
) -> ReprintView:
    """The list in words. Sheet and booklet are those with marks, None where there are none."""
    panels = [panel for phase in (sheet or {"phases": ()})["phases"] for panel in phase["panels"]]
    sections = [
        section
        for chapter in (booklet or {"chapters": ()})["chapters"]
        for section in chapter["sections"]
    ]
    return ReprintView(
        panels=tuple(one["title"] for one in panels if is_marked(one)),
        rules=tuple(one["number"] for one in sections if is_marked(one)),
        cards=tuple(
            (deck["title"], tuple(card["title"] for card in deck["cards"])) for deck in decks
        ),
        cutouts=tuple(one.title for one in impact.cutouts if one.id in cutouts),
        gone=tuple(one.title for one in impact.cutouts if one.state == "gone"),
    )


def changed_cards(old: View | None, new: View) -> View:
    """The view of a deck with the cards alone that say something else now; their rules apart.

    With another back or size all of them do.
    """
    if old is None or (old["back"], old["size"]) != (new["back"], new["size"]):
        return new
    known = {card["id"]: {**card, **_APART} for card in old["cards"]}
    changed = [card for card in new["cards"] if known.get(card["id"]) != {**card, **_APART}]
    return {**new, "cards": changed}


#: What may differ on a card that is not printed again for it.
_APART = {"rule": "", "copies": 1}


def changed_cutouts(impact: Impact) -> tuple[str, ...]:
    """The ids of the cutouts to print again."""
    return tuple(one.id for one in impact.cutouts if one.state in _OTHER)


def cutout_sheets(ruleset: Ruleset, cutouts: Sequence[str], paper: PaperName) -> Mapping[str, Any]:
    """The view of the sheets with some cutouts of a ruleset."""
    listed = {name: ruleset.cutouts[name] for name in cutouts}
    collections = ruleset.collections.model_copy(update={"cutouts": listed})
    return as_view(all_cutouts_view(replace(ruleset, collections=collections), paper))


def is_marked(view: Any) -> bool:
    """Whether a part of a booklet or of a sheet has a mark in it."""
    if isinstance(view, list | tuple):
        return any(map(is_marked, view))
    if not isinstance(view, dict):
        return False
    if any(view.get(key) for key in ("marks", "marked", "new", "gone")):
        return True
    if view.get("was") is not None:
        return True
    return any(map(is_marked, view.values()))
