"""Hypothesis strategies for the grammar of content: words, numbers, expressions, Markdown, trees.

A tree is what YAML holds: mappings, lists and texts. It is grown from the JSON Schema of the model,
so that it is mostly of the right shape, with slips in it that nobody would think of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

from rulebook.model.schemas import whole_schema

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str"
Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]
Schema: TypeAlias = Mapping[str, Any]

#: Names that the base rulesets know, so that what is grown can refer to something.
NAMES = (
    "musketry", "ranges", "musket", "long", "canister_cone", "first_volley", "shooting", "night",
    "volley", "charges", "results", "round_shot", "range", "cover", "die", "title", "move", "units",
    "infantry", "hits", "terrain", "ranged", "crossroads", "firers", "new", "a", "b_2", "attacker",
)  # fmt: skip
ODD = (
    "", " ", "~", "0", "-1", "1/0", "9" * 30, "1e9", "nan", "inf", "true", "null", "=a", "=a[b].c",
    "=musketry.title", "{a}", "{musketry.title}", "{1/2in}", "{rule: night}", "\\", "'", '"', "\t",
    "a\nb", "a\n\nb", "\u00a0", "\u00ad", "\u0301", "\ufb01", "ß" * 40, "x" * 300, "<b>", "&amp;",
    "&#x202e;", "/*faces:x*/", "{{ x }}", "{% x %}", "]]>", "--", "..", "../x", "C:", "%s",
    "[x](y)",
    "\u3000", "\u2009", "\u1680", "A\u0323\u0302",
)  # fmt: skip

names = st.sampled_from(NAMES)
odd = st.sampled_from(ODD)
whole = st.sampled_from(("0", "1", "2", "3", "6", "12", "20", "100", "1000", "-2", "99999999"))
lengths = st.sampled_from(
    ("1in", "6in", "7.5in", "1/2in", "24in", "60cm", "25mm", "1 base", "0in", "9999in",
     "=ranges.musket.long",
     "0.001mm", "3m", "6ft")
)  # fmt: skip
words = st.lists(
    st.sampled_from(("Fire", "and", "musketry", "12″", "½", "—", "é", "{ranges.musket.long}",
    "{6in}", "*a*", "_"))
    | odd,
    min_size=1,
    max_size=6,
).map(" ".join)  # fmt: skip

_TERMS = st.sampled_from(
    ("die", "firers", "1", "2", "6", "0", "die_2", "musketry", "'4+'", "'6in'", "'8-16in'", "a",
     "musketry[range, volley, cover]", "ranges.musket.long", "weapon.dice", "hits", "True", "total")
)  # fmt: skip
_OPERATORS = st.sampled_from(
    ("+", "-", "*", "/", "//", "<", "<=", "==", "!=", ">", ">=", "and", "or", "in", "not in", "%",
     "**", "if")
)  # fmt: skip
_CALLS = ("min", "max", "abs", "sum", "count", "floor", "ceil", "round_up", "passes", "has", "len")


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return (
        st.tuples(inner, _OPERATORS, inner).map(" ".join)
        | st.tuples(st.sampled_from(_CALLS), inner, inner).map(
            lambda it: f"{it[0]}({it[1]}, {it[2]})"
        )
        | st.tuples(st.sampled_from(_CALLS), inner).map(lambda it: f"{it[0]}({it[1]})")
        | st.tuples(inner, inner, inner).map(lambda it: f"{it[0]} if {it[1]} else {it[2]}")
        | st.tuples(inner, inner).map(lambda it: f"{it[0]}[{it[1]}]")
        | inner.map(lambda it: f"({it})")
        | inner.map(lambda it: f"not {it}")
        | inner.map(lambda it: f"-{it}")
    )


expressions = st.recursive(_TERMS, _larger, max_leaves=8)

#: Pieces of chapters: what begins a line, and what stands in one.
BEGINNINGS = (
    "", "", "", "- ", "    - ", "        - ", "1. ", "    1. ", "> ", "> > ", "> - ", "* ", "+ ",
    ":   ",
    "    ", "\t", "\t- ", "## ", "### ", "#### ", "| ", "--- ", "***", "- - - ", "10. ",
    "> > > > > > ",
    "term\n:   ", "`````", "> > > > > > > ", "            - ",
)  # fmt: skip
WITHIN = (
    "Fire", "at", " ", " ", " ", "*", "**", "_", "__", "***", "`", "``", "[", "](", ")", "]",
    "[a]: x",
    "|", "--", "...", "'", '"', "“", "\\", "\\{", "{", "}", "{ranges.musket.long}",
    "{rule: musketry}",
    "&mdash;", "&#8203;", "![", "<", ">", "[fire](#musketry)", "[x](https://example.org)", "[a][b]",
    "1.", "½", "→", "é", "\u00ad", "\u2003", "\u3000", "e\u0301", "www.example.org", "a@b.c", "  ",
    "~~",
    "^", "==", ":", "{#x}", "###", "[[[", "*a *b *c", "word" * 30,
)  # fmt: skip
BLOCKS = (
    "{table: musketry}", "{table: ranges}", "{cutout: canister_cone}", "{example: first_volley}",
    "{steps: volley}", "{chart: volley casualties by range}", "{read: A note}\nWords.",
    "{house: x}",
    "| a | b |\n| --- | --- |\n| 1 | 2 |", "term\n:   meaning", "```\ncode\n```", "    code",
)  # fmt: skip
_LINES = st.tuples(
    st.sampled_from(BEGINNINGS), st.lists(st.sampled_from(WITHIN), max_size=8).map("".join)
).map("".join)
_BLOCKS = st.sampled_from(BLOCKS)
prose = st.lists(_LINES | _BLOCKS, min_size=1, max_size=12).map("\n".join) | st.lists(
    _LINES, min_size=1, max_size=8
).map("\n\n".join)

_BY_PATTERN: tuple[tuple[str, st.SearchStrategy[str]], ...] = (
    ("in|ft|yd", lengths),
    ("°", st.sampled_from(("1°", "45°", "90deg", "180°", "360°", "0°", "400°", "12.5°"))),
    ("never", st.sampled_from(("4+", "6/4+", "never", "1+", "7+", "6/6/6/6+"))),
    ("faces ", st.sampled_from(("faces d6", "row ranges", "faces 2d6", "faces d1000"))),
    (r"^d\d", st.sampled_from(("d6", "d2", "d100", "d1", "d0"))),
    (r"\.\[", st.tuples(names, names).map(".".join)),
    ("-[A-Z]", st.sampled_from(("en", "de", "en-GB", "xx"))),
    ("a-z", names),
)
_BY_DESCRIPTION: tuple[tuple[str, st.SearchStrategy[str]], ...] = (
    ("Markdown", prose),
    ("max(0", expressions),
    ("whole number", whole),
    ("how many", whole),
    ("year-month", st.sampled_from(("2024-02-29", "2023-02-29", "1-1-1"))),
    ("sweep", st.sampled_from(("all", "6..24", "6..24..6", "1..100000", "24..6"))),
    ("d6, 2d6", st.sampled_from(("d6", "2d6", "highest of 3d6", "lowest 2 of 4d6", "9d100",
     "die"))),
    ("4+, 6/4+", st.sampled_from(("4+", "6/4+")) | expressions),
    ("4+, -2", st.sampled_from(("4+", "-2", "12"))),
    ("1-6", st.sampled_from(("1-6", "10, 20", "1-100000", "6-1"))),
    ("edition", st.sampled_from(("1.0", "2.0", "1", "0.0.0.0.0"))),
    ("colour", st.sampled_from(("'#7a2b1d'", "#7a2b1d", "red", "#ffffff"))),
    ("poker", st.sampled_from(("poker", "mini", "tarot", "a6", "giant"))),
    ("true", st.sampled_from(("true", "false", "yes"))),
    ("false", st.sampled_from(("true", "false"))),
    ("ratio", st.sampled_from(("1/2", "2", "0", "-1", "1/3"))),
    ("text", words),
    ("name", words),
    ("such as", st.tuples(names, names).map(".".join)),
)  # fmt: skip


def _texts(schema: Schema) -> st.SearchStrategy[str]:
    """What a scalar of this schema may be."""
    pattern, description = schema.get("pattern", ""), schema.get("description", "")
    for part, strategy in _BY_PATTERN:
        if part in pattern:
            return strategy
    for part, strategy in _BY_DESCRIPTION:
        if part in description:
            return strategy
    return names | whole | lengths | words | expressions


@cache
def whole_content() -> dict[str, Any]:
    """The schema of all files of content."""
    return whole_schema()


def resolved(schema: Schema) -> Schema:
    """A schema, or that to which it refers."""
    while "$ref" in schema:
        schema = whole_content()["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


_ANYTHING = st.recursive(
    odd | names | words | whole,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names | odd, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def grown(draw: Draw, schema: Schema, depth: int = 0) -> Tree:
    """A tree of a schema; once in twenty times something else at each place."""
    schema = resolved(schema)
    if draw(st.integers(0, 19)) == 19 or depth > 9:
        tree: Tree = draw(_ANYTHING if depth < 6 else odd)
        return tree
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return draw(grown(draw(st.sampled_from(schema[key])), depth))  # type: ignore[no-any-return]
    if "enum" in schema:
        return str(draw(st.sampled_from(schema["enum"])))
    if "const" in schema:
        return str(schema["const"])
    kinds = schema.get("type", "object" if "properties" in schema else "string")
    kind = draw(st.sampled_from(kinds)) if isinstance(kinds, list) else kinds
    if kind == "object":
        return _mapping(draw, schema, depth)
    if kind == "array":
        least = schema.get("minItems", 0)
        count = draw(st.integers(least, min(schema.get("maxItems", least + 2), least + 2)))
        return [draw(grown(schema.get("items", {}), depth + 1)) for _ in range(count)]
    if kind == "null":
        return "~"
    if kind == "boolean":
        return str(draw(st.sampled_from(("true", "false"))))
    return str(draw(whole if kind in ("integer", "number") else _texts(schema)))


def _mapping(draw: Draw, schema: Schema, depth: int) -> Tree:
    made: dict[str, Tree] = {}
    required = schema.get("required", ())
    for key, inner in schema.get("properties", {}).items():
        if key in required or draw(st.integers(0, 3 + depth)) == 0:
            made[key] = draw(grown(inner, depth + 1))
    patterns = [*schema.get("patternProperties", {}).values()]
    if isinstance(more := schema.get("additionalProperties"), dict):
        patterns.append(more)
    for inner in patterns:
        for _ in range(draw(st.integers(schema.get("minProperties", 0), 2))):
            made[draw(names)] = draw(grown(inner, depth + 1))
    return made


def schemas_at(schema: Schema, key: str | int) -> list[Schema]:
    """The schemas that a part of what has this schema may have."""
    schema = resolved(schema)
    found: list[Schema] = []
    for either in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        found += schemas_at(either, key)
    if isinstance(key, int):
        return [*found, *([schema["items"]] if "items" in schema else [])]
    if key in schema.get("properties", {}):
        found.append(schema["properties"][key])
    for pattern, inner in schema.get("patternProperties", {}).items():
        if re.search(pattern, key):
            found.append(inner)
    if isinstance(schema.get("additionalProperties"), dict) and not found:
        found.append(schema["additionalProperties"])
    return found


def written(tree: Tree) -> bytes:
    """A tree as YAML, each thing on a line of its own."""
    text = json.dumps(tree, ensure_ascii=False, indent=1).replace('"~"', "~")
    return text.encode("utf-8", "replace")
