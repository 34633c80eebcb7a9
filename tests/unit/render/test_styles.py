"""Colours stand before the sheets that use them."""

from __future__ import annotations

from pathlib import Path

from rulebook.render.palette import palette
from rulebook.render.styles import document_styles, stylesheet
from rulebook.shipped import templates_folder


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
