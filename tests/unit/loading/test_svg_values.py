"""Values of drawings: each attribute takes its type, and outlines come out as they were drawn."""

from __future__ import annotations

import re

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from grown_pictures import OUTLINES
from hypothesis import given
from hypothesis import strategies as st

from rulebook.loading.svg_values import Refused, checked

TAKEN = [
    ("opacity", "50%"), ("opacity", " .5 "), ("opacity", "-1"), ("stroke-miterlimit", "4"),
    ("x", "-3mm"), ("x", "1e1 px"), ("width", "0"), ("offset", "25%"), ("stroke-dasharray", "4,2"),
    ("fill", "none"), ("fill", "currentColor"), ("fill", "Teal"), ("fill", "rgb(1 2 3 / 50%)"),
    ("stop-color", "hsl(120, 50%, 50%)"), ("transform", "rotate(30 1,2)  scale(-1-.5)"),
    ("transform", ""), ("gradientTransform", "matrix(1 2 3 4 5 6),skewX(3)"),
    ("fill-rule", "evenodd"), ("display", "inline-block"), ("stroke-linejoin", "arcs"),
]  # fmt: skip
REFUSED = [
    ("opacity", "matrix(1 2 3 4 5 6)"), ("opacity", "nan"), ("opacity", ""), ("opacity", "1px"),
    ("stroke-miterlimit", "-1"), ("stroke-miterlimit", "4%"), ("x", "3em"), ("x", "1 2"),
    ("width", "-1"), ("r", "auto"), ("stroke-dasharray", "4 -2"), ("stroke-dasharray", "a"),
    ("fill", "#12"), ("fill", "rouge"), ("fill", "rgb(1,2)"), ("color", "none"),
    ("stop-color", "url(#a)"), ("transform", "scale(0)"), ("transform", "scale(1 0)"),
    ("transform", "matrix(1 2 2 4 0 0)"), ("transform", "rotate()"), ("transform", "rotate(1 2)"),
    ("transform", "spin(1)"), ("transform", "rotate(30) and more"), ("transform", "rotate(30"),
    ("fill-rule", "wavy"), ("gradientUnits", "mm"), ("clip-path", "circle(3)"), ("points", "1 2 3"),
    ("d", "L1 1"), ("d", "M1"), ("d", "M0 0L1"), ("d", "M0 0Z1 1"), ("d", "M0 0A1 1 0 2 0 1 1"),
    ("d", "M0 0 #"), ("d", "M0 0L0.12345678901234567890123 1"), ("x", "1e7"), ("d", "M1e400 0"),
    ("d", "M0 0" + "h99999" * 20), ("points", "1e6 0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), TAKEN)
def test_what_is_of_its_type_is_taken(name: str, value: str) -> None:
    written = " ".join(value.split())
    assert checked(name, value) in (written, written.replace(",", " "), written.replace(" ", ""))


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_what_is_of_another_type_is_refused(name: str, value: str) -> None:
    with pytest.raises(Refused) as raised:
        checked(name, value)
    assert raised.value.code == "R218"


def points_of(written: str) -> list[tuple[str, list[float]]]:
    return [
        (letter, [float(one) for one in numbers.split()])
        for letter, numbers in re.findall(r"([MLCQZ])([^MLCQZ]*)", written)
    ]


def drawn_by_fonttools(outline: str) -> list[tuple[str, list[float]]]:
    """The same by another reader, which closes each part with a line that SVG does not need."""
    letters = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "qCurveTo": "Q", "closePath": "Z"}
    pen, found = RecordingPen(), list[tuple[str, list[float]]]()
    parse_path(outline, pen)
    for name, ends in pen.value:
        if name != "endPath":
            found.append((letters[name], [part for end in ends for part in end]))
    return found


LETTERS = st.sampled_from("LlHhVvCcSsQqTtAaMmZ")
SIZES = {"H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "Z": 0}
HALVES = st.integers(-40, 40).map(lambda number: number / 2)


@st.composite
def outlines(draw: st.DrawFn) -> str:
    parts = ["M 1 2"]
    for letter in draw(st.lists(LETTERS, max_size=8)):
        numbers = [draw(HALVES) for _ in range(SIZES.get(letter.upper(), 2))]
        if letter in "Aa":
            # No arc ends where it begins: readers do not agree on what it draws.
            numbers[0] += 0.001 * 2 ** len(parts)
            # Radii of which the arc is neither a line nor half a circle, which may go either way.
            flags = [draw(st.integers(0, 1)), draw(st.integers(0, 1))]
            numbers = [draw(st.sampled_from((70, 91))), 83, draw(HALVES), *flags, *numbers]
        parts.append(f"{letter} {' '.join(map(str, numbers))}")
    return " ".join(parts)


@given(outlines())
def test_outlines_are_as_another_reader_has_them(outline: str) -> None:
    ours, others = points_of(checked("d", outline)), drawn_by_fonttools(outline)
    kept = iter(ours)
    for letter, numbers in others:
        here = next(kept, None)
        if here is None or here[0] != letter:
            # A line back to where the part began, or to the same point, that we need not write.
            assert letter == "L" or not numbers, (outline, ours, others)
            kept = iter([*([here] if here else []), *kept])
            continue
        assert here[1] == pytest.approx(numbers, abs=2e-6)


@pytest.mark.parametrize("outline", [one for one in OUTLINES if one != "none"])
def test_what_is_written_is_read_as_the_same(outline: str) -> None:
    written = checked("d", outline)
    assert checked("d", written) == written
    assert re.fullmatch(r"(?:[MLCQZ]|-?\d+(?:\.\d{1,6})?| )*", written)


def test_an_arc_is_the_part_of_a_circle() -> None:
    """Of radius 5 about (0, 0), from the right to the top through a quarter."""
    (_, start), (letter, numbers) = points_of(checked("d", "M5 0A5 5 0 0 1 0 5"))
    assert start == [5, 0] and letter == "C" and numbers[-2:] == [0, 5]
    ends = [complex(*start), *map(complex, numbers[::2], numbers[1::2])]
    for part in (0.25, 0.5, 0.75):
        weights = [(1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3]
        assert abs(sum(w * end for w, end in zip(weights, ends, strict=True))) == pytest.approx(
            5, abs=2e-3
        )


def test_corners_become_lines() -> None:
    assert checked("points", "0,0 9-1 .5.5") == "M0 0L9 -1L0.5 0.5"
    assert checked("points", "") == ""
