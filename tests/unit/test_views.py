"""Views in their canonical form: fields in their order, and nothing but values."""

import pickle
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from rulebook.cache import digest_of
from rulebook.frozen_view import canonical, is_view


@dataclass(frozen=True, slots=True)
class Inner:
    text: str
    note: int | None = None

    @property
    def long(self) -> bool:
        return len(self.text) > 2


@dataclass(frozen=True, slots=True)
class Outer:
    of: tuple[Inner, ...]
    by: dict[str, Inner]


OUTER = Outer((Inner("½″"), Inner("", 0)), {"b": Inner("x"), "a": Inner("y")})


def test_a_view_is_its_fields_in_their_order() -> None:
    assert canonical(OUTER).decode() == (
        '{"of":[{"text":"½″","note":null},{"text":"","note":0}],'
        '"by":{"b":{"text":"x","note":null},"a":{"text":"y","note":null}}}'
    )
    assert canonical({"b": [1, None, True], "a": "½″"}) == '{"b":[1,null,true],"a":"½″"}'.encode()


def test_whatever_it_says_is_part_of_its_digest() -> None:
    others = (
        Outer(OUTER.of[:1], OUTER.by),
        Outer(OUTER.of[::-1], OUTER.by),
        Outer(OUTER.of, {"a": Inner("y"), "b": Inner("x")}),  # the order in which it is printed
    )
    assert len({digest_of(one) for one in (OUTER, *others)}) == 4
    assert digest_of(pickle.loads(pickle.dumps(OUTER))) == digest_of(OUTER)


@pytest.mark.parametrize(
    "value", [{1, 2}, float("nan"), object(), "\ud800", Inner, Fraction(1), Path(), len]
)
def test_what_is_neither_a_view_nor_plain_data_is_refused(value: object) -> None:
    assert not is_view(value)
    for holder in (value, {"view": value}, Outer((value,), {})):  # type: ignore[arg-type]
        with pytest.raises((TypeError, ValueError)):
            canonical(holder)
