"""Documents of the chosen rulesets -> targets, one for each file, and the choice among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from rulebook.build.build_request import BuildRequest
from rulebook.documents.document_kind import Document, File

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


class Filters:
    """The filters of an request, and the names in which they looked for theirs."""

    def __init__(self, request: BuildRequest) -> None:
        self._request = request
        #: By kind the patterns, and which names they fit.
        self._kinds: dict[str, tuple[tuple[str, ...], Callable[[str, str], bool]]] = {
            "file": (request.only, _matches),
            "paper": (request.papers, str.__eq__),
            "ink": (request.inks, str.__eq__),
        }
        self._seen: dict[str, dict[str, None]] = {kind: {} for kind in self._kinds}
        self._any_passed = False

    def passed(self, targets: Iterable[Target]) -> list[Target]:
        """The targets that pass all filters."""
        chosen = []
        for target in targets:
            names = {"file": target.path, "paper": target.file.paper, "ink": target.file.ink}
            # Each filter looks at every name, to tell them where it matches none.
            fits = [self._fits(kind, name) for kind, name in names.items()]
            wanted = self._request.targets
            if all(fits) and (wanted is None or target.path in wanted):
                chosen.append(target)
        self._any_passed |= bool(chosen)
        return chosen

    def _fits(self, kind: str, name: str | None) -> bool:
        patterns, fits = self._kinds[kind]
        if not patterns:
            return True
        if name is not None:
            self._seen[kind][name] = None
        return name is not None and any(fits(name, one) for one in patterns)

    def expect_matches(self) -> None:
        """Raises NoSuchTarget where a filter matched none of all targets, or all together none."""
        for kind, (patterns, fits) in self._kinds.items():
            for one in patterns:
                if not any(fits(name, one) for name in self._seen[kind]):
                    raise NoSuchTarget(_no_match(kind, one, list(self._seen[kind])))
        if not self._any_passed and any(patterns for patterns, _ in self._kinds.values()):
            raise NoSuchTarget("no file passes all filters together")


def _matches(path: str, pattern: str) -> bool:
    """`mygame/1.0/qrs-*` is for the whole path, `qrs-*` for what stands after the edition."""
    return fnmatchcase(path, pattern) or fnmatchcase(path.split("/", 2)[2], pattern)


def _no_match(kind: str, wanted: str, known: Sequence[str]) -> str:
    near = get_close_matches(wanted, known, n=1)
    meant = f" (did you mean '{near[0]}'?)" if near else ""
    listed = "\n".join(f"  {name}" for name in known[:MOST_TOLD]) or "  none"
    more = f"\n  and {len(known) - MOST_TOLD} more" if len(known) > MOST_TOLD else ""
    return f"no {kind} matches '{wanted}'{meant}; there are:\n{listed}{more}"
