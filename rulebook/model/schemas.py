"""The model -> JSON Schema of the content files, so that editors complete and check them.

Scalars are typed by the model and not by YAML, so the schema lets a number stand where its text
is read.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from rulebook.model.ruleset import Collections, Header

DIALECT = "https://json-schema.org/draft/2020-12/schema"
RULESET_FILE = "ruleset.schema.json"
TOPIC_FILE = "topic.schema.json"


def ruleset_schema() -> dict[str, Any]:
    """Of the file ruleset.yaml."""
    return _schema(Header, "A ruleset: title, edition, chapters, documents")


def topic_schema() -> dict[str, Any]:
    """Of every other YAML file of a ruleset."""
    return _schema(Collections, "Tables, modifiers, cutouts and texts of a ruleset")


def whole_schema() -> dict[str, Any]:
    """Of either."""
    _, definitions = models_json_schema(
        [(Header, "validation"), (Collections, "validation")], schema_generator=_Generator
    )
    return {
        "$schema": DIALECT,
        "title": "A content file of a ruleset",
        "anyOf": [{"$ref": "#/$defs/Header"}, {"$ref": "#/$defs/Collections"}],
        **definitions,
    }


class _Generator(GenerateJsonSchema):
    """Without what says nothing to an author: titles made of names, defaults that are nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        default = schema.get("default")
        if default is None or isinstance(default, BaseModel):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def _schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    made = model.model_json_schema(schema_generator=_Generator)
    return {"$schema": DIALECT, **made, "title": title}
