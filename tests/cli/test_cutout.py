"""`rulebook cutout`: one cutout, in each format, and what is said when it cannot be drawn."""

import sys
from pathlib import Path

import pytest
from beside import beside
from frozen import change
from read_svg import read_svg

GAME = beside(__file__, "game")


@pytest.fixture
def game(here: Path) -> Path:
    folder = here / "content" / "game"
    folder.mkdir(parents=True)
    for name, text in GAME.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def drawn(game, run):
    """What is drawn on standard output."""
    return lambda *asked: read_svg(run("cutout", "game", *asked, "-o", "-", exits=0).stdout)


def test_an_svg_file_in_folders_that_are_made(game, here, run):
    result = run("cutout", "game", "long_cone", "-o", "a/b/cone.svg")
    assert (result.exit_code, result.output) == (0, "wrote a/b/cone.svg\n")
    picture = read_svg((here / "a/b/cone.svg").read_text(encoding="utf-8"))
    assert picture.width_mm == pytest.approx(24 * 25.4 + 2)
    assert "A < B & C, edition 1.0" in picture.text()
    assert any("Lay its point, 24″ long" in text for text in picture.text())
    assert [path.name for path in (here / "a/b").iterdir()] == ["cone.svg"]


def test_hyphens_and_underscores_are_one(game, run):
    assert run("-q", "cutout", "game", "long-cone", "-o", "x.svg").output == ""


def test_a_parameter_is_set_and_told_on_its_face(drawn):
    options = ("--set", "length=28in", "--set", "zones.near.to=6.5in")
    picture = drawn("long_cone", *options)
    assert picture.width_mm == pytest.approx(28 * 25.4 + 2)
    assert picture.segments["score"][0][0] == pytest.approx(6.5 * 25.4)
    assert picture.title == "Cone (length 28″, zones.near.to 6½″)"
    assert any("28″ long" in text for text in picture.text()), "bindings follow"


def test_a_parameter_set_to_what_it_is_and_a_scale_of_one_change_nothing(game, run):
    plain = run("cutout", "game", "shell", "-o", "-").stdout
    for option in (("--set", "diameter=6in"), ("--scale", "1")):
        assert run("cutout", "game", "shell", *option, "-o", "-").stdout == plain


def test_low_ink_has_no_tints(drawn):
    assert "tint" in drawn("shell").groups
    assert "tint" not in drawn("shell", "--ink", "low").groups


def test_a_dxf_file_and_a_pdf_for_a_paper(game, here, run):
    assert run("cutout", "game", "shell", "-o", "shell.DXF").exit_code == 0
    assert (here / "shell.DXF").read_bytes().startswith(b"  0\nSECTION")
    assert run("cutout", "game", "shell", "--paper", "A3", "-o", "shell.pdf").exit_code == 0
    assert (here / "shell.pdf").read_bytes().startswith(b"%PDF-")
    assert run("cutout", "game", "shell", "--format", "svg", "-o", "shell.txt").exit_code == 0
    assert read_svg((here / "shell.txt").read_text(encoding="utf-8")).title == "Shell"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        *beside(__file__, "wrong_usage_exits_with_2_and_names_the_choices"),
        (("game", "shell", *("--set", "kills=4+") * 2), ["'kills' is set twice"]),
    ],
)
def test_wrong_usage_exits_with_2_and_names_the_choices(arguments, told, game, here, run):
    result = run("cutout", *arguments, "-o", "x.svg", exits=2)
    assert all(words in result.output for words in told), result.output
    assert not (here / "x.svg").exists()


def test_a_file_without_a_known_ending_needs_a_format(game, run):
    result = run("cutout", "game", "shell", "-o", "shell.jpeg", exits=2)
    assert "end its name in .pdf, .svg or .dxf, or give --format" in result.output


def test_faults_of_the_content_exit_with_1_and_are_told(game, here, run):
    change(game / "cutouts.yaml", "to: 5.5in", "to: 25in")
    result = run("cutout", "game", "shell", "-o", "x.svg", exits=1)
    assert "the end of the zone Near is 25″" in result.stderr
    assert "cutouts.yaml:9" in result.stderr
    assert not (here / "x.svg").exists()


def test_a_file_that_cannot_be_written_is_told_and_the_old_one_stays(game, here, run):
    (here / "taken").write_text("mine")
    result = run("cutout", "game", "shell", "-o", "taken/x.svg", exits=1)
    assert "error[R702]: taken/x.svg cannot be written" in result.stderr
    assert (here / "taken").read_text() == "mine"


def test_without_the_dxf_library_the_line_that_installs_it_is_told(game, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    result = run("cutout", "game", "shell", "-o", "x.dxf", exits=1)
    assert "pip install 'rulebook[dxf]'" in result.stderr


def test_svg_needs_neither_pango_nor_dxf(game, run, monkeypatch):
    for name in ("weasyprint", "ezdxf", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run("cutout", "game", "shell", "-o", "-").exit_code == 0


def test_a_cutout_too_large_for_its_paper_is_a_fault(game, here, run):
    options = ("--set", "length=3m", "--set", "base=3m")
    result = run("cutout", "game", "long_cone", *options, "-o", "x.pdf", exits=1)
    assert "error[R606]: the cutout Cone (length 3 m, base 3 m) takes 228 sheets" in result.stderr
    assert not (here / "x.pdf").exists()
    assert run("cutout", "game", "long_cone", *options, "-o", "x.svg").exit_code == 0


STICK = beside(__file__, "stick")


def test_a_mark_from_a_table_is_set_like_any_other(game, run, drawn):
    (game / "stick.yaml").write_text(STICK, encoding="utf-8")
    (game / "one.md").write_text(f"{GAME['one.md']}\n{{table: moves}}\n\n{{cutout: stick}}\n")
    assert {"6″", "9″"} <= set(drawn("stick").text())
    told = drawn("stick", "--set", "marks.on_foot.to=7in")
    assert {"7″", "9″"} <= set(told.text()) and "6″" not in told.text()
    assert told.title == "Stick (marks.on_foot.to 7″)"
    refused = run(
        "cutout", "game", "stick", "--set", "marks.on_foot.to=10in", "-o", "z.svg", exits=2
    )
    assert "the mark Horse is 9″" in refused.output


def test_a_scaled_cutout_is_told_to_be_so_and_its_lengths_are_scaled(drawn):
    picture = drawn("long_cone", "--scale", "50%")
    assert picture.width_mm == pytest.approx(12 * 25.4 + 2)
    assert picture.title == "Cone (scale 1/2)"
    assert "4+" in picture.text() and "to 12″" in picture.text()
    picture = drawn("long_cone", "--scale", "5/4")
    assert any("30″ long" in text for text in picture.text()), "bindings follow"
    picture = drawn("long_cone", "--scale", "1/2", "--set", "length=28in")
    assert picture.width_mm == pytest.approx(14 * 25.4 + 2), "it comes after what is set"
    assert picture.title == "Cone (length 28″, scale 1/2)"


def test_a_scale_at_which_a_name_has_no_room_is_wrong_usage(game, here, run):
    result = run("cutout", "game", "long_cone", "--scale", "1/8", "-o", "cone.svg", exits=2)
    assert "has no room on this cutout" in result.output
    assert "expected: words that can be set in 6 points or larger" in result.output
    assert "hint: write fewer words" in result.output
    assert not (here / "cone.svg").exists()
