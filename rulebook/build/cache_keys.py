"""The program and what it is made of -> the parts of keys under which results are kept.

A key holds a digest of all that shapes a result: what was read, and the sources and libraries that
made something of it.
"""

from __future__ import annotations

import hashlib
import sys
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import rulebook
from rulebook.cache import digest_of

#: Libraries that shape anything that is kept: readings, odds, pages.
_LIBRARIES = (
    "cssselect2",
    "fontpkg-ibm-plex-sans-condensed",
    "fontpkg-spectral",
    "fonttools",
    "jinja2",
    "markdown",
    "matplotlib",
    "nh3",
    "pikepdf",
    "pillow",
    "pydantic",
    "pydyf",
    "pyphen",
    "pyyaml",
    "shapely",
    "tinycss2",
    "uharfbuzz",
    "weasyprint",
)
#: What the package itself is made of.
_SOURCES = (".py", ".txt", ".po")


@lru_cache(maxsize=1)
def program_key() -> str:
    """Of every module and text of the package, of the libraries, and of Python itself."""
    whole = hashlib.sha256(sys.version.encode())
    for name in _LIBRARIES:
        whole.update(f"{name} {_version(name)}\n".encode())
    package = Path(rulebook.__file__).parent
    for path in sorted(one for one in package.rglob("*") if one.suffix in _SOURCES):
        whole.update(path.relative_to(package).as_posix().encode() + b"\n")
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def templates_key(templates: Path) -> str:
    """Of every file in the folder of templates."""
    files = sorted(path for path in templates.rglob("*") if path.is_file())
    return digest_of(
        [
            [path.relative_to(templates).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]
            for path in files
        ]
    )
