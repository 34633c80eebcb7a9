"""Editions of the shipped rulesets that differ at random: every change is found, nothing else."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from shutil import copytree
from textwrap import fill

import pytest
import yaml
from applied_changes import apply
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped_rulesets import SHIPPED, shipped

from rulebook.loading.rulesets import load
from rulebook.model.canonical import canonical, read_canonical
from rulebook.model.plain_data import Named, Plain, plain_ruleset
from rulebook.model.reading_order import AS_LISTED
from rulebook.packaged import content_folder
from rulebook.revisions.changes import Ordered, Renamed
from rulebook.revisions.comparison import compare, tree_of
from rulebook.revisions.keyed import unkeyed

NAMES = SHIPPED
SEEDS = st.integers(0, 2**32)

Content = dict[str, Plain]
Edit = Callable[[Content, Random], object]


def content_of(name: str) -> Content:
    """What a shipped ruleset says; it may be changed without harm to another test."""
    return pickle.loads(_pickled(name))


@cache
def _pickled(name: str) -> bytes:
    return pickle.dumps(plain_ruleset(shipped(name)))


def inside(value: Plain) -> list[Plain]:
    """A part of an edition and all parts in it."""
    parts = list(value.values()) if isinstance(value, dict) else value
    return (
        [value, *(one for part in parts or () for one in inside(part))]
        if (isinstance(value, dict | list))
        else [value]
    )


def branches(content: Content, kind: type) -> list:
    found = [content[key] for key in ("collections", "sections", "header", "options")]
    return [one for part in found for one in inside(part) if type(one) is kind and one]


def change_a_text(content: Content, random: Random) -> None:
    fields = random.choice(branches(content, dict))
    key = random.choice(list(fields))
    fields[key] = random.choice(["6in", "4+", "Another sentence.", None, fields[key]])


def change_words(content: Content, random: Random) -> None:
    section = random.choice([*content["sections"].values()])
    parts = section.get("parts") or ["Nothing stood here."]
    at = random.randrange(len(parts))
    words = str(parts[at]).split()
    words[random.randrange(len(words))] = "otherwise"
    section["parts"] = [*parts[:at], " ".join(words), *parts[at + 1 :]]


def delete_something(content: Content, random: Random) -> None:
    branch = random.choice([*branches(content, Named), *branches(content, dict)])
    del branch[random.choice(list(branch))]


def delete_an_item(content: Content, random: Random) -> None:
    items = random.choice(branches(content, list))
    del items[random.randrange(len(items))]


def copy_something(content: Content, random: Random) -> None:
    branch = random.choice(branches(content, Named))
    key = random.choice(list(branch))
    branch[f"{key}_again"] = branch[key]


def move_something(content: Content, random: Random) -> None:
    branch = random.choice(branches(content, Named))
    key = random.choice(list(branch))
    branch[key] = branch.pop(key)


def shuffle_a_list(content: Content, random: Random) -> None:
    random.shuffle(random.choice(branches(content, list)))


def rename_something(content: Content, random: Random) -> None:
    branch = random.choice(branches(content, Named))
    key = random.choice(list(branch))
    renamed = {f"{one}_now" if one == key else one: part for one, part in branch.items()}
    branch.clear()
    branch.update(renamed)


def exchange_two(content: Content, random: Random) -> None:
    """Two things, which may refer to themselves or not, under each other's ids."""
    branches_of_two = [one for one in branches(content, Named) if len(one) > 1]
    branch = random.choice(branches_of_two)
    one, other = random.sample(list(branch), 2)
    branch[one], branch[other] = branch[other], branch[one]


def move_a_section(content: Content, random: Random) -> None:
    chapters = [one for one in content["chapters"].values() if len(one) > 1]
    if chapters:
        stood, stands = random.choice(chapters), random.choice([*content["chapters"].values()])
        heading = stood.pop(random.randrange(1, len(stood)))
        stands.insert(random.randint(1, len(stands)), heading)


EDITS: list[Edit] = [
    change_a_text,
    change_words,
    delete_something,
    delete_an_item,
    copy_something,
    move_something,
    shuffle_a_list,
    rename_something,
    exchange_two,
    move_a_section,
]


@pytest.mark.parametrize("name", NAMES)
def test_an_edition_is_as_itself(name: str) -> None:
    assert compare(content_of(name), content_of(name)).changes == ()


