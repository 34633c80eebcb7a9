"""Each recipe of the manual runs as it stands, and prints what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import pytest
import yaml
from beside import beside
from read_html import read_html
from read_pdf import Printed, tidy
from rendered import composed_from, rendered
from typed_manual import Shown, blocks, commands, comparable, printed_by

from rulebook.checking.all_checks import check
from rulebook.core.compute import compute
from rulebook.documents.catalogue import plan
from rulebook.documents.document_kind import ComposedDocument
from rulebook.loading.folder import find_rulesets
from rulebook.loading.rulesets import load
from rulebook.manual.book import FOLDER
from rulebook.model.prose import placements

#: What `rulebook` is called with in all of them.
GAME = "mygame"

_FILE = re.compile(r"# ((?:\.\./)?[a-z_/-]+\.[a-z]+)(?: .*)?")
_PLACED = {"tables": "table", "modifiers": "table", "procedures": "steps", "examples": "example"}
_PLACED |= {"cutouts": "cutout"}


@dataclass(frozen=True)
class Recipe:
    """One recipe, and its lines of code in order."""

    id: str
    chapter: Path
    blocks: tuple[Shown, ...]


def all_recipes() -> list[Recipe]:
    """Every recipe of every chapter."""
    return [
        Recipe(id_, path, tuple(shown))
        for path in sorted(FOLDER.glob("recipes-*.md"))
        for id_, shown in groupby(blocks(path.read_text("utf-8")), lambda one: one.section)
        if id_.startswith("recipe_")
    ]


def lay(blocks: Sequence[Shown], content: Path) -> None:
    """Lay some blocks of a recipe into a ruleset in the folder of all content.

    A block whose first line is a remark with the name of a file is that file, any other a file of
    topics, or a chapter. What no chapter places is placed in one of the ruleset's own.
    """
    folder = content / GAME
    folder.mkdir(parents=True, exist_ok=True)
    header: dict[str, object] = {"title": "My Game", "edition": "1.0", "chapters": ["rules.md"]}
    header["documents"] = {"qrs": None}
    files: dict[str, str] = {}
    for number, shown in enumerate(blocks):
        language, text = shown.language, f"{shown.text}\n"
        first, _, rest = text.partition("\n")
        named = _FILE.fullmatch(first)
        if language == "markdown":
            files["rules.md"] = text
        elif named and named[1] == "ruleset.yaml":
            header |= yaml.safe_load(text)
        elif language in ("yaml", "csv"):
            name = named[1] if named else f"topic-{number}.yaml"
            files[name] = rest if language == "csv" else text
    topics = [text for name, text in files.items() if "/" not in name and name.endswith(".yaml")]
    chapter = files.get("rules.md", "# The rules {#rules}\n\nWhat the recipe shows.\n")
    files["rules.md"] = chapter + _placed(topics, chapter)
    files["ruleset.yaml"] = yaml.safe_dump(header, sort_keys=False).replace(": null", ": ~")
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def play(recipe: Recipe, content: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each command of a recipe, run when all that stands above it is laid, with the lines that the
    recipe shows and those that it prints; at the end all is laid.
    """
    for end, shown in enumerate(recipe.blocks):
        if shown.language == "console":
            lay(recipe.blocks[:end], content)
            for typed, told in commands(shown.text):
                yield typed, told, printed_by(typed)
    lay(recipe.blocks, content)


def _placed(topics: list[str], chapters: str) -> str:
    """A block for everything that is placed nowhere."""
    found = []
    for text in topics:
        for collection, held in (yaml.safe_load(text) or {}).items():
            if collection not in _PLACED:
                continue
            for name, thing in held.items():
                block = f"{{{_PLACED[collection]}: {name}}}"
                hidden = thing.get("booklet") is False or _untold(collection, thing)
                if not hidden and block not in chapters and block not in found:
                    found.append(block)
    return "\n" + "\n\n".join(found) + "\n"


def _untold(collection: str, thing: dict[str, object]) -> bool:
    """A procedure without a sentence; a table of outcomes, which prints where it is used."""
    if collection == "procedures":
        return "say:" not in yaml.safe_dump(thing)
    return collection == "tables" and "data" in thing and not thing.keys() & {"rows", "fields"}


