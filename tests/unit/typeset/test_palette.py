"""Colours follow from the accent; low ink has none."""

from __future__ import annotations

import re

from rulebook.typeset.environment import palette

#: Lengths that the layout of a card gives its stylesheet.
#: Names that a page gives itself, by the stylesheet that uses them.
OF_PAGES = {
    "cards": {"width", "height", "bleed", "safe", "gap", "title", "side"},
    "cover": {"u", "title", "subtitle"},
    "revised": {"edition"},
    "scenario-sheets": {"side"},
}


def colours(accent: str, ink: str) -> dict[str, str]:
    css = palette(accent, ink)
    assert re.fullmatch(r":root\{(--[a-z-]+:(#[0-9a-f]{6}|none);)+\}", css)
    return dict(re.findall(r"--([a-z-]+):([^;]+);", css))


def test_tints_are_the_accent_thinned_with_white() -> None:
    full = colours("#243b5e", "full")
    assert full["accent"] == full["fill"] == "#243b5e"
    assert full["on-accent"] == "#ffffff"
    # 255 - 0.08 * (255 - 36), (255 - 59), (255 - 94): 237.48, 239.32, 242.12
    assert full["tint"] == "#edeff2"
    assert full["pale"] == "#dce0e5", "255 - 0.16 * ...: 219.96, 223.64, 229.24"
    assert full["hair"] == "#8793a6", "255 - 0.55 * ...: 134.55, 147.2, 166.45"


def test_low_ink_is_black_alone() -> None:
    low = colours("#243b5e", "low")
    assert set(low.values()) == {"#000000", "none"}
    assert {name for name, colour in low.items() if colour == "none"} == {"fill", "tint", "pale"}


def test_both_inks_have_the_same_names() -> None:
    assert colours("#7a2b1d", "low").keys() == colours("#7a2b1d", "full").keys()


def test_stylesheets_use_no_name_that_is_not_there() -> None:
    from rulebook.packaged import templates_folder

    known = colours("#7a2b1d", "full").keys()
    for sheet in sorted((templates_folder() / "styles").glob("*.css")):
        used = set(re.findall(r"var\(--([a-z-]+)\)", sheet.read_text("utf-8")))
        assert used - {"chars"} - OF_PAGES.get(sheet.stem, set()) <= known, sheet.name
