"""The program, its libraries and templates -> digests in the keys of what the cache keeps.

A key holds all that shapes a result: what was read, and the sources and libraries that made
something of it. Every command that asks the cache imports this, so it imports little.
"""

from __future__ import annotations

import hashlib
import platform
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import rulebook
from rulebook.cache import digest_of
from rulebook.packaged import LIBRARIES_OF_PAGES

#: Libraries that shape anything else that is kept: readings, odds, drawings.
_LIBRARIES = (
    "babel",
    "fontpkg-ibm-plex-sans-condensed",
    "fontpkg-spectral",
    "matplotlib",
    "pillow",
    "pydantic",
    "pyyaml",
    "shapely",
)
#: What the package itself is made of.
_SOURCES = (".py", ".txt", ".po")


@lru_cache(maxsize=1)
def made_of() -> dict[str, str]:
    """By name the versions of Python and of all libraries, and a digest of the package itself."""
    whole = hashlib.sha256()
    package = Path(rulebook.__file__).parent
    for path in sorted(path for path in package.rglob("*") if path.suffix in _SOURCES):
        whole.update(path.relative_to(package).as_posix().encode() + b"\n")
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    libraries = {name: _version(name) for name in (*LIBRARIES_OF_PAGES, *_LIBRARIES)}
    return {"Python": platform.python_version(), **libraries, "sources": whole.hexdigest()}


@lru_cache(maxsize=1)
def program_key() -> str:
    """A digest of the package's modules and texts, the libraries and Python."""
    return digest_of(sorted(made_of().items()))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def templates_key(templates: Path) -> str:
    """A digest of every file in the folder of templates."""
    files = sorted(path for path in templates.rglob("*") if path.is_file())
    return digest_of(
        [
            [path.relative_to(templates).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]
            for path in files
        ]
    )
