"""The American Civil War Game 1.0 as released: what the first draft of 17 June 2010 makes of dice.

It is read from its snapshot alone. What it says is held in expected/acw-1.0.yaml; what the second
draft left as it was is held for that one.
"""

from __future__ import annotations

from collections import Counter

import pytest
from asked_odds import Asked, edition
from ways import D6, counted, differing, falling, joined, plus

from rulebook.model.prose import Block

#: What kills a figure, of each band of round shot with its end, and of each zone of canister.
BALL = {"near": 3, "middle": 4, "far": 5, "extreme": 6}
BALL_ENDS = {"near": 24, "middle": 36, "far": 48, "extreme": 60}
CANISTER = {"near": 4, "middle": 5, "far": 6}


@pytest.fixture(scope="module")
def first() -> Asked:
    return edition("acw", "1.0")


def on(needed: int) -> frozenset[int]:
    return frozenset(die for die in D6 if die >= needed)


def test_sources_name_the_first_draft(first: Asked) -> None:
    """Of everything but what is ours."""
    collections = first.ruleset.collections
    for name in type(collections).model_fields:
        for id_, entity in getattr(collections, name).items():
            source = getattr(entity, "source", None)
            assert source is None or str(source).startswith("first draft, "), id_


def test_what_came_later_has_no_section_and_the_cone_no_drawing(first: Asked) -> None:
    sections = {one.id: one for chapter in first.ruleset.chapters for one in chapter.sections}
    assert not {"extended_lines", "bounce_stick_rule", "smoothbores"} & sections.keys()
    parts = sections["canister"].parts
    assert not any(isinstance(part, Block) and part.kind == "cutout" for part in parts)


@pytest.mark.parametrize("band", BALL)
def test_odds_of_round_shot(first: Asked, band: str) -> None:
    for figures in (1, 2, 3, 5):
        found = first.joint("round_shot", band=band, figures=figures)
        assert not differing(found, falling(figures, on(BALL[band])))
    bands = first.program("round_shot").domains["band"].values
    assert [str(one) for one in bands] == list(BALL)


@pytest.mark.parametrize("inside", [(2, 0, 0), (0, 3, 0), (0, 0, 4), (1, 2, 1), (2, 1, 3)])
def test_odds_of_canister(first: Asked, inside: tuple[int, int, int]) -> None:
    zones = dict(zip(CANISTER, inside, strict=True))
    near, middle, far = (falling(number, on(CANISTER[zone])) for zone, number in zones.items())
    found = first.joint("canister", **zones)
    assert not differing(found, joined(joined(near, middle, plus), far, plus))


@pytest.mark.parametrize(("ranks", "needed"), [(1, 4), (2, 5)])
def test_odds_of_a_breakthrough(first: Asked, ranks: int, needed: int) -> None:
    expected = counted(die >= needed for die in D6)
    assert not differing(first.joint("breakthrough", ranks=ranks), expected)


def test_odds_at_a_distance(first: Asked) -> None:
    """By the bands of the draft, and by the guess of 21 June."""
    for inch in range(1, 61):
        ball = BALL[next(band for band, end in BALL_ENDS.items() if inch <= end)]
        zone = CANISTER["near" if inch <= 6 else "middle" if inch <= 14 else "far"]
        for shot, needed in {"round_shot": ball, "canister": zone if inch <= 24 else 7}.items():
            found = first.joint("figure_under_fire", shot=shot, distance=f"{inch}in")
            assert not differing(found, counted(die >= needed for die in D6)), inch


#: What kills inside and whether the ball goes on, for the throws 1 to 6.
HOUSE = {
    "0-36in": [(0, 0), (0, 0), (1, 0), (1, 0), (2, 1), (3, 1)],
    "36-48in": [(0, 0), (0, 0), (0, 0), (1, 0), (2, 1), (2, 1)],
    "48-60in": [(0, 0), (0, 0), (0, 0), (0, 0), (1, 0), (1, 0)],
}


@pytest.mark.parametrize(("band", "less"), [("0-36in", 0), ("36-48in", 1), ("48-60in", 2)])
def test_odds_of_a_ball_on_a_house(first: Asked, band: str, less: int) -> None:
    """The draft: "using the above table in the same manner as with counter-battery fire"."""
    expected = Counter(
        (killed, bool(on), max(0, die - less)) for die, (killed, on) in enumerate(HOUSE[band], 1)
    )
    assert not differing(first.joint("round_shot_on_house", range=band), expected)
