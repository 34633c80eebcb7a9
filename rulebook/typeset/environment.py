"""Views, Jinja templates and stylesheets -> HTML, in which everything that a view says is escaped.

Templates whose names do not end in .html.j2 make plain text, in which nothing is.
"""

from __future__ import annotations

import base64
import hashlib
import re
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateRuntimeError,
    nodes,
    pass_context,
)
from jinja2.meta import find_referenced_templates
from jinja2.runtime import Context
from markupsafe import Markup

from rulebook.drawing.elements import Picture, channels, mixed
from rulebook.drawing.svg import svg_text
from rulebook.frozen_view import View, fields_of
from rulebook.markdown_reader import RULE
from rulebook.problems import Problem, RenderFault, Span
from rulebook.translation import translations
from rulebook.typefaces import EVERY_FACE, Typeface
from rulebook.typeset import markup
from rulebook.typeset.markup import revised_line, revised_words


def broken_design(said: str, span: Span | None) -> Problem:
    """Returns the problem R605, a fault of a template or stylesheet; `said` is its message."""
    hint = "mend it, or leave out --templates to use the shipped ones"
    return Problem("R605", said, span, expected="a template or stylesheet that works", hint=hint)


def no_glyphs(name: str, characters: Iterable[str]) -> Problem:
    """Returns the problem R603: the document `name` has characters that no font has.

    `characters` are their names.
    """
    said = f"{name}: no font has the characters {', '.join(sorted(characters))}"
    known = "characters of the Latin alphabet, punctuation, fractions and arrows"
    return Problem("R603", said, expected=known)


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
        lambda single, many, number: translations().ngettext(single, many, number),
        newstyle=True,
        pgettext=lambda context, message: translations().pgettext(context, message),
    )
    environment.globals["embedded_faces"] = _embedded_faces
    environment.globals["screen_styles"] = lambda accent, *names: screen_styles(
        names, accent, templates
    )
    environment.globals[_SCRIPT] = lambda name: page_script(name, templates)
    environment.filters["markdown"] = lambda text: Markup(markup.block(_words(text)))
    environment.filters["inline"] = lambda text: Markup(markup.inline(_words(text)))
    environment.filters["since"] = _revising(revised_line)
    environment.filters["since_words"] = _revising(revised_words)
    environment.filters["mixed"] = mixed
    environment.filters["drawing"] = _drawing
    environment.filters["address"] = _address
    return environment


@pass_context
def _drawing(context: Context, drawn: Picture | str) -> Markup:
    """Returns a drawing for a template as SVG, or as an image if it has a variable `pictures`.

    A text is taken to be SVG and returned unchanged.
    """
    if not isinstance(drawn, Picture):
        return Markup(drawn)
    if context.get("pictures") is None:
        return Markup(svg_text(drawn))
    return Markup('<img src="{}" alt="{}"/>').format(_address(context, drawn), drawn.title)


@pass_context
def _address(context: Context, picture: Picture) -> str:
    """Adds a picture to the template's variable `pictures` and returns its address there.

    If the template has no such variable, returns a data URL with the picture's SVG.
    """
    pictures: dict[str, Picture] | None = context.get("pictures")
    if pictures is None:
        svg = base64.b64encode(svg_text(picture).encode()).decode()
        return f"data:image/svg+xml;base64,{svg}"
    address = f"picture:{len(pictures)}"
    pictures[address] = picture
    return address


#: What templates call to have a script of scripts/ in a page.
_SCRIPT = "script"


@dataclass(frozen=True, slots=True)
class PageScript:
    """A script in a page, and its hash for the page's Content-Security-Policy."""

    text: Markup
    hash: str


def page_script(name: str, templates: Path) -> PageScript:
    """Reads the script `name` of the templates, to be embedded in a page.

    Raises RenderFault (R605) if it cannot be read or has text that would end the script element.
    """
    with design_faults(templates, f"scripts/{name}.js"):
        text = (templates / "scripts" / f"{name}.js").read_text(encoding="utf-8")
        if "</script" in text or "<!--" in text:
            raise TemplateRuntimeError(f"scripts/{name}.js says what ends a script in a page")
    digest = hashlib.sha256(text.encode()).digest()
    return PageScript(Markup(text), f"sha256-{base64.b64encode(digest).decode('ascii')}")


def _words(value: object) -> str:
    """Returns a text that a template passes to a Markdown filter.

    Raises TemplateRuntimeError if it is no text.
    """
    if isinstance(value, str):
        return value
    text = str(value)  # of what is not defined this says so
    raise TemplateRuntimeError(f"'{text:.40}' is no text that could be set as Markdown")


