"""This machine -> what printing needs of it and what is missing."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

State = Literal["there", "missing", "slow"]

OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True, slots=True)
class Library:
    """A native library under the file names of the systems, and the packages that bring it.

    Without one that is not `required` printing works, but takes longer.
    """

    title: str
    names: tuple[str, ...]
    apt: str
    #: Of Fedora and of brew.
    elsewhere: str = "pango"
    required: bool = True


def _names(stem: str, number: str) -> tuple[str, ...]:
    """The file of a library on Linux, macOS and Windows."""
    return (
        f"lib{stem}.so.{number}",
        f"lib{stem}.{number}.dylib",
        f"lib{stem}.dylib",
        f"lib{stem}-{number}.dll",
        f"lib{stem}-{number}",
    )


LIBRARIES = (
    Library("Pango", _names("pango-1.0", "0"), "libpango-1.0-0"),
    Library("Pango with FreeType", _names("pangoft2-1.0", "0"), "libpangoft2-1.0-0"),
    Library("HarfBuzz", _names("harfbuzz", "0"), "libharfbuzz0b", "harfbuzz"),
    Library(
        "HarfBuzz subsetting",
        _names("harfbuzz-subset", "0"),
        "libharfbuzz-subset0",
        "harfbuzz",
        required=False,
    ),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's table: what, its state, and what is to be done about it."""

    what: str
    state: State
    detail: str = ""
    library: Library | None = None


def load_library(name: str) -> object:
    """Raises OSError where there is none of that name."""
    return ctypes.CDLL(name)


def find_libraries(load: Callable[[str], object] = load_library) -> list[Finding]:
    """Whether each library can be loaded, which is what counts."""
    return [_find(library, load) for library in LIBRARIES]


def _find(library: Library, load: Callable[[str], object]) -> Finding:
    for name in library.names:
        try:
            load(name)
        except OSError:
            continue
        return Finding(library.title, "there", library=library)
    if library.required:
        return Finding(library.title, "missing", library=library)
    return Finding(library.title, "slow", "PDF takes longer without it", library)


def find_python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    here = ".".join(map(str, version))
    if version[:2] >= OLDEST_PYTHON:
        return Finding(f"Python {here}", "there")
    return Finding(f"Python {here}", "missing", "install Python 3.11 or later")


def find_fonts() -> Finding:
    """Whether the files of the two typefaces are there; they come with the installation."""
    title = "Fonts"
    again = f"{sys.executable} -m pip install --force-reinstall rulebook"
    try:
        from rulebook.typefaces import EVERY_FACE

        lost = [face.path.name for face in EVERY_FACE if not face.path.is_file()]
    except Exception as fault:  # a package of fonts that is damaged may fail in any way
        return Finding(title, "missing", f"{type(fault).__name__}: {fault}; run: {again}")
    if lost:
        return Finding(title, "missing", f"{', '.join(lost)}; run: {again}")
    return Finding(title, "there")


def find_place(folder: Path) -> Finding:
    """Whether a build may write into its output folder, or make it."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    title = f"Output folder {folder.as_posix()}"
    if not nearest.is_dir():
        return Finding(title, "missing", f"{nearest} is a file; move it away")
    if not os.access(nearest, os.W_OK | os.X_OK):
        return Finding(title, "missing", f"{nearest} cannot be written; choose another with --out")
    return Finding(title, "there")
