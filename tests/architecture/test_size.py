"""The size of the package: lines of code of each room within its budget, each class name once."""

import ast
import io
import tokenize
from collections import defaultdict
from pathlib import Path

import pytest
from beside import beside

PACKAGE = Path(__file__).parents[2] / "rulebook"
MODULES = sorted(PACKAGE.rglob("*.py"))

BUDGETS: dict[str, int] = beside(__file__, "lines")
NOT_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


def lines_of_code(source: str) -> int:
    """How many lines hold code: neither blank, nor comment, nor a string by itself."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    written = {
        line
        for token in tokens
        if token.type not in NOT_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    described = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return len(written - described)


def room_of(path: Path) -> str:
    """The folder below the package in which a module lies; "top" for one beside the folders."""
    return path.relative_to(PACKAGE).parts[0] if path.parent != PACKAGE else "top"


def test_lines_of_code_are_counted() -> None:
    source = '"""A docstring\nof two lines."""\n\n# a comment\nx = (\n    1\n)  # and code\n'
    assert lines_of_code(source) == 3


@pytest.mark.parametrize("room", sorted({room_of(path) for path in MODULES}))
def test_a_room_is_within_its_budget(room: str) -> None:
    count = sum(lines_of_code(path.read_text("utf-8")) for path in MODULES if room_of(path) == room)
    assert count <= BUDGETS[room]


def test_every_budget_is_of_a_room() -> None:
    assert BUDGETS.keys() == {room_of(path) for path in MODULES}


def test_a_class_name_stands_for_one_class() -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                where[node.name.lstrip("_")].append(path.relative_to(PACKAGE).as_posix())
    assert {name: modules for name, modules in where.items() if len(modules) > 1} == {}
