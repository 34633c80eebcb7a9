"""The model -> JSON Schema of the content files, so that editors complete and check them.

Scalars are typed by the model and not by YAML, so the schema lets a number stand where its text
is read.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from rulebook.model.entities import meanings
from rulebook.model.header import Header
from rulebook.model.revisions import Revisions
from rulebook.model.ruleset import Collections, Option
from rulebook.model.scalars import ID_PATTERN

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def ruleset_schema() -> dict[str, Any]:
    """Makes the JSON schema of ruleset.yaml.

    In it a variant, which has a base, need not have chapters.
    """
    return _with_base(_schema(Header, "A ruleset: title, edition, chapters, documents"))


def _with_base(header: dict[str, Any]) -> dict[str, Any]:
    required = [name for name in header["required"] if name != "chapters"]
    either = [{"required": ["chapters"]}, {"required": ["based_on"]}]
    return {**header, "required": required, "anyOf": either}


def topic_schema() -> dict[str, Any]:
    """Makes the JSON schema of the YAML files that have the collections of a ruleset.

    These are all but ruleset.yaml, revisions.yaml and the options.
    """
    return _schema(Collections, "Tables, modifiers, cutouts and texts of a ruleset")


def revisions_schema() -> dict[str, Any]:
    """Makes the JSON schema of revisions.yaml."""
    return _schema(Revisions, "What changed from edition to edition, and what is withdrawn")


def option_schema() -> dict[str, Any]:
    """Makes the JSON schema of the files in options/; only what they add must be complete."""
    made = _definitions(Option, Collections)
    made["$defs"]["Option"]["properties"] |= _overlay()
    return {"$schema": DIALECT, "title": "An option of a ruleset", **_OPTION, **made}


def variant_schema() -> dict[str, Any]:
    """Makes the JSON schema of the YAML files of a variant that add, change and remove things.

    These are all but ruleset.yaml.
    """
    made = _definitions(Collections)
    return {"$schema": DIALECT, "title": "What a variant changes", **_variant(), **made}


def _variant() -> dict[str, Any]:
    properties = _overlay("sections", "options")
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _overlay(*also: str) -> dict[str, Any]:
    """Makes the JSON schemas of the keys adds, changes and removes, by key.

    `also` are further collections from which things may be removed.
    """
    name = {"type": "string", "pattern": f"^{ID_PATTERN}$"}
    entities = {"type": "object", "additionalProperties": {"type": "object"}}
    names = {"anyOf": [{"type": "array", "items": name}, {"type": "object"}]}
    named = "ids, or deeper mappings that end in lists of names"
    return {
        "adds": {"$ref": "#/$defs/Collections", "description": "entities with new ids"},
        "changes": _by_collection(entities, "what is changed", "things changed, key by key"),
        "removes": _by_collection(names, "what is taken away", named, *also),
    }


def _by_collection(below: dict[str, Any], whole: str, each: str, *also: str) -> dict[str, Any]:
    names = (*Collections.model_fields, *also)
    return {
        "type": "object",
        "description": whole,
        "properties": {name: {**below, "description": f"{name}: {each}"} for name in names},
        "additionalProperties": False,
    }


_OPTION = {"$ref": "#/$defs/Option"}


def whole_schema() -> dict[str, Any]:
    """Makes one JSON schema that accepts a file of any kind of a ruleset."""
    made = option_schema()
    models = (Header, Collections, Revisions)
    definitions = made["$defs"] | _definitions(*models)["$defs"]
    names = (*(model.__name__ for model in models), "Option")
    definitions["Header"] = _with_base(definitions["Header"])
    kinds = [*({"$ref": f"#/$defs/{name}"} for name in names), _variant()]
    title = "A content file of a ruleset"
    return {"$schema": DIALECT, "title": title, "anyOf": kinds, "$defs": definitions}


def _definitions(*models: type[BaseModel]) -> dict[str, Any]:
    _, made = models_json_schema(
        [(model, "validation") for model in models], schema_generator=_Generator
    )
    waiting, named = [model.__name__ for model in models], dict.fromkeys(made["$defs"], False)
    while waiting:
        name = waiting.pop()
        if not named[name]:
            named[name] = True
            waiting += re.findall('"#/[$]defs/([^"/]+)"', json.dumps(made["$defs"][name]))
    return {"$defs": {name: made["$defs"][name] for name, wanted in named.items() if wanted}}


#: What is written before the standing of a thing, and what that standing is; the rest follows.
_FIRST = ("shape", "draw", "is", "title", "subtitle", "when", "value", "turns")
_ABOUT = ("about", "qrs", "core", "booklet", "rule", "width", "depth")
_STANDING = ("status", "note", "source", "was")


class _Generator(GenerateJsonSchema):
    """Makes JSON schemas without titles derived from names and without null defaults.

    Keys are in the order in which they are usually written. The meaning of a key is its
    description; the description of its type, if there is one, becomes its comment.
    """

    def model_fields_schema(self, schema: core_schema.ModelFieldsSchema) -> JsonSchemaValue:
        made = super().model_fields_schema(schema)
        keys = made["properties"]
        if "status" in keys:
            first = (*_FIRST, *(() if "shape" in keys else _ABOUT), *_STANDING)
        else:
            first = ("name",) if "radius" in keys else ()
        order = dict.fromkeys([*(key for key in first if key in keys), *keys])
        made["properties"] = {key: keys[key] for key in order}
        return made

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        made = super().model_schema(schema)
        fields = schema["cls"].model_fields
        for name, meaning in meanings(schema["cls"]).items():
            key = made["properties"][fields[name].alias or name]
            if "description" in key and not fields[name].description:
                key["$comment"] = key["description"]
            if meaning:
                key["description"] = meaning
        return made

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
