"""The folder releases/ of a ruleset -> its released editions, each with the file that holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulebook.problems import Problem, Span

RELEASES_FOLDER = "releases"
#: Between a ruleset and its edition: mygame@1.0.
AT = "@"
_NAME = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4}){0,3}[a-z]?)\.json")


def is_release(source: Path) -> bool:
    """Whether this is the file of a released edition, and not the folder of a ruleset."""
    return source.suffix == ".json" and source.parent.name == RELEASES_FOLDER


def folder_of(source: Path) -> Path:
    """The folder of the ruleset that a working copy or a released edition is of."""
    return source.parent.parent if is_release(source) else source


def name_of(source: Path) -> str:
    """What a ruleset or an edition of it is called on the command line: mygame, mygame@1.0."""
    return f"{folder_of(source).name}{AT}{source.stem}" if is_release(source) else source.name


def edition_order(edition: str) -> tuple[tuple[int, ...], str]:
    """By which editions are sorted: 1.9 before 1.10, 2.0 before 2.0a."""
    letter = edition[-1] if edition[-1:].isalpha() else ""
    return tuple(int(part) for part in edition.removesuffix(letter).split(".")), letter


def find_releases(folder: Path) -> dict[str, Path]:
    """Edition -> the file of its snapshot, the oldest first."""
    found: dict[str, Path] = {}
    for path in _released(folder):
        match = _NAME.fullmatch(path.name)
        if match and path.is_file() and not path.is_symlink():
            found[match[1]] = path
    return {edition: found[edition] for edition in sorted(found, key=edition_order)}


def _released(folder: Path) -> list[Path]:
    """What stands in releases/, which is no link."""
    releases = folder / RELEASES_FOLDER
    there = releases.is_dir() and not releases.is_symlink()
    return sorted(releases.iterdir()) if there else []


def strays(folder: Path) -> Iterator[Problem]:
    """What stands in releases/ as if it were an edition, and is none that can be read."""
    releases = folder / RELEASES_FOLDER
    if releases.is_symlink():
        link = Span(releases.as_posix())
        yield Problem("R114", "a link to a folder stands here", link, hint="copy the files instead")
    known = set(find_releases(folder).values())
    for path in _released(folder):
        if path.suffix.lower() == ".json" and path not in known:
            code = "R115" if path.is_file() and not path.is_symlink() else "R101"
            message, hint = f"'{path.name:.60}' is no released edition", "move it to another folder"
            expected = "files that 'rulebook release' wrote, such as 1.0.json"
            yield Problem(code, message, Span(path.as_posix()), expected, hint)


def with_releases(content: Path) -> list[Path]:
    """The folders of a content folder that have a released edition, sorted."""
    if not content.is_dir():
        return []
    return sorted(
        folder
        for folder in content.iterdir()
        if not folder.name.startswith(".") and find_releases(folder)
    )


def release_path(folder: Path, edition: str) -> Path:
    """Where the snapshot of an edition stands."""
    return folder / RELEASES_FOLDER / f"{edition}.json"
