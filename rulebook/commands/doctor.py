"""`rulebook doctor`: this machine -> whether all that printing needs is there, or how to get it."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from rulebook.commands.arguments import output_option

State = Literal["ok", "MISSING", "missing"]

#: What is typed to install the native libraries, for each package manager.
INSTALL = {
    "apt-get": "apt-get update && apt-get install -y --no-install-recommends "
    "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b; "
    "apt-get install -y --no-install-recommends libharfbuzz-subset0",
    "dnf": "dnf install -y pango harfbuzz",
    "brew": "brew install pango harfbuzz",
}
_ELSEWHERE = "https://doc.courtbouillon.org/weasyprint/stable/first_steps.html#installation"


#: The native libraries, by the stems of their files, and what is said without one.
LIBRARIES: dict[str, tuple[str, State, str]] = {
    "Pango": ("pango-1.0", "MISSING", ""),
    "Pango with FreeType": ("pangoft2-1.0", "MISSING", ""),
    "HarfBuzz": ("harfbuzz", "MISSING", ""),
    "HarfBuzz subsetting": ("harfbuzz-subset", "missing", "PDF takes longer without it"),
}
#: The names of their files on Linux, macOS and Windows.
_FILES = ("lib{}.so.0", "lib{}.0.dylib", "lib{}.dylib", "lib{}-0.dll", "lib{}-0")


@dataclass(frozen=True, slots=True)
class Finding:
    """A row of the report: what was looked for, its state, and what to do about it.

    The state "missing" in small letters makes printing slower, not impossible.
    """

    what: str
    state: State
    detail: str = ""


@click.command()
@output_option("The output folder to look at.")
@click.pass_context
def doctor(ctx: click.Context, out: Path) -> None:
    """See whether all is there that printing needs, and tell the line that installs the rest.

    Exit status 1 where something is missing without which nothing can be printed.
    """
    libraries = [find_library(title) for title in LIBRARIES]
    python = Finding(f"Python {platform.python_version()}", "ok")
    findings = [python, *libraries, find_fonts(), find_output_folder(out)]
    quiet = ctx.obj["verbosity"] < 0
    for finding in findings:
        if finding.state != "ok" or not quiet:
            click.echo(f"{finding.what:<24}  {finding.state:<8}  {finding.detail}".rstrip())
    if any(finding.state != "ok" for finding in libraries):
        click.echo(f"\nto install what is missing:\n  {line_to_type()}")
        if sys.platform == "darwin":  # a Python from elsewhere does not look where brew installs
            path = 'export DYLD_FALLBACK_LIBRARY_PATH="$(brew --prefix)/lib"'
            click.echo(f"if it is installed and not found:\n  {path}")
    ctx.exit(1 if any(finding.state == "MISSING" for finding in findings) else 0)


def line_to_type() -> str:
    """Returns the shell command that installs all native libraries on this machine.

    If no known package manager is found, returns a hint where to look instead.
    """
    manager = next((name for name in INSTALL if shutil.which(name)), None)
    if manager is None:
        return f"see {_ELSEWHERE}"
    line = INSTALL[manager]
    if manager == "brew" or os.geteuid() == 0 or not shutil.which("sudo"):
        return line
    return line.replace(f"{manager} ", f"sudo {manager} ")


def find_library(title: str) -> Finding:
    """Returns the row of the report on whether the native library with this title can be loaded."""
    stem, without, detail = LIBRARIES[title]
    for name in _FILES:
        try:
            ctypes.CDLL(name.format(stem))
        except OSError:
            continue
        return Finding(title, "ok")
    return Finding(title, without, detail)


def find_fonts() -> Finding:
    """Returns the row of the report on whether all font files of the installation exist."""
    again = f"{sys.executable} -m pip install --force-reinstall rulebook"
    try:
        from rulebook.typefaces import EVERY_FACE

        lost = ", ".join(face.path.name for face in EVERY_FACE if not face.path.is_file())
    except Exception as fault:  # a package of fonts that is damaged may fail in any way
        lost = f"{type(fault).__name__}: {fault}"
    return Finding("Fonts", "MISSING", f"{lost}; run: {again}") if lost else Finding("Fonts", "ok")


def find_output_folder(folder: Path) -> Finding:
    """Returns the row of the report on whether a build can write into a folder, or make it."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    title = f"Output folder {folder.as_posix()}"
    if not nearest.is_dir():
        return Finding(title, "MISSING", f"{nearest} is a file; move it away")
    if not os.access(nearest, os.W_OK | os.X_OK):
        return Finding(title, "MISSING", f"{nearest} cannot be written; choose another with --out")
    return Finding(title, "ok")
