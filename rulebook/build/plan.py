"""What is asked of a build, and the documents that there are -> the files that are wanted.

A target is one file that may be printed, and the document that it is a form of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import Document, File
from rulebook.suggestions import nearest_word

if TYPE_CHECKING:
    from rulebook.model.lengths import Lengths


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """Which rulesets are built from which templates into which folder, and how.

    `only` are globs over the paths of files, `papers` and `inks` names; an empty filter lets
    everything through. `targets` are the paths of the only files that are wanted; a path that no
    document has is ignored. `jobs` is the number of worker processes, None for one a processor.
    `options` are in force in all that is built, and lengths are converted by `lengths`. `cluster`
    is the address of a Dask scheduler that renders instead of this machine. `offset` is how far
    backs are moved to the right and up for this user's printer, in millimetres. `cache` keeps
    results for the next build. With `unchecked` the sense of the content is not checked: somebody
    waits for these files, and a build that checks follows. `parts` says whether the files of the
    rulesets are made, the index pages that lead to them, or both.
    """

    folders: tuple[Path, ...]
    templates: Path
    out: Path
    only: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    inks: tuple[str, ...] = ()
    targets: frozenset[str] | None = None
    jobs: int | None = None
    cluster: str | None = None
    offset: tuple[float, float] = (0, 0)
    options: tuple[str, ...] = ()
    lengths: Lengths | None = None
    cache: Cache = NOTHING_KEPT
    unchecked: bool = False
    parts: Literal["files", "index pages", "all"] = "all"

    @property
    def whole(self) -> bool:
        """Whether all files of each ruleset are wanted."""
        return self.targets is None and not (self.only or self.papers or self.inks)


#: How many paths are listed where a filter matches none.
MOST_TOLD = 40


class CannotBuild(Exception):
    """Raised when nothing can be built at all; `usage` is set if the command was wrong."""

    def __init__(self, message: str, *, usage: bool = True) -> None:
        super().__init__(message)
        self.usage = usage


@dataclass(frozen=True, slots=True)
class Target:
    """A file that a build can print, and the document of which it is one form."""

    document: Document
    file: File

    @property
    def path(self) -> str:
        """The path of the file, relative to the output folder: mygame/1.0/qrs-a4.pdf."""
        return f"{self.document.ruleset}/{self.document.edition}/{self.file.path}"

    @property
    def document_name(self) -> str:
        """The full name of the document, by which failures refer to it: mygame/1.0/qrs."""
        return f"{self.document.ruleset}/{self.document.edition}/{self.document.name}"


def is_inside(path: str) -> bool:
    """Whether a relative path in POSIX form cannot lead out of the folder that it starts from."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and "\\" not in path and ".." not in parts


def gather(documents: Iterable[Document]) -> list[Target]:
    """Returns the targets for all files of some documents, in order.

    Raises ValueError if two of them have the same path, or a path leads out of its folder.
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
    """The filters of a request, with the names that each was compared with so far."""

    def __init__(self, request: BuildRequest) -> None:
        self._targets = request.targets
        self._patterns = {"file": request.only, "paper": request.papers, "ink": request.inks}
        self._seen: dict[str, dict[str, None]] = {kind: {} for kind in self._patterns}
        self._any_passed = False

    def passed(self, targets: Iterable[Target]) -> list[Target]:
        """Returns the targets that pass all filters.

        Records the names with which the filters were compared.
        """
        chosen = []
        for target in targets:
            names = {"file": target.path, "paper": target.file.paper, "ink": target.file.ink}
            for kind, name in names.items():
                if name is not None:
                    self._seen[kind][name] = None
            fits = all(
                name is not None and any(_matches(name, pattern) for pattern in patterns)
                for name, patterns in zip(names.values(), self._patterns.values(), strict=True)
                if patterns
            )
            if fits and (self._targets is None or target.path in self._targets):
                chosen.append(target)
        self._any_passed |= bool(chosen)
        return chosen

    def unmatched(self) -> str:
        """Returns a message about the first filter that has matched no target so far.

        If each has matched some, but no target has passed all of them, the message says so;
        otherwise it is empty.
        """
        for kind, patterns in self._patterns.items():
            for pattern in patterns:
                if not any(_matches(name, pattern) for name in self._seen[kind]):
                    return _no_match(kind, pattern, list(self._seen[kind]))
        none_passed = not self._any_passed and any(self._patterns.values())
        return "no file passes all filters together" if none_passed else ""


def _matches(name: str, pattern: str) -> bool:
    """Whether a glob pattern matches a path, as `mygame/1.0/qrs-*`, or the end of it, `qrs-*`."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.split("/", 2)[-1], pattern)


def _no_match(kind: str, wanted: str, known: Sequence[str]) -> str:
    near = nearest_word(wanted, known)
    meant = f" (did you mean '{near}'?)" if near else ""
    listed = "\n".join(f"  {name}" for name in known[:MOST_TOLD]) or "  none"
    more = f"\n  and {len(known) - MOST_TOLD} more" if len(known) > MOST_TOLD else ""
    return f"no {kind} matches '{wanted}'{meant}; there are:\n{listed}{more}"
