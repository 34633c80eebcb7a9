"""Names on the command line -> the two editions, or rulesets, that are to be compared.

With options it is one edition that is compared: as it is, and with these in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from rulebook.problems import printable


@dataclass(frozen=True, slots=True)
class Source:
    """The folder of a working copy, or the file of a released edition, with options in force."""

    path: Path
    folder: Path
    working: bool
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """The two that are compared."""

    old: Source
    new: Source


def chosen(
    content: Path, name: str, old: str | None, new: str | None, options: Sequence[str] = ()
) -> Pair:
    """RULESET [OLD] [NEW], options -> the two. Raises click.UsageError, which tells the choices."""
    from rulebook.commands.choosing import choose_rulesets
    from rulebook.commands.running import wrong
    from rulebook.loading.releases import AT, find_releases

    if options:
        return _with_options(content, name, old, options)
    if AT in name:
        first = _source(choose_rulesets(content, [name])[0])
        if old is None:
            return Pair(first, _working(content, first.folder.name))
        if new is None:
            return Pair(first, _named(content, first.folder, old))
        raise wrong(f"'{name}' and two more", "one more: an edition or a ruleset")
    folder = _folder(content, name)
    if old is None:
        released = list(find_releases(folder).values())
        if not released:
            raise wrong(
                f"no edition of '{folder.name}' has been released",
                "an edition to compare the working copy with",
                f"run 'rulebook release {folder.name}', or name another ruleset",
            )
        return Pair(_source(released[-1]), _working(content, folder.name))
    before = _named(content, folder, old)
    if new is not None:
        return Pair(before, _named(content, folder, new))
    if before.folder != folder:
        return Pair(_working(content, folder.name), before)
    return Pair(before, _working(content, folder.name))


def _with_options(content: Path, name: str, old: str | None, options: Sequence[str]) -> Pair:
    """An edition as it is, and with some options in force."""
    from rulebook.commands.choosing import choose_options, choose_rulesets
    from rulebook.commands.running import wrong

    if old is not None:
        raise wrong(
            f"--with and another edition, '{printable(old)}'",
            "one or the other",
            "with --with a ruleset is compared with itself, without the options and with them",
        )
    plain = _source(choose_rulesets(content, [name])[0])
    return Pair(plain, replace(plain, options=choose_options(plain.path, options)))


def _folder(content: Path, name: str) -> Path:
    """The folder of a ruleset, which may hold released editions only. Raises click.UsageError."""
    from rulebook.commands.choosing import choose_rulesets
    from rulebook.loading.releases import with_releases

    wanted = name.rstrip("/").replace("_", "-")
    for folder in with_releases(content) if content.is_dir() else ():
        if folder.name.replace("_", "-") == wanted:
            return folder
    return choose_rulesets(content, [name])[0]


def _working(content: Path, name: str) -> Source:
    from rulebook.commands.choosing import choose_rulesets

    (folder,) = choose_rulesets(content, [name])
    return Source(folder, folder, working=True)


def _source(path: Path) -> Source:
    from rulebook.loading.releases import is_release

    if is_release(path):
        return Source(path, path.parent.parent, working=False)
    return Source(path, path, working=True)


def _named(content: Path, folder: Path, name: str) -> Source:
    """An edition of a ruleset, or another ruleset. Raises click.UsageError."""
    from rulebook.commands.choosing import choose_rulesets, unknown
    from rulebook.loading.folder import find_rulesets
    from rulebook.loading.releases import AT, find_releases

    releases = find_releases(folder)
    if name in releases:
        return _source(releases[name])
    others = {one.name: one for one in find_rulesets(content)}
    known = name.split(AT, maxsplit=1)[0].rstrip("/").replace("_", "-")
    if known in {one.replace("_", "-") for one in others} or AT in name:
        return _source(choose_rulesets(content, [name])[0])
    raise click.UsageError(unknown("edition or ruleset", name, [*releases, *others]))
