"""What changed between the editions of the American Civil War Game, as released, and nothing else.

The list that is computed from the two snapshots is held against the one in changes/acw.yaml, which
was made by hand from the two drafts of the source.
"""

from collections import Counter, defaultdict
from pathlib import Path as File
from typing import Any

import pytest
import yaml
from asked_odds import Asked, edition
from ways import D6, counted, falling, joined, plus

from rulebook.documents.changes.describing import ChangeDescriber
from rulebook.loading.editions import load_edition, read_history
from rulebook.loading.folder import find_releases, release_path
from rulebook.loading.snapshots import read_snapshot
from rulebook.model.revisions import CLASSES
from rulebook.packaged import content_folder
from rulebook.revisions.changes import Branch, EditionChange, Path, Tree, unkeyed
from rulebook.revisions.revised import Revised, revised

FOLDER = content_folder() / "acw"
LISTED = File(__file__).parent / "changes" / "acw.yaml"
DRAFTS: dict[str, Any] = yaml.load(LISTED.read_text("utf-8"), yaml.CBaseLoader)
RULES = {place: rule["rule"] for rule in DRAFTS["rules"] for place in rule["places"]}
#: Place, what it was and what it is: of the rules, and of what is told because of them.
PLACES = [
    (place, *values)
    for listed in (*(rule["places"] for rule in DRAFTS["rules"]), *DRAFTS["told"].values())
    for place, values in listed.items()
]
#: A place that the edition has not; one where no single value is told; words that differ.
ABSENT, THERE, WORDS = "(absent)", "(there)", "(words)"


@pytest.fixture(scope="module")
def second() -> Revised:
    """Edition 2.0 beside 1.0, with what its author says of it."""
    old, new = (read_snapshot(find_releases(FOLDER)[edition])[0] for edition in ("1.0", "2.0"))
    history = read_history(FOLDER)
    assert not history.problems
    return revised(old.content, new.content, history.notes("2.0"))


@pytest.fixture(scope="module")
def found(second: Revised) -> dict[str, list[EditionChange]]:
    """The computed changes by their places, as the list by hand calls them."""
    places = defaultdict(list)
    for change in second.comparison.changes:
        if not _is_beside(change):
            places[_place(change.path)].append(change)
    return places


def _is_beside(change: EditionChange) -> bool:
    """Whether a change follows from others: sources, headings of chapters, order of new parts."""
    return change.kind == "moved" or change.path[0] == "chapters" or change.path[-1] == "source"


def _place(path: Path) -> str:
    """("collections", "tables", "moves", "data", "column", "title") -> moves.column.title"""
    if path[0] in ("header", "options", "sections"):
        heads = {"header": "ruleset.", "options": "options.", "sections": "#"}
        return heads[path[0]] + path[1]
    kind, parts = path[1], [key for key in path[2:] if key != "data"]
    if "steps" in parts and kind != "sequence":
        return f"{parts[0]}.steps"
    return ".".join(_told_part(kind, parts))


def _told_part(kind: str, parts: list[str]) -> list[str]:
    """How much of a place the list by hand tells apart."""
    if kind == "sequence":
        return [parts[0], *parts[2:3]]
    if kind in ("examples", "terms", "modifiers") or parts[0] == "infantry_detachment":
        return parts[:1]
    return parts[:3] if kind == "cards" or "fields" in parts else parts


def _value(tree: Tree) -> object:
    """A cell by its value, whatever is noted of it."""
    value = unkeyed(tree)
    if isinstance(value, dict) and value.get("status") == "missing":
        return "missing"
    if isinstance(value, dict):
        return value.get("value", value)
    return "~" if value is None else value


def test_nothing_changed_but_what_the_drafts_say(found):
    listed = [place for place, *_ in PLACES]
    assert len(set(listed)) == len(listed)
    assert set(found) == set(listed)


@pytest.mark.parametrize(("place", "before", "after"), PLACES)
def test_each_place_was_and_is_what_the_drafts_say(place, before, after, found):
    changes = found[place]
    if before == after == WORDS:
        return  # some of its sentences are others now
    (change,) = changes
    assert (change.kind == "added") == (before == ABSENT)
    assert (change.kind == "removed") == (after == ABSENT)
    for said, side in ((before, "old"), (after, "new")):
        if said not in (ABSENT, THERE, WORDS):
            assert _value(getattr(change, side)) == said


@pytest.mark.parametrize(("place", "value"), DRAFTS["inside"].items())
def test_what_came_and_went_has_the_values_of_the_drafts(place, value, second):
    comparison = second.comparison
    trees = [_found(tree, place) for tree in (comparison.old, comparison.new)]
    (held,) = [_value(tree) for tree in trees if tree is not None]
    assert held == value


def _found(edition: Tree, place: str) -> Tree:
    """What an edition has at a place, or None."""
    assert isinstance(edition, Branch)
    entity, *keys = place.split(".")
    for collection in ("tables", "modifiers", "cutouts"):
        tree = _inside(_inside(_inside(edition, "collections"), collection), entity)
        for key in keys:
            tree = _inside(tree, key) or _inside(
                _inside(tree, "data") or _inside(tree, "rows"), key
            )
        if tree is not None:
            return tree
    return None


