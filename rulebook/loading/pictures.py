"""The name of a picture in a ruleset's folder -> its bytes, or the fault why none are printed.

Nothing outside the folder is opened, and a picture is looked through to its end: one that breaks
off would only fail when it is printed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.loading.svg_pictures import read_svg
from rulebook.model.pictures import MEDIA, Picture, ending_of
from rulebook.plain_files import read_plain, reason_of, stays_inside
from rulebook.problems import Problem, Span

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

#: Bytes of a file: drawn, which a page maker reads whole, and of points.
LARGEST_DRAWN = 1 << 20
LARGEST_OF_POINTS = 4 << 20
#: Points of a side: 600 for each inch of an A4 page are 7016.
MOST_POINTS = 8000
#: Millions of values of colour, which is about as many MB in memory: an A4 page of 600 points for
#: each inch has 104.4 in three colours.
MOST_SAMPLES = 105


def read_picture(folder: Path, name: str, span: Span) -> tuple[Picture | None, list[Problem]]:
    """The picture of a file; `name` is one that the header allows, `span` where it stands."""
    path = folder / name
    largest = _largest(MEDIA[ending_of(name)])
    if not stays_inside(path, folder) and (path.is_symlink() or path.exists()):
        return None, [_link(name, span)]
    if not path.is_file():
        return None, [_no_file(path, name, span)]
    try:
        data = read_plain(path, largest, within=folder)
    except OSError as fault:
        reason = reason_of(fault)
        return None, [Problem.of("R101 picture unread", span, name=name, reason=reason)]
    return picture_of(data, name, path.as_posix(), span)


def picture_of(
    data: bytes, name: str, shown: str, span: Span
) -> tuple[Picture | None, list[Problem]]:
    """The picture of the bytes of a file, looked through; `shown` is the file as reports tell it.

    `name` is one that the header allows, and `span` where it stands.
    """
    media = MEDIA[ending_of(name)]
    largest = _largest(media)
    if len(data) > largest:
        return None, [
            Problem.of(
                "R102 drawing" if media == MEDIA[".svg"] else "R102 picture",
                span,
                name=name,
                most=largest >> 20,
                points=MOST_POINTS,
            )
        ]
    if media == MEDIA[".svg"]:
        drawn, faults = read_svg(data, shown, as_written=True)
        return (None, faults) if drawn is None else (Picture(media, drawn), faults)
    fault = _fault_of_points(data, name, media, span)
    return (None, [fault]) if fault else (Picture(media, data), [])


def _largest(media: str) -> int:
    return LARGEST_DRAWN if media == MEDIA[".svg"] else LARGEST_OF_POINTS


def _fault_of_points(data: bytes, name: str, media: str, span: Span) -> Problem | None:
    """What is wrong with a picture of points, which is decoded whole to find out."""
    from PIL import Image

    try:
        with _strictly():
            picture = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
            kind, (width, height) = f"image/{(picture.format or '').lower()}", picture.size
            if not (0 < width <= MOST_POINTS and 0 < height <= MOST_POINTS):
                return Problem.of(
                    "R102 many points",
                    span,
                    name=name,
                    width=width,
                    height=height,
                    most=LARGEST_OF_POINTS >> 20,
                    points=MOST_POINTS,
                )
            if fault := _fault_of_samples(picture, name, span):
                return fault
            picture.load()
    except Exception as fault:  # the library tells of broken files by errors of a dozen kinds
        reason = (str(fault).splitlines() or [""])[0][:80]
        known = f" ({reason})" if reason and "BytesIO" not in reason else ""
        return Problem.of("R217 picture broken", span, name=name, known=known)
    if kind != media:
        right = "png" if kind == MEDIA[".png"] else "jpg"
        stem = name.rpartition(".")[0]
        return Problem.of("R217 picture of another kind", span, name=name, stem=stem, right=right)
    return None


def _fault_of_samples(picture: ImageFile, name: str, span: Span) -> Problem | None:
    """What would be too large in memory, before anything of it is decoded.

    Values of 16 bits count twice; and those of a progressive JPEG, which is kept whole until its
    last pass.
    """
    planes = len(picture.getbands())
    progressive = bool(picture.info.get("progressive") or picture.info.get("progression"))
    deep = any("16" in str(tile[3]) for tile in picture.tile) or picture.mode.startswith("I")
    count = picture.width * picture.height * planes * (2 if progressive or deep else 1)
    if count <= MOST_SAMPLES * 1_000_000:
        return None
    hint = "save it smaller"
    if progressive:
        hint = "save it as a plain JPEG, not a progressive one, or smaller"
    elif deep:
        hint = "save it with 8 bits for each colour, or smaller"
    elif picture.mode == "CMYK":
        hint = "save it in RGB, or smaller"
    millions = -(-count // 1_000_000)
    return Problem.of(
        "R102 many samples", span, name=name, count=millions, most=MOST_SAMPLES, hint=hint
    )


@contextmanager
def _strictly() -> Iterator[None]:
    """Pictures that break off are faults; the page maker has the library pass over them."""
    from PIL import ImageFile

    lenient = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient


def _no_file(path: Path, name: str, span: Span) -> Problem:
    beside = sorted(
        one.relative_to(path.parent).as_posix()
        for one in (path.parent.iterdir() if path.parent.is_dir() else ())
        if ending_of(one.name) in MEDIA and one.is_file()
    )
    there = f"there is '{beside[0]}'" if beside else ""
    if path.is_dir():
        return Problem.of("R217 folder", span, name=name, there=there)
    if path.exists():
        return Problem.of("R217 no plain file", span, name=name, there=there)
    return Problem.of("R217 no such picture", span, name=name, there=there)


def _link(name: str, span: Span) -> Problem:
    return Problem.of("R114 picture leads out", span, name=name)
