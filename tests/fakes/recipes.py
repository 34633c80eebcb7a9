"""The recipes of the manual -> rulesets: each with a header and a chapter of its own round it."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from click.testing import CliRunner

from rulebook.cli import cli

MANUAL = Path(__file__).parents[2] / "rulebook/manual"
#: What `rulebook` is called with in all of them.
GAME = "mygame"
#: Characters in a line of the terminal, as many as have room on a page of the manual.
WIDTH = 68

_HEADING = re.compile(r"^## (?P<title>.+?) \{#(?P<id>[a-z][a-z0-9_]*)\}$")
_FILE = re.compile(r"# ((?:\.\./)?[a-z_/-]+\.[a-z]+)(?: .*)?")
_PLACED = {"tables": "table", "modifiers": "table", "procedures": "steps", "examples": "example"}
_PLACED |= {"cutouts": "cutout"}

#: The language of a fence, and what stands in it.
Block = tuple[str, str]


@dataclass(frozen=True)
class Recipe:
    """One recipe, and its fenced blocks in order."""

    id: str
    title: str
    chapter: Path
    blocks: tuple[Block, ...]

    def typed_in(self, number: int) -> list[tuple[str, str]]:
        """Each command in the block of a number, and what the block shows of its output."""
        parts = re.split(r"(?m)^\$ ", self.blocks[number][1])[1:]
        lines = (part.split("\n", 1) for part in parts)
        return [(command.strip(), told.strip("\n")) for command, told in lines]

    @property
    def typed(self) -> list[tuple[str, str]]:
        """All of these."""
        numbers = (at for at, (name, _) in enumerate(self.blocks) if name == "console")
        return [one for number in numbers for one in self.typed_in(number)]


def recipes_in(chapter: Path) -> Iterator[Recipe]:
    """The recipes of a chapter; a fence outside of one is none's."""
    recipe, fence, blocks, lines = None, "", [], []
    for line in [*chapter.read_text("utf-8").splitlines(), "## {#"]:
        if fence:
            if line == "```":
                blocks.append((fence, "".join(f"{one}\n" for one in lines)))
                fence = ""
            else:
                lines.append(line)
        elif line.startswith("```"):
            fence, lines = line[3:], []
        elif line.startswith("## "):
            if recipe:
                yield Recipe(recipe["id"], recipe["title"], chapter, tuple(blocks))
            recipe, blocks = _HEADING.match(line), []


def all_recipes() -> list[Recipe]:
    """Every recipe of every chapter."""
    return [one for path in sorted(MANUAL.glob("recipes-*.md")) for one in recipes_in(path)]


def lay(blocks: Sequence[Block], content: Path) -> None:
    """Lay some blocks of a recipe into a ruleset in the folder of all content.

    A block whose first line is a remark with the name of a file is that file, any other a file of
    topics, or a chapter. What no chapter places is placed in one of the ruleset's own.
    """
    folder = content / GAME
    folder.mkdir(parents=True, exist_ok=True)
    header: dict[str, object] = {"title": "My Game", "edition": "1.0", "chapters": ["rules.md"]}
    header["documents"] = {"qrs": None}
    files: dict[str, str] = {}
    for number, (language, text) in enumerate(blocks):
        first, _, rest = text.partition("\n")
        named = _FILE.fullmatch(first)
        if language == "markdown":
            files["rules.md"] = text
        elif named and named[1] == "ruleset.yaml":
            header |= yaml.safe_load(text)
        elif language in ("yaml", "csv"):
            name = named[1] if named else f"topic-{number}.yaml"
            files[name] = rest if language == "csv" else text
    topics = [text for name, text in files.items() if "/" not in name and name.endswith(".yaml")]
    chapter = files.get("rules.md", "# The rules {#rules}\n\nWhat the recipe shows.\n")
    files["rules.md"] = chapter + _placed(topics, chapter)
    files["ruleset.yaml"] = yaml.safe_dump(header, sort_keys=False).replace(": null", ": ~")
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def play(recipe: Recipe, content: Path) -> Iterator[tuple[str, str]]:
    """Each command of a recipe, run when all that stands above it is laid, with what it prints;
    at the end all is laid.
    """
    for end, (language, _) in enumerate(recipe.blocks):
        if language == "console":
            lay(recipe.blocks[:end], content)
            for typed, _ in recipe.typed_in(end):
                yield typed, run(typed, content)
    lay(recipe.blocks, content)


def _placed(topics: list[str], chapters: str) -> str:
    """A block for everything that is placed nowhere."""
    found = []
    for text in topics:
        for collection, held in (yaml.safe_load(text) or {}).items():
            if collection not in _PLACED:
                continue
            for name, thing in held.items():
                block = f"{{{_PLACED[collection]}: {name}}}"
                hidden = thing.get("booklet") is False or _untold(collection, thing)
                if not hidden and block not in chapters and block not in found:
                    found.append(block)
    return "\n" + "\n\n".join(found) + "\n"


def _untold(collection: str, thing: dict[str, object]) -> bool:
    """A procedure without a sentence; a table of outcomes, which prints where it is used."""
    if collection == "procedures":
        return "say:" not in yaml.safe_dump(thing)
    return collection == "tables" and "data" in thing and not thing.keys() & {"rows", "fields"}


def run(typed: str, content: Path) -> str:
    """What a command prints, as it is typed beside the folder of all content; however long it took
    it says that it took 3 seconds.
    """
    program, *words = shlex.split(typed)
    assert program == "rulebook"
    with contextlib.chdir(content.parent):
        result = CliRunner(env={"COLUMNS": f"{WIDTH}"}).invoke(
            cli, ["--content", content.name, *words], prog_name="rulebook"
        )
    assert isinstance(result.exception, SystemExit | None), f"$ {typed}\n{result.output}"
    output = re.sub(r"\bin [0-9.]+ s\b", "in 3 s", result.output)
    return "\n".join(line.rstrip() for line in output.splitlines()).strip("\n")


def accept(recipe: Recipe, typed: str, told: str, output: str) -> None:
    """Write into the chapter of a recipe what a command prints now."""
    before, mark, after = recipe.chapter.read_text("utf-8").partition(f"{{#{recipe.id}}}\n")
    old = f"$ {typed}\n{told}\n" if told else f"$ {typed}\n"
    assert old in after, typed
    after = after.replace(old, f"$ {typed}\n{output}\n", 1)
    recipe.chapter.write_text(before + mark + after, "utf-8")
