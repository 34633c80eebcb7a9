"""Text of a YAML file -> its comments, found by YAML's own scanner."""

from __future__ import annotations

import yaml


def comments(text: str) -> list[str]:
    """The words of all comments, sorted: what stands between the tokens behind a #."""
    found, at = [], 0
    for token in yaml.scan(text, Loader=yaml.CSafeLoader):
        between = text[at : token.start_mark.index]
        found += [line.partition("#")[2].rstrip() for line in between.splitlines() if "#" in line]
        if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
            header = text[token.start_mark.index :].partition("\n")[0]
            found += [header.partition("#")[2].rstrip()] if "#" in header else []
        at = max(at, token.end_mark.index)
    return sorted(found)
