"""Files of strangers that once went wrong: each folder holds some, and what is right.

Beside `content/` lies `expected.yaml`. `faults` lists all that `rulebook check` may tell: each `at`
its place (`g/rules.md:3`, to a line; `:3-5`, in one of these; `guns.csv:2:D`, a cell), with what
the message `says` and what the `hint` holds. `printed` names files that are built, and of each the
`words` that stand in it and those that it is `without`, the `items` that have a line of their own,
what stands on the same `page`, what the `source` of a page holds, and `inside`: all words lie so
many millimetres off the edge of the paper. `odds` says what `rulebook odds` tells of a procedure.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from rulebook.checking.all_checks import check
from rulebook.cli import cli
from rulebook.loading.rulesets import load
from rulebook.problems import Problem, Report, format_report

HERE = Path(__file__).parent
POINTS_PER_MM = 72 / 25.4


def expectations() -> dict[str, dict[str, Any]]:
    return {
        file.parent.name: yaml.safe_load(file.read_text("utf-8"))
        for file in sorted(HERE.glob("*/expected.yaml"))
    }


CASES = expectations()


def with_key(key: str) -> list[Any]:
    """Each case that has it, with what it has."""
    return [pytest.param(name, case[key], id=name) for name, case in CASES.items() if key in case]


def stands_at(problem: Problem, at: str) -> bool:
    place = str(problem.span)
    lines = re.fullmatch(r"(.*):(\d+)-(\d+)", at)
    if lines is None:
        return place == at or place.startswith(f"{at}:")
    path, first, last = lines.groups()
    return any(place.startswith(f"{path}:{line}:") for line in range(int(first), int(last) + 1))


def tells(problem: Problem, fault: dict[str, Any]) -> bool:
    code = fault.get("code", problem.code)
    said = " ".join([problem.message, problem.expected, problem.hint])
    return (
        stands_at(problem, fault["at"])
        and code == problem.code
        and all(fragment in said for fragment in fault.get("says", ()))
        and all(fragment in problem.hint for fragment in fault.get("hint", ()))
    )


@pytest.fixture
def content(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(shutil.copytree(HERE / request.param / "content", tmp_path / "content"))
    monkeypatch.setattr("rulebook.build.run.processors", lambda: 1)
    return str(request.param)


@pytest.mark.parametrize("content", CASES, indirect=True)
def test_all_that_is_told(content: str) -> None:
    wanted = list(CASES[content].get("faults", ()))
    others: list[Problem] = []
    for folder in sorted(file.parent for file in Path().glob("*/ruleset.yaml")):
        loaded = load(folder)
        report = loaded.report
        if loaded.ruleset is not None:
            report.extend(check(loaded.ruleset).problems)
        for problem in report:
            found = next((fault for fault in wanted if tells(problem, fault)), None)
            if found is None:
                others.append(problem)
            else:
                wanted.remove(found)
    not_looked_for = format_report(Report(others))
    assert not wanted, f"is not told, or otherwise: {wanted}; is told: {not_looked_for}"
    assert not others, f"is told besides: {not_looked_for}"


@pytest.mark.parametrize(("content", "odds"), with_key("odds"), indirect=["content"])
def test_odds(content: str, odds: dict[str, list[str]]) -> None:
    for question, answers in odds.items():
        told = CliRunner().invoke(cli, ["--content", ".", "odds", *question.split()]).output
        for answer in answers:
            assert answer in told


@pytest.mark.parametrize(("content", "printed"), with_key("printed"), indirect=["content"])
def test_what_is_printed(content: str, printed: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    for name, wanted in printed.items():
        build = ["--content", ".", "build", "--out", str(tmp_path / "out"), "--only", f"*{name}"]
        told = CliRunner().invoke(cli, build)
        assert told.exit_code == 0, told.output
        (file,) = (tmp_path / "out").glob(f"**/{name}")
        if file.suffix == ".pdf":
            assert_paper(file, wanted)
        else:
            assert_page(file.read_text("utf-8"), wanted)


def assert_paper(file: Path, wanted: dict[str, Any]) -> None:
    lines = text_of(file, "-layout")
    pages = [in_one_line(page) for page in text_of(file, "-raw").split("\f")]
    assert_words("\n".join([*pages, in_one_line(lines)]), wanted)
    for item in wanted.get("items", ()):
        # A rule has its number in the margin.
        pattern = r"^\W*" + r"\s+".join(map(re.escape, item.split())) + r"(\s+[\dA-Z.]+)?$"
        assert re.search(pattern, lines, re.MULTILINE), f"{item}: no line of its own\n{lines}"
    for together in wanted.get("page", ()):
        assert any(all(words in page for words in together) for page in pages), together
    if inside := wanted.get("inside"):
        assert beyond(file, inside * POINTS_PER_MM) == []


def assert_page(source: str, wanted: dict[str, Any]) -> None:
    body = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", source)
    assert_words(in_one_line(html.unescape(re.sub(r"<[^>]*>", "", body))), wanted)
    for fragment in wanted.get("source", ()):
        assert fragment in source


def assert_words(text: str, wanted: dict[str, Any]) -> None:
    for words in wanted.get("words", ()):
        assert words in text
    for words in wanted.get("without", ()):
        assert words not in text


def in_one_line(text: str) -> str:
    """The text with words that a hyphen breaks joined, as they are typed in no case."""
    return " ".join(re.sub(r"(?<=\w)[-\u00ad\u2010]\n", "", text).split())


def text_of(file: Path, how: str) -> str:
    return subprocess.run(
        ["pdftotext", how, str(file), "-"], capture_output=True, text=True, check=True
    ).stdout


def beyond(file: Path, edge: float) -> list[str]:
    """The words that lie over the edge of the paper, or as near to it."""
    found = []
    width = height = 0.0
    for line in text_of(file, "-bbox").splitlines():
        if page := re.search(r'<page width="([\d.]+)" height="([\d.]+)"', line):
            width, height = map(float, page.groups())
        word = re.search(r'xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*)</word>', line)
        if word is not None:
            left, top, right, bottom = map(float, word.groups()[:4])
            if min(left, top, width - right, height - bottom) < edge:
                found.append(html.unescape(word[5]))
    return found
