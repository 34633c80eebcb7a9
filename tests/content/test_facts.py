"""The shipped rulesets say what their sources say: cell by cell, procedure by procedure.

The values expected stand in expected/, a file for each edition: they were typed from the sources,
not from the content. A kind of fact is compared by the function of its name below, which tells what
differs, by its place, with what is found and what the source says.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from expected_facts import EXPECTED, expected
from rendered import shared
from shipped_rulesets import SHIPPED, printed_at, read, released, shipped

from rulebook.build.stale import program_key
from rulebook.checking.all_checks import check
from rulebook.core.input_domains import InputFault
from rulebook.core.odds import FaultyProcedure, Odds, odds, program_of
from rulebook.model.entities import Status
from rulebook.model.grids import Grid
from rulebook.model.lookup import find
from rulebook.model.not_in_source import unstated
from rulebook.model.prose import Remark, Section, Text
from rulebook.model.record_tables import RecordTable
from rulebook.model.ruleset import Ruleset
from rulebook.model.sticks import Mark, with_marks
from rulebook.problems import format_report

#: By its place: what is found, and what the source says.
Differing = dict[str, tuple[object, object]]
INCH = Fraction("25.4")


def edition_of(file: str) -> Ruleset:
    """acw-1.0: that edition as it was released; acw: the ruleset as it is now."""
    name, _, edition = file.rpartition("-")
    return released(name, edition) if edition[0].isdigit() else shipped(file)


def apart(found: Mapping[str, object], said: Mapping[str, object]) -> Differing:
    return {
        key: (found.get(key), said.get(key))
        for key in [*said, *(key for key in found if key not in said)]
        if found.get(key) != said.get(key)
    }


def header(ruleset: Ruleset, name: str, said: Any) -> Differing:
    head = ruleset.header
    known: dict[str, object] = {
        "credits": [credit.name for credit in head.credits],
        "annexes": [chapter.id for chapter in ruleset.chapters if chapter.annex],
        "options": list(ruleset.options),
        "natural": {str(face): word for face, word in (head.natural or {}).items()},
        "ground scale": str(head.scale.ground or "none"),
    }
    found = known[name] if name in known else str(getattr(head, name))
    return apart({name: found}, {name: said})


def _cells(table: RecordTable | Grid) -> dict[str, str]:
    if isinstance(table, Grid):
        return {
            f"line {number}, column {at}": str(cell)
            for number, line in enumerate(table.data, 1)
            for at, cell in enumerate(line, 1)
        }
    return {
        f"{key}, column {at}": str(cell)
        for key, row in table.data.items()
        for at, cell in enumerate(row.cells.values(), 1)
    }


def tables(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """All cells as they print: of each row by its key, or of each line of a grid."""
    table = ruleset.tables[name]
    lines = said if isinstance(said, dict) else {f"line {n}": one for n, one in enumerate(said, 1)}
    cells = {f"{key}, column {n}": c for key, one in lines.items() for n, c in enumerate(one, 1)}
    keys = list(lines) if isinstance(table, Grid) else list(table.data)
    return apart(_cells(table) | {"rows": keys}, cells | {"rows": list(lines)})


def columns(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Some of the columns, named by `of`, of all rows or of those that are named."""
    fields = said["of"]
    cells = {
        f"{key}.{field}": cell
        for key, line in said.items()
        if key != "of"
        for field, cell in zip(fields, line, strict=True)
    }
    return apart({place: printed_at(ruleset, f"{name}.{place}") for place in cells}, cells)


def fields(ruleset: Ruleset, name: str, said: Any) -> Differing:
    table = ruleset.tables[name]
    return apart({name: list(table.fields)}, {name: said})


def rows(ruleset: Ruleset, name: str, said: Any) -> Differing:
    table = ruleset.tables[name]
    return apart({name: list(table.data)}, {name: said})


def places(ruleset: Ruleset, place: str, said: Any) -> Differing:
    return apart({place: printed_at(ruleset, place)}, {place: said})


