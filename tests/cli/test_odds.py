"""`rulebook odds`: exact odds; the JSON form is a contract."""

import csv
import io
import json
import math
import subprocess
import sys
from fractions import Fraction
from itertools import product

import jsonschema
import pytest
from beside import beside
from frozen import change

ODDS = beside(__file__, "schema")
D6 = range(1, 7)


def of(run, *arguments):
    """The JSON of one set of inputs, or a list of a sweep; each obeys the contract."""
    result = run("odds", "dice", *arguments, "--json", exits=0)
    told = json.loads(result.stdout)
    for one in told if isinstance(told, list) else [told]:
        jsonschema.validate(one, ODDS)
        for shares in ([one["joint"]] if one["joint"] else []) + [
            found["outcomes"] for found in one["results"].values()
        ]:
            assert sum(Fraction(share["probability"]) for share in shares) == 1
    return told


def outcomes(one, result):
    return {
        share["value"]: Fraction(share["probability"])
        for share in one["results"][result]["outcomes"]
    }


def lines_of(run, *arguments):
    result = run("odds", "dice", *arguments, exits=0)
    return result.stdout.splitlines()


# Odds of one set of inputs


def test_numbers_with_their_mean(run, dice):
    told = of(run, "fire")
    assert (told["ruleset"], told["edition"]) == ("dice", "1.0")
    assert told["inputs"] == {"firers": 12, "range": "0-8in", "cover": "open"}
    expected: dict[int, Fraction] = {}
    for one, two in product(D6, D6):
        losses = max(0, one - 2) + max(0, two - 2)
        expected[losses] = expected.get(losses, Fraction(0)) + Fraction(1, 36)
    assert outcomes(told, "losses") == expected
    assert list(outcomes(told, "losses")) == sorted(expected)
    assert Fraction(told["results"]["losses"]["mean"]) == 2 * Fraction(1 + 2 + 3 + 4, 6)
    assert [one["values"] for one in told["joint"]] == [{"losses": n} for n in sorted(expected)]


def test_true_or_false_has_no_mean(run, dice):
    told = of(run, "nerve", "bold=0")
    assert outcomes(told, "good") == {True: Fraction(1, 3), False: Fraction(2, 3)}
    assert told["results"]["good"]["mean"] is None


def test_words_and_conditions(run, dice):
    told = of(run, "duel", "edge=hill+house-held", "first-move=yes")
    assert told["inputs"] == {"edge": ["hill", "house_held"], "first_move": True}
    won = sum(own + 4 > other for own, other in product(D6, D6))
    tied = sum(own + 4 == other for own, other in product(D6, D6))
    assert outcomes(told, "winner") == {
        "own": Fraction(won, 36),
        "other": Fraction(36 - won - tied, 36),
        "nobody": Fraction(tied, 36),
    }


def test_a_repetition_without_a_bound(run, dice):
    told = of(run, "siege")
    chances = {
        number: math.comb(number - 1, 2) * Fraction(1, 3) ** 3 * Fraction(2, 3) ** (number - 3)
        for number in (3, 4, 5)
    }
    assert outcomes(told, "throws") == {**chances, "more": 1 - sum(chances.values())}
    assert Fraction(told["results"]["throws"]["mean"]) == 3 / Fraction(1, 3)


def test_a_certain_result(run, dice):
    assert outcomes(of(run, "march"), "distance") == {7: 1}


