"""Cutouts in the text: which stand side by side, and how their use is told."""

import re
from typing import Any

import pytest
from beside import beside
from composed import compose
from read_svg import read_svg
from shipped_rulesets import SHIPPED, shipped
from small_rulesets import ruleset_of

from rulebook.documents.booklet.compose import compose_booklet
from rulebook.documents.booklet.views import PicturePart
from rulebook.documents.catalogue import identity_of
from rulebook.documents.parts.figures import (
    row_pictures,
)
from rulebook.drawing.svg import svg_text
from rulebook.model.cutouts import Markers

BURST = {
    "shape": "burst",
    "title": "Burst",
    "diameter": "6in",
    "centre": {"score": "6", "diameter": "2in"},
    "ring": ["5", "4", "3", "2"],
    "kills": "4+",
    "use": "Lay it down.",
}
STICK = {"shape": "stick", "title": "Stick", "marks": [{"name": "Far", "to": "12in"}]}
DISC = {"shape": "disc", "title": "Disc", "radius": "2in", "use": "Lay it down."}


def blocks(*names: str) -> str:
    return "\n\n".join(f"{{cutout: {name}}}" for name in names)


def rows_of(text: str, **others: dict[str, Any]) -> list[tuple[str, int]]:
    cutouts = {name: others.get(name, DISC) for name in "abcdefgh" if f"cutout: {name}}}" in text}
    rows = row_pictures(ruleset_of({"cutouts": cutouts}, text))
    return [("".join(row.cutouts), row.room) for row in rows]


@pytest.mark.parametrize(("names", "rows"), beside(__file__, "figures_of_a_run_have_one_width"))
def test_figures_of_a_run_have_one_width(names: str, rows: list[list[object]]) -> None:
    assert rows_of(f"# One {{#one}}\n\n{blocks(*names)}\n") == [*map(tuple, rows)]


def test_words_headings_and_long_figures_end_a_row() -> None:
    text = f"# One {{#one}}\n\n{blocks('a', 'b')}\n\nWords.\n\n{blocks('c')}\n\n"
    text += f"## Two {{#two}}\n\n{blocks('d', 'e', 'f', 'g', 'h')}\n"
    assert rows_of(text, f=STICK) == [("ab", 2), ("c", 1), ("de", 2), ("f", 1), ("gh", 2)]


def test_what_needs_more_room_makes_the_row_shorter() -> None:
    assert rows_of(f"# One {{#one}}\n\n{blocks('a', 'b', 'c')}\n", b=BURST) == [("ab", 2), ("c", 2)]


def parts_of(*uses: str, shape: dict[str, Any]) -> tuple[Any, ...]:
    names = "abcd"[: len(uses)]
    cutouts = {name: {**shape, "use": use} for name, use in zip(names, uses, strict=True)}
    ruleset = ruleset_of({"cutouts": cutouts}, f"# One {{#one}}\n\n{blocks(*names)}\n")
    view = compose_booklet(ruleset, identity_of(ruleset), "a5", row_pictures(ruleset), {})
    return view.chapters[0].sections[0].parts


def test_figures_that_are_used_alike_say_so_once() -> None:
    (row,) = parts_of("Lay it down.", "Lay it down.", shape=DISC)
    assert (row.use, row.room) == ("Lay it down.", 2)
    assert [(one.id, one.picture.title, one.use, one.caption) for one in row.pictures] == [
        ("a", "Disc", "", "Figure 1"),
        ("b", "Disc", "", "Figure 2"),
    ]
    below = parts_of("One.", "Lay it down.", "Lay it down.", "Lay it down.", shape=STICK)
    assert all(isinstance(part, PicturePart) for part in below)
    assert [part.use for part in below] == ["One.", "", "", "Lay it down."]


def test_figures_that_are_used_in_their_own_ways_tell_each() -> None:
    (row,) = parts_of("Lay it down.", "Turn it.", shape=DISC)
    assert (row.use, [one.use for one in row.pictures]) == ("", ["Lay it down.", "Turn it."])


def test_pictures_are_drawn_for_their_rows() -> None:
    """A stick has the width of the page, discs with a ring or two stand in threes."""
    cutouts = {"a": DISC, "b": DISC, "c": DISC, "d": STICK}
    ruleset = ruleset_of(
        {"cutouts": cutouts},
        f"# One {{#one}}\n\n{blocks('a', 'b', 'c', 'd')}\n",
        documents={"qrs": None, "cutouts": None, "booklet": {"papers": ["a5"], "imposed": None}},
    )
    parts = compose(ruleset)[0].view.chapters[0].sections[0].parts
    assert [part.kind for part in parts] == ["pictures", "picture"]
    assert all(one.picture.window[2] == 34 for one in parts[0].pictures)
    assert parts[1].picture.window[2] == 100


def scales_of(*blocks: str, **cutouts: Any) -> list[float]:
    """Of the pictures in their order, mm of the page for one of the table."""
    text = "\n\n".join(["# One {#one}", *blocks, ""])
    ruleset = ruleset_of({"cutouts": cutouts}, text)
    pictures = [svg_text(one) for row in row_pictures(ruleset).values() for one in row]
    return [float(scale) for svg in pictures for scale in re.findall(r"scale\(([\d.]+)\)", svg)]


def base_of(width: str, depth: str) -> dict[str, str]:
    return {"shape": "base", "title": "B", "width": width, "depth": depth, "use": "Stand."}


def test_pieces_side_by_side_are_at_one_scale() -> None:
    pieces = {"a": base_of("2in", "1in"), "b": base_of("1in", "1in"), "c": base_of("2in", "3in")}
    first, *others = scales_of(blocks(*pieces), **pieces)
    assert others == pytest.approx([first, first])
    assert 0.3 < first < 1


def test_what_troops_stand_on_is_at_one_scale_throughout_a_chapter() -> None:
    tray = {"shape": "tray", "title": "T", "lip": "3mm", "use": "Carry."}
    tray["stand"] = {"width": "2in", "depth": "1in"}
    pieces = {"a": {**tray, "files": "2", "ranks": "4"}, "b": {**tray, "files": "1", "ranks": "1"}}
    large, small = scales_of(blocks("a"), "Words.", blocks("b"), **pieces)
    assert small == pytest.approx(large)


@pytest.mark.parametrize("name", SHIPPED)
def test_markers_of_the_shipped_booklets_are_named(name: str) -> None:
    ruleset = shipped(name)
    for row, pictures in row_pictures(ruleset).items():
        for cutout_id, picture in zip(row.cutouts, pictures, strict=True):
            cutout = ruleset.cutouts[cutout_id]
            if isinstance(cutout, Markers):
                told = " ".join(read_svg(picture).text())
                assert all(face.text in told for face in cutout.faces if face.text), cutout_id
