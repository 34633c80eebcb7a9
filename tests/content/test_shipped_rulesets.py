"""Every shipped ruleset loads and checks without a fault."""

from __future__ import annotations

import pytest
from shipped_rulesets import SHIPPED, shipped

from rulebook.checking.sense import check
from rulebook.loading.rulesets import load
from rulebook.problems import format_report
from rulebook.shipped import content_folder


@pytest.mark.parametrize("name", SHIPPED)
def test_loads_and_checks_without_a_fault(name: str) -> None:
    assert format_report(load(content_folder() / name).report) == ""
    assert format_report(check(shipped(name))) == ""
