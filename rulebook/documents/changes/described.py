"""What changed between two editions, in the words of a reader: where, what it was, what it is now.

All notes on changes are made of this: on a terminal, in Markdown, JSON and HTML, and in print.
`describing.ChangeDescriber` makes it.

All text is as it prints: bindings are replaced, lengths have their signs, and Markdown is removed.
Of two editions, or a ruleset and its variant, one is *old* and one *new*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal

from rulebook.documents.changes.things import KindOfThing
from rulebook.documents.impact.compose import CutoutImpact
from rulebook.documents.parts.compared_tables import ChangedTable
from rulebook.model.lookup import name_in
from rulebook.model.prose import BLOCK_KIND_OF, Remark, Text, placements, rule_numbers
from rulebook.model.revisions import CLASSES, ChangeClass
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.changes import OF_ROW
from rulebook.revisions.likeness import WORD, Matcher, passages
from rulebook.translation import gettext, gettext_noop


@dataclass(frozen=True, slots=True)
class RulePlace:
    """The place of a thing in an edition: rule number, id of the heading, title of the chapter.

    All are empty for what is in no chapter: the title page, cards, terms.
    """

    rule: str = ""
    heading: str = ""
    chapter: str = ""


@dataclass(frozen=True)
class RulePlaces:
    """The places of the things of one edition in its booklet."""

    ruleset: Ruleset

    @cached_property
    def numbers(self) -> Mapping[str, str]:
        return rule_numbers(self.ruleset.chapters)

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The position of each heading in the booklet, from 0."""
        return {heading: index for index, heading in enumerate(self.numbers)}

    @cached_property
    def _placed(self) -> Mapping[tuple[str, str], str]:
        return placements(self.ruleset.chapters)

    @cached_property
    def _headings(self) -> Mapping[str, RulePlace]:
        return {
            section.id: RulePlace(self.numbers[section.id], section.id, chapter.title)
            for chapter in self.ruleset.chapters
            for section in chapter.sections
        }

    @cached_property
    def _bound(self) -> Mapping[str, str]:
        """The id of the first section whose text uses a value of a thing, by the thing's id."""
        found: dict[str, str] = {}
        for section in self.ruleset.sections:
            for part in section.parts:
                text = part.text if isinstance(part, Remark) else part
                for binding in text.bindings if isinstance(text, Text) else ():
                    found.setdefault(name_in(binding.target), section.id)
        return found

    def place_of(self, collection: str, id_: str) -> RulePlace:
        """Returns the place of a section or an entity in the booklet.

        For an entity it is the place where it is printed, or else that of its rule, or of the first
        text that uses its values. For an entity that is in no chapter, the fields of the place are
        empty.
        """
        if collection in ("sections", "chapters"):
            return self._headings.get(id_, RulePlace())
        beside = self.ruleset if collection == "options" else self.ruleset.collections
        entity = getattr(beside, collection, {}).get(id_)
        placed = self._placed.get((BLOCK_KIND_OF.get(collection, ""), id_))
        rules = getattr(entity, "rules", ()) or ("",)
        heading = placed or getattr(entity, "rule", None) or rules[0] or self._bound.get(id_)
        return self._headings.get(heading or "", RulePlace())

    def position(self, heading: str, before: RulePlaces) -> float:
        """Returns the position of a heading in the order of the booklet.

        `before` are the places in the old edition. A heading that was removed comes right after the
        nearest heading before it there that still exists. An unknown heading comes last.
        """
        if heading in self.order or heading not in before.order:
            return self.order.get(heading, len(self.order))
        stood = list(before.order)[: before.order[heading]]
        return next((self.order[was] + 0.5 for was in reversed(stood) if was in self.order), -1)


@dataclass(frozen=True, slots=True)
class RuleNumbers:
    """The numbers of the headings of both editions, and the old id of each new heading."""

    old: Mapping[str, str]
    new: Mapping[str, str]
    former: Mapping[str, str]

    def now(self, heading: str) -> str:
        """Returns the number in the new edition of the heading with an id of the old edition.

        Returns an empty text if the heading was removed.
        """
        return next((self.new[id_] for id_, was in self.former.items() if was == heading), "")

    def cite(self, standing: RulePlace, stood: RulePlace | None = None) -> str:
        """Returns the number of a rule in the old edition, with its new number if that differs.

        `standing` is the place of a thing in the new edition. `stood` is its place in the old
        edition, if known, whose rule may be another one. For a new rule the result is its number
        and "(new)".
        """
        heading = standing.heading
        was = (stood.rule if stood else "") or self.old.get(self.former.get(heading, heading), "")
        return cited(was, self.new.get(heading, was))


def cited(was: str, now: str) -> str:
    """Combines the old and the new number of a rule or of a range of rules.

    Returns both if they differ, the old one if they do not or if the rule was removed, and the new
    one with "(new)" if there is no old one.
    """
    if not was:
        return gettext("%(rule)s (new)", rule=now) if now else ""
    return was if now in ("", was) else gettext("%(was)s (now %(now)s)", was=was, now=now)


