"""Names on the command line -> rulesets, or a fault of usage that names the choices.

What a command found of an edition before is not found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook.build.cache_keys import program_key
from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.commands.usage_faults import fail, unknown
from rulebook.loading.folder import find_rulesets
from rulebook.loading.releases import AT, find_releases, is_release, with_releases
from rulebook.loading.sources import sources_digest

if TYPE_CHECKING:
    from rulebook.model.ruleset import Ruleset

#: The stage whose results are the paths of editions.
_EDITIONS = "editions"
_START = "start one with: rulebook new mygame"


def choose_rulesets(content: Path, names: Sequence[str]) -> list[Path]:
    """The folders of the named rulesets, of all where none is named, in the order of the content.

    `mygame@1.0` names a released edition, which is a file; these come after the folders.

    Raises click.UsageError where there is no content, no ruleset in it, or none of a name.
    """
    folders, copies = _folders(content), find_rulesets(content)
    if not names:
        return copies
    editions = [_edition(folders, name) for name in names if AT in name]
    chosen = {_found(folders, name) for name in names if AT not in name}
    for folder in sorted(chosen.difference(copies)):
        there = ", ".join(f"{folder.name}{AT}{edition}" for edition in find_releases(folder))
        raise click.UsageError(f"'{folder.name}' has no ruleset.yaml\nthere are: {there}")
    return sorted(chosen) + editions


def choose_editions(content: Path, names: Sequence[str], cache: Cache = NOTHING_KEPT) -> list[Path]:
    """What is named, as `choose_rulesets` has it; where nothing is named, all editions.

    These are each working copy and, after it, the released editions of other numbers, also where
    nothing but them is left of a ruleset. Raises click.UsageError as well where one edition is
    named twice, as a working copy and as released.
    """
    if not names:
        return [
            edition for folder in choose_folders(content) for edition in editions_of(folder, cache)
        ]
    chosen = choose_rulesets(content, names)
    released = [one for one in chosen if is_release(one)]
    if released:
        from rulebook.loading.editions import edition_of

        copies = {(one.name, edition_of(one)) for one in chosen if not is_release(one)}
        for one in released:
            ruleset = one.parent.parent.name
            if (ruleset, one.stem) in copies:
                both = f"'{ruleset}' and '{ruleset}@{one.stem}' are both edition {one.stem}"
                raise click.UsageError(f"{both}\nname one of them")
    return chosen


def editions_of(folder: Path, cache: Cache) -> list[Path]:
    """The working copy of a ruleset and its released editions, as they were found before where
    nothing has changed since.
    """

    def find() -> list[str]:
        from rulebook.loading.editions import every_edition

        return [one.relative_to(folder).as_posix() for one in every_edition(folder)]

    return [folder / name for name in remembered(cache, _EDITIONS, folder, [], find)]


def choose_folders(content: Path, names: Sequence[str] = ()) -> list[Path]:
    """The folders of the named rulesets, of all where none is named, also where nothing is left of
    one but what was released.

    Raises click.UsageError where there are none, or none of a name.
    """
    folders = _folders(content)
    return sorted({_found(folders, name) for name in names or folders})


def _folders(content: Path) -> dict[str, Path]:
    """The folders of all rulesets by their names, also those that hold only released editions."""
    if not content.exists():
        raise click.UsageError(f"no content folder '{content}'\n{_START}")
    if not content.is_dir():
        raise click.UsageError(f"'{content}' is a file, not a folder of rulesets")
    folders = sorted({*find_rulesets(content), *with_releases(content)})
    if not folders:
        raise click.UsageError(f"no ruleset in '{content}'\n{_START}")
    return {folder.name: folder for folder in folders}


def _found(folders: dict[str, Path], name: str) -> Path:
    return folders[found("ruleset", name.rstrip("/"), folders)]


def _edition(folders: dict[str, Path], name: str) -> Path:
    """`mygame@1.0` -> the file of that released edition. Raises click.UsageError."""
    ruleset, _, edition = name.partition(AT)
    releases = find_releases(_found(folders, ruleset))
    if not releases:
        raise click.UsageError(f"no edition of '{ruleset}' has been released")
    return releases[found("edition", edition, releases)]


def choose_options(folder: Path, names: Sequence[str]) -> tuple[str, ...]:
    """The ids of the named options of a ruleset; `a,b` is two.

    Raises click.UsageError where it has none of a name.
    """
    wanted = option_names(names)
    if not wanted:
        return ()
    from rulebook.loading.editions import options_of

    known = options_of(folder)
    return tuple(found("option", name, known) for name in wanted)


def option_names(texts: Sequence[str]) -> tuple[str, ...]:
    """What is typed of options, one by one: `a,b` is two."""
    return tuple(name.strip() for text in texts for name in text.split(","))


def with_options(editions: list[Path], names: Sequence[str], *, named: bool) -> list[Path]:
    """The editions that are built with some options: all that were `named`, else those that have
    them.

    Raises click.UsageError where one that was named has none of a name, or no edition has all.
    """
    able = []
    for edition in editions:
        try:
            choose_options(edition, names)
            able.append(edition)
        except click.UsageError:
            if named:
                raise
    if names and not able:
        raise click.UsageError(
            f"no ruleset has the option{'s' * (len(names) > 1)} {', '.join(names)}"
        )
    return able


def found(kind: str, name: str, known: Iterable[str]) -> str:
    """The one of a name; hyphen and underscore are one to those who type.

    Raises click.UsageError where there is none.
    """
    listed = list(known)
    alike = [one for one in listed if _spelt(one) == _spelt(name)]
    if not alike:
        raise click.UsageError(unknown(kind, name, listed))
    return name if name in alike else alike[0]


def _spelt(name: str) -> str:
    return name.replace("_", "-").lower()


def remembered(
    cache: Cache, command: str, source: Path, asked: list[Any], find: Callable[[], Any]
) -> Any:
    """What a command finds of one edition or ruleset, as plain JSON data; kept until they change.

    `asked` is all else that the answer depends on. What `find` raises is not remembered.
    """
    sources = sources_digest(source) if cache.folder else None
    if sources is None:
        return find()
    key = digest_of([program_key(), sources, ascii(asked)])
    known = cache.get_json(command, key)
    if known is None:
        known = find()
        cache.put_json(command, key, known)
    return known


def load_ruleset(ctx: click.Context, name: str, options: Sequence[str] = ()) -> Ruleset:
    """The ruleset of a name with some options chosen.

    Where its content has faults they are reported, and this ends with 1.
    """
    from rulebook.loading.editions import load_edition

    (folder,) = choose_rulesets(ctx.obj["content"], [name])
    loaded = load_edition(folder, choose_options(folder, options))
    if loaded.ruleset is None:
        fail(ctx, loaded.report)
    return loaded.ruleset
