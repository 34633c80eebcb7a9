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
from rulebook.drawing.small_pictures import svg_miniature
from rulebook.drawing.svg import decimal, escaped
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
    for text in (svg(drawing), svg_miniature(drawing, 60)):
        tree = ElementTree.fromstring(text.encode("utf-8"))
        names = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert names <= {"svg", "title", "desc", "g", "path", "text"}
        shown = "".join(c if c.isprintable() else "\ufffd" for c in title)
        told = "".join(c if c.isprintable() else "\ufffd" for c in read_svg(text).title)
        assert told == shown


def test_the_words_of_title_and_description_are_there_for_those_who_cannot_see(cone: Cone) -> None:
    picture = read_svg(svg(draw(cone)))
    assert picture.title == "Canister cone"
    assert picture.description.startswith(
        "A cone 24″ long and 5″ wide at its far end: Near, to 5½″, 4+; Middle, to 12″, 5+"
    )


def test_numbers_are_written_the_same_everywhere() -> None:
    written = [decimal(one) for one in (-0.0, -0.00001, 1e-9, 1234567.00004, 1e7, Fraction(2, 3))]
    assert written == ["0", "0", "0", "1234567", "10000000", "0.6667"]


@given(st.fractions(-800, 800) | st.integers(-(10**8), 10**8).map(lambda n: Fraction(n, 20_000)))
def test_every_fraction_is_rounded_half_to_even(number: Fraction) -> None:
    written = Fraction(decimal(number))
    assert written == round(number, 4)


@pytest.mark.parametrize("width", [60, 85, 110])
def test_a_small_picture_is_legible_and_stays_on_its_paper(
    width: int, cone: Cone, burst: Burst
) -> None:
    for cutout, words in (
        (cone, {"4+", "5+", "6+", "5½″", "12″", "24″", "5″", "muzzle", "Near", "Far"}),
        (burst, {"6", "5", "4", "3", "2", "2″", "6″", "away from the gun"}),
    ):
        picture = read_svg(svg_miniature(draw(cutout), width))
        assert picture.width_mm == width
        assert words <= set(picture.text())
        assert all(word.size >= 2 for word in picture.words)
        assert sum(word.size >= 2.4 for word in picture.words) >= 0.8 * len(picture.words)
        for segments in picture.segments.values():
            for x1, y1, x2, y2 in segments:
                assert 0 <= min(x1, x2) <= max(x1, x2) <= width
                assert 0 <= min(y1, y2) <= max(y1, y2) <= picture.height_mm
        assert all(0 <= word.y <= picture.height_mm for word in picture.words)


def test_the_measures_of_a_small_cone_stand_at_its_zone_lines(cone: Cone) -> None:
    picture = read_svg(svg_miniature(draw(cone), 100))
    near, middle = (line[0] for line in picture.segments["score"])
    places = {word.text: word.x for word in picture.words}
    assert places["5½″"] == pytest.approx(near, abs=1e-3)
    assert places["12″"] == pytest.approx(middle, abs=1e-3)
    outline = [x for s in picture.segments["cut"] for x in (s[0], s[2])]
    whole = max(outline) - min(outline)
    assert (near - min(outline)) / whole == pytest.approx(5.5 / 24, abs=1e-3)


def test_what_is_small_is_not_shown_larger_than_it_is() -> None:
    small = Drawing("", "", 20, 10, (rectangle("cut", 0, 0, 20, 10),))
    seen = read_svg(svg_miniature(small, 84))
    xs = [x for x1, _, x2, _ in seen.segments["cut"] for x in (x1, x2)]
    assert max(xs) - min(xs) == pytest.approx(20)
    assert (min(xs) + max(xs)) / 2 == pytest.approx(42, abs=0.5)


def test_escaped_text_is_safe_in_an_attribute_too() -> None:
    assert escaped("a\"b<c>&'\x01") == "a&quot;b&lt;c&gt;&amp;'\N{REPLACEMENT CHARACTER}"
