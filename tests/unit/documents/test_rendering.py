"""A document becomes its files; what shapes their bytes is named, and nothing else."""

import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from beside import beside
from composed import compose
from shipped_rulesets import shipped
from small_rulesets import ruleset_of
from small_scenarios import FORMATIONS, MUSTER, TABLES, UNITS, meeting

from rulebook.cache import open_cache
from rulebook.core.compute import compute
from rulebook.documents.before import Before
from rulebook.documents.catalogue import ingredients, render
from rulebook.documents.document_kind import KINDS, ComposedDocument
from rulebook.frozen_view import fields_of, is_view
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.revisions import EditionNotes
from rulebook.packaged import templates_folder
from rulebook.revisions.revised import revised

CHAPTER = beside(__file__, "chapter")
COLLECTIONS: dict[str, Any] = beside(__file__, "collections")
CHANGE = {"title": "Near", "of": ["mods"], "class": "rule change", "why": "It was too easy."}
#: With a scenario, whose documents are kinds of their own.
PLAYED = {
    **COLLECTIONS,
    "tables": TABLES,
    "units": UNITS,
    "formations": FORMATIONS,
    "scenarios": {"meeting": meeting()},
}
#: Typed by hand: what each kind is made of, besides the fonts and their configuration.
SOURCES = {kind: {*files.split()} for kind, files in beside(__file__, "sources").items()}


@pytest.fixture(scope="module")
def composed_documents() -> dict[str, ComposedDocument]:
    """One of each kind."""
    asked = {"qrs": {"papers": ["a4"]}, "booklet": {"papers": ["a5", "letter"]}}
    new = ruleset_of(PLAYED, CHAPTER, documents=asked, muster=MUSTER)
    mods = {**COLLECTIONS["modifiers"]["mods"], "rows": {"near": {"when": "Near", "score": "+2"}}}
    old = ruleset_of(
        {**PLAYED, "modifiers": {"mods": mods}},
        CHAPTER,
        documents=asked,
        muster=MUSTER,
        edition="1.0",
    )
    notes = EditionNotes.model_validate({"changes": [CHANGE]})
    changes = revised(plain_ruleset(old), plain_ruleset(new), notes)
    made = compose(new, None, Before(old, compute(old), changes))
    return {composed.kind: composed for composed in reversed(made)}


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FONTCONFIG_FILE", "")  # what rendering sets is taken back
    folder = tmp_path / "templates"
    shutil.copytree(templates_folder(), folder)
    return folder


def files_in(parts: dict[str, str]) -> set[str]:
    return {name for name in parts if "." in name}


def everything(composed: ComposedDocument) -> frozenset[str]:
    return frozenset(file.path for file in composed.files)


@pytest.mark.parametrize("kind", SOURCES)
def test_ingredients_are_all_that_a_kind_reads(
    kind: str, composed_documents: dict[str, ComposedDocument], templates: Path
) -> None:
    """With nothing but its ingredients the same bytes are made."""
    composed = composed_documents[kind]
    parts = ingredients(composed, templates_folder())
    assert files_in(parts) == {*SOURCES[kind], "fonts/fonts.conf", "styles/elements.css"}
    for path in templates.rglob("*.*"):
        if path.is_file() and path.relative_to(templates).as_posix() not in files_in(parts):
            path.unlink()
    made = render(composed, templates, everything(composed))
    assert made == render(composed, templates_folder(), everything(composed))


def test_a_change_of_a_file_changes_what_is_made_of_it_and_nothing_else(
    composed_documents: dict[str, ComposedDocument], templates: Path
) -> None:
    """All files are changed, and each kind tells by its name each that it is made of."""

    def parts() -> dict[str, dict[str, str]]:
        return {kind: ingredients(one, templates) for kind, one in composed_documents.items()}

    before = parts()
    for path in (path for kind in ("css", "j2", "js") for path in templates.rglob(f"*.{kind}")):
        path.write_bytes(path.read_bytes() + b"\n")
    after = parts()
    for kind, names in SOURCES.items():
        assert after[kind].keys() == before[kind].keys()
        changed = {name for name in before[kind] if before[kind][name] != after[kind][name]}
        assert changed == {*names, "styles/elements.css"} - {"layouts/poker.yaml"}, kind


def test_fonts_and_libraries_are_ingredients_of_everything(
    composed_documents: dict[str, ComposedDocument],
) -> None:
    for composed in composed_documents.values():
        parts = ingredients(composed, templates_folder())
        assert len(parts["fonts"]) == 64
        assert {"library weasyprint", "library markdown", "library nh3", "library jinja2",
                "library pikepdf", "library uharfbuzz"} <= parts.keys()  # fmt: skip
        assert parts["library weasyprint"].startswith("70.")


def test_only_what_is_wanted_is_rendered(composed_documents: dict[str, ComposedDocument]) -> None:
    sheet = composed_documents["qrs"]
    (low,) = render(sheet, templates_folder(), frozenset({"qrs-a4-low.pdf", "unknown.pdf"}))
    assert (low.path, low.pages) == ("qrs-a4-low.pdf", 1)
    assert low.data.startswith(b"%PDF-")
    assert render(sheet, templates_folder(), frozenset()) == []


def test_kept_pages_are_those_that_were_laid_out(
    composed_documents: dict[str, ComposedDocument], tmp_path: Path
) -> None:
    cache = open_cache(tmp_path / "cache")
    sheet, wanted = composed_documents["qrs"], frozenset({"qrs-a4.pdf", "qrs-a4-low.pdf"})
    first = render(sheet, templates_folder(), wanted, cache)
    assert len(first) == 2
    assert first == render(sheet, templates_folder(), wanted, cache)
    assert first == render(sheet, templates_folder(), wanted)


VALUES = (str, int, float, bool, type(None))


def strangers(value: object) -> set[str]:
    """What a view holds that is neither a value nor a frozen view, or that can do something."""
    if isinstance(value, tuple | list):
        return set().union(*map(strangers, value))
    if isinstance(value, dict):
        return set().union(*map(strangers, value), *map(strangers, value.values()))
    if not is_view(value):
        return set() if type(value) in VALUES else {repr(type(value))}
    kind = type(value)
    frozen = kind.__dataclass_params__.frozen and not hasattr(value, "__dict__")
    own = {name for name in dir(kind) if not name.startswith("_")} - set(fields_of(value))
    doing = {name for name in own if not isinstance(getattr(kind, name), property)}
    found = {f"{kind.__name__}.{name}" for name in doing} | (
        {kind.__name__} if not frozen else set()
    )
    return found.union(*map(strangers, fields_of(value).values()))


def test_views_hold_values_and_nothing_else(
    composed_documents: dict[str, ComposedDocument],
) -> None:
    """So a template finds nothing in them but what is to be printed."""
    assert composed_documents.keys() == KINDS.keys()
    for composed in (*composed_documents.values(), *compose(shipped("last-wagon"))):
        assert strangers(composed.view) == set(), composed.name
        assert pickle.loads(pickle.dumps(composed.view)) == composed.view
