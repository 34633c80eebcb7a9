"""No pattern of the package can take more than linear time, whatever text it meets.

Every regular expression is found where it is used, and proved by its structure: nothing is timed.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from beside import beside
from linear_patterns import Use, why_not_linear

import rulebook

PACKAGE = Path(rulebook.__file__).parent
_FUNCTIONS = set(beside(__file__, "functions"))
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__main__.py")

#: Where a pattern stands, itself, its flags, and how it is used.
Pattern = tuple[str, str, int, set[Use]]

#: Patterns put together where they are used, of parts that stand in the program.
PUT_TOGETHER = {
    "checking/hand_typed_values.py": {"either"},
    "checking/terms_and_lengths.py": {"'|'.join(words)", "marks"},
}


def module_of(path: Path) -> ModuleType:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return importlib.import_module(".".join(one for one in parts if one != "__init__"))


def uses_of(tree: ast.Module, name: str) -> set[Use]:
    """How a pattern with a name is used in its module; anyhow, where it is passed on."""
    loads = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    uses: list[Use] = [
        _use(node.func.attr, at_start=len(node.args) == 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == name
    ]
    return set(uses) if loads and len(uses) == len(loads) else {"fullmatch", "search"}


def _use(function: str, *, at_start: bool = True) -> Use:
    """match(text, 12) may be called again and again along a text, as a search does."""
    if function == "fullmatch":
        return "fullmatch"
    return "match" if function == "match" and at_start else "search"


def patterns_of(path: Path) -> Iterator[Pattern]:
    """Each pattern of a module: where it stands, itself, its flags, and whether it is searched."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if not any(isinstance(node, ast.Import) and node.names[0].name == "re" for node in tree.body):
        return
    module = module_of(path)
    named: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named[id(node.value)] = node.targets[0].id
    for node in ast.walk(tree):
        if not (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _FUNCTIONS
        ):
            continue
        where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
        values = vars(module)
        written = ast.unparse(node.args[0])
        try:
            pattern = eval(written, dict(values))
        except NameError:
            yield f"{where}: {written}", "", 0, set()
            continue
        if isinstance(pattern, re.Pattern):
            continue
        compiled = node.func.attr == "compile"
        flags = 0
        for argument in (*node.args[1:], *(word.value for word in node.keywords)):
            if "re." in ast.unparse(argument):
                flags = int(eval(ast.unparse(argument), dict(values)))
        uses = uses_of(tree, named.get(id(node), "")) if compiled else {_use(node.func.attr)}
        yield where, pattern if isinstance(pattern, str) else pattern.decode(), flags, uses


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_patterns_are_linear(path: Path) -> None:
    faults = []
    for where, pattern, flags, uses in patterns_of(path):
        if not pattern:
            file, _, written = where.partition(":")[0], *where.partition(": ")[1:]
            assert written in PUT_TOGETHER.get(file, ()), f"{where}: name it in PUT_TOGETHER"
            continue
        for use in sorted(uses):
            if fault := why_not_linear(pattern, flags, use=use):
                faults.append(f"{where}: {pattern!r} in a {use}: {fault}")
    assert not faults, "\n".join(faults)


def test_patterns_are_found() -> None:
    """The test above would pass if it looked at nothing."""
    found = [(pattern, uses) for path in FILES for _, pattern, _, uses in patterns_of(path)]
    assert len(found) > 150
    assert any("read|house|missing" in pattern and uses == {"fullmatch"} for pattern, uses in found)


@pytest.mark.parametrize(("pattern", "use"), beside(__file__, "are_not_linear"))
def test_patterns_that_are_not_linear(pattern: str, use: Use) -> None:
    assert why_not_linear(pattern, use=use)


@pytest.mark.parametrize(("pattern", "use"), beside(__file__, "are_linear"))
def test_patterns_that_are_linear(pattern: str, use: Use) -> None:
    assert not why_not_linear(pattern, use=use)
