"""What players agree on before a game: options with their odds, rulings of the book, blanks."""

from pathlib import Path

import pytest

from rulebook.documents.booklet.compose import compose_agreements
from rulebook.documents.booklet.views import AgreedView
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset

FILES = {
    "ruleset.yaml": 'title: Small\nedition: "1.0"\nchapters: [rules.md]\n',
    "rules.md": """# Rules {#rules}

## Shooting {#shooting}

A shot hits on {hits.near.needed}.

{missing: Ammunition}
How many shots a man has is not said.

{missing: Wind}
Nor what the wind does.

## Darkness {#darkness}

At night.
""",
    "shooting.yaml": """tables:
  hits:
    title: To hit
    fields: {needed: target}
    booklet: false
    data:
      near: {title: Near, needed: 4+}
      far: {title: Far, needed: {value: ~, status: missing, note: Not given.}}
      beyond: {title: Beyond, needed: {value: ~, status: missing, note: Not given.}}
      at_night: {title: At night, needed: {value: ~, status: missing, note: Not given.}}
  misses:
    title: A miss
    fields: {strays: length}
    booklet: false
    data:
      far: {title: Far, strays: {value: ~, status: missing, note: Not given.}}
      beyond: {title: Beyond, strays: {value: ~, status: missing, note: Not given.}}
procedures:
  shot:
    title: A shot
    steps:
      - roll: {die: 1d6}
      - set: {hit: "passes(die, hits.near.needed)"}
    result: {hit: {title: it hits, value: hit}}
agreements:
  dark:
    rule: darkness
    text: It is dark from the sixth turn on.
  no_friends:
    rule: shooting
    text: Nobody shoots over friends, near ({hits.near.needed}) or far.
""",
    "options/night.yaml": """title: Shooting at night
rule: darkness
changes: {tables: {hits: {data: {near: {needed: 6+}}}}}
""",
    "options/names.yaml": "title: Named officers\nadds: {terms: {officer: {title: officer}}}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "small" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "small"


def read(folder: Path, *options: str) -> Ruleset:
    found = load(folder, options)
    assert found.ruleset is not None, list(found.report)
    return found.ruleset


def test_options_tell_what_they_do_to_the_odds(folder: Path) -> None:
    """Of six faces three are 4 or more, and one is a 6."""
    assert compose_agreements(read(folder)).options == (
        AgreedView("Named officers", "", ""),
        AgreedView("Shooting at night", "1.2", "darkness", ("A shot: it hits 50% → 17%",)),
    )


def test_an_option_in_force_is_not_asked_for(folder: Path) -> None:
    ruleset = read(folder, "night")
    assert [one.markdown for one in compose_agreements(ruleset).options] == ["Named officers"]


def test_what_the_book_plays_stands_with_its_rule(folder: Path) -> None:
    """In the order of the rules, whatever they are called."""
    assert compose_agreements(read(folder)).played == (
        AgreedView("Nobody shoots over friends, near (4\\+) or far.", "1.1", "shooting"),
        AgreedView("It is dark from the sixth turn on.", "1.2", "darkness"),
    )


def test_what_is_missing_is_to_be_filled_in(folder: Path) -> None:
    """Up to two cells of a table have a line each; of a table with more, the table has one."""
    missing = [(one.markdown, one.rule) for one in compose_agreements(read(folder)).missing]
    assert missing == [
        ("To hit", "1.1"),
        ("Ammunition", "1.1"),
        ("Wind", "1.1"),
        ("A miss: Far, Strays", ""),
        ("A miss: Beyond, Strays", ""),
    ]
