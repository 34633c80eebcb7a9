"""The sticks and the sleeve of the American Civil War game, as its source measures them in inches.

Read back from their SVG, so that nothing is believed of what drew them.
"""

from __future__ import annotations

import pytest
from beside import beside, written
from read_svg import Picture, read_svg
from shipped_rulesets import shipped

from rulebook.cutouts.elements import Look
from rulebook.cutouts.svg import svg
from rulebook.model.lookup import find
from rulebook.model.ruleset import Ruleset
from rulebook.publications.documents import drawing_of

INCH = 25.4
NEAR = pytest.approx


@pytest.fixture(scope="module")
def acw() -> Ruleset:
    return shipped("acw")


def picture(ruleset: Ruleset, cutout: str) -> Picture:
    look = Look(accent=ruleset.header.accent, lines="printed")
    return read_svg(svg(drawing_of(ruleset, cutout), look))


def size(seen: Picture) -> tuple[float, float]:
    """Length and width of the cut line, mm."""
    xs = [x for one in seen.segments["cut"] for x in (one[0], one[2])]
    ys = [y for one in seen.segments["cut"] for y in (one[1], one[3])]
    return max(xs) - min(xs), max(ys) - min(ys)


def across(seen: Picture, group: str, face: float) -> list[float]:
    """Inches from the first end of lines that cross the uppermost face from edge to edge."""
    return sorted(
        round(x1 / INCH, 4)
        for x1, y1, x2, y2 in seen.segments.get(group, [])
        if x1 == x2 and min(y1, y2) == 0 and max(y1, y2) == NEAR(face)
    )


@pytest.mark.parametrize(
    ("cutout", "outside", "marks", "folds"),
    beside(__file__, "flat_sticks"),
)
def test_flat_sticks(
    acw: Ruleset,
    cutout: str,
    outside: tuple[int, int],
    marks: list[float],
    folds: list[float],
) -> None:
    """`outside` is the length in inches and the width in mm."""
    inches, width = outside
    seen = picture(acw, cutout)
    assert size(seen) == (NEAR(inches * INCH, abs=0.001), NEAR(width, abs=0.001))
    assert across(seen, "engrave", width) == marks
    assert across(seen, "score", width) == folds


def test_the_wrap_fits_the_half_inch_rod(acw: Ruleset) -> None:
    seen = picture(acw, "bounce_stick_wrap")
    long, high = size(seen)
    assert long == NEAR(60 * INCH, abs=0.001)
    assert high == NEAR(4 * 0.5 * INCH + 8, abs=0.001)
    assert across(seen, "engrave", 0.5 * INCH) == [18, 26, 34, 42, 46, 50, 54, 56, 58]
    scored = sorted(y1 for _, y1, _, y2 in seen.segments["score"] if y1 == y2)
    assert scored == [NEAR(n * 0.5 * INCH, abs=0.001) for n in (1, 2, 3, 4)]
    told = seen.text()
    assert [told.count(letter) for letter in "BWYG"] == [4, 12, 12, 12]


def test_the_colours_of_the_bounce_stick_follow_the_source(acw: Ruleset) -> None:
    letters = [word for word in picture(acw, "bounce_stick").words if word.text in "BWYG"]
    assert "".join(word.text for word in sorted(letters, key=lambda word: word.x)) == "BWYGWYGWYG"


def test_the_sleeve_is_four_inches_and_slides_on_the_rod(acw: Ruleset) -> None:
    seen = picture(acw, "sleeve")
    assert size(seen)[0] == NEAR(4 * INCH, abs=0.001)
    scored = sorted(y1 for _, y1, _, y2 in seen.segments["score"] if y1 == y2)
    assert scored == [NEAR(n * (0.5 * INCH + 0.5), abs=0.001) for n in (1, 2, 3, 4)]
    steps = {word.text: word.x / INCH for word in seen.words if word.text in ("−1", "+1")}
    assert steps == {"−1": NEAR(1, abs=0.001), "+1": NEAR(3, abs=0.001)}


def test_a_path_reads_a_mark_as_it_is_printed(acw: Ruleset) -> None:
    for path, told in written(
        "{bounce_stick.marks.near_white.to: 26″, bounce_stick_wrap.marks.far_green.to: 60″, "
        "musket_stick.marks.middle.to: 16″, sleeve.length: 4″, sleeve.step: 1″}"
    ).items():
        assert str(find(acw, path)) == told
