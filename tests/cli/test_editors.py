"""Editors mark, complete and explain content files: yaml-language-server is driven as they do."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from rulebook.commands.new import KINDS
from rulebook.model.entities import meanings
from rulebook.model.grids import Grid
from rulebook.model.header import Header

SERVER = Path(__file__).parents[1] / "editors/node_modules/.bin/yaml-language-server"
#: Why it cannot be driven here; nothing where it can.
MISSING = (
    "" if shutil.which("node") else "there is no Node.js; install nodejs, then type make test"
) or ("" if SERVER.exists() else "type: npm install --prefix tests/editors")
#: Seconds for all that is asked of one server.
_PATIENCE = 120
#: What an editor has set: nothing is fetched from anywhere.
_SETTINGS = {
    "yaml": {
        "validate": True,
        "completion": True,
        "hover": True,
        "schemaStore": {"enable": False},
        "kubernetesCRDStore": {"enable": False},
    }
}


class Editor:
    """An editor with a file before it; lines and columns are counted from 0."""

    def __init__(self, server: subprocess.Popen[bytes]) -> None:
        self.server = server
        self.uri = ""
        self.asked = 0
        self.marked: dict[str, list[dict[str, Any]]] = {}
        able = {
            "workspace": {"configuration": True},
            "textDocument": {"hover": {"contentFormat": ["plaintext"]}},
        }
        self.ask("initialize", processId=None, rootUri=None, capabilities=able)
        self.say("initialized")
        self.say("workspace/didChangeConfiguration", settings=_SETTINGS)

    def show(self, file: Path) -> None:
        """Open a file; all that follows is of this one."""
        self.uri = file.resolve().as_uri()
        text = file.read_text("utf-8")
        document = {"uri": self.uri, "languageId": "yaml", "version": 1, "text": text}
        self.say("textDocument/didOpen", textDocument=document)

    def say(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request; what the server asks and tells meanwhile is dealt with."""
        self.asked += 1
        self._send({"id": self.asked, "method": method, "params": params})
        while True:
            message = self._take()
            if message.get("id") == self.asked and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def _take(self) -> dict[str, Any]:
        """The next message; requests of the server are answered, and what it marks is kept."""
        assert self.server.stdout is not None
        length = 0
        while line := self.server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the server has ended"
        message: dict[str, Any] = json.loads(self.server.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.marked[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            asked = message["params"].get("items", []) if message.get("params") else []
            answer = [_SETTINGS.get(one.get("section")) for one in asked] or None
            self._send({"id": message["id"], "result": answer})
        return message

    def faults(self) -> list[tuple[int, str]]:
        """What is marked as wrong: line and words."""
        while self.uri not in self.marked:
            self._take()
        return [(one["range"]["start"]["line"], one["message"]) for one in self.marked[self.uri]]

    def proposed(self, line: int, column: int) -> dict[str, str]:
        """What may be typed at a place, each with its explanation."""
        found = self.ask("textDocument/completion", **self._at(line, column))
        items = found["items"] if isinstance(found, dict) else found
        return {one["label"]: _words(one.get("documentation")) for one in items}

    def explained(self, line: int, column: int) -> str:
        """What is told of the word at a place."""
        found = self.ask("textDocument/hover", **self._at(line, column))
        return _words(found["contents"]) if found else ""

    def _at(self, line: int, column: int) -> dict[str, Any]:
        return {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": column}}


def _words(told: Any) -> str:
    return told["value"] if isinstance(told, dict) else told or ""


@contextmanager
def editor() -> Iterator[Editor]:
    """An editor with its own server, which ends with it."""
    with subprocess.Popen(
        [SERVER, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        # One that says nothing more must not hold up the tests.
        alarm = Timer(_PATIENCE, server.kill)
        alarm.start()
        try:
            yield Editor(server)
        finally:
            alarm.cancel()
            server.kill()


pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


def place(file: Path, words: str) -> tuple[int, int]:
    """Where words stand first in a file: line and column from 0."""
    lines = file.read_text("utf-8").splitlines()
    return next((line, text.index(words)) for line, text in enumerate(lines) if words in text)


@pytest.fixture(scope="module")
def shown() -> Iterator[Editor]:
    with editor() as one:
        yield one


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_marked_in_a_starter(run, here, kind, shown):
    run("new", "mygame", "--like", kind, exits=0)
    for file in sorted(Path("content/mygame").rglob("*.yaml")):
        shown.show(file)
        assert shown.faults() == [], file


def test_keys_are_proposed_with_what_they_mean(mygame, shown):
    file = mygame / "shooting.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("    title: To hit\n", "    title: To hit\n    \n", 1), "utf-8")
    line, _ = place(file, "title: To hit")
    shown.show(file)
    proposed = shown.proposed(line + 1, 4)
    assert {"qrs", "core", "booklet", "notes", "status"} <= proposed.keys()
    assert "title" not in proposed, "it is there already"
    assert "false: not for the quick-reference sheet" in proposed["qrs"]
    header = mygame / "ruleset.yaml"
    header.write_text(header.read_text("utf-8") + "\n", "utf-8")
    shown.show(header)
    proposed = shown.proposed(len(header.read_text("utf-8").splitlines()) - 1, 0)
    assert meanings(Header)["annexes"] in proposed["annexes"]


def test_keys_are_explained(mygame, shown):
    file = mygame / "shooting.yaml"
    shown.show(file)
    line, column = place(file, "cells: target")
    assert meanings(Grid)["cells"] in shown.explained(line, column + 1)
    line, column = place(file, "when: The firer moved")
    assert "the condition, as players read it" in shown.explained(line, column + 1)


def test_what_is_wrong_is_marked(mygame, shown):
    """What is right is explained all the same."""
    file = mygame / "ruleset.yaml"
    file.write_text(file.read_text("utf-8").replace("credits:", "kredits:"), "utf-8")
    shown.show(file)
    ((line, told),) = shown.faults()
    assert (line, "kredits" in told) == (place(file, "kredits")[0], True)
    assert meanings(Header)["chapters"] in shown.explained(*place(file, "chapters: ["))
    broken = mygame / "moving.yaml"
    broken.write_text(broken.read_text("utf-8").replace("title: Moves", "title Moves"), "utf-8")
    shown.show(broken)
    assert place(broken, "title Moves")[0] in [line for line, _ in shown.faults()]
