"""The model -> the chapter of the manual that lists every key of the content files.

The docstring of a model says what the thing is; the schema says of each key what it takes, its
default and what it means. Examples are the first that the other chapters show of each thing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rulebook.loading.chapters import cut_chapter
from rulebook.model import schemas
from rulebook.model.cells import WRITTEN_TYPES
from rulebook.model.lookup import slug
from rulebook.model.map_features import AREA_KINDS, LINE_KINDS, POINT_KINDS
from rulebook.model.prose import Code

Schema = Mapping[str, Any]
_INTRODUCTION = """\
# Every key {#reference}

This chapter lists all that can be written in the YAML files of a game. It is made from the program
itself, and so it is complete. An editor that knows JSON Schema shows the same as you type.

A key that is **needed** has to be there. Where a default is named, it holds if the key is left
out. A value that begins with `=` is taken from another place, as in `=ranges.musket.far`.
"""
#: What stands in every thing that a source may be silent about, and where it is explained.
_OF_SOURCES = {"status", "note", "source", "was"}
_IN_OTHER_CHAPTERS = (
    "Also `status`, `note` and `source` ([What the source does not say](#not_in_the_source)), "
    "and `was` ([Change it](#changes)).\n"
)
#: Heading -> its id, the schema, and what the file is.
_FILES = (
    ("The header: ruleset.yaml", "ref_header", schemas.ruleset_schema),
    ("Changes: revisions.yaml", "ref_revisions", schemas.revisions_schema),
    ("Optional rules: the files in options", "ref_options", schemas.option_schema),
)
#: Names of models that are no words of an author.
_TITLES = {
    "QrsSpec": "Quick-reference sheet",
    "WrittenModifier": "Modifier",
    "_CellNote": "Cell with a status",
    "_PassageOrMissing": "Passage",
    "_GameLength": "Length of the game",
    "RuleFigure": "Picture of a rule",
    "Sweep": "Arc in a figure",
    "Dimension": "Measure in a figure",
    "GroundDrawn": "Ground in a figure",
    "LaidCutout": "Cutout in a figure",
    "FigureNote": "Note in a figure",
    "FigureWords": "Words in a figure",
}
#: What a schema without words of its own takes.
_BY_TYPE = {
    '["boolean", "string"]': "true or false",
    '["integer", "string"]': "a whole number",
    '["string", "number"]': "text",
    '"integer"': "a whole number",
    '"string"': "text",
    '"object"': "names and values",
    '["number", "string"]': "a number",
    '["string", "integer"]': "a number or text",
    '["string", "integer", "boolean"]': "an expression",
    '["string", "integer", "boolean", "array"]': "a value, or a list of them",
    '["string", "number", "boolean", "array"]': "a value, or a list of them",
    '["string", "number", "boolean", "null"]': "a value",
    '"boolean"': "true or false",
}


def reference() -> str:
    """Returns the manual's chapter of reference, generated from the schemas, as Markdown."""
    return "\n".join(_Reference().text())


def cell_types() -> str:
    """Returns a Markdown table of the types of cells: how each is written, and what it prints."""
    rows = [
        f"| `{name}` | {kind.examples} | {kind.printed} |" for name, kind in WRITTEN_TYPES.items()
    ]
    return "\n".join(["| type | written | prints |", "| --- | --- | --- |", *rows])


def map_features() -> str:
    """Returns a Markdown table of the areas, lines and points that maps show.

    It says how each is written, and lists the kinds of each.
    """
    rows = [
        ("areas", "an `area` of corners, an `oval` or a `box`", AREA_KINDS),
        ("lines", "a `line` of points", LINE_KINDS),
        ("points", "`at` a point", POINT_KINDS),
    ]
    head = ["| kind | written as | `draw` |", "| --- | --- | --- |"]
    return "\n".join([*head, *(f"| {kind} | {how} | {', '.join(of)} |" for kind, how, of in rows)])