def test_a_table_with_bars(run, dice):
    lines = lines_of(run, "fire", "range=8-16in")
    assert lines[0] == "dice 1.0: Fire (fire)"
    assert lines[1] == "  firers=12     Figures firing: 12 (default)"
    assert lines[2] == "  range=8-16in  Range: 8–16″"
    assert lines[5] == "losses: mean 1.00, median 1"
    assert lines[6].split() == ["chance", "at", "least", "exactly"]
    body = [line.split() for line in lines[7:]]
    assert [row[:4] for row in body] == [
        ["0", "44.4%", "100%", "4/9"],
        ["1", "22.2%", "55.6%", "2/9"],
        ["2", "25.0%", "33.3%", "1/4"],
        ["3", "5.6%", "8.3%", "1/18"],
        ["4", "2.8%", "2.8%", "1/36"],
    ]
    bars = [len(row[4]) for row in body]
    assert bars == [40, 20, math.ceil(40 * 9 / 16), 5, math.ceil(40 / 16)], "to the most likely"
    assert max(map(len, lines)) <= 80


def test_words_have_no_chance_of_at_least(run, dice):
    lines = lines_of(run, "duel")
    assert lines[5].split() == ["chance", "exactly"]
    assert [line.split()[:3] for line in lines[6:]] == [
        ["own", "41.7%", "5/12"],
        ["other", "41.7%", "5/12"],
        ["nobody", "16.7%", "1/6"],
    ]


def test_the_tails_of_very_many_outcomes_are_told_together(run, dice):
    lines = lines_of(run, "fire", "firers=60")
    ways = {0: 1}
    for _ in range(10):
        ways = {
            total: sum(ways.get(total - max(0, die - 2), 0) for die in D6)
            for total in range(max(ways) + 4 + 1)
        }
    hardly = 6**10 // 2000
    low = next(n for n in ways if sum(ways[m] for m in ways if m <= n) > hardly) - 1
    high = next(n for n in ways if sum(ways[m] for m in ways if m >= n) <= hardly)
    body = [line.split() for line in lines[lines.index("") + 3 :]]
    assert body[0][:5] == ["0", "to", str(low), "<0.1%", "100%"]
    assert [row[0] for row in body[1:-1]] == [str(n) for n in range(low + 1, high)]
    assert body[-1][:4] == [str(high), "to", "40", "<0.1%"]
    found = outcomes(of(run, "fire", "firers=60"), "losses")
    assert found == {total: Fraction(number, 6**10) for total, number in ways.items()}


def test_never_and_always_are_said_only_if_they_are_so(run, dice):
    lines = lines_of(run, "nerve", "bold=4")
    assert [line.split()[:3] for line in lines[5:]] == [["yes", "100%", "1"]]
    told = "\n".join(lines_of(run, "fire", "firers=60"))
    assert told.count("100%") == 1 and ">99.9%" in told and " 0.0%" not in told


def test_an_option_changes_the_odds(run, dice):
    told = of(run, "nerve", "--with", "brave")
    assert told["options"] == ["brave"]
    assert outcomes(told, "good")[True] == Fraction(5, 6)
    assert lines_of(run, "nerve", "--with", "brave")[0] == "dice 1.0 with brave: Nerve (nerve)"


# Sweeps


def test_a_sweep_gives_a_list(run, dice):
    told = of(run, "nerve", "bold=0..4")
    assert [one["inputs"]["bold"] for one in told] == [0, 1, 2, 3, 4]
    for bold, one in enumerate(told):
        assert outcomes(one, "good").get(True, 0) == Fraction(sum(d + bold >= 5 for d in D6), 6)


def test_a_sweep_of_one_value_gives_a_list_too(run, dice):
    assert [one["inputs"]["bold"] for one in of(run, "nerve", "bold=2..2")] == [2]
    assert [one["inputs"]["bold"] for one in of(run, "nerve", "bold=2,2")] == [2]


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("firers=6..24..6", [6, 12, 18, 24]),
        ("firers=6,18", [6, 18]),
        ("firers=10..12", [10, 11, 12]),
    ],
)
def test_sweeps_over_counts(run, dice, typed, values):
    told = of(run, "fire", typed)
    assert [one["inputs"]["firers"] for one in told] == values
    for one in told:
        groups = one["inputs"]["firers"] // 6
        assert Fraction(one["results"]["losses"]["mean"]) == groups * Fraction(10, 6)


