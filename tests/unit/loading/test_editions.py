"""What an author says of editions is held to the rules of prose, as it is printed with them."""

from pathlib import Path

import pytest

from rulebook.loading.editions import read_history
from rulebook.problems import Report, format_report

REASON = 'withdrawn:\n  "1.0": "The cone is short: {}"\n'


def history(game: Path, text: str) -> list[tuple[str, str]]:
    (game / "revisions.yaml").write_text(text, "utf-8")
    problems = read_history(game).problems
    format_report(Report(problems))
    return [(problem.code, str(problem.span)) for problem in problems]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("[see](#musketry)", "R213"),
        ("[see](launch.exe)", "R213"),
        ("[see](javascript:x)", "R213"),
        ("![see](x.png)", "R213"),
        ("&#x202e;", "R104"),
        ("[" * 9, "R102"),
    ],
)
def test_links_and_signs_that_no_chapter_may_have(game: Path, words: str, code: str) -> None:
    (found,) = history(game, REASON.format(words))
    assert found[0] == code
    assert found[1].startswith(f"{game.as_posix()}/revisions.yaml:2:")


def test_a_link_is_told_at_its_place(game: Path) -> None:
    text = REASON.format("[see](#musketry)").replace('"The', '{date: 2024-01-01, reason: "The')
    ((_, place),) = history(game, text.rstrip() + "}\n")
    column = text.splitlines()[1].index("#musketry") + 1
    assert place.endswith(f"revisions.yaml:2:{column}")


def test_addresses_of_the_web_and_of_mail_are_none(game: Path) -> None:
    assert history(game, REASON.format("[a](https://example.org), [b](mailto:a@b.org)")) == []
