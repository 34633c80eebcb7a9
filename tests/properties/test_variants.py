"""What a variant takes over from the plain ruleset is what it would have been without that."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from beside import beside
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.checking.all_checks import check
from rulebook.loading.loaded import Variants
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset, Variant

ROOT = Path(__file__).parents[2]
VALID = ROOT / "tests" / "bad" / "valid" / "game"

#: Files beside those of the game: computed tables and a chart, units that are counted, a scenario.
MORE = beside(__file__, "more")
#: What may be otherwise in the game: a file, words of it, and others.
SLIPS = [tuple(slip) for slip in beside(__file__, "slips")]
#: What an option may do.
DEEDS: tuple[dict[str, Any], ...] = beside(__file__, "deeds")
OPTIONS = st.lists(
    st.lists(st.sampled_from(DEEDS), min_size=1, max_size=3, unique_by=id), min_size=1, max_size=3
)


@contextmanager
def game_with(
    more: list[str], slips: list[tuple[str, str, str]], options: list[list[dict[str, Any]]]
) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "game"
        shutil.copytree(VALID, game)
        for name in more:
            (game / name).write_text(MORE[name])
        for file, old, new in slips:
            words = (game / file).read_text()
            assert old in words
            (game / file).write_text(words.replace(old, new))
        for number, deeds in enumerate(options):
            does: dict[str, Any] = {"title": f"Option {number}", "rule": "musketry"}
            for deed in deeds:
                does = merged(does, deed)
            (game / "options" / f"option_{number}.yaml").write_text("".join(written(does)))
        yield game


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    both = dict(one)
    for key, value in other.items():
        inner = both.get(key)
        both[key] = (
            merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
        )
    return both


def written(value: dict[str, Any], indent: str = "") -> Iterator[str]:
    for key, one in value.items():
        if isinstance(one, dict):
            yield f"{indent}{key}:\n"
            yield from written(one, indent + "  ")
        else:
            yield f"{indent}{key}: {one}\n"


def apart(ruleset: Ruleset) -> Ruleset:
    """The ruleset with variants that take nothing over."""
    variants = ruleset.variants
    own = Variants(variants.written, variants.header, variants.chapters, sharing=False)
    return own(ruleset.chosen).ruleset


def told(variant: Variant) -> tuple[object, ...]:
    """All that a variant is, what is not compared and the kinds of its texts included."""
    ruleset = variant.ruleset
    if ruleset is None:
        return (variant.problems,)
    rest = ruleset.places, ruleset.taken, ruleset.standing, ruleset.chosen
    return variant.problems, ruleset, repr(ruleset), ruleset.written, repr(ruleset.written), rest


def expect_the_same(ruleset: Ruleset, most: int) -> None:
    """Every variant, and the report, is the same as if nothing were taken over or left out."""
    plain = apart(ruleset)
    names = list(ruleset.options)
    for chosen in chain.from_iterable(combinations(names, count) for count in range(most + 1)):
        assert told(ruleset.with_options(chosen)) == told(plain.with_options(chosen))
    assert check(ruleset).problems == check(plain, sparing=False).problems


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(sorted(MORE)), unique=True),
    st.lists(st.sampled_from(SLIPS), max_size=2, unique=True),
    OPTIONS,
)
def test_variants_of_a_small_game(
    more: list[str], slips: list[tuple[str, str, str]], options: list[list[dict[str, Any]]]
) -> None:
    with game_with(more, slips, options) as game:
        loaded = load(game)
        if loaded.ruleset is not None:
            expect_the_same(loaded.ruleset, most=3)


@pytest.mark.parametrize("name", ["acw", "acw-centimetres"])
def test_variants_of_a_large_game(name: str) -> None:
    ruleset = load(ROOT / "content" / name).ruleset
    assert ruleset.options
    expect_the_same(ruleset, most=2)
