"""What the page maker asks of every style, box and line, answered sooner and in the same way."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
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


Missing = Callable[[Any, str], Any]


def hasten() -> None:
    """Put these in the places of what WeasyPrint has; once in a process, after its import."""
    import pydyf
    from weasyprint import css
    from weasyprint.formatting_structure.boxes import Box
    from weasyprint.images import SVGImage
    from weasyprint.layout import percent
    from weasyprint.svg import TAGS, utils

    css.ComputedStyle.__missing__ = plain_missing(css.ComputedStyle.__missing__)
    Box.is_in_normal_flow = plain_flow(Box.is_in_normal_flow)
    pydyf.PDF.page_references = property(known_references(pydyf.PDF.page_references.fget))
    _replace(percent.resolve_percentages, plain_percentages(percent.resolve_percentages))
    _replace(utils.size, plain_size(utils.size))
    TAGS["path"] = plain_path(TAGS["path"])
    _replace(pydyf._to_bytes, plain_bytes(pydyf._to_bytes))
    SVGImage.draw = drawn_once(SVGImage.draw)
    pydyf.PDF.add_object = added_once(pydyf.PDF.add_object)


def _replace(old: object, new: object) -> None:
    """Put a function in the place of another, in all modules that have taken it by its name."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("weasyprint", "pydyf"):
            for called, value in list(vars(module).items()):
                if value is old:
                    setattr(module, called, new)


def plain_missing(original: Missing) -> Missing:
    """A property of a style that no rule sets: that of its parent, or the initial value."""
    from weasyprint.css.computed_values import PHYSICAL_FUNCTIONS
    from weasyprint.css.properties import INHERITED, INITIAL_NOT_COMPUTED, INITIAL_VALUES

    special = {"page", "position", "float", "display"}
    inherited = {name for name in INHERITED if name[:16] != "text_decoration_"}
    inherited -= special | PHYSICAL_FUNCTIONS.keys()
    initial = {
        name: value
        for name, value in INITIAL_VALUES.items()
        if name not in INHERITED | INITIAL_NOT_COMPUTED | special
        and name[:16] != "text_decoration_"
    }
    # The names of what a rule may set instead: the start of a line, which is at its left or right.
    logical = {
        name: frozenset(function(block="ttb", inline=direction) for direction in ("ltr", "rtl"))
        for name, function in PHYSICAL_FUNCTIONS.items()
    }
    none: frozenset[str] = frozenset()

    def missing(self: Any, key: str) -> Any:
        cascaded = self.cascaded
        if key not in cascaded:
            if key in inherited:
                if self.parent_style is not None:
                    value = self.parent_style[key]
                    if value.__class__ in _PLAIN:
                        self[key] = value
                        return value
            elif key in initial and logical.get(key, none).isdisjoint(cascaded):
                value = self[key] = initial[key]
                return value
        return original(self, key)

    return missing


#: Values in which no function stands that is yet to be worked out.
_PLAIN = (str, int, float, type(None))


