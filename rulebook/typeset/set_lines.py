"""What the page maker does over and over: the setting of a line of text, done once for each.

A word is shaped anew whenever the narrowest width of its cell is asked for, once for each layout of
a document and once for each document: of the lines of a scenario or a deck, four in five have been
set before. `split_first_line` of WeasyPrint is a function of its text, of a few properties and of
the room there is, so its results can be kept. What else is changed in WeasyPrint from outside is in
`typeset.faster_boxes`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

#: Lines that are kept at a time; when there are more, all are forgotten.
MOST = 20_000
#: Longer texts, a paragraph from some line on, seldom come twice.
LONGEST = 400
#: The properties that the setting of a line depends on.
PROPERTIES = (
    "direction",
    "font_family",
    "font_feature_settings",
    "font_kerning",
    "font_language_override",
    "font_size",
    "font_stretch",
    "font_style",
    "font_variant_alternates",
    "font_variant_caps",
    "font_variant_east_asian",
    "font_variant_ligatures",
    "font_variant_numeric",
    "font_variant_position",
    "font_variation_settings",
    "font_weight",
    "hyphenate_character",
    "hyphenate_limit_chars",
    "hyphenate_limit_zone",
    "hyphens",
    "lang",
    "letter_spacing",
    "overflow_wrap",
    "tab_size",
    "white_space",
    "word_break",
    "word_spacing",
)
#: What a style remembers the number of its properties as.
_NUMBER = "number_for_lines"

#: (layout, length, resume index, width, height, baseline) of a line.
Line = tuple[Any, int, int | None, float, float, float]


def kept(split: Callable[..., Line]) -> Callable[..., Line]:
    """`split_first_line` that remembers; a layout is copied, since it is changed when drawn."""
    lines: dict[tuple[object, ...], Line] = {}
    numbers: dict[tuple[object, ...], int] = {}

    def number_of(style: Any) -> int:
        """The number of all styles with these properties; each is asked for them but once."""
        number: int | None = vars(style).get(_NUMBER)
        if number is None:
            properties = tuple(style[name] for name in PROPERTIES)
            number = numbers.setdefault(properties, len(numbers))
            setattr(style, _NUMBER, number)
        return number

    def split_first_line(text: str, style: Any, context: Any, *room: Any, **how: Any) -> Line:
        if len(text) > LONGEST:
            return split(text, style, context, *room, **how)
        # The only one of the properties that the page maker sets in a style that was used before.
        spaces = style["white_space"]
        ruled = style["text_decoration_line"] != "none"
        of_style = (id(style.font_config), number_of(style), spaces, ruled)
        key = (text, of_style, *room, *how.items())
        line = lines.get(key)
        if line is None:
            line = split(text, style, context, *room, **how)
            if len(lines) >= MOST:
                lines.clear()
            lines[key] = line
        return (copy(line[0]), *line[1:])

    return split_first_line
