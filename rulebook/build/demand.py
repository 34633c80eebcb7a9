"""Pages that are asked for and looked at, and saves of files -> what is built next.

A watch that serves builds on demand: first what somebody waits for, then the pages that are open,
and when authors pause, checks of what was saved and, one document at a time, the other pages and
the files that were never made. After a save any file may be out of date; each turn of the watch,
one build, brings files of one ruleset up to date. The results of turns are kept for other threads
to ask for.
"""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from threading import Condition
from time import monotonic
from typing import Any
from urllib.parse import quote

from rulebook.build.building import collect_garbage
from rulebook.build.plan import BuildRequest, Target
from rulebook.build.publish import INDEX, MADE, PrintedFile, sha256
from rulebook.build.report import Failure, Listener, Outcome
from rulebook.plain_files import read_plain
from rulebook.problems import Report, report_in_parts

#: Seconds after files that somebody waited for, until other work begins: another save may follow.
_PAUSE = 0.5
#: Seconds without anything to build after which garbage is collected, or as many saves in a row.
_QUIET, _MOST_UNCOLLECTED = 5.0, 20
#: Fewer saves than there ever were.
_NEVER = -1
_PAGE = ".html"
#: What fails besides rulesets.
_OF_SHELF = (INDEX, "output")
_ID = re.compile(rb' id="([^"]++)"')


@dataclass(frozen=True, slots=True)
class _Turn:
    """One build of a serving watch: some files of a ruleset (`targets`), as of `saves` saves.

    Without a ruleset the index pages are written; without targets a ruleset is only read and
    checked. If it is `unchecked`, somebody waits for the files, and the ruleset is checked later.
    """

    saves: int
    ruleset: str | None = None
    targets: frozenset[str] = frozenset()
    unchecked: bool = False


@dataclass
class _ServedRuleset:
    """What is known of a served ruleset.

    `targets` are its files by path, `read` is the number of saves when it was last read and
    checked, `failed` that when a build without checks last failed, and `failures` are those of its
    last builds by name.
    """

    targets: dict[str, Target] = field(default_factory=dict)
    read: int = _NEVER
    failed: int = _NEVER
    failures: dict[str, Failure] = field(default_factory=dict)


