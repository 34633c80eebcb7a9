"""Programs as plain data: all that the steps need, once; what plays them is tried in a browser."""

from fractions import Fraction

import pytest
from small_rulesets import ruleset_of

from rulebook.core.browser_programs import BrowserPrograms
from rulebook.core.value_types import json_value
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import Dice, RollTarget


def plain_of(ruleset: Ruleset) -> dict[str, object]:
    return BrowserPrograms(ruleset, lambda say: say.markdown if say else "").plain()


def test_what_is_set_is_shown_in_words_of_the_rules_or_not_at_all() -> None:
    inner = {
        "title": "Inside",
        "steps": [{"roll": {"score": "d6"}}, {"test": "struck", "dice": "d6", "target": "5+"}],
        "result": {"score": {"title": "The score", "value": "score"}, "hit": "struck"},
    }
    steps = [
        {"set": {"kept": "0", "x": "0"}},
        {"choose": {"way": {"one_of": ["left", "right"], "label": "The way"}}},
        {"run": "inside", "take": {"got": "score", "hit": "hit"}},
        {"roll": {"a": "d6", "b": "d6"}},
        {"roll": {"two": "2d6"}},
        {"roll": {"many": "d6"}, "times": "3", "distinct": "faces"},
        {"test": "held", "dice": "d6", "target": "4+"},
        {"set": {"kept": "got + a + b + two + faces"}},
        {"say": "Add it up.", "set": {"kept": "kept + 1 if held or hit else kept"}},
        {"set": {"x": "kept + 1 if way == 'left' else kept"}},
    ]
    outer = {"title": "A trial", "steps": steps, "result": {"x": {"title": "Sum", "value": "x"}}}
    plain = plain_of(ruleset_of({"procedures": {"inside": inner, "trial": outer}}))
    procedures = plain["procedures"]

    def words(name: str) -> list[dict[str, str]]:
        found = procedures[name]["steps"]  # type: ignore[index]
        return [
            {key: one["words"] for key, one in step.get("labels", {}).items()} for step in found
        ]

    assert words("inside") == [{"score": "The score"}, {"struck": "Hit"}]
    assert words("trial") == [
        {},  # it begins with them
        {"way": "The way"},
        {},  # the other procedure has shown them
        {},  # the dice tell themselves
        {"two": "Total"},
        {"faces": "Different scores"},
        {"held": "Passed"},
        {},  # there is no word for it
        {"kept": ""},  # the sentence says what it is
        {"x": "Sum"},
    ]


def test_values_are_exact() -> None:
    assert json_value(2**53 - 1) == 2**53 - 1
    assert json_value(2**53) == {"ratio": f"{2**53}/1"}
    assert json_value(Fraction(-5, 3)) == {"ratio": "-5/3"}
    assert json_value(True) is True
    assert json_value(("lost", "lost")) == {"rows": ["lost", "lost"]}
    assert json_value(frozenset((6, 1))) == {"faces": [1, 6]}
    assert json_value(RollTarget((6, 4))) == {"scores": [6, 4], "text": "6/4+"}
    assert json_value(Dice(2, 6)) == {"dice": 2, "sides": 6}
    with pytest.raises(TypeError, match="no value of a program"):
        json_value(0.5)


def test_a_procedure_with_a_fault_has_no_plain_form() -> None:
    trial = {"title": "A trial", "steps": [{"set": {"x": "y"}}], "result": {"x": "x"}}
    with pytest.raises(ValueError, match="'trial' has not been checked"):
        plain_of(ruleset_of({"procedures": {"trial": trial}}))
