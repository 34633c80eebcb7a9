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
