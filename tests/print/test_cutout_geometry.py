"""Every cutout of the American Civil War game, read back from its PDF and held against the rules.

What is expected is reckoned here from the measures of the rules, typed out; nothing is taken from
the program. Windows are laid over each other cross on cross, as a player lays them.
"""

from math import atan2, cos, degrees, pi, sin
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner
from read_paths import Page, read
from read_pieces import (
    Expected,
    Segment,
    burst,
    circle,
    cone,
    line,
    pieces,
    polygon,
    strays,
    strip,
    wrap,
)
from shipped_rulesets import shipped

from rulebook.cli import cli
from rulebook.documents.cutouts import cutout_view, draw_sheets
from rulebook.paper_and_ink import PaperName

CONTENT = Path(__file__).parents[2] / "content"
PAPERS: tuple[PaperName, ...] = ("a4", "letter")
INCH = 25.4


def cone_in_inches() -> Expected:
    """24 in long, 5 in wide; divided at 5.5 and 12 in, where it is 55/48 and 2.5 in wide."""
    divisions = (5.5 * INCH, 55 / 48 * INCH), (12 * INCH, 2.5 * INCH)
    return cone(24 * INCH, 5 * INCH, *divisions)


def strip_in_inches(*marks: float, fold: float, wide: float = 16.0) -> Expected:
    """With a tick at every half inch."""
    at = (mark * INCH for mark in marks)
    return strip(*at, fold=fold * INCH, wide=wide, tick=0.5 * INCH)


def sleeve() -> Expected:
    """4 in long, its faces half a millimetre wider than a half-inch rod; steps of an inch."""
    face = 0.5 * INCH + 0.5
    outline = wrap(4 * INCH, face=face)
    steps = [
        line(at * INCH, face * number, at * INCH, face * (number + 0.25))
        for at in (1, 3)
        for number in range(4)
    ]
    return Expected(outline.cut, outline.score, steps)


def gauge() -> Expected:
    """30 degrees, 6 in long, the point below; half of it on either side of straight up."""
    reach, half = 6 * INCH, pi / 12
    turns = [half * step / 240 for step in range(-240, 241)]
    middle = reach * sin(half)
    rim = [(middle + reach * sin(turn), reach - reach * cos(turn)) for turn in turns]
    return Expected(polygon(*rim, (middle, reach)), [], [])


def token(wide: float, high: float | None = None) -> Expected:
    """A round marker of a diameter, or a rectangle."""
    if high is None:
        return Expected(circle(wide / 2, wide / 2, wide / 2), [], [])
    return Expected(polygon((0, 0), (wide, 0), (wide, high), (0, high)), [], [])


BOUNCES = (18, 26, 34, 42, 46, 50, 54, 56, 58, 60)
#: The pieces of every cutout; all that are cut out from each.
EXPECTED: dict[str, list[Expected]] = {
    "canister_cone": [cone_in_inches()],
    "shell_burst": [burst(6 * INCH, 2 * INCH)],
    "bounce_stick": [strip_in_inches(*BOUNCES, fold=12)],
    "bounce_stick_wrap": [wrap(*(at * INCH for at in BOUNCES), face=0.5 * INCH)],
    "artillery_stick": [strip_in_inches(20, 24, 50, 60, fold=12)],
    "movement_stick": [strip_in_inches(1, 4, 6, 7.5, 9, 12, 18, fold=9, wide=30)],
    "musket_stick": [strip_in_inches(8, 16, 24, fold=12)],
    "smoothbore_stick": [strip_in_inches(6, 12, 18, fold=9)],
    "skirmish_stick": [strip_in_inches(12, 24, fold=12)],
    "skirmish_stick_short": [strip_in_inches(9, 18, fold=9)],
    "sleeve": [sleeve()],
    # a cavalryman veers up to 30 degrees
    "veer_gauge": [gauge()],
    # five of each from 1 to 9, eight of 10, which slows a gun, four of 20, which destroys it
    "damage_markers": [token(16)] * (5 * 9 + 8 + 4),
    # a house burns for fifteen moves
    "fire_markers": [token(20)] * (4 + 15),
    # a unit that has had five tests is dispersed
    "morale_markers": [token(20)] * (6 + 4 * 5),
    "volley_markers": [token(25, 14)] * (12 + 12),
    # targets stand in groups of six
    "figure_numbers": [token(12)] * (8 * 6),
}


def test_every_cutout_of_the_game_is_held_against_the_rules() -> None:
    assert set(shipped("acw").cutouts) == set(EXPECTED), "add the new ones to EXPECTED"


def printed(name: str, paper: PaperName, folder: Path) -> list[Page]:
    """As the build prints it."""
    out = folder / f"{name}-{paper}.pdf"
    out.write_bytes(draw_sheets(cutout_view(shipped("acw"), name, paper)))
    return read(out)


def drawn(name: str, paper: str, folder: Path, *options: str) -> list[Page]:
    """As the command draws it."""
    out = folder / f"{name}-{paper}.pdf"
    arguments = ["--content", str(CONTENT), "cutout", "acw", name, "--paper", paper, *options]
    result = CliRunner().invoke(cli, [*arguments, "-o", str(out)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return read(out)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_printed_is_what_the_rules_say(name: str, paper: PaperName, tmp_path: Path) -> None:
    found = pieces(printed(name, paper, tmp_path))
    assert len(found) == len(EXPECTED[name])
    for piece, expected in zip(found, EXPECTED[name], strict=True):
        for layer, wanted in (("cut", expected.cut), ("score", expected.score)):
            assert strays(piece[layer], wanted) == [], f"{layer} where nothing is expected"
            assert strays(wanted, piece[layer]) == [], f"no {layer} where it is expected"
        assert strays(expected.engrave, piece["engrave"]) == []


def test_printers_are_asked_for_actual_size(tmp_path: Path) -> None:
    for page in drawn("shell-burst", "letter", tmp_path):
        assert "Print at 100 %, actual size." in page.text
    with pikepdf.open(tmp_path / "shell-burst-letter.pdf") as document:
        hints = document.Root.ViewerPreferences
        assert (hints.PrintScaling, bool(hints.PickTrayByPDFSize)) == ("/None", True)


def angle_at_the_apex(cut: list[Segment]) -> float:
    far = [end for segment in cut for end in segment]
    apex = min(far)
    return max(abs(degrees(atan2(y - apex[1], x - apex[0]))) for x, y in far if x > apex[0] + 100)


def test_the_half_angle_of_the_cone_stays_where_it_is_scaled(tmp_path: Path) -> None:
    (whole,) = pieces(drawn("canister_cone", "a4", tmp_path))
    (half,) = pieces(drawn("canister_cone", "a4", tmp_path, "--scale", "1/2"))
    assert angle_at_the_apex(whole["cut"]) == pytest.approx(5.947, abs=0.01)
    assert angle_at_the_apex(half["cut"]) == pytest.approx(5.947, abs=0.01)
    expected = cone_in_inches()
    for layer, wanted in (("cut", expected.cut), ("score", expected.score)):
        halves = [line(x1 / 2, y1 / 2, x2 / 2, y2 / 2) for (x1, y1), (x2, y2) in wanted]
        assert strays(halves, half[layer]) == strays(half[layer], halves) == []