def accept(recipe: Recipe, typed: str, told: list[str], printed: list[str]) -> None:
    """Write into the chapter of a recipe what a command prints now."""
    before, mark, after = recipe.chapter.read_text("utf-8").partition(f"{{#{recipe.id}}}\n")
    old, new = ("\n".join((f"$ {typed}", *lines)) for lines in (told, printed))
    assert old in after, typed
    recipe.chapter.write_text(before + mark + after.replace(old, new, 1), "utf-8")


RECIPES = all_recipes()
#: Characters in a line of the terminal, as many as have room on a page of the manual.
WIDTH = 68


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", f"{WIDTH}")
    return Path("content")


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda one: one.id.removeprefix("recipe_"))
def test_a_recipe(recipe, content, request):
    for typed, told, printed in play(recipe, content):
        if request.config.getoption("--accept"):
            accept(recipe, typed, told, printed)
        else:
            assert comparable(printed) == comparable(told), typed
    for folder in find_rulesets(content):
        loaded = load(folder)
        assert loaded.ruleset is not None, list(loaded.report)
        assert list(check(loaded.ruleset)) == []


def test_lines_have_room_on_a_page() -> None:
    """What a command prints has its own width, and is as it is."""
    long = [
        line
        for recipe in RECIPES
        for shown in recipe.blocks
        for line in shown.text.splitlines()
        if shown.language != "console" and len(line) > WIDTH
    ]
    assert long == []


def documents(recipe: Recipe, content: Path) -> list[ComposedDocument]:
    """All that is printed of a recipe, composed."""
    lay(recipe.blocks, content)
    ruleset = load(content / GAME).ruleset
    assert ruleset is not None
    return [composed_from(one) for one in plan(ruleset, compute(ruleset), None)]


def titles(recipe: Recipe, content: Path) -> set[str]:
    """The titles of the tables and procedures that stand in the booklet of a recipe."""
    ruleset = load(content / GAME).ruleset
    assert ruleset is not None
    placed = {key for _, key in placements(ruleset.chapters)}
    held = {**ruleset.all_tables, **ruleset.procedures}
    return {" ".join(held[key].title.split()) for key in placed & held.keys()}


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda one: one.id.removeprefix("recipe_"))
def test_a_recipe_on_a_screen(recipe: Recipe, content: Path) -> None:
    """Every page for a screen and every drawing is made, and the booklet holds what was written."""
    pages = {}
    for document in documents(recipe, content):
        shown = [one.path for one in document.files if one.path.endswith((".html", ".svg"))]
        made = rendered(document, *shown) if shown else []
        pages |= {one.path: one.data.decode() for one in made}
    words = " ".join(read_html(pages["booklet.html"]).text.split())
    assert not [title for title in titles(recipe, content) if title not in words]


def test_a_force_by_dice_comes_when_its_throws_let_it(content: Path) -> None:
    """From turn 3 on 5 or 6, then on 4 to 6, in turn 7 without a throw."""
    (recipe,) = [one for one in RECIPES if one.id == "recipe_reserve_by_dice"]
    absent, mean = Fraction(1), Fraction(0)
    for turn, chance in zip(range(3, 8), (Fraction(1, 3), *[Fraction(1, 2)] * 3, 1), strict=True):
        mean += turn * absent * chance
        absent *= 1 - chance
    (screen,) = [one for one in documents(recipe, content) if one.kind == "scenario-screen"]
    words = read_html(rendered(screen)[0].data.decode()).text
    assert f"On the average turn {float(mean):.1f}; turns 3 to 6 in 8 of 10 cases" in words


#: Of each chapter a recipe with much to print, and words that stand on paper because of it.
PRINTED = beside(__file__, "printed")


@pytest.mark.parametrize(
    "chapter", sorted({one.chapter for one in RECIPES}), ids=lambda one: one.stem
)
def test_a_recipe_on_paper(chapter: Path, content: Path) -> None:
    """The first file of each document is printed."""
    name, words = PRINTED[chapter.stem.removeprefix("recipes-")]
    (recipe,) = [one for one in RECIPES if one.id == f"recipe_{name}"]
    assert recipe.chapter == chapter
    texts = []
    for document in documents(recipe, content):
        first = next((one.path for one in document.files if one.path.endswith(".pdf")), None)
        if first:
            (printed,) = rendered(document, first)
            texts += Printed(printed.data).texts
    assert words in tidy(" ".join(texts))
