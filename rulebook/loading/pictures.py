"""The name of a picture in a ruleset's folder -> its bytes, or the fault why none are printed.

Nothing outside the folder is opened, and a picture is looked through to its end: one that breaks
off would only fail when it is printed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from rulebook.limits import DEEPEST, LARGEST_FILE, LARGEST_PICTURE, MOST_POINTS, beyond, mebibytes
from rulebook.loading.nodes import MappingNode, Node, Scalar, find_node
from rulebook.loading.safe_text import Unreadable
from rulebook.loading.svg_pictures import read_svg
from rulebook.model.header import MEDIA, InlinePicture, ending_of, picture_name
from rulebook.model.ruleset import Address
from rulebook.plain_files import read_plain, reason_of, stays_inside
from rulebook.problems import Problem, Span
from rulebook.quantities import QuantityError

_SMALLER = "save it smaller"
_EXPECTED = "a picture in the ruleset's folder, an SVG, PNG or JPEG file"


def read_picture(folder: Path, name: str, span: Span) -> InlinePicture:
    """The picture of a file; `name` is one that the header allows, `span` where it stands.

    Raises Unreadable.
    """
    path = folder / name
    if not stays_inside(path, folder) and (path.is_symlink() or path.exists()):
        message, hint = f"'{name:.60}' leads out of the ruleset's folder", "copy it into the folder"
        raise Unreadable(Problem("R114", message, span, _EXPECTED, hint))
    try:
        data = read_plain(path, LARGEST_PICTURE, within=folder)
    except OSError as fault:
        raise Unreadable(_no_file(path, name, span, reason_of(fault))) from None
    return picture_of(data, name, path.as_posix(), span)


#: Pictures by the addresses in the header at which their files are named.
Pictures: TypeAlias = Mapping[Address, InlinePicture]
COVER: Address = ("cover", "picture")
SYMBOLS = "symbols"


def pictures_of_header(
    header: Node, read: Callable[[Address, str, Span], InlinePicture]
) -> tuple[Pictures, list[Problem]]:
    """The picture of the cover and the symbols that a header names.

    `read` gives that of a name at an address, or raises Unreadable; a name of no picture is a fault
    of the header.
    """
    listed, _ = find_node(header, (SYMBOLS,))
    names = listed.entries if isinstance(listed, MappingNode) else ()
    found: dict[Address, InlinePicture] = {}
    problems: list[Problem] = []
    for at in (COVER, *((SYMBOLS, name) for name in names)):
        node, span = find_node(header, at)
        try:
            found[at] = read(at, picture_name(node.text if isinstance(node, Scalar) else ""), span)
        except Unreadable as fault:
            problems += fault.problems
        except QuantityError:
            continue
    return found, problems


def picture_of(data: bytes, name: str, shown: str, span: Span) -> InlinePicture:
    """The picture of the bytes of a file, looked through; `shown` is the file as reports call it.

    `name` is one that the header allows, and `span` where it stands. Raises Unreadable.
    """
    media = MEDIA[ending_of(name)]
    drawn = media == MEDIA[".svg"]
    largest = LARGEST_FILE if drawn else LARGEST_PICTURE
    if len(data) > largest:
        raise Unreadable(beyond(mebibytes(largest), f"in the picture '{name:.60}'", span))
    if not drawn:
        _expect_points(data, name, media, span)
    return InlinePicture(media, read_svg(data, shown) if drawn else data)


def _expect_points(data: bytes, name: str, media: str, span: Span) -> None:
    """That a picture of points can be decoded, and is not too large; raises Unreadable."""
    from PIL import Image

    def expect_few(count: int, limit: int, what: str) -> None:
        if count > limit:
            raise Unreadable(beyond(limit, f"{what} '{name:.60}'", span, _SMALLER))

    # In a JPEG these bytes begin a pass over the whole picture, and nothing else.
    passes = data.count(b"\xff\xda") if media == MEDIA[".jpg"] else 0
    expect_few(passes, DEEPEST, "passes of the progressive JPEG")
    try:
        with _strictly():
            picture = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
            expect_few(picture.width * picture.height, MOST_POINTS, "points in the picture")
            picture.load()
            if f"image/{(picture.format or '').lower()}" != media:
                raise ValueError("its name says another kind")
            if picture.mode.startswith("I"):
                raise ValueError("16 bits a point")
    except Unreadable:
        raise
    except Exception as fault:  # the library reports broken files by errors of a dozen kinds
        reason = (str(fault).splitlines() or [""])[0][:80]
        known = f" ({reason})" if reason and "BytesIO" not in reason else ""
        message = f"'{name:.60}' is no {media[6:].upper()} picture that can be printed{known}"
        hint, expected = (
            "save it again, or rename it by what it is",
            "a picture that opens in any viewer",
        )
        raise Unreadable(Problem("R217", message, span, expected, hint)) from None


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
