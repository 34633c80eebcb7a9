"""Names on the command line -> folders of rulesets, or a fault of usage that names the choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from rulebook.problems import printable

#: What is told of a name that nobody can have meant.
_LONGEST_NAME = 60


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """`no ruleset 'mygaem', did you mean 'mygame'?`, and all that there are."""
    listed = list(known)
    name = printable(name[:_LONGEST_NAME])
    near = get_close_matches(name, listed, n=1)
    meant = f", did you mean '{near[0]}'?" if near else ""
    return f"no {kind} '{name}'{meant}\nthere are: {', '.join(listed)}"


def choose_rulesets(content: Path, names: Sequence[str]) -> list[Path]:
    """The folders of the named rulesets, of all where none is named, in the order of the content.

    `mygame@1.0` names a released edition, which is a file; these come after the folders.

    Raises click.UsageError where there is no content, no ruleset in it, or none of a name.
    """
    from rulebook.loading.editions import AT
    from rulebook.loading.rulesets import find_rulesets

    start = "start one with: rulebook new mygame"
    if not content.exists():
        raise click.UsageError(f"no content folder '{content}'\n{start}")
    if not content.is_dir():
        raise click.UsageError(f"'{content}' is a file, not a folder of rulesets")
    editions = [_edition(content, name) for name in names if AT in name]
    folders = {folder.name: folder for folder in find_rulesets(content)}
    if not folders and not editions:
        raise click.UsageError(f"no ruleset in '{content}'\n{start}")
    plain = [name for name in names if AT not in name]
    chosen = {_found("ruleset", name.rstrip("/"), folders) for name in plain}
    if not names:
        chosen = set(folders)
    return [folder for name, folder in folders.items() if name in chosen] + editions


def _edition(content: Path, name: str) -> Path:
    """`mygame@1.0` -> the file of that released edition. Raises click.UsageError."""
    from rulebook.loading.editions import AT
    from rulebook.loading.releases import find_releases

    ruleset, _, edition = name.partition(AT)
    released = {folder.name: folder for folder in content.iterdir() if find_releases(folder)}
    if not released:
        raise click.UsageError(f"no ruleset in '{content}' has a released edition")
    releases = find_releases(released[_found("ruleset", ruleset, released)])
    return releases[_found("edition", edition, releases)]


def choose_options(folder: Path, names: Sequence[str]) -> tuple[str, ...]:
    """The ids of the named options of a ruleset; `a,b` is two.

    Raises click.UsageError where it has none of a name.
    """
    from rulebook.loading.editions import name_of, options_of

    wanted = [name.strip() for text in names for name in text.split(",")]
    if not wanted:
        return ()
    known = options_of(folder)
    if not known:
        raise click.UsageError(f"the ruleset '{name_of(folder)}' has no options")
    return tuple(_found("option", name, known) for name in wanted)


def _found(kind: str, name: str, known: Iterable[str]) -> str:
    """Hyphen and underscore are one to those who type."""
    for one in known:
        if one.replace("_", "-") == name.replace("_", "-"):
            return one
    raise click.UsageError(unknown(kind, name, known))
