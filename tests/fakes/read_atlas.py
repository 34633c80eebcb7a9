"""Reads an atlas of odds as documents/odds/shard.py tells how it is written; knows nothing else."""

import json
import re
from fractions import Fraction
from typing import Any

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def read_script(text: str) -> tuple[str, Any]:
    """The key of a script and its JSON."""
    match = re.fullmatch(r'\(globalThis\.rulebookOdds \?\?= \{\}\)\["(.*?)"\] = (.*);\n', text)
    assert match is not None
    return match[1], json.loads(match[2])


def _number(digits: str) -> int:
    whole = 0
    for digit in digits:
        whole = whole * 64 + _DIGITS.index(digit)
    return whole


def _table(text: str, place: int) -> int:
    width = _DIGITS.index(text[0])
    return _number(text[1 + place * width :][:width])


def _class(atlas: Any, entry: Any, setting: dict[str, str]) -> int:
    if "of" in entry:
        return _node(atlas, entry, setting)
    given, typed = atlas["inputs"][entry["input"]], setting[entry["input"]]
    if "table" in entry:
        return _table(entry["table"], given.get("kept", given["values"]).index(typed))
    held = {}
    for row in typed.split("+") if typed != "none" else ():
        name, _, times = row.partition("*")
        held[name] = int(times or 1)
    state = 0
    for row, limit, table in zip(given["values"], given["limits"], entry["rows"], strict=True):
        state = _table(table, state * (limit + 1) + held.get(row, 0))
    return state


def _node(atlas: Any, chart: Any, setting: dict[str, str]) -> int:
    node = 0
    for places, table in chart["layers"]:
        for place in places:
            entry = chart["of"][place]
            node = node * entry["size"] + _class(atlas, entry, setting)
        node = _table(table, node)
    return node


def has(atlas: Any, setting: dict[str, str]) -> bool:
    """Whether a setting, of every input a value as it is typed, is in an atlas."""
    return all(
        setting[name] in one["kept"] for name, one in atlas["inputs"].items() if "kept" in one
    )


def look_up(atlas: Any, setting: dict[str, str]) -> dict[str, Any]:
    """Outcomes with their probabilities and the mean of each result, or why they are refused."""
    for one in atlas["requires"]:
        if one["ends"][_node(atlas, one["chart"], setting)] != 1:
            return {"refused": one["say"]}
    results = {}
    for name, one in atlas["results"].items():
        end = one["ends"][_node(atlas, one["chart"], setting)]
        if end < 0:
            return {"refused": atlas["refused"][-end - 1]}
        place, told, *mean = atlas["odds"][end - 1]
        values = atlas["outcomes"][place]
        if isinstance(values, dict):
            values = list(range(values["from"], values["from"] + values["count"]))
        weights = [_number(digits) for digits in told.split(" ")]
        shares = [Fraction(weight, sum(weights)) for weight in weights]
        centre = None
        if mean:
            centre = Fraction(mean[0])
        elif one["kind"] in ("number", "length"):
            pairs = zip(values, shares, strict=True)
            centre = sum((Fraction(value) * share for value, share in pairs), Fraction(0))
        results[name] = {
            "outcomes": list(zip(values, shares, strict=True)),
            "mean": centre,
        }
    return {"results": results}
