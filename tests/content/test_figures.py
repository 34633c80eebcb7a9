"""The figures of the shipped rulesets: enough of them, legible, and no picture twice."""

from __future__ import annotations

import re

import pytest
from shipped_rulesets import shipped

from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.figures import picture_of_rule
from rulebook.drawing.svg import svg_text

#: How many figures of elements each has at the least.
LEAST = {
    "acw": 8,
    "thin-red-line": 8,
    "horse-and-musket": 8,
    "napoleonic-skirmish": 4,
    "gridded": 4,
}
_TOLD = re.compile(r"<(title|desc)>.*?</\1>", re.S)


@pytest.mark.parametrize("name", LEAST)
def test_they_are_many_and_legible_and_all_different(name: str) -> None:
    ruleset = shipped(name)
    drawn = [one for one in ruleset.figures.values() if one.sticks is None]
    assert len(drawn) >= LEAST[name]
    binder = Binder(ruleset)
    for ink in ("full", "low"):
        pictures = {one: svg_text(picture_of_rule(binder, one, ink)) for one in ruleset.figures}  # type: ignore[arg-type]
        assert len({_TOLD.sub("", svg) for svg in pictures.values()}) == len(pictures)
        for one, svg in pictures.items():
            sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
            assert min(sizes, default=7.0) >= 7 * 25.4 / 72, one
