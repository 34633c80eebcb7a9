"""Option files -> options with what each adds, changes and removes; names -> options chosen.

An optional rule stands in an annex, which the players read and forget. Where it is in force its
section moves behind the rule that it is about, with a line that says so, and its panels on the
quick-reference sheet move into the phase in which that rule is played. The annex keeps what is
still optional, and goes when nothing is, unless its opening holds a rule itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath

from rulebook.loading import nodes
from rulebook.loading.bindings import heading_id
from rulebook.loading.folder import OPTIONS_FOLDER
from rulebook.loading.nodes import MappingNode, Node, circle, find_node, misshapen, taken, unknown
from rulebook.loading.overlays import Overlay, named_in, read_overlay
from rulebook.loading.structure import read_model
from rulebook.model.prose import (
    COLLECTIONS_OF,
    Chapter,
    Remark,
    Section,
    Text,
    placements,
    sections_below,
)
from rulebook.model.ruleset import Option, Ruleset
from rulebook.model.scalars import HEADINGS, ID_PATTERN
from rulebook.model.sequence_and_examples import Phase, Step, turn_of
from rulebook.model.walk import names_of, prose_of
from rulebook.problems import Problem, Span


@dataclass(frozen=True, slots=True)
class OptionOverlay(Overlay):
    """An option that has been read, with the root node of its file."""

    option: Option
    root: MappingNode


def is_option(file: str) -> bool:
    """Tells whether a file is an option: its path in the ruleset's folder begins with options/."""
    return file.startswith(f"{OPTIONS_FOLDER}/")


def option_id(file: str) -> str:
    """Returns the id of an option: the name of its file, with underscores for hyphens."""
    return PurePosixPath(file).stem.replace("-", "_")


def read_options(
    roots: Iterable[tuple[str, Node]],
) -> tuple[dict[str, OptionOverlay], list[Problem]]:
    """Reads option files, given as paths in the folder and root nodes.

    Returns the overlays by id, and the faults.
    """
    overlays: dict[str, OptionOverlay] = {}
    problems: list[Problem] = []
    for file, root in roots:
        overlay = _read(option_id(file), root, problems)
        if overlay is None:
            continue
        first = overlays.setdefault(overlay.id, overlay)
        if first is not overlay:
            here, there = Span(root.span.path), Span(first.root.span.path)
            problems.append(taken(overlay.id, here, there))
    problems += order_faults(overlays)
    return overlays, problems


def _read(name: str, root: Node, problems: list[Problem]) -> OptionOverlay | None:
    if not re.fullmatch(ID_PATTERN, name):
        expected = "a file called by lower-case letters, digits and hyphens, a letter first"
        message = f"'{name:.40}' is no name of an option"
        problems.append(Problem("R205", message, Span(root.span.path), expected, "rename it"))
    if not isinstance(root, MappingNode):
        problems.append(misshapen(root, "where an option belongs", "'title' and the like"))
        return None
    option, faults = read_model(Option, root)
    problems += faults
    overlay = read_overlay("option", name, root, problems)
    if option is None:
        return None
    parts = (overlay.adds, overlay.changes, overlay.removes)
    return OptionOverlay("option", name, *parts, option, root)


def wins_over(overlays: Mapping[str, OptionOverlay]) -> dict[str, frozenset[str]]:
    """Returns for each option the ids of those after which it comes, directly or indirectly.

    It wins over these where both change the same thing.
    """
    found: dict[str, frozenset[str]] = {}
    for name in _sorted(overlays):
        stated = [before for before in overlays[name].option.after if before in overlays]
        found[name] = frozenset(stated).union(*(found.get(id_, frozenset()) for id_ in stated))
    return found


def in_order(overlays: Mapping[str, OptionOverlay], chosen: Iterable[str]) -> list[OptionOverlay]:
    """Lists the chosen options in the order in which they are laid over the rules.

    That is the order stated by `after`; options without one are sorted by id.
    """
    wanted = set(chosen)
    return [overlays[name] for name in _sorted(overlays) if name in wanted]


