"""Names and options as they are typed in several commands -> rulesets, lengths, offsets, formats.

Each wrong word is a fault of usage that names the choices. What a command found of an edition
before is not found again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulebook.build.stale import edition_key
from rulebook.cache import Cache
from rulebook.commands.terminal import fail, unknown, usage, wrong
from rulebook.loading.folder import (
    AT,
    SHEET_ENDING,
    SHEET_FILE,
    find_releases,
    find_rulesets,
    header_file,
    is_alone,
    is_release,
    newest_edition,
    with_releases,
)
from rulebook.paper_and_ink import FIXED_PAPERS, PAPERS
from rulebook.quantities import MILLIMETRES, join_words, parse_number

if TYPE_CHECKING:
    from rulebook.model.lengths import Lengths
    from rulebook.model.ruleset import Ruleset

Command = TypeVar("Command", bound=Callable[..., Any])
#: Across and up, in millimetres.
Pair = tuple[Fraction, Fraction]
#: The stage whose results are the paths of editions.
_EDITIONS = "editions"
MOST_OFFSET = 10
STDOUT = Path("-")


def choose_rulesets(content: Path, names: Sequence[str]) -> list[Path]:
    """Returns the folders of the named rulesets, or of all rulesets if none is named, sorted.

    A name such as `mygame@1.0` gives the file of a released edition; these files come last. Raises
    click.UsageError if there is no content, no ruleset in it, or none with a given name.
    """
    if not names:
        choose_folders(content)
        return find_rulesets(content)
    plain = [name for name in names if name.endswith(SHEET_ENDING) or AT not in name]
    chosen = choose_folders(content, plain) if plain else []
    for folder in chosen:
        if header_file(folder) is None:
            there = ", ".join(f"{folder.name}{AT}{edition}" for edition in find_releases(folder))
            raise click.UsageError(f"'{folder.name}' has no ruleset.yaml\nthere are: {there}")
    return [*chosen, *(_edition(content, name) for name in names if name not in plain)]


def choose_editions(
    ctx: click.Context, names: Sequence[str], options: Sequence[str], *, every: bool
) -> list[Path]:
    """Returns the named rulesets and editions that have the given options.

    With `every`, returns all editions of the named rulesets. Without names all rulesets are meant,
    of each its newest edition, and those that lack an option are left out. Raises click.UsageError
    if there are none, if a named one lacks an option, or if a working copy and a release of the
    same edition are both named.
    """
    content, cache = ctx.obj["content"], ctx.obj["cache"]
    if every:
        folders = choose_folders(content, names)
        chosen = [edition for folder in folders for edition in _editions(folder, cache)]
    elif names:
        chosen = choose_rulesets(content, names)
        _expect_different(chosen)
    else:
        chosen = [newest_edition(folder) for folder in choose_folders(content)]
    able = []
    for edition in chosen:
        try:
            choose_options(edition, options)
            able.append(edition)
        except click.UsageError:
            if names:
                raise
    if options and not able:
        several = "s" * (len(options) > 1)
        raise click.UsageError(f"no ruleset has the option{several} {', '.join(options)}")
    return able


def _expect_different(chosen: Sequence[Path]) -> None:
    """Raises click.UsageError if both a release and a working copy of one edition are chosen."""
    released = [source for source in chosen if is_release(source)]
    if not released:
        return
    from rulebook.loading.editions import edition_of

    copies = {(source.name, edition_of(source)) for source in chosen if not is_release(source)}
    for source in released:
        ruleset = source.parent.parent.name
        if (ruleset, source.stem) in copies:
            both = f"'{ruleset}' and '{ruleset}{AT}{source.stem}' are both edition {source.stem}"
            raise click.UsageError(f"{both}\nname one of them")


def _editions(folder: Path, cache: Cache) -> list[Path]:
    """Returns a ruleset's working copy and those released editions that have other numbers.

    The list is cached.
    """

    def find() -> list[str]:
        from rulebook.loading.editions import every_edition

        return [edition.relative_to(folder).as_posix() for edition in every_edition(folder)]

    return [
        folder / name for name in remembered(cache, _EDITIONS, edition_key(folder, cache), find)
    ]


def choose_folders(content: Path, names: Sequence[str] = ()) -> list[Path]:
    """Returns the folders of the named rulesets, or of all rulesets if none is named, sorted.

    Rulesets with releases but without a working copy count too. A name such as `notes/thursday.md`
    is that of a file that is a sheet. Raises click.UsageError if there are no rulesets, or none
    with a given name.
    """
    if not names:
        return [*_folders(content).values()]
    chosen = sorted({_folder(content, name) for name in names})
    for name in sorted({folder.name for folder in chosen}):
        if len([folder for folder in chosen if folder.name == name]) > 1:
            raise click.UsageError(f"two rulesets are called '{name}'\nname one of them")
    return chosen


def _folders(content: Path) -> dict[str, Path]:
    """Returns the folders of all rulesets by name, even if they have only releases.

    Raises click.UsageError if there are none.
    """
    if content.exists() and not content.is_dir():
        raise click.UsageError(f"'{content}' is a file, not a folder of rulesets")
    folders = sorted({*find_rulesets(content), *with_releases(content)}) if content.exists() else []
    if not folders:
        lacks = "no ruleset in" if content.exists() else "no content folder"
        raise click.UsageError(f"{lacks} '{content}'\nstart one with: rulebook new mygame")
    return {folder.name: folder for folder in folders}


def _folder(content: Path, name: str) -> Path:
    """Returns the folder of a ruleset, or that which stands for a file that is a sheet.

    The name of such a file may be given without its ending.
    """
    file = Path(name)
    if name.endswith(SHEET_ENDING):
        if not file.is_file():
            raise unknown("file", name, sorted(map(str, file.parent.glob(f"*{SHEET_ENDING}"))))
        folder = file.parent if file.name == SHEET_FILE else file.with_suffix("")
        if header_file(folder) != file:
            raise click.UsageError(f"'{name}' is no sheet: there is a ruleset.yaml beside it")
        return folder
    if file.is_file():
        raise click.UsageError(f"'{name}' is no ruleset\nmake one of it: rulebook import {name}")
    if is_alone(file) and not (content / name).exists():
        return file
    folders = _folders(content)
    return folders[found("ruleset", name.rstrip("/"), folders)]


def _edition(content: Path, name: str) -> Path:
    """Returns the file of the released edition that `name`, such as `mygame@1.0`, means.

    Raises click.UsageError if there is none.
    """
    ruleset, _, edition = name.partition(AT)
    releases = find_releases(_folder(content, ruleset))
    if not releases:
        raise click.UsageError(f"no edition of '{ruleset}' has been released")
    return releases[found("edition", edition, releases)]


def choose_options(source: Path, names: Sequence[str]) -> tuple[str, ...]:
    """Returns the ids of the named options; raises click.UsageError if the edition lacks one."""
    if not names:
        return ()
    from rulebook.loading.editions import options_of

    known = options_of(source)
    return tuple(found("option", name, known) for name in names)


def found(kind: str, name: str, known: Iterable[str]) -> str:
    """Returns that one of the `known` names which matches `name`, ignoring case and `-` or `_`.

    `kind` says in messages what is named. Raises click.UsageError if nothing matches.
    """
    listed = list(known)
    alike = [word for word in listed if _spelt(word) == _spelt(name)]
    if not alike:
        raise unknown(kind, name, listed)
    return name if name in alike else alike[0]


def _spelt(name: str) -> str:
    return name.replace("_", "-").lower()


def remembered(cache: Cache, command: str, key: str | None, find: Callable[[], Any]) -> Any:
    """Returns what `find` returns for an edition or ruleset, from the cache if it is there.

    The result is plain JSON data. `command` is the section of the cache, and `key` is from
    `edition_key`. What `find` raises is not cached.
    """
    if key is None:
        return find()
    known = cache.get_json(command, key)
    if known is None:
        known = find()
        cache.put_json(command, key, known)
    return known


def load_ruleset(ctx: click.Context, name: str, options: Sequence[str] = ()) -> Ruleset:
    """Loads and returns the named ruleset with the chosen options.

    If the content has faults, prints them and exits with status 1.
    """
    from rulebook.loading.editions import load_edition

    (folder,) = choose_rulesets(ctx.obj["content"], [name])
    loaded = load_edition(folder, choose_options(folder, options))
    if loaded.ruleset is None:
        fail(ctx, loaded.report)
    return loaded.ruleset


def split_commas(texts: Sequence[str]) -> tuple[str, ...]:
    """Splits the values of an option at commas: ["a,b", "c"] gives ("a", "b", "c")."""
    return tuple(part.strip() for text in texts for part in text.split(","))


def _split(_: click.Context, option: click.Parameter, texts: Sequence[str]) -> tuple[str, ...]:
    """Click callback: splits values at commas, and drops empty ones from all options but `--with`.

    With `--with` the empty ones are refused later, as unknown names.
    """
    parts = split_commas(texts)
    return parts if option.name == "options" else tuple(filter(None, parts))


def several_option(name: str, *names: str, help: str, metavar: str) -> Callable[[Command], Command]:
    """Makes an option with several values: `--paper a4,letter` or `--paper a4 --paper letter`.

    `name` and `names` are those of the option and its parameter, as for click.option.
    """
    return click.option(name, *names, multiple=True, metavar=metavar, callback=_split, help=help)


with_option = several_option(
    "--with", "options", metavar="OPTION", help="With this optional rule, as often as wanted."
)
#: Of every command that draws one file.
ink_option = click.option(
    "--ink",
    type=click.Choice(["full", "low"], case_sensitive=False),
    default="full",
    help="Low ink has no tints.  [default: full]",
)


def output_option(what: str) -> Callable[[Command], Command]:
    """Makes the option `--out` for the output folder; `what` is its help."""
    folder = click.Path(path_type=Path)
    text = f"{what}  [default: ./output]"
    return click.option("--out", type=folder, default=Path("output"), help=text)


def file_option(
    what: str = "Where to write; '-' for standard output.", **more: Any
) -> Callable[[Command], Command]:
    """Makes the option `-o` for the one file that a command writes; `what` is its help.

    `more` is passed to click.option; without it the option is required.
    """
    file = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
    more = more or {"required": True}
    return click.option("-o", "--out", type=file, metavar="FILE", help=what, **more)


def paper_option(what: str, *, booklets: bool = False) -> Callable[[Command], Command]:
    """Makes the option `--paper`, A4 by default; `what` is its help.

    A5, the paper of small booklets, is a choice only with `booklets`.
    """
    names = [name for name in FIXED_PAPERS if booklets or PAPERS[name].booklet != "a5"]
    papers = click.Choice(names, case_sensitive=False)
    return click.option("--paper", type=papers, default="a4", help=f"{what}  [default: a4]")


def format_option(formats: Sequence[str], what: str) -> Callable[[Command], Command]:
    """Makes the option `--format`, passed to the command as `form`; `what` is its help.

    If the option is not given, `form` is None, and the command takes the format from `format_of`.
    """
    choice = click.Choice(formats, case_sensitive=False)
    text = f"{what}  [default: by the ending of FILE]"
    return click.option("--format", "form", type=choice, help=text)


def format_of(out: Path, formats: Sequence[str]) -> str:
    """Returns the format that the ending of a file name stands for; "svg" for standard output.

    Raises click.UsageError if it is none of the formats.
    """
    ending = out.suffix.lower().removeprefix(".")
    if out == STDOUT:
        return "svg"
    if ending not in formats:
        endings = join_words((f".{ending}" for ending in formats), "or")
        raise click.UsageError(
            f"'{out}' does not say which format is meant\n"
            f"end its name in {endings}, or give --format"
        )
    return ending


def verbosity_options(command: Command) -> Command:
    """Adds the options `-q` and `-v` to a command; they may also be given before its name."""
    verbose = click.option(
        "-v", "--verbose", count=True, expose_value=False, callback=_set, help="Tell more."
    )
    quiet = click.option(
        "-q", "--quiet", is_flag=True, expose_value=False, callback=_set, help="Tell faults only."
    )
    return quiet(verbose(command))


def _set(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    """Click callback of `-q` and `-v`: updates the verbosity in the context.

    `-v` adds to what was given before the command's name; `-q` always wins.
    """
    if not value:
        return
    quiet = parameter.name == "quiet" or ctx.obj["verbosity"] < 0
    ctx.obj["verbosity"] = -1 if quiet else ctx.obj["verbosity"] + value


def length_options(command: Command) -> Command:
    """Adds the options `--scale`, `--read` and `--round`, which change lengths, to a command.

    The command gets their values as `scale`, `read` and `steps`.
    """
    scale = click.option(
        "--scale",
        metavar="RATIO",
        help="For other figures: all lengths of the game times this, such as 1/2. Wood, card "
        "and markers stay.",
    )
    read = several_option(
        "--read",
        metavar="UNIT=LENGTH",
        help="Read each inch as a centimetre, in=cm, or as so many, in=2.5cm.",
    )
    steps = several_option(
        *("--round", "steps"),
        metavar="STEP",
        help="Lengths of its unit to the nearest step, halves up: 0.5cm.",
    )
    return scale(read(steps(command)))


def read_lengths(scale: str | None, read: Sequence[str], steps: Sequence[str]) -> Lengths | None:
    """Parses the values of `--scale`, `--read` and `--round` (`steps`).

    Returns None if they change no lengths. Raises click.UsageError if one is wrong.
    """
    if scale is None and not read and not steps:
        return None
    from rulebook.model.lengths import Lengths, parse_read, parse_scale, parse_step

    given: dict[str, Any] = {"read": {}, "steps": ()}
    with usage():
        given |= {} if scale is None else {"scale": parse_scale(scale)}
        for text in read:
            unit, equals, length = (part.strip() for part in text.partition("="))
            if not equals:
                raise wrong(f"'{text[:40]}' reads nothing", "UNIT=LENGTH, such as in=cm")
            if unit in given["read"]:
                raise wrong(f"'{unit}' is read twice", "each length unit once")
            given["read"] |= [parse_read(unit, length)]
        for step in map(parse_step, steps):
            if step.unit in [known.unit for known in given["steps"]]:
                raise wrong(f"two steps in {step.unit}", "one for each length unit")
            given["steps"] += (step,)
    lengths = Lengths.model_construct(**given)
    return None if lengths.idle else lengths


def offset_option(what: str) -> Callable[[Command], Command]:
    """Makes the option `--offset`, by which backs are moved to the right and up.

    `what` is its help. The command gets a pair in mm, or None.
    """
    return click.option("--offset", metavar="x=..,y=..", callback=_offset, help=what)


_ON_AXIS = re.compile(r"([xy]) ?= ?([-+−]?)([0-9./ ]*[0-9]) ?(mm|cm|in)")


def _offset(_: click.Context, __: click.Parameter, text: str | None) -> Pair | None:
    """Click callback: parses `x=1mm,y=-0.5mm` into exact millimetres, (x, y).

    Returns None if the option is not given. Raises click.BadParameter.
    """
    if text is None:
        return None
    parts = [_ON_AXIS.fullmatch(part.strip()) for part in text.lower().split(",")]
    lengths = {match[1]: _signed_length(match) for match in parts if match}
    x, y = lengths.get("x"), lengths.get("y")
    if len(parts) != len(lengths) or x is None or y is None:
        raise click.BadParameter(f"'{text[:40]}' is no offset\nwrite it as x=1mm,y=-0.5mm")
    if max(abs(x), abs(y)) > MOST_OFFSET:
        raise click.BadParameter(f"that is more than any printer errs, {MOST_OFFSET} mm")
    return x, y


def _signed_length(match: re.Match[str]) -> Fraction | None:
    """Returns the exact length in mm of a match of `_ON_AXIS`; None if its number is invalid."""
    number = parse_number(match[3].strip())
    if number is None:
        return None
    length = number * MILLIMETRES[match[4]]
    return -length if match[2] in ("-", "−") else length