def _inside(tree: Tree, key: str) -> Tree:
    return tree.parts.get(key) if isinstance(tree, Branch) else None


def test_nothing_moved_and_only_sentences_are_called_otherwise(second):
    for change in second.comparison.changes:
        if change.kind == "moved":
            assert not change.moved, change.path
        if change.kind == "renamed":
            assert {"parts", "steps", "say", "forms"} & set(change.path), change.path


def test_every_change_has_its_class(second):
    assert second.unclassed == ()
    assert second.idle == ()
    for revision in second.notes.changes:
        assert revision.class_ in CLASSES
        assert str(revision.why).endswith(".")
    assert second.notes.after == "1.0"


def test_changes_are_told_in_the_order_of_the_rules(second):
    """The ground scale stands on the title page, by no rule."""
    old, new = (load_edition(release_path(FOLDER, edition)).ruleset for edition in ("1.0", "2.0"))
    told = ChangeDescriber(second, old, new).described()
    for class_ in CLASSES:
        rules = [one.standing.rule for one in told.by_class[class_]]
        assert [rule for rule in rules if rule] == DRAFTS["classes"][class_].split()
    assert not told.unclassed


def test_no_change_of_a_rule_is_told_as_one_of_words(second):
    """What the drafts give two values for is a rule change, but for names and what was open."""
    words = set(DRAFTS["in words alone"])
    for classed in second.classed:
        places = {_place(change.path) for change in classed.changes if not _is_beside(change)}
        told = {RULES[place] for place in places if place in RULES}
        if classed.class_ == "rule change":
            assert not told & words
        else:
            assert told <= words, classed.revision


# The American Civil War Game 1.0 as released: what the first draft of 17 June 2010 makes of dice.

#: What kills a figure, of each band of round shot with its end, and of each zone of canister.
BALL = {"near": 3, "middle": 4, "far": 5, "extreme": 6}
BALL_ENDS = {"near": 24, "middle": 36, "far": 48, "extreme": 60}
CANISTER = {"near": 4, "middle": 5, "far": 6}


@pytest.fixture(scope="module")
def first() -> Asked:
    return edition("acw", "1.0")


def on(needed: int) -> frozenset[int]:
    return frozenset(die for die in D6 if die >= needed)


@pytest.mark.parametrize("band", BALL)
def test_odds_of_round_shot(first, band):
    for figures in (1, 2, 3, 5):
        first.expect(falling(figures, on(BALL[band])), "round_shot", band=band, figures=figures)
    bands = first.program("round_shot").domains["band"].values
    assert [str(one) for one in bands] == list(BALL)


@pytest.mark.parametrize("inside", [(2, 0, 0), (0, 3, 0), (0, 0, 4), (1, 2, 1), (2, 1, 3)])
def test_odds_of_canister(first, inside):
    zones = dict(zip(CANISTER, inside, strict=True))
    near, middle, far = (falling(number, on(CANISTER[zone])) for zone, number in zones.items())
    first.expect(joined(joined(near, middle, plus), far, plus), "canister", **zones)


@pytest.mark.parametrize(("ranks", "needed"), [(1, 4), (2, 5)])
def test_odds_of_a_breakthrough(first, ranks, needed):
    expected = counted(die >= needed for die in D6)
    first.expect(expected, "breakthrough", ranks=ranks)


def test_odds_at_a_distance(first):
    """By the bands of the draft, and by the guess of 21 June."""
    for inch in range(1, 61):
        ball = BALL[next(band for band, end in BALL_ENDS.items() if inch <= end)]
        zone = CANISTER["near" if inch <= 6 else "middle" if inch <= 14 else "far"]
        for shot, needed in {"round_shot": ball, "canister": zone if inch <= 24 else 7}.items():
            expected = counted(die >= needed for die in D6)
            first.expect(expected, "figure_under_fire", shot=shot, distance=f"{inch}in")


#: What kills inside and whether the ball goes on, for the throws 1 to 6.
HOUSE = {
    "0-36in": [(0, 0), (0, 0), (1, 0), (1, 0), (2, 1), (3, 1)],
    "36-48in": [(0, 0), (0, 0), (0, 0), (1, 0), (2, 1), (2, 1)],
    "48-60in": [(0, 0), (0, 0), (0, 0), (0, 0), (1, 0), (1, 0)],
}


@pytest.mark.parametrize(("band", "less"), [("0-36in", 0), ("36-48in", 1), ("48-60in", 2)])
def test_odds_of_a_ball_on_a_house(first, band, less):
    """The draft: "using the above table in the same manner as with counter-battery fire"."""
    expected = Counter(
        (killed, bool(on), max(0, die - less)) for die, (killed, on) in enumerate(HOUSE[band], 1)
    )
    first.expect(expected, "round_shot_on_house", range=band)