def test_two_sweeps_in_the_order_in_which_they_are_typed(run, dice):
    told = of(run, "fire", "cover=all", "range=all")
    typed = [(one["inputs"]["cover"], one["inputs"]["range"]) for one in told]
    assert typed == list(product(["open", "cover"], ["0-8in", "8-16in"]))


def test_one_sweep_is_a_table_with_the_input_down(run, dice):
    lines = lines_of(run, "nerve", "bold=all")
    assert lines[1] == "  bold=all  Boldness: 5 values"
    assert lines[3:5] == ["good: chance", "bold  chance"]
    assert [line.split()[:2] for line in lines[5:]] == [
        ["0", "33.3%"], ["1", "50.0%"], ["2", "66.7%"], ["3", "83.3%"], ["4", "100%"],
    ]  # fmt: skip
    assert len(lines[9].split()[2]) == 2 * len(lines[6].split()[2]), "bars are parts of certainty"


def test_one_sweep_of_a_number_tells_mean_and_spread(run, dice):
    lines = lines_of(run, "fire", "firers=6..24..6")
    assert lines[5:7] == ["losses: mean", "firers  mean  median  4 in 5 within"]
    assert [line.split()[:2] for line in lines[7:]] == [
        ["6", "1.67"], ["12", "3.33"], ["18", "5.00"], ["24", "6.67"]
    ]  # fmt: skip
    assert lines[7].split()[3:6] == ["0", "to", "4"]


def test_few_outcomes_have_a_column_each(run, dice):
    lines = lines_of(run, "duel", "first_move=all")
    assert lines[4:6] == ["winner: chance of each", "first_move    own  other  nobody"]
    assert lines[6].split() == ["false", "41.7%", "41.7%", "16.7%"]
    lines = lines_of(run, "fire", "firers=6", "cover=all")
    assert lines[5:7] == [
        "losses: mean, and chance of each",
        "cover  mean      0      1      2      3      4",
    ]
    assert lines[8].split()[:6] == ["cover", "1.00", "50.0%", "16.7%", "16.7%", "16.7%"]


def test_two_sweeps_are_rows_and_columns(run, dice):
    lines = lines_of(run, "fire", "range=all", "cover=all")
    assert lines[5:] == [
        "losses: mean; range down, cover across",
        "        open  cover",
        "0-8in   3.33   2.00",
        "8-16in  1.00   0.33",
    ]


def test_two_sweeps_of_a_word_are_a_block_for_each_outcome(run, dice):
    # `edge` is any number of conditions, so that it is not swept.
    lines = lines_of(run, "fire", "range=all", "cover=all", "firers=6..12..6")
    assert lines[5] == "losses: mean"
    assert lines[6].split()[:3] == ["range", "cover", "firers"]
    assert len(lines[7:]) == 2 * 2 * 2


def test_wide_tables_go_on_below(run, dice, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    lines = lines_of(run, "fire", "cover=all", "firers=all")
    assert max(map(len, lines[5:-1])) <= 40
    heads = [line for line in lines if line.strip() and line.split()[0].isdigit()]
    assert [int(word) for line in heads for word in line.split()] == list(range(1, 61))


def test_a_set_that_the_procedure_refuses_is_a_dash(run, dice):
    lines = lines_of(run, "fire", "firers=1..7..6")
    assert lines[7].split() == ["1", *["-"] * 6]
    assert lines[8].split()[1] == "1.67"
    assert lines[-1] == "-: Fewer than six figures (six, not more) throw no die."
    refused, fired = of(run, "fire", "firers=1..7..6")
    assert (refused["results"], refused["joint"]) == ({}, [])
    assert refused["refused"] == "Fewer than six figures (six, not more) throw no die."
    assert "refused" not in fired


def test_spreadsheets_get_a_row_for_each_outcome(run, dice):
    result = run("odds", "dice", "nerve", "bold=1,4", "--csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert result.stdout.splitlines()[0] == "bold,result,value,probability,decimal"
    assert [(row["bold"], row["value"], row["probability"]) for row in rows] == [
        ("1", "true", "1/2"), ("1", "false", "1/2"), ("4", "true", "1/1")
    ]  # fmt: skip
    assert [float(row["decimal"]) for row in rows] == [0.5, 0.5, 1]
    (row, *_) = csv.DictReader(io.StringIO(run("odds", "dice", "duel", "--csv").stdout))
    assert (row["edge"], row["first_move"], row["result"]) == ("none", "false", "winner")


# Wrong usage


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        *beside(__file__, "wrong_usage_names_the_choices"),
        [["dice", "fire", "\udce9=1"], ["no input"]],
    ],
)
def test_wrong_usage_names_the_choices(run, dice, arguments, told):
    result = run("odds", *arguments, exits=2)
    assert all(words in result.stderr for words in told), result.stderr
    assert "\x1b" not in result.stderr
    assert result.stdout == ""


