"""Any bytes at all as a picture give a report, never an exception, and what is read is drawn."""

import re
from base64 import b64decode, b64encode
from random import Random
from xml.etree import ElementTree

import pytest
from beside import as_written
from grown_pictures import drawing
from hypothesis import example, given
from hypothesis import strategies as st

from rulebook.loading.pictures import ELEMENTS, SVG, read_svg
from rulebook.loading.safe_text import Unreadable
from rulebook.packaged import templates_folder
from rulebook.problems import RenderFault
from rulebook.typeset.pdf import lay_out

SIGNS = st.sampled_from(
    as_written(__file__, "data")
)  # fmt: skip
ROOT = f'<svg xmlns="{SVG}" viewBox="0 0 148 210">'


def drawn_of(data: bytes) -> bytes | None:
    try:
        return read_svg(data, "cover.svg")
    except Unreadable as fault:
        assert fault.problems
        return None


@given(
    st.binary() | st.lists(SIGNS, max_size=30).map(lambda p: f"{ROOT}{''.join(p)}</svg>".encode())
)
@example(b"\xff\xfe<\x00")
@example(f"{ROOT}</svg>".encode())
def test_any_bytes_give_a_drawing_or_faults(data: bytes) -> None:
    drawn = drawn_of(data)
    for element in ElementTree.fromstring(drawn).iter() if drawn else ():
        name = element.tag.removeprefix(f"{{{SVG}}}")
        assert name in {*ELEMENTS, "svg"}
        for key, value in element.attrib.items():
            assert not key.startswith("on")
            assert "url(" not in value or value in ("url(#a)", "url(#b)")
            assert key != "href" or value in ("#a", "#b")


#: Drawings that are made; about a third is refused.
DRAWINGS = 1_000


def test_what_is_accepted_is_drawn() -> None:
    random = Random(1)
    made = [drawing(random).encode() for _ in range(DRAWINGS)]
    accepted = [one for one in map(drawn_of, made) if one]
    assert len(accepted) > DRAWINGS / 2
    pictures = "".join(
        f'<img alt="Drawing" src="data:image/svg+xml;base64,{b64encode(one).decode()}"/>'
        for one in dict.fromkeys(accepted)
    )
    page = f'<html lang="en"><head><title>Drawings</title></head><body>{pictures}</body></html>'
    try:
        lay_out(page, [], templates=templates_folder(), name="drawings").pdf(print_hints=False)
    except RenderFault as fault:
        told = re.findall("base64,([^:;' ]+)", "".join(map(str, fault.problems)))
        pytest.fail("\n".join(b64decode(one).decode() for one in told[:3]), pytrace=False)
