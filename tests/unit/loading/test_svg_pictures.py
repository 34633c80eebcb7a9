"""SVG files: what draws is kept in plain attributes, all else is refused or passed over."""

from __future__ import annotations

import pytest
from beside import beside
from caps import capped
from drawn_pictures import drawing

from rulebook.limits import MOST_VALUES
from rulebook.loading.pictures import ELEMENTS, read_svg
from rulebook.loading.safe_text import Unreadable
from rulebook.problems import Problem

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 148 210" width="148" height="210"'


def read(inside: str) -> str:
    return read_svg(drawing(inside), "cover.svg").decode()


def fault(data: bytes) -> Problem:
    with pytest.raises(Unreadable) as fault:
        read_svg(data, "cover.svg")
    (problem,) = fault.value.problems
    assert problem.span is not None and problem.span.path == "cover.svg"
    assert problem.expected and problem.hint
    return problem


def test_shapes_groups_and_uses_are_kept() -> None:
    inside = (
        '<defs><g id="a"><path d="M0 0L1 0.0015Z" fill="#123456"/></g></defs>'
        '<use href="#a" transform="translate(2 3) scale(-.5)"/>'
    )
    assert read(inside) == f"{HEAD}>{inside}</svg>"


def test_what_drawing_programs_add_is_passed_over() -> None:
    inside = (
        '<title>A hill</title><metadata><rdf xmlns="urn:rdf"><a/></rdf></metadata>'
        '<view xmlns="http://www.inkscape.org/namespaces/inkscape"><script/></view>'
        '<rect class="a" data-name="b" aria-label="c" xmlns:k="urn:k" k:label="d" width="3"/>'
    )
    assert read(inside) == f'{HEAD}><rect width="3"/></svg>'


def test_a_style_becomes_attributes_and_goes_before_them() -> None:
    style = "fill:#0a0b0c; stroke : none;"
    assert read(f'<rect fill="red" style="{style}"/>') == (
        f'{HEAD}><rect fill="#0a0b0c" stroke="none"/></svg>'
    )


def test_width_and_height_stand_in_for_a_view_box() -> None:
    data = read_svg(drawing("", 'width="105mm" height="148.5mm"'), "cover.svg")
    assert b'viewBox="0 0 105 148.5"' in data


def test_other_encodings_are_read() -> None:
    text = drawing('<rect width="3"/>').decode()
    for name in ("utf-16", "iso-8859-1"):
        data = read_svg(f'<?xml version="1.0" encoding="{name}"?>{text}'.encode(name), "")
        assert data.startswith(b"<svg")


@pytest.mark.parametrize("inside", beside(__file__, "what_is_more_than_a_drawing_is_refused"))
def test_what_is_more_than_a_drawing_is_refused(inside: str) -> None:
    assert fault(drawing(inside)).code == "R218"


@pytest.mark.parametrize(
    "data",
    [
        *(text.encode("latin-1") for text in beside(__file__, "no_drawings")),
        *(drawing("", attributes) for attributes in beside(__file__, "no_sizes")),
        *(drawing("<g>"), drawing("&a;"), drawing("", f'viewBox="0{" " * 500_000}x"')),
    ],
)
def test_what_is_no_drawing_is_refused(data: bytes) -> None:
    assert fault(data).code == "R217"


def test_a_document_type_ends_the_reading() -> None:
    """So that there is no entity to expand, and none to fetch."""
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30))
    for inside in (f'<!ENTITY a0 "ha">{laughs}', '<!ENTITY x SYSTEM "file:///etc/passwd">'):
        data = f"<!DOCTYPE svg [{inside}]>".encode() + drawing("<desc>&a29;&x;</desc>")
        assert fault(data).code == "R218"
    external = b'<!DOCTYPE svg SYSTEM "https://example.org/svg.dtd">' + drawing("")
    assert fault(external).code == "R218"


def test_an_instruction_to_style_is_refused() -> None:
    data = b'<?xml-stylesheet href="https://example.org/a.css"?>' + drawing("")
    assert fault(data).code == "R218"


LINKS = "".join(f'<g id="h{n}"><use href="#h{n + 1}"/></g>' for n in range(1000))


@pytest.mark.parametrize(
    "inside",
    [
        "<g>" * 100 + "</g>" * 100,
        "<g/>" * (MOST_VALUES + 1),
        '<g id="h0"/>'
        + "".join(f'<g id="h{n}">{f"""<use href="#h{n - 1}"/>""" * 10}</g>' for n in range(1, 40)),
        LINKS + '<g id="h1000"/>',
        '<g id="h1000"/>' + LINKS,
        *beside(__file__, "draws_itself"),
    ],
)
def test_a_drawing_without_end_is_refused_at_once(inside: str) -> None:
    with capped(seconds=10, mebibytes=500):
        assert fault(drawing(inside)).code == "R102"


@pytest.mark.parametrize(
    "inside",
    [
        '<path d="' + "M0 0" * 100_000 + 'x"/>',
        '<path d="M' + "1" * 500_000 + '"/>',
        '<path d="M0 0A' + "1" * 100_000 + ' 1"/>',
        '<polygon points="' + "1 " * 200_001 + '"/>',
        '<g transform="' + "scale(1" * 100_000 + '"/>',
        '<path stroke-dasharray="' + "1 " * 200_000 + 'x"/>',
        '<rect style="' + "fill:red;" * 100_000 + 'x:y"/>',
        '<path fill="url(#' + " " * 500_000 + '"/>',
    ],
    ids=str.__len__,
)
def test_a_value_without_end_is_looked_through_once(inside: str) -> None:
    with capped(seconds=10, mebibytes=500):
        assert fault(drawing(inside)).code == "R218"


def test_a_fault_is_shown_at_its_element() -> None:
    assert str(fault(drawing("\n  <rect/>\n  <text/>\n")).span) == "cover.svg:3:3"


@pytest.mark.parametrize(("name", "value"), beside(__file__, "values"))
def test_values_of_their_form_are_kept(name: str, value: str) -> None:
    element = next(key for key, own in ELEMENTS.items() if name in own or key == "stop")
    assert f' {name}="{value}"' in read(f'<{element} {name}="{value}"/>')


@pytest.mark.parametrize(("name", "value"), beside(__file__, "other_values"))
def test_values_of_another_form_are_refused(name: str, value: str) -> None:
    element = next(key for key, own in ELEMENTS.items() if name in own or key == "stop")
    assert fault(drawing(f'<{element} {name}="{value}"/>')).code == "R218"
