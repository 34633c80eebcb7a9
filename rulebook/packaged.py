"""The installed package -> the folders that it ships: templates, and content as examples.

A wheel holds them under `rulebook/_data`, a checkout beside the package; no one else needs to know.
"""

from __future__ import annotations

from pathlib import Path

#: Libraries whose version changes the bytes of any page.
LIBRARIES_OF_PAGES = (
    *("weasyprint", "pydyf", "fonttools", "jinja2", "markdown", "nh3"),
    *("pikepdf", "tinycss2", "cssselect2", "pyphen", "uharfbuzz"),
)
_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name


def templates_folder() -> Path:
    """Returns the folder with templates, stylesheets and the starter of a new ruleset."""
    return _folder("templates")


def content_folder() -> Path:
    """Returns the folder with the rulesets that are part of the package."""
    return _folder("content")
