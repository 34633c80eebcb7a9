"""A view model and a Jinja template -> HTML, in which everything that a view says is escaped.

Templates whose names do not end in .html.j2 make plain text, in which nothing is.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateRuntimeError,
    pass_context,
)
from jinja2.meta import find_referenced_templates
from jinja2.runtime import Context
from markupsafe import Markup

from rulebook.problems import Span
from rulebook.translation import translations
from rulebook.typeset import markup
from rulebook.typeset.faults import RenderFault, broken_design
from rulebook.typeset.fonts import embedded_face_rules
from rulebook.typeset.revised_text import revised_line, revised_words
from rulebook.views import View, fields_of


@lru_cache(maxsize=8)
def _environment(templates: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=lambda name: name is None or name.endswith(".html.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        lambda message: translations().gettext(message),
        lambda one, many, number: translations().ngettext(one, many, number),
        newstyle=True,
        pgettext=lambda context, message: translations().pgettext(context, message),
    )
    environment.globals["embedded_faces"] = _embedded_faces
    environment.filters["markdown"] = lambda text: Markup(markup.block(_words(text)))
    environment.filters["inline"] = lambda text: Markup(markup.inline(_words(text)))
    environment.filters["since"] = pass_context(_since)
    environment.filters["since_words"] = pass_context(_since_words)
    # SVG is drawn by `cutouts`, which escapes every text that it sets.
    environment.filters["drawing"] = Markup
    return environment


def _words(value: object) -> str:
    """What a template has set as Markdown; it may have taken something else for words."""
    if isinstance(value, str):
        return value
    told = str(value)  # of what is not defined this tells so
    raise TemplateRuntimeError(f"'{told:.40}' is no text that could be set as Markdown")


def _since(context: Context, markdown: str, was: str | None) -> Markup:
    """A line of Markdown; a page with `screen` also shows what it was."""
    return revised_line(markdown, was, screen=bool(context.get("screen", False)))


def _since_words(context: Context, text: str, was: str | None) -> Markup:
    """The same of plain text."""
    return revised_words(text, was, screen=bool(context.get("screen", False)))


@contextmanager
def design_faults(templates: Path, name: str) -> Iterator[None]:
    """Turn what is wrong with the template or stylesheet `name` into a RenderFault."""
    try:
        yield
    except (TemplateError, OSError, UnicodeDecodeError) as fault:
        said = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        if isinstance(fault, OSError):
            said = f"no such file, or one that cannot be read: {name}"
        elif isinstance(fault, UnicodeDecodeError):
            said = f"{name} is not saved as UTF-8"
        raise RenderFault((broken_design(said, _place(fault, templates, name)),)) from fault
    except Exception as fault:
        if not _raised_by_template(fault, templates):
            raise
        said = " ".join(f"{type(fault).__name__}: {fault}".split())
        raise RenderFault((broken_design(said, _place(fault, templates, name)),)) from fault


#: What runs for a template: nobody else calls it while a page is made.
_RUN_FOR_TEMPLATES = ("jinja2", "markupsafe")


def _raised_by_template(fault: BaseException, templates: Path) -> bool:
    """Whether an exception comes from a template itself, and not from what it called of ours."""
    frames = traceback.extract_tb(fault.__traceback__)
    passed = [n for n, one in enumerate(frames) if one.filename.startswith(str(templates))]
    if not passed:
        return False
    packages = {Path(one.filename).parent.name for one in frames[passed[-1] + 1 :]}
    return packages <= {*_RUN_FOR_TEMPLATES}


def _place(fault: BaseException, templates: Path, name: str) -> Span:
    """The line of a template that a fault comes from: told by it, or the last one it passed."""
    line = getattr(fault, "lineno", None)
    path = Path(getattr(fault, "filename", None) or templates / name)
    if line is None:
        root = str(templates)
        passed = [
            f for f in traceback.extract_tb(fault.__traceback__) if f.filename.startswith(root)
        ]
        if passed:
            path, line = Path(passed[-1].filename), passed[-1].lineno
    return Span(path.as_posix(), line or 1, 1, line or 1, 2)


def render_template(
    name: str, view: View | Mapping[str, Any], templates: Path, /, **more: object
) -> str:
    """Render a template with a view's fields and `more` as its names; fonts it embeds come last.

    Raises RenderFault (R605) where a template is at fault.
    """
    names = view if isinstance(view, Mapping) else fields_of(view)
    with design_faults(templates, name):
        page = _environment(templates).get_template(name).render(names, **more)
    if _IS_PAGE.fullmatch(name) and "<html" not in page:
        place = Span((templates / name).as_posix())
        raise RenderFault((broken_design("the template writes a page without <html>", place),))
    return _FACES.sub(lambda call: embedded_face_rules(call[1].split(","), page), page)


#: Stands for embedded faces until the page is known whose characters they must have. No content may
#: hold characters for private use, so none can say the same.
_FACES = re.compile("\ue000faces:([^\ue000]*)\ue000")


#: Templates in folders make parts of pages, and those that are not of HTML no pages.
_IS_PAGE = re.compile(r"[^/]*\.html\.j2")


def _embedded_faces(*families: str) -> Markup:
    return Markup(f"\ue000faces:{','.join(families)}\ue000")


def template_closure(names: Iterable[str], templates: Path) -> set[str]:
    """The templates of these names and all that they import, directly or not.

    Raises RenderFault (R605) where one cannot be read as a template.
    """
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        with design_faults(templates, name):
            waiting += _named_in((templates / name).read_text(encoding="utf-8"), templates)
    return found


@lru_cache(maxsize=64)
def _named_in(source: str, templates: Path) -> tuple[str, ...]:
    """The templates that a text imports: each text is parsed once for all documents."""
    parsed = _environment(templates).parse(source)
    return tuple(other for other in find_referenced_templates(parsed) if other)
