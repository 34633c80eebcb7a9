"""A view model and a Jinja template -> HTML; everything that a view says is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.meta import find_referenced_templates
from markupsafe import Markup

from rulebook.render import markup
from rulebook.render.fonts import embedded_face_rules


@lru_cache(maxsize=8)
def _environment(templates: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["embedded_faces"] = lambda *families: Markup(embedded_face_rules(families))
    environment.filters["markdown"] = lambda text: Markup(markup.block(text))
    environment.filters["inline"] = lambda text: Markup(markup.inline(text))
    # SVG is drawn by `cutouts`, which escapes every text that it sets.
    environment.filters["drawing"] = Markup
    return environment


def render_template(name: str, view: Mapping[str, Any], templates: Path) -> str:
    """Render a template with the view's keys as its names."""
    return _environment(templates).get_template(name).render(view)


def template_closure(names: Iterable[str], templates: Path) -> set[str]:
    """The templates of these names and all that they import, directly or not."""
    environment = _environment(templates)
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        source = (templates / name).read_text(encoding="utf-8")
        waiting += [
            other for other in find_referenced_templates(environment.parse(source)) if other
        ]
    return found