def plain_flow(original: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether a box is in the flow, as nearly all are."""

    def is_in_normal_flow(self: Any) -> bool:
        style = self.style
        if style["float"] == "none" and style["position"] in ("static", "relative"):
            return True
        return original(self)

    return is_in_normal_flow


#: Properties of which a part is one of the width around the box.
_ACROSS = (
    *(f"{what}_{side}" for what in ("margin", "padding") for side in ("left", "right")),
    *("width", "min_width", "max_width"),
)
#: Those of the width around it too, but of the height around a page.
_DOWN = tuple(f"{what}_{side}" for what in ("margin", "padding") for side in ("top", "bottom"))
_HEIGHTS = ("height", "min_height", "max_height")
_BORDERS = tuple(f"border_{side}_width" for side in ("top", "right", "bottom", "left"))


def plain_percentages(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The lengths of a box whose lengths are all in pixels, or not given, in any box around it."""

    def resolve_percentages(box: Any, containing_block: Any) -> None:
        style, found = box.style, {}
        for name in _LENGTHS:
            value = style[name]
            if value == "auto":
                found[name] = "auto" if name not in _LEAST else 0
            elif getattr(value, "unit", None) == "px":
                found[name] = value.value
            else:
                original(box, containing_block)
                return
        if style["box_sizing"] != "content-box":
            original(box, containing_block)
            return
        known = vars(box)
        known.update(found)
        collapsed = style["border_collapse"] == "collapse"
        for name in _BORDERS:
            if not (collapsed and name in known):
                known[name] = style[name]

    return resolve_percentages


_LENGTHS = (*_ACROSS, *_DOWN, *_HEIGHTS)
_LEAST = frozenset({"min_width", "min_height"})


def plain_size(original: Callable[..., float]) -> Callable[..., float]:
    """The size that is written as a number, as all are in our drawings."""

    def size(string: Any, font_size: Any = None, percentage_reference: Any = None) -> float:
        if string.__class__ is str and string:
            try:
                return float(string)
            except ValueError:
                pass
        return original(string, font_size, percentage_reference)

    return size


#: The numbers that a letter of an outline takes, and the operator of a PDF that draws it.
_DRAWN = {"M": (2, b"m"), "L": (2, b"l"), "C": (6, b"c"), "Q": (4, b"c")}
_PLAIN_OUTLINE = re.compile(r"\s*M(?:[MLCQZz\s,]|-?\d+(?:\.\d+)?(?![\d.-]))*")
_RUN = re.compile(r"([MLCQZ])([^MLCQZ]*)")


def plain_path(original: Callable[[Any, Any, Any], None]) -> Callable[[Any, Any, Any], None]:
    """An outline of straight lines and curves between points that are told from the corner.

    The angles at its points, which only marks along a line need, are not worked out.
    """

    def path(svg: Any, node: Any, font_size: Any) -> None:
        outline = node.get("d", "")
        drawn = _outlined(outline) if _PLAIN_OUTLINE.fullmatch(outline) else None
        if drawn is None or _MARKED.intersection(node.attrib):
            original(svg, node, font_size)
        else:
            svg.stream.stream.extend(drawn)

    return path


_MARKED = frozenset({"marker", "marker-start", "marker-mid", "marker-end"})


def _outlined(outline: str) -> list[bytes] | None:
    """The lines of a PDF that draw an outline, None where it is not complete."""
    from pydyf import _to_bytes

    drawn, here, begun = [b"0 0 m"], [0.0, 0.0], False
    for letter, listed in _RUN.findall(outline.upper()):
        numbers = [float(number) for number in listed.replace(",", " ").split()]
        if letter == "Z":
            if numbers:
                return None
            drawn += [b"h"] * begun
            begun = False
            continue
        taken, operator = _DRAWN[letter]
        if not numbers or len(numbers) % taken or (letter != "M" and drawn[-1] == b"h"):
            return None
        begun = letter != "M" or len(numbers) > taken
        for first in range(0, len(numbers), taken):
            points = numbers[first : first + taken]
            if letter == "Q":  # one point bends the line, where the PDF has two
                x, y = points[0] * 2 / 3, points[1] * 2 / 3
                bends = [x + here[0] / 3, y + here[1] / 3, x + points[2] / 3, y + points[3] / 3]
                points = [*bends, *points[2:]]
            drawn.append(b" ".join((*map(_to_bytes, points), operator)))
            here = points[-2:]
            if letter == "M":
                operator = b"l"  # more points than one are joined by lines
    return drawn


def plain_bytes(original: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """What is written in a PDF for a number, letters or bytes."""

    def _to_bytes(item: Any) -> bytes:
        kind = item.__class__
        if kind is bytes:
            return item  # type: ignore[no-any-return]
        if kind is int or (kind is float and item.is_integer()):
            return b"%d" % item
        if kind is float:
            return (b"%f" % item).rstrip(b"0")
        return item.encode("ascii") if kind is str else original(item)

    return _to_bytes


def known_references(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The references of the pages, gathered again only when there is another page."""

    def page_references(self: Any) -> Any:
        count = len(self.pages["Kids"])
        known = vars(self).get("known_references")
        if known is None or known[0] != count:
            known = self.known_references = (count, original(self))
        return known[1]

    return page_references


@dataclass(slots=True)
class _Again:
    """A form that is in a PDF already, where it is drawn once more."""

    form: Any
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> Any:
        return self.form.reference


_NO_BACKGROUND = (("none", None),)


def drawn_once(original: Callable[..., None]) -> Callable[..., None]:
    """A drawing that is a background, which is put into a PDF once for each of its sizes."""

    def draw(self: Any, stream: Any, width: float, height: float, style: Any) -> None:
        if style["background_image"] == _NO_BACKGROUND:
            original(self, stream, width, height, style)
            return
        # The pictures that a PDF knows are as many things as there are PDFs being written.
        pdf, forms = vars(self).setdefault("forms", (None, {}))
        if pdf is not stream._images:
            pdf, forms = self.forms = (stream._images, {})
        known = forms.get((width, height))
        if known:
            name = f"x{len(stream._resources['XObject'])}"
            stream._resources["XObject"][name] = _Again(known)
        else:
            forms[width, height] = form = stream.add_group(0, 0, width, height)
            original(self, form, width, height, style)
            name = form.id
        stream.draw_x_object(name)

    return draw


def added_once(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """What a PDF has already is not added again."""

    def add_object(self: Any, added: Any) -> None:
        if not isinstance(added, _Again):
            original(self, added)

    return add_object
