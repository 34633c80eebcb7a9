"""A ruleset, the edition before it and its author's notes -> why it cannot be released.

An edition is released when each change of a rule since the one before has a class and a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulebook.model.revisions import CLASSES, Revisions
from rulebook.model.ruleset import Address
from rulebook.problems import Problem, Span
from rulebook.revisions.changes import FIELDS, Branch, EditionChange, Path, by_thing
from rulebook.revisions.classes import Revised, places_of
from rulebook.revisions.comparison import WAS, Comparison


def refusals(
    revision: Revised,
    edition: str,
    file: str,
    places: Mapping[Address, Span],
    content: Mapping[Address, Span],
) -> Iterator[Problem]:
    """Why an edition cannot be released: places that changed not, and changes without a class.

    `file` is that of the notes, `places` where its parts stand, `content` where those of the
    ruleset stand.
    """
    yield from stray_names(revision.comparison, content)
    for noted, place in revision.idle:
        at = ("editions", edition, "changes", revision.notes.changes.index(noted))
        here = places.get((*at, "of", noted.of.index(place)), Span(file))
        yield Problem(
            "R805",
            f"'{place}' has not changed since the edition before",
            here,
            expected="entities, parts of them and headings that differ",
        )
    if revision.unclassed:
        number = len(by_thing(revision.unclassed))
        yield Problem(
            "R804",
            f"{number} {'things' if number > 1 else 'thing'} changed in the rules without a class",
            Span(file),
            expected="an entry under 'changes' for each, with its class and a sentence on why",
            hint="fill in the lines printed below and put them into the file",
        )


def stray_names(comparison: Comparison, content: Mapping[Address, Span]) -> Iterator[Problem]:
    """Faults of former ids (`was:`) that the edition before did not have, or this one still has."""
    for path, was in comparison.stray:
        at = path[1:] if path[0] == "collections" else path
        yield Problem(
            "R806",
            f"nothing that is gone was called '{was}' in the edition before",
            content.get((*at, WAS), content.get(at)),
            expected="the id that this had there, and that nothing has now",
        )


def gone_and_new(comparison: Comparison) -> Iterator[tuple[str, list[str], list[str]]]:
    """Ids that went and ids that came in one place, of things that may say `was:`."""
    found: dict[str, dict[Path, list[str]]] = {"removed": {}, "added": {}}
    for change in comparison.changes:
        at, part = change.path[:-1], change.new if change.kind == "added" else change.old
        inside = at[3:] in (("data",), ("rows",), ("fields",))
        named = at == ("options",) or (at[:1] == ("collections",) and (len(at) == 2 or inside))
        if change.kind in found and named and isinstance(part, Branch) and part.kind == FIELDS:
            found[change.kind].setdefault(at, []).append(change.path[-1])
    gone, new = found["removed"], found["added"]
    for at in (at for at in gone if at in new):
        yield " of ".join(reversed(at[2:] or at[-1:])), gone[at], new[at]


def stub(
    changes: Iterable[EditionChange], edition: str, after: str, revisions: Revisions
) -> tuple[str, str]:
    """Where in revisions.yaml lines are to be put, and the lines: an entry for each thing changed.

    Of one with several changes the whole is named: `of: [going]`, rather than a row.

    An author fills in what stands empty. `revisions` are those that are in the file already.
    """
    notes = revisions.editions.get(edition)
    if notes is not None and notes.changes:
        where, head = f"below the last of the 'changes' of \"{edition}\"", []
    elif notes is not None:
        where, head = f'below "{edition}"', ["    changes:"]
    elif revisions.editions:
        where, head = "at the end of 'editions'", _edition_head(edition, after)
    else:
        where, head = "at the end", ["editions:", *_edition_head(edition, after)]
    lines, gravest, others = list(head), next(iter(CLASSES)), ", ".join([*CLASSES][1:])
    for thing, own in by_thing(changes).items():
        places = ", ".join(
            f"'{place}'" if "#" in place else place for place in places_of(thing, own)
        )
        lines += [
            "      - title:",
            f"        of: [{places}]",
            f"        class: {gravest}    # or {others}",
            "        why:",
        ]
    return where, "\n".join(lines)


def _edition_head(edition: str, after: str) -> list[str]:
    return [f'  "{edition}":', f'    after: "{after}"', "    changes:"]
