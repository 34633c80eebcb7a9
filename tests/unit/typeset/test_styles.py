"""Colours stand before the sheets that use them."""

from __future__ import annotations

from pathlib import Path

from rulebook.packaged import templates_folder
from rulebook.typeset.environment import (
    declared_in,
    document_styles,
    palette,
    stylesheet,
    with_values,
)


def test_colours_come_first_and_sheets_in_the_order_asked_for(tmp_path: Path) -> None:
    (tmp_path / "styles").mkdir()
    for name in ("one", "two"):
        (tmp_path / "styles" / f"{name}.css").write_text(f".{name} {{ content: '″' }}", "utf-8")
    assert document_styles(("two", "one"), "#243b5e", "low", tmp_path) == [
        palette("#243b5e", "low"),
        ".two { content: '″' }",
        ".one { content: '″' }",
    ]


def test_stylesheets_reach_for_nothing_outside() -> None:
    for sheet in sorted((templates_folder() / "styles").glob("*.css")):
        text = stylesheet(sheet.stem, templates_folder())
        assert "url(" not in text and "@import" not in text, sheet.name


def test_values_of_the_root_stand_where_they_are_used() -> None:
    styles = (
        ":root{--a:#123456;--b:2mm;--c:1;--d:2}",
        "p{color:var(--a);margin:calc(0mm - var( --b ))}",
    )
    others = (".x{--c:3}", "b{order:var(--c);top:var(--d);left:var(--e);right:var(--a, red)}")
    assert with_values((*styles, *others), declared_in('<p style="--d: 4">')) == (
        styles[0],
        "p{color:#123456;margin:calc(0mm - 2mm)}",
        others[0],
        "b{order:var(--c);top:var(--d);left:var(--e);right:var(--a, red)}",
    )
