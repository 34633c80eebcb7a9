"""YAML text -> nodes: every scalar is text, and everything knows where it stands."""

import pytest
from beside import beside, rows

from rulebook.loading.nodes import Node, plain
from rulebook.loading.yaml_reader import read_yaml
from rulebook.problems import Span


def read(text: str) -> Node:
    root, problems = read_yaml(text, "f.yaml")
    assert not problems
    assert root is not None
    return root


def at(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span("f.yaml", line, column, end_line, end_column)


@pytest.mark.parametrize("written", beside(__file__, "yaml_guesses_nothing"))
def test_yaml_guesses_nothing(written: str) -> None:
    assert plain(read(f"a: {written}")) == {"a": written}


def test_a_bare_tilde_is_nothing_and_a_quoted_one_is_not() -> None:
    assert plain(read("[~, '~', \"~\", null]")) == [None, "~", "~", "null"]


def test_places() -> None:
    root = read("tables:\n  mêlée:\n    data: [1, 'zwölf']\n    rows:\n      - x\n")
    melee = root.entries["tables"].value
    entry = melee.entries["mêlée"]
    assert entry.key.span == at(2, 3, 2, 8)
    data = entry.value.get("data")
    assert data.span == at(3, 11, 3, 23)
    assert [item.span for item in data.items] == [at(3, 12, 3, 13), at(3, 15, 3, 22)]
    rows = entry.value.get("rows")
    assert rows.items[0].span == at(5, 9, 5, 10)


def test_all_faults_of_a_file_are_told() -> None:
    text = "a: &x 1\nb: *x\nc: !!int 1\nd:\nd: 2\n<<: {e: 1}\n? [f]\n: 1\n"
    _, problems = read_yaml(text, "f.yaml")
    told = [(problem.code, problem.span.line if problem.span else 0) for problem in problems]
    assert told == rows(__file__, "all_faults")


def test_faults_before_a_slip_of_syntax_are_kept() -> None:
    _, problems = read_yaml("a:\nc: 2\nd: 3\ne: 4\nb: [1\n", "f.yaml")
    assert [problem.code for problem in problems] == ["R112", "R106"]


@pytest.mark.parametrize("depth", [31, 32, 33, 5_000])
def test_depth(depth: int) -> None:
    root, problems = read_yaml("[" * depth + "]" * depth, "f.yaml")
    assert (root is not None) == (not problems) == (depth <= 32)


@pytest.mark.parametrize(("item", "most"), [("1,", 5_000), (f"[{'1,' * 999}],", 99)])
def test_number_of_items_and_of_values(item: str, most: int) -> None:
    assert not read_yaml(f"[{item * most}]", "f.yaml")[1]
    assert read_yaml(f"[{item * (most + 1)}]", "f.yaml")[1]


@pytest.mark.parametrize(("written", "place", "words"), beside(__file__, "slips_are_explained"))
def test_slips_are_explained(written: str, place: str, words: str) -> None:
    _, problems = read_yaml(written, "f.yaml")
    assert (str(problems[-1].span), problems[-1].code) == (f"f.yaml:{place}", "R106")
    assert words in problems[-1].message
    assert problems[-1].hint
