"""A folder with content, templates and room for output, and the builder for it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_stages import STAGES, Ear, use

from rulebook.build.building import build_rulesets
from rulebook.build.plan import BuildRequest
from rulebook.build.report import Outcome


class Bench:
    """Builds what stands in a temporary folder and keeps what was told."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        use(patch)
        self.content = folder / "content"
        self.templates = folder / "templates"
        self.out = folder / "output"
        self.templates.mkdir()
        (self.templates / "qrs.html.j2").write_text("one")
        self.ear = Ear()

    def ruleset(self, name: str, *lines: str) -> Path:
        """Write a folder that the fake `load` reads."""
        folder = self.content / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "text").write_text("\n".join(lines), "utf-8")
        return folder

    def built(self, name: str, *lines: str) -> Outcome:
        """What comes of a build after this ruleset was written."""
        self.ruleset(name, *lines)
        return self.build()

    def build(self, **changes: Any) -> Outcome:
        """What comes of a request with some changes, and with some stages in the place of fakes."""
        self.ear = Ear()
        stages = {name: changes.pop(name) for name in STAGES if name in changes}
        folders = tuple(sorted(self.content.iterdir()))
        request = BuildRequest(folders=folders, templates=self.templates, out=self.out, jobs=1)
        with self._patch.context() as patch:
            if stages:
                use(patch, **stages)
            return build_rulesets(replace(request, **changes), self.ear)

    def file(self, path: str) -> Path:
        return self.out / path

    def files(self) -> list[str]:
        return sorted(
            path.relative_to(self.out).as_posix()
            for path in self.out.rglob("*")
            if path.is_file() and not path.name.startswith((".", "manifest", "index", "editions"))
        )


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)