@given(name=st.sampled_from(NAMES), seed=SEEDS, edits=st.lists(st.sampled_from(EDITS), max_size=6))
@settings(max_examples=25)
def test_applying_the_changes_gives_the_new_edition(
    name: str, seed: int, edits: list[Edit]
) -> None:
    old, new, random = content_of(name), content_of(name), Random(seed)
    for edit in edits:
        edit(new, random)
    comparison = compare(old, new)
    applied = apply(comparison.changes, comparison.old)
    assert canonical(unkeyed(applied)) == canonical(unkeyed(tree_of(new)))
    assert not comparison.unaccounted()
    back = compare(new, old)
    assert canonical(unkeyed(apply(back.changes, back.old))) == canonical(unkeyed(tree_of(old)))


@given(name=st.sampled_from(NAMES), seed=SEEDS)
@settings(max_examples=15)
def test_an_id_renamed_with_all_its_uses_is_one_change(name: str, seed: int) -> None:
    old = content_of(name)
    ids = [(part, key) for part, things in old["collections"].items() for key in things]
    # An id of two words is no word of a sentence; after a point it names a part of something else.
    text = canonical(old)
    alone = [one for one in ids if "_" in one[1] and f".{one[1]}" not in text]
    collection, key = Random(seed).choice(alone)
    text = re.sub(rf"(?<!\w){key}(?!\w)", "zz_now", text)
    new = read_canonical(canonical(in_order(json.loads(text))))
    comparison = compare(old, new)
    path = ("collections", collection, "zz_now")
    assert Renamed(path, key) in comparison.own
    assert all(isinstance(one, Renamed) for one in comparison.own), comparison.own
    assert not comparison.unaccounted()


def in_order(written: Content) -> Content:
    """Collections in the order of their ids, as plain data has them."""
    for name, part in written["collections"].items():
        if name not in AS_LISTED:
            part["order"].sort()
    for name in ("sections", "options"):
        written[name]["order"].sort()
    return written


def write_otherwise(source: Path, target: Path, random: Random) -> None:
    """A ruleset in other files: entities in any of them, keys in any order, text in other lines."""
    files: dict[str, list] = {}
    for path in sorted(source.rglob("*")):
        at = path.relative_to(source)
        if not path.is_file() or at.parts[0] in ("releases", "revisions.yaml"):
            continue
        if path.suffix == ".yaml" and at.name != "ruleset.yaml" and at.parts[0] != "options":
            node = yaml.compose(path.read_text("utf-8"))
            for collection, entities in node.value if node else ():
                for entity in entities.value:
                    files.setdefault(collection.value, []).append(entity)
            continue
        (target / at).parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        if path.suffix == ".md":
            data = reflowed(data.decode(), random.randint(30, 120)).encode()
        (target / at).write_bytes(data)
    for collection, entities in files.items():
        if collection not in AS_LISTED:
            random.shuffle(entities)
        half = random.randint(0, len(entities))
        for number, part in enumerate((entities[:half], entities[half:])):
            if part:
                write_entities(target / f"{collection}_{number}.yaml", collection, part, random)


def write_entities(path: Path, collection: str, entities: list, random: Random) -> None:
    for _, entity in entities:
        random.shuffle(entity.value)
    tag = "tag:yaml.org,2002:map"
    inner = yaml.MappingNode(tag, entities)
    head = yaml.ScalarNode("tag:yaml.org,2002:str", collection)
    text = yaml.serialize(yaml.MappingNode(tag, [(head, inner)]), allow_unicode=True, width=1000)
    text = f"# Written otherwise.\n{text}"
    path.write_bytes(text.replace("\n", random.choice(["\n", "\r\n"])).encode())


def reflowed(markdown: str, width: int) -> str:
    """Paragraphs of plain sentences in lines of another length."""
    paragraphs = re.split(r"\n\n+", markdown)
    return "\n\n".join(
        fill(one, width, break_long_words=False, break_on_hyphens=False)
        if re.match(r"[A-Z]", one) and not re.search(r"^\s*([-*#|>{]|\d+\.)", one, re.MULTILINE)
        else one
        for one in paragraphs
    )


@pytest.mark.parametrize("name", NAMES)
def test_files_keys_and_lines_are_no_change(name: str, tmp_path: Path) -> None:
    source, target = content_folder() / name, tmp_path / name
    target.mkdir()
    base = (shipped(name).header.based_on or "").split("@")[0]
    if base:
        copytree(content_folder() / base, tmp_path / base)
    write_otherwise(source, target, Random(json.dumps(name)))
    ruleset = load(target).ruleset
    assert ruleset is not None
    comparison = compare(content_of(name), plain_ruleset(ruleset))
    assert [one for one in comparison.changes if not isinstance(one, Ordered) or one.moved] == []