#: `reworded` is of prose, `changed` of values and all else.
ChangeKind = Literal["added", "removed", "changed", "renamed", "moved", "reworded"]
#: A word, a sign, or a run of spaces.
_TOKEN = re.compile(rf"{WORD}|\s+|[^\w\s]")
#: Where less of all words is kept, and of the words of the shorter text, the text is another one:
#: old and new stand whole.
LEAST_KEPT = 0.35
LEAST_OF_SHORTER = 0.6
#: So it is where there are more changes than these, and less of all words is kept.
MOST_CHANGES = 4
LEAST_OF_SCATTERED = 0.6
#: Kept words on each side of a change; what lies between is left out where there is more.
CONTEXT = 6


@dataclass(frozen=True, slots=True)
class WordRun:
    """Some words of a text, with the space after them, that both editions have or only one."""

    text: str
    kind: Literal["kept", "deleted", "inserted"] = "kept"


@dataclass(frozen=True, slots=True)
class PartChange:
    """One difference inside of a thing.

    `where` is the place in words, "8-16″, first volley, cover", and is empty for the thing itself.
    `before` and `after` are what is printed, empty where an edition has nothing there; `runs`
    combines both word by word where the words changed.

    `path` is the path of the part, with the ids of the new edition.
    """

    path: tuple[str, ...]
    kind: ChangeKind
    where: str
    before: str = ""
    after: str = ""
    runs: tuple[WordRun, ...] = ()

    @property
    def of_table(self) -> bool:
        """Whether the difference is in the rows or columns of a table, or is one of them."""
        return self.path[3:4] in (("data",), ("rows",), ("fields",), ("changes",))

    @property
    def in_table(self) -> bool:
        """Whether the difference is of a cell, a row or a column.

        A note on one of these, a part of a cell, and a new id do not count.
        """
        noted = len(self.path) == 6 and self.path[5] in OF_ROW
        return self.of_table and len(self.path) <= 6 and not noted and self.kind != "renamed"


_STATES = {
    "added": gettext_noop("%(name)s, new"),
    "removed": gettext_noop("%(name)s, gone"),
    "moved": gettext_noop("%(name)s, moved"),
}


def _named(number: str, title: str, thing: KindOfThing) -> str:
    noun = f" ({gettext(thing.noun)})" if thing.noun else ""
    return (f"{number} " if number else "") + title + noun


@dataclass(frozen=True, slots=True)
class ThingChange:
    """All that one revision changes in one thing: an entity, a section, the head of the ruleset.

    `kind` is that of the thing itself; one that is in both editions under one id is `changed`, or
    `reworded` if only words are. `was` is the old id of one that was renamed. `standing` is the
    place in the new edition, or in the old one if the new one has it no longer, and `stood` the
    place in the old edition, if that has it.

    `parts` are the differences in it. A table in `tables` shows cells before and after; a table
    that changed its kind is there twice, as it was and as it is. `also` has the changes that follow
    elsewhere.
    """

    path: tuple[str, ...]
    thing: KindOfThing
    id: str
    kind: ChangeKind
    title: str
    standing: RulePlace
    stood: RulePlace | None = None
    was: str = ""
    parts: tuple[PartChange, ...] = ()
    tables: tuple[ChangedTable, ...] = ()
    also: tuple[ThingChange, ...] = ()
    cited: str = ""
    cutout: CutoutImpact | None = None

    @property
    def name(self) -> str:
        """The number, title, kind and state of the thing, such as "4.1 Ranges (table), new"."""
        name = _named(self.standing.rule, self.title, self.thing)
        if self.kind == "renamed":
            return gettext("%(name)s, whose id was %(was)s", name=name, was=self.was)
        return gettext(_STATES[self.kind], name=name) if self.kind in _STATES else name

    @property
    def place(self) -> str:
        """The title and kind of the thing, and the place of its first difference.

        For a section its number comes first: 7.2 Retreat, condition.
        """
        number = self.standing.rule if self.thing.name == "section" else ""
        return ", ".join(
            filter(None, (_named(number, self.title, self.thing), self.parts[0].where))
        )

    @property
    def shown(self) -> tuple[PartChange, ...]:
        """The differences except those of the source, which affects neither play nor print."""
        return tuple(part for part in self.parts if part.path[-1] != "source")

    @property
    def beside(self) -> tuple[PartChange, ...]:
        """The differences that are not shown in one of the thing's tables."""
        return tuple(part for part in self.shown if not (self.tables and part.in_table))

    @property
    def lines(self) -> list[str]:
        """The rows of the thing's tables as text, each with a sign and the values by column.

        Empty unless the thing is new or gone, or has a table that is shown both as it was and as it
        is.
        """
        whole = self.kind in ("added", "removed") or len(self.tables) > 1
        return [line for table in self.tables if whole for line in table.lines]


