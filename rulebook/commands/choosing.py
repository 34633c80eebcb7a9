"""Names on the command line -> folders of rulesets, or a fault of usage that names the choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import click


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """`no ruleset 'awc', did you mean 'acw'?`, and all that there are."""
    listed = list(known)
    near = get_close_matches(name, listed, n=1)
    meant = f", did you mean '{near[0]}'?" if near else ""
    return f"no {kind} '{name}'{meant}\nthere are: {', '.join(listed)}"


def choose_rulesets(content: Path, names: Sequence[str]) -> list[Path]:
    """The folders of the named rulesets, of all where none is named, in the order of the content.

    Raises click.UsageError where there is no content, no ruleset in it, or none of a name.
    """
    from rulebook.loading.rulesets import find_rulesets

    start = "start one with: rulebook new mygame"
    if not content.exists():
        raise click.UsageError(f"no content folder '{content}'\n{start}")
    if not content.is_dir():
        raise click.UsageError(f"'{content}' is a file, not a folder of rulesets")
    folders = {folder.name: folder for folder in find_rulesets(content)}
    if not folders:
        raise click.UsageError(f"no ruleset in '{content}'\n{start}")
    chosen = {_found(name, folders) for name in names} or set(folders)
    return [folder for name, folder in folders.items() if name in chosen]


def _found(name: str, folders: dict[str, Path]) -> str:
    """Hyphen and underscore are one to those who type."""
    for known in folders:
        if known.replace("_", "-") == name.rstrip("/").replace("_", "-"):
            return known
    raise click.UsageError(unknown("ruleset", name, folders))
