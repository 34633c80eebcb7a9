"""Maps read back: where things are, that nothing covers anything, that the worst of input draws."""

import math
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from beside import beside
from last_wagon_game import HEXES, around
from map_samples import FEATURES, expect_nothing_covered, gettysburg, inches, scenario
from read_svg import ends_of

from rulebook.drawing.elements import Drawn
from rulebook.drawing.svg import svg_elements, svg_text
from rulebook.maps.canvas import Canvas, MapLook
from rulebook.maps.drawing import (
    BATTLE,
    BATTLE_MAT,
    DrawnMap,
    Shows,
    battle_mat,
    draw_map,
)
from rulebook.maps.frame import Hexes
from rulebook.maps.ground import rises
from rulebook.maps.names import SideMark, draw_arrow
from rulebook.maps.page import MapPage, map_on_one_page, map_picture
from rulebook.model.map_features import AREA_KINDS, FEATURE_KINDS, LINE_KINDS
from rulebook.quotation_marks import with_marks

SVG = "{http://www.w3.org/2000/svg}"
TENTH = Fraction(1, 10)
INCH = 25.4


def drawn(features: dict[str, object], shows: Shows = BATTLE, **more: object) -> DrawnMap:
    return draw_map(scenario(features, **more), TENTH, shows=shows)


def svg_of(one: DrawnMap) -> str:
    return svg_text(map_picture(one, "A map", "of a table"))


def tree_of(one: DrawnMap) -> ElementTree.Element:
    return ElementTree.fromstring(svg_of(one))


def group_of(one: DrawnMap, name: str) -> ElementTree.Element:
    found = [
        g for g in tree_of(one).iter(f"{SVG}g") if name in (g.get("class"), g.get("data-feature"))
    ]
    assert found, f"no group {name}"
    return found[0]


def points_of(path: str) -> list[tuple[float, float]]:
    return [end for _, end in ends_of(path)]


def on_page(one: DrawnMap, x: float, y: float) -> tuple[float, float]:
    """Inches of the table on the page, reckoned another way."""
    left, _, _, bottom = one.room
    return pytest.approx((left + x * INCH / 10, bottom - y * INCH / 10), abs=1e-3)  # type: ignore[return-value]


def test_the_table_is_as_large_as_its_scale_says() -> None:
    one = drawn({})
    left, top, right, bottom = one.room
    assert right - left == pytest.approx(96 * INCH / 10)
    assert bottom - top == pytest.approx(72 * INCH / 10)
    root = tree_of(one)
    assert root.get("width") == f"{one.width:.4f}".rstrip("0") + "mm"
    assert left == pytest.approx(one.width - right) == pytest.approx(one.height - bottom)


def test_points_of_a_road_are_where_the_author_put_them() -> None:
    line = [(10, 10), (30, 14), (52, 40), (80, 41)]
    pike = scenario({"pike": {"draw": "road", "line": inches(*line), "width": "3in"}})
    for true in (False, True):
        one = draw_map(pike, TENTH, true_to_scale=true)
        paths = group_of(one, "roads").findall(f"{SVG}path")
        for path in paths:
            for found, (x, y) in zip(points_of(path.get("d", "")), line, strict=True):
                assert found == on_page(one, x, y)
        wide = 3 * INCH / 10 if true else 1.3 * one.canvas.look.grain
        assert float(paths[-1].get("stroke-width", 0)) == pytest.approx(wide, abs=1e-3)


def test_corners_of_a_field_and_a_turned_building() -> None:
    corners = [(10, 10), (30, 12), (28, 30), (12, 26)]
    one = drawn(beside(__file__, "field_and_barn"))
    outline = group_of(one, "wheat").findall(f"{SVG}path")[-1].get("d", "")
    for found, (x, y) in zip(points_of(outline), corners, strict=False):
        assert found == on_page(one, x, y)
    plan = points_of(group_of(one, "barn").findall(f"{SVG}path")[0].get("d", ""))
    turned = [(52, 45), (52, 35), (48, 35), (48, 45)]
    for found, (x, y) in zip(plan, turned, strict=False):
        assert found == on_page(one, x, y)


