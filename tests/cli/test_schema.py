"""`rulebook schema`: JSON Schema by which editors complete and check content files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from beside import beside
from jsonschema import Draft202012Validator

from rulebook.model.schemas import (
    option_schema,
    revisions_schema,
    ruleset_schema,
    topic_schema,
    variant_schema,
    whole_schema,
)
from rulebook.shipped import content_folder, templates_folder


class Yaml12Loader(yaml.SafeLoader):
    """Types plain scalars as YAML 1.2 does, and so as editors see them."""


Yaml12Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    Yaml12Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first)
    )

FILES = [
    path
    for folder in (*content_folder().iterdir(), templates_folder() / "starter")
    if (folder / "ruleset.yaml").is_file()
    for path in sorted(folder.rglob("*.yaml"))
]


@cache
def held_to(schema: Callable[[], dict[str, Any]]) -> Draft202012Validator:
    """What validates by a schema, which is made once and whose references are looked up once."""
    return Draft202012Validator(schema())


@cache
def read(path: Path) -> Any:
    data = yaml.load(path.read_text("utf-8"), Yaml12Loader)
    # JSON knows no other keys than texts; editors show a number there as its text.
    return json.loads(json.dumps(data))


@pytest.mark.parametrize(
    "make",
    [
        ruleset_schema,
        topic_schema,
        option_schema,
        variant_schema,
        revisions_schema,
        whole_schema,
    ],
)
def test_they_are_schemas(make):
    schema = make()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_content_holds_to_the_schema(path):
    data = read(path)
    named = {"ruleset.yaml": ruleset_schema, "revisions.yaml": revisions_schema}
    header = path.parent / "ruleset.yaml"
    variant = header.exists() and "based_on" in read(header)
    own = named.get(path.name, variant_schema if variant else topic_schema)
    if path.parent.name == "options":
        own = option_schema
    for schema in (own, whole_schema):
        faults = sorted(held_to(schema).iter_errors(data), key=str)
        assert not faults, [
            f"{'.'.join(map(str, fault.absolute_path))}: {fault.message[:200]}" for fault in faults
        ]


@pytest.mark.parametrize(
    ("text", "sound"),
    beside(__file__, "files_of_variants"),
)
def test_files_of_variants(text, sound):
    data = yaml.load(text, Yaml12Loader)
    assert held_to(variant_schema).is_valid(data) == sound


def test_a_variant_has_chapters_from_its_base():
    header = {"title": "Mud", "edition": "1.0"}
    validator = held_to(ruleset_schema)
    assert validator.is_valid({**header, "based_on": "mygame"})
    assert validator.is_valid({**header, "chapters": ["one.md"]})
    assert not validator.is_valid(header)


@pytest.mark.parametrize(
    ("text", "at"),
    beside(__file__, "faults_are_found_in_the_editor"),
)
def test_faults_are_found_in_the_editor(text, at):
    data = yaml.load(text, Yaml12Loader)
    faults = list(held_to(topic_schema).iter_errors(data))
    assert faults
    assert all(list(fault.absolute_path)[: len(at)] == at for fault in faults)


@pytest.mark.parametrize(
    ("text", "at"),
    beside(__file__, "faults_of_options_are_found_in_the_editor"),
)
def test_faults_of_options_are_found_in_the_editor(text, at):
    data = yaml.load(text, Yaml12Loader)
    faults = list(held_to(option_schema).iter_errors(data))
    assert faults
    assert all(list(fault.absolute_path)[: len(at)] == at for fault in faults)


@pytest.mark.parametrize(
    ("text", "holds"),
    beside(__file__, "faults_of_revisions_are_found_in_the_editor"),
)
def test_faults_of_revisions_are_found_in_the_editor(text, holds):
    data = json.loads(json.dumps(yaml.load(text, Yaml12Loader)))
    assert bool(list(held_to(revisions_schema).iter_errors(data))) is not holds


@pytest.mark.parametrize(
    ("step", "holds"),
    beside(__file__, "a_step_of_an_example_is_a_sentence_or_a_run"),
)
def test_a_step_of_an_example_is_a_sentence_or_a_run(step, holds):
    text = f"examples: {{a: {{title: A, situation: B., outcome: C., steps: [{step}]}}}}"
    faults = held_to(topic_schema).iter_errors(yaml.load(text, Yaml12Loader))
    assert bool(list(faults)) is not holds


def test_both_ways_to_write_a_field():
    text = (
        "tables: {a: {title: A, fields: {x: length, y: {type: row b, title: Y}}, "
        "data: {one: {x: 4in, y: ~}}}}"
    )
    data = yaml.load(text, Yaml12Loader)
    assert not list(held_to(topic_schema).iter_errors(data))


def test_fields_say_what_they_are():
    cone = topic_schema()["$defs"]["Cone"]["properties"]
    assert cone["length"]["description"] == "from the apex to the middle of the base"
    phase = topic_schema()["$defs"]["Step"]["properties"]
    assert phase["say"]["description"] == "reminders, one line each"


def test_the_command(run):
    assert json.loads(run("schema", "ruleset").output) == ruleset_schema()
    assert json.loads(run("schema", "topic").output) == topic_schema()
    assert json.loads(run("schema", "option").output) == option_schema()
    assert json.loads(run("schema", "variant").output) == variant_schema()
    assert json.loads(run("schema", "revisions").output) == revisions_schema()
    assert json.loads(run("schema").output) == whole_schema()
    assert run("schema", "table").exit_code == 2


def test_written_where_content_files_look_for_them(run, here):
    assert run("schema", "--write").output == "wrote content/.schema\n"
    assert json.loads(Path("content/.schema/topic.schema.json").read_text()) == topic_schema()
    assert json.loads(Path("content/.schema/ruleset.schema.json").read_text()) == ruleset_schema()
    assert json.loads(Path("content/.schema/option.schema.json").read_text()) == option_schema()
    notes = json.loads(Path("content/.schema/revisions.schema.json").read_text())
    assert notes == revisions_schema()
    assert run("--content", "content/.schema/topic.schema.json", "schema", "--write").exit_code == 1
