"""What an author says of the changes from edition to edition, and of editions withdrawn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from rulebook import quantities
from rulebook.model.entities import FrozenModel
from rulebook.model.scalars import ID_PATTERN, Date, Edition, Line, ProseText, ReadBy, worded
from rulebook.once import MOST_KEPT
from rulebook.translation import gettext, gettext_noop, ngettext, ngettext_noop


@dataclass(frozen=True, slots=True)
class ClassOfChange:
    """A class of changes: its name in singular and plural, and what it means at the table.

    Changes of a class that is `marked` have bars beside them and are listed in the errata.
    """

    names: tuple[str, str]
    means: str
    marked: bool = True

    def name(self, number: int = 1) -> str:
        """Returns the name of this class, in singular or plural for a number of changes."""
        return ngettext(*self.names, number)

    @property
    def meaning(self) -> str:
        return gettext(self.means)


#: The class of changes that need no words of their author.
EDITORIAL = "editorial"
#: All classes, the gravest first, by what an author writes.
CLASSES: Mapping[str, ClassOfChange] = {
    "rule change": ClassOfChange(
        ngettext_noop("rule change", "rule changes"), gettext_noop("plays differently from before")
    ),
    "correction": ClassOfChange(
        ngettext_noop("correction", "corrections"), gettext_noop("was wrong in print")
    ),
    "clarification": ClassOfChange(
        ngettext_noop("clarification", "clarifications"),
        gettext_noop("plays as it was meant, and says so now"),
    ),
    EDITORIAL: ClassOfChange(
        ngettext_noop("editorial change", "editorial changes"),
        gettext_noop("changes nothing at the table"),
        marked=False,
    ),
}
if TYPE_CHECKING:
    ChangeClass = str
else:
    ChangeClass = Literal[tuple(CLASSES)]


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """What was changed: an entity or a part of it, or a heading with the text under it.

    Written `establishments.battery.rank_and_file`, `musketry[8-16in, first]`, `#skirmishers` or
    `ruleset.subtitle`.
    """

    text: str
    heading: bool
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return self.text


_HEADING = re.compile(r"#([A-Za-z0-9_-]{1,64})")
_ENTITY = re.compile(rf"({ID_PATTERN})(\[[^\[\]]*\])?((?:\.[^.\[\]]+)*)")


def _parse_place(value: object) -> ChangedPlace:
    text = value.strip() if isinstance(value, str) else ""
    if match := _HEADING.fullmatch(text):
        return ChangedPlace(text, True, (part_name(match[1]),))
    match = _ENTITY.fullmatch(text)
    if match is None:
        raise quantities.QuantityError(
            "this names no place",
            code="R204",
            expected="such as establishments.battery, musketry[8-16in, first] or #heading_id",
        )
    keys = match[2][1:-1].split(",") if match[2] else []
    parts = [part for part in match[3].split(".") if part]
    return ChangedPlace(text, False, tuple(map(part_name, (match[1], *keys, *parts))))


@lru_cache(maxsize=MOST_KEPT)
def part_name(text: str) -> str:
    """Normalises a key for comparison: lower case, other characters replaced by hyphens.

    Digits and the signs + < = are kept.
    """
    return re.sub(r"[^a-z0-9+<=]+", "-", text.casefold()).strip("-")


Places = Annotated[
    ChangedPlace,
    ReadBy(_parse_place, type="string", description="such as musketry, or #skirmishers"),
]


class Revision(FrozenModel):
    """One change as its author tells it: what it is of, how grave it is, and why it was made."""

    title: Line
    """the change in a few words"""
    of: Annotated[tuple[Places, ...], Field(min_length=1)]
    """entities, parts of them and headings that it changes"""
    class_: ChangeClass = Field(
        alias="class",
        description="; ".join(f"{name}: {class_.means}" for name, class_ in CLASSES.items()),
    )
    why: ProseText
    """a sentence on what changed and why"""


class EditionNotes(FrozenModel):
    """What an author says of an edition: its changes since the edition before it."""

    after: Edition | None = None
    """the edition before; the one released last"""
    summary: ProseText | None = None
    """two sentences for the head of the notes"""
    changes: tuple[Revision, ...] = ()
    """what changed since, each with its class and the reason"""
    released: Date | None = None
    """the day of its release, of an edition that has no date of its own"""


class Withdrawal(FrozenModel):
    """Why an edition is not to be used any more, and since when; the reason may stand alone."""

    reason: ProseText
    date: Date | None = None
    """the day on which it was withdrawn"""


_Withdrawn = Annotated[Withdrawal, worded("reason", ProseText | Withdrawal)]


class Revisions(FrozenModel):
    """The file revisions.yaml."""

    editions: dict[Edition, EditionNotes] = Field({})
    """editions by their numbers, each with what changed"""
    withdrawn: dict[Edition, _Withdrawn] = Field({})
    """editions that are not to be used any more, each with the reason"""


EditionStatus = Literal["working copy", "released", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of an edition: a working copy, released or withdrawn. It is no part of the content.

    `frozen` says that the edition was read from the file of its release, and not from a folder. A
    working copy whose content is that of the release with its number is `released` too; it
    `differs` if the content is another. `reason` is why the edition was withdrawn, in Markdown.
    """

    frozen: bool = False
    released: bool = False
    differs: bool = False
    reason: str | None = None

    @property
    def status(self) -> EditionStatus:
        if self.reason is not None:
            return "withdrawn"
        return "released" if self.released else "working copy"