def test_ground_on_tiles_fills_them() -> None:
    corners = inches((3, 3), (9, 3), (9, 9), (6, 9), (6, 6), (3, 6))
    forest = {"draw": "woods", "area": corners}
    drawn = draw_map(scenario({"forest": forest}), Fraction(1, 10), shows=BATTLE_MAT)
    (shape,) = drawn.shapes
    low = min(x for x, _ in shape.points), min(y for _, y in shape.points)
    high = max(x for x, _ in shape.points), max(y for _, y in shape.points)
    assert high[0] - low[0] == pytest.approx(6 * 2.54)
    assert high[1] - low[1] == pytest.approx(6 * 2.54)


def test_names_stand_along_a_road_straight_up() -> None:
    road = {"draw": "road", "title": "High Road", "line": inches((40, 0), (40, 72))}
    drawn = draw_map(scenario({"high_road": road}), Fraction(1, 10))
    (name,) = (one for one in drawn.names.placed if one.name == "high_road")
    xs = [x for quad in name.parts[0].quads for x, _ in quad]
    ys = [y for quad in name.parts[0].quads for _, y in quad]
    assert max(ys) - min(ys) > 3 * (max(xs) - min(xs))


def test_an_arrow_where_nobody_comes_points_off_the_table() -> None:
    canvas = Canvas(MapLook(), 1.0)
    coming, going = (
        draw_arrow((0.0, 0.0), 0.0, sides, canvas) for sides in ([SideMark(0, "blue")], [])
    )
    assert coming != going

    def point(drawn: Drawn) -> float:
        """How far from the edge the badge ends in a point."""
        outline = points_of(re.findall(r' d="([^"]*)"', svg_elements(drawn))[-1])
        return next(x for x, y in outline if abs(y) < 1e-9)

    assert point(going) == 0 < point(coming)


def test_north_is_up_and_turns_are_clockwise() -> None:
    oval = {"centre": ["48in", "36in"], "width": "20in", "depth": "4in", "turn": "30"}
    one = drawn({"hill": {"draw": "hill", "oval": oval}})
    (shape,) = one.shapes
    right = max(shape.points)
    assert right[1] > one.room[3] - 36 * INCH / 10, "its eastern end lies lower, to the south"


def test_a_road_passes_through_the_end_of_another() -> None:
    one = drawn(beside(__file__, "roads"))
    shapes = {shape.name: shape for shape in one.shapes}
    end = shapes["lane"].points[-1]
    assert end == on_page(one, 20, 45.3)
    assert shapes["main"].track.nearest(end)[0] < 1e-6
    apart = drawn(beside(__file__, "roads_apart"))
    assert len(apart.shapes[0].pieces) == 3, "two pieces, and one beyond the edge"


def test_lines_are_led_on_beyond_the_edge_at_which_they_end() -> None:
    one = drawn({"creek": {"draw": "river", "line": inches((0, 30), (50, 40)), "width": "2in"}})
    (river,) = one.shapes
    assert river.points[0][0] < one.room[0]
    assert river.points[-1] == on_page(one, 50, 40)


def test_a_river_is_narrow_only_where_it_rises() -> None:
    one = drawn(beside(__file__, "rivers"))
    shapes = {shape.name: shape for shape in one.shapes}
    waters, room = one.shapes, one.room
    rivers = [name for name in shapes if name != "pond"]
    assert [one for one in rivers if rises(shapes[one], waters, room)] == ["spring"]


def test_bridges_lie_along_the_road_that_crosses() -> None:
    features = beside(__file__, "bridge")
    one = drawn(features)
    parapets = group_of(one, "crossings").findall(f"{SVG}path")
    assert len(parapets) == 1, "the road is its deck"
    levels = {round(y, 1) for _, y in points_of(parapets[0].get("d", ""))[:4]}
    middle = one.room[3] - 36 * INCH / 10
    assert len(levels) == 2 and sum(levels) / 2 == pytest.approx(middle, abs=0.1)
    bare = drawn({"creek": features["creek"]})
    assert len(group_of(bare, "crossings").findall(f"{SVG}path")) == 2


@pytest.mark.parametrize("ink", ["full", "low"])
def test_every_kind_is_drawn(ink: str) -> None:
    for kind in (*AREA_KINDS, *LINE_KINDS, "point"):
        shape: dict[str, object] = {"at": ["48in", "36in"]}
        if kind in LINE_KINDS:
            shape = {"line": inches((20, 20), (50, 40), (70, 30))}
        elif kind in AREA_KINDS:
            shape = {"area": inches((20, 20), (60, 22), (58, 50), (22, 48))}
        one = draw_map(scenario({"it": {"draw": kind, **shape}}), TENTH, ink=ink)  # type: ignore[arg-type]
        empty = draw_map(scenario({}), TENTH, ink=ink)  # type: ignore[arg-type]
        assert svg_of(one).count("<path") > svg_of(empty).count("<path"), kind
        assert FEATURE_KINDS[kind].title


