"""A folder with content, templates and room for output, and the builder for it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_stages import STAGES, Ear

from rulebook.build.building import build_rulesets
from rulebook.build.plan import BuildRequest
from rulebook.build.report import Outcome


class Bench:
    """Builds what stands in a temporary folder and keeps what was told."""

    def __init__(self, folder: Path) -> None:
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

    def build(self, *, stages: Any = STAGES, **changes: Any) -> Outcome:
        self.ear = Ear()
        folders = tuple(sorted(self.content.iterdir()))
        request = BuildRequest(folders=folders, templates=self.templates, out=self.out, jobs=1)
        return build_rulesets(replace(request, **changes), self.ear, stages)

    def file(self, path: str) -> Path:
        return self.out / path

    def files(self) -> list[str]:
        return sorted(
            path.relative_to(self.out).as_posix()
            for path in self.out.rglob("*")
            if path.is_file() and not path.name.startswith((".", "manifest", "index", "editions"))
        )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
