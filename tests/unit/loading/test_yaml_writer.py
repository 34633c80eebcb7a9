"""What is written as YAML is read as the same, and is set as an author sets it."""

from hypothesis import given
from hypothesis import strategies as some

from rulebook.loading.nodes import plain
from rulebook.loading.yaml_reader import read_yaml
from rulebook.loading.yaml_writer import write_yaml

KEYS = some.sampled_from(["rows", "no", "row_2"])
TEXTS = some.sampled_from(
    ["", "~", "no", "7", "+1", "4+", "#N/A", "a: b", "- c", "{d}", "1, 2", "'e'", '"f"', "=g"]
) | some.text(some.sampled_from("ab ~\\'\"\n-:#,[]{}&*!|>%@`=½″−"), max_size=90)
VALUES = some.recursive(
    some.none() | TEXTS,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(some.dictionaries(KEYS, VALUES, min_size=1))
def test_what_is_written_is_read_as_the_same(data):
    root, faults = read_yaml(write_yaml(data), "a.yaml")
    assert not faults
    assert plain(root) == data


def test_a_row_is_one_line():
    rows = {"one": {"shots": "4+", "note": None}, "two": {"shots": "no", "note": "a: b"}}
    assert write_yaml({"title": "", "data": rows}) == (
        "title: ''\ndata:\n  one: {shots: 4+, note: ~}\n  two: {shots: no, note: 'a: b'}\n"
    )
