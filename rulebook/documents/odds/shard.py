"""An atlas -> a script that a page loads: all odds of a procedure, to be looked up.

The script adds one entry to `rulebookOdds`, under "ruleset/edition/procedure". The entry is JSON:

    {"procedure", "title",
     "inputs": {name: {"label", "kind", "unit", "values", "told", "limits", "default", "kept"}},
     "requires": [{"say", "chart", "ends"}],
     "results": {name: {"title", "kind", "unit", "told", "chart", "ends"}},
     "outcomes": [...], "odds": [...], "refused": [...]}

The kind of an input is number, length, flag, choice or conditions. `values` are as they are typed,
`told` as they are called in print. A set of conditions is typed `row+row*2` with its rows in the
order of `values`, or `none`; `limits` say how often each may hold. Where the atlas does not have
all values, `kept` lists those that it has.

A chart leads from the values of inputs to a node: {"of": entries, "layers": [[places, table], …]}.
Begin with node 0. In each layer, for each of its entries by its place, take node = node * size of
the entry + its class; then node = table[node]. The class of an entry is:

    {"input", "size", "table"}     table[place of the value in `kept`, or else in `values`]
    {"input", "size", "rows"}      of conditions: begin with state 0; for each row, as often as it
                                   holds (times), state = table[state * (limit + 1) + times]
    {"of", "layers", "size"}       another chart: its node

`ends` has a number for each node: n > 0 is odds[n - 1], n < 0 refused[-n - 1], a sentence; of what
is required 1 means that it holds and 0 that it does not. A table is a string of numbers in base 64
whose digits are A–Z, a–z, 0–9, - and _; its first character, B for one, is how many digits each
number has.

An entry of `odds` is [place in `outcomes`, weights] or [place, weights, mean]: weights are whole
numbers in base 64, separated by spaces, and a weight over their sum is the exact probability. The
mean, "n/d", is told where outcomes have no bound; the last of them, "more", stands for the rest.
Outcomes are as `rulebook odds --json` has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulebook.core import value_types
from rulebook.core.atlas import Atlas, Chart, Charted, Distribution
from rulebook.core.input_classes import Classes
from rulebook.core.input_domains import Domain, plain
from rulebook.core.odds import ratio, told_outcome
from rulebook.core.value_types import FlagKind, Kind, LengthKind, NumberKind, Value
from rulebook.model.ruleset import Ruleset

#: The digits of base 64, in their order.
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def script(ruleset: Ruleset, procedure: str, body: str) -> str:
    """The script of a procedure; `body` is what `shard` makes of its atlas."""
    key = json.dumps(f"{ruleset.id}/{ruleset.form}/{procedure}")
    return f"(globalThis.rulebookOdds ??= {{}})[{key}] = {body};\n"


def shard(atlas: Atlas) -> str:
    """The JSON of an atlas: see above."""
    return _Shard(atlas).text()


class _Shard:
    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.outcomes: dict[str, int] = {}
        self.odds: dict[str, int] = {}
        self.refused: dict[str, int] = {}

    def text(self) -> str:
        program = self.atlas.program
        requires = [
            {"say": say, **self._charted(one, required=True)} for say, one in self.atlas.requires
        ]
        results = {
            name: {
                "title": program.results[name].title,
                "kind": _kind(program.results[name].kind),
                **_unit(program.results[name].kind),
                "told": _told(program.results[name].kind, one.ends),
                **self._charted(one, required=False),
            }
            for name, one in self.atlas.results.items()
        }
        whole = {
            "procedure": program.id,
            "title": program.title,
            "inputs": {
                name: _input(domain, self.atlas.kept.get(name))
                for name, domain in program.domains.items()
            },
            "requires": requires,
            "results": results,
            "outcomes": [json.loads(one) for one in self.outcomes],
            "odds": [json.loads(one) for one in self.odds],
            "refused": list(self.refused),
        }
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
        # Line separators end a line of a script, and nothing in it may end the script.
        return (
            text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        )

    def _charted(self, charted: Charted, *, required: bool) -> dict[str, Any]:
        ends = [self._end(end, required=required) for end in charted.ends]
        return {"chart": _chart(charted.chart), "ends": ends}

    def _end(self, end: Distribution | str, *, required: bool) -> int:
        if isinstance(end, str):
            return -1 - self.refused.setdefault(end, len(self.refused))
        if required:
            ((held, _),) = end.weights
            return int(held)
        values = [plain(value) for value, _ in end.weights]
        outcomes = _compact(values)
        place = self.outcomes.setdefault(outcomes, len(self.outcomes))
        weights = " ".join(number(weight) for _, weight in end.weights)
        mean = [] if end.mean is None else [ratio(end.mean)]
        one = json.dumps([place, weights, *mean])
        return 1 + self.odds.setdefault(one, len(self.odds))


def _compact(values: Sequence[object]) -> str:
    """Whole numbers that follow each other as the first and how many there are."""
    first = values[0]
    if type(first) is int and list(values) == list(range(first, first + len(values))):
        return json.dumps({"from": first, "count": len(values)})
    return json.dumps(values, ensure_ascii=False)


def _chart(chart: Chart) -> dict[str, Any]:
    sizes = _sizes(chart)
    return {
        "of": [_entry(one, size) for one, size in zip(chart.entries, sizes, strict=True)],
        "layers": [[list(layer.entries), table(layer.table)] for layer in chart.layers],
    }


def _sizes(chart: Chart) -> list[int]:
    """How many classes each entry has."""
    known = {
        place: size
        for one in chart.layers
        for place, size in zip(one.entries, one.sizes, strict=True)
    }
    return [known.get(place, 1) for place in range(len(chart.entries))]


def _entry(entry: tuple[str, Classes] | Chart, size: int) -> dict[str, Any]:
    if isinstance(entry, Chart):
        return {**_chart(entry), "size": size}
    name, classes = entry
    if classes.rows:
        rows = [table([of for states in row for of in states]) for row in classes.rows]
        return {"input": name, "size": size, "rows": rows}
    return {"input": name, "size": size, "table": table(classes.of)}


def table(numbers: Sequence[int]) -> str:
    """Whole numbers in as many digits each as the largest takes, which the first digit tells."""
    width = max(map(len, map(number, numbers)), default=0)
    return DIGITS[width] + "".join(number(one).rjust(width, DIGITS[0]) for one in numbers)


def number(whole: int) -> str:
    """A whole number in base 64; 0 is A."""
    digits = ""
    while whole or not digits:
        whole, digit = divmod(whole, 64)
        digits = DIGITS[digit] + digits
    return digits


def _input(domain: Domain, kept: Iterable[Value] | None) -> dict[str, Any]:
    written = [str(value) if domain.several else domain.written(value) for value in domain.values]
    told = [domain.titles[value] for value in domain.values]
    return {
        "label": domain.label,
        "kind": "conditions" if domain.several else _kind(domain.kind),
        **_unit(domain.kind),
        "values": written,
        **({} if told == written else {"told": told}),
        **(
            {"limits": [domain.limits.get(str(row), 1) for row in domain.values]}
            if domain.several
            else {}
        ),
        "default": domain.written(domain.default),
        **({} if kept is None else {"kept": [domain.written(value) for value in kept]}),
    }


def _kind(kind: Kind) -> str:
    if isinstance(kind, FlagKind):
        return "flag"
    if isinstance(kind, LengthKind):
        return "length"
    return "number" if isinstance(kind, NumberKind) else "choice"


def _unit(kind: Kind) -> dict[str, str]:
    return {"unit": kind.unit} if isinstance(kind, LengthKind) else {}


def _told(kind: Kind, ends: Iterable[Distribution | str]) -> Mapping[str, str]:
    """What outcomes are called in print, where that is not what they are as JSON has them."""
    order = value_types.titles_of(kind)
    values = {value for end in ends if not isinstance(end, str) for value, _ in end.weights}
    told = {_key(plain(value)): told_outcome(value, kind) for value in values}
    ranked = sorted(told, key=lambda key: (list(order).index(key) if key in order else -1, key))
    return {key: told[key] for key in ranked if told[key] != key}


def _key(plain: object) -> str:
    """An outcome as a script has it for the name of a field."""
    return str(plain).lower() if isinstance(plain, bool) else str(plain)
