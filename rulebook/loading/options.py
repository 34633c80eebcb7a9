"""Option files -> options with what each adds, changes and removes; names -> options chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath
from typing import Literal

from rulebook.loading.folder import OPTIONS_FOLDER
from rulebook.loading.merging import collections_in
from rulebook.loading.nodes import MappingNode, Node, circle, find_node, misshapen, taken, unknown
from rulebook.loading.structure import read_model
from rulebook.model.ruleset import Option
from rulebook.model.scalars import ID_PATTERN
from rulebook.problems import Problem, Span
from rulebook.suggestions import some_words

#: What an overlay does.
OVERLAYS = ("adds", "changes", "removes")


@dataclass(frozen=True, slots=True)
class Overlay:
    """The collections that an option, or a file of a variant, adds, changes and removes."""

    kind: Literal["option", "file"]
    id: str
    adds: MappingNode
    changes: MappingNode
    removes: MappingNode


@dataclass(frozen=True, slots=True)
class OptionOverlay(Overlay):
    """An option that has been read, and what it is written in."""

    option: Option
    root: MappingNode


def is_option(file: str) -> bool:
    """Whether a file, by its path in the ruleset's folder, is an option and no topic file."""
    return file.startswith(f"{OPTIONS_FOLDER}/")


def option_id(file: str) -> str:
    """The id of an option: the name of its file, a hyphen being an underscore."""
    return PurePosixPath(file).stem.replace("-", "_")


def read_options(
    roots: Iterable[tuple[str, Node]],
) -> tuple[dict[str, OptionOverlay], list[Problem]]:
    """Option files, each with its path in the folder -> overlays by id, and what is wrong."""
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


def read_overlay(
    kind: Literal["option", "file"],
    name: str,
    root: MappingNode,
    problems: list[Problem],
    removed: tuple[str, ...] = (),
) -> Overlay:
    """What a file adds, changes and removes; `removed` may be removed beside collections."""

    def under(key: str) -> MappingNode:
        entry = root.entries.get(key)
        if entry is None:
            return MappingNode({}, root.span)
        also, lists = (removed, True) if key == "removes" else ((), False)
        where = f"under '{key}'"
        found = collections_in(entry.value, where, problems, key=entry.key, also=also, lists=lists)
        return MappingNode(found, entry.key.span)

    overlay = Overlay(kind, name, *map(under, OVERLAYS))
    if not any(getattr(overlay, key).entries for key in OVERLAYS) and not problems:
        here = Span(root.span.path, root.span.line, 1, root.span.line, 2)
        expected = f"{some_words(OVERLAYS)}, with collections below"
        problems.append(Problem("R202", "a file that changes nothing", here, expected))
    return overlay


def wins_over(overlays: Mapping[str, OptionOverlay]) -> dict[str, frozenset[str]]:
    """Each option -> all those that it is stated to come after, at first or second hand."""
    found: dict[str, frozenset[str]] = {}
    for name in _sorted(overlays):
        stated = [other for other in overlays[name].option.after if other in overlays]
        found[name] = frozenset(stated).union(*(found.get(one, frozenset()) for one in stated))
    return found


def in_order(overlays: Mapping[str, OptionOverlay], chosen: Iterable[str]) -> list[OptionOverlay]:
    """The options chosen in the order in which they are laid over the rules: as stated, else by
    name.
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
    """Options that are to come after what is no option, or after each other in a circle."""
    known = sorted(overlays)
    for overlay in overlays.values():
        for other in overlay.option.after:
            if other not in overlays:
                others = [one for one in known if one != overlay.id]
                yield no_option(other, others, find_node(overlay.root, ("after",))[1])
    try:
        TopologicalSorter({name: sorted(overlays[name].option.after) for name in known}).prepare()
    except CycleError as error:
        found: list[str] = error.args[1][::-1]
        _, here = find_node(overlays[found[0]].root, ("after",))
        yield circle("options", found, here, "R313")


def choose(
    options: Iterable[str], ids: Iterable[str], folder: Span
) -> tuple[tuple[str, ...], list[Problem]]:
    """Options by their names, hyphen or underscore -> their ids, sorted, and those unknown."""
    known = sorted(ids)
    wanted = {name.strip().replace("-", "_") for name in options}
    problems = [no_option(name, known, folder) for name in sorted(wanted - set(known))]
    return tuple(name for name in known if name in wanted), problems


def no_option(name: str, known: Sequence[str], span: Span | None) -> Problem:
    otherwise = f"no options: there is no file in {OPTIONS_FOLDER}/"
    return unknown("R310", "option", name, known, span, otherwise=otherwise)
