"""Prose that passes the check is laid out: hundreds of small texts, many to a booklet.

The texts are made of pieces of Markdown put together at random, so that most of what is wrong with
Markdown stands in them too; what the check refuses is left out.
"""

from pathlib import Path
from random import Random

import pytest
from grown_values import BEGINNINGS, WITHIN

from rulebook.build.building import build_rulesets
from rulebook.build.plan import BuildRequest
from rulebook.checking.all_checks import check
from rulebook.loading.chapters import cut_chapter
from rulebook.loading.rulesets import load
from rulebook.packaged import templates_folder
from rulebook.problems import format_report

#: Texts that are made for a booklet, and how many stand in a section; a third is refused.
TEXTS = 300
TOGETHER = 4
#: Pieces that no prose may hold are left out: hardly a text would be without one.
LINES = [one for one in BEGINNINGS if "#" not in one]
WORDS = [one for one in WITHIN if one not in ("![", "&#8203;", "](", "<")]


def text(random: Random) -> str:
    """A few lines, with empty ones between them or without."""
    lines = (
        random.choice(LINES) + "".join(random.choices(WORDS, k=random.randint(0, 7)))
        for _ in range(random.randint(1, 6))
    )
    return random.choice(("\n", "\n", "\n\n")).join(lines)


def accepted(game: Path, texts: list[str]) -> list[str]:
    """Texts of sections in which `check` finds no fault.

    Each is first cut alone, since a fault of cutting a chapter hides those of what names name.
    """
    alone = [one for one in texts if not cut_chapter(f"# T\n\n{one}\n", "a", "a").problems]
    left = ["\n\n".join(alone[at : at + TOGETHER]) for at in range(0, len(alone), TOGETHER)]
    while True:
        starts = write(game, left)
        found = load(game)
        report = check(found.ruleset) if found.ruleset else found.report
        lines = {one.span.line for one in report.errors if one.span and "prose.md" in str(one.span)}
        if not lines:
            assert report.ok, format_report(report)
            return left
        assert min(lines) >= starts[0], format_report(report)
        ends = [*starts[1:], 1 << 30]
        left = [
            one
            for one, start, end in zip(left, starts, ends, strict=True)
            if not any(start <= line < end for line in lines)
        ]


def write(game: Path, texts: list[str]) -> list[int]:
    """Put each text into a section of a chapter; the lines at which they begin."""
    lines = ["# Prose {#prose}", ""]
    starts = []
    for number, one in enumerate(texts):
        starts.append(len(lines) + 1)
        lines += [f"## Section {number} {{#section_{number}}}", "", *one.split("\n"), ""]
    (game / "prose.md").write_text("\n".join(lines), "utf-8")
    return starts


def faults_of(game: Path, where: Path) -> str:
    """What is told when the booklet is printed."""
    only = ("*/booklet-a5.pdf",)
    request = BuildRequest(
        folders=(game,), templates=templates_folder(), out=where, jobs=1, only=only
    )
    outcome = build_rulesets(request)
    return "".join(str(one.problems) for one in outcome.failures)


def culprit(game: Path, where: Path, texts: list[str]) -> str:
    """The text for which a booklet fails, found by halves."""
    while len(texts) > 1:
        half = texts[: len(texts) // 2]
        write(game, half)
        texts = half if faults_of(game, where) else texts[len(texts) // 2 :]
    return texts[0]


def test_what_the_check_accepts_is_laid_out(game: Path, tmp_path: Path) -> None:
    random = Random(1)
    header = game / "ruleset.yaml"
    header.write_text(header.read_text().replace("chapters:\n", "chapters:\n  - prose.md\n", 1))
    texts = accepted(game, [text(random) for _ in range(TEXTS)])
    assert len(texts) * TOGETHER > TEXTS / 2
    write(game, texts)
    if faults := faults_of(game, tmp_path / "out"):
        pytest.fail(f"{faults}\n{culprit(game, tmp_path / 'out', texts)!r}")
