"""Any number of rulesets that `check` finds sound: games grown at random, and the five varied.

A grown game is put together of parts: each writes its tables, its modifiers or its procedure, and
the section of prose in which they stand. Which parts there are, of which form and in which chapter
is its structure.
"""

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

import yaml
from beside import as_written, beside

CONTENT = Path(__file__).parents[2] / "content"
#: Those that are varied: they change nothing of another ruleset.
VARIED = ("gridded", "horse-and-musket", "napoleonic-skirmish", "thin-red-line")
#: Of how many rulesets one is varied; the others are grown.
VARIED_IN = 10
#: Of how many rulesets one is printed whole, with its scenarios, on each paper and in each ink.
WHOLE_IN = 50
#: What a club prints the others on.
ONE_PAPER = {"papers": ["a4"], "inks": ["full"]}

NOUNS = as_written(__file__, "nouns")
VERBS = ["move", "shoot", "charge", "rally", "dig in", "cross water", "give way", "take aim"]


@dataclass
class Game:
    """A game as it grows."""

    random: random.Random
    unit: str
    collections: dict[str, dict[str, Any]] = field(default_factory=dict)
    chapters: list[list[str]] = field(default_factory=list)
    #: By panel of the sheet its title, its section and what it shows.
    steps: dict[str, dict[str, Any]] = field(default_factory=dict)
    structure: list[str] = field(default_factory=list)

    def add(self, collection: str, part: str, **values: object) -> str:
        """Add a thing as it is written in the file beside this one; its id, which nothing has."""
        told = {"rule": f"rule_{len(self.steps)}", **values}
        text = {key: json.dumps(value, ensure_ascii=False) for key, value in told.items()}
        name = f"n{sum(map(len, self.collections.values())) + len(self.steps)}x"
        made = yaml.safe_load(Template(beside(__file__, part)).substitute(text))
        self.collections.setdefault(collection, {})[name] = made
        return name

    def section(self, title: str, *blocks: str, **step: list[str]) -> None:
        """Prose in a chapter, and a panel of the sheet that shows `step`."""
        anchor = f"rule_{len(self.steps)}"
        chapter = self.random.choice(self.chapters)
        chapter.append("\n\n".join([f"## {title} {{#{anchor}}}", "Do this in its turn.", *blocks]))
        self.steps[f"step_{len(self.steps)}"] = {"title": title, "rule": anchor, **step}


def record(game: Game) -> None:
    """A table of things with their values."""
    kinds: dict[str, Callable[[], object]] = {
        "length": lambda: f"{game.random.randint(1, 12)}{game.unit}",
        "count": lambda: game.random.randint(1, 40),
        "target": lambda: f"{game.random.randint(2, 6)}+",
        "dice": lambda: f"{game.random.randint(1, 3)}d6",
        "flag": lambda: game.random.random() < 0.5,
    }
    chosen = game.random.sample(sorted(kinds), game.random.randint(1, 4))
    names = game.random.sample(NOUNS, game.random.randint(2, 7))
    fields = {f"{kind}_of": {"type": kind, "title": kind.title()} for kind in chosen}
    rows = {
        f"row_{number}": {"title": noun.capitalize(), **{f"{k}_of": kinds[k]() for k in chosen}}
        for number, noun in enumerate(names)
    }
    title = f"Values of {names[0]} and others"
    name = game.add("tables", "record", title=title, fields=fields, rows=rows)
    game.section("Values", f"{{table: {name}}}", tables=[name])
    game.structure.append(f"record {' '.join(sorted(chosen))}")


def grid(game: Game) -> str:
    """A table of targets by distance and one or two things more; its name."""
    number, width = game.random.randint(2, 5), game.random.randint(2, 6)
    bands = [f"{one * width}-{(one + 1) * width}{game.unit}" for one in range(number)]
    columns = {"place": {"open": "In the open", "wood": "In a wood", "wall": "Behind a wall"}}
    if game.random.random() < 0.5:
        columns["volley"] = {"first": "First volley", "other": "Any other"}
    across = 3 * (2 if len(columns) > 1 else 1)
    data = [[f"{game.random.randint(2, 6)}+" for _ in range(across)] for _ in bands]
    game.structure.append(f"grid {number} {across}")
    return game.add("tables", "grid", bands=bands, columns=columns, data=data)


def shooting(game: Game) -> None:
    """A test against the target of a grid, with modifiers or without, and what to expect of it."""
    table = grid(game)
    axes = ["distance", *game.collections["tables"][table]["columns"]]
    inputs: dict[str, Any] = {"firers": {"count": "1-12", "default": 4}}
    inputs |= {axis: {"one_of": f"{table}.{axis}"} for axis in axes}
    throw, tables = beside(__file__, "throw"), [table]
    if game.random.random() < 0.6:
        rows = {
            f"m{row}": {"when": f"The firers {verb}", "throw": game.random.choice(["-1", "+1"])}
            for row, verb in enumerate(game.random.sample(VERBS, 3))
        }
        tables.append(game.add("modifiers", "conditions", rows=rows))
        inputs["conditions"] = {"any_of": tables[-1]}
        throw["plus"] = "sum(conditions.throw)"
    given = f"{table}[{', '.join(axes)}]"
    shot = game.add("procedures", "shot", inputs=inputs, given=given, throw=throw)
    blocks = [f"{{table: {one}}}" for one in tables]
    if game.random.random() < 0.5:
        blocks.append(f"{{table: {game.add('tables', 'odds', procedure=shot)}}}")
        game.structure.append("odds")
    game.section("Shots", f"{{steps: {shot}}}", *blocks, tables=tables, procedures=[shot])
    game.structure.append(f"shooting {len(tables)}")


