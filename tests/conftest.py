"""Options of the whole test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept",
        action="store_true",
        help="take as right what is found: the reports of the faulty rulesets under tests/bad, "
        "and the pictures of pages under tests/visual",
    )
