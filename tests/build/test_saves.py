"""An open page after each of many saves, in the stages of a real build."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner

from rulebook.build.building import build_on_change, build_rulesets
from rulebook.build.demand import Demand
from rulebook.build.plan import BuildRequest
from rulebook.build.report import Listener
from rulebook.cache import open_cache
from rulebook.cli import cli
from rulebook.packaged import templates_folder

PAGE = "mygame/0.1/qrs.html"
SAVES = 20
#: A title, and the title with a remark below it that the page prints.
NAMES_NOTHING = "title: Moves\n", "title: Moves\n    about: As {moves.nobody.open}.\n"


class Author:
    """Saves values, sentences, and faults: of names on the page or elsewhere, and of sense."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.chance = folder, random.Random(7)
        self.texts = {path: path.read_text("utf-8") for path in folder.glob("*.*")}

    def save(self) -> tuple[str, list[Path]]:
        """What is saved now, and the files; all that was at fault before is mended."""
        done = self.chance.choice(["value", "sentence", "reading", "elsewhere", "sense"])
        name, change = {
            "value": ("moving.yaml", lambda text: re.sub(r"open: \d+in", self._length, text)),
            "sentence": ("moving.md", lambda text: f"{text}\nTurn {self._number()}.\n"),
            "reading": ("moving.yaml", lambda text: text.replace(*NAMES_NOTHING)),
            "elsewhere": ("moving.md", lambda text: f"{text}\n{{moves.nobody.open}}\n"),
            "sense": ("moving.yaml", lambda text: text.replace("rough ground\n", "heather\n")),
        }[done]
        path = self.folder / name
        text = change(self.texts[path])
        assert text != self.texts[path]
        if done in ("value", "sentence"):
            self.texts[path] = text
        for other, kept in self.texts.items():
            other.write_text(text if other == path else kept, "utf-8")
        return done, [path]

    def _number(self) -> int:
        return self.chance.randint(10, 99)

    def _length(self, _: re.Match[str]) -> str:
        return f"open: {self._number()}in"


def test_a_page_after_any_save_is_that_of_a_fresh_build(tmp_path: Path) -> None:
    content, out, fresh = (tmp_path / name for name in ("content", "served", "fresh"))
    made = CliRunner().invoke(cli, ["--content", str(content), "new", "mygame"])
    assert made.exit_code == 0
    cache = open_cache(tmp_path / "cache")
    templates = templates_folder().resolve()
    request = BuildRequest((content / "mygame",), templates, out, jobs=1, cache=cache)
    demand, seen = Demand(lambda: request, Listener(), lambda: None), list[str]()

    def faults() -> list[object]:
        return demand.state_of(PAGE)["faults"]

    def saves(_: BuildRequest) -> Iterator[object]:
        turns, author = demand.turns(), Author(content / "mygame")
        demand.look_at(PAGE)
        while not demand.is_made(PAGE, 0):
            yield next(turns)
        for number in range(1, SAVES + 1):
            before, (done, paths) = demand.read(PAGE), author.save()
            demand.saved(paths)
            while not demand.is_made(PAGE, number):
                yield next(turns)
            if done == "reading":
                assert demand.read(PAGE) == before and faults()
            elif not faults():
                anew = replace(
                    request,
                    out=fresh,
                    targets=frozenset({PAGE}),
                    unchecked=done in ("sense", "elsewhere"),
                )
                build_rulesets(replace(anew, cache=open_cache(None)))
                assert demand.read(PAGE) == (fresh / PAGE).read_bytes(), (number, done)
            while demand._known(PAGE).read < number:
                yield next(turns)
            assert bool(faults()) == (done not in ("value", "sentence")), (number, done)
            seen.append(done)

    build_on_change(demand.request, demand, content, changes=saves)
    assert len(seen) == SAVES and len(set(seen)) == 5
