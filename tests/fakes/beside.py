"""What a test is given -> the tables and small rulesets in the YAML file beside it, of its name."""

import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml


def beside(file: str, name: str) -> Any:
    """A table of cases, a text or a small ruleset; `file` is the test's own `__file__`.

    Each time it is made anew: nothing that a test does to it is seen by another.
    """
    return deepcopy(_read(Path(file).with_suffix(".yaml"))[name])


def rows(file: str, name: str) -> list[Any]:
    """A table of cases to compare with: its rows, and the lists in them, are tuples."""
    return [_as_tuples(row) for row in beside(file, name)]


def _as_tuples(found: Any) -> Any:
    return tuple(map(_as_tuples, found)) if isinstance(found, list) else found


@cache
def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    return found


class _AsWritten(yaml.CBaseLoader):
    """Scalars are texts, as the loader of content has them; ~ is nothing."""


_AsWritten.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^~$"), ["~"])
_AsWritten.add_constructor("tag:yaml.org,2002:null", lambda *_: None)


def written(text: str) -> Any:
    """Part of a ruleset as its author writes it -> plain data."""
    return yaml.load(text, _AsWritten)


def as_written(file: str, name: str) -> Any:
    """The same from the file beside a test."""
    return written(Path(file).with_suffix(".yaml").read_text("utf-8"))[name]