class _Reference:
    """Writes the chapter of reference from the JSON schemas of content files.

    Each thing is described once, in the order in which things are first referred to.
    """

    def __init__(self) -> None:
        self.listed: set[str] = set()
        self.things: dict[str, Schema] = {}

    def text(self) -> Iterator[str]:
        yield _INTRODUCTION
        topic = schemas.topic_schema()
        files = {name: make() for _, name, make in _FILES}
        for made in (topic, *files.values()):
            self.things |= made["$defs"]
        header, *files_below = _FILES
        yield from self.file(header[0], header[1], files[header[1]])
        for name, schema in topic["properties"].items():
            yield f"## {name} {{#ref_of_{name}}}\n"
            yield from self.below([schema])
        for title, name, _ in files_below:
            yield from self.file(title, name, files[name])

    def file(self, title: str, name: str, schema: Schema) -> Iterator[str]:
        yield f"## {title} {{#{name}}}\n"
        whole = self.things[_thing(schema["$ref"])] if "$ref" in schema else schema
        self.listed |= {_thing(schema["$ref"])} if "$ref" in schema else set()
        yield from self.keys(whole)
        yield from self.below(whole["properties"].values())

    def below(self, schemas_of_keys: Iterable[Schema]) -> Iterator[str]:
        """Yields Markdown about all things that some schemas refer to, directly or through others.

        Things that have been described before are left out; those described are recorded in
        `listed`.
        """
        waiting = [name for schema in schemas_of_keys for name in _named_in(schema)]
        while waiting:
            name = waiting.pop(0)
            thing = self.things[name]
            if name in self.listed:
                continue
            self.listed.add(name)
            waiting += _named_in({**thing, "description": ""})
            if "properties" in (whole := _whole(thing)):
                yield f"### {_title(name)} {{#{_anchor(name)}}}\n"
                yield from self.keys(whole)

    def keys(self, thing: Schema) -> Iterator[str]:
        """Yields Markdown about a thing: its description, an example, and a table of its keys."""
        yield _escaped(thing.get("description", "")) + "\n"
        properties = thing["properties"]
        needed = set(thing.get("required", ()))
        if example := _example_of(properties.keys(), needed, _shape(properties)):
            yield f"````yaml\n{example}\n````\n"
        yield "| key | takes | |\n| --- | --- | --- |"
        sourced = _OF_SOURCES.issubset(properties)
        for key, schema in properties.items():
            if not sourced or key not in _OF_SOURCES:
                kind, meaning = self.kind(schema, outermost=True), _meaning(schema)
                notes = ["**needed**"] if key in needed else []
                notes += [meaning] if meaning and meaning != kind else []
                yield f"| `{key}` | {kind} | {'; '.join(notes)} |"
        yield ""
        if sourced:
            yield _IN_OTHER_CHAPTERS

    def kind(self, schema: Schema, *, outermost: bool = False) -> str:
        """Returns in words what values a schema allows, as Markdown.

        `outermost` is for the schema of a key, whose description says what the key means and not
        what values it takes.
        """
        if "$ref" in schema:
            return self.called(_thing(schema["$ref"]))
        for several in ("anyOf", "oneOf"):
            if several in schema:
                listed = [choice for choice in schema[several] if choice.get("type") != "null"]
                if all(choice.get("$ref", "").endswith("Step") for choice in listed):
                    return "[steps](#steps)"
                kinds = map(self.kind, listed)
                return " or ".join(dict.fromkeys(kinds))
        if "const" in schema:
            return f"`{schema['const']}`"
        if "enum" in schema:
            return ", ".join(f"`{word}`" for word in schema["enum"])
        if words := _escaped(schema.get("$comment" if outermost else "description", "")):
            return f"an expression, {words}" if words.startswith("such as max") else words
        if "items" in schema:
            each = self.kind(schema["items"])
            return f"a list of {'ids' if each == 'an id' else each}"
        for keyed in ("patternProperties", "additionalProperties"):
            if isinstance(schema.get(keyed), dict):
                inner = schema[keyed]
                value = next(iter(inner.values())) if keyed == "patternProperties" else inner
                return f"names, each with {self.kind(value)}"
        return _escaped(_of_type(schema))

    def called(self, name: str) -> str:
        """Returns a link to the description of a thing or, if it has none, its values in words."""
        thing = self.things[name]
        if "properties" in _whole(thing):
            return f"[{_title(name)}](#{_anchor(name)})"
        return self.kind({**thing, "description": ""}, outermost=True)


