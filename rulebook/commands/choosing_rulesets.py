"""Names on the command line -> rulesets, or a fault of usage that names the choices.

What a command found of an edition before is not found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.commands.usage_faults import fail, unknown

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
    from rulebook.loading.folder import find_rulesets
    from rulebook.loading.releases import AT, with_releases

    _expect_content(content)
    editions = [_edition(content, name) for name in names if AT in name]
    folders = {folder.name: folder for folder in find_rulesets(content)}
    if not folders and not with_releases(content):
        raise _nothing(content)
    plain = [name.rstrip("/") for name in names if AT not in name]
    chosen = {_folder(content, name, folders) for name in plain}
    if not names:
        chosen = set(folders)
    return [folder for name, folder in folders.items() if name in chosen] + editions


def choose_editions(content: Path, names: Sequence[str], cache: Cache = NOTHING_KEPT) -> list[Path]:
    """What is named, as `choose_rulesets` has it; where nothing is named, all editions.

    These are each working copy and, after it, the released editions of other numbers, also where
    nothing but them is left of a ruleset. Raises click.UsageError as well where one edition is
    named twice, as a working copy and as released.
    """
    from rulebook.loading.releases import is_release

    if names:
        chosen = choose_rulesets(content, names)
        if not any(map(is_release, chosen)):
            return chosen
        from rulebook.loading.editions import edition_of

        copies = {(one.name, edition_of(one)) for one in chosen if not is_release(one)}
        for one in chosen:
            ruleset = one.parent.parent.name
            if is_release(one) and (ruleset, one.stem) in copies:
                both = f"'{ruleset}' and '{ruleset}@{one.stem}' are both edition {one.stem}"
                raise click.UsageError(f"{both}\nname one of them")
        return chosen
    return [one for folder in choose_folders(content) for one in editions_of(folder, cache)]


def editions_of(folder: Path, cache: Cache) -> list[Path]:
    """The working copy of a ruleset and its released editions, as they were found before where
    nothing has changed since.
    """

    def found() -> list[str]:
        from rulebook.loading.editions import every_edition

        return [one.relative_to(folder).as_posix() for one in every_edition(folder)]

    return [folder / name for name in remembered(cache, _EDITIONS, folder, [], found)]


def choose_folders(content: Path, names: Sequence[str] = ()) -> list[Path]:
    """The folders of the named rulesets, of all where none is named, also where nothing is left of
    one but what was released.

    Raises click.UsageError where there are none, or none of a name.
    """
    from rulebook.loading.folder import find_rulesets
    from rulebook.loading.releases import with_releases

    _expect_content(content)
    folders = sorted({*find_rulesets(content), *with_releases(content)})
    if not folders:
        raise _nothing(content)
    known = {folder.name: folder for folder in folders}
    wanted = {_folder(content, name.rstrip("/"), known) for name in names or known}
    return [folder for folder in folders if folder.name in wanted]


def _expect_content(content: Path) -> None:
    if not content.exists():
        raise click.UsageError(f"no content folder '{content}'\n{_START}")
    if not content.is_dir():
        raise click.UsageError(f"'{content}' is a file, not a folder of rulesets")


def _nothing(content: Path) -> click.UsageError:
    return click.UsageError(f"no ruleset in '{content}'\n{_START}")


def _folder(content: Path, name: str, folders: Iterable[str]) -> str:
    """The ruleset of a name, which may have nothing left but released editions."""
    from rulebook.loading.releases import AT, find_releases, with_releases

    released = {folder.name: folder for folder in with_releases(content)}
    chosen = found("ruleset", name, dict.fromkeys([*folders, *released]))
    if chosen not in folders:
        there = ", ".join(f"{chosen}{AT}{edition}" for edition in find_releases(released[chosen]))
        raise click.UsageError(f"'{chosen}' has no ruleset.yaml\nthere are: {there}")
    return chosen


def _edition(content: Path, name: str) -> Path:
    """`mygame@1.0` -> the file of that released edition. Raises click.UsageError."""
    from rulebook.loading.releases import AT, find_releases, with_releases

    ruleset, _, edition = name.partition(AT)
    released = {folder.name: folder for folder in with_releases(content)}
    if not released:
        raise click.UsageError(f"no ruleset in '{content}' has a released edition")
    releases = find_releases(released[found("ruleset", ruleset, released)])
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
    if not names or named:
        for one in editions:
            choose_options(one, names)
        return editions
    able = []
    for one in editions:
        try:
            choose_options(one, names)
        except click.UsageError:
            continue
        able.append(one)
    if not able:
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
    from rulebook.build.cache_keys import program_key
    from rulebook.loading.sources import sources_digest

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
