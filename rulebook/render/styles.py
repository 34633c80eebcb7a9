"""Stylesheets of templates/styles -> the lists of CSS texts that documents are set with."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from rulebook.render.environment import design_faults
from rulebook.render.palette import palette


@lru_cache(maxsize=64)
def stylesheet(name: str, templates: Path) -> str:
    """The text of a stylesheet."""
    with design_faults(templates, f"styles/{name}.css"):
        return (templates / "styles" / f"{name}.css").read_text(encoding="utf-8")


def document_styles(names: tuple[str, ...], accent: str, ink: str, templates: Path) -> list[str]:
    """Colours first, then the sheets by name."""
    return [palette(accent, ink), *(stylesheet(name, templates) for name in names)]
