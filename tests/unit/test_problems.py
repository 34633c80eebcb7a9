"""Reports: order, excerpts, and that nothing from the content reaches the terminal unseen."""

import json
from pathlib import Path

from beside import beside

from rulebook.problems import Problem, Report, Span, format_report, report_in_parts

SOURCE = "one\ntwo three\nfour\n"


def source(path: str) -> str | None:
    return SOURCE if path == "f.yaml" else None


def report(*problems: Problem) -> Report:
    return Report(list(problems))


FAULT = Problem(
    "R301",
    "no table 'three'",
    Span("f.yaml", 2, 5, 2, 10),
    expected="a table",
    hint="write 'tree'",
    also=(Span("f.yaml", 3, 1, 3, 5), "it stands here"),
)


def test_text() -> None:
    assert format_report(report(FAULT), source=source) == (beside(__file__, "text"))


def test_parts() -> None:
    odd = Problem("R499", "odd", severity="warning")
    nowhere = Problem("R701", "a worker\x1b died")
    bare, told = report_in_parts(report(FAULT, odd, nowhere), source=source)
    text = format_report(report(FAULT), source=source)
    assert "\n".join(
        [
            f"{told['place']}: error[{told['code']}]: {told['message']}",
            *(told["excerpt"], f"  {told['also']}", told["also_excerpt"]),
            *(f"  expected: {told['expected']}", f"  hint: {told['hint']}"),
        ]
    ) == text  # fmt: skip
    assert {name: words for name, words in bare.items() if words} == {
        "code": "R701",
        "message": "a worker\N{REPLACEMENT CHARACTER} died",
    }


def test_short() -> None:
    assert format_report(report(FAULT), "short", source=source) == (
        "f.yaml:2:5: error[R301]: no table 'three' (write 'tree')"
    )


def test_json() -> None:
    (told,) = json.loads(format_report(report(FAULT), "json"))
    place = {"path": "f.yaml", "line": 2, "column": 5, "end_line": 2, "end_column": 10}
    assert told["place"] == place
    assert told["also"]["what"] == "it stands here"
    assert (told["code"], told["severity"], told["hint"]) == ("R301", "error", "write 'tree'")


def test_places_are_in_order_and_each_fault_is_told_once() -> None:
    later = Problem("R101", "b", Span("b.yaml", 1))
    tenth = Problem("R101", "a", Span("a.yaml", 10))
    second = Problem("R101", "a", Span("a.yaml", 2))
    nowhere = Problem("R701", "c")
    told = list(report(later, tenth, second, tenth, nowhere))
    assert told == [nowhere, second, tenth, later]


def test_a_warning_is_no_error() -> None:
    warning = Problem("R404", "w", severity="warning")
    assert report(warning).ok
    assert report(warning).errors == []
    assert not report(warning, FAULT).ok
    assert format_report(report(warning)) == "warning[R404]: w"


def test_a_span_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    fault = Problem("R204", "m", Span("f.yaml", 2, 5, 3, 3))
    assert format_report(report(fault), source=source).endswith("|     ^^^^^")


def test_a_place_past_the_end_shows_no_excerpt() -> None:
    for span in (Span("f.yaml", 9), Span("other.yaml", 1)):
        assert format_report(report(Problem("R101", "m", span)), source=source).count("\n") == 0


def test_control_characters_are_not_printed() -> None:
    fault = Problem("R104", "bad \x1b[2J", Span("f.yaml"), "\x07", "\u202e", (Span("g"), "\x1b"))
    told = format_report(report(fault), source=lambda _: "\x1b]0;title\x07\n")
    assert all(character.isprintable() or character == "\n" for character in told)


def test_long_lines_and_many_faults_are_cut() -> None:
    fault = Problem("R104", "m", Span("f.yaml", 1, 5, 1, 5000))
    told = format_report(report(fault), source=lambda _: "x" * 100_000)
    assert max(map(len, told.splitlines())) < 200
    many = [Problem("R101", f"fault {n:04}") for n in range(450)]
    assert format_report(report(*many)).endswith("and 250 more faults")


def test_links_and_folders_are_not_read_for_excerpts(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    for name in ("link", "nowhere", "."):
        fault = Problem("R114", "m", Span((tmp_path / name).as_posix()))
        assert "|" not in format_report(report(fault))
    assert "secret" in format_report(report(Problem("R1", "m", Span(str(tmp_path / "secret")))))
