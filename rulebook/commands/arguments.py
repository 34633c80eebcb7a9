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

from rulebook.build.stale import program_key
from rulebook.cache import Cache, digest_of
from rulebook.commands.terminal import fail, unknown, usage, wrong
from rulebook.loading.folder import (
    AT,
    find_releases,
    find_rulesets,
    is_release,
    sources_digest,
    with_releases,
)
from rulebook.paper_and_ink import PAPERS
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
    """The folders of the named rulesets, of all where none is named, in the order of the content.

    `mygame@1.0` names a released edition, whose file comes after the folders.

    Raises click.UsageError where there is no content, no ruleset in it, or none of a name.
    """
    folders, copies = _folders(content), find_rulesets(content)
    if not names:
        return copies
    released = [_edition(folders, name) for name in names if AT in name]
    chosen = sorted({_folder(folders, name) for name in names if AT not in name})
    for folder in chosen:
        if folder not in copies:
            there = ", ".join(f"{folder.name}{AT}{edition}" for edition in find_releases(folder))
            raise click.UsageError(f"'{folder.name}' has no ruleset.yaml\nthere are: {there}")
    return chosen + released


def choose_editions(
    ctx: click.Context, names: Sequence[str], options: Sequence[str], *, released: bool = True
) -> list[Path]:
    """The named rulesets and editions, which must have the options.

    Without names, of each ruleset the working copy and, if `released`, the released editions of
    other numbers, as far as they have the options. Raises click.UsageError where there are none,
    and where one edition is named twice, as a working copy and as released.
    """
    content = ctx.obj["content"]
    if names or not released:
        chosen = choose_rulesets(content, names)
        _expect_different(chosen)
    else:
        folders = choose_folders(content)
        chosen = [edition for folder in folders for edition in _editions(folder, ctx.obj["cache"])]
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
    """Raises click.UsageError for a released edition beside a working copy of its number."""
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
    """The working copy of a ruleset and its released editions of other numbers."""

    def find() -> list[str]:
        from rulebook.loading.editions import every_edition

        return [edition.relative_to(folder).as_posix() for edition in every_edition(folder)]

    return [folder / name for name in remembered(cache, _EDITIONS, folder, [], find)]


def choose_folders(content: Path, names: Sequence[str] = ()) -> list[Path]:
    """The folders of the named rulesets, of all where none is named, also of those of which only
    released editions are left.

    Raises click.UsageError where there are none, or none of a name.
    """
    folders = _folders(content)
    return sorted({_folder(folders, name) for name in names or folders})


def _folders(content: Path) -> dict[str, Path]:
    """The folders of all rulesets by their names, also those that hold only released editions."""
    if content.exists() and not content.is_dir():
        raise click.UsageError(f"'{content}' is a file, not a folder of rulesets")
    folders = sorted({*find_rulesets(content), *with_releases(content)}) if content.exists() else []
    if not folders:
        lacks = "no ruleset in" if content.exists() else "no content folder"
        raise click.UsageError(f"{lacks} '{content}'\nstart one with: rulebook new mygame")
    return {folder.name: folder for folder in folders}


def _folder(folders: dict[str, Path], name: str) -> Path:
    return folders[found("ruleset", name.rstrip("/"), folders)]


def _edition(folders: dict[str, Path], name: str) -> Path:
    """`mygame@1.0` -> the file of that released edition. Raises click.UsageError."""
    ruleset, _, edition = name.partition(AT)
    releases = find_releases(_folder(folders, ruleset))
    if not releases:
        raise click.UsageError(f"no edition of '{ruleset}' has been released")
    return releases[found("edition", edition, releases)]


def choose_options(source: Path, names: Sequence[str]) -> tuple[str, ...]:
    """The ids of the named options of an edition. Raises click.UsageError for one that it lacks."""
    if not names:
        return ()
    from rulebook.loading.editions import options_of

    known = options_of(source)
    return tuple(found("option", name, known) for name in names)


def found(kind: str, name: str, known: Iterable[str]) -> str:
    """The known name that is meant; hyphen and underscore are one to those who type.

    Raises click.UsageError where there is none.
    """
    listed = list(known)
    alike = [word for word in listed if _spelt(word) == _spelt(name)]
    if not alike:
        raise unknown(kind, name, listed)
    return name if name in alike else alike[0]


