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

from rulebook.limits import DEEPEST, LARGEST_FILE, LARGEST_PICTURE, MOST_POINTS, beyond, mebibytes
from rulebook.loading.svg_pictures import read_svg
from rulebook.model.pictures import MEDIA, InlinePicture, ending_of
from rulebook.plain_files import read_plain, reason_of, stays_inside
from rulebook.problems import Problem, Span

_SMALLER = "save it smaller"
_EXPECTED = "a picture in the ruleset's folder, an SVG, PNG or JPEG file"


def read_picture(folder: Path, name: str, span: Span) -> tuple[InlinePicture | None, list[Problem]]:
    """The picture of a file; `name` is one that the header allows, `span` where it stands."""
    path = folder / name
    if not stays_inside(path, folder) and (path.is_symlink() or path.exists()):
        message, hint = f"'{name:.60}' leads out of the ruleset's folder", "copy it into the folder"
        return None, [Problem("R114", message, span, _EXPECTED, hint)]
    try:
        data = read_plain(path, LARGEST_PICTURE, within=folder)
    except OSError as fault:
        return None, [_no_file(path, name, span, reason_of(fault))]
    return picture_of(data, name, path.as_posix(), span)


def picture_of(
    data: bytes, name: str, shown: str, span: Span
) -> tuple[InlinePicture | None, list[Problem]]:
    """The picture of the bytes of a file, looked through; `shown` is the file as reports call it.

    `name` is one that the header allows, and `span` where it stands.
    """
    media = MEDIA[ending_of(name)]
    drawn = media == MEDIA[".svg"]
    largest = LARGEST_FILE if drawn else LARGEST_PICTURE
    if len(data) > largest:
        return None, [beyond(mebibytes(largest), f"in the picture '{name:.60}'", span)]
    if drawn:
        plain, faults = read_svg(data, shown)
        return (None, faults) if plain is None else (InlinePicture(media, plain), faults)
    fault = _fault_of_points(data, name, media, span)
    return (None, [fault]) if fault else (InlinePicture(media, data), [])


def _fault_of_points(data: bytes, name: str, media: str, span: Span) -> Problem | None:
    """What is wrong with a picture of points, which is decoded whole to find out."""
    from PIL import Image

    # In a JPEG these bytes begin a pass over the whole picture, and nothing else.
    if media == MEDIA[".jpg"] and data.count(b"\xff\xda") > DEEPEST:
        return beyond(DEEPEST, f"passes of the progressive JPEG '{name:.60}'", span, _SMALLER)
    try:
        with _strictly():
            picture = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
            if picture.width * picture.height > MOST_POINTS:
                return beyond(MOST_POINTS, f"points in the picture '{name:.60}'", span, _SMALLER)
            picture.load()
            if f"image/{(picture.format or '').lower()}" != media:
                raise ValueError("its name says another kind")
            if picture.mode.startswith("I"):
                raise ValueError("16 bits a point")
    except Exception as fault:  # the library reports broken files by errors of a dozen kinds
        reason = (str(fault).splitlines() or [""])[0][:80]
        known = f" ({reason})" if reason and "BytesIO" not in reason else ""
        message = f"'{name:.60}' is no {media[6:].upper()} picture that can be printed{known}"
        hint = "save it again, or rename it by what it is"
        return Problem("R217", message, span, "a picture that opens in any viewer", hint)
    return None


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


def _no_file(path: Path, name: str, span: Span, reason: str) -> Problem:
    beside = sorted(
        one.relative_to(path.parent).as_posix()
        for one in (path.parent.iterdir() if path.parent.is_dir() else ())
        if ending_of(one.name) in MEDIA and one.is_file()
    )
    hint = f"there is '{beside[0]}'" if beside else "add the file, or leave the picture out"
    return Problem("R217", f"no picture '{name:.60}': {reason}", span, _EXPECTED, hint)