def fighting(game: Game) -> None:
    """Two sides throw dice, and the higher total wins."""
    dice = game.random.choice(["d6", "2d6", "d10"])
    fight = game.add("procedures", "fight", dice=dice)
    game.section("Fights", f"{{steps: {fight}}}", procedures=[fight])
    game.structure.append(f"fighting {dice}")


def courage(game: Game) -> None:
    """A table with the faces of a die as an axis."""
    faces = game.random.choice([["1-2", "3-4", "5-6"], ["1", "2-6"]])
    name = game.add("tables", "courage", faces=faces, data=[["stands", "shakes"]] * len(faces))
    game.section("Courage", f"{{table: {name}}}", tables=[name])
    game.structure.append(f"courage {len(faces)}")


def cutouts(game: Game) -> None:
    """Cones, to be cut out."""
    made = []
    for number in range(game.random.randint(1, 3)):
        reach, base = game.random.randint(6, 12), f"{game.random.randint(2, 4)}in"
        sizes = {"length": f"{reach}in", "base": base, "near": f"{reach // 2}in"}
        made.append(game.add("cutouts", "cone", title=f"Cone {number + 1}", **sizes))
    game.section("Cones", *(f"{{cutout: {name}}}" for name in made), cutouts=made)
    game.structure.append(f"cutouts {len(made)}")


def words(game: Game) -> None:
    """Prose with a list, a note on how it is read, and a term."""
    noun = game.random.choice(NOUNS)
    if "terms" not in game.collections:
        game.add("terms", "term", title=noun, meaning=f"What is called {noun}.")
    verbs = game.random.sample(VERBS, game.random.randint(2, 4))
    blocks = ["\n".join(f"- A **{noun}** may {verb}." for verb in verbs)]
    if game.random.random() < 0.5:
        blocks.append("{read: How it is meant}\nWe read this so.")
        game.structure.append("note")
    game.section("Words", *blocks, say=["As it is written."])
    game.structure.append(f"words {len(verbs)}")


PARTS: tuple[Callable[[Game], object], ...] = (record, shooting, fighting, courage, cutouts, words)


def grow(folder: Path, name: str, seed: int) -> tuple[str, ...]:
    """Write a game of which the seed decides all; its structure."""
    chance = random.Random(seed)
    game = Game(chance, chance.choice(["in", "cm"]))
    game.chapters = [[] for _ in range(chance.randint(1, 3))]
    for part in chance.choices(PARTS, k=chance.randint(2, 6)):
        part(game)
    own = folder / name
    own.mkdir(parents=True)
    files = []
    for number, sections in enumerate(game.chapters):
        head = f"# Chapter {number + 1} {{#chapter_{number}}}\n\nOf the game number {seed}."
        (own / f"chapter{number}.md").write_text("\n\n".join([head, *sections]) + "\n", "utf-8")
        files.append(f"chapter{number}.md")
    _write(own / "rules.yaml", game.collections)
    steps = list(game.steps.items())
    half = chance.randint(1, len(steps))
    phases = (("first", steps[:half]), ("second", steps[half:]))
    sequence = {one: {"title": one.title(), "steps": dict(some)} for one, some in phases if some}
    _write(own / "sequence.yaml", {"sequence": sequence})
    title, edition = f"Game {seed} of the {chance.choice(NOUNS)}", f"1.{chance.randint(0, 9)}"
    header = {"title": title, "edition": edition, "date": "2024-03-01", "chapters": files}
    documents = {"qrs": {"sides": 2, "columns": chance.choice([2, 3, 4])}, **_papers(seed)}
    _write(own / "ruleset.yaml", {**header, "documents": documents})
    return tuple(sorted(game.structure))


def vary(folder: Path, name: str, seed: int) -> None:
    """Copy one of the five under another title, mostly cut: few documents, and no scenarios."""
    chance = random.Random(seed)
    own = folder / name
    shutil.copytree(
        CONTENT / VARIED[seed // VARIED_IN % len(VARIED)],
        own,
        ignore=shutil.ignore_patterns("releases"),
    )
    (own / "revisions.yaml").unlink(missing_ok=True)
    path = own / "ruleset.yaml"
    header = yaml.safe_load(path.read_text("utf-8"))
    header["title"] = f"{header['title']} {seed}"
    header["edition"] = f"1.{chance.randint(0, 9)}"
    documents = header.setdefault("documents", {})
    dropped = chance.sample(["booklet", "cards", "cutouts"], 2)
    if _papers(seed):
        documents |= _papers(seed) | dict.fromkeys(dropped)
        shutil.rmtree(own / "scenarios")
    _write(path, header)


def _papers(seed: int) -> dict[str, Any]:
    """What all documents of a ruleset are printed on; empty for one that is printed whole."""
    # In turn one that is grown, and one that is varied.
    return {} if seed % WHOLE_IN == seed // WHOLE_IN % 2 else ONE_PAPER


def write_rulesets(folder: Path, number: int) -> set[tuple[str, ...]]:
    """Write so many rulesets, the same each time; the structures of those that were grown."""
    grown = set()
    for seed in range(number):
        if seed % VARIED_IN == 1:
            vary(folder, f"r{seed:04}-varied", seed)
        else:
            grown.add(grow(folder, f"r{seed:04}-grown", seed))
    return grown


class _Dumper(yaml.SafeDumper):
    """Writes `~` for what is not printed, as content has it."""


_Dumper.add_representer(
    type(None), lambda dumper, _: dumper.represent_scalar("tag:yaml.org,2002:null", "~")
)


def _write(path: Path, data: object) -> None:
    path.write_text(yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False), "utf-8")
