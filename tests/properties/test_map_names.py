"""On random maps no name covers another, an arrow or the edge, and none is lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from map_samples import expect_nothing_covered, inches, scenario

from rulebook.maps.drawing import DEPLOYMENT, draw_map
from rulebook.model.maps import AREA_KINDS, LINE_KINDS

across = st.integers(min_value=0, max_value=96)
up = st.integers(min_value=0, max_value=72)
spots = st.tuples(across, up)
titles = st.text(alphabet="abc lmnoXYZé漢", min_size=1, max_size=24).filter(lambda t: t.strip())


@st.composite
def features(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from([*AREA_KINDS, *LINE_KINDS, "point", "label"]))
    title = draw(titles)
    if kind in LINE_KINDS:
        line = draw(st.lists(spots, min_size=2, max_size=5))
        return {"draw": kind, "title": title, "line": inches(*line)}
    if kind in AREA_KINDS:
        area = draw(st.lists(spots, min_size=3, max_size=6))
        return {"draw": kind, "title": title, "area": inches(*area)}
    return {"draw": kind, "title": title, "at": inches(draw(spots))[0]}


@settings(max_examples=25)
@given(
    st.lists(features(), max_size=14),
    st.lists(across, max_size=4),
    st.sampled_from([Fraction(1, 30), Fraction(1, 20), Fraction(1, 8)]),
)
def test_names_are_apart_inside_and_complete(
    those: list[dict[str, Any]], entries: list[int], scale: Fraction
) -> None:
    named = {f"f{number}": feature for number, feature in enumerate(those)}
    places = {
        f"e{number}": {"title": f"Road {number}", "entry": [f"{x}in", "0in"]}
        for number, x in enumerate(entries)
    }
    drawn = draw_map(scenario(named, places=places), scale, shows=DEPLOYMENT)
    expect_nothing_covered(drawn)
    told = {one.title for one in drawn.names.placed} | {one.title for one in drawn.numbered}
    wanted = {feature["title"].strip() for feature in those}
    assert {title.strip() for title in told} >= wanted
    assert len({one.number for one in drawn.numbered}) == len(drawn.numbered)
