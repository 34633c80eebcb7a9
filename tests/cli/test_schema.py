"""`rulebook schema`: JSON Schema by which editors complete and check content files."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from beside import beside
from jsonschema import Draft202012Validator

from rulebook.model import schemas
from rulebook.packaged import content_folder, templates_folder


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

KINDS = ("ruleset", "topic", "option", "variant", "revisions", "whole")
SCHEMAS = {kind: getattr(schemas, f"{kind}_schema") for kind in KINDS}
FILES = [
    path
    for folder in (*content_folder().iterdir(), *(templates_folder() / "starter").iterdir())
    if (folder / "ruleset.yaml").is_file()
    for path in sorted(folder.rglob("*.yaml"))
]


@cache
def held_to(schema: Callable[[], dict[str, Any]]) -> Draft202012Validator:
    """What validates by a schema, which is made once and whose references are looked up once."""
    return Draft202012Validator(schema())


def data_of(text: str) -> Any:
    # JSON knows no other keys than texts; editors show a number there as its text.
    return json.loads(json.dumps(yaml.load(text, Yaml12Loader)))


@cache
def read(path: Path) -> Any:
    return data_of(path.read_text("utf-8"))


@pytest.mark.parametrize("make", SCHEMAS.values())
def test_they_are_schemas(make):
    schema = make()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_content_holds_to_the_schema(path):
    data = read(path)
    named = {"ruleset.yaml": schemas.ruleset_schema, "revisions.yaml": schemas.revisions_schema}
    header = path.parent / "ruleset.yaml"
    variant = header.exists() and "based_on" in read(header)
    own = named.get(path.name, schemas.variant_schema if variant else schemas.topic_schema)
    if path.parent.name == "options":
        own = schemas.option_schema
    for schema in (own, schemas.whole_schema):
        faults = sorted(held_to(schema).iter_errors(data), key=str)
        assert not faults, [
            f"{'.'.join(map(str, fault.absolute_path))}: {fault.message[:200]}" for fault in faults
        ]


def cases(name: str) -> list[Any]:
    return [(kind, *one) for kind, those in beside(__file__, name).items() for one in those]


@pytest.mark.parametrize(("kind", "text", "holds"), cases("what_holds_is_valid_and_else_nothing"))
def test_what_holds_is_valid_and_else_nothing(kind, text, holds):
    assert held_to(SCHEMAS[kind]).is_valid(data_of(text)) == holds


@pytest.mark.parametrize(("kind", "text", "at"), cases("faults_are_found_in_the_editor"))
def test_faults_are_found_in_the_editor(kind, text, at):
    faults = list(held_to(SCHEMAS[kind]).iter_errors(data_of(text)))
    assert faults
    assert all(list(fault.absolute_path)[: len(at)] == at for fault in faults)


def keys_in(schema: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every key that a schema knows, with its schema."""
    if isinstance(schema, dict):
        keys = schema.get("properties", {})
        yield from ((f"{at}.{key}", below) for key, below in keys.items())
        below = {**{key: one for key, one in schema.items() if key != "properties"}, **keys}
        for key, one in below.items():
            yield from keys_in(one, f"{at}.{key}")
    elif isinstance(schema, list):
        for number, one in enumerate(schema):
            yield from keys_in(one, f"{at}.{number}")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "whole"])
def test_every_key_has_a_description(kind):
    """Editors show it as the author types."""
    keys = list(keys_in(SCHEMAS[kind]()))
    assert len(keys) > 10
    assert not [at for at, schema in keys if len(schema.get("description", "")) < 5]


def test_the_command(run):
    for kind, make in SCHEMAS.items():
        assert json.loads(run("schema", *[kind] * (kind != "whole")).output) == make()
    assert run("schema", "table").exit_code == 2


def test_written_where_content_files_look_for_them(run, here):
    assert run("schema", "--write").output == "wrote content/.schema\n"
    for kind in ("topic", "ruleset", "option", "revisions"):
        found = json.loads(Path(f"content/.schema/{kind}.schema.json").read_text())
        assert found == SCHEMAS[kind]()
    assert run("--content", "content/.schema/topic.schema.json", "schema", "--write").exit_code == 1
