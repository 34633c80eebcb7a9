"""Round and flat cutouts of other games, written as their authors would, and read back.

A game of regiments asks for a howitzer disc, command radii, arcs, stands and trays; a game on tiles
for markers; a skirmish for round bases, blasts and a table of grape radii.
"""

from __future__ import annotations

import io
from fractions import Fraction
from itertools import pairwise
from math import hypot

import ezdxf
import pytest
from beside import beside

from rulebook.checking.sense import check
from rulebook.cutouts.drawing import Circle, Contour, Drawing, Label
from rulebook.cutouts.dxf import dxf
from rulebook.cutouts.parameters import set_parameters
from rulebook.cutouts.scaling import scaled
from rulebook.cutouts.shapes import draw, pieces
from rulebook.cutouts.svg import svg_miniature
from rulebook.loading.rulesets import load
from rulebook.model.lookup import find
from rulebook.model.ruleset import Ruleset
from rulebook.problems import format_report
from rulebook.publications.binding import Binder, plain_text
from rulebook.publications.cutout_sheets import cutout_view, drawing_of, pieces_of
from rulebook.quantities import QuantityError

INCH = Fraction("25.4")
GAME = beside(__file__, "game")
NAMES = [
    *("howitzer", "volley_gun", "grape", "blast", "friend", "general", "brigadier"),
    *("sight", "grape_arc", "near_target"),
    *("medium_stand", "infantry_base", "company", "column", "tiles"),
]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("content") / "game"
    folder.mkdir()
    header = (
        'title: Game\nedition: "1.0"\ndate: 2020-01-02\nchapters: [one.md]\ndocuments: {qrs: ~}\n'
    )
    (folder / "ruleset.yaml").write_text(header, encoding="utf-8")
    placed = "\n\n".join(f"{{cutout: {name}}}" for name in NAMES)
    (folder / "one.md").write_text(f"# One {{#one}}\n\n{placed}\n", encoding="utf-8")
    (folder / "cutouts.yaml").write_text(GAME, encoding="utf-8")
    loaded = load(folder)
    assert loaded.ruleset is not None, format_report(loaded.report)
    assert format_report(check(loaded.ruleset)) == ""
    assert list(loaded.ruleset.cutouts) == NAMES
    return loaded.ruleset


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        ("howitzer", 3 * INCH, 3 * INCH),
        ("volley_gun", 4 * INCH, 4 * INCH),
        ("grape", 5 * INCH, 5 * INCH),
        ("blast", 6 * INCH, 6 * INCH),
        ("friend", 12 * INCH, 12 * INCH),
        ("general", 12 * INCH, 8 * INCH),
        ("brigadier", 12 * INCH, 16 * INCH),
        ("sight", 12 * INCH, 6 * INCH),
        ("grape_arc", 12 * INCH * 2 ** Fraction(1, 2), 12 * INCH),
        ("medium_stand", 2 * INCH, INCH * 5 / 4),
        ("infantry_base", 25, 25),
        ("company", 4 * INCH, INCH * 5 / 4),
        ("column", 4 * INCH + 1 + 8, INCH * 15 / 4 + 2 + 8),
        ("tiles", 25, 18),
    ],
)
def test_every_piece_has_its_size(
    game: Ruleset, name: str, width: Fraction | float, height: Fraction | float
) -> None:
    for piece in pieces_of(game, name).drawings:
        # of a disc that is too wide whole degrees are drawn
        assert float(width) - 4 <= float(piece.width) <= float(width) + 1e-6
        assert name in ("general", "brigadier") or float(piece.width) == pytest.approx(float(width))
        assert float(piece.height) == pytest.approx(float(height))


def test_pieces_are_counted(game: Ruleset) -> None:
    counted = {name: len(pieces_of(game, name).drawings) for name in NAMES}
    several = {"medium_stand": 6, "infantry_base": 20, "tiles": 8 + 6 * 4}
    assert counted == {**dict.fromkeys(NAMES, 1), **several}


@pytest.mark.parametrize(
    ("path", "told"),
    beside(__file__, "texts_read_what_is_written"),
)
def test_texts_read_what_is_written(game: Ruleset, path: str, told: str) -> None:
    assert str(find(game, path)) == told


def test_a_use_names_its_own_measures(game: Ruleset) -> None:
    use = plain_text(Binder(game).prose(game.cutouts["blast"].use))
    assert use == "Grenades burst within 2″, 6″ is the widest."