def _revising(revise: Callable[..., Markup]) -> Callable[..., Markup]:
    """Returns a template filter that calls `revise` with a text and its old version.

    `revise` marks what has changed, as on a screen if the template has a true variable `screen`.
    """

    @pass_context
    def since(context: Context, text: str, was: str | None) -> Markup:
        return revise(text, was, screen=bool(context.get("screen", False)))

    return since


@contextmanager
def design_faults(templates: Path, name: str) -> Iterator[None]:
    """Within this context, errors in a template or stylesheet are raised as RenderFault.

    `name` is that of the template. Exceptions of our own code are not converted.
    """
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


#: Packages that only run for a template while a page is made.
_RUN_FOR_TEMPLATES = ("jinja2", "markupsafe")


def _raised_by_template(fault: BaseException, templates: Path) -> bool:
    """Whether an exception was raised by a template itself, not by our code that it called."""
    frames = traceback.extract_tb(fault.__traceback__)
    passed = [n for n, frame in enumerate(frames) if frame.filename.startswith(str(templates))]
    if not passed:
        return False
    packages = {Path(frame.filename).parent.name for frame in frames[passed[-1] + 1 :]}
    return packages <= {*_RUN_FOR_TEMPLATES}


def _place(fault: BaseException, templates: Path, name: str) -> Span:
    """Returns the position of a fault in a template.

    It is the line that the exception states, or the last line of a template in its traceback;
    without either, the first line of the template `name`.
    """
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
    """Renders a template with the fields of a view, and `more`, as its variables.

    Links to rules that stand in another document lead to the page `to_read`, if that is given in
    `more`; else their words stay alone. Fonts are embedded last, when it is known which characters
    the page has. Raises RenderFault (R605) if the template is at fault.
    """
    names = view if isinstance(view, Mapping) else fields_of(view)
    with design_faults(templates, name):
        page = _environment(templates).get_template(name).render(names, **more)
    if _IS_PAGE.fullmatch(name) and "<html" not in page:
        place = Span((templates / name).as_posix())
        raise RenderFault((broken_design("the template writes a page without <html>", place),))
    to_read = more.get("to_read")
    page = _TO_RULE.sub(rf'<a href="{to_read}#\1">\2</a>' if to_read else r"\2", page)
    return _FACES.sub(lambda call: embedded_face_rules(call[1].split(","), page), page)


_TO_RULE = re.compile(rf'<a href="#{RULE}(\w+)">(.*?)</a>', re.DOTALL)


#: Stands for embedded faces until the page is known whose characters they must have. No content may
#: hold characters for private use, so none can say the same.
_FACES = re.compile("\ue000faces:([^\ue000]*)\ue000")


#: Templates in folders make parts of pages, and those that are not of HTML no pages.
_IS_PAGE = re.compile(r"[^/]*\.html\.j2")


def _embedded_faces(*families: str) -> Markup:
    return Markup(f"\ue000faces:{','.join(families)}\ue000")


def font_face(face: Typeface, source: str) -> str:
    """Returns the `@font-face` rule of a typeface whose file is at the address `source`."""
    return (
        f"@font-face{{font-family:'{face.family}';font-weight:{face.weight};"
        f"font-style:{face.style};src:url({source})}}"
    )


def embedded_face_rules(families: Collection[str], text: str) -> str:
    """Returns `@font-face` rules of some families, with their fonts embedded.

    The fonts have only the characters of a text.
    """
    letters = frozenset(text)
    return "\n".join(
        font_face(face, f"data:font/ttf;base64,{_subset(face.path, letters)}")
        for face in EVERY_FACE
        if face.family in families
    )


def with_fonts(svg: str, families: Collection[str]) -> str:
    """Returns an SVG drawing with the fonts of these families embedded after its description."""
    if not families:
        return svg
    head, end, body = svg.partition("</desc>\n")
    return f"{head}{end}<style>{embedded_face_rules(families, svg)}</style>\n{body}"


#: The features of fonts that stylesheets use.
_FEATURES = (b"kern", b"liga", b"lnum", b"tnum")


@lru_cache(maxsize=32)
def _subset(path: Path, letters: frozenset[str]) -> str:
    """Returns a font reduced to these letters and the features that stylesheets use, as base64."""
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(map(ord, letters))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.update(int.from_bytes(tag, "big") for tag in _FEATURES)
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING
    face = uharfbuzz.subset(uharfbuzz.Face(path.read_bytes()), wanted)
    return base64.b64encode(face.blob.data).decode()


