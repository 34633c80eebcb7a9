"""Stylesheets of templates/styles -> the lists of CSS texts that documents are set with."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path

from rulebook.typeset.environment import design_faults
from rulebook.typeset.palette import palette


@lru_cache(maxsize=64)
def stylesheet(name: str, templates: Path) -> str:
    """The text of a stylesheet."""
    with design_faults(templates, f"styles/{name}.css"):
        return (templates / "styles" / f"{name}.css").read_text(encoding="utf-8")


def document_styles(names: tuple[str, ...], accent: str, ink: str, templates: Path) -> list[str]:
    """Colours first, then the sheets by name."""
    return [palette(accent, ink), *(stylesheet(name, templates) for name in names)]


_ROOT = re.compile(r":root\s*\{([^{}]*)\}")
_DECLARED = re.compile(r"(?<![\w-])(--[\w-]++)\s*+:")
_VALUE = re.compile(r"[^;{}]*+")
_USED = re.compile(r"var\(\s*(--[\w-]+)\s*\)")


@lru_cache(maxsize=64)
def with_values(styles: tuple[str, ...], variable: AbstractSet[str]) -> tuple[str, ...]:
    """The same styles with the values that `:root` gives in the place of the names of them.

    The page maker resolves each use of a custom property for each element anew, and checks what
    comes of it. Names that are `variable`, or declared elsewhere too, stay as they are.
    """
    roots = {name: value for text in styles for name, value in _declared(_ROOT.findall(text))}
    others = {name for text in styles for name, _ in _declared([_ROOT.sub("", text)])}
    values = {name: value for name, value in roots.items() if name not in variable | others}
    return tuple(_USED.sub(lambda use: values.get(use[1], use[0]), text) for text in styles)


def _declared(texts: list[str]) -> list[tuple[str, str]]:
    found = [(text, name) for text in texts for name in _DECLARED.finditer(text)]
    values = (_VALUE.match(text, name.end()) for text, name in found)
    return [
        (name[1], value[0].strip()) for (_, name), value in zip(found, values, strict=True) if value
    ]


def declared_in(html: str) -> frozenset[str]:
    """The custom properties that a page itself declares."""
    return frozenset(_DECLARED.findall(html))
