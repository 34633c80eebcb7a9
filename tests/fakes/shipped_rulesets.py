"""The shipped rulesets, each read once in a process -> the values that they print."""

from functools import cache

from rulebook.loading.editions import load_edition
from rulebook.loading.folder import release_path
from rulebook.loading.loaded import Loaded
from rulebook.loading.rulesets import load
from rulebook.model.cells import Cell
from rulebook.model.lookup import find
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder
from rulebook.problems import format_report
from rulebook.quantities import format_value

#: Every ruleset that is shipped.
SHIPPED = tuple(sorted(path.parent.name for path in content_folder().glob("*/ruleset.yaml")))


@cache
def read(name: str, *options: str) -> Loaded:
    """What comes of reading a shipped ruleset with some of its options chosen."""
    return load(content_folder() / name, options)


def shipped(name: str, *options: str) -> Ruleset:
    """A shipped ruleset with some of its options chosen."""
    loaded = read(name, *options)
    assert loaded.ruleset is not None, format_report(loaded.report)
    return loaded.ruleset


@cache
def released(name: str, edition: str) -> Ruleset:
    """An edition of it as it was released, read from its snapshot alone."""
    loaded = load_edition(release_path(content_folder() / name, edition))
    assert loaded.ruleset is not None, format_report(loaded.report)
    return loaded.ruleset


def printed_at(ruleset: Ruleset, path: str) -> str:
    """What is printed of the value that a path names."""
    found = find(ruleset, path)
    return str(found) if isinstance(found, Cell) else format_value(found)  # type: ignore[arg-type]