def _sorted(overlays: Mapping[str, OptionOverlay]) -> list[str]:
    after = {name: sorted(overlays[name].option.after) for name in sorted(overlays)}
    try:
        return [name for name in TopologicalSorter(after).static_order() if name in overlays]
    except CycleError:
        return sorted(overlays)  # reported by `order_faults`


def order_faults(overlays: Mapping[str, OptionOverlay]) -> Iterable[Problem]:
    """Yields a fault for each option that is to come after one that does not exist.

    Also yields one if options come after each other in a circle.
    """
    known = sorted(overlays)
    for overlay in overlays.values():
        for before in overlay.option.after:
            if before not in overlays:
                choices = [name for name in known if name != overlay.id]
                yield no_option(before, choices, find_node(overlay.root, ("after",))[1])
    try:
        TopologicalSorter({name: sorted(overlays[name].option.after) for name in known}).prepare()
    except CycleError as error:
        found: list[str] = error.args[1][::-1]
        _, here = find_node(overlays[found[0]].root, ("after",))
        yield circle("options", found, here, "R313")


def choose(
    options: Iterable[str], ids: Iterable[str], folder: Span
) -> tuple[tuple[str, ...], list[Problem]]:
    """Returns the sorted ids of the chosen options, and faults for unknown names.

    `options` are names with hyphens or underscores, `ids` the known ids, `folder` the place of the
    faults.
    """
    known = sorted(ids)
    wanted = {name.strip().replace("-", "_") for name in options}
    problems = [no_option(name, known, folder) for name in sorted(wanted - set(known))]
    return tuple(name for name in known if name in wanted), problems


def no_option(name: str, known: Sequence[str], span: Span | None) -> Problem:
    otherwise = f"no options: there is no file in {OPTIONS_FOLDER}/"
    return unknown("R310", "option", name, known, span, otherwise=otherwise)


#: How the words of a rule that is in force begin.
IN_FORCE = "*An optional rule, in force.*"
_DEEPEST = 4


def put_in_force(ruleset: Ruleset, plain: Ruleset, overlays: Iterable[OptionOverlay]) -> Ruleset:
    """Returns a ruleset with the rules of options marked as in force, and moved where they belong.

    `plain` is the ruleset without options, `overlays` are those in force.
    """
    for overlay in overlays:
        rule = heading_id(overlay.option.rule or "")
        place = heading_id(overlay.option.belongs or "") or _about(plain, overlay, rule)
        ruleset = _with_panels(_with_section(ruleset, rule, place), rule, place)
    return ruleset


def _about(plain: Ruleset, overlay: OptionOverlay, rule: str) -> str:
    """Returns the id of the heading of the first rule that an option changes, or an empty text.

    The heading is that of a procedure, step or cutout, or the one below which a table stands.
    `rule` is the option's own rule, which does not count.
    """
    return next(
        (heading for heading in _headings(plain, overlay) if heading and heading != rule), ""
    )


#: Collections whose entities name the headings of their rules.
_WITH_RULES = ("procedures", "sequence", "cutouts")


def _headings(plain: Ruleset, overlay: OptionOverlay) -> Iterator[str]:
    """Yields the id of the heading for each thing that an option changes or removes.

    It is an empty text for a thing that stands below no heading.
    """
    placed = placements(plain.chapters)
    for collection in (*_WITH_RULES, *COLLECTIONS_OF["table"]):
        known = getattr(plain.collections, collection)
        for part in (overlay.changes, overlay.removes):
            entities = part.get(collection)
            entries = entities.entries if isinstance(entities, nodes.MappingNode) else {}
            for name, entry in entries.items():
                if collection == "sequence":
                    yield from _headings_of_steps(known.get(name), entry.value)
                else:
                    rule = getattr(known.get(name), "rule", None)
                    yield heading_id(rule or placed.get(("table", name), ""))


