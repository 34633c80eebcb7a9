"""The units of a page for the table: as on their cards, and in the forces of battles."""

from shipped_rulesets import SHIPPED, shipped

from rulebook.documents.at_table import compose_roster
from rulebook.model.forces import units_of_side


def boxes(kind: dict[str, object]) -> list[int]:
    return [sum(map(len, track["groups"])) for track in kind["tracks"]]  # type: ignore[attr-defined, index]


def test_a_unit_has_the_boxes_and_numbers_of_its_card() -> None:
    roster = compose_roster(shipped("acw"))
    regiment = roster["kinds"]["infantry_regiment"]
    assert boxes(regiment) == [24, 3]
    assert [track["title"] for track in regiment["tracks"]] == ["Rank and file", "Officers"]
    assert regiment["tracks"][0]["groups"][0] == ["", "", "", "−1", "", "−2"]


def test_grades_stand_beside_the_units_of_a_deck_that_has_them() -> None:
    (title, choices), *_ = compose_roster(shipped("thin-red-line"))["kinds"]["line_battalion"][
        "grades"
    ]
    deck = shipped("thin-red-line").decks["unit_cards"]
    assert title == next(iter(deck.grades))
    assert len(choices) > 1


def test_a_unit_that_notes_nothing_can_be_lost() -> None:
    limber = compose_roster(shipped("napoleonic-skirmish"))["kinds"]["limber_crew"]
    assert [track["title"] for track in limber["tracks"]] == ["Lost"]
    assert boxes(limber) == [1]


def test_cards_with_boxes_that_are_no_units_can_be_fielded() -> None:
    roster = compose_roster(shipped("last-wagon"))
    found = [name for name in roster["choices"] if "/" in name]
    assert found == [f"record/{card}" for card in shipped("last-wagon").decks["record"].cards or {}]


def test_the_sides_of_all_battles_have_all_their_units() -> None:
    for name in SHIPPED:
        ruleset = shipped(name)
        roster = compose_roster(ruleset)
        assert set(ruleset.units) <= set(roster["choices"])
        for battle, scenario in zip(roster["battles"], ruleset.scenarios.values(), strict=True):
            for side, written in zip(battle["sides"], scenario.sides.values(), strict=True):
                expected = units_of_side(ruleset, scenario, written).total()
                assert len(side["units"]) == expected, (name, battle["title"])
                assert all(unit in roster["kinds"] for unit, _, _ in side["units"])
