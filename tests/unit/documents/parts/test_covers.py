"""The view of a cover: the title in lines as large as they may be, on a picture or an ornament."""

from base64 import b64decode

import pytest
from beside import beside
from covered import covered
from drawn_pictures import drawing
from small_rulesets import ruleset_of

from rulebook.documents.parts.figures import compose_cover
from rulebook.documents.parts.views import CoverView

CUTOUTS = beside(__file__, "cutouts")


def cover_of(**header: str) -> CoverView:
    return compose_cover(covered("image/svg+xml", drawing(""), **header))


def shown(address: str, media: str = "image/svg+xml") -> bytes:
    """The picture that an address holds."""
    start = f"data:{media};base64,"
    assert address.startswith(start)
    return b64decode(address.removeprefix(start))


def test_without_a_picture_the_finest_cutout_is_the_ornament() -> None:
    def ornament(*names: str) -> tuple[str, str]:
        cover = compose_cover(ruleset_of({"cutouts": {name: CUTOUTS[name] for name in names}}))
        assert (cover.lettering, cover.picture) == ("plain", "")
        return cover.alt, cover.ornament

    assert ornament("base", "cone", "other", "disc")[0] == "Other", "the first of the finest"
    title, address = ornament("base", "cone")
    assert title == "Cone" and b"<title>Cone</title>" in shown(address)
    assert ornament("base") == ornament() == ("", "")


def test_a_title_is_broken_where_it_is_largest() -> None:
    cover = cover_of(title="The American Civil War Game", lettering="dark")
    assert cover.title.lines == ("The American", "Civil War Game")
    one = cover_of(title="War", lettering="dark")
    assert one.title.lines == ("War",) and one.title.size > cover.title.size


@pytest.mark.parametrize("title", ["Straße nach Ligny", "ŉ ﬁne Ǆ Maßstab", "A  b\tc", "x" * 200])
def test_the_lines_hold_all_words_as_they_are_written(title: str) -> None:
    """Capitals may be more letters than they are made of."""
    cover = cover_of(title=title)
    assert " ".join(cover.title.lines).split() == title.split()
    assert cover.title.size > 0
