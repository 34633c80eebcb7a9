"""Whatever an author may type: its one spelling is read as the same value, and spelt so again."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from rulebook import quantities
from rulebook.model.expressions import ExpressionFault, parse_expression
from rulebook.model.plain_data import plain

DIGITS = st.integers(0, 9999).map(str)
NUMBERS = st.one_of(
    DIGITS,
    st.tuples(DIGITS, DIGITS).map(".".join),
    st.tuples(DIGITS, st.integers(1, 99).map(str)).map("/".join),
)
FACES = st.lists(st.integers(1, 20), min_size=1, max_size=6).map(lambda f: ", ".join(map(str, f)))
TYPED: dict[str, tuple[Callable[[str], object], st.SearchStrategy[str]]] = {
    "length": (
        quantities.parse_length,
        st.tuples(NUMBERS, st.sampled_from(["in", "cm", "mm", "yd", " base", " bases"])).map(
            "".join
        ),
    ),
    "angle": (
        quantities.parse_angle,
        st.tuples(NUMBERS, st.sampled_from(["deg", "\u00b0"])).map("".join),
    ),
    "target": (
        quantities.parse_roll_target,
        st.one_of(
            st.just("never"),
            st.lists(st.integers(1, 20), min_size=1, max_size=3).map(
                lambda scores: "/".join(map(str, scores)) + "+"
            ),
        ),
    ),
    "faces": (quantities.parse_faces, FACES),
    "modifier": (
        quantities.parse_modifier,
        st.integers(-20, 20).map(lambda n: f"{n:+d}" if n else "0"),
    ),
    "dice": (
        quantities.parse_dice,
        st.tuples(st.sampled_from(["", "1", "2", "12"]), DIGITS).map("d".join),
    ),
    "ratio": (quantities.parse_ratio, st.one_of(NUMBERS, NUMBERS.map(lambda text: f"{text}%"))),
    "count": (quantities.parse_count, st.one_of(DIGITS, DIGITS.map(lambda text: f"0{text}"))),
    "flag": (quantities.parse_flag, st.sampled_from(["true", "false"])),
    "band": (
        quantities.parse_band,
        st.one_of(
            st.tuples(NUMBERS, NUMBERS, st.sampled_from(["", "in", "cm"])).map(
                lambda parts: f"{parts[0]}-{parts[1]}{parts[2]}"
            ),
            st.tuples(NUMBERS, st.sampled_from(["+", "in+", "", "in"])).map("".join),
            NUMBERS.map(lambda text: f"<={text}"),
        ),
    ),
}


@pytest.mark.parametrize("name", TYPED)
@given(data=st.data())
def test_a_quantity(name: str, data: st.DataObject) -> None:
    parse, typed = TYPED[name]
    text = data.draw(typed)
    try:
        value = parse(text)
    except quantities.QuantityError:
        return
    spelt = plain(value)
    assert isinstance(spelt, str)
    assert parse(spelt) == value
    assert plain(parse(spelt)) == spelt


NAMES = st.sampled_from(["firers", "musketry", "'0-8in'", "'hold'", "6", "2.5", "true", "die"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    space = st.sampled_from(["", " ", "  ", "\n"])
    signs = st.sampled_from(["+", "-", "*", "/", "//", " and ", " or ", "==", "<=", ">", " in "])
    return st.one_of(
        st.tuples(inner, space, signs, space, inner).map("".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"not {text}"),
        inner.map(lambda text: f"-{text}"),
        st.tuples(inner, inner).map(lambda two: f"max({two[0]},{two[1]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"{t[0]} if {t[1]} else {t[2]}"),
        st.tuples(inner, inner).map(lambda two: f"musketry[{two[0]} ,{two[1]}]"),
        inner.map(lambda text: f"weapon.dice + {text}"),
    )


@given(st.recursive(NAMES, _grown, max_leaves=8))
@example("musketry['0-8in', first,open]")
@example("4+")
def test_an_expression(text: str) -> None:
    """It is spelt with other spaces and brackets, and means the same."""
    try:
        expression = parse_expression(text)
    except (quantities.QuantityError, ExpressionFault):
        return
    spelt = plain(expression)
    assert isinstance(spelt, str)
    again = parse_expression(spelt)
    assert plain(again) == spelt
    assert _shape(again.tree) == _shape(expression.tree)


def _shape(node: object) -> object:
    """A tree without the places of its parts."""
    if isinstance(node, tuple):
        return tuple(_shape(one) for one in node)
    if hasattr(node, "__dataclass_fields__"):
        names = [name for name in node.__dataclass_fields__ if name not in ("start", "end")]
        return (type(node).__name__, *(_shape(getattr(node, name)) for name in names))
    return node


@given(st.fractions(min_value=-1000, max_value=1000))
def test_a_number(number: Fraction) -> None:
    assert Fraction(str(plain(number))) == number


def test_what_is_no_value_is_refused() -> None:
    for value in (1.5, object(), {1, 2}, b"x", BaseModel):
        with pytest.raises(TypeError):
            plain(value)
