"""Hypothesis strategies for cases: files of a ruleset, grown whole or changed in a few places.

Each kind of case is a part of what strangers send: data, procedures, prose, pictures, released
editions, what is said of them, layouts of cards, and plain damage.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from grown_pictures import drawing
from grown_values import (
    Draw,
    Schema,
    Tree,
    expressions,
    grown,
    names,
    odd,
    prose,
    resolved,
    schemas_at,
    whole_content,
    words,
    written,
)
from hypothesis import strategies as st

from rulebook.loading.snapshots import Snapshot, read_snapshot

ROOT = Path(__file__).parents[2]
#: Rulesets without a fault: a small one, and one with units, cards, procedures and a scenario.
SMALL = ROOT / "tests" / "bad" / "valid" / "game"
RICH = ROOT / "content" / "gridded"
#: A ruleset with something of everything, and what it was released as.
RELEASED = ROOT / "tests" / "unit" / "loading" / "released"


@dataclass(frozen=True)
class Case:
    """A folder of a ruleset called `game`, as paths and bytes; `layouts` are those of cards."""

    kind: str
    files: tuple[tuple[str, bytes], ...]
    layouts: tuple[tuple[str, bytes], ...] = ()

    def put(self, folder: Path) -> None:
        """Write the files into a folder, in which there will be one called `game`."""
        for name, data in (*((f"game/{name}", data) for name, data in self.files), *self.layouts):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


@cache
def _files(folder: Path) -> tuple[tuple[str, bytes], ...]:
    return tuple(
        (path.relative_to(folder).as_posix(), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    )


@cache
def _trees(folder: Path) -> tuple[tuple[str, Tree], ...]:
    """The YAML files of a folder as trees."""
    return tuple(
        (name, _tree(yaml.compose(data.decode(), yaml.CSafeLoader)))
        for name, data in _files(folder)
        if name.endswith(".yaml")
    )


def _tree(node: Any) -> Tree:
    if isinstance(node, yaml.MappingNode):
        return {key.value: _tree(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_tree(item) for item in node.value]
    return str(node.value)


def _with(base: Path, changed: dict[str, bytes]) -> tuple[tuple[str, bytes], ...]:
    return tuple({**dict(_files(base)), **changed}.items())


def _collection(name: str) -> Schema:
    """The schema of an entity of a collection."""
    collections = resolved({"$ref": "#/$defs/Collections"})
    named = collections["properties"][name]
    # What may stand in a spreadsheet may be named instead.
    named = next((one for one in named.get("anyOf", [named]) if "patternProperties" in one), named)
    (entity,) = named["patternProperties"].values()
    return resolved(entity)


def _root(name: str) -> Schema:
    if name == "ruleset.yaml":
        return {"$ref": "#/$defs/Header"}
    if name.startswith("options/"):
        return whole_content()["anyOf"][3]  # type: ignore[no-any-return]
    return {"$ref": "#/$defs/Collections"}


def _change(draw: Draw, tree: Tree, schema: Schema) -> None:
    """Change one place of a tree: regrow it, take it away, put something odd there, or copy."""
    here, possible = tree, [schema]
    while True:
        keys = [*here] if isinstance(here, dict) else [*range(len(here))]
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        inner = [one for each in possible for one in schemas_at(each, key)]
        child = here[key]  # type: ignore[index, call-overload]
        if isinstance(child, str) or not child or draw(st.integers(0, 3)) == 0:
            break
        here, possible = child, inner
    what = draw(st.integers(0, 9))
    if what < 5 and inner:
        here[key] = draw(grown(draw(st.sampled_from(inner)), 3))  # type: ignore[index, call-overload]
    elif what == 5:
        del here[key]  # type: ignore[arg-type]
    elif what == 6 and isinstance(here, dict):
        here[draw(names | odd)] = deepcopy(child)
    elif what == 7:
        here[key] = draw(expressions | prose | words)  # type: ignore[index, call-overload]
    elif what == 8:
        here[key] = deepcopy(tree) if draw(st.integers(0, 9)) == 0 else [child, child]  # type: ignore[index, call-overload]
    else:
        here[key] = draw(odd)  # type: ignore[index, call-overload]


@st.composite
def changed_trees(draw: Draw) -> Case:
    """A ruleset without a fault, changed in one to four places of one file."""
    base = draw(st.sampled_from((SMALL, RICH, RICH)))
    name, tree = draw(st.sampled_from(_trees(base)))
    tree = deepcopy(tree)
    for _ in range(draw(st.integers(1, 4))):
        _change(draw, tree, _root(name))
    return Case("changed data", _with(base, {name: written(tree)}))


@st.composite
def grown_trees(draw: Draw) -> Case:
    """A ruleset with one or two entities grown from the schema beside its own."""
    kinds = draw(
        st.lists(
            st.sampled_from(
                ("tables", "modifiers", "examples", "sequence", "units", "cards", "cutouts",
                 "terms", "formations", "scenarios", "scenarios", "cutouts", "tables")
            ),
            min_size=1,
            max_size=2,
            unique=True,
        )
    )  # fmt: skip
    tree: Tree = {kind: {"grown_here": draw(grown(_collection(kind), 1))} for kind in kinds}
    shown = "\n\n".join(
        f"{{{kind[:-1]}: grown_here}}" for kind in kinds if kind in ("tables", "cutouts")
    )
    base = draw(st.sampled_from((SMALL, RICH)))
    files = {"grown.yaml": written(tree)}
    if base == SMALL and shown:
        files["annex.md"] = dict(_files(base))["annex.md"] + f"\n{shown}\n".encode()
    return Case("grown data", _with(base, files))


_COUNTS = st.sampled_from(("1-6", "1-240", "0-3"))
_THROW: Tree = {
    "say": "Throw.",
    "roll": {"die": "d6"},
    "times": "firers",
    "sum": {"hits": "die > 3"},
}


@st.composite
def procedures(draw: Draw) -> Case:
    """A procedure grown from the schema of steps, whose results are names that it may set."""
    step = {"$ref": "#/$defs/Step"}
    steps = [draw(grown(step, 2)) for _ in range(draw(st.integers(1, 4)))]
    result = draw(st.sampled_from(("total", "hits", "die", "good")))
    tree: Tree = {
        "procedures": {
            "grown_here": {
                "title": "Grown",
                "inputs": {
                    "firers": {"count": draw(_COUNTS), "default": "2"},
                    "range": {"one_of": "musketry.range"},
                },
                "steps": [
                    _THROW,
                    *steps,
                    {"set": {"total": draw(expressions)}},
                ],
                "result": {result: result},
            }
        }
    }  # fmt: skip
    annex = dict(_files(SMALL))["annex.md"] + b"\n{steps: grown_here}\n"
    if draw(st.booleans()):
        annex += f"\n{{chart: grown_here {result}}}\n".encode()
    files = {"grown.yaml": written(tree), "annex.md": annex}
    return Case("procedures", _with(SMALL, files))


@st.composite
def chapters(draw: Draw) -> Case:
    """Markdown in a chapter, and perhaps on a card or in a term."""
    text = draw(prose)
    chapter = dict(_files(SMALL))["annex.md"].decode()
    if draw(st.booleans()):
        files = {"annex.md": f"{chapter}\n{text}\n".encode("utf-8", "replace")}
        return Case("prose", _with(SMALL, files))
    card: Tree = {"title": draw(words), "text": text}
    deck: Tree = {"title": "Deck", "cards": {"one": card}}
    term: Tree = {"title": "musketry", "text": draw(prose)}
    data: Tree = {"cards": {"deck": deck}, "terms": {"fire": term}}
    files = {"grown.yaml": written(data)}
    return Case("prose", _with(SMALL, files))


def _png(width: int, height: int, depth: int, colour: int, data: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    made = b"\x89PNG\r\n\x1a\n"
    for name, inner in ((b"IHDR", head), (b"IDAT", zlib.compress(data)), (b"IEND", b"")):
        made += struct.pack(">I", len(inner)) + name + inner
        made += struct.pack(">I", zlib.crc32(name + inner))
    return made


_PNGS = st.tuples(
    st.sampled_from((0, 1, 7, 148, 1480, 8000, 8001, 2**31 - 1)),
    st.sampled_from((0, 1, 10, 210, 2100, 8000, 2**31 - 1)),
    st.sampled_from((1, 8, 16, 3)),
    st.sampled_from((0, 2, 3, 4, 6, 9)),
    st.sampled_from((b"", b"\0" * 700, b"\0" * 2_000_000)),
).map(lambda it: _png(*it))


@st.composite
def pictures(draw: Draw) -> Case:
    """A cover that is drawn, or a picture of points."""
    if draw(st.integers(0, 3)):
        data, name = drawing(draw(st.randoms())).encode(), "cover.svg"
    else:
        data, name = draw(_PNGS), draw(st.sampled_from(("cover.png", "cover.png", "cover.jpg")))
    header = (
        dict(_files(SMALL))["ruleset.yaml"] + f"\ncover: {{picture: {name}, alt: x}}\n".encode()
    )
    return Case("pictures", _with(SMALL, {name: data, "ruleset.yaml": header}))


@cache
def _released() -> tuple[str, Snapshot, tuple[tuple[str, bytes], ...]]:
    """The name of the file of a released edition, what it holds, and the files of its folder."""
    found, _ = read_snapshot(RELEASED / "1" / "small-wars" / "releases" / "1.0.json")
    assert found is not None
    return "releases/1.0.json", found, _files(RELEASED / "small-wars")


@st.composite
def snapshots(draw: Draw) -> Case:
    """A released edition that was changed, sealed again or not, or whose bytes were damaged."""
    name, snapshot, files = _released()
    content: Any = deepcopy(snapshot.content)
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, content, {})
    made = Snapshot("game", "1.0", content)
    text = made.text()
    if draw(st.integers(0, 4)) == 0:
        text = text.replace(made.sha256, "0" * 64)
    if draw(st.integers(0, 4)) == 0:
        text = json.dumps(json.loads(text), indent=1)
    changed = {**dict(files), name: text.encode("utf-8", "replace")}
    return Case("snapshots", tuple(changed.items()))


@st.composite
def revisions(draw: Draw) -> Case:
    """What the author of a released edition says of its changes."""
    name, snapshot, files = _released()
    sealed = Snapshot("game", "1.0", snapshot.content).text().encode()
    tree = draw(grown({"$ref": "#/$defs/Revisions"}, 0))
    if isinstance(tree, dict) and draw(st.booleans()):
        tree = {
            "editions": {"1.1": draw(grown({"$ref": "#/$defs/EditionNotes"}, 1))},
            "withdrawn": {"1.0": draw(grown({"$ref": "#/$defs/Withdrawal"}, 1))},
        }
    said = written(tree)
    changed = {**dict(files), name: sealed, "revisions.yaml": said}
    changed["ruleset.yaml"] = changed["ruleset.yaml"].replace(b"1.0", b"1.1")
    return Case("revisions", tuple(changed.items()))


@st.composite
def layouts(draw: Draw) -> Case:
    """A layout of cards, changed."""
    name, tree = draw(st.sampled_from(_trees(ROOT / "templates" / "layouts")))
    tree = deepcopy(tree)
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, tree, {})
    return Case("layouts", (), ((name, written(tree)),))


@st.composite
def damaged(draw: Draw) -> Case:
    """A file of a ruleset with bytes cut out, doubled or replaced."""
    base = draw(st.sampled_from((SMALL, RICH)))
    name, data = draw(st.sampled_from(_files(base)))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, max(0, len(data) - 1)))
        end = start + draw(st.sampled_from((0, 1, 1, 5, 80)))
        middle = draw(
            st.sampled_from(
                (b"", b":", b"{", b"]", b"'", b"\n", b"\t", b"  ", b"- ", b"\x1b[2J", b"\xff", b"#")
            )
            | st.just(data[start:end] * 2)
            | odd.map(str.encode)
        )  # fmt: skip
        data = data[:start] + middle + data[end:]
    return Case("damaged", _with(base, {name: data}))


KINDS: dict[str, Callable[[], st.SearchStrategy[Case]]] = {
    "changed data": changed_trees,
    "grown data": grown_trees,
    "procedures": procedures,
    "prose": chapters,
    "pictures": pictures,
    "snapshots": snapshots,
    "revisions": revisions,
    "layouts": layouts,
    "damaged": damaged,
}
