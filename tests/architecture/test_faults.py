"""The catalogue of faults and the places that tell of them fit each other.

A place is a call whose first argument names a text of `faults.txt`; the values for what stands in
braces there are its keywords.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from rulebook.faults import Wording, catalogue

PACKAGE = Path(__file__).parents[2] / "rulebook"
KEY = re.compile(r"R\d{3} .+")
#: Keywords of the functions that make faults, which are not put into their words.
OWN = {"also", "at", "item", "cell", "meant", "choices"}
#: What takes the words of a fault as they are, after its code.
PASSING_ON = {"Problem", "LookupFault", "RunFault", "InputFault", "Slip"}


@dataclass
class Place:
    """A call that tells of a fault: the texts that it chooses from, and what it gives to them."""

    where: str
    keys: list[str]
    given: set[str | None]

    @property
    def wordings(self) -> list[Wording]:
        return [catalogue().wordings[key] for key in self.keys if key in catalogue().wordings]


def keys_in(node: ast.AST) -> Iterator[str]:
    """The names of texts in an argument: a literal, or one of two."""
    if isinstance(node, ast.IfExp):
        yield from keys_in(node.body)
        yield from keys_in(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.match(node.value):
        yield node.value


def places() -> Iterator[Place]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                keys = list(keys_in(node.args[0]))
                where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
                if keys:
                    yield Place(where, keys, {keyword.arg for keyword in node.keywords})


def lines_of(wording: Wording) -> list[str]:
    return [wording.message, *wording.expected, *wording.hint, *wording.also]


def wanted_by(wording: Wording) -> set[str]:
    """The names in braces."""
    parsed = (part for line in lines_of(wording) for part in Formatter().parse(line))
    return {name for _, name, _, _ in parsed if name is not None}


def test_places_name_texts_that_there_are() -> None:
    known = catalogue().wordings
    offenders = [f"{one.where}: {key}" for one in places() for key in one.keys if key not in known]
    assert not offenders, "\n".join(offenders)


def test_places_give_what_the_texts_want() -> None:
    offenders = [
        f"{one.where}: wants {sorted(wanted)}, is given {sorted(map(str, one.given))}"
        for one in places()
        for wanted in [set[str]().union(*map(wanted_by, one.wordings))]
        if one.given - (OWN - wanted) != wanted
    ]
    assert not offenders, "\n".join(offenders)


def test_places_give_a_second_place_where_something_is_said_of_it() -> None:
    offenders = [
        one.where
        for one in places()
        if ("also" in one.given) != any(wording.also for wording in one.wordings)
    ]
    assert not offenders, "\n".join(offenders)


def test_texts_are_named_where_a_fault_is_told_and_nowhere_else() -> None:
    """A name kept elsewhere would not be compared with its text."""
    named = [key for one in places() for key in one.keys]
    written = [
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.match(node.value)
        if node.value in catalogue().wordings
    ]
    assert sorted(named) == sorted(written)
    assert sorted(catalogue().wordings.keys() - set(named)) == []


def test_a_code_without_the_name_of_a_text_is_only_passed_on() -> None:
    """Such as with what an author says himself, or the words of a fault that was told elsewhere."""
    offenders = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and node.args
        if isinstance(node.args[0], ast.Constant)
        if re.fullmatch(r"R\d{3}", str(node.args[0].value))
        if ast.unparse(node.func).rpartition(".")[2] not in PASSING_ON
    ]
    assert not offenders, "\n".join(offenders)


def test_codes_have_a_meaning_and_a_text_in_order() -> None:
    codes = list(catalogue().meanings)
    assert codes == sorted(codes)
    assert {key[:4] for key in catalogue().wordings} <= set(codes)


def test_placeholders_are_names() -> None:
    for key, wording in catalogue().wordings.items():
        assert all(name.isidentifier() for name in wanted_by(wording)), key
