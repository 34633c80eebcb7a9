"""Each recipe of the manual runs as it stands, and prints what it shows."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from beside import beside
from read_html import read_html
from read_pdf import Printed, tidy
from recipes import GAME, WIDTH, Recipe, accept, all_recipes, lay, play
from rendered import composed_from, rendered

from rulebook.checking.all_checks import check
from rulebook.core.compute import compute
from rulebook.documents.catalogue import plan
from rulebook.documents.document_kind import ComposedDocument
from rulebook.loading.folder import find_rulesets
from rulebook.loading.rulesets import load
from rulebook.model.prose import placements

RECIPES = all_recipes()


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return tmp_path / "content"


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda one: one.id.removeprefix("recipe_"))
def test_a_recipe(recipe: Recipe, content: Path, request: pytest.FixtureRequest) -> None:
    for (typed, told), (_, output) in zip(recipe.typed, play(recipe, content), strict=True):
        if request.config.getoption("--accept"):
            accept(recipe, typed, told, output)
        else:
            assert output == told, typed
    for folder in find_rulesets(content):
        loaded = load(folder)
        assert loaded.ruleset is not None, list(loaded.report)
        assert list(check(loaded.ruleset)) == []


def test_lines_have_room_on_a_page() -> None:
    """What a command prints has its own width, and is as it is."""
    long = [
        line
        for recipe in RECIPES
        for language, text in recipe.blocks
        for line in text.splitlines()
        if language != "console" and len(line) > WIDTH
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
    held = {**ruleset.tables, **ruleset.modifiers, **ruleset.procedures}
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
