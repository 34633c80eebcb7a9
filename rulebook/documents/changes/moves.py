"""Changes of the order of chapters -> which headings stand elsewhere now, and where they stood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulebook.documents.changes.thing_changes import Editions
from rulebook.documents.marks.change_places import title_of
from rulebook.documents.marks.change_words import PartChange
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.changes import Added, Change, Ordered, Path


def moved_headings(
    editions: Editions, changes: Iterable[Change]
) -> Iterator[tuple[Path, PartChange]]:
    """Chapters and sections that both editions have in different places, each by its path."""
    old, new = editions.old.parts.ruleset, editions.new.parts.ruleset
    now = editions.renamed(("sections",))
    stood = {now.get(one, one): chapter for one, chapter in _chapters(old).items()}
    for change in changes:
        if isinstance(change, Added) and len(change.path) == 3 and change.path[2] in stood:
            heading = change.path[2]
            before, after = (
                title_of(ruleset, ("chapters", chapter))
                for ruleset, chapter in ((old, stood[heading]), (new, change.path[1]))
            )
            yield _moved(("sections", heading), change.path, f"in {before}", f"in {after}")
        elif isinstance(change, Ordered):
            kind = "chapters" if len(change.path) == 1 else "sections"
            before_order = [now.get(one, one) for one in _order(old, change.path)]
            for key in change.moved:
                titles = (
                    _behind(ruleset, kind, order, key)
                    for ruleset, order in ((new, before_order), (new, change.order))
                )
                yield _moved((kind, key), (*change.path, key), *titles)


def _moved(thing: Path, path: Path, before: str, after: str) -> tuple[Path, PartChange]:
    return thing, PartChange(path, "moved", "", before, after)


def _chapters(ruleset: Ruleset) -> Mapping[str, str]:
    """Ids of headings, each with that of its chapter."""
    return {one.id: chapter.id for chapter in ruleset.chapters for one in chapter.sections}


def _order(ruleset: Ruleset, path: Path) -> list[str]:
    """Chapters, or the headings of one of them, in the edition before."""
    if len(path) == 1:
        return [chapter.id for chapter in ruleset.chapters]
    return [
        one.id for chapter in ruleset.chapters if chapter.id == path[1] for one in chapter.sections
    ]


def _behind(ruleset: Ruleset, kind: str, order: Sequence[str], key: str) -> str:
    index = order.index(key) if key in order else 0
    return f"behind “{title_of(ruleset, (kind, order[index - 1]))}”" if index else "first"
