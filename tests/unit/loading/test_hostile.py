"""Hostile content is refused with a clear fault, soon, and without eating memory.

These files are made here since git, editors and other tools would mangle them. Most of them took
hours, or all memory, before there was a limit or a guard; each is read under caps of both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from beside import beside
from caps import capped

from rulebook.checking.all_checks import check
from rulebook.limits import LARGEST_FILE, MOST_FILES, MOST_VALUES
from rulebook.loading.rulesets import load
from rulebook.problems import Problem, format_report

MIB = LARGEST_FILE


@pytest.fixture
def guarded() -> Iterator[None]:
    """Seconds on a slow processor, and what the program takes itself, tests included."""
    with capped(seconds=20, mebibytes=500):
        yield


def first_fault(folder: Path) -> Problem:
    loaded = load(folder)
    assert loaded.ruleset is None
    format_report(loaded.report)
    return next(iter(loaded.report))


def full(unit: str, before: str = "", size: int = MIB, lines: int = MIB) -> str:
    """A unit again and again, until there are so many characters, or so many lines."""
    times = (size - len(before)) // len(unit)
    if unit.count("\n"):
        times = min(times, (lines - before.count("\n")) // unit.count("\n"))
    return before + unit * times


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.usefixtures("guarded")
class TestBytes:
    def test_larger_than_a_mebibyte(self, game: Path) -> None:
        (game / "extra.yaml").write_text("#" * (MIB + 1))
        assert first_fault(game).code == "R102"

    def test_a_mebibyte_of_comment_is_no_fault_of_size(self, game: Path) -> None:
        (game / "extra.yaml").write_text("terms: {}\n" + "#" * (MIB - 10))
        assert load(game).report.ok

    @pytest.mark.parametrize(
        ("data", "code", "words"),
        [
            (b"terms: {a: {title: b\0d}}", "R104", "U+0000"),
            (b"\0" * MIB, "R104", "U+0000"),
            (b"terms: {a: {title: Stra\xdfe}}", "R103", "the byte 0xdf is not UTF-8"),
            ("terms: {}".encode("utf-16"), "R103", "the byte 0xff is not UTF-8"),
            (b"terms: {a: {title: \xed\xa0\x80}}", "R103", "the byte 0xed is not UTF-8"),
            (b"terms: {a: {title: \xc0\xbc}}", "R103", "the byte 0xc0 is not UTF-8"),
            (b"terms: {a: {title: b\x1b[31m}}", "R104", "U+001B"),
            (b"terms: {a: {title: b\x85}}", "R103", "the byte 0x85"),
            ("terms: {a: {title: b\u0085}}".encode(), "R104", "U+0085"),
            ("terms: {a: {title: b\u2028}}".encode(), "R104", "U+2028 LINE SEPARATOR"),
            ("terms: {a: {title: b\u202e}}".encode(), "R104", "RIGHT-TO-LEFT OVERRIDE"),
            ("terms: {a: {title: b\u2066}}".encode(), "R104", "LEFT-TO-RIGHT ISOLATE"),
            ("terms: {a: {title: b\ue000}}".encode(), "R104", "U+E000"),
            ("terms: {a: {title: b\ufffe}}".encode(), "R104", "U+FFFE"),
            ("terms: {\ufeffa: {title: b}}".encode(), "R104", "U+FEFF"),
        ],
    )
    @pytest.mark.parametrize("name", ["extra.yaml", "annex.md"])
    def test_not_readable_as_text(
        self, game: Path, name: str, data: bytes, code: str, words: str
    ) -> None:
        (game / name).write_bytes(data)
        fault = first_fault(game)
        assert (fault.code, words in fault.message) == (code, True)
        assert fault.span is not None
        assert fault.span.path == (game / name).as_posix()

    def test_the_place_of_a_bad_byte_counts_characters(self, game: Path) -> None:
        (game / "annex.md").write_bytes("# Nacht\n\nfünf °".encode() + b"\xff")
        assert str(first_fault(game).span).endswith("annex.md:3:7")

    @pytest.mark.parametrize("escape", [r"\0", r"\e", r"\u202e", r"\ue000", r"\u2029", r"\x85"])
    def test_escapes_bring_no_such_character_in(self, game: Path, escape: str) -> None:
        (game / "extra.yaml").write_text(f'terms: {{a: {{title: "b{escape}"}}}}')
        assert first_fault(game).code == "R104"

    @pytest.mark.parametrize(
        "reference",
        [
            *("&#x202e;", "&#X202E;", "&#11;", "&#1;", "&#0;", "&#128;", "&zwj;", "&lrm;"),
            *("&#xd800;", "&#xfeff;", "&#x110000;", "&#99999999999999999999;", "&#xe0041;"),
            "&#0000000000057344;",
        ],
    )
    def test_character_references_bring_none_in(self, game: Path, reference: str) -> None:
        (game / "annex.md").write_text(f"# Night {{#night}}\n\nAt {reference} night.\n")
        fault = first_fault(game)
        assert (fault.code, str(fault.span)[-13:]) == ("R104", "/annex.md:3:4")
        (game / "annex.md").write_text("# Night {#night}\n\nAt night.\n")
        header = game / "ruleset.yaml"
        header.write_text(header.read_text().replace("One inch", f"One {reference} inch"))
        fault = first_fault(game)
        assert (fault.code, str(fault.span)[-18:]) == ("R104", "/ruleset.yaml:8:15")

    @pytest.mark.parametrize("reference", ["&mdash;", "&#8212;", "&nbsp;", "&amp;", "&#x2014;"])
    def test_character_references_that_are_plain(self, game: Path, reference: str) -> None:
        (game / "annex.md").write_text(f"# Night {{#night}}\n\nAt{reference}night.\n")
        (problem,) = load(game).report
        assert (problem.code, problem.severity) == ("R226", "warning")

    @pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
    def test_line_ends_of_other_machines_are_no_fault(self, game: Path, ends: str) -> None:
        for file in files_of(game):
            file.write_bytes(file.read_text().replace("\n", ends).encode())
        loaded = load(game)
        assert format_report(loaded.report) == ""

    def test_reports_show_no_control_characters(self, game: Path) -> None:
        (game / "extra.yaml").write_bytes(b"terms: {a: {title: b\x1b[2J}}")
        assert "\x1b" not in format_report(load(game).report)


@pytest.mark.usefixtures("guarded")
class TestFiles:
    def test_a_link_out_of_the_folder(self, game: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_text("# Secret\n")
        (game / "night.md").symlink_to(tmp_path / "secret.md")
        fault = first_fault(game)
        assert fault.code == "R114"
        assert str(fault.span).endswith("game/night.md:1:1")
        assert "Secret" not in format_report(load(game).report)

    @pytest.mark.parametrize("target", ["/etc/passwd", "../nowhere.yaml", "extra.yaml", "."])
    def test_links_that_lead_astray(self, game: Path, target: str) -> None:
        (game / "extra.yaml").symlink_to(target)
        assert first_fault(game).code == "R114"

    def test_a_link_inside_the_folder_is_followed(self, game: Path) -> None:
        (game / "topics").mkdir()
        (game / "fighting.yaml").rename(game / "topics" / "fights.yaml.txt")
        (game / "fighting.yaml").symlink_to("topics/fights.yaml.txt")
        assert format_report(load(game).report) == ""

    def test_a_pipe_is_not_waited_for(self, game: Path) -> None:
        os.mkfifo(game / "extra.yaml")
        assert first_fault(game).code == "R101"

    def test_too_many_files(self, game: Path) -> None:
        for number in range(MOST_FILES + 1):
            (game / f"t{number}.yaml").write_text(f"terms: {{t{number}: {{title: T}}}}")
        assert first_fault(game).code == "R102"

    def test_folders_too_deep(self, game: Path) -> None:
        game.joinpath(*["deep"] * 40).mkdir(parents=True)
        assert first_fault(game).code == "R102"

    @pytest.mark.parametrize("unit", ["a\n", "*a* *b* *c*\n\n"])
    def test_too_much_prose_in_all(self, game: Path, unit: str) -> None:
        """Each file is within all limits of its own."""
        for number in range(90):
            text = f"# A{number}\n\n" + f"## B\n\n{unit * 40}\n" * 29
            (game / f"chapter{number}.md").write_text(text)
        fault = first_fault(game)
        assert (fault.code, str(MOST_VALUES) in fault.expected) == ("R102", True)

    def test_options_over_many_values(self, game: Path) -> None:
        """Each would be read with all of them."""
        (game / "extra.yaml").write_text(
            "terms:\n" + "".join(f"  t{n}: {{title: T{n}}}\n" for n in range(4_900))
        )
        for number in range(130):
            (game / "options" / f"o{number}.yaml").write_text(f"title: O{number}\nremoves: {{}}\n")
        assert "131 options" in first_fault(game).message

    def test_too_much_in_all(self, game: Path) -> None:
        for number in range(6):
            (game / f"t{number}.yaml").write_text(full("# all quiet\n", "terms: {}\n"))
        assert "R102" in {problem.code for problem in load(game).report}


YAML_FLOODS = {
    **{
        name: (full(unit, head), code)
        for name, (unit, head, code) in beside(__file__, "yaml_floods").items()
    },
    "a long title": ("terms: {a: {title: " + "x" * 900_000 + "}}", "R102"),
    "a long key": ("terms:\n  " + "x" * 1000 + ": {title: a}", "R102"),
    "an enormous number": ("terms: {a: {title: " + "9" * 900_000 + "}}", "R102"),
    "aliases": (
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
        "R107",
    ),
    "a tag that runs": ("terms: !!python/object/apply:os.system [ls]", "R108"),
    "an include": ("terms: !include /etc/passwd", "R108"),
}
MODEL_FLOODS = {
    **beside(__file__, "model_floods"),
    "an enormous count": (
        "tables: {t: {title: T, rows: {a: [x]}, cells: count, data: [" + "9" * 3000 + "]}}",
        "R204",
    ),
    "an enormous fraction": (
        "tables: {t: {title: T, rows: {a: [x]}, cells: ratio, data: [1/" + "9" * 3000 + "]}}",
        "R204",
    ),
    "unknown fields": (
        "tables:\n  t:\n    title: T\n    fields: {"
        + ", ".join(f"f{n}: count" for n in range(2000))
        + "}\n    data:\n"
        + "".join(
            f"      r{row}: {{{', '.join(f'g{n}: 1' for n in range(2000))}}}\n" for row in range(9)
        ),
        "R201",
    ),
    "references in a ring": (
        "tables:\n  t:\n    title: T\n    fields: {a: count}\n    data:\n"
        + "".join(f"      r{n}: {{a: =t.r{(n + 1) % 4900}.a}}\n" for n in range(4900)),
        "R303",
    ),
    "texts full of braces": (
        "examples:\n  e:\n    title: E\n    situation: s\n    outcome: o\n    steps:\n"
        + ('      - "' + "{a}" * 1300 + '"\n') * 200,
        "R301",
    ),
}
#: What stands before, each of so many parts by its number, what stands behind.
NUMBERED_FLOODS = {
    name: (head + "".join(part.replace("N", str(n)) for n in range(times)) + tail, code)
    for name, (head, part, times, tail, code) in beside(__file__, "numbered_floods").items()
}
FLOODS = {**YAML_FLOODS, **MODEL_FLOODS, **NUMBERED_FLOODS}
PROSE_FLOODS = beside(__file__, "prose_floods")


@pytest.mark.usefixtures("guarded")
class TestFloods:
    @pytest.mark.parametrize(("text", "code"), FLOODS.values(), ids=FLOODS)
    def test_yaml_and_values(self, game: Path, text: str, code: str) -> None:
        (game / "extra.yaml").write_text(text)
        assert first_fault(game).code == code

    @pytest.mark.parametrize("name", PROSE_FLOODS)
    def test_prose(self, game: Path, name: str) -> None:
        unit, code = PROSE_FLOODS[name]
        (game / "annex.md").write_text(full(unit, "# A\n\n", MIB if code == "R102" else 40_000))
        assert code in {problem.code for problem in load(game).report}

    @pytest.mark.parametrize("unit", ["\u2620", "\u2620 ", "\u2620\n", "a\u2620\n\n"])
    def test_signs_that_nothing_prints(self, game: Path, unit: str) -> None:
        (game / "annex.md").write_text(full(unit, "# A\n\n", MIB // 3, 30_000))
        assert "R416" in {problem.code for problem in load(game).report}

    @pytest.mark.parametrize("size", [MIB, 900])
    @pytest.mark.parametrize(
        "unit", ["{", "{{", "{%", "](", "](#night)", "\\{", "*", "a\n\n", "> a\n", "\\["]
    )
    def test_prose_that_is_odd(self, game: Path, unit: str, size: int) -> None:
        """There is no fault in it but that of its length, and of links that lead nowhere."""
        (game / "annex.md").write_text(full(unit, "# Night {#night}\n\n", size))
        loaded = load(game)
        if loaded.ruleset:
            check(loaded.ruleset)
        assert {problem.code for problem in loaded.report} <= {"R102", "R213"}

    @pytest.mark.parametrize(
        "line",
        ["## B{}x", "## B{}{{#", "{{read:{}x", "{{chart: a b by c{}x", "{{table:{}x", "- {}#"],
    )
    @pytest.mark.parametrize("sign", [" ", "\t", "#", "{", "- "])
    def test_one_long_line(self, game: Path, line: str, sign: str) -> None:
        """Each took hours once."""
        (game / "annex.md").write_text(f"# A\n\n{line.format(sign * 20_000)}\n")
        loaded = load(game)
        assert {problem.code for problem in loaded.report} <= {
            *("R102", "R204", "R209", "R210", "R219", "R304")
        }

    def test_terms_and_words_without_number(self, game: Path) -> None:
        terms = "".join(f"  t{n}: {{title: Term {n} of many}}\n" for n in range(4_000))
        (game / "extra.yaml").write_text("terms:\n" + terms)
        (game / "annex.md").write_text(
            "# Night {#night}\n\n" + "term 8 of mane\n\n" * 2_000 + "Term 7 of many\n"
        )
        loaded = load(game)
        assert loaded.ruleset is not None
        codes = [problem.code for problem in check(loaded.ruleset)]
        assert codes.count("R412") == 3_999

    def test_names_that_are_nearly_known(self, game: Path) -> None:
        known = "".join(f"  {'k' * 40}{n:03}: {{title: T}}\n" for n in range(500))
        (game / "extra.yaml").write_text("terms:\n" + known)
        named = "".join(f"{{table: {'k' * 39}x{n:03}}}\n\n" for n in range(600))
        (game / "annex.md").write_text(f"# Night {{#night}}\n\n{named}")
        assert first_fault(game).code == "R301"

    def test_every_invisible_character_after_many_lines(self, game: Path) -> None:
        signs = "".join(chr(0xE000 + n) for n in range(6_400))
        (game / "annex.md").write_text("# Night {#night}\n" + "\n" * 90_000 + signs)
        first = first_fault(game)
        assert (first.code, str(first.span)[-8:]) == ("R104", ":90002:1")

    @pytest.mark.parametrize("unit", ["[", "> ", "1. ", "[a [", "> - "])
    @pytest.mark.parametrize("size", [4_000, 40_000])
    def test_prose_nested_without_end(self, game: Path, unit: str, size: int) -> None:
        (game / "annex.md").write_text(full(unit, "# Night {#night}\n\n", size))
        assert first_fault(game).code == "R102"

    def test_chapters_that_are_not_there(self, game: Path) -> None:
        header = game / "ruleset.yaml"
        many = "".join(f"  - shootin{n}.md\n" for n in range(4_900))
        header.write_text(header.read_text().replace("chapters:\n", f"chapters:\n{many}"))
        assert "R216" in {problem.code for problem in load(game).report}
