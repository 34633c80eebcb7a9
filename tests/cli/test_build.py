"""`rulebook build`: options in, a summary and an exit status out; rendering is a fake."""

import shutil
from pathlib import Path

import pytest
from beside import beside
from fake_stages import use

from rulebook.build.plan import CannotBuild
from rulebook.packaged import templates_folder


@pytest.fixture
def build(run, here, own_cache, monkeypatch):
    use(monkeypatch)

    def build(*arguments: str, exits: int | None = None, **rulesets: str):
        for name, text in rulesets.items():
            folder = Path("content") / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "ruleset.yaml").touch()
            (folder / "text").write_text(text)
        return run("build", "-j", "1", *arguments, exits=exits)

    return build


def test_all_well(build):
    result = build(acw="qrs|ok", exits=0)
    assert result.stdout.splitlines()[:2] == [
        "wrote acw/2.0/qrs-a4.pdf (2 pages, 1 kB)",
        "open output/acw/2.0/qrs-a4.pdf",
    ]
    assert "3 written, 0 unchanged" in result.stdout
    assert result.stdout.rstrip().endswith("open output/index.html")
    assert build(exits=0).stdout.startswith("0 written, 3 unchanged")


def test_faults_of_content(build):
    result = build(acw="fault", other="qrs|ok", exits=1)
    assert "1 fault in 1 file; nothing was built of acw" in result.stderr
    assert "3 written" in result.stdout


def test_a_failed_target(build):
    result = build(acw="qrs|crash\nbooklet|ok", exits=1)
    assert "acw/2.0/qrs was not built:" in result.stderr
    assert "R703" in result.stderr
    assert "Traceback" not in result.stderr
    assert "3 written, 0 unchanged, 3 failed" in result.stdout


def test_choosing(build):
    result = build(
        "acw", "--only", "*.pdf", "--paper", "A4,letter", acw="qrs|ok", other="qrs|ok", exits=0
    )
    assert "2 written" in result.stdout
    assert not Path("output/other").exists()


def test_choosing_nothing(build):
    result = build("--paper", "a7", acw="qrs|ok", exits=2)
    assert "no paper matches 'a7'" in result.output
    assert "  letter" in result.output


@pytest.mark.parametrize("option", ["--paper=a4,", "--ink=full,", "--read=", "--round=,"])
def test_empty_parts_of_a_list_are_nothing(build, option):
    build(option, acw="qrs|ok", exits=0)


def test_verbosity_after_the_command(build):
    build(acw="qrs|ok")
    assert "unchanged acw/2.0/qrs-a4.pdf" in build("-v").stdout
    assert build("--quiet").stdout == ""


def test_out(build):
    assert build("--out", "elsewhere/deep", acw="qrs|ok").exit_code == 0
    assert Path("elsewhere/deep/acw/2.0/qrs.html").is_file()


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_jobs_that_are_no_number_of_workers(build, jobs):
    assert build("--jobs", jobs, acw="qrs|ok").exit_code == 2


def test_explain(build):
    build(acw="qrs|ok")
    Path("output/acw/2.0/qrs-a4.pdf").unlink()
    assert "acw/2.0/qrs-a4.pdf: file missing" in build("--explain").stdout


@pytest.mark.parametrize(("usage", "status"), [(True, 2), (False, 1)])
def test_a_cluster_that_cannot_be_used(build, monkeypatch, usage, status):
    def fail(*_):
        raise CannotBuild("no cluster answers", usage=usage)

    monkeypatch.setattr("rulebook.build.building.build_rulesets", fail)
    result = build("--cluster", "tcp://nowhere:1", acw="qrs|ok", exits=status)
    assert "no cluster answers" in result.output


@pytest.mark.parametrize(
    "slip", beside(__file__, "a_slip_in_a_template_is_told_with_its_name_line_and_cause")
)
def test_a_slip_in_a_template_is_told_with_its_name_line_and_cause(run, game, own_cache, slip):
    """Whether it makes a document or the way in to all of them."""
    template, only, more, said = slip
    file = shutil.copytree(templates_folder(), Path("mine")) / template
    text = file.read_text("utf-8") + more if more else "<p>Nothing.</p>"
    file.write_text(text, "utf-8")
    result = run(
        "--content", ".", "--templates", "mine", "build", "game", "-j", "1", "--only", only, exits=1
    )
    assert "rulebook itself failed" not in result.output
    assert (
        f"mine/{template}:{len(text.splitlines()) if more else 1}:1: error[R605]" in result.output
    )
    assert said in result.output
