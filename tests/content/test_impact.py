"""What a changed cell does in play, in each shipped ruleset, against the odds of both editions."""

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from shipped_rulesets import SHIPPED, shipped

from rulebook.core.input_domains import parse_inputs
from rulebook.core.odds import compute_odds
from rulebook.core.procedures import Programs
from rulebook.core.value_types import outcome_text
from rulebook.documents.impact.compose import Impact, impact_of
from rulebook.documents.impact.odds import Difference
from rulebook.loading.folder import RELEASES_FOLDER
from rulebook.loading.snapshots import Snapshot, load_snapshot
from rulebook.model.plain_data import Plain, plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder
from rulebook.revisions.comparison import compare

#: Tables of a ruleset of which a cell is changed: each is followed through other procedures, and
#: all shipped rulesets together show every kind of them.
TABLES = 1


def numbers_in(content: dict[str, Any], table: str) -> Iterator[tuple[dict[str, Plain], str]]:
    """The cells of a table that are whole numbers or targets, by what they stand in."""

    def below(part: Any) -> Iterator[tuple[dict[str, Plain], str]]:
        for key, one in part.items() if isinstance(part, dict) else ():
            if isinstance(one, str) and one.rstrip("+").isdigit() and 1 < int(one.rstrip("+")) < 6:
                yield part, key
            elif key not in ("note", "source", "title"):
                yield from below(one)

    yield from below(content["collections"]["tables"][table].get("data", {}))


def edited(name: str, tmp_path: Path) -> Iterator[Ruleset]:
    """The ruleset with one cell changed, for some tables that procedures look up."""
    ruleset = shipped(name)
    programs = filter(None, map(Programs(ruleset).get, ruleset.procedures))
    looked_up = [key for program in programs for key in program.looked_up]
    made = 0
    for table in sorted({key for collection, key in looked_up if collection == "tables"}):
        content = deepcopy(plain_ruleset(ruleset))
        for within, key in list(numbers_in(content, table))[:1]:
            digits = str(within[key]).rstrip("+")
            within[key] = str(within[key]).replace(digits, str(int(digits) + 1))
            path = tmp_path / table / name / RELEASES_FOLDER / "9.9.json"
            path.parent.mkdir(parents=True)
            content["header"]["edition"] = "9.9"  # type: ignore[index,call-overload]
            path.write_text(Snapshot(name, "9.9", content).text())
            loaded = load_snapshot(path).ruleset
            if loaded is not None:
                made += 1
                yield loaded
            if made == TABLES:
                return


@pytest.mark.parametrize("name", [name for name in SHIPPED if not shipped(name).header.based_on])
def test_a_changed_cell_is_followed_to_all_odds_that_it_changes(name: str, tmp_path: Path) -> None:
    old = Reckoned(shipped(name))
    for ruleset in edited(name, tmp_path):
        new = Reckoned(ruleset)
        plain = [plain_ruleset(one.ruleset) for one in (old, new)]
        found = impact_of(old.ruleset, new.ruleset, compare(*plain))
        assert found.procedures
        told = {one.id for one in found.procedures}
        for one in found.procedures:
            for difference in one.differences:
                before, after = (
                    side.exact(one.id, difference, now=side is new) for side in (old, new)
                )
                assert before == Fraction(difference.exact_before)
                assert after == Fraction(difference.exact_after)
        for procedure in old.ruleset.procedures.keys() - told:
            assert old.usual(procedure) == new.usual(procedure)


class Reckoned:
    """A ruleset whose procedures are reckoned one by one."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.programs = Programs(ruleset)

    def exact(self, procedure: str, one: Difference, *, now: bool) -> Fraction:
        """What a difference tells of this edition, from all odds of the procedure."""
        program = self.programs.get(procedure)
        given = {each.name: each.after if now else each.before for each in one.given}
        typed = {name: text for name, text in given.items() if text is not None}
        inputs = parse_inputs(program.domains, typed)
        result = compute_odds(self.ruleset, program, inputs).results[one.result]
        if one.measure == "mean":
            assert result.mean is not None
            return Fraction(result.mean)
        kind = program.results[one.result].kind
        told = {outcome_text(value, kind): value for value, _ in result.outcomes}
        return result.chance(told[one.outcome]) if one.outcome in told else Fraction(0)

    @cache  # noqa: B019
    def usual(self, procedure: str) -> object:
        program = self.programs.get(procedure)
        return compute_odds(self.ruleset, program, program.defaults()).joint


@cache
def from_draft_to_draft() -> Impact:
    """What the second draft of the American Civil War Game does that the first did not."""
    releases = content_folder() / "acw" / RELEASES_FOLDER
    old, new = (load_snapshot(releases / f"{edition}.json").ruleset for edition in ("1.0", "2.0"))
    return impact_of(old, new, compare(plain_ruleset(old), plain_ruleset(new)))


def ids(found: Impact, state: str) -> set[str]:
    return {one.id for one in found.procedures if one.state == state}


def test_the_second_draft_leaves_volleys_and_morale_as_they_were() -> None:
    found = from_draft_to_draft()
    assert (found.old, found.new) == ("1.0", "2.0")
    assert {"morale", "canister", "round_shot"} <= ids(found, "same")
    assert {"bounce", "line_morale"} <= ids(found, "new")
    assert "volley" not in {one.id for one in found.procedures}


def test_an_annex_is_told_beside_the_rules_without_it() -> None:
    """Sharpshooters add one to their dice: eight of them kill on 4 and more, in place of 5."""
    found = {one.id: one for one in from_draft_to_draft().options}
    assert {one.state for one in found.values()} == {"new"}
    (fire,) = found["sharpshooters"].procedures
    assert fire.differences[0].exact_before == "8/3" and fire.differences[0].exact_after == "4/1"
    (breaking,) = found["no_breakthrough"].procedures
    assert breaking.differences[0].text == "Breaking through: breaks through 50% → 0%"
    assert {one.id for one in found["zouaves"].procedures} >= {"melee", "morale", "rally"}


def test_cutouts_of_the_second_draft() -> None:
    found = {one.id: one.state for one in from_draft_to_draft().cutouts}
    assert found["canister_cone"] == found["bounce_stick"] == "new"
    assert found["movement_stick"] == "words" and "musket_stick" not in found
