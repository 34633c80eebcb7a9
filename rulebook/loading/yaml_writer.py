"""Plain data -> YAML as an author writes it: blocks, with each row of values on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import yaml

from rulebook.loading.nodes import Plain

_NULL = "tag:yaml.org,2002:null"
#: What is not to be read as nothing where it is a text is quoted.
_NOTHING = {key: [(_NULL, re.compile("~?$"))] for key in ("", "~")}
#: A list of longer texts in all has a line for each.
_WIDEST = 60


class _Writer(yaml.SafeDumper):
    """Quotes no number and no word such as `no`, since all scalars are texts to the model."""

    yaml_implicit_resolvers = _NOTHING

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        inner = bool(self.represented_objects)
        return super().represent_mapping(tag, mapping, flow_style if inner else False)

    def represent_sequence(
        self, tag: str, sequence: Iterable[Any], flow_style: bool | None = None
    ) -> Any:
        wide = sum(len(str(item)) for item in sequence) > _WIDEST
        return super().represent_sequence(tag, sequence, False if wide else flow_style)


_Writer.add_representer(type(None), lambda writer, _: writer.represent_scalar(_NULL, "~"))


def write_yaml(data: Plain) -> str:
    """Returns the text from which data can be read again."""
    form: dict[str, Any] = {"allow_unicode": True, "sort_keys": False, "default_flow_style": None}
    written: str = yaml.dump(data, Dumper=_Writer, width=10**6, **form)
    return written
