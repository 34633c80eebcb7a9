from __future__ import annotations

import io
import sys
from math import atan, degrees

import ezdxf
import pytest
from ezdxf.document import Drawing as Document

from rulebook.cutouts.shapes import draw
from rulebook.drawing.dxf import DxfUnavailable, dxf
from rulebook.drawing.layers import cutter_picture
from rulebook.drawing.shapes import Drawing
from rulebook.model.cutouts import Arc, Burst, Cone


def read(drawing: Drawing) -> Document:
    document = ezdxf.read(io.StringIO(dxf(cutter_picture(drawing)).decode()))
    assert not document.audit().has_errors
    return document


def test_the_cone_read_back_is_24_by_5_inches_on_its_layers(cone: Cone) -> None:
    document = read(draw(cone))
    assert document.header["$INSUNITS"] == 4, "millimetres"
    assert {"CUT", "SCORE", "ENGRAVE"} <= {layer.dxf.name for layer in document.layers}
    space = document.modelspace()
    (outline,) = space.query('LWPOLYLINE[layer=="CUT"]')
    points = [(x, y) for x, y, *_ in outline.get_points()]
    assert outline.closed
    assert points[0] == (0, pytest.approx(2.5 * 25.4))
    assert {(round(x, 6), round(y, 6)) for x, y in points[1:]} == {(609.6, 127), (609.6, 0)}
    assert sorted(line.dxf.start.x for line in space.query('LINE[layer=="SCORE"]')) == [
        pytest.approx(5.5 * 25.4),
        pytest.approx(12 * 25.4),
    ]


def test_the_burst_read_back_has_its_circles_and_words_upright(burst: Burst) -> None:
    space = read(draw(burst)).modelspace()
    (cut,) = space.query('CIRCLE[layer=="CUT"]')
    assert (*cut.dxf.center, cut.dxf.radius) == pytest.approx((76.2, 76.2, 0, 76.2))
    words = {text.dxf.text: text for text in space.query("TEXT")}
    heights = [words[score].dxf.align_point.y for score in "563"]
    assert heights == sorted(heights, reverse=True), "y runs up"
    assert all(text.dxf.layer == "ENGRAVE" for text in words.values())
    assert words["6"].dxf.rotation == 0
    lines = space.query('LINE[layer=="SCORE"]')
    assert len(lines) == 4
    for line in lines:
        assert line.dxf.start.distance((76.2, 76.2)) == pytest.approx(25.4)
        assert line.dxf.end.distance((76.2, 76.2)) == pytest.approx(76.2)


@pytest.mark.parametrize("radius", ["700/6mm", "41/3in"])
@pytest.mark.parametrize("angle", [179, 180, 181])
def test_the_outline_of_an_arc_is_exact(radius: str, angle: int) -> None:
    drawn = draw(Arc(shape="arc", title="Arc", angle=f"{angle}deg", radius=radius))
    (outline,) = read(drawn).modelspace().query('LWPOLYLINE[layer=="CUT"]')
    turns = [degrees(4 * atan(bulge)) for *_, bulge in outline.get_points()]
    assert min(turns) == pytest.approx(-angle, abs=1e-6)


def test_the_same_bytes_each_time(cone: Cone) -> None:
    first = dxf(cutter_picture(draw(cone)))
    assert first == dxf(cutter_picture(draw(cone)))
    assert not ezdxf.options.write_fixed_meta_data_for_testing, "the switch is put back"


@pytest.mark.parametrize("title", ["line\nbreak", "\x00nul", "lone \ud800", "%%c {\\H20;}", "ü″½"])
def test_hostile_words_make_a_file_that_can_be_read(title: str, cone: Cone) -> None:
    hostile = cone.model_copy(update={"title": title})
    texts = read(draw(hostile)).modelspace().query("TEXT")
    assert len(texts) > 6


def test_without_the_library_the_fault_names_the_line_that_installs_it(
    cone: Cone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    with pytest.raises(DxfUnavailable, match=r"pip install 'rulebook\[dxf\]'"):
        dxf(cutter_picture(draw(cone)))
