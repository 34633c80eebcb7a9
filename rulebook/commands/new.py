"""`rulebook new`: a name -> a folder with a small ruleset that builds, and schemas for editors."""

from __future__ import annotations

import datetime
import locale
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from rulebook.commands.schema import FOLDER, write_schemas
from rulebook.commands.terminal import say, unknown
from rulebook.loading.folder import HEADER_FILE, SHEET_FILE, header_file
from rulebook.packaged import content_folder, templates_folder
from rulebook.paper_and_ink import SHEET_PAPERS

#: Kinds of games of which a small one is shipped to start from, and what each shows.
KINDS = {
    "skirmish": "a few figures a side, move by move: bands, modifiers, a cutout",
    "big-battle": "brigades and divisions: half-turns, volleys, morale, reserves by dice",
    "sheet": "only a quick-reference sheet: a page of headings, lists and tables",
    "solo-hex": "one player against drawn cards, on a map of hexes with counters",
}
_KINDS_SHOWN = "\n".join(f"  {kind:<11} {shows}" for kind, shows in KINDS.items())


@click.command(epilog=f"\b\nKinds of games:\n{_KINDS_SHOWN}")
@click.argument("name")
@click.option(
    "--like",
    "kind",
    type=click.Choice(list(KINDS)),
    help="The kind of game.  [default: asked in a terminal, else skirmish]",
)
@click.option(
    "--from",
    "example",
    metavar="EXAMPLE",
    help="Copy this shipped ruleset instead of a small one.",
)
@click.option(
    "--paper",
    type=click.Choice([*SHEET_PAPERS, "both"]),
    help="The paper in your printer.  [default: asked in a terminal, else both]",
)
@click.option(
    "--ink",
    type=click.Choice(["full", "low", "both"]),
    help="In full colour, saving ink, or both.  [default: asked in a terminal, else both]",
)
@click.pass_context
def new(
    ctx: click.Context,
    *,
    name: str,
    kind: str | None,
    example: str | None,
    paper: str | None,
    ink: str | None,
) -> None:
    """Start a ruleset that builds.

    NAME is its id, for a folder in the content folder; a path with a slash in it is taken as it is.
    It begins as a small game of one kind, with a remark wherever something new is written. Paper
    and ink stand in its ruleset.yaml or sheet.md, and may be changed there.
    """
    folder = ruleset_folder(ctx.obj["content"], name)
    if kind and example:
        raise click.UsageError("--like and --from are two ways to start\nchoose one of them")
    source = None if example is None else _example(example)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise click.UsageError(f"'{folder}' is there already; nothing was changed")
        if source is None and in_a_terminal():
            if kind is None:
                click.echo(_KINDS_SHOWN)
                kind = _ask("What kind of game?", list(KINDS), "skirmish")
            paper = paper or _ask(
                "Which paper is in your printer?", [*SHEET_PAPERS, "both"], usual_paper()
            )
            ink = ink or _ask("In full colour, or saving ink?", ["full", "low", "both"], "full")
        write_ruleset(source or templates_folder() / "starter" / (kind or "skirmish"), folder)
        _choose(header_file(folder) or folder / HEADER_FILE, papers=paper, inks=ink)
        write_schemas(folder.parent / FOLDER)
    except OSError as fault:
        raise click.ClickException(f"'{folder}' cannot be written: {fault.strerror}") from fault
    content = "" if folder.parent == Path("content") else f" --content {folder.parent}"
    say(ctx, f"wrote {folder.as_posix()}\nnow try: rulebook{content} build {folder.name}")


def in_a_terminal() -> bool:
    """Whether standard input is a terminal, so that questions can be answered."""
    return sys.stdin.isatty()


def _ask(question: str, answers: Sequence[str], usual: str) -> str:
    answer: str = click.prompt(question, default=usual, type=click.Choice(answers))
    return answer


#: Countries that print on Letter, by the letters of locales.
_LETTER = frozenset("US CA MX PH CL CO VE CR GT NI PA SV DO PR".split())  # noqa: SIM905


def usual_paper(settings: Mapping[str, str] = os.environ) -> str:
    """Returns the paper of the country in the locale settings: "letter" or, by default, "a4".

    `settings` are environment variables.
    """
    named = (settings.get(name) for name in ("LC_ALL", "LC_PAPER", "LANG"))
    setting = next(filter(None, named), None) or locale.getlocale()[0] or ""
    country = re.search(r"_([A-Z]{2})\b", setting)
    letter = "_United States" in setting or (country and country[1] in _LETTER)
    return "letter" if letter else "a4"


#: The values in the starter's commented-out lines.
_SHOWN = {"papers": "a4", "inks": "full"}


def _choose(header: Path, **chosen: str | None) -> None:
    """Writes the chosen papers and inks into a new ruleset.yaml (`header`).

    They replace its commented-out lines; None and "both" leave a line as it is.
    """
    wanted = {key: name for key, name in chosen.items() if name not in (None, "both")}
    if wanted:
        text = header.read_text("utf-8")
        for key, name in wanted.items():
            text = text.replace(f"# {key}: [{_SHOWN[key]}]", f"{key}: [{name}]")
        header.write_text(text, "utf-8", newline="\n")


def ruleset_folder(content: Path, name: str) -> Path:
    """Returns the folder of a new ruleset; raises click.UsageError if its name is no id."""
    folder = Path(name) if "/" in name or "\\" in name else content / name
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", folder.name):
        meant = as_id(folder.name)
        hint = f", such as '{meant}'" if meant else ""
        raise click.UsageError(
            f"'{folder.name}' is no id for a ruleset\n"
            f"write lower-case letters, digits and hyphens, a letter first{hint}"
        )
    return folder


def as_id(name: str) -> str:
    """Returns the id that a name is nearest to; empty if it has neither letter nor digit."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-").lstrip("0123456789-")


def _example(name: str) -> Path:
    shipped = {path.parent.name: path.parent for path in content_folder().glob("*/ruleset.yaml")}
    if name not in shipped:
        raise unknown("shipped ruleset", name, sorted(shipped))
    return shipped[name]


def write_ruleset(source: Path, folder: Path) -> None:
    """Copies the files of a ruleset into `folder`, with its name, title and today's date filled in.

    Releases and revisions.yaml are not copied, since the copy is another ruleset.
    """
    from rulebook.loading.folder import RELEASES_FOLDER, REVISIONS_FILE

    left = shutil.ignore_patterns(".*", RELEASES_FOLDER, REVISIONS_FILE)
    marks = {
        "@NAME@": folder.name,
        "(TITLE)": folder.name.replace("-", " ").capitalize(),
        "@DATE@": datetime.date.today().isoformat(),
    }
    shutil.copytree(source, folder, ignore=left, dirs_exist_ok=True)
    for path in sorted((*folder.rglob("*.yaml"), *folder.glob(SHEET_FILE))):
        text = path.read_text("utf-8")
        for mark, value in marks.items():
            text = text.replace(mark, value)
        path.write_text(text, "utf-8", newline="\n")
