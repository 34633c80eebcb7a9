"""Documents of the chosen rulesets -> targets, one for each file, and the choice among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from rulebook.build.order import Order
from rulebook.documents.parts.document import Document, File

#: So many paths are told where a filter matches none.
MOST_TOLD = 40


class NoSuchTarget(Exception):
    """A filter that matches nothing: wrong usage; its text names the choices."""


@dataclass(frozen=True, slots=True)
class Target:
    """One file that may be printed, and the document that it is a form of."""

    document: Document
    file: File

    @property
    def path(self) -> str:
        """Relative to the output folder: mygame/1.0/qrs-a4.pdf."""
        return f"{self.document.ruleset}/{self.document.edition}/{self.file.path}"


def is_inside(path: str) -> bool:
    """Whether a relative path in POSIX form stays in the folder that it is relative to."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and "\\" not in path and ".." not in parts


def gather(documents: Iterable[Document]) -> list[Target]:
    """All targets in the order of the documents.

    Raises ValueError where two of them would write one file or one would write outside of its
    folder.
    """
    targets: dict[str, Target] = {}
    for document in documents:
        for file in document.files:
            target = Target(document, file)
            if not is_inside(file.path):
                raise ValueError(f"a target outside of its folder: {file.path}")
            if target.path in targets:
                raise ValueError(f"two targets are called {target.path}")
            targets[target.path] = target
    return list(targets.values())


def choose(targets: Sequence[Target], order: Order, *, strict: bool = True) -> list[Target]:
    """The targets that pass all filters of the order.

    Raises NoSuchTarget where a filter matches nothing, if `strict`.
    """
    if strict:
        _must_all_match(targets, order)
    chosen = [target for target in targets if _passes(target, order)]
    if strict and targets and not chosen:
        raise NoSuchTarget("no file passes all filters together")
    return chosen


def _must_all_match(targets: Sequence[Target], order: Order) -> None:
    paths = [target.path for target in targets]
    papers = [target.file.paper for target in targets]
    inks = [target.file.ink for target in targets]
    for kind, wanted, names, fits in (
        ("file", order.only, paths, _matches),
        ("paper", order.papers, papers, str.__eq__),
        ("ink", order.inks, inks, str.__eq__),
    ):
        known = list(dict.fromkeys(name for name in names if name is not None))
        for one in wanted:
            if not any(fits(name, one) for name in known):
                raise NoSuchTarget(_no_match(kind, one, known))


def _passes(target: Target, order: Order) -> bool:
    return (
        (not order.only or any(_matches(target.path, pattern) for pattern in order.only))
        and (not order.papers or target.file.paper in order.papers)
        and (not order.inks or target.file.ink in order.inks)
    )


def _matches(path: str, pattern: str) -> bool:
    """`mygame/1.0/qrs-*` is for the whole path, `qrs-*` for what stands after the edition."""
    return fnmatchcase(path, pattern) or fnmatchcase(path.split("/", 2)[2], pattern)


def _no_match(kind: str, wanted: str, known: Sequence[str]) -> str:
    near = get_close_matches(wanted, known, n=1)
    meant = f" (did you mean '{near[0]}'?)" if near else ""
    listed = "\n".join(f"  {name}" for name in known[:MOST_TOLD]) or "  none"
    more = f"\n  and {len(known) - MOST_TOLD} more" if len(known) > MOST_TOLD else ""
    return f"no {kind} matches '{wanted}'{meant}; there are:\n{listed}{more}"
