"""Pages of the page maker -> the same in the four inks of a printing press, as PDF/X-4.

PDF/X is what printing services ask for (ISO 15930): the colours are those of a press that the file
names in its output intent, and no viewer has anything to do with it. WeasyPrint writes its marks
and metadata; the colours of a style it leaves as they are, so they are turned into inks here.
Greys take black ink alone: in four inks the edges of small type would be coloured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

#: The press: what its profile is called in the templates, and in the registry of the ICC.
PROFILE = "profiles/FOGRA39L_coated.icc"
CONDITION, REGISTRY = "FOGRA39", "http://www.color.org"
VARIANT = "pdf/x-4"
#: A colour is grey if red, green and blue differ by so much at most; the lightest grey that is
#: printed as black.
GREY, BLACK = 0.045, 0.2
#: A fixed date, so that the same pages are the same bytes.
DATE = "1970-01-01T00:00:00Z"

#: Red, green and blue, or cyan, magenta, yellow and black; from 0 to 1.
Colour = tuple[float, ...]


@contextmanager
def on_press(document: Any, templates: Path) -> Iterator[None]:
    """Within this context, a document is written as PDF in the inks of the press.

    WeasyPrint is patched for that time, so that it converts colours by the profile in `templates`
    and writes fixed dates and ids.
    """
    from weasyprint.css import ColorProfile
    from weasyprint.pdf import metadata
    from weasyprint.pdf.stream import Stream

    srgb = files("weasyprint.pdf") / "sRGB2014.icc"
    inks = inks_of(templates / PROFILE)
    own = ("set_color", "add_shading")
    kept = {name: getattr(Stream, name) for name in own}
    profiles, made, dates = document.color_profiles, metadata.uuid4, document.metadata
    name = uuid5(NAMESPACE_URL, dates.title or "")

    def set_color(stream: Any, color: Any, stroke: bool = False) -> None:
        *channels, alpha = color.to("srgb")
        kept["set_color"](stream, _Inks(inks(tuple(channels)), alpha), stroke)

    def add_shading(stream: Any, *given: Any, color_space: str | None = None) -> Any:
        *shape, space = (*given, color_space)[:6]
        return kept["add_shading"](stream, *shape, color_space=space or "DeviceRGB")

    with (templates / PROFILE).open("rb") as press, srgb.open("rb") as screen:
        document.color_profiles = {
            "device-cmyk": ColorProfile(press, PROFILE, "relative-colorimetric", list("cmyk")),
            # pictures of points and shades stay as they are, and the press hears what they mean
            "DefaultRGB": ColorProfile(screen, "sRGB", "relative-colorimetric", list("rgb")),
        }
    Stream.set_color, Stream.add_shading = set_color, add_shading
    metadata.uuid4 = lambda: name
    dates.created = dates.modified = DATE
    try:
        yield
    finally:
        Stream.set_color, Stream.add_shading = kept["set_color"], kept["add_shading"]
        document.color_profiles, metadata.uuid4 = profiles, made
        dates.created = dates.modified = None


def name_press(pdf: Any) -> None:
    """Writes the registered name of the printing condition into a PDF that is being written."""
    import pydyf

    [intent] = pdf.catalog["OutputIntents"]
    intent["OutputConditionIdentifier"] = pydyf.String(CONDITION)
    intent["RegistryName"] = pydyf.String(REGISTRY)


@lru_cache(maxsize=2)
def inks_of(profile: Path) -> Callable[[Colour], Colour]:
    """Returns a function that converts red, green and blue, 0 to 1, to the inks of a press.

    `profile` is the path of its ICC profile. Greys become black ink alone.
    """
    from PIL import Image, ImageCms

    with profile.open("rb") as data:
        press = ImageCms.ImageCmsProfile(data)
    turn = ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"),
        press,
        "RGB",
        "CMYK",
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )

    @lru_cache(maxsize=4096)
    def inks(colour: Colour) -> Colour:
        if max(colour) - min(colour) <= GREY:
            light = sum(colour) / 3
            return (0, 0, 0, 1 if light <= BLACK else round(1 - light, 4))
        point = Image.new("RGB", (1, 1), tuple(round(255 * channel) for channel in colour))
        done = ImageCms.applyTransform(point, turn)
        assert done is not None
        found = done.getpixel((0, 0))
        assert isinstance(found, tuple)
        return tuple(round(channel / 255, 4) for channel in found)

    return inks


class _Inks:
    """A colour in the form that WeasyPrint needs: four inks and an opacity."""

    space = "device-cmyk"

    def __init__(self, coordinates: Colour, alpha: float) -> None:
        self.coordinates = coordinates
        self.alpha = alpha

    def __iter__(self) -> Iterator[float]:
        return iter((*self.coordinates, self.alpha))
