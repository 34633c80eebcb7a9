"""Elements -> the content of a page of PDF, in operators, and the glyphs that it uses.

Coordinates stay the millimetres that they are; one transformation at the head of a page makes
points of them. A setting that is in force already is not written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rulebook.drawing.elements import (
    Colour,
    Element,
    Group,
    Lettering,
    Letters,
    Paint,
    Path,
    Step,
    Words,
)
from rulebook.drawing.reader import turned
from rulebook.typefaces import Glyph, Run, SetLine, Typeface, clusters, set_line

_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
#: Adjustments of less than this, in thousandths of the size, are not seen.
_LEAST = 0.05


@dataclass(slots=True)
class Used:
    """What the pages of a document use, in the order of its first use.

    `glyphs` are the letters for which each glyph of a typeface stands; `unset` the characters that
    no typeface has.
    """

    glyphs: dict[Typeface, dict[int, str]] = field(default_factory=dict)
    opacities: list[float] = field(default_factory=list)
    unset: set[str] = field(default_factory=set)

    def font(self, typeface: Typeface) -> str:
        """The name of a typeface in the resources of all pages."""
        self.glyphs.setdefault(typeface, {})
        return f"F{list(self.glyphs).index(typeface)}"

    def state(self, opacity: float) -> str:
        """The name of an opacity of fills there."""
        if opacity not in self.opacities:
            self.opacities.append(opacity)
        return f"O{self.opacities.index(opacity)}"


def number(value: float) -> str:
    """A number as PDF has it: never with an exponent, and no longer than it need be."""
    if value == int(value):
        return str(int(value))
    text = repr(value)
    return text if "e" not in text else f"{value:.9f}".rstrip("0").rstrip(".")


def numbers(values: Iterable[float]) -> str:
    """Numbers with spaces between them."""
    return " ".join(map(number, values))


@dataclass(slots=True)
class _State:
    """What is in force; None is not known. A page begins with the settings of PDF itself."""

    fill: Colour | None = (0.0, 0.0, 0.0)
    stroke: Colour | None = (0.0, 0.0, 0.0)
    width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[float, ...] = ()
    opacity: float = 1.0
    font: tuple[Typeface, float] | None = None
    spacing: float = 0.0


class Content:
    """The content of one page, written element by element."""

    def __init__(self, used: Used) -> None:
        self.used = used
        self.lines: list[str] = []
        self._state = _State()
        self._painted: Paint | None = None

    def draw(self, elements: Iterable[Element]) -> None:
        """The elements in their order, each over those before it."""
        for element in elements:
            match element:
                case Path():
                    self._path(element)
                case Group():
                    self._group(element)
                case Words():
                    self._words(element)
                case Letters():
                    self._letters(element)

    def _group(self, group: Group) -> None:
        if group.matrix is None and group.window is None:
            self.draw(group.elements)
            return
        before, painted = self._state, self._painted
        self._state = _State(**{name: getattr(before, name) for name in _State.__slots__})
        self.lines.append("q")
        if group.matrix is not None:
            self.lines.append(f"{numbers(group.matrix)} cm")
        if group.window is not None:
            self.lines.append(f"{numbers(group.window)} re W n")
        self.draw(group.elements)
        self.lines.append("Q")
        self._state, self._painted = before, painted

    def _path(self, path: Path) -> None:
        paint = path.paint
        if paint.fill is None and paint.stroke is None:
            return
        if paint is not self._painted:
            self._take(paint)
        rule = "*" if paint.even_odd else ""
        if paint.stroke is None:
            painted = f"f{rule}"
        else:
            painted = f"B{rule}" if paint.fill is not None else "S"
        self.lines.append(f"{outline(path.steps)} {painted}")

    def _take(self, paint: Paint) -> None:
        """Write the settings of a paint that are not in force."""
        state, lines = self._state, self.lines
        if paint.fill is not None:
            self._fill(paint.fill, paint.opacity)
        if paint.stroke is not None:
            if paint.stroke != state.stroke:
                lines.append(f"{_colour(paint.stroke)} RG")
            if paint.width != state.width:
                lines.append(f"{number(paint.width)} w")
            if paint.cap != state.cap:
                lines.append(f"{_CAPS[paint.cap]} J")
            if paint.join != state.join:
                lines.append(f"{_JOINS[paint.join]} j")
            if paint.dash != state.dash:
                lines.append(f"[{numbers(paint.dash)}] 0 d")
            state.stroke, state.width, state.dash = paint.stroke, paint.width, paint.dash
            state.cap, state.join = paint.cap, paint.join
        self._painted = paint

    def _fill(self, fill: Colour, opacity: float) -> None:
        if fill != self._state.fill:
            self.lines.append(f"{_colour(fill)} rg")
            self._state.fill = fill
        if opacity != self._state.opacity:
            self.lines.append(f"/{self.used.state(opacity)} gs")
            self._state.opacity = opacity

    def set_line(self, text: str, lettering: Lettering) -> SetLine:
        """Words as they are set; characters that no typeface has are kept in mind."""
        spaced = lettering.spacing != 0
        found = set_line(text, lettering.face, spaced)
        self.used.unset |= found.unset
        return found

    def _words(self, words: Words) -> None:
        if not words.text:
            return
        lettering = words.lettering
        line = self.set_line(words.text, lettering)
        count = sum(len(run.glyphs) for run in line.runs)
        width = line.width * lettering.size + lettering.spacing * (count - 1)
        left = words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
        self._begin_text(lettering)
        self.lines.append(f"1 0 0 -1 {_place(left)} {number(words.y)} Tm")
        self.show(line, lettering, words.text)
        self.lines.append("ET")

    def _letters(self, letters: Letters) -> None:
        lettering = letters.lettering
        self._begin_text(lettering)
        # one word to a reader, however its letters are strewn
        self.lines.append(f"/Span <</ActualText <{_utf16(letters.text)}>>> BDC")
        at = 0
        for cluster in clusters(letters.text):
            x, y, angle = letters.places[at]
            at += len(cluster)
            cosine, sine, *_ = turned(angle)
            turn = " ".join(f"{part:.6f}" for part in (cosine, sine, sine, -cosine))
            self.lines.append(f"{turn} {number(x)} {number(y)} Tm")
            self.show(self.set_line(cluster, lettering), lettering, None)
        self.lines.append("EMC\nET")

    def _begin_text(self, lettering: Lettering) -> None:
        self._fill(lettering.fill, 1.0)
        self._painted = None
        self.lines.append("BT")
        if lettering.spacing != self._state.spacing:
            self.lines.append(f"{number(lettering.spacing)} Tc")
            self._state.spacing = lettering.spacing

    def show(self, line: SetLine, lettering: Lettering, text: str | None) -> None:
        """Show runs of glyphs; words whose glyphs do not tell their letters tell them aside."""
        plain = True
        for run in line.runs:
            known = self.used.glyphs.setdefault(run.typeface, {})
            for glyph in run.glyphs:
                told = known.setdefault(glyph.number, glyph.text)
                plain = plain and told == glyph.text and bool(told)
        aside = not plain and text is not None
        if aside and text is not None:
            self.lines.append(f"/Span <</ActualText <{_utf16(text)}>>> BDC")
        for run in line.runs:
            font = (run.typeface, lettering.size)
            if font != self._state.font:
                name = self.used.font(run.typeface)
                self.lines.append(f"/{name} {number(lettering.size)} Tf")
                self._state.font = font
            self.lines.extend(shown(run, lettering.size))
        if aside:
            self.lines.append("EMC")


def words_shown(text: str, lettering: Lettering, used: Used) -> str:
    """The operators that show words from where the text stands; what they use is added to `used`.

    Raises ValueError for a character that no typeface has.
    """
    content = Content(used)
    line = content.set_line(text, lettering)
    if line.unset:
        raise ValueError(f"no typeface has {', '.join(sorted(line.unset))}")
    content.show(line, lettering, text)
    return " ".join(content.lines)


def _colour(colour: Colour) -> str:
    return " ".join(map(_place, colour))


def _place(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _utf16(text: str) -> str:
    return "feff" + text.encode("utf-16-be").hex()


@lru_cache(maxsize=8192)
def outline(steps: tuple[Step, ...]) -> str:
    """The operators of a path."""
    return " ".join(
        f"{numbers(values)} {_OPERATORS[name]}" if values else _OPERATORS[name]
        for name, values in steps
    )


@lru_cache(maxsize=8192)
def shown(run: Run, size: float) -> tuple[str, ...]:
    """The operators that show a run of glyphs from where the text stands."""
    found: list[str] = []
    parts: list[str] = []
    codes = ""

    def move(thousandths: float) -> None:
        nonlocal codes
        if abs(thousandths) >= _LEAST:
            if codes:
                parts.append(f"<{codes}>")
                codes = ""
            parts.append(number(round(thousandths, 2)))

    def end() -> None:
        nonlocal codes, parts
        if codes:
            parts.append(f"<{codes}>")
        if parts:
            found.append(f"[{' '.join(parts)}] TJ")
        codes, parts = "", []

    for glyph in run.glyphs:
        move(-1000 * glyph.right)
        if glyph.up:
            end()
            found.append(f"{number(glyph.up * size)} Ts <{glyph.number:04x}> Tj 0 Ts")
        else:
            codes += f"{glyph.number:04x}"
        move(1000 * (glyph.right - _kerning(run.typeface, glyph)))
    end()
    return tuple(found)


def _kerning(typeface: Typeface, glyph: Glyph) -> float:
    """How much further than its own width a glyph leads on."""
    return glyph.advance - typeface.width_of(glyph.number)


def page_matrix(left: float, top: float, height: float) -> Sequence[float]:
    """Millimetres that run down from a corner -> points that run up from the foot of a page."""
    points = 72 / 25.4
    return points, 0.0, 0.0, -points, -left * points, (height + top) * points
