"""Texts -> trees of a small language; whatever else Python can say is refused when it is read."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from beside import beside
from pydantic import TypeAdapter, ValidationError

from rulebook.model import expressions
from rulebook.model.expressions import ExpressionFault, Tree, parse_expression
from rulebook.model.procedures import AnyStep


def parts_of(tree: Tree) -> Iterator[Tree]:
    """The tree and everything in it."""
    yield tree
    for field in fields(tree):
        inner = getattr(tree, field.name)
        for one in inner if isinstance(inner, tuple) else (inner,):
            if isinstance(one, expressions.TextRange):
                yield from parts_of(one)  # type: ignore[arg-type]


def test_pieces_know_where_they_stand() -> None:
    text = "  max(0,\n die - two)"
    names = {
        piece.id: text[piece.start : piece.end]
        for piece in parts_of(parse_expression(text).tree)
        if isinstance(piece, expressions.Name)
    }
    assert names == {"die": "die", "two": "two"}


HOSTILE = [*beside(__file__, "hostile"), "9" * 400]


@pytest.mark.parametrize("text", HOSTILE)
def test_refused(text: str) -> None:
    with pytest.raises(ExpressionFault) as fault:
        parse_expression(text)
    assert fault.value.code in ("R221", "R222", "R223")
    assert 0 <= fault.value.start < fault.value.end


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100 + "1" + ")" * 100,
        "-" * 400 + "1",
        "not " * 100 + "true",
        "+".join(["die"] * 100),
        "max(" * 60 + "1" + ", 2)" * 60,
        "a" * 501,
        "die[" * 100 + "1" + "]" * 100,
        "1 if a else " * 30 + "2",
        "die" + ".a" * 200,
    ],
)
def test_too_long_or_too_deep(text: str) -> None:
    try:
        tree = parse_expression(text).tree
    except ExpressionFault as fault:
        assert fault.code in ("R221", "R222", "R223")
        return
    assert sum(1 for _ in parts_of(tree)) <= expressions.MOST_PARTS


# What is told of texts that are no expressions: the characters, the fault, and what to write.

STEP: TypeAdapter[Any] = TypeAdapter(AnyStep)


@pytest.mark.parametrize(("text", "excerpt", "meant"), beside(__file__, "written_otherwise"))
def test_written_otherwise(text: str, excerpt: str, meant: str) -> None:
    with pytest.raises(ExpressionFault) as caught:
        parse_expression(text)
    fault = caught.value
    assert (text[fault.start : fault.end], fault.hint) == (excerpt, f"write {meant}")
    assert fault.expected


@pytest.mark.parametrize("text", beside(__file__, "unread"))
def test_unread(text: str) -> None:
    with pytest.raises(ExpressionFault) as caught:
        parse_expression(text)
    assert (caught.value.code, caught.value.hint) == ("R221", "")


@pytest.mark.parametrize("text", beside(__file__, "what_is_no_slip_is_read"))
def test_what_is_no_slip_is_read(text: str) -> None:
    assert str(parse_expression(text)) == text


@pytest.mark.parametrize("written", ["d 6", "2w6", "two d6", "best of 3d6", "lowest 3 of 2d6"])
def test_dice_as_they_are_spoken(written: str) -> None:
    with pytest.raises(ValidationError) as caught:
        STEP.validate_python({"roll": {"die": written}})
    assert caught.value.errors()[0]["ctx"]["error"].expected


@pytest.mark.parametrize("written", ["4+", "6/4+", "never", "needs['near']"])
def test_targets_stand_without_quotes(written: str) -> None:
    step = STEP.validate_python({"test": "good", "dice": "d6", "target": written})
    assert str(step.target) == written
