"""What the shipped rulesets keep to beyond the facts of their sources."""

import re
from fractions import Fraction

from expected_facts import expected
from shipped_rulesets import shipped

from rulebook.model.cards import deal
from rulebook.model.cells import Cell
from rulebook.model.entities import Status
from rulebook.model.lookup import find
from rulebook.model.procedures import all_steps
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.sticks import Stick
from rulebook.quantities import RollTarget


def words_in(line: Prose) -> int:
    """A binding counts as one word: it prints as a number."""
    return len(re.sub(r"\{[^{}]*\}", "0", line.markdown).split())


def test_acw_reminders_and_told_steps_are_short() -> None:
    """Steps of procedures stand on the sheet as well."""
    acw = shipped("acw")
    phases = [step for phase in acw.sequence.values() for step in phase.steps.values()]
    steps = [step for one in acw.procedures.values() for step in all_steps(one.steps) if step.say]
    assert len(steps) > 40
    for line in [*(line for step in phases for line in step.say), *(step.say for step in steps)]:
        assert line is None or words_in(line) <= 12, line.markdown


def test_acw_bands_of_musketry_are_those_of_the_ranges() -> None:
    """The bands head the rows of one table and are a row of the other; they must not part."""
    acw = shipped("acw")
    table = acw.tables["musketry"]
    ends = [choice.band.high for choice in table.rows[0].choices if choice.band]
    assert ends == [inches(acw, f"ranges.rifled_musket.{at}") for at in ("near", "middle", "long")]


def test_acw_shell_burst_is_drawn_by_us() -> None:
    burst = shipped("acw").cutouts["shell_burst"]
    assert (burst.centre.score, burst.ring) == (6, (5, 4, 3, 2))
    assert burst.kills == RollTarget((4,))
    assert burst.status is Status.HOUSE


def test_thin_red_line_larger_enemies_and_companies_count_each() -> None:
    """ "(cumulative)" and "Per company lost"; all else of the table counts once."""
    rows = shipped("thin-red-line").modifiers["motivation_modifiers"].data
    assert {key for key, row in rows.items() if row.up_to} == {"larger_enemy", "company"}


def test_horse_and_musket_has_a_ruler_and_a_card_for_every_weapon_that_shoots() -> None:
    game = shipped("horse-and-musket")
    places = expected("horse-and-musket")["places"]
    weapons = set(re.findall(r"ranges\.(\w+)\.title", " ".join(places))) - {"pistol"}
    sticks = {name for name, cutout in game.cutouts.items() if isinstance(cutout, Stick)}
    assert {f"{weapon}_stick" for weapon in weapons} <= sticks
    cards = deal(game, "weapon_cards")
    told = {name for card in cards for name in re.findall(r"ranges\.(\w+)\.title", str(card.text))}
    assert told == weapons
    assert (len(weapons), len(cards)) == (11, 3)


def test_skirmish_reckoned_ranges_agree_with_what_they_are_reckoned_from() -> None:
    skirmish = shipped("napoleonic-skirmish")
    facts = expected("napoleonic-skirmish")["columns"]
    for weapon in facts["weapons"].keys() - {"of"}:
        whole = inches(skirmish, f"weapons.{weapon}.range")
        assert inches(skirmish, f"weapons.{weapon}.half") * 2 == whole
    for gun in facts["cannon"].keys() - {"of"}:
        whole = inches(skirmish, f"cannon.{gun}.range")
        for place, times in (("cannon", 2), ("cannon", 4), ("case_ranges", 2)):
            column = {"case_ranges": "grape_range"}.get(place, {2: "half", 4: "quarter"}[times])
            assert inches(skirmish, f"{place}.{gun}.{column}") * times == whole
        assert abs(inches(skirmish, f"case_ranges.{gun}.canister_range") * 3 - whole) <= 2


def inches(ruleset: Ruleset, path: str) -> Fraction:
    found = find(ruleset, path)
    length = found.value if isinstance(found, Cell) else found
    assert length.unit == "in"
    return length.number
