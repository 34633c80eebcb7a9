"""SVG text, or a drawing as SVG -> lines and words in mm, by a small reader of its own."""

import re
from dataclasses import dataclass, field
from math import atan2, cos, degrees, radians, sin, sqrt
from xml.etree import ElementTree

from plane import EVERYWHERE, place, seen, times

from rulebook.drawing import elements
from rulebook.drawing.svg import svg_text

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"-?\d+(?:\.\d+)?"
Segment = tuple[float, float, float, float]


@dataclass
class Word:
    text: str
    x: float
    y: float
    size: float
    rotation: float
    fill: str
    clipped: bool


@dataclass
class Picture:
    """Everything in it by the group it stands in; what is clipped is cut off at the window."""

    width_mm: float
    height_mm: float
    view_box: tuple[float, float, float, float]
    title: str
    description: str
    segments: dict[str, list[Segment]] = field(default_factory=dict)
    circles: dict[str, list[tuple[float, float, float]]] = field(default_factory=dict)
    words: list[Word] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)

    def text(self) -> list[str]:
        return [word.text for word in self.words]


def read_svg(drawn: str | elements.Picture) -> Picture:
    text = drawn if isinstance(drawn, str) else svg_text(drawn)
    root = ElementTree.fromstring(text.encode())
    assert root.tag == f"{SVG}svg"
    sizes = [re.fullmatch(rf"({NUMBER})mm", root.attrib[name]) for name in ("width", "height")]
    assert all(sizes), "width and height are in millimetres"
    box = tuple(float(number) for number in root.attrib["viewBox"].split())
    assert len(box) == 4
    picture = Picture(
        float(sizes[0][1]),  # type: ignore[index]
        float(sizes[1][1]),  # type: ignore[index]
        box,
        root.findtext(f"{SVG}title") or "",
        root.findtext(f"{SVG}desc") or "",
    )
    assert (picture.width_mm, picture.height_mm) == box[2:], "a unit is a millimetre"
    clips = {
        clip.attrib["id"]: _corners(clip[0].attrib["d"]) for clip in root.iter(f"{SVG}clipPath")
    }
    _walk(root, picture, clips, group="", at=(1.0, 0.0, 0.0, 1.0, 0.0, 0.0), window=EVERYWHERE)
    return picture


def _walk(node, picture, clips, *, group, at, window):  # type: ignore[no-untyped-def]
    for child in node:
        tag = child.tag.removeprefix(SVG)
        if tag == "g":
            name = child.get("id") or child.get("class") or group
            picture.groups.append(name)
            moved = _transformed(at, child.get("transform", ""))
            clip = re.fullmatch(r"url\(#(.+)\)", child.get("clip-path", ""))
            inner = _placed(clips[clip[1]], moved) if clip else window
            _walk(child, picture, clips, group=name, at=moved, window=inner)
        elif tag == "path" and not re.search("[CQA]", child.attrib["d"]):
            corners = _corners(child.attrib["d"])
            after = corners[1:] + (corners[:1] if child.attrib["d"].endswith("Z") else [])
            for one, other in zip(corners, after, strict=False):
                if shown := seen(place(one, at), place(other, at), window):
                    picture.segments.setdefault(group, []).append((*shown[0], *shown[1]))
        elif tag == "path" and (ring := _ring(child.attrib["d"])):
            circle = (*place(ring[:2], at), ring[2] * _scale(at))
            picture.circles.setdefault(group, []).append(circle)
        elif tag == "text":
            first_x, first_y = (float(child.attrib[key].split()[0]) for key in ("x", "y"))
            x, y = place((first_x, first_y), at)
            turn = re.match(rf"rotate\(({NUMBER}) ", child.get("transform", ""))
            size = float(child.attrib["font-size"]) * _scale(at)
            angle = (float(turn[1]) if turn else 0.0) + degrees(atan2(at[1], at[0]))
            fill, clipped = child.attrib["fill"], window is not EVERYWHERE
            picture.words.append(Word(child.text or "", x, y, size, angle, fill, clipped))


def _ring(path: str) -> tuple[float, float, float] | None:
    """Middle and radius of a closed path of bends that all end as far from its middle."""
    steps = ends_of(path)[1:]
    if not path.endswith("Z") or {letter for letter, _ in steps} not in ({"C"}, {"A"}):
        return None
    ends = [end for _, end in steps]
    x, y = (sum(values) / len(ends) for values in zip(*ends, strict=True))
    radii = [sqrt((a - x) ** 2 + (b - y) ** 2) for a, b in ends]
    return (x, y, radii[0]) if max(radii) - min(radii) < 1e-3 else None


def _transformed(at, transform):  # type: ignore[no-untyped-def]
    """The matrix (a, b, c, d, e, f) of SVG, each part of the transform applied in its order."""
    for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", transform):
        values = [float(number) for number in numbers.split()]
        if name == "translate":
            inner = (1, 0, 0, 1, *values)
        elif name == "scale":
            inner = (values[0], 0, 0, values[-1], 0, 0)
        elif name == "rotate":
            right, down = (round(turn(radians(values[0])), 12) for turn in (cos, sin))
            inner = (right, down, -down, right, 0, 0)
        else:
            raise AssertionError(f"no transform that is read here: {name}")
        at = times(at, inner)
    return at


def _scale(at):  # type: ignore[no-untyped-def]
    return sqrt(abs(at[0] * at[3] - at[1] * at[2]))


def _placed(clip, at):  # type: ignore[no-untyped-def]
    """The upright box of a clip, which lies level or turned by quarters."""
    (x1, y1), (x2, y2) = place(clip[0], at), place(clip[2], at)
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _corners(path: str) -> list[tuple[float, float]]:
    return [end for _, end in ends_of(path)]


def ends_of(path: str) -> list[tuple[str, tuple[float, float]]]:
    """Where each step of a path ends, by its letter, without control points."""
    found: list[tuple[str, tuple[float, float]]] = []
    for letter, rest in re.findall("([MLCQA])([^MLCQAZ]*)", path):
        numbers = [float(number) for number in re.findall(NUMBER, rest)]
        every = {"C": 6, "Q": 4, "A": 7}.get(letter, 2)
        ends = zip(numbers[every - 2 :: every], numbers[every - 1 :: every], strict=True)
        found += ((letter, end) for end in ends)
    return found


def expect_clear_edges(picture: Picture, slack: float = 0.0) -> None:
    """No line comes nearer to an edge than the six millimetres that printers leave."""
    room = 6 - slack
    for x1, y1, x2, y2 in (one for those in picture.segments.values() for one in those):
        assert min(x1, x2) >= room and max(x1, x2) <= picture.width_mm - room
        assert min(y1, y2) >= room and max(y1, y2) <= picture.height_mm - room