@dataclass(frozen=True, slots=True)
class DescribedRevision:
    """One change as its author describes it, with all things that it changes, the rules first.

    `standing` is the place of the first thing named by the author that is in a chapter. A revision
    without a class is of changes that nobody has classed.

    For printed notes it has a `number` among all changes and the number of its rule (`cited`), and
    `also` has as text what follows elsewhere.
    """

    title: str
    class_: ChangeClass
    why: str
    standing: RulePlace
    things: tuple[ThingChange, ...]
    number: int = 0
    cited: str = ""
    also: tuple[str, ...] = ()

    @property
    def class_name(self) -> str:
        return CLASSES[self.class_].name() if self.class_ else gettext("not classed")

    @property
    def marked(self) -> bool:
        """Whether change bars mark the change in documents, and the errata list it."""
        return not self.class_ or CLASSES[self.class_].marked


@dataclass(frozen=True, slots=True)
class ComparedEdition:
    """An edition, or a working copy, that is compared; `options` are titles of those in force."""

    ruleset: str
    title: str
    edition: str
    date: str = ""
    working: bool = False
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DescribedChanges:
    """All changes from one edition to another.

    `revisions` are in the author's order. `editorial` are changes that need no description by the
    author, and `unclassed` those that do and have none yet, as in a working copy, or between two
    rulesets.
    """

    old: ComparedEdition
    new: ComparedEdition
    summary: str
    revisions: tuple[DescribedRevision, ...]
    editorial: tuple[ThingChange, ...]
    unclassed: tuple[ThingChange, ...]
    numbers: RuleNumbers

    @property
    def revised(self) -> bool:
        """Whether the two are editions of one ruleset, with the same options in force."""
        return (self.old.ruleset, self.old.options) == (self.new.ruleset, self.new.options)

    @property
    def by_class(self) -> dict[ChangeClass, list[DescribedRevision]]:
        """The revisions of each class, the most serious class first, each in the author's order."""
        return {
            class_: [revision for revision in self.revisions if revision.class_ == class_]
            for class_ in CLASSES
        }

    def things(self) -> Iterator[tuple[DescribedRevision | None, ThingChange]]:
        """Yields each thing that changed, with its revision, or None for changes without one.

        A thing that several revisions change is yielded for each of them.
        """
        for revision in self.revisions:
            yield from ((revision, thing) for thing in revision.things)
        yield from ((None, thing) for thing in (*self.editorial, *self.unclassed))


def word_runs(before: str, after: str) -> tuple[WordRun, ...]:
    """Compares two texts word by word, and returns runs of kept, deleted and inserted words.

    The kept and deleted runs make up the old text, the kept and inserted ones the new text. Texts
    that have little in common are deleted and inserted as a whole.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = Matcher(old, new)
    spans = passages(matcher, lambda start, end: "".join(new[start:end]))
    runs = [WordRun(before, "deleted"), WordRun(after, "inserted")]
    if not _is_another(matcher, old, new, sum(not span.kept for span in spans)):
        runs = []
        for span in spans:
            went, came = "".join(old[span.a : span.b]), "".join(new[span.c : span.d])
            both = [WordRun(went, "deleted"), WordRun(came, "inserted")]
            runs += [WordRun(came)] if span.kept else both
    of_one_kind = groupby((run for run in runs if run.text), lambda run: run.kind)
    return tuple(
        WordRun("".join(run.text for run in several), kind) for kind, several in of_one_kind
    )


def _is_another(matcher: Matcher[str], old: list[str], new: list[str], changes: int) -> bool:
    """Whether two texts have so few words in common that one is no revision of the other.

    `old` and `new` are their tokens, of which signs and spaces do not count. If there are more than
    MOST_CHANGES `changes` between the texts, they must have more words in common.
    """
    kept = sum(
        _is_word(token)
        for block in matcher.get_matching_blocks()
        for token in new[block.b : block.b + block.size]
    )
    counts = [sum(map(_is_word, tokens)) for tokens in (old, new)]
    if changes > MOST_CHANGES and 2 * kept < LEAST_OF_SCATTERED * sum(counts):
        return True
    return 2 * kept < LEAST_KEPT * sum(counts) and kept < LEAST_OF_SHORTER * min(counts)


def _is_word(token: str) -> bool:
    return token[:1].isalnum()


def elided(
    runs: Sequence[WordRun], words: int = CONTEXT, *, spare: int = 1, between: str | None = None
) -> tuple[WordRun, ...]:
    """Shortens kept runs to a few words next to each change, with an ellipsis for the rest.

    Up to `words` words are kept on each side of a change; nothing is omitted if that would save no
    more than `spare` words. Words are separated by `between`, or by any space if it is None.
    """
    found: list[WordRun] = []
    for index, run in enumerate(runs):
        kept = run.text.split(between)
        first, last = index == 0, index == len(runs) - 1
        room = words * (1 if first or last else 2)
        if run.kind != "kept" or len(kept) <= room + spare or len(runs) == 1:
            found.append(run)
            continue
        start = [] if first else kept[:words]
        end = [] if last else kept[-words:]
        lead = " " if run.text[:1].isspace() and start and between is None else ""
        trail = " " if run.text[-1:].isspace() and end and between is None else ""
        found.append(WordRun(f"{lead}{' '.join([*start, '…', *end])}{trail}"))
    return tuple(found)
