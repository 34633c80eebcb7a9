from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from beside import beside
from hypothesis import given
from hypothesis import strategies as st
from read_svg import read_svg

from rulebook.cutouts.shapes import draw
from rulebook.drawing.layers import Look, svg
from rulebook.drawing.shapes import Drawing, rectangle
from rulebook.drawing.small_pictures import miniature
from rulebook.drawing.svg import decimal, svg_text
from rulebook.model.cutouts import Burst, Cone

HOSTILE = [*beside(__file__, "hostile"), "lone surrogate \ud800", "x" * 200]


def test_the_file_is_as_large_as_the_cutout_and_a_millimetre_around_it(cone: Cone) -> None:
    picture = read_svg(svg(draw(cone)))
    assert picture.view_box == (-1, -1, pytest.approx(24 * 25.4 + 2), pytest.approx(5 * 25.4 + 2))
    xs = [x for s in picture.segments["cut"] for x in (s[0], s[2])]
    ys = [y for s in picture.segments["cut"] for y in (s[1], s[3])]
    assert (min(xs), max(xs)) == (0, pytest.approx(24 * 25.4))
    assert (min(ys), max(ys)) == (0, pytest.approx(5 * 25.4))


def test_layers_are_groups_with_ids_and_hairlines(burst: Burst) -> None:
    text = svg(draw(burst))
    assert read_svg(text).groups == ["tint", "cut", "score", "engrave"]
    for layer, colour in (("cut", "#ff0000"), ("score", "#0000ff"), ("engrave", "#000000")):
        group = re.search(rf'<g id="{layer}"[^>]*>', text)
        assert group and f'stroke="{colour}"' in group[0] and 'stroke-width="0.05"' in group[0]


def test_the_printed_cut_line_is_heavy(cone: Cone) -> None:
    text = svg(draw(cone), Look(lines="printed"))
    assert re.search(r'<g id="cut"[^>]*stroke-width="0.5"', text)
    assert re.search(r'<g id="score"[^>]*stroke-width="0.25"', text)
    assert 'stroke-linejoin="round"' in text, "a mitre would run 2 mm beyond the apex"


def test_tints_are_light_and_of_the_accent(cone: Cone) -> None:
    text = svg(draw(cone), Look(accent="#000000"))
    tints = re.findall(r'<path d="[^"]+" fill="#(\w\w)\w{4}"/>', text)
    assert [int(tint, 16) for tint in tints] == sorted(int(tint, 16) for tint in tints)
    assert int(tints[0], 16) > 180


@pytest.mark.parametrize("title", HOSTILE)
@pytest.mark.parametrize("shape", ["cone", "burst"])
def test_hostile_words_stay_words(title: str, shape: str, cone: Cone, burst: Burst) -> None:
    cutout = {"cone": cone, "burst": burst}[shape].model_copy(update={"title": title})
    drawing = draw(cutout, imprint=title, use=title)
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in title)
    for text in (svg(drawing), svg_text(miniature(drawing, 60))):
        tree = ElementTree.fromstring(text.encode("utf-8"))
        names = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert names <= {"svg", "title", "desc", "g", "path", "text"}
        found = read_svg(text).title
        assert "".join(letter if letter.isprintable() else "\ufffd" for letter in found) == shown


@given(st.fractions(-800, 800) | st.integers(-(10**8), 10**8).map(lambda n: Fraction(n, 20_000)))
def test_every_fraction_is_rounded_half_to_even(number: Fraction) -> None:
    assert Fraction(decimal(number)) == round(number, 4)


def test_what_is_small_is_not_shown_larger_than_it_is() -> None:
    small = Drawing("", "", 20, 10, (rectangle("cut", 0, 0, 20, 10),))
    cut = read_svg(miniature(small, 84, scale=3)).segments["cut"]
    xs = [x for line in cut for x in line[::2]]
    assert max(xs) - min(xs) == pytest.approx(20)