def modifiers(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Each amount of each row, and no other; a dash where the source has a dash."""
    wanted = {f"{row}.{k}": v for row, amounts in said.items() for k, v in amounts.items()}
    return apart(
        {
            f"{row}.{change}": "–" if cell.value is None else str(cell)
            for row, line in ruleset.modifiers[name].data.items()
            for change, cell in line.cells.items()
        },
        wanted,
    )


def conditions(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Words of the condition of each row."""
    rows = ruleset.modifiers[name].data
    return {
        row: (str(rows[row].when), words)
        for row, words in said.items()
        if words not in str(rows[row].when)
    }


def procedures(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Inputs with the number of their values, and results; and the rule that it is of."""
    program = program_of(ruleset, name)
    sections = {section.id for chapter in ruleset.chapters for section in chapter.sections}
    assert ruleset.procedures[name].rule in sections
    inputs = {key: str(len(domain.values)) for key, domain in program.domains.items()}
    return apart(
        {"inputs": inputs, "results": list(program.results)},
        dict(zip(("inputs", "results"), said, strict=True)),
    )


def told(ruleset: Ruleset, where: str, said: Any) -> Differing:
    """Procedures that stand in the sequence of a turn, or are played in examples, or are there."""
    steps = [step for phase in ruleset.sequence.values() for step in phase.steps.values()]
    found: dict[str, Iterable[object]] = {
        "on the sheet": (name for step in steps for name in step.procedures),
        "in examples": (
            one.run for each in ruleset.examples.values() for one in each.runs.values()
        ),
        "in all": ruleset.procedures,
    }
    names = {name for line in said for name in (line if isinstance(line, list) else [line])}
    return apart({where: {str(name) for name in found[where]}}, {where: names})


def there(ruleset: Ruleset, collection: str, said: Any) -> Differing:
    held = getattr(ruleset.collections, collection)
    return {one: ("not there", collection) for one in said if one not in held}


def hidden(ruleset: Ruleset, name: str, _: Any) -> Differing:
    """Tables for the sentences of the rules alone: in no document."""
    table = ruleset.tables[name]
    return apart({name: (bool(table.booklet), bool(table.qrs))}, {name: (False, False)})


def absent(ruleset: Ruleset, id_: str, _: Any) -> Differing:
    collections = ruleset.collections
    there = [name for name in type(collections).model_fields if id_ in getattr(collections, name)]
    return apart({id_: there}, {id_: []})


def gaps(ruleset: Ruleset, place: str, said: Any) -> Differing:
    """Cells with their status: what is missing has no value of ours."""
    cell = find(ruleset, place)
    assert cell.value is None or cell.status is not Status.MISSING
    return apart({place: cell.status.value}, {place: said})


def notes(ruleset: Ruleset, place: str, said: Any) -> Differing:
    """Words of the note on a cell."""
    cell = find(ruleset, place)
    assert cell.note is not None
    return {words: (str(cell.note), words) for words in said if words not in str(cell.note)}


def read_rows(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """The rows of a table that are a reading; the others are stated."""
    table = ruleset.tables[name]
    found = {key: row.status for key, row in table.data.items()}
    return apart(found, {key: Status.READ if key in said else Status.STATED for key in found})


def unclear(ruleset: Ruleset, status: str, said: Any) -> Differing:
    """Titles of what is owned up to as missing or read; more may be."""
    titles = {one.title for one in unstated(ruleset) if one.status is Status[status.upper()]}
    return {title: ("not told", status) for title in said if title not in titles}


def addresses(ruleset: Ruleset, status: str, said: Any) -> Differing:
    """All cells, rows and amounts that are missing or read, and no other."""
    found = {
        ".".join(map(str, one.address))
        for one in unstated(ruleset)
        if one.status is Status[status.upper()]
        and one.address[0] != "prose"
        and len(one.address) > 2
    }
    return apart(dict.fromkeys(found, status), dict.fromkeys(said, status))


def discs(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Inches of the rings and of the outside."""
    disc = ruleset.cutouts[name]
    found = [Fraction(one.reach) / INCH for one in (*disc.rings, disc)]
    return apart({name: found}, {name: [Fraction(inches) for inches in said.split()]})


def sticks(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Inches of the marks."""
    stick = with_marks(ruleset.cutouts[name], ruleset.tables)
    found = [mark.to.number for mark in stick.marks if isinstance(mark, Mark)]
    return apart({name: found}, {name: [Fraction(inches) for inches in said.split()]})


def boxes(ruleset: Ruleset, unit: str, said: Any) -> Differing:
    found = {name: str(track.boxes) for name, track in ruleset.units[unit].tracks.items()}
    return apart(found, said)


def _section(ruleset: Ruleset, name: str) -> Section:
    (found,) = (one for chapter in ruleset.chapters for one in chapter.sections if one.id == name)
    return found


def _prose(ruleset: Ruleset, name: str) -> str:
    parts = _section(ruleset, name).parts
    return "\n\n".join(part.markdown for part in parts if isinstance(part, Text))


def says(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Phrases that stand in a section, or do not: these begin with `not`."""
    text = _prose(ruleset, name)
    return {
        phrase: (text, name)
        for phrase in said
        if (phrase.removeprefix("not ") in text) is phrase.startswith("not ")
    }


def remarks(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Words of the remarks on a section that something is missing."""
    parts = _section(ruleset, name).parts
    missing = [one for one in parts if isinstance(one, Remark) and one.status is Status.MISSING]
    assert missing
    text = " ".join(one.text.markdown for one in missing)
    return {words: (text, words) for words in said if words not in text}


def rules(ruleset: Ruleset, name: str, said: Any) -> Differing:
    """Rules without a number: words that one paragraph of a section has."""
    text = _prose(ruleset, name)
    paragraphs = [set(re.findall(r"[\w’-]+", one.lower())) for one in text.split("\n")]
    return {
        words: ("in no paragraph", name)
        for words in said
        if not any(set(words.split()) <= paragraph for paragraph in paragraphs)
    }


def _asked(ruleset: Ruleset, asked: str, name: str) -> Odds:
    """The odds of a procedure, before which an option may be named."""
    words = asked.split()
    if words[0] not in ruleset.procedures:
        ruleset = shipped(name, words.pop(0))
    return odds(ruleset, words[0], dict(one.split("=") for one in words[1:]))


def _told(value: object) -> str:
    parts = value if isinstance(value, tuple) else (value,)
    return " ".join(str(one).lower() if isinstance(one, bool) else str(one) for one in parts)


def odds_by_hand(ruleset: Ruleset, asked: str, said: Any) -> Differing:
    """Chances of outcomes, of outcomes of one result (`hits=2`), and means (`mean hits`)."""
    found = _asked(ruleset, asked, ruleset.id)
    known: dict[str, object] = {_told(outcome): share for outcome, share in found.joint}
    for name, result in found.results.items():
        known[f"mean {name}"] = result.mean
        known |= {f"{name}={_told(value)}": share for value, share in result.outcomes}
    wanted = {str(outcome): Fraction(share) for outcome, share in said.items()}
    return apart({outcome: known.get(outcome, 0) for outcome in wanted}, wanted)


def refused(ruleset: Ruleset, asked: str, said: Any) -> Differing:
    """What cannot be asked, with the reason of the rules; nothing for a value that there is not."""
    with pytest.raises((FaultyProcedure, InputFault)) as caught:
        _asked(ruleset, asked, ruleset.id)
    return {} if said in str(caught.value) else {asked: (str(caught.value), said)}


COMPARE: dict[str, Callable[[Ruleset, str, Any], Differing]] = {
    "header": header, "tables": tables, "columns": columns, "fields": fields, "places": places,
    "rows": rows, "modifiers": modifiers, "conditions": conditions, "procedures": procedures,
    "told": told, "there": there, "hidden": hidden, "absent": absent, "gaps": gaps,
    "notes": notes, "read rows": read_rows, "unclear": unclear, "addresses": addresses,
    "discs": discs, "sticks": sticks, "boxes": boxes, "rules": rules, "says": says,
    "remarks": remarks, "odds": odds_by_hand, "refused": refused,
}  # fmt: skip
FILES = sorted(path.stem for path in EXPECTED.glob("*.yaml"))
FACTS = [
    pytest.param(file, kind, name, said, id=f"{file}-{kind}-{name}")
    for file in FILES
    for kind, facts in expected(file).items()
    for name, said in (facts.items() if isinstance(facts, dict) else ((one, "") for one in facts))
]


@pytest.mark.parametrize(("file", "kind", "name", "said"), FACTS)
def test_it_is_as_the_source_has_it(file: str, kind: str, name: str, said: Any) -> None:
    assert COMPARE[kind](edition_of(file), name, said) == {}


def test_every_ruleset_has_its_facts() -> None:
    whole = {name for name in SHIPPED if shipped(name).header.based_on is None}
    assert whole < {*FILES}, "a variant has those of its base"


@pytest.mark.parametrize("file", [*SHIPPED, *(name for name in FILES if name not in SHIPPED)])
def test_it_checks_without_a_fault(file: str) -> None:
    cache = shared().salted(program_key())
    if file in SHIPPED:
        assert format_report(read(file).report) == ""
    assert format_report(check(edition_of(file), cache=cache)) == ""


def _atoms(said: Any) -> int:
    if isinstance(said, dict | list):
        return sum(map(_atoms, said.values() if isinstance(said, dict) else said))
    return 1


@pytest.mark.parametrize(
    ("file", "number"),
    [("acw", 400), ("thin-red-line", 300), ("napoleonic-skirmish", 450), ("horse-and-musket", 350)],
)
def test_there_are_enough_facts(file: str, number: int) -> None:
    assert _atoms(expected(file)) >= number