def _headings_of_steps(phase: Phase | None, overlay: nodes.Node) -> Iterator[str]:
    """Yields the id of the heading for each step of a phase that an overlay changes or removes.

    It is an empty text for an unknown step and for steps of an optional phase.
    """
    steps = overlay.get("steps") if isinstance(overlay, nodes.MappingNode) else None
    for name, _ in named_in(steps):
        step = phase and isinstance(name, nodes.Scalar) and phase.steps.get(name.text)
        yield heading_id(step.rule or "") if phase and step and not phase.optional else ""


def _with_section(ruleset: Ruleset, rule: str, place: str) -> Ruleset:
    """Moves the section of a rule, with its subsections, after the section `place`.

    It stays where it is unless it stands in an annex and `place` in a chapter; it is marked as in
    force in either case. An annex that is left with no rule is removed. Returns the ruleset made.
    """
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
    lowered = [replace(section, level=min(section.level + down, _DEEPEST)) for section in moved]
    chapters[target] = replace(chapters[target], sections=(*body[:at], *lowered, *body[at:]))
    made = replace(ruleset, chapters=tuple(chapters))
    opening = left.sections[0]
    if len(left.sections) == 1 and not _has_rules(opening) and not _is_named(made, left.id):
        made = replace(made, chapters=tuple(chapter for chapter in chapters if chapter is not left))
    return made


def _has_rules(opening: Section) -> bool:
    """Tells whether the first section of an annex has more than plain text and notes.

    That is a value or link in braces, or a block such as a table.
    """
    return any(
        bool(part.bindings) if isinstance(part, Text) else not isinstance(part, Remark)
        for part in opening.parts
    )


def _chapter_of(chapters: Iterable[Chapter], heading: str) -> int | None:
    """Returns the index of the chapter that has a heading with this id, or None."""
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
    """Tells whether any reference in the ruleset leads to a heading."""
    parts = (part for section in ruleset.sections for part in section.parts)
    texts = [part.markdown for part in parts if isinstance(part, Text)]
    texts += [prose.markdown for _, prose in prose_of(ruleset)]
    if any(ref == HEADINGS and heading_id(name) == heading for _, name, ref in names_of(ruleset)):
        return True
    named = (found for text in texts for found in _NAMED.finditer(text))
    return any(heading == heading_id(found[1] or found[2]) for found in named)


def _with_panels(ruleset: Ruleset, rule: str, place: str) -> Ruleset:
    """Moves optional steps of a rule after the step of the rule that it is about.

    `place` is the heading id of that other rule. Phases that are left without steps are removed.
    Returns the ruleset made.
    """
    sequence = dict(ruleset.sequence)
    moved: dict[str, Step] = {}
    for phase_id, phase in ruleset.sequence.items():
        if phase.optional:
            own = {
                key: step
                for key, step in phase.steps.items()
                if heading_id(step.rule or "") == rule
            }
            moved |= {_free(key, phase_id, sequence): step for key, step in own.items()}
            left = {key: step for key, step in phase.steps.items() if key not in own}
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
    """Returns the key of a step, prefixed with its phase if another phase has the same key."""
    taken = any(key in phase.steps for name, phase in sequence.items() if name != phase_id)
    return f"{phase_id}_{key}" if taken else key


def _panel(ruleset: Ruleset, place: str) -> tuple[str, str] | None:
    """Returns the ids of the phase and the step whose rule is `place`.

    If none has it, returns those of the last step whose rule stands in the same chapter, or None.
    Optional phases do not count.
    """
    home = _chapter_of(ruleset.chapters, place)
    sections = () if home is None else ruleset.chapters[home].sections
    ids = [section.id for section in sections]
    near: tuple[str, str] | None = None
    for phase_id, phase in turn_of(ruleset.sequence).items():
        for key, step in phase.steps.items():
            rule = heading_id(step.rule or "")
            if rule == place:
                return phase_id, key
            if rule in ids:
                near = phase_id, key
    return near