def cut_contours(drawing: Drawing) -> int:
    return len([s for s in drawing.shapes if isinstance(s, Circle | Contour) and s.layer == "cut"])


@pytest.mark.parametrize("name", NAMES)
def test_a_cutter_goes_round_closed_lines(game: Ruleset, name: str) -> None:
    drawing = drawing_of(game, name)
    document = ezdxf.read(io.StringIO(dxf(drawing).decode()))
    assert not document.audit().has_errors
    cut = document.modelspace().query('*[layer=="CUT"]')
    assert len(cut) >= max(1, cut_contours(drawing))
    assert all(one.dxftype() == "CIRCLE" or one.closed for one in cut)
    assert not document.modelspace().query('*[layer=="0"]')


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", NAMES)
def test_each_goes_onto_sheets(game: Ruleset, name: str, paper: str) -> None:
    view = cutout_view(game, name, paper)  # type: ignore[arg-type]
    assert view.refusal is None and view.sheets
    assert svg_miniature(drawing_of(game, name), 84).startswith("<svg")


def test_grape_radii_follow_the_table(game: Ruleset) -> None:
    circles = sorted(
        one.radius
        for one in drawing_of(game, "grape").shapes
        if isinstance(one, Circle) and one.radius > 5
    )
    assert circles == [INCH, INCH * 3 / 2, 2 * INCH, INCH * 5 / 2]


def test_the_flat_side_lies_to_the_base(game: Ruleset) -> None:
    (half,) = [one for one in drawing_of(game, "sight").shapes if isinstance(one, Contour)]
    assert [(one.x, one.y) for one in half.corners] == [(0, 6 * INCH), (12 * INCH, 6 * INCH)]


def test_the_sides_of_a_right_angle_are_twelve_inches(game: Ruleset) -> None:
    (right,) = [one for one in drawing_of(game, "grape_arc").shapes if isinstance(one, Contour)]
    far, other, point = right.corners
    for one in (far, other):
        assert hypot(float(one.x - point.x), float(one.y - point.y)) == pytest.approx(12 * 25.4)
    across = [(float(one.x - point.x), float(one.y - point.y)) for one in (far, other)]
    assert sum(a * b for a, b in zip(*across, strict=True)) == pytest.approx(0, abs=1e-6)


def test_tokens_tell_their_faces_in_order(game: Ruleset) -> None:
    told = [
        " ".join(one.text for one in piece.shapes if isinstance(one, Label))
        for piece in pieces_of(game, "tiles").drawings
    ]
    assert told == ["Fired into this tile"] * 8 + [str(n) for n in range(1, 7) for _ in range(4)]
    assert all(a <= b for a, b in pairwise(told[8:]))


def test_parameters_of_parts_are_set_by_their_names(game: Ruleset) -> None:
    cutouts = game.cutouts
    fewer = set_parameters(
        cutouts["tiles"], {"faces.fired_into_this_tile.copies": "2", "size.width": "30mm"}
    )
    assert [one.width for one in pieces(fewer)] == [30] * (2 + 24)
    wider = set_parameters(cutouts["howitzer"], {"diameter": "5in", "cross": "false"})
    assert draw(wider).width == 5 * INCH
    arc = set_parameters(cutouts["grape_arc"], {"angle": "180°"})
    assert (draw(arc).width, draw(arc).height) == (24 * INCH, 12 * INCH)
    for name, setting, told in (
        ("tiles", {"shape": "disc"}, "markers have no parameter 'shape'"),
        ("howitzer", {"radius": "2in"}, "a radius and a diameter"),
        ("blast", {"rings.two.radius": "3in"}, "the ring Three"),
        ("sight", {"angle": "nan"}, "angle: 'nan' is not an angle"),
        ("medium_stand", {"copies": "1000000"}, "copies: '1000000' is not a count"),
    ):
        with pytest.raises(QuantityError) as caught:
            set_parameters(cutouts[name], setting)
        assert caught.value.message.startswith(told)


def test_half_the_size_keeps_angles_and_rims(game: Ruleset) -> None:
    half = draw(scaled(game.cutouts["grape_arc"], Fraction(1, 2)))
    assert half.height == 6 * INCH
    tray = draw(scaled(game.cutouts["column"], Fraction(1, 2)))
    assert (tray.width, tray.height) == (2 * INCH + 1 + 8, INCH * 15 / 8 + 2 + 8)
