"""Differences of any two pieces of plain data: nothing of nothing, and the new one by applying."""

from typing import Any

from applied_changes import apply
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.model.plain_data import Named, Plain, canonical, read_canonical
from rulebook.revisions.changes import keyed, unkeyed
from rulebook.revisions.comparison import Renames, differences

KEYS = st.sampled_from(["a", "b", "c", "id", "name", "title", "was", "data", "order", "named"])
TEXTS = st.one_of(st.none(), st.text("ab 12", max_size=8))


def plain_data() -> st.SearchStrategy[Plain]:
    def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of(
            st.lists(inner, max_size=5),
            st.dictionaries(st.sampled_from("uvwxyz"), inner, max_size=5),
            st.dictionaries(KEYS, inner, max_size=6).map(Named),
        )

    return st.recursive(TEXTS, grown, max_leaves=25)


@given(plain_data())
def test_nothing_differs_from_itself(data: Plain) -> None:
    assert [*differences(keyed(data), keyed(data), (), Renames())] == []


@given(plain_data(), plain_data())
@settings(max_examples=100)
def test_applying_the_differences_gives_the_other(old: Plain, new: Plain) -> None:
    changes = differences(keyed(old), keyed(new), (), Renames())
    assert canonical(unkeyed(apply(changes, keyed(old)))) == canonical(new)


@given(plain_data())
def test_canonical_text_is_read_back(data: Plain) -> None:
    text = canonical(data)
    assert canonical(read_canonical(text)) == text
    assert canonical(unkeyed(keyed(data))) == text
