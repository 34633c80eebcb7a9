"""What is told of texts that are no expressions: the characters, the fault, and what to write."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rulebook.model.expressions import ExpressionFault, parse_expression
from rulebook.model.procedures import ProcedureStep

SLIPS = [
    # Signs of books, spreadsheets and programming languages.
    ("die ≥ 4", "≥", "'≥' is no sign of expressions", "write >="),
    ("die × 2", "×", "'×' is no sign of expressions", "write *"),
    ("die − 2", "−", "'−' is no sign of expressions", "write -"),
    ("1 if mood ≠ 'calm' else 0", "≠", "'≠' is no sign of expressions", "write !="),
    ("1 if die => 4 else 0", "=>", "'=>' is no sign of expressions", "write >="),
    ("1 if die > = 4 else 0", "> =", "'> =' is no sign of expressions", "write >="),
    ("1 if die <> 4 else 0", "<>", "'<>' is no sign of expressions", "write !="),
    ("1 if die = 4 else 0", "=", "a single =", "write == to compare"),
    ("a == 1 && b == 2", "&&", "'&&' is no sign of expressions", "write and"),
    ("!brave", "!", "'!' is no sign of expressions", "write not"),
    ("max(die; 3)", ";", "';' is no sign of expressions", "write ,"),
    ("{die", "{", "'{' is no sign of expressions", "write names without braces"),
    # Words.
    ("a == 1 AND b == 2", "AND", "'AND' in capitals", "write and"),
    ("1 if brave Else 0", "Else", "'Else' in capitals", "write else"),
    ("die x 2", "x", "'x' between two values", "write *"),
    ("die plus 2", "plus", "'plus' between two values", "write +"),
    ("class + 1", "class", "'class' cannot be a name in expressions", "choose another name"),
    ("from + 1", "from", "'from' cannot be a name in expressions", "choose another name"),
    ("1 if zone.from > 2 else 0", "from", "'from' cannot be a name in expressions", None),
    ("zone[a].in + 1", "in", "'in' cannot be a name in expressions", "choose another name"),
    ("zone.else", "else", "'else' cannot be a name in expressions", "choose another name"),
    ("1 if zone.ends > 2", "if", "an 'if' without 'else'", None),
    # Numbers, dice, lengths, targets, quotes.
    ("die * 50%", "50%", "a percentage", "write 1/2"),
    ("2½", "2½", "the sign '½' for a part of a number", "write (2 + 1/2)"),
    ("007", "007", "a number with a 0 before it", "write 7"),
    ("1,000", "1,000", "several values with a comma between them", "write 1000"),
    ("3,5", "3,5", "several values with a comma between them", "write 3.5"),
    ("fire[0-8in]", "0-8in", "'0-8in' without quotes", "write '0-8in', in single quotes"),
    ("fire[48in+]", "48in+", "'48in+' without quotes", "write '48in+', in single quotes"),
    ("6/4+", "6/4+", "a roll target without quotes", "write '6/4+', in single quotes"),
    ("mood == ‘calm’", "‘calm’", "curly quotes", "write 'calm', in straight quotes"),
    ("mood == 'calm", "'", "a quote that is not closed", "close it, or delete it"),
    # Values and signs that are missing.
    ("4 +", "+", "nothing follows '+'", "add what is missing"),
    ("(4 +)", "+", "nothing follows '+'", "add what is missing"),
    ("* 4", "*", "no value before '*'", "add what is missing"),
    ("2 men", "2 men", "'2' and 'men' side by side", "write 2 * men if they are multiplied"),
    ("die roll", "die roll", "'die' and 'roll' side by side", "write die_roll if it is one name"),
    ("(men // 6", "(", "a bracket that is not closed", "close every bracket"),
    ("men // 6)", ")", "a bracket that was not opened", "delete it, or open it before"),
    ("fire[(men]", "]", "brackets of two kinds", "close each with its like"),
    # Conditions.
    ("1 if brave", "if", "an 'if' without 'else'", "add what it is otherwise, such as: else 0"),
    ("max(1 if brave, 2)", "if", "an 'if' without 'else'", None),
    ("if brave then 1 else 0", "if", "a condition before its value", None),
    ("brave ? 1 : 0", "?", "'?' is no sign of expressions", None),
    ("1 else 0", "else", "an 'else' without 'if'", None),
    # Names and calls that can be read, but are none.
    ("NOT (brave)", "NOT", "'NOT' cannot be called", "write not"),
    ("Max(1, 2)", "Max", "'Max' cannot be called", "write 'max'"),
    ("Größe", "Größe", "'Größe' is not a name", "write groesse"),
    ("MEN + 1", "MEN", "'MEN' is not a name", "write men"),
]


@pytest.mark.parametrize(("text", "excerpt", "message", "hint"), SLIPS)
def test_slip(text: str, excerpt: str, message: str, hint: str | None) -> None:
    with pytest.raises(ExpressionFault) as caught:
        parse_expression(text)
    fault = caught.value
    assert (text[fault.start : fault.end], fault.message) == (excerpt, message)
    assert fault.hint == hint if hint else fault.hint
    assert fault.expected


@pytest.mark.parametrize(
    "text",
    [
        "1 if not brave and men not in (1, 2) else 0",
        "-men + +2 if brave else (3 if men > 2 else 4)",
        "fire['0-8in', cover].kills // 2",
        "max(1 if brave else 0, 2)",
    ],
)
def test_what_is_no_slip_is_read(text: str) -> None:
    assert str(parse_expression(text)) == text


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("d 6", "write d6"),
        ("2w6", "write 2d6"),
        ("two d6", "write 2d6"),
        ("best of 3d6", "write highest of 3d6"),
        ("worst 2 of 4 d6", "write lowest 2 of 4d6"),
        ("6", "write d6"),
        ("d6+1", "write d6, and reckon with the name of the throw"),
    ],
)
def test_dice_as_they_are_spoken(written: str, hint: str) -> None:
    with pytest.raises(ValidationError) as caught:
        ProcedureStep.model_validate({"roll": {"die": written}})
    assert caught.value.errors()[0]["ctx"]["error"].hint == hint


@pytest.mark.parametrize("written", ["2D6", "2d6"])
def test_dice_in_capitals(written: str) -> None:
    step = ProcedureStep.model_validate({"roll": {"die": written}})
    assert [str(thrown) for thrown in (step.roll or {}).values()] == ["2d6"]


@pytest.mark.parametrize("written", ["4+", "6/4+", "never", "needs['near']"])
def test_targets_stand_without_quotes(written: str) -> None:
    step = ProcedureStep.model_validate({"test": "good", "dice": "d6", "target": written})
    assert str(step.target) == written
