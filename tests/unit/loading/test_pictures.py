"""Pictures: read from the ruleset's own folder, whole; SVG is written anew."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from beside import beside
from caps import capped
from drawn_pictures import drawing, png
from PIL import Image, ImageFile
from pydantic import ValidationError

from rulebook.limits import LARGEST_FILE, LARGEST_PICTURE, MOST_VALUES
from rulebook.loading.pictures import ELEMENTS, read_picture, read_svg
from rulebook.loading.rulesets import load
from rulebook.loading.safe_text import Unreadable
from rulebook.model.header import Cover
from rulebook.problems import Problem, Span
from rulebook.quantities import QuantityError

HERE = Span("ruleset.yaml", 3, 12)


def codes(folder: Path, name: str) -> list[str]:
    try:
        read_picture(folder, name, HERE)
    except Unreadable as fault:
        assert all(problem.hint and problem.span for problem in fault.problems)
        return [problem.code for problem in fault.problems]
    return []


def saved(mode: str, side: int, kind: str, **how: Any) -> bytes:
    stream = BytesIO()
    Image.new(mode, (side, side)).save(stream, kind, **how)
    return stream.getvalue()


JPEG = saved("RGB", 40, "jpeg")
GREY = saved("I;16", 30, "png")  # of 16 bits, which cannot be printed


def test_pictures_of_each_kind_are_read(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    kinds = {"a.svg": drawing(""), "art/b.png": png(3, 4), "c.jpg": JPEG, "d.JPEG": JPEG}
    for name, data in kinds.items():
        (tmp_path / name).write_bytes(data)
        picture = read_picture(tmp_path, name, HERE)
        assert picture.media == {"a": "image/svg+xml", "b": "image/png"}.get(
            Path(name).stem, "image/jpeg"
        )
        if picture.media != "image/svg+xml":
            assert picture.data == data


def test_a_link_within_the_folder_is_followed_and_one_out_of_it_is_not(tmp_path: Path) -> None:
    folder, outside = tmp_path / "game", tmp_path / "hill.svg"
    folder.mkdir()
    outside.write_bytes(drawing(""))
    (folder / "own.svg").write_bytes(drawing(""))
    (folder / "in.svg").symlink_to(folder / "own.svg")
    (folder / "out.svg").symlink_to(outside)
    (folder / "passwords.svg").symlink_to("/etc/passwd")
    (folder / "nowhere.svg").symlink_to("none.svg")
    (folder / "round.svg").symlink_to("round.svg")
    (folder / "art").symlink_to(tmp_path)
    assert codes(folder, "in.svg") == []
    for name in ("out.svg", "passwords.svg", "nowhere.svg", "round.svg", "art/hill.svg"):
        assert codes(folder, name) == ["R114"], name


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    os.mkfifo(tmp_path / "pipe.png")
    for name in ("folder.png", "pipe.png", "none.png", "none/none.png"):
        assert codes(tmp_path, name) == ["R217"], name


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("kept", [0, 1, 8, 30, 50, 60])
def test_a_picture_that_breaks_off_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int, lenient: bool
) -> None:
    """The page maker makes the library lenient in its process."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", lenient)
    whole = png(40, 60)
    assert kept < len(whole)
    (tmp_path / "a.png").write_bytes(whole[:kept])
    (tmp_path / "a.jpg").write_bytes(JPEG[: kept * 8])
    assert codes(tmp_path, "a.png") == ["R217"]
    assert codes(tmp_path, "a.jpg") == ["R217"]
    assert lenient == ImageFile.LOAD_TRUNCATED_IMAGES


def test_a_picture_of_another_kind_is_refused(tmp_path: Path) -> None:
    points = png(1, 1)
    other = {"a.png": JPEG, "a.jpg": points, "b.png": drawing(""), "c.png": GREY, "c.svg": points}
    for name, data in other.items():
        (tmp_path / name).write_bytes(data)
        assert codes(tmp_path, name) == ["R217"]


def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_bytes(drawing("") + b" " * LARGEST_FILE)
    (tmp_path / "a.png").write_bytes(png(1, 1) + b" " * LARGEST_PICTURE)
    (tmp_path / "b.png").write_bytes(png(40_001, 1_000))
    for name in ("a.svg", "a.png", "b.png"):
        assert codes(tmp_path, name) == ["R102"]


LEAD_OUT = ["/etc/a.svg", "../a.svg", "a/../../b.svg", "~/a.svg", "C:\\a.svg", "file:///a.svg"]
DIFFER = ["hö.svg", "a b.svg", "./a.svg", "a//b.svg", ".a.svg", "a\\b.svg"]


@pytest.mark.parametrize(("names", "code"), [(LEAD_OUT, "R217"), (DIFFER, "R115")])
def test_names_that_lead_out_or_differ_from_machine_to_machine(names: list[str], code: str) -> None:
    for name in names:
        with pytest.raises(ValidationError) as refused:
            Cover.model_validate({"picture": name, "alt": "A hill"})
        fault = refused.value.errors()[0]["ctx"]["error"]
        assert isinstance(fault, QuantityError) and fault.expected
        assert fault.code == code, name


def test_a_ruleset_has_its_picture_whatever_options_are_chosen(game: Path) -> None:
    header = game / "ruleset.yaml"
    header.write_text(header.read_text() + "cover: {picture: cover.png, alt: A hill}\n")
    (game / "cover.png").write_bytes(png(3, 4))
    ruleset = load(game).ruleset
    assert ruleset.cover.data == png(3, 4)
    assert ruleset.options
    for option in ruleset.options:
        chosen = ruleset.with_options([option]).ruleset
        assert chosen is not None and chosen.cover == ruleset.cover


def test_a_picture_of_too_many_points_is_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jpeg").write_bytes(saved("CMYK", 6_400, "jpeg"))
    monkeypatch.setattr(ImageFile.ImageFile, "load", None)
    assert codes(tmp_path, "a.jpeg") == ["R102"]


def test_a_progressive_picture_has_few_passes(tmp_path: Path) -> None:
    """Each of them costs a look at the whole picture; 3,000 took over a minute."""
    data = saved("RGB", 30, "jpeg", progressive=True)
    (tmp_path / "a.jpeg").write_bytes(data)
    assert codes(tmp_path, "a.jpeg") == []
    start = data.rindex(b"\xff\xda")
    (tmp_path / "a.jpeg").write_bytes(data[:start] + data[start:-2] * 100 + data[-2:])
    assert codes(tmp_path, "a.jpeg") == ["R102"]


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
