"""`=table.row.field` -> the scalar that it names."""

from beside import beside

from rulebook.loading.nodes import MappingNode, plain
from rulebook.loading.references import follow
from rulebook.loading.yaml_reader import read_yaml

COLLECTIONS = beside(__file__, "collections")


def value_of(reference: str) -> object:
    root, problems = read_yaml(COLLECTIONS % f'"{reference}"', "f.yaml")
    assert not problems
    assert isinstance(root, MappingNode)
    collections, _, faults = follow(root)
    assert faults == ()
    forms = plain(collections)["terms"]["test"]["forms"]  # type: ignore[index,call-overload]
    return forms[0]  # type: ignore[index]


def test_values() -> None:
    assert value_of("=ranges.musket.long") == "24in"
    assert value_of("=ranges.pistol.short") == "3in"
    assert value_of("=ranges.pistol.long") is None
    assert value_of("=cone.length") == "24in"
    assert value_of("=cone.zones.near_zone.to") == "8in"
    assert value_of("=cone.zones.Far.name") == "Far"
    assert value_of("=shooting.square.to_hit") == "+2"


def test_cells_of_grids() -> None:
    assert value_of("=odds[0-8in, open, 1-3]") == "1"
    assert value_of("=odds[0-8in, hard, 4-6]") == "4"
    assert value_of("=odds[8-16in, open, 1-3]") == "5"
    assert value_of("=odds[8-16in, hard, 4-6]") == "8"
    assert value_of("=single[6]") == "2"
    assert value_of("=one_column[right, first]") == "4"
    assert value_of("=no_column[left]") == "3"


def faults_of(table: str) -> list[tuple[str, int]]:
    """Returns the faults of references in a table `t`, each with its line."""
    root, problems = read_yaml(f"tables:\n t:\n  {table}\n", "f.yaml")
    assert isinstance(root, MappingNode)
    assert not problems
    return [(fault.code, fault.span.line) for fault in follow(root)[2] if fault.span]


def faults_of_rows(cells: list[str]) -> list[tuple[str, int]]:
    """The same of a table with a row `xN` for each cell, the first on line 5."""
    rows = "\n".join(f"   x{number}: {{n: {cell}}}" for number, cell in enumerate(cells))
    return faults_of(f"fields: {{n: count}}\n  data:\n{rows}")


def test_long_chains_are_followed_and_a_circle_is_reported_once() -> None:
    assert faults_of_rows([*(f"=t.x{number}.n" for number in range(1, 300)), "7"]) == []
    circle = ["=t.x1.n", "=t.x2.n", "=t.x3.n", "=t.x4.n", "=t.x2.n"]
    assert faults_of_rows(circle) == [("R303", 7)]


def test_parts_of_a_faulty_cell_are_looked_up_once_each() -> None:
    parts = [f'f{n}: {{type: count, of: f{n + 1}, times: "=t.r.f{n + 1}"}}' for n in range(18)]
    fields = ", ".join([*parts, "f18: count"])
    found = faults_of(f'fields: {{{fields}}}\n  data: {{r: {{f18: "=zz.a"}}}}')
    assert {code for code, _ in found} == {"R301"}
