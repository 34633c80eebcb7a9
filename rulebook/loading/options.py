"""Option files -> options with what each adds, changes and removes; names -> options chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as ReadOnly
from collections.abc import Sequence as ReadOnlySequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath
from typing import Literal

from rulebook.loading.folder import OPTIONS_FOLDER
from rulebook.loading.merging import COLLECTION_NAMES
from rulebook.loading.nodes import Entry, Mapping, Node, Scalar, Sequence, shape
from rulebook.loading.structure import read_model
from rulebook.model.cells import nearest, some_words
from rulebook.model.options import Option
from rulebook.model.scalars import ID_PATTERN
from rulebook.problems import Problem, Span

_OVERLAYS = ("adds", "changes", "removes")


@dataclass(frozen=True, slots=True)
class Overlay:
    """An option that has been read, and the collections that it adds, changes and removes."""

    id: str
    option: Option
    adds: Mapping
    changes: Mapping
    removes: Mapping
    root: Mapping
    kind: Literal["option", "file"] = "option"


def is_option(file: str) -> bool:
    """Whether a file, by its path in the ruleset's folder, is an option and no topic file."""
    return file.startswith(f"{OPTIONS_FOLDER}/")


def option_id(file: str) -> str:
    """The id of an option: the name of its file, a hyphen being an underscore."""
    return PurePosixPath(file).stem.replace("-", "_")


def read_options(roots: Iterable[tuple[str, Node]]) -> tuple[dict[str, Overlay], list[Problem]]:
    """Option files, each with its path in the folder -> overlays by id, and what is wrong."""
    overlays: dict[str, Overlay] = {}
    problems: list[Problem] = []
    for file, root in roots:
        overlay = _read(option_id(file), root, problems)
        if overlay is None:
            continue
        first = overlays.setdefault(overlay.id, overlay)
        if first is not overlay:
            problems.append(
                Problem(
                    "R206",
                    f"two files are the option '{overlay.id}'",
                    Span(root.span.path),
                    expected="each name once, hyphen and underscore being the same",
                    hint="rename one of them",
                    also=(Span(first.root.span.path), "the first is this"),
                )
            )
    problems += order_faults(overlays)
    return overlays, problems


def _read(name: str, root: Node, problems: list[Problem]) -> Overlay | None:
    if not re.fullmatch(ID_PATTERN, name):
        problems.append(
            Problem(
                "R205",
                f"'{name[:40]}' is no name of an option",
                Span(root.span.path),
                expected="a file called by lower-case letters, digits and hyphens, a letter first",
                hint="rename the file",
            )
        )
    if not isinstance(root, Mapping):
        message = f"{shape(root)} stands where an option belongs"
        problems.append(Problem("R203", message, root.span, expected="'title' and the like"))
        return None
    option, faults = read_model(Option, root)
    problems += faults
    adds, changes, removes = (_collections(root, key, problems) for key in _OVERLAYS)
    if not any(overlay.entries for overlay in (adds, changes, removes)) and not problems:
        problems.append(
            Problem(
                "R202",
                "an option that does nothing",
                Span(root.span.path, root.span.line, 1, root.span.line, 2),
                expected="'adds', 'changes' or 'removes', with collections below it",
            )
        )
    return Overlay(name, option, adds, changes, removes, root) if option else None


def _collections(root: Mapping, key: str, problems: list[Problem]) -> Mapping:
    """The collections under `adds`, `changes` or `removes`, without those that will not do."""
    entry = root.entries.get(key)
    if entry is None:
        return Mapping({}, root.span)
    if not isinstance(entry.value, Mapping):
        problems.append(_no_collections(entry, f"'{key}'", "collections, such as tables:"))
        return Mapping({}, root.span)
    found: dict[str, Entry] = {}
    for name, collection in entry.value.entries.items():
        lists = (Mapping, Sequence) if key == "removes" else (Mapping,)
        if name not in COLLECTION_NAMES:
            problems.append(
                Problem(
                    "R201",
                    f"no collection is called '{name[:40]}'",
                    collection.key.span,
                    expected=", ".join(COLLECTION_NAMES),
                    hint=nearest(name, COLLECTION_NAMES),
                )
            )
        elif not isinstance(collection.value, lists):
            wanted = "a list of ids" if key == "removes" else "ids, each with what belongs to it"
            problems.append(_no_collections(collection, f"'{name}'", wanted))
        else:
            found[name] = collection
    return Mapping(found, entry.key.span)


def _no_collections(entry: Entry, called: str, expected: str) -> Problem:
    message = f"{shape(entry.value)} stands under {called}"
    return Problem("R203", message, entry.key.span, expected=expected)


def wins_over(overlays: ReadOnly[str, Overlay]) -> dict[str, frozenset[str]]:
    """Each option -> all those that it is stated to come after, at first or second hand."""
    found: dict[str, frozenset[str]] = {}
    for name in _sorted(overlays):
        stated = [other for other in overlays[name].option.after if other in overlays]
        found[name] = frozenset(stated).union(*(found.get(one, frozenset()) for one in stated))
    return found


def in_order(overlays: ReadOnly[str, Overlay], chosen: Iterable[str]) -> list[Overlay]:
    """The options chosen in the order in which they are laid over the rules: as stated, else by
    name.
    """
    wanted = set(chosen)
    return [overlays[name] for name in _sorted(overlays) if name in wanted]


def _sorted(overlays: ReadOnly[str, Overlay]) -> list[str]:
    after = {name: sorted(overlays[name].option.after) for name in sorted(overlays)}
    try:
        return [name for name in TopologicalSorter(after).static_order() if name in overlays]
    except CycleError:
        return sorted(overlays)  # told by `order_faults`


def order_faults(overlays: ReadOnly[str, Overlay]) -> Iterable[Problem]:
    """Options that are to come after what is no option, or after each other in a circle."""
    known = sorted(overlays)
    for overlay in overlays.values():
        for other in overlay.option.after:
            if other not in overlays:
                yield no_option(other, known, _place_of_after(overlay))
    try:
        TopologicalSorter({name: sorted(overlays[name].option.after) for name in known}).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1][::-1]
        yield Problem(
            "R313",
            f"options that come after each other: {' -> '.join(circle[:7])}",
            _place_of_after(overlays[circle[0]]),
            expected="an order, with one of them first",
            hint="take 'after' away from one of them",
        )


def _place_of_after(overlay: Overlay) -> Span:
    entry = overlay.root.entries.get("after")
    if entry is None:
        return overlay.root.span
    return entry.value.span if isinstance(entry.value, Scalar) else entry.key.span


def choose(
    options: Iterable[str], ids: Iterable[str], folder: Span
) -> tuple[tuple[str, ...], list[Problem]]:
    """Options by their names, hyphen or underscore -> their ids, sorted, and those unknown."""
    known = sorted(ids)
    wanted = {name.strip().replace("-", "_") for name in options}
    problems = [no_option(name, known, folder) for name in sorted(wanted - set(known))]
    return tuple(name for name in known if name in wanted), problems


def no_option(name: str, known: ReadOnlySequence[str], span: Span | None) -> Problem:
    return Problem(
        "R310",
        f"no option is called '{name[:40]}'",
        span,
        expected=some_words(known) or f"no options: there is no file in {OPTIONS_FOLDER}/",
        hint=nearest(name, known),
    )
