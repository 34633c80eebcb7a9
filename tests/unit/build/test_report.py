"""What a build says, on a terminal and in a log."""

import io

from rich.console import Console

from rulebook.build.publish import PrintedFile
from rulebook.build.report import Failure, Outcome, Reporter
from rulebook.problems import Problem, Report, Span

ENTRY = PrintedFile(
    path="qrs.pdf", kind="qrs", title="", format="pdf", paper=None, ink=None, pages=2,
    sha256="", fingerprint="", bytes=81_234,
)  # fmt: skip
LOST = Failure("acw/2.0/qrs", (Problem("R601", "the [bold]sheet[/] does not fit"),), "Traceback")
OUTCOME = Outcome(("acw/2.0/qrs.pdf",), ("b",), ("acw/2.0/x.pdf",), (), (LOST,), 4.21)


def reporting(*, terminal: bool = False, **options) -> tuple[io.StringIO, io.StringIO, Reporter]:
    """What goes to standard output and to standard error, and what writes it."""
    out, err = io.StringIO(), io.StringIO()
    look = {"force_terminal": terminal, "width": 60, "soft_wrap": True}
    consoles = {"console": Console(file=out, **look), "faults": Console(file=err, **look)}
    return out, err, Reporter(**consoles, **options)


def ended(*failures: Failure) -> str:
    """What is told at the end of a build that fails."""
    _, err, reporter = reporting()
    reporter.ended(Outcome((), (), (), (), failures, 0.0))
    return err.getvalue()


def told(**options) -> tuple[str, str]:
    out, err, reporter = reporting(**options)
    reporter.checked("acw", Report([Problem("R499", "odd", severity="warning")]))
    reporter.planned(3)
    for path in ("acw/2.0/qrs.pdf", "acw/2.0/x.pdf"):
        reporter.stale(path, "new")
    reporter.fresh("b")
    reporter.wrote("acw/2.0/qrs.pdf", ENTRY)
    reporter.failed(["acw/2.0/x.pdf"])
    reporter.ended(OUTCOME)
    return out.getvalue(), err.getvalue()


def test_plain_lines():
    out, err = told()
    assert out.splitlines() == [
        "wrote acw/2.0/qrs.pdf (2 pages, 81 kB)",
        "failed acw/2.0/x.pdf",
        "1 written, 1 unchanged, 1 failed in 4.2 s",
    ]
    assert "warning[R499]: odd" in err
    assert "acw/2.0/qrs was not built:\nerror[R601]: the [bold]sheet[/] does not fit" in err
    assert "Traceback" not in err


def test_verbose_tells_traces_and_what_is_unchanged():
    out, err = told(verbosity=1)
    assert "unchanged b" in out
    assert "checked acw: no faults, 1 warning" in out
    assert "Traceback" in err


def test_a_terminal_has_a_bar_that_goes():
    out, _ = told(terminal=True)
    assert "building" in out
    assert out.rstrip().endswith("1 written, 1 unchanged, 1 failed in 4.2 s")


def test_content_faults_end_with_what_was_not_built():
    problems = (
        Problem("R301", "no table 'x'", Span("a.yaml")),
        Problem("R301", "y", Span("b.yaml")),
    )
    report = ended(Failure("acw", problems, nothing_built=True))
    assert report.rstrip().endswith("2 faults in 2 files; nothing was built of acw")


def test_one_reason_is_told_once():
    problem = Problem("R704", "a library is missing")
    names = ("acw/qrs", "acw/booklet", "acw/cone")
    report = ended(*(Failure(name, (problem,)) for name in names))
    assert report.startswith("acw/qrs, acw/booklet and acw/cone were not built:\nerror[R704]")
    assert report.count("R704") == 1


def test_what_an_author_wrote_is_told_as_it_stands():
    out, err, reporter = reporting(terminal=True)
    words = "'4:bug:in' is not a length, [red]4[/] 'in' 7"
    reporter.wrote("4:bug:in [b]7[/b].pdf", ENTRY)
    reporter.stopped(ValueError(words))
    reporter.ended(Outcome((), (), (), (), (Failure("a", (Problem("R204", words),)),), 0.0))
    assert out.getvalue().startswith("wrote 4:bug:in [b]7[/b].pdf (")
    assert err.getvalue().count(words) == 2
