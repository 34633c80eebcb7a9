"""A variant and the plain ruleset -> which prose of the variant may hold a fault that is new.

In a plain ruleset without a fault every name in prose is that of something. In a variant so it is
again, unless the prose is another, or what it names is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulebook.model.cutouts.stick import Stick
from rulebook.model.examples_and_terms import Example
from rulebook.model.lookup import COLLECTIONS
from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.tables import Grid, RecordTable
from rulebook.model.units import Unit


@dataclass(frozen=True, slots=True)
class Unlike:
    """`changed` are the ids of what is not the same as in the plain ruleset, or leads to such; and
    `named` finds them in a text.
    """

    changed: frozenset[str]
    named: re.Pattern[str]

    def may_be_faulty(self, address: Address, prose: Prose) -> bool:
        """Whether prose that is without a fault in the plain ruleset may have one here."""
        new = address[0] != "header" and (address[0] == "options" or address[1] in self.changed)
        texts = (prose.markdown, prose.markdown.replace("-", "_"))
        return new or any(map(self.named.search, texts))


def unlike(ruleset: Ruleset, plain: Ruleset) -> Unlike | None:
    """How a variant differs; None where it lacks a heading, which any prose may name."""
    if not _headings(ruleset) >= _headings(plain):
        return None
    now, then = _entities(ruleset), _entities(plain)
    changed = {name for name in now | then if now.get(name) is not then.get(name)}
    leading = {name: set(_leads_to(entity)) for name, entity in now.items()}
    more = set(changed)
    while more:
        more = {name for name, to in leading.items() if name not in changed and to & more}
        changed |= more
    words = "|".join(map(re.escape, sorted(changed)))
    return Unlike(frozenset(changed), re.compile(rf"\b(?:{words})\b" if words else r"(?!)"))


def _headings(ruleset: Ruleset) -> set[str]:
    return {section.id for chapter in ruleset.chapters for section in chapter.sections}


def _entities(ruleset: Ruleset) -> dict[str, Entity]:
    found: dict[str, Entity] = {}
    for collection in COLLECTIONS:
        found |= getattr(ruleset.collections, collection)
    return found


def _leads_to(entity: Entity) -> Iterator[str]:
    """The ids of what is read as well where this entity is named, or its prose is."""
    if isinstance(entity, RecordTable):
        yield from (spec.type.table for spec in entity.fields.values() if spec.type.table)
    elif isinstance(entity, Grid) and entity.cells.table:
        yield entity.cells.table
    elif isinstance(entity, Unit):
        yield from (row.table for row in entity.rows)
    elif isinstance(entity, Stick) and not isinstance(entity.marks, tuple):
        yield from re.findall(r"\w+", repr(entity.marks))
    elif isinstance(entity, Example):
        yield from (step.run for step in entity.runs.values() if step.run)
