"""The cover that a header asks for, and a picture that has been read: its kind, bytes and size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator

from rulebook import quantities
from rulebook.model.scalars import FrozenModel, Line

#: Endings of the files that can be printed, and what each kind is called on the web.
MEDIA = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
}
#: Names that are spelt alike on every machine.
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_EXPECTED = "an SVG, PNG or JPEG file in the ruleset's folder, such as cover.svg"


def ending_of(name: str) -> str:
    """The ending of a file's name with its dot, in small letters; nothing where it has none."""
    return f".{name.rpartition('.')[2].lower()}" if "." in name else ""


def picture_name(text: str) -> str:
    """The name of a file that can be printed; raises QuantityError where it is none."""
    outside = text.startswith(("/", "~", "\\")) or ".." in text.split("/") or ":" in text
    if outside or ending_of(text) not in MEDIA:
        message = f"'{text[:60]}' is no picture of this ruleset"
        raise quantities.QuantityError(message, code="R217", expected=_EXPECTED)
    if not _PLAIN.fullmatch(text):
        raise quantities.QuantityError(
            f"'{text[:60]}' has other characters than names of files may have",
            code="R115",
            expected="letters from a to z, digits, hyphens, underscores and points",
        )
    return text


PictureFile = Annotated[Line, AfterValidator(picture_name)]


class Cover(FrozenModel):
    """The picture on the first page of the booklet, with the title set on it."""

    picture: PictureFile
    """SVG, PNG or JPEG file in the ruleset's folder, upright"""
    alt: Line
    """what it shows, for those who cannot see it"""
    credit: Line | None = None
    """who made it; printed with the credits"""
    lettering: Literal["label", "light", "dark"] = "label"
    """the title on a label of its own, or in light or dark letters on the picture, whose upper
    third is then calm
    """


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture that can be printed as it is: it reads no file, asks no address, runs nothing."""

    media: str
    data: bytes