def test_low_ink_is_black_and_white() -> None:
    low = draw_map(gettysburg(), TENTH, ink="low")
    assert set(re.findall(r"#[0-9a-f]{6}", svg_of(low))) == {"#000000", "#ffffff"}


def test_sides_are_told_apart_without_colour() -> None:
    low = tree_of(draw_map(gettysburg(), TENTH, ink="low"))
    zones = [g for g in low.iter(f"{SVG}g") if g.get("class") == "zone"]
    leaning = set()
    for zone in zones:
        (x1, y1), (x2, y2) = points_of(zone.findall(f"{SVG}path")[0].get("d", ""))[:2]
        leaning.add((x2 - x1) * (y2 - y1) > 0)
    assert leaning == {True, False}
    arrows = [g for g in low.iter(f"{SVG}g") if g.get("class") == "entry"]
    fills = {
        g.get("data-feature"): [p.get("fill") for p in g.findall(f"{SVG}path")] for g in arrows
    }
    assert "#000000" in fills["baltimore"] and "#000000" not in fills["carlisle"]


def test_too_many_names_are_numbered_and_none_is_lost() -> None:
    spot = {
        f"h{i}": {
            "draw": "point",
            "title": f"Height number {i} of the ridge",
            "at": [f"{40 + i % 8}in", f"{30 + i // 8}in"],
        }
        for i in range(64)
    }
    one = drawn(spot)
    placed = {name.title for name in one.names.placed}
    numbered = {n.title: n for n in one.numbered}
    assert placed and numbered
    assert placed | set(numbered) == {str(f["title"]) for f in spot.values()}
    assert not placed & set(numbered)
    assert sorted(n.number for n in one.numbered) == list(range(1, len(numbered) + 1))
    expect_nothing_covered(one)
    first = next(iter(numbered.values()))
    column, row = first.square[0], int(first.square[1:])
    at = spot[first.name]["at"]
    x, y = (float(str(length).removesuffix("in")) for length in at)  # type: ignore[union-attr]
    assert column == "ABCDEFGH"[int(x // 12)] and row == int(y // 12) + 1


def test_flags_have_the_numbers_of_objectives_and_names_go_on_from_them() -> None:
    one = draw_map(gettysburg(), TENTH)
    objectives = [n for n in one.numbered if n.objective]
    assert [(n.number, n.title) for n in objectives] == [
        (1, "The town"),
        (2, "Cemetery Hill"),
        (3, "Culp’s Hill"),
    ]
    assert {tag.number for tag in one.names.tags} >= {1, 2, 3}


def test_a_road_that_bears_the_name_of_its_entry_is_named_once() -> None:
    one = draw_map(gettysburg(), TENTH)
    titles = [placed.title for placed in (*one.names.placed, *one.names.margin)]
    assert titles.count("Carlisle Road") == titles.count("Chambersburg Pike") == 1
    assert "Baltimore Pike" in titles and "Baltimore Road" in titles


def test_entries_have_numbers_and_their_names_in_the_margin() -> None:
    """The numbers go on from those of the objectives; who comes, and when, stands by the name."""
    one = draw_map(gettysburg(), TENTH)
    text = "".join(tree_of(one).itertext())
    assert "Union 6, 12" in text and "Confederate 1, 8" in text
    entries = [place for place in gettysburg().places.values() if place.entry]
    told = {
        placed.title: "".join(part.text or part.lines[0][0] for part in placed.parts)
        for placed in one.names.margin
    }
    for number, place in enumerate(entries, len(gettysburg().objectives) + 1):
        assert told[place.title].startswith(f"{number}\u2002{place.title}")
    left, top, right, bottom = one.room
    for placed in one.names.margin:
        for part in placed.parts:
            for x, y in [at for _, at in part.lines] + [at for at, _ in part.places]:
                assert not (left < x < right and top < y < bottom)
                assert 0 < x < one.width and 0 < y < one.height


def test_a_margin_without_room_tells_names_beside_the_map() -> None:
    places = {
        f"road_{n}": {
            "title": f"The long road to the town of number {n}",
            "entry": inches((n, 0))[0],
        }
        for n in range(10, 80, 5)
    }
    one = drawn({}, places=places)
    named = {placed.title for placed in one.names.margin}
    told = {n.title: n.number for n in one.numbered}
    assert named and told and named | set(told) == {place["title"] for place in places.values()}
    assert not named & set(told)
    assert list(told.values()) == sorted(told.values()), "each has the number on its badge"


def test_ovals_of_nature_are_bent_and_as_large_as_they_are_said_to_be() -> None:
    """Each in its own way, and always the same."""
    oval = {"centre": ["48in", "36in"], "width": "30in", "depth": "20in"}
    hills = {name: {"draw": "hill", "oval": oval} for name in ("oak", "elm")}
    one, again = drawn(hills), drawn(hills)
    for shape in one.shapes:
        xs, ys = ([at[side] for at in shape.points] for side in (0, 1))
        assert (min(xs), max(ys)) == (
            pytest.approx(one.room[0] + 33 * INCH / 10, abs=0.2),
            pytest.approx(one.room[3] - 26 * INCH / 10, abs=0.2),
        )
        assert max(xs) - min(xs) == pytest.approx(30 * INCH / 10, rel=0.01)
        assert max(ys) - min(ys) == pytest.approx(20 * INCH / 10, rel=0.01)
        x, y = sum((min(xs), max(xs))) / 2, sum((min(ys), max(ys))) / 2
        reaches = [math.hypot((a - x) / 15, (b - y) / 10) * 10 / INCH for a, b in shape.points]
        assert min(reaches) < 0.93, "an ellipse has 1 all around"
    assert one.shapes[0].points != one.shapes[1].points
    assert one.body == again.body


def test_a_mat_is_as_large_as_the_table_and_without_words() -> None:
    mat = battle_mat(gettysburg())
    assert (mat.width, mat.height) == pytest.approx((96 * INCH, 72 * INCH))
    assert mat.room == pytest.approx((0, 0, 96 * INCH, 72 * INCH))
    assert "<text" not in svg_of(mat)
    half = battle_mat(gettysburg(), Fraction(1, 2))
    assert half.width == pytest.approx(48 * INCH)
    assert half.canvas.look.grain == mat.canvas.look.grain / 2


def test_nothing_has_an_id_so_that_maps_can_share_a_page() -> None:
    assert not re.search(r'\bid="|url\(', svg_of(draw_map(gettysburg(), TENTH)))


WORST = beside(__file__, "worst")


@pytest.mark.parametrize("feature", WORST.values(), ids=WORST.keys())
@pytest.mark.parametrize("scale", [Fraction(1, 60), TENTH])
def test_the_worst_feature_is_drawn(feature: dict[str, object], scale: Fraction) -> None:
    one = draw_map(scenario({"it": feature, "pike": FEATURES["york_road"]}), scale)
    text = "".join(tree_of(one).itertext())
    assert "nan" not in svg_of(one) and "inf" not in svg_of(one)
    if title := feature.get("title"):
        told = [placed.title for placed in one.names.placed] + [n.title for n in one.numbered]
        assert with_marks(str(title)) in told
        assert "script>" not in "".join(e.tag for e in tree_of(one).iter())
    assert text


@pytest.mark.parametrize(
    ("width", "depth"), [("6in", "6in"), ("10m", "10m"), ("10m", "6in"), ("90cm", "1.2m")]
)
def test_tables_of_all_sizes_have_a_grid(width: str, depth: str) -> None:
    one = draw_map(scenario({}, table={"width": width, "depth": depth}), Fraction(1, 20))
    assert 1 <= one.grid.columns <= 24 and 1 <= one.grid.rows <= 24
    assert one.grid.metric is ("m" in width)
    assert one.grid.square(Fraction(10**6), Fraction(-5)) == (
        f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[one.grid.columns - 1]}1"
    )


#: Seven columns, which are 1/√3 + 6·√3/2 + 1/√3 inches wide, and eight hexes and a half.
BOARD = {"width": "6.35in", "depth": "8.5in", "hexes": "1in"}


def board() -> tuple[DrawnMap, dict[str, tuple[float, float]]]:
    one = draw_map(scenario({}, table=BOARD), Fraction(1))
    assert isinstance(one.grid, Hexes)
    return one, {name: (x / INCH, y / INCH) for name, (x, y) in one.grid.middles()}


def test_hexes_have_their_names_and_are_as_far_apart_as_they_are_wide() -> None:
    """Neighbours are counted as printed: every second column stands half a hex higher."""
    one, middles = board()
    assert list(middles) == HEXES
    apart = {
        name: {other for other, place in middles.items() if 0.01 < math.dist(middle, place) < 1.2}
        for name, middle in middles.items()
    }
    assert apart == {name: {*around(name)} for name in HEXES}
    for name, (x, y) in middles.items():
        assert all(math.dist((x, y), middles[other]) == pytest.approx(1) for other in apart[name])
        assert one.grid.square(Fraction(x + 0.3) * 127 / 5, Fraction(y - 0.3) * 127 / 5) == name
    west, south = (min(at[side] for at in middles.values()) for side in (0, 1))
    assert (west, south) == pytest.approx((1 / math.sqrt(3), 0.5))
    assert max(x for x, _ in middles.values()) + west == pytest.approx(6.35, abs=0.01)


def test_each_side_of_a_hex_is_drawn_once_and_each_name_stands_in_it() -> None:
    """Six sides each, less one for every two hexes that share it."""
    one, middles = board()
    grid = group_of(one, "grid")
    ends = points_of(grid.findall(f"{SVG}path")[0].get("d") or "")
    lines = [frozenset(pair) for pair in zip(ends[::2], ends[1::2], strict=True)]
    shared = sum(len(around(name)) for name in HEXES) / 2
    assert len({*lines}) == len(lines) == 6 * len(HEXES) - shared
    assert {round(math.dist(*line), 2) for line in lines} == {round(INCH / math.sqrt(3), 2)}
    left, _, _, bottom = one.room
    told = grid.findall(f"{SVG}text")
    assert [word.text for word in told] == HEXES
    for word in told:
        x, y = (float(word.get(key) or 0) for key in "xy")
        at = ((x - left) / INCH, (bottom - y) / INCH)
        assert math.dist(at, middles[word.text or ""]) < 0.5


def test_the_hatching_of_a_zone_leaves_the_names_of_hexes_free() -> None:
    """Its upper edge runs just above the names of every second column."""
    corners = [["0.3in", "1in"], ["6in", "1in"], ["6in", "4.96in"], ["0.3in", "4.96in"]]
    force = {"title": "All", "of": {"infantry": "1"}, "at": "rows"}
    one = draw_map(
        scenario(
            {},
            table=BOARD,
            places={"rows": {"title": "Rows", "zone": corners}},
            sides={
                name: {"title": name, "colour": name, "forces": {"all": force}}
                for name in ("blue", "grey")
            },
        ),
        Fraction(1),
    )
    zone = next(g for g in tree_of(one).iter(f"{SVG}g") if g.get("class") == "zone")
    ends = points_of(zone.findall(f"{SVG}path")[0].get("d") or "")
    dots = [
        (x + (x2 - x) * part / 50, y + (y2 - y) * part / 50)
        for (x, y), (x2, y2) in zip(ends[::2], ends[1::2], strict=True)
        for part in range(51)
    ]
    assert len(dots) > 5000
    for word in group_of(one, "grid").findall(f"{SVG}text"):
        x, y = (float(word.get(key) or 0) for key in "xy")
        under = [dot for dot in dots if 0 < dot[0] - x < 1.5 and -1.2 < dot[1] - y < 0]
        assert under == [], word.text


def test_a_mat_has_its_hexes_and_a_page_tells_how_large_they_are() -> None:
    mat = battle_mat(scenario({}, table=BOARD))
    assert len(group_of(mat, "grid").findall(f"{SVG}text")) == len(HEXES)
    page = svg_text(map_on_one_page(scenario({}, table=BOARD), MapPage(180.0, 260.0)))
    assert "Map of a table 6.35″ by 8½″, hexes of 1″" in page
    assert "Hexes of 1″" in page
    assert "Squares" not in page


def test_more_than_26_columns_of_hexes_have_names_of_their_own() -> None:
    table = {"width": "50in", "depth": "6in", "hexes": "1in"}
    grid = draw_map(scenario({}, table=table), Fraction(1, 10)).grid
    assert isinstance(grid, Hexes)
    names = [name for name, _ in grid.middles()]
    assert len({*names}) == len(names) == grid.columns * grid.rows
    assert (grid.columns, grid.rows, names[-1]) == (57, 5, "EEE5")