class Demand(Listener):
    """Decides what a serving watch builds next, and records the results as the build's listener.

    `request` is called for a request of all served rulesets. `turned` is called, in the thread of
    the watch, whenever a file or a turn is finished. `reporter` is told of written files and new
    faults.
    """

    def __init__(
        self, request: Callable[[], BuildRequest], reporter: Listener, turned: Callable[[], None]
    ) -> None:
        self._request, self._reporter, self._turned = request, reporter, turned
        self._base = request()
        self.out = self._base.out.resolve()
        self._changed = Condition()
        self._saves, self._listed = 0, 0
        self._saved: tuple[str, ...] = ()
        self._rulesets = {folder.name: _ServedRuleset() for folder in self._base.folders}
        self._shelf: dict[str, Failure] = {}
        #: By path the number of saves that a file takes account of.
        self._made: dict[str, int] = {}
        self._asked: Counter[str] = Counter()
        self._looked_at: Counter[str] = Counter()
        self._turn: _Turn = _Turn(0)
        #: Whether something was written or saved since the index pages were.
        self._indexes_stale = True
        #: When the last file was made that somebody waited for, in seconds, and how many times that
        #: was since garbage was collected.
        self._awaited, self._uncollected = -_PAUSE, 0
        self._before: dict[str, bytes] = {}
        #: By path the pages that changed with the last save, as others are told of them.
        self._changes: dict[str, dict[str, str]] = {}
        self.over = False

    # What others ask, in their own threads.

    def saved(self, paths: Sequence[Path]) -> None:
        """Records that files of content or templates were saved, so that files may be stale."""
        with self._changed:
            self._saves += 1
            self._saved = tuple(path.name for path in paths)
            self._changes, self._indexes_stale = {}, True
            self._changed.notify_all()

    def ask(self, path: str) -> int:
        """Records that somebody waits for a file, so that it is made soon.

        Returns the number of saves so far, to be passed to `is_made`.
        """
        with self._changed:
            if self.is_target(path) and not (self.out / path).is_file():
                self._made.pop(path, None)  # somebody has taken it away
            self._asked[path] += 1
            self._changed.notify_all()
            return self._saves

    def has(self, path: str) -> None:
        """Ends a request made with `ask`: the file was delivered, or nobody waits for it now."""
        with self._changed:
            self._asked[path] -= 1
            self._asked += Counter()

    def is_made(self, path: str, saves: int) -> bool:
        """Whether there is no need to wait for a file any longer.

        True if the file takes account of the first `saves` saves, if it cannot be made, and after
        `end`.
        """
        with self._changed:
            return self.over or self._is_certain(path, saves)

    def _is_certain(self, path: str, saves: int) -> bool:
        """Whether nothing is left to build for a file, as far as the first `saves` saves go.

        True if the file takes account of them, and for what is never built by itself: paths that
        are no targets of their ruleset, and pictures that exist.
        """
        if self._made.get(path, _NEVER) >= saves:
            return True
        if _is_index(path):
            return False
        known = self._known(path)
        if known.read < saves:
            return False
        target = known.targets.get(path)
        return target is None or (target.file.shows is not None and (self.out / path).is_file())

    def look_at(self, path: str) -> None:
        """Records that a page is open in a browser, so that it is made again after each save."""
        with self._changed:
            self._looked_at[path] += 1
            self._changed.notify_all()

    def look_away(self, path: str) -> None:
        with self._changed:
            self._looked_at[path] -= 1
            self._looked_at += Counter()

    def is_target(self, path: str) -> bool:
        """Whether the build makes a file with this path."""
        with self._changed:
            return path in self._known(path).targets

    def fails(self, path: str) -> bool:
        """Whether the file's document, or its whole ruleset, failed when it was last built."""
        with self._changed:
            known = self._known(path)
            name = known.targets[path].document_name if path in known.targets else None
            return any(
                failure.nothing_built or failure.name == name for failure in known.failures.values()
            )

    def is_of_ruleset(self, path: str) -> bool:
        """Whether the first part of a path is the name of a served ruleset."""
        with self._changed:
            return _ruleset_of(path) in self._folders()

    def state_of(self, page: str) -> dict[str, Any]:
        """Returns the state of an open page as JSON data, for the script in the page.

        It has the page's faults, its digest, whether it is current, the files that were saved last,
        and links to other pages that changed with that save.
        """
        with self._changed:
            shown = self._rulesets.values() if page == INDEX else [self._known(page)]
            failures = [failure for known in shown for failure in known.failures.values()]
            if page.endswith(INDEX):
                failures += self._shelf.values()
            state: dict[str, Any] = {
                "saves": self._saves,
                "saved": list(self._saved),
                "current": self._is_certain(page, self._saves),
                "elsewhere": [change for path, change in self._changes.items() if path != page],
            }
        problems = {problem for failure in failures for problem in failure.problems}
        state["faults"] = report_in_parts(Report([*problems]))
        data = self.read(page)
        state["page"] = data and sha256(data)
        return state

    def read(self, path: str) -> bytes | None:
        """Returns the bytes of a file in the output folder.

        None if there is no such file, or its path leads through a symbolic link.
        """
        file = self.out / path
        try:
            return read_plain(file) if file.resolve() == file else None
        except (OSError, RuntimeError):
            return None

    def end(self) -> None:
        """Stops building, and wakes everybody who waits for a file."""
        with self._changed:
            self.over = True
            self._changed.notify_all()
        self._turned()

    # What the watch does, in its thread.

    def request(self) -> BuildRequest:
        """Returns the request for the build of the current turn."""
        with self._changed:
            turn, folders = self._turn, self._folders()
            if turn.ruleset is None:
                self._indexes_stale = False
        pages = (path for path in turn.targets if path.endswith(_PAGE))
        self._before = {path: data for path in pages if (data := self.read(path))}
        if turn.ruleset is None:
            return replace(self._base, folders=tuple(folders.values()), parts="index pages")
        chosen = (folders[turn.ruleset],) if turn.ruleset in folders else ()
        if turn.unchecked:
            gc.disable()
        asked = replace(self._base, folders=chosen, targets=turn.targets, parts="files")
        return replace(asked, unchecked=turn.unchecked)

    def turns(self) -> Iterator[object]:
        """Yields whenever there is something to build, until `end`; waits in between.

        After each item, `request` returns the request for that build.
        """
        while (turn := self._wait_for_turn()) is not None:
            self._turn = turn
            yield turn

    def _wait_for_turn(self) -> _Turn | None:
        """Returns the most urgent turn as soon as there is one; None after `end`.

        Garbage is collected when there was nothing to build for a while, and after many saves; not
        while somebody waits.
        """
        collected = False
        while True:
            with self._changed:
                left = self._awaited + _PAUSE - monotonic()
                turn = self._urgent() or (self._other() if left <= 0 else None)
                if self.over or turn is not None:
                    return None if self.over else turn
                many = self._uncollected >= _MOST_UNCOLLECTED
                wait = left if left > 0 else None if collected else _QUIET
                if self._changed.wait(0 if many else wait) or (left > 0 and not many):
                    continue
            collect_garbage(lately=many)
            collected, self._uncollected = True, 0

    def _urgent(self) -> _Turn | None:
        """Returns the turn for files that somebody waits for or, after those, for open pages.

        None if there are none that can be made yet.
        """
        folders = self._folders()
        for wanted in (self._asked, self._looked_at):
            stale = [path for path in reversed(wanted) if self._is_stale(path)]
            for path in sorted(stale, key=_is_index):
                ruleset, known = _ruleset_of(path), self._known(path)
                if _is_index(path) and (path == INDEX or known.read >= self._saves):
                    return _Turn(self._saves)
                if _is_index(path) and ruleset in folders and wanted is self._asked:
                    return _Turn(self._saves, ruleset)
                if _is_index(path) or ruleset not in folders:
                    continue
                targets = frozenset(path for path in stale if _ruleset_of(path) == ruleset)
                # What is wrong already, or fails without a check, is built where it is checked.
                unchecked = max(known.read, known.failed) < self._saves and not known.failures
                together = targets | self._pictures_of(targets)
                return _Turn(self._saves, ruleset, together, unchecked)
        return None

    def _other(self) -> _Turn | None:
        """Returns the next turn for what nobody waits for, or None if nothing has to be built.

        Rulesets are read first, then other pages and missing files are made, one document at a
        time. Index pages are written at the end, or after each turn while one is open.
        """
        folders = self._folders()
        if self._indexes_stale and any(map(_is_index, self._looked_at)):
            return _Turn(self._saves)
        seen = {_ruleset_of(path) for path in self._looked_at}
        rulesets = sorted(folders, key=lambda name: name not in seen)
        for name in rulesets:
            if self._known(name).read < self._saves:
                return _Turn(self._saves, name)
        every = [target for name in rulesets for target in self._known(name).targets.values()]
        due = [target for target in every if self._is_due(target.path)]
        for target in sorted(due, key=lambda target: not target.path.endswith(_PAGE))[:1]:
            alike = (replace(target, file=file).path for file in target.document.files)
            name = _ruleset_of(target.path)
            return _Turn(self._saves, name, frozenset(filter(self._is_due, alike)))
        return _Turn(self._saves) if self._indexes_stale else None

    def _pictures_of(self, paths: frozenset[str]) -> set[str]:
        """Returns the paths of the pictures of the sheets with these paths.

        A picture is always made along with its sheet, never by itself.
        """
        known = (self._known(path).targets.get(path) for path in paths)
        return {
            replace(target, file=file).path
            for target in filter(None, known)
            for file in target.document.files
            if file.shows == target.file.path
        }

    def _is_due(self, path: str) -> bool:
        """Whether a stale file is made even if nobody asks for it.

        True for stale pages, and for stale files that are missing or have failed; False for files
        that are not stale.
        """
        known = self._known(path)
        failed = known.targets[path].document_name in known.failures
        return self._is_stale(path) and (
            failed or path.endswith(_PAGE) or not (self.out / path).is_file()
        )

    def _known(self, path: str) -> _ServedRuleset:
        """Returns what is known of the ruleset in a path; an empty record if it is not served."""
        return self._rulesets.get(_ruleset_of(path)) or _ServedRuleset()

    def _is_stale(self, path: str) -> bool:
        return not self._is_certain(path, self._saves)

    def _folders(self) -> dict[str, Path]:
        """Returns the folders of the served rulesets by name.

        After a save they are requested again; if that fails, the fault is reported, and the folders
        known before are returned.
        """
        if self._listed < self._saves:
            self._listed = self._saves
            try:
                self._base = self._request()
                for folder in self._base.folders:
                    self._rulesets.setdefault(folder.name, _ServedRuleset())
            except Exception as fault:  # one may be away while it is renamed
                self._reporter.stopped(fault)
        return {folder.name: folder for folder in self._base.folders}

    # What a build tells.

    def checked(self, ruleset: str, report: Report) -> None:
        self._reporter.checked(ruleset, report)

    def opened(self, source: Path, targets: Sequence[Target]) -> None:
        with self._changed:
            self._known(source.name).targets = {target.path: target for target in targets}

    def fresh(self, path: str) -> None:
        self._is_made(path)

    def wrote(self, path: str, entry: PrintedFile, remark: str = "") -> None:
        self._reporter.wrote(path, entry, remark)
        self._indexes_stale = True
        before = self._before.get(path)
        now = before and self.read(path)
        if before and now and before != now:
            with self._changed:
                if self._turn.saves == self._saves > 0:
                    anchor = quote(anchor_of_change(before, now))
                    href = quote(f"/{path}") + (f"#{anchor}" if anchor else "")
                    self._changes[path] = {"href": href, "title": entry.title}
        self._is_made(path)

    def _is_made(self, path: str) -> None:
        """Marks a file as up to date, and wakes everybody who waits for files."""
        with self._changed:
            self._made[path] = self._turn.saves
        self._turned()

    def noted(self, text: str) -> None:
        self._reporter.noted(text)

    def stopped(self, fault: Exception) -> None:
        if self._turn.unchecked:
            self._end_unchecked(failed=True)
            return
        self._reporter.stopped(fault)
        self._end_turn({})

    def ended(self, outcome: Outcome) -> None:
        if self._turn.unchecked:
            self._end_unchecked(failed=bool(outcome.failures))
            return
        new = [failure for failure in outcome.failures if failure not in self._failures()]
        if new:
            self._reporter.ended(replace(outcome, failures=tuple(new)))
        self._end_turn({failure.name: failure for failure in outcome.failures})

    def _end_unchecked(self, *, failed: bool) -> None:
        """Ends a turn without checks: marks its files as up to date, or its ruleset as failed.

        Wakes everybody who waits for files.
        """
        turn = self._turn
        with self._changed:
            if failed:
                self._known(turn.ruleset or "").failed = turn.saves
            else:
                self._made |= dict.fromkeys(turn.targets, turn.saves)
            self._awaited = monotonic()
            self._uncollected += 1
        gc.enable()
        self._turned()

    def _failures(self) -> list[Failure]:
        known = (self._shelf, *(ruleset.failures for ruleset in self._rulesets.values()))
        return [failure for failures in known for failure in failures.values()]

    def _end_turn(self, failures: Mapping[str, Failure]) -> None:
        """Ends a turn: marks its files as up to date, and wakes everybody who waits for files.

        `failures` are those of the turn's build, by name; they are recorded for its ruleset.
        """
        turn = self._turn
        with self._changed:
            self._made |= dict.fromkeys(turn.targets, turn.saves)
            if turn.ruleset is None:
                read = (name for name, known in self._rulesets.items() if known.read >= turn.saves)
                of_rulesets = (f"{ruleset}/{name}" for ruleset in read for name in MADE)
                self._made |= dict.fromkeys((INDEX, *of_rulesets), turn.saves)
                self._shelf = {name: failures[name] for name in failures if name in _OF_SHELF}
            else:
                self._end_of_ruleset(self._known(turn.ruleset), failures)
        self._turned()

    def _end_of_ruleset(self, known: _ServedRuleset, failures: Mapping[str, Failure]) -> None:
        turn, known.read = self._turn, self._turn.saves
        if any(failure.nothing_built for failure in failures.values()):
            self._made |= dict.fromkeys(known.targets, turn.saves)
        if turn.saves == self._saves:  # else what was read may have been half a save
            tried = {known.targets[p].document_name for p in turn.targets if p in known.targets}
            untried = {target.document_name for target in known.targets.values()} - tried
            kept = {name: failure for name, failure in known.failures.items() if name in untried}
            new = {name: failures[name] for name in failures if name not in _OF_SHELF}
            broken = any(failure.nothing_built for failure in new.values())
            known.failures = new if broken else kept | new


def _ruleset_of(path: str) -> str:
    return path.partition("/")[0]


def _is_index(path: str) -> bool:
    """Whether a file leads to others, so that it is written with the index pages."""
    folder, _, name = path.rpartition("/")
    return name in MADE and "/" not in folder


def anchor_of_change(before: bytes, now: bytes) -> str:
    """Returns the id of the last element that begins before two HTML pages first differ.

    It is empty if there is none. Differences before the body are ignored.
    """
    before, now = before[before.find(b"<body") :], now[now.find(b"<body") :]
    pairs = enumerate(zip(before, now, strict=False))
    differs = next((at for at, (one, other) in pairs if one != other), min(len(before), len(now)))
    found = _ID.findall(now[:differs])
    return unescape(found[-1].decode(errors="replace")) if found else ""