def _of_type(schema: Schema) -> str:
    if schema.get("pattern", "").startswith("^(faces"):
        return "`faces d6`, `row TABLE`"
    return _BY_TYPE.get(json.dumps(schema.get("type")), "a value")


def _named_in(schema: Schema) -> list[str]:
    """Returns the names of the things to which a schema refers, in order and with repetitions."""
    return [_thing(found) for found in re.findall(r'"\$ref": "([^"]+)"', json.dumps(schema))]


def _whole(thing: Schema) -> Schema:
    """Returns the schema of a thing as an object; of one that may also be text, only that part."""
    return next((choice for choice in thing.get("anyOf", ()) if "properties" in choice), thing)


def _thing(reference_to: str) -> str:
    return reference_to.removeprefix("#/$defs/")


def _title(name: str) -> str:
    """Returns the title of a thing from its name in the schema: `RecordTable` -> `Record table`."""
    if name in _TITLES:
        return _TITLES[name]
    words = re.findall("[A-Z][a-z]*", name.removesuffix("Spec"))
    return " ".join([words[0], *(word.lower() for word in words[1:])])


def _anchor(name: str) -> str:
    return f"ref_{slug(_title(name))}"


def _meaning(schema: Schema) -> str:
    words = _escaped(schema.get("description", ""))
    words = "" if schema.get("$comment") == schema.get("description") else words
    default = schema.get("default")
    if default in (None, [], {}, ""):
        return words
    if isinstance(default, list):
        default = ", ".join(map(str, default))
    elif isinstance(default, dict):  # a length
        default = "".join(default.values())
    shown = default if isinstance(default, str) else json.dumps(default)
    return f"{words}{'; ' if words else ''}default `{shown}`"


def _escaped(text: str) -> str:
    """Escapes text, such as a description, for a cell of a Markdown table."""
    escaped = re.sub(r"([*|{])", r"\\\1", text).replace("](", "]\\(")
    return " ".join(escaped.split("\n")).replace("  ", " ")


def _shape(properties: Schema) -> str:
    return str(properties.get("shape", {}).get("const", ""))


def _example_of(keys: Iterable[str], needed: set[str], shape: str) -> str:
    """Returns the first example in the chapters that has all needed keys and only known `keys`.

    `shape` is the shape that it must have, if any. Returns "" if there is none.
    """
    known = set(keys)
    for text, has in _shown():
        right = f"shape: {shape}" in text if shape else "shape" not in has
        if has and needed <= has <= known and right:
            return text
    return ""


@cache
def _shown() -> list[tuple[str, set[str]]]:
    """Returns the YAML of each thing shown in the chapters, and with it the set of its keys."""
    found: list[tuple[str, set[str]]] = []
    for file in sorted(Path(__file__).parent.glob("[a-q,s-z]*.md")):
        chapter = cut_chapter(file.read_text("utf-8"), file.name, file.name).chapter
        for section in chapter.sections if chapter else ():
            for part in section.parts:
                if isinstance(part, Code) and part.language == "yaml":
                    found += _things_in(part.text)
    return found


def _things_in(text: str) -> Iterator[tuple[str, set[str]]]:
    for collection, things in re.findall(r"^(\w+):\n((?:  .*\n|\n)+)", f"{text}\n", re.MULTILINE):
        for thing in re.findall(r"^  \w+:\n(?:    .*\n)+", things, re.MULTILINE):
            keys = set(re.findall(r"^    (\w+):", thing, re.MULTILINE))
            yield f"{collection}:\n{thing.rstrip()}", keys
