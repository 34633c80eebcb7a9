"""Any bytes at all as a picture give a report, never an exception, and what is read only draws."""

from xml.etree import ElementTree

from beside import as_written
from hypothesis import example, given
from hypothesis import strategies as st

from rulebook.loading.svg_pictures import ELEMENTS, SVG, read_svg

SIGNS = st.sampled_from(
    as_written(__file__, "data")
)  # fmt: skip
ROOT = f'<svg xmlns="{SVG}" viewBox="0 0 148 210">'


@given(
    st.binary() | st.lists(SIGNS, max_size=30).map(lambda p: f"{ROOT}{''.join(p)}</svg>".encode())
)
@example(b"\xff\xfe<\x00")
@example(f"{ROOT}</svg>".encode())
def test_any_bytes_give_a_drawing_or_faults(data: bytes) -> None:
    drawn, problems = read_svg(data, "cover.svg")
    assert (drawn is None) == bool(problems)
    for element in ElementTree.fromstring(drawn).iter() if drawn else ():
        name = element.tag.removeprefix(f"{{{SVG}}}")
        assert name in ELEMENTS | {"svg"}
        for key, value in element.attrib.items():
            assert not key.startswith("on")
            assert "url(" not in value or value in ("url(#a)", "url(#b)")
            assert key != "href" or value in ("#a", "#b")