def _spelt(name: str) -> str:
    return name.replace("_", "-").lower()


def remembered(
    cache: Cache, command: str, source: Path, asked: list[Any], find: Callable[[], Any]
) -> Any:
    """What `find` returns for an edition or ruleset, plain JSON data, from the cache if it is
    there.

    `asked` is all else that the result depends on. What `find` raises is not remembered.
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


def split_commas(texts: Sequence[str]) -> tuple[str, ...]:
    """What an option is given, one by one: `a,b` is two."""
    return tuple(part.strip() for text in texts for part in text.split(","))


def _split(_: click.Context, option: click.Parameter, texts: Sequence[str]) -> tuple[str, ...]:
    """Empty parts count only with `--with`, where they are refused as unknown names."""
    parts = split_commas(texts)
    return parts if option.name == "options" else tuple(filter(None, parts))


def several_option(name: str, *names: str, help: str, metavar: str) -> Callable[[Command], Command]:
    """An option that is given as often as wanted: `--paper a4,letter` is as `--paper a4 --paper
    letter`.
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
    """`--out`: the output folder."""
    folder = click.Path(path_type=Path)
    text = f"{what}  [default: ./output]"
    return click.option("--out", type=folder, default=Path("output"), help=text)


def file_option(
    what: str = "Where to write; '-' for standard output.", **more: Any
) -> Callable[[Command], Command]:
    """`-o`: the one file that a command writes; without more it has to be given."""
    file = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
    more = more or {"required": True}
    return click.option("-o", "--out", type=file, metavar="FILE", help=what, **more)


def paper_option(what: str, *, booklets: bool = False) -> Callable[[Command], Command]:
    """`--paper`, A4 by default; papers of small booklets only with `booklets`."""
    names = [name for name, paper in PAPERS.items() if booklets or paper.booklet != "a5"]
    papers = click.Choice(names, case_sensitive=False)
    return click.option("--paper", type=papers, default="a4", help=f"{what}  [default: a4]")


def format_option(formats: Sequence[str], what: str) -> Callable[[Command], Command]:
    """`--format`, as `form`; `format_of` finds it where it is not given."""
    choice = click.Choice(formats, case_sensitive=False)
    text = f"{what}  [default: by the ending of FILE]"
    return click.option("--format", "form", type=choice, help=text)


def format_of(out: Path, formats: Sequence[str]) -> str:
    """What the name of a file ends in; SVG for standard output.

    Raises click.UsageError where it is none of the formats.
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
    """`-q` and `-v` after a command, with the meaning that they have before it."""
    verbose = click.option(
        "-v", "--verbose", count=True, expose_value=False, callback=_set, help="Tell more."
    )
    quiet = click.option(
        "-q", "--quiet", is_flag=True, expose_value=False, callback=_set, help="Tell faults only."
    )
    return quiet(verbose(command))


def _set(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    """Change the verbosity: `-v` adds to what was given before the command, `-q` always wins."""
    if not value:
        return
    quiet = parameter.name == "quiet" or ctx.obj["verbosity"] < 0
    ctx.obj["verbosity"] = -1 if quiet else ctx.obj["verbosity"] + value


def length_options(command: Command) -> Command:
    """`--scale`, `--read` and `--round`, as `scale`, `read` and `steps`."""
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
    """How lengths are converted; None where they stay. Raises click.UsageError."""
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
    """`--offset`, as the pair of lengths by which backs are moved to the right and up."""
    return click.option("--offset", metavar="x=..,y=..", callback=_offset, help=what)


_ON_AXIS = re.compile(r"([xy]) ?= ?([-+−]?)([0-9./ ]*[0-9]) ?(mm|cm|in)")


def _offset(_: click.Context, __: click.Parameter, text: str | None) -> Pair | None:
    """`x=1mm,y=-0.5mm` in millimetres, exactly."""
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
    """Millimetres; None where the number is none."""
    number = parse_number(match[3].strip())
    if number is None:
        return None
    length = number * MILLIMETRES[match[4]]
    return -length if match[2] in ("-", "−") else length
