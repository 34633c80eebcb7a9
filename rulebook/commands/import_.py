"""`rulebook import`: a workbook, document or table as players have it -> a sheet that prints."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.arguments import verbosity_options
from rulebook.commands.terminal import fail, say
from rulebook.loading.folder import SHEET_FILE
from rulebook.problems import Problem, Span

if TYPE_CHECKING:
    from rulebook.importing.updating import Conflict


@click.command(name="import")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
@click.option("--name", help="The id of the sheet.  [default: made of the name of the file]")
@click.option(
    "--to",
    "form",
    type=click.Choice(["sheet", "yaml"]),
    default="sheet",
    help="One page to edit, sheet.md, or typed tables in YAML.  [default: sheet]",
)
@click.option(
    "--keep-edits", is_flag=True, help="Keep lines that were edited where the file has others now."
)
@verbosity_options
@click.pass_context
def import_command(
    ctx: click.Context, *, files: tuple[Path, ...], name: str | None, form: str, keep_edits: bool
) -> None:
    """Make a sheet of what you have.

    FILE is a workbook (.xlsx, .ods), a document (.docx), a table (.csv, .tsv), notes (.md, .txt),
    or - for what you paste. Tabs and headings become phases, tables tables, and sentences
    reminders, in the order of the file. What is not clear and what is left out is listed.

    Import again when the file has changed: what you edited in the sheet stays. Where a line was
    edited and has changed in the file as well, nothing is written.
    """
    from rulebook.commands.new import as_id, ruleset_folder
    from rulebook.importing.files import PASTED, read_pages
    from rulebook.importing.sheets import rulesets_of, sheet_of
    from rulebook.loading.safe_text import Unreadable

    named = "pasted" if files[0].as_posix() == PASTED else files[0].stem
    folder = ruleset_folder(ctx.obj["content"], name or as_id(named) or named)
    pasted = sys.stdin.buffer.read() if Path(PASTED) in files else b""
    try:
        page = read_pages(files, pasted)
    except Unreadable as fault:
        fail(ctx, fault.problems)
    sheet = sheet_of(page)
    texts = {SHEET_FILE: sheet} if form == "sheet" else rulesets_of(sheet, folder.name)
    _write(ctx, folder, texts, keep_edits=keep_edits)
    if page.doubts:
        say(ctx, f"\n{len(page.doubts)} doubt{'s' * (len(page.doubts) > 1)}:")
        for doubt in page.doubts:
            say(ctx, f"  {doubt}")
        say(ctx, "")
    content = "" if folder.parent == Path("content") else f" --content {folder.parent}"
    say(ctx, f"now try: rulebook{content} build {folder.name}")


def _write(ctx: click.Context, folder: Path, texts: dict[str, str], *, keep_edits: bool) -> None:
    """Writes the files of an import, each with its copy, or fails before any is written."""
    from rulebook.build.publish import unwritten, write_whole
    from rulebook.importing.updating import copy_of, difference, merge

    made: dict[Path, str] = {}
    met: list[Problem] = []
    for name, new in texts.items():
        file = folder / name
        try:
            old, edited = _read(copy_of(file)), _read(file)
            taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
        except OSError as fault:
            fail(ctx, [unwritten(folder, fault)])
        if old is None and taken:
            message = "this is there already, and no import of this kind has written it"
            hint = "choose another name with --name"
            fail(ctx, [Problem("R702", message, Span(folder.as_posix()), "a new folder", hint)])
        if old is None or edited is None:
            made[file] = new
            continue
        made[file], conflicts = merge(old, edited, new)
        if edited != made[file]:
            say(ctx, difference(edited, made[file], f"{name} before", f"{name} now"))
        for conflict in () if keep_edits else conflicts:
            met += _conflicts(file, conflict)
    if met:
        fail(ctx, met)
    for file, text in made.items():
        try:
            was = _read(file)
            if text != was:
                write_whole(file, text.encode())
            write_whole(copy_of(file), texts[file.name].encode())
        except OSError as fault:
            fail(ctx, [unwritten(file, fault)])
        same = f"{file.as_posix()} stays as it is: nothing new in the file"
        say(ctx, same if text == was else f"wrote {file.as_posix()}")


def _conflicts(file: Path, conflict: Conflict) -> Iterator[Problem]:
    """Yields a fault for each line that has changed where the file was edited."""
    was = "this was edited" if conflict.edited else "what stood here was deleted"
    span = Span(file.as_posix(), conflict.line, 1, conflict.line, max(2, len(conflict.edited)))
    for line in conflict.new.splitlines() or [""]:
        now = f"what is imported is now `{line}`" if line else "is no more in what is imported"
        hint = "write that here, too," if line else "delete it here, too,"
        hint += " or import again with --keep-edits to keep what is here"
        yield Problem("R702", f"{was}, and {now}", span, hint=hint)


def _read(file: Path) -> str | None:
    return file.read_text("utf-8") if file.is_file() else None
