"""A ruleset with options chosen -> the same with their rules where they belong: in the body.

An optional rule stands in an annex, which the players read and forget. Where it is in force its
section moves behind the rule that it is about, with a line that says so, and its panels on the
quick-reference sheet move into the phase in which that rule is played. The annex keeps what is
still optional, and goes when nothing is, unless its opening holds a rule itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulebook.loading import nodes
from rulebook.loading.options import OptionOverlay
from rulebook.loading.prose import heading_id
from rulebook.model.prose import Chapter, Remark, Section, Text, placements, sections_below
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import HEADINGS
from rulebook.model.sequence_and_examples import Phase, Step, turn_of
from rulebook.model.walk import names_of, prose_of

#: How the words of a rule that is in force begin.
IN_FORCE = "*An optional rule, in force.*"
_DEEPEST = 4


def put_in_force(ruleset: Ruleset, plain: Ruleset, overlays: Iterable[OptionOverlay]) -> Ruleset:
    """The ruleset with the rules of some options where they belong; `plain` is it without any."""
    for overlay in overlays:
        rule = heading_id(overlay.option.rule or "")
        place = heading_id(overlay.option.belongs or "") or _about(plain, overlay, rule)
        ruleset = _with_panels(_with_section(ruleset, rule, place), rule, place)
    return ruleset


def _about(plain: Ruleset, overlay: OptionOverlay, rule: str) -> str:
    """The heading of the first rule that an option changes: a procedure's, a step's, a cutout's or
    that where a table stands; empty where there is none.
    """
    return next(
        (heading for heading in _headings(plain, overlay) if heading and heading != rule), ""
    )


def _headings(plain: Ruleset, overlay: OptionOverlay) -> Iterator[str]:
    touched = (overlay.changes, overlay.removes)
    for name in _named(touched, "procedures"):
        procedure = plain.procedures.get(name)
        yield heading_id((procedure and procedure.rule) or "")
    for part in touched:
        for phase_id, step_id in _steps(part.get("sequence")):
            phase = plain.sequence.get(phase_id)
            step = phase.steps.get(step_id) if phase and not phase.optional else None
            yield heading_id(step.rule) if step else ""
    for name in _named(touched, "cutouts"):
        cutout = plain.cutouts.get(name)
        yield heading_id((cutout and cutout.rule) or "")
    placed = placements(plain.chapters)
    for collection in ("tables", "modifiers"):
        for name in _named(touched, collection):
            yield placed.get(("table", name), "")


def _named(parts: Iterable[nodes.MappingNode], collection: str) -> Iterator[str]:
    for part in parts:
        entities = part.get(collection)
        if isinstance(entities, nodes.MappingNode):
            yield from entities.entries


def _steps(sequence: nodes.Node | None) -> Iterator[tuple[str, str]]:
    """The steps that are changed or removed, each with its phase."""
    if not isinstance(sequence, nodes.MappingNode):
        return
    for phase_id, entry in sequence.entries.items():
        steps = entry.value.get("steps") if isinstance(entry.value, nodes.MappingNode) else None
        if isinstance(steps, nodes.MappingNode):
            yield from ((phase_id, step_id) for step_id in steps.entries)
        elif isinstance(steps, nodes.SequenceNode):
            names = (one.text for one in steps.items if isinstance(one, nodes.Scalar))
            yield from ((phase_id, name) for name in names)


def _with_section(ruleset: Ruleset, rule: str, place: str) -> Ruleset:
    """The section of a rule, and what is below it, behind the section of another."""
    chapters = list(ruleset.chapters)
    home, target = _chapter_of(chapters, rule), _chapter_of(chapters, place)
    if home is None:
        return ruleset
    sections = chapters[home].sections
    moved = list(sections_below([chapters[home]], rule))
    start = sections.index(moved[0])
    before, behind = sections[:start], sections[start + len(moved) :]
    moved[0] = _marked_in_force(moved[0])
    if start == 0 or target is None or not chapters[home].annex or chapters[target].annex:
        # It stays where it is, but says that it is in force.
        chapters[home] = replace(chapters[home], sections=(*before, *moved, *behind))
        return replace(ruleset, chapters=tuple(chapters))
    left = chapters[home] = replace(chapters[home], sections=(*before, *behind))
    body = chapters[target].sections
    around = list(sections_below([chapters[target]], place))
    at = body.index(around[0]) + len(around)
    down = max(around[0].level, 2) - moved[0].level
    lowered = [replace(one, level=min(one.level + down, _DEEPEST)) for one in moved]
    chapters[target] = replace(chapters[target], sections=(*body[:at], *lowered, *body[at:]))
    made = replace(ruleset, chapters=tuple(chapters))
    opening = left.sections[0]
    if len(left.sections) == 1 and not _has_rules(opening) and not _is_named(made, left.id):
        made = replace(made, chapters=tuple(chapter for chapter in chapters if chapter is not left))
    return made


def _has_rules(opening: Section) -> bool:
    """Whether the opening of an annex holds more than words on what follows: a value, a table."""
    return any(
        bool(part.bindings) if isinstance(part, Text) else not isinstance(part, Remark)
        for part in opening.parts
    )


def _chapter_of(chapters: Iterable[Chapter], heading: str) -> int | None:
    """Which chapter has the heading, counted from 0."""
    for number, chapter in enumerate(chapters):
        if any(section.id == heading for section in chapter.sections):
            return number
    return None


def _marked_in_force(section: Section) -> Section:
    first = section.parts[0] if section.parts else None
    if isinstance(first, Text) and first.markdown.startswith(IN_FORCE):
        return section  # another option in force has the same rule
    if not isinstance(first, Text):
        return replace(section, parts=(Text(IN_FORCE, (), section.span), *section.parts))
    shift = len(IN_FORCE) + 1
    moved = (
        replace(binding, start=binding.start + shift, end=binding.end + shift)
        for binding in first.bindings
    )
    words = replace(first, markdown=f"{IN_FORCE} {first.markdown}", bindings=tuple(moved))
    return replace(section, parts=(words, *section.parts[1:]))


_NAMED = re.compile(r"\{rule:([^{}]*)\}|\]\(#([\w-]++)\)")


def _is_named(ruleset: Ruleset, heading: str) -> bool:
    """Whether a reference leads to a heading."""
    parts = (part for section in ruleset.sections for part in section.parts)
    texts = [part.markdown for part in parts if isinstance(part, Text)]
    texts += [prose.markdown for _, prose in prose_of(ruleset)]
    if any(ref == HEADINGS and heading_id(name) == heading for _, name, ref in names_of(ruleset)):
        return True
    named = (found for text in texts for found in _NAMED.finditer(text))
    return any(heading == heading_id(found[1] or found[2]) for found in named)


def _with_panels(ruleset: Ruleset, rule: str, place: str) -> Ruleset:
    """The optional panels of a rule, behind those of the rule that it is about."""
    sequence = dict(ruleset.sequence)
    moved: dict[str, Step] = {}
    for phase_id, phase in ruleset.sequence.items():
        if phase.optional:
            own = {key: one for key, one in phase.steps.items() if heading_id(one.rule) == rule}
            moved |= {_free(key, phase_id, sequence): one for key, one in own.items()}
            left = {key: one for key, one in phase.steps.items() if key not in own}
            sequence[phase_id] = phase.model_copy(update={"steps": left})
    found = _panel(ruleset, place) if moved else None
    if found is None:
        return ruleset
    phase_id, behind = found
    steps: dict[str, Step] = {}
    for key, step in sequence[phase_id].steps.items():
        steps[key] = step
        if key == behind:
            steps |= moved
    sequence[phase_id] = sequence[phase_id].model_copy(update={"steps": steps})
    kept = {key: phase for key, phase in sequence.items() if phase.steps}
    collections = ruleset.collections.model_copy(update={"sequence": kept})
    return replace(ruleset, collections=collections)


def _free(key: str, phase_id: str, sequence: dict[str, Phase]) -> str:
    """An id that no step of another phase has."""
    taken = any(key in one.steps for name, one in sequence.items() if name != phase_id)
    return f"{phase_id}_{key}" if taken else key


def _panel(ruleset: Ruleset, place: str) -> tuple[str, str] | None:
    """The phase and the step of a rule, or the last that has a rule of its chapter."""
    home = _chapter_of(ruleset.chapters, place)
    sections = () if home is None else ruleset.chapters[home].sections
    ids = [section.id for section in sections]
    near: tuple[str, str] | None = None
    for phase_id, phase in turn_of(ruleset.sequence).items():
        for key, step in phase.steps.items():
            rule = heading_id(step.rule)
            if rule == place:
                return phase_id, key
            if rule in ids:
                near = phase_id, key
    return near
