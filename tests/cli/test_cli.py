"""The group of commands: quick help, names that were meant, exit statuses."""

import subprocess
import sys

import click
import pytest

from rulebook.cli import COMMANDS, cli, module_of

#: What is run, and which modules it does not need.
PRINTS = {"weasyprint", "matplotlib", "rich", "jinja2", "numpy", "nh3", "fontTools"}
SLOW = {"weasyprint", "matplotlib", "rich", "distributed", "numpy"}
MODEL = {"rulebook.model.ruleset", "rulebook.core.odds", "rulebook.maps.drawing", "distributed"}
LIGHT = {
    "import rulebook": {*SLOW, "pydantic", "jinja2", "yaml"},
    "type('--help')": {*SLOW, "pydantic", "jinja2", "yaml"},
    f"import {', '.join(map(module_of, COMMANDS))}": SLOW,
    "import rulebook.commands.build": MODEL,
    "import rulebook.build.building, rulebook.build.report": MODEL,
    "type('odds', 'dice', 'fire')": PRINTS,
    "type('roll', 'dice', 'fire')": PRINTS,
}
TYPE = """
import sys
def type(*words):
    from rulebook.cli import cli
    try: cli(words)
    except SystemExit as end: assert not end.code
"""


@pytest.mark.parametrize("code", LIGHT)
def test_no_more_is_imported_than_is_needed(here, dice, code):
    """A build that finds nothing changed need not know the model."""
    told = subprocess.run(
        [sys.executable, "-c", f"{TYPE}{code}\nprint(sorted(set(sys.modules) & {LIGHT[code]!r}))"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout.splitlines()[-1:] == ["[]"], told.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_has_help(run, name):
    assert run(name, "--help", exits=0).output.startswith(f"Usage: cli {name}")


def test_a_mistyped_command(run):
    result = run("biuld", exits=2)
    assert "no command 'biuld', did you mean 'build'?" in result.output
    assert "there are: list, check, build," in result.output


def test_version(run):
    assert run("--version").output.startswith("rulebook 0.")


@pytest.mark.parametrize("command", [("check",), ("build",), ("list",), ("list", "--json")])
def test_no_content_folder(run, command):
    result = run(*command, exits=2)
    assert "no content folder 'content'" in result.output
    assert "rulebook new mygame" in result.output


@pytest.mark.parametrize("command", ["check", "build", "list"])
def test_an_empty_content_folder(run, here, command):
    (here / "content" / ".schema").mkdir(parents=True)
    assert "no ruleset in 'content'" in run(command, exits=2).output


def test_a_file_where_the_content_should_be(run, here):
    (here / "content").touch()
    assert run("check").exit_code == 2


@pytest.mark.parametrize("command", ["check", "build"])
def test_an_unknown_ruleset(run, mygame, command):
    assert "no ruleset 'mygaem', did you mean 'mygame'?" in run(command, "mygaem", exits=2).output


def test_unknown_options_and_formats_are_wrong_usage(run, mygame):
    assert run("check", "--fromat", "json").exit_code == 2
    assert run("check", "--format", "xml").exit_code == 2
    assert run("--templates", "nowhere", "build").exit_code == 2


def test_being_stopped(run, monkeypatch):
    def stopped(ctx: click.Context, name: str) -> click.Command:
        @click.command()
        def command() -> None:
            raise KeyboardInterrupt

        return command

    monkeypatch.setattr(type(cli), "get_command", lambda self, ctx, name: stopped(ctx, name))
    assert run("build").exit_code == 130


def test_a_terminal_that_lacks_a_sign_shows_another(mygame):
    (mygame / "ruleset.yaml").write_text((mygame / "ruleset.yaml").read_text() + "½: ″\n")
    told = subprocess.run(
        [sys.executable, "-m", "rulebook", "check"],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path)},
        check=False,
    )
    assert told.returncode == 1
    assert b"Traceback" not in told.stderr