def template_closure(names: Iterable[str], templates: Path) -> set[str]:
    """Returns the names of some templates and of all that they use, directly or indirectly.

    These are templates that they import or include, and scripts. Raises RenderFault (R605) if one
    cannot be read as a template.
    """
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        if not name.endswith(".j2"):
            continue
        with design_faults(templates, name):
            waiting += _named_in((templates / name).read_text(encoding="utf-8"), templates)
    return found


@lru_cache(maxsize=64)
def _named_in(source: str, templates: Path) -> tuple[str, ...]:
    """Returns the names of the templates and scripts that a template's source refers to.

    The result is cached for all documents.
    """
    parsed = _environment(templates).parse(source)
    named = [
        f"scripts/{call.args[0].value}.js"
        for call in parsed.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name == _SCRIPT
        if isinstance(call.args[0], nodes.Const)
    ]
    return (*filter(None, find_referenced_templates(parsed)), *named)


def palette(accent: str, ink: str) -> str:
    """Returns a CSS rule that sets the colours as custom properties of `:root`.

    `accent` and `ink` are as in `colours`.
    """
    names = colours(accent, ink)
    return ":root{" + "".join(f"--{name}:{colour};" for name, colour in names.items()) + "}"


def screen_palette(accent: str) -> str:
    """Returns CSS rules for the colours of a page on screen: light or dark as the system prefers.

    In print, and in elements of the class `printed`, the colours are always light.
    """
    light = palette(accent, "screen").replace(":root", ":root,.printed", 1)
    dark = palette(accent, "dark").replace("{", "{color-scheme:dark;", 1)
    return f"{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}"


def colours(accent: str, ink: str) -> dict[str, str]:
    """Returns the colours of a page by what they are used for.

    `accent` is '#rrggbb'. `ink` is 'full' or 'low' for print; 'screen' or 'dark' on a screen, where
    paper has a colour too. Low ink has neither fills nor colours: weight and rules alone show the
    hierarchy. Drawings, made for paper, always stand on `plate`.
    """
    if ink == "screen":
        return colours(accent, "full") | {"paper": "#ffffff", "plate": "#ffffff"}
    if ink == "dark":
        return _dark(accent)
    if ink == "low":
        black = dict.fromkeys(("accent", "on-accent", "text", "soft", "hair"), "#000000")
        return black | dict.fromkeys(("fill", "tint", "pale"), "none")
    return {
        "accent": accent,
        "on-accent": "#ffffff",
        "fill": accent,
        "tint": mixed(accent, 0.08),
        "pale": mixed(accent, 0.16),
        "text": "#1d1b19",
        "soft": "#55504a",
        "hair": mixed(accent, 0.55),
    }


def _dark(accent: str) -> dict[str, str]:
    """Returns the colours of a dark page; the accent is lightened until text in it is legible."""
    paper, soft = "#191816", "#bdb6ab"
    grounds = (mixed(accent, part / 50, paper) for part in range(17, -1, -1))
    pale = next(ground for ground in grounds if contrast(soft, ground) >= LEGIBLE)
    lighter = (mixed(accent, part / 20) for part in range(20, -1, -1))
    words = next(
        colour
        for colour in lighter
        if contrast(colour, pale) >= LEGIBLE and contrast(colour, paper) >= 7
    )
    return {
        "accent": words,
        "on-accent": "#ffffff",
        "fill": accent,
        "tint": mixed(pale, 0.5, paper),
        "pale": pale,
        "text": "#ece8e1",
        "soft": soft,
        "hair": mixed(words, 0.5, paper),
        "paper": paper,
        "plate": "#f3f0ea",
    }


#: The least contrast of words with their ground, by WCAG 2.2.
LEGIBLE = 4.5


def contrast(one: str, other: str) -> float:
    """Computes the contrast ratio of two colours by WCAG 2.2, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    shares = (channel / 255 for channel in channels(colour))
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    ]
    return sum(part * share for part, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def template_text(name: str, templates: Path) -> str:
    """Reads a file of the templates; raises RenderFault (R605) if it cannot be read."""
    with design_faults(templates, name):
        return (templates / name).read_text(encoding="utf-8")


def stylesheet(name: str, templates: Path) -> str:
    """Returns the text of a stylesheet by its name, read again for each call."""
    return template_text(f"styles/{name}.css", templates)


def document_styles(names: tuple[str, ...], accent: str, templates: Path) -> list[str]:
    """Returns the styles of a printed document: its colours, then the named stylesheets."""
    return [palette(accent, "full"), *(stylesheet(name, templates) for name in names)]


def screen_styles(names: tuple[str, ...], accent: str, templates: Path) -> Markup:
    """Returns the styles of a page on screen as one text: its colours, then these stylesheets."""
    sheets = (stylesheet(name, templates) for name in names)
    return Markup("\n".join([screen_palette(accent), *sheets]))
