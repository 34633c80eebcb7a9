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

from rulebook.build.cache_keys import program_key
from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.commands.terminal import fail, unknown, wrong
from rulebook.loading.folder import find_rulesets
from rulebook.loading.releases import AT, find_releases, is_release, with_releases
from rulebook.loading.sources import sources_digest
from rulebook.paper_and_ink import PAPERS
from rulebook.quantities import MILLIMETRES, QuantityError, join_words, parse_number

if TYPE_CHECKING:
    from rulebook.model.lengths import Lengths
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


Command = TypeVar("Command", bound=Callable[..., Any])
#: Across and up, in millimetres.
Pair = tuple[Fraction, Fraction]
MOST_OFFSET = 10
METAVAR = "x=..,y=.."
STDOUT = Path("-")

with_option = click.option(
    "--with",
    "options",
    multiple=True,
    metavar="OPTION",
    help="With this optional rule, as often as wanted.",
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
    """`--paper`, A4 by default; those of small `booklets` only where it says so."""
    names = [name for name, paper in PAPERS.items() if booklets or paper.booklet != "a5"]
    papers = click.Choice(names, case_sensitive=False)
    return click.option("--paper", type=papers, default="a4", help=f"{what}  [default: a4]")


def format_option(formats: Sequence[str], what: str) -> Callable[[Command], Command]:
    """`--format`, as `form`; `format_of` tells it where it is not given."""
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
        endings = join_words((f".{one}" for one in formats), "or")
        raise click.UsageError(
            f"'{out}' does not say which format is meant\n"
            f"end its name in {endings}, or give --format"
        )
    return ending


def verbosity_options(command: Command) -> Command:
    """`-q` and `-v` after a command: the same as before it, where most people write them last."""
    verbose = click.option(
        "-v", "--verbose", count=True, expose_value=False, callback=_set, help="Tell more."
    )
    quiet = click.option(
        "-q", "--quiet", is_flag=True, expose_value=False, callback=_set, help="Tell faults only."
    )
    return quiet(verbose(command))


def _set(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    """What is given after the command adds to what is given before it; quiet beats verbose."""
    if not value:
        return
    quiet = parameter.name == "quiet" or ctx.obj["verbosity"] < 0
    ctx.obj["verbosity"] = -1 if quiet else ctx.obj["verbosity"] + value


def length_options(command: Command) -> Command:
    """`--scale`, `--read` and `--round`, as `scale`, `read` and `steps`."""
    for option in (
        click.option(
            "--round",
            "steps",
            multiple=True,
            metavar="STEP",
            help="Lengths of its unit to the nearest step, halves up: 0.5cm.",
        ),
        click.option(
            "--read",
            multiple=True,
            metavar="UNIT=LENGTH",
            help="Read each inch as a centimetre, in=cm, or as so many, in=2.5cm.",
        ),
        click.option(
            "--scale",
            metavar="RATIO",
            help="For other figures: all lengths of the game times this, such as 1/2. Wood, card "
            "and markers stay.",
        ),
    ):
        command = option(command)
    return command


def read_lengths(scale: str | None, read: Sequence[str], steps: Sequence[str]) -> Lengths | None:
    """How lengths are turned; None where they stay. Raises click.UsageError."""
    if scale is None and not read and not steps:
        return None
    from rulebook.model.lengths import Lengths, parse_read, parse_scale, parse_step

    given: dict[str, Any] = {}
    try:
        if scale is not None:
            parse_scale(scale)
            given["scale"] = scale
        for text in listed(read):
            unit, equals, length = (part.strip() for part in text.partition("="))
            if not equals:
                raise wrong(f"'{text[:40]}' reads nothing", "UNIT=LENGTH, such as in=cm")
            if unit in given.setdefault("read", {}):
                raise wrong(f"'{unit}' is read twice", "each length unit once")
            parse_read(unit, length)
            given["read"][unit] = length
        units: set[str] = set()
        for text in listed(steps):
            step = parse_step(text)
            if step.unit in units:
                raise wrong(f"two steps in {step.unit}", "one for each length unit")
            units.add(step.unit)
            given.setdefault("round", []).append(text)
    except QuantityError as fault:
        raise wrong(fault.message, fault.expected, fault.hint) from fault
    lengths = Lengths.model_validate(given)
    return None if lengths.idle else lengths


def listed(texts: Sequence[str]) -> list[str]:
    """What an option is given, one by one: `a,b` is two."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


_ON_AXIS = re.compile(r"([xy]) ?= ?([-+−]?)([0-9./ ]*[0-9]) ?(mm|cm|in)")


class Offset(click.ParamType):  # type: ignore[type-arg]  # not generic in every click
    """`x=1mm,y=-0.5mm` -> how far what stands on a back is moved to the right and up, exactly."""

    name = METAVAR

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Pair:
        parts = [_ON_AXIS.fullmatch(part.strip()) for part in value.lower().split(",")]
        lengths = {match[1]: _signed_length(match) for match in parts if match}
        x, y = lengths.get("x"), lengths.get("y")
        if len(parts) != len(lengths) or x is None or y is None:
            raise click.BadParameter(f"'{value[:40]}' is no offset\nwrite it as x=1mm,y=-0.5mm")
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


OFFSET = Offset()
