"""`rulebook map`: the map of a scenario in each form, and what is said when it cannot be drawn."""

import re
import sys
from pathlib import Path

import pytest
from beside import beside
from mapped_game import write_mapped
from read_svg import read_svg

INCH = 25.4

GROUND = """
        mill: {draw: building, title: Mill, is: charges.foot, at: ~}
        lane: {draw: road, title: Lane, width: 1.5in, line: [[0in, 20in], [40in, 20in]]}
""".replace("at: ~", "box: {centre: [10in, 10in], width: 4in, depth: 2in}")


@pytest.fixture
def game(here: Path) -> Path:
    return write_mapped(here, GROUND, (40, 26)) / "game"


def words(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_a_drawing_has_the_map_its_legend_and_its_fonts(game, here, run):
    result = run("map", "game", "mapped", "-o", "a/map.svg")
    assert (result.exit_code, result.output) == (0, "wrote a/map.svg\n")
    svg = (here / "a/map.svg").read_text(encoding="utf-8")
    assert {"Mapped", "Building: Foot", "Road", "Lane", "A", "1"} <= set(words(svg))
    assert "@font-face{font-family:'Spectral'" in svg
    assert "data:font/ttf;base64," in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", ""), "nothing is fetched"
    assert read_svg(svg).title == "Mapped"


def test_each_kind_shows_what_it_is_for(game, run):
    text = (game / "mapped.yaml").read_text(encoding="utf-8")
    text = text.replace(
        "    sides:\n",
        "    places: {west: {title: Westgate, zone: [[0in, 0in], [9in, 0in], [9in, 26in]]}}\n"
        "    objectives: {won: {title: The old mill, at: mill}}\n    sides:\n",
    ).replace("at: anywhere", "at: west", 1)
    (game / "mapped.yaml").write_text(text, encoding="utf-8")
    shown = {
        kind: " ".join(words(run("map", "game", "mapped", "--shows", kind, "-o", "-").stdout))
        for kind in ("battle", "blank")
    }
    assert [kind for kind, told in shown.items() if "Westgate" in told] == ["battle"]
    assert [kind for kind, told in shown.items() if "The old mill" in told] == ["battle"]
    assert all("Lane" in told for told in shown.values())


def test_a_plotter_gets_one_drawing_at_the_scale(game, run):
    mat = read_svg(run("map", "game", "mapped", "--scale", "mat", "-o", "-").stdout)
    assert (mat.width_mm, mat.height_mm) == (40 * INCH, 26 * INCH)
    assert mat.text() == []
    half = read_svg(run("map", "game", "mapped", "--scale", "1:2", "-o", "-").stdout)
    assert 20 * INCH < half.width_mm < 20 * INCH + 25


def test_how_many_sheets_there_will_be_is_told(game, here, run):
    result = run("map", "game", "mapped", "--scale", "1/2", "-o", "half.pdf", exits=0)
    assert "a table of 40″ by 26″ takes 4 sheets of a4" in result.stderr
    assert run("-q", "map", "game", "mapped", "--scale", "1/4", "-o", "x.pdf").output == ""
    assert (here / "half.pdf").read_bytes().startswith(b"%PDF-")


def test_terrain_tells_its_sheets(game, run):
    result = run("map", "game", "mapped", "--terrain", "-o", "ground.pdf", exits=0)
    assert re.search(r"\d sheets? of a4", result.stderr)


def test_ground_without_pieces_is_told(game, here, run):
    text = (game / "mapped.yaml").read_text(encoding="utf-8")
    bare = re.sub(r"        (mill|lane): .*\n", "", text).replace("features:", "features: {}")
    (game / "mapped.yaml").write_text(bare, encoding="utf-8")
    result = run("map", "game", "mapped", "--terrain", "-o", "ground.pdf", exits=1)
    assert "the map of Mapped has no ground to cut out" in result.stderr
    assert not (here / "ground.pdf").exists()
    assert run("map", "game", "mapped", "-o", "map.pdf").exit_code == 0


@pytest.mark.parametrize(("arguments", "told"), beside(__file__, "wrong_usage_exits_with_2"))
def test_wrong_usage_exits_with_2(arguments, told, game, here, run):
    result = run("map", *arguments, "-o", "x.pdf", exits=2)
    assert all(part in result.output for part in told), result.output
    assert not (here / "x.pdf").exists()


def test_a_file_without_a_known_ending_needs_a_format(game, run):
    result = run("map", "game", "mapped", "-o", "map.png", exits=2)
    assert "end its name in .pdf or .svg, or give --format" in result.output
    assert run("map", "game", "mapped", "--terrain", "-o", "map.svg").exit_code == 2


def test_a_table_of_too_many_sheets_is_refused_before_it_is_drawn(here, run):
    write_mapped(here, GROUND, (360, 360))
    result = run("map", "game", "mapped", "--scale", "mat", "-o", "mat.pdf", exits=2)
    assert re.search(r"takes \d{3,} sheets of a4, more than 100", result.output)
    assert "a larger paper or a smaller scale" in result.output
    assert run("map", "game", "mapped", "--scale", "mat", "-o", "mat.svg").exit_code == 0


def test_a_ruleset_without_scenarios_says_so(here, run):
    content = write_mapped(here, GROUND, (40, 26))
    (content / "game" / "mapped.yaml").unlink()
    result = run("map", "game", "mapped", "-o", "x.svg", exits=2)
    assert "there is none at all" in result.output


def test_a_drawing_needs_no_pango(game, run, monkeypatch):
    for name in ("weasyprint", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run("map", "game", "mapped", "-o", "-").exit_code == 0


def test_the_same_map_has_the_same_bytes(game, here, run):
    for form in ("svg", "pdf"):
        for name in ("one", "two"):
            run("map", "game", "mapped", "--scale", "1/3", "-o", f"{name}.{form}")
        assert (here / f"one.{form}").read_bytes() == (here / f"two.{form}").read_bytes()
