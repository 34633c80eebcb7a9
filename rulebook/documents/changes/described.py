"""What changed between two editions, in the words of a reader: where, what it was, what it is now.

All notes on changes are made of this: on a terminal, in Markdown, JSON and HTML, and in print.
`describing.ChangeDescriber` makes it.

All text is as it prints: bindings are replaced, lengths have their signs, and Markdown is removed.
Of two editions, or a ruleset and its variant, one is *old* and one *new*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from rulebook.documents.changes.changed_tables import ChangedTable
from rulebook.documents.changes.rule_numbers import RuleNumbers, RulePlace
from rulebook.documents.changes.things import KindOfThing
from rulebook.documents.impact.views import CutoutImpact
from rulebook.model.revisions import CLASSES, ChangeClass
from rulebook.revisions.likeness import WORD, Matcher, passages
from rulebook.translation import gettext, gettext_noop

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
    """Some words of a text that is in both editions, with the space that follows them."""

    text: str
    kind: Literal["kept", "deleted", "inserted"] = "kept"


@dataclass(frozen=True, slots=True)
class PartChange:
    """One difference inside of a thing.

    `where` tells the place in words, "8-16″, first volley, cover", and is empty for the thing
    itself. `before` and `after` are what is printed, empty where an edition has nothing there;
    `runs` has both in one where words changed, word by word.

    `path` leads to it, as the new edition calls its parts.
    """

    path: tuple[str, ...]
    kind: ChangeKind
    where: str
    before: str = ""
    after: str = ""
    runs: tuple[WordRun, ...] = ()

    @property
    def of_table(self) -> bool:
        """Whether it is in the rows or columns of a table, or is one of them."""
        return self.path[3:4] in (("data",), ("rows",), ("fields",), ("changes",))

    @property
    def in_table(self) -> bool:
        """Whether it is a cell, a row or a column, and no note on one."""
        noted = self.path[5:6] in {("title",), ("note",), ("source",), ("status",)}
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
    `reworded` if no more than words are. `was` is the old id of one that was renamed.
    `standing` is the place in the new edition, or in the old one where the new has it no longer,
    and `stood` the place in the old edition, if it had it.

    `parts` are the differences in it. A table in `tables` shows cells before and after; one that
    was another kind of table stands there twice, as it was and as it is. `also` tells what follows
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
        """4.1 Ranges (table), new."""
        name = _named(self.standing.rule, self.title, self.thing)
        if self.kind == "renamed":
            return gettext("%(name)s, whose id was %(was)s", name=name, was=self.was)
        return gettext(_STATES[self.kind], name=name) if self.kind in _STATES else name

    @property
    def place(self) -> str:
        """Where a thing reads differently that changed in one part: 7.2 Retreat, condition."""
        number = self.standing.rule if self.thing.name == "section" else ""
        return ", ".join(
            filter(None, (_named(number, self.title, self.thing), self.parts[0].where))
        )

    @property
    def shown(self) -> tuple[PartChange, ...]:
        """The differences but for the source, which is no matter of play or print."""
        return tuple(part for part in self.parts if part.path[-1] != "source")

    @property
    def beside(self) -> tuple[PartChange, ...]:
        """Those that do not stand in one of its tables."""
        return tuple(part for part in self.shown if not (self.tables and part.in_table))

    @property
    def lines(self) -> list[str]:
        """The rows of tables that its parts do not tell, in words."""
        whole = self.kind in ("added", "removed") or len(self.tables) > 1
        return [line for table in self.tables if whole for line in table.lines]


@dataclass(frozen=True, slots=True)
class DescribedRevision:
    """One change as its author tells it, with all things that it changes, the rules first.

    `standing` is that of the first which its author names, of those that stand in a chapter. One
    without a class is of changes that nobody has classed.

    Where it is printed it has a `number` among all changes, is `cited` by its rule, and `also` has
    in words what follows elsewhere.
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

    `revisions` stand in the author's order. `editorial` are changes that need no words of his, and
    `unclassed` those that do and have none yet, as in a working copy, or between two rulesets.
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
        """Whether one is a revision of the other, and not another game, or a way to play it."""
        return (self.old.ruleset, self.old.options) == (self.new.ruleset, self.new.options)

    @property
    def by_class(self) -> dict[ChangeClass, list[DescribedRevision]]:
        """The revisions of each class, the gravest first, each in the author's order."""
        found: dict[ChangeClass, list[DescribedRevision]] = {class_: [] for class_ in CLASSES}
        for revision in self.revisions:
            found[revision.class_].append(revision)
        return found

    def things(self) -> Iterator[tuple[DescribedRevision | None, ThingChange]]:
        """Every thing that changed, with its revision; a thing may be of several revisions."""
        for revision in self.revisions:
            yield from ((revision, thing) for thing in revision.things)
        yield from ((None, thing) for thing in (*self.editorial, *self.unclassed))


def word_runs(before: str, after: str) -> tuple[WordRun, ...]:
    """Both texts in one: what is kept and deleted is the one, kept and inserted the other.

    Texts that share little are struck and inserted whole.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = Matcher(old, new)
    parts = passages(matcher, lambda start, end: "".join(new[start:end]))
    runs: list[WordRun] = []
    if _is_another(matcher, old, new, sum(not part.kept for part in parts)):
        runs = [WordRun(before, "deleted"), WordRun(after, "inserted")]
    else:
        for part in parts:
            came = "".join(new[part.c : part.d])
            if part.kept:
                runs.append(WordRun(came))
            else:
                runs += [
                    WordRun("".join(old[part.a : part.b]), "deleted"),
                    WordRun(came, "inserted"),
                ]
    return tuple(_joined(run for run in runs if run.text))


def _joined(runs: Iterable[WordRun]) -> Iterator[WordRun]:
    """Runs of one kind behind each other are one."""
    for kind, several in groupby(runs, lambda run: run.kind):
        yield WordRun("".join(run.text for run in several), kind)


def _is_another(matcher: Matcher[str], old: list[str], new: list[str], changes: int) -> bool:
    """Whether too few words of two texts are the same for so many changes.

    Signs and spaces are no words.
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
    """The words about each change; others that are kept are left out.

    So many words stand on each side of a change, or a few more where but a few would be left out.
    What is `between` words is any space, or just this.
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