def test_a_sweep_over_too_many_sets_is_refused_with_their_number(run, dice):
    rolls = dice / "rolls.yaml"
    change(rolls, "1-60", "1-300")
    result = run("odds", "dice", "fire", "firers=all", "range=all", "cover=all", exits=0)
    change(rolls, "walls: {count: [3, 6]}", "walls: {count: 1-900}, more: {count: 1-900}")
    change(rolls, "damage >= walls", "damage >= walls + more")
    result = run("odds", "dice", "siege", "walls=all", "more=all", exits=2)
    assert "this sweeps over 810,000 sets of inputs" in result.stderr
    assert "expected: up to 5,000" in result.stderr


def test_ten_thousand_arguments(run, dice):
    result = run("odds", "dice", "fire", *(f"x{number}=1" for number in range(10_000)), exits=2)
    assert "no input 'x0'" in result.stderr


def test_faults_of_the_content_end_with_1(run, dice):
    change(dice / "rolls.yaml", "die - deduction", "die - deductoin")
    result = run("odds", "dice", "fire", exits=1)
    assert "rolls.yaml:31:" in result.stderr and "deductoin" in result.stderr
    assert run("odds", "dice", "nerve").exit_code == 0, "another procedure runs all the same"
    change(dice / "rolls.yaml", "tables:", "tabels:")
    result = run("odds", "dice", "nerve", exits=1)
    assert "error[R201]" in result.stderr and result.stdout == ""


def test_a_procedure_that_cannot_run_with_these_inputs_ends_with_1(run, dice):
    change(dice / "rolls.yaml", "max(0, die - deduction)", "die // (deduction - 3)")
    result = run("odds", "dice", "fire", "cover=cover", exits=1)
    assert "rolls.yaml:31:" in result.stderr and "cover=cover" in result.stderr


def test_a_ruleset_without_procedures(run, dice):
    text = (dice / "rolls.yaml").read_text("utf-8")
    (dice / "rolls.yaml").write_text(text[: text.index("procedures:")], "utf-8")
    (dice / "options/brave.yaml").unlink()
    assert "the ruleset 'dice' has no procedures" in run("odds", "dice", "fire", exits=2).stderr
    assert "no option 'y'; there is none at all" in run("odds", "dice", "x", "--with", "y").stderr


# From the shell


def shell(here, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "rulebook", *arguments],
        cwd=here,
        capture_output=True,
        env={"PYTHONPATH": ":".join(sys.path), **environment},
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_knows_no_blocks(here, dice, encoding):
    told = shell(here, "odds", "dice", "fire", PYTHONIOENCODING=encoding)
    assert told.returncode == 0
    assert b"#" * 40 in told.stdout
    assert "█" not in told.stdout.decode("utf-8", errors="replace")
    told = shell(here, "odds", "dice", "\udcff", PYTHONIOENCODING=encoding)
    assert told.returncode == 2 and b"Traceback" not in told.stderr
