"""`rulebook roll`: one play-through, step by step; the JSON form is a contract."""

import json

import jsonschema
import pytest
from beside import beside
from frozen import change

PLAY = beside(__file__, "schema")


def of(run, *arguments):
    result = run("roll", "dice", *arguments, "--json", exits=0)
    told = json.loads(result.stdout)
    jsonschema.validate(told, PLAY)
    fallen = [face for step in told["steps"] for one in step["dice"] for face in one["faces"]]
    assert sorted(fallen) == sorted(told["dice"])
    return told


def lines_of(run, *arguments):
    result = run("roll", "dice", *arguments, exits=0)
    return result.stdout.splitlines()


def test_every_step_is_told_with_its_dice_and_what_it_sets(run, dice):
    assert lines_of(run, "fire", "range=8-16in", "--dice", "5,6") == [
        "dice 1.0: Fire (fire)",
        "  firers=12     Figures firing: 12 (default)",
        "  range=8-16in  Range: 8–16″",
        "  cover=open    Cover: Open (default)",
        "",
        "Find the deduction for range and cover.",
        "  deduction = 4",
        "Throw a die for every six figures.",
        "  d6 [5] [6]; losses = 3",
        "",
        f"losses  {(5 - 4) + (6 - 4)}",
    ]


def test_passes_are_numbered_and_indented(run, dice):
    assert lines_of(run, "siege", "--dice", "5 2 6, 5")[3:] == beside(
        __file__, "passes_are_numbered_and_indented"
    )


def test_passes_without_a_sentence_are_a_line_each(run, dice):
    told = "- say: Each throw of five or more is a breach.\n            roll:"
    change(dice / "rolls.yaml", told, "- roll:")
    lines = lines_of(run, "siege", "--dice", "5,5,1,6")
    assert [line for line in lines if line.startswith("  pass")] == [
        "  pass 1: d6 [5]; die = 5; damage = 1",
        "  pass 2: d6 [5]; die = 5; damage = 2",
        "  pass 3: d6 [1]; die = 1; damage = 2",
        "  pass 4: d6 [6]; die = 6; damage = 3",
    ]


def test_values_of_all_kinds(run, dice):
    lines = lines_of(run, "duel", "edge=house-held+hill", "--dice", "1,6")
    assert lines[1] == "  edge=house-held+hill  Edge: up the hill and in a house"
    assert "  d6 [1] [6]; own = 1; other = 6; total = 4" in lines
    assert lines[-1] == "winner  other"
    assert lines_of(run, "nerve", "--dice", "6")[-1] == "good  yes"


def test_a_procedure_without_dice(run, dice):
    assert lines_of(run, "march")[1:] == ["", "distance = 7", "", "distance  7"]
    assert lines_of(run, "march", "--dice", "")[-1] == "distance  7"


def test_a_seed_repeats_a_play(run, dice):
    one = lines_of(run, "fire", "firers=60", "--seed", "1863")
    assert one == lines_of(run, "fire", "firers=60", "--seed", "1863")
    assert one[4].startswith("  --seed 1863 repeats this; so does --dice ")


def test_without_a_seed_one_is_chosen_and_told(run, dice):
    lines = lines_of(run, "fire", "firers=60")
    seed = lines[4].split()[1]
    assert lines_of(run, "fire", "firers=60", "--seed", seed) == lines
    faces = lines[4].rpartition(" ")[2]
    assert lines_of(run, "fire", "firers=60", "--dice", faces) == [*lines[:4], *lines[5:]]


def test_for_programs(run, dice):
    told = of(run, "fire", "cover=cover", "--dice", "4,6")
    assert told["inputs"] == {"firers": 12, "range": "0-8in", "cover": "cover"}
    assert (told["seed"], told["dice"]) == (None, [4, 6])
    assert told["results"] == {"losses": (4 - 3) + (6 - 3)}
    assert told["steps"][1] == {
        "say": "Throw a die for every six figures.",
        "depth": 0,
        "pass": 0,
        "dice": [{"dice": "d6", "faces": [4]}, {"dice": "d6", "faces": [6]}],
        "sets": {"losses": 4},
    }
    again = of(run, "siege", "--seed", "1")
    assert again["seed"] == 1 and again["results"]["throws"] == len(again["dice"])
    assert max(step["pass"] for step in again["steps"]) == len(again["dice"])


def test_an_option_changes_the_play(run, dice):
    told = of(run, "nerve", "--with", "brave", "--dice", "2")
    assert (told["options"], told["inputs"], told["results"]) == (
        ["brave"], {"bold": 3}, {"good": True}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        *beside(__file__, "wrong_usage"),
        (("dice", "fire", "--dice", "9" * 5000), ["is no face of a die"]),
        (("dice", "fire", "--dice", ",".join("1" * 9999)), ["9997 of the dice left over"]),
        (("dice", "fire", "--seed", "9" * 40), ["is not in the range"]),
        (("dice", "fire", "--seed", "9" * 9999), ["is not a valid integer"]),
    ],
)
def test_wrong_usage(run, dice, arguments, told):
    result = run("roll", *arguments, exits=2)
    assert all(words in result.stderr for words in told), result.stderr
    assert result.stdout == ""


def test_faults_of_the_content_end_with_1(run, dice):
    change(dice / "rolls.yaml", "damage >= walls", "damage >= wals")
    result = run("roll", "dice", "siege")
    assert result.exit_code == 1 and "'walls'" in result.stderr
    change(dice / "rolls.yaml", "damage >= wals", "damage // (walls - 3) >= 9")
    result = run("roll", "dice", "siege")
    assert result.exit_code == 1 and "(walls=3)" in result.stderr
