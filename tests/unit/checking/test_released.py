"""Faults that are found in a released edition later: told, but in nobody's way."""

from __future__ import annotations

from dataclasses import replace

from small_rulesets import ruleset_of

from rulebook.checking.all_checks import check
from rulebook.model.edition_standing import Standing

TABLE = {"hits": {"title": "Hits", "rows": {"at": ["near", "far"]}, "cells": "count",
                  "data": ["1", "2"]}}  # fmt: skip


def test_what_can_never_be_mended_is_a_warning() -> None:
    """A newer rulebook may see more than the one that released it; it prints all the same."""
    ruleset = ruleset_of({"tables": TABLE})
    assert {problem.severity for problem in check(ruleset)} == {"error"}
    frozen = replace(ruleset, standing=Standing(frozen=True, released=True))
    report = check(frozen)
    assert report.ok
    assert [one.code for one in report] == [one.code for one in check(ruleset)]
    copy = replace(ruleset, standing=Standing(released=True))
    assert not check(copy).ok


def test_how_an_edition_stands() -> None:
    assert Standing().status == "working copy"
    assert Standing(released=True).status == "released"
    assert Standing(released=True, reason="A slip.").status == "withdrawn"
    ruleset = ruleset_of({"tables": TABLE})
    assert ruleset.edition_told == "1.2"
    withdrawn = replace(ruleset, standing=Standing(released=True, reason="A slip."))
    assert withdrawn.edition_told == "1.2 (withdrawn)"
