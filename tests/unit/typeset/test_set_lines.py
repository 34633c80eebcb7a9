"""Lines of text are set once for each text, style and room."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from rulebook.typeset.faster_boxes import LONGEST, MOST, PROPERTIES, Line, kept


class Style(dict[str, Any]):
    font_config = object()


def style(**properties: Any) -> Style:
    return Style(
        dict.fromkeys(PROPERTIES, "normal") | {"text_decoration_line": "none"} | properties
    )


class Setter:
    """Counts how often a line is really set."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, text: str, *_: Any, **__: Any) -> Line:
        self.texts.append(text)
        return SimpleNamespace(text=text), len(text), None, 1.0, 2.0, 3.0


def test_a_line_is_set_once_and_each_has_a_layout_of_its_own() -> None:
    setter = Setter()
    split = kept(setter)
    one, other = (split("a word", style(), None, 100.0, 0, is_line_start=True) for _ in range(2))
    assert setter.texts == ["a word"]
    assert one[1:] == other[1:] == (6, None, 1.0, 2.0, 3.0)
    assert one[0] is not other[0] and vars(one[0]) == vars(other[0])


def test_what_a_line_depends_on_sets_it_again() -> None:
    setter = Setter()
    split = kept(setter)
    split("a word", style(), None, 100.0, 0)
    split("a word", style(), None, 99.0, 0)
    split("a word", style(), None, 100.0, 1.5)
    split("a word", style(), None, 100.0, 0, minimum=True)
    split("a word", style(text_decoration_line={"underline"}), None, 100.0, 0)
    for name in PROPERTIES:
        split("a word", style(**{name: "other"}), None, 100.0, 0)
    assert len(setter.texts) == 5 + len(PROPERTIES)


def test_a_style_is_asked_once_but_for_what_is_set_in_it_later() -> None:
    setter = Setter()
    split = kept(setter)
    asked = style()
    split("a word", asked, None, 100.0, 0)
    asked["white_space"] = "pre"
    split("a word", asked, None, 100.0, 0)
    asked["white_space"] = "normal"
    split("a word", asked, None, 100.0, 0)
    assert len(setter.texts) == 2


def test_little_is_kept() -> None:
    setter = Setter()
    split = kept(setter)
    for _ in range(2):
        split("x" * (LONGEST + 1), style(), None, 100.0, 0)
    assert len(setter.texts) == 2
    for number in range(MOST + 1):
        split(str(number), style(), None, 100.0, 0)
    split("0", style(), None, 100.0, 0)
    assert setter.texts[-1] == "0"
