"""What the page maker does over and over: the setting of a line of text, done once for each.

A word is shaped anew whenever the narrowest width of its cell is asked for, once for each layout of
a document and once for each document: of the lines of a scenario or a deck, four in five have been
set before. This is the one place where WeasyPrint is changed from outside: `split_first_line` is a
function of its text, of a few properties and of the room there is, so its results can be kept.
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

#: (layout, length, resume index, width, height, baseline) of a line.
Line = tuple[Any, int, int | None, float, float, float]


def kept(split: Callable[..., Line]) -> Callable[..., Line]:
    """`split_first_line` that remembers; a layout is copied, since it is changed when drawn."""
    lines: dict[tuple[object, ...], Line] = {}

    def split_first_line(text: str, style: Any, context: Any, *room: Any, **how: Any) -> Line:
        if len(text) > LONGEST:
            return split(text, style, context, *room, **how)
        properties = (style[name] for name in PROPERTIES)
        ruled = style["text_decoration_line"] != "none"
        key = (text, id(style.font_config), *room, *how.items(), ruled, *properties)
        line = lines.get(key)
        if line is None:
            line = split(text, style, context, *room, **how)
            if len(lines) >= MOST:
                lines.clear()
            lines[key] = line
        return (copy(line[0]), *line[1:])

    return split_first_line
