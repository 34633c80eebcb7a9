"""Whatever stands in the texts of a ruleset prints as it stands, in every document, as text.

The loader refuses most of this; the documents do not rely on it.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pytest
from beside import beside
from composed import compose
from read_html import Page, read_html
from small_rulesets import ruleset_of

from rulebook.documents.booklet.layout import booklet_page, booklet_screen
from rulebook.documents.catalogue import render
from rulebook.documents.document_kind import ComposedDocument
from rulebook.documents.qrs.layout import qrs_page
from rulebook.drawing.svg import svg_text
from rulebook.packaged import templates_folder
from rulebook.quotation_marks import with_marks

TEMPLATES = templates_folder()
FIELDS = tuple(beside(__file__, "fields").split())
PROSE = tuple(beside(__file__, "prose").split())


def hostile(field: str) -> str:
    return f"{field} <script>alert(1)</script>{{{{ 7*7 }}}}\"onmouseover=' &amp; <b>{field}"


def _filled(part: Any, text: Mapping[str, str]) -> Any:
    """The data beside this test, with a text in the place of each `$field`."""
    if isinstance(part, dict):
        return {key: _filled(one, text) for key, one in part.items()}
    if isinstance(part, list):
        return [_filled(one, text) for one in part]
    return text[part[1:]] if part.startswith("$") else part


def _chapter(text: Mapping[str, str]) -> str:
    blocks = "\n\n".join(
        ("{table: grid}", "{table: records}", "{table: mods}", "{example: ex}", "{cutout: cone}")
    )
    return (
        f"# {text['chapter']} {{#chapter}}\n\n{text['prose']}\n\n- {text['item']}\n\n"
        f'{{read: A <i>remark"</i>}}\n{text["remark"]}\n\n{blocks}\n\n'
        f"## {text['section']} {{#section}}\n\n{{rule: section}}\n\n{{grid.title}}"
    )


@lru_cache(maxsize=1)
def composed_documents() -> tuple[ComposedDocument, ...]:
    text = {field: hostile(field) for field in (*FIELDS, *PROSE)}
    ruleset = ruleset_of(
        _filled(beside(__file__, "data"), text),
        _chapter(text),
        title=text["title"],
        subtitle=text["subtitle"],
        summary=text["summary"],
        credits=[{"role": text["role"], "name": text["name"]}],
        scale={key: text[key] for key in ("ground", "figures", "time")},
        documents={"cutouts": {"papers": ["a4"]}},
    )
    return tuple(compose(ruleset))


def of_name(name: str) -> ComposedDocument:
    return next(one for one in composed_documents() if one.name == name)


def document(name: str) -> str:
    if name == "qrs.html":
        return qrs_page(of_name("qrs").view, TEMPLATES, None)
    if name == "booklet.html":
        return booklet_screen(of_name("booklet").view, TEMPLATES)
    if name == "booklet on paper":
        return booklet_page(of_name("booklet-a5").view, TEMPLATES)[0]
    drawn = "".join(svg_text(sheet) for sheet in of_name("cutouts/cone-a4").view.sheets)
    return f"<html><body>{drawn}</body></html>"


ON_SHEET = set(beside(__file__, "on_sheet").split())
PRINTED = {
    "qrs.html": ON_SHEET,
    "booklet.html": {*FIELDS, *PROSE} - {"tab", "step", "say"},
    "booklet on paper": {*FIELDS, *PROSE} - {"tab", "step", "say"},
    "cutout on paper": {"title", "cutout", "use", "zone"},
}
TAGS = set(beside(__file__, "tags").split())
#: What a page of ours says of its scripts, and where it leads.
OF_SCRIPTS = ("module", "application/json")
OWN = ("../index.html",)


def seen(field: str) -> str:
    """What a reader finds of a field: prose is Markdown, to which &amp; is a way to write &."""
    text = hostile(field)
    return letters(text.replace("&amp;", "&") if field in PROSE else text)


def letters(text: str) -> str:
    """Text without white space, since lines are broken anywhere, and with straight quotes."""
    plain = text.translate(str.maketrans("“”‘’", "\"\"''"))
    return re.sub(r"\s+", "", plain)


@pytest.fixture(scope="module", params=list(PRINTED))
def page(request: pytest.FixtureRequest) -> tuple[str, Page]:
    return request.param, read_html(document(request.param))


def test_every_text_prints_as_it_stands(page: tuple[str, Page]) -> None:
    name, read = page
    text = letters(read.text)
    assert not [field for field in PRINTED[name] if seen(field) not in text]


def test_no_text_becomes_markup(page: tuple[str, Page]) -> None:
    _, read = page
    assert {element.tag for element in read.elements} <= TAGS
    scripts = [element.attributes for element in read.elements if element.tag == "script"]
    assert all(one.get("type") in OF_SCRIPTS and "src" not in one for one in scripts)
    names = {name for element in read.elements for name in element.attributes}
    assert not [
        name for name in names if name.startswith("on") or not re.match(r"[a-z][a-z0-9:-]*$", name)
    ]
    for value in read.values("href", "src", "action", "xlink:href"):
        assert value.startswith(("#", "data:image/svg+xml;base64,")) or value in OWN, value[:80]


def test_no_text_leaves_its_attribute(page: tuple[str, Page]) -> None:
    name, read = page
    held = [
        value
        for element in read.elements
        if element.tag != "meta" or "http-equiv" not in element.attributes
        for key, value in element.attributes.items()
        if "script" in value and key not in ("style", "class")
    ]
    typed = [hostile(field) for field in FIELDS]
    whole = [*typed, *map(with_marks, typed)]
    for value in held:
        assert any(text in value for text in whole), value
    assert held or name in ("qrs.html", "cutout on paper")


@pytest.mark.parametrize("name", ["booklet-a5", "cutouts/cone-a4"])
def test_the_documents_are_printed_without_complaint(name: str) -> None:
    composed = of_name(name)
    (file,) = render(composed, TEMPLATES, frozenset({composed.files[0].path}))
    assert file.data.startswith(b"%PDF-")
