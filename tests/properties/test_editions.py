"""Editions of the shipped rulesets that differ at random: every change is found, nothing else."""

import copy
import json
import pickle
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from shutil import copytree
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

import pytest
import yaml
from applied_changes import apply
from frozen import RELEASED, SMALL_WARS, SMALL_WARS_CM, loaded, put, snapshot_of
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped_rulesets import SHIPPED, shipped

from rulebook.checking.all_checks import check
from rulebook.loading.snapshots import Snapshot, load_snapshot, read_snapshot
from rulebook.model.plain_data import Named, Plain, canonical, plain_ruleset, read_canonical
from rulebook.model.ruleset import AS_LISTED
from rulebook.packaged import content_folder
from rulebook.problems import format_report
from rulebook.revisions.changes import EditionChange, unkeyed
from rulebook.revisions.comparison import compare, tree_of

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


def inside(value: Any) -> list[Any]:
    """All mappings and lists in plain data that are not empty, the outermost first."""
    if not value or not isinstance(value, dict | list):
        return []
    parts = value.values() if isinstance(value, dict) else value
    return [value, *(branch for part in parts for branch in inside(part))]


def branches(content: Content, kind: type) -> list:
    parts = [content[key] for key in ("collections", "sections", "header", "options")]
    return [branch for branch in inside(parts)[1:] if type(branch) is kind]


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
def test_an_edition_is_as_itself(name):
    assert compare(content_of(name), content_of(name)).changes == ()


@given(name=st.sampled_from(NAMES), seed=SEEDS, edits=st.lists(st.sampled_from(EDITS), max_size=6))
@settings(max_examples=6)
def test_applying_the_changes_gives_the_new_edition(name, seed, edits):
    old, new, random = content_of(name), content_of(name), Random(seed)
    for edit in edits:
        edit(new, random)
    comparison = compare(old, new)
    applied = apply(comparison.changes, comparison.old)
    assert canonical(unkeyed(applied)) == canonical(unkeyed(tree_of(new)))
    back = compare(new, old)
    assert canonical(unkeyed(apply(back.changes, back.old))) == canonical(unkeyed(tree_of(old)))


@given(name=st.sampled_from(NAMES), seed=SEEDS)
@settings(max_examples=8)
def test_an_id_renamed_with_all_its_uses_is_one_change(name, seed):
    old = content_of(name)
    ids = [(part, key) for part, things in old["collections"].items() for key in things]
    # An id of two words is no word of a sentence; after a point it names a part of something else.
    text = canonical(old)
    alone = [one for one in ids if "_" in one[1] and f".{one[1]}" not in text]
    collection, key = Random(seed).choice(alone)
    text = re.sub(rf"(?<!\w){key}(?!\w)", "zz_now", text)
    new = read_canonical(canonical(in_order(json.loads(text))))
    new["collections"][collection]["zz_now"]["was"] = key
    comparison = compare(old, new)
    path = ("collections", collection, "zz_now")
    assert EditionChange(path, "renamed", key, path[-1]) in comparison.own
    assert all(one.kind == "renamed" for one in comparison.own), comparison.own


def in_order(written: Content) -> Content:
    """Collections in the order of their ids, as plain data has them."""
    for name, part in written["collections"].items():
        if name not in AS_LISTED:
            part["order"].sort()
    for name in ("sections", "options"):
        written[name]["order"].sort()
    return written


def reflowed(markdown: str, width: int) -> str:
    """Paragraphs of plain sentences in lines of another length."""
    paragraphs = re.split(r"\n\n+", markdown)
    return "\n\n".join(
        fill(one, width, break_long_words=False, break_on_hyphens=False)
        if re.match(r"[A-Z]", one) and not re.search(r"^\s*([-*#|>{]|\d+\.)", one, re.MULTILINE)
        else one
        for one in paragraphs
    )


@pytest.mark.parametrize("name", ["acw", "acw-centimetres"])
def test_files_keys_and_lines_are_no_change(name, tmp_path):
    source, target = content_folder() / name, tmp_path / name
    base = (shipped(name).header.based_on or "").split("@")[0]
    if base:
        copytree(content_folder() / base, tmp_path / base)
    random = Random(json.dumps(name))
    cut(source, target, random)
    for path in target.rglob("*.md"):
        path.write_text(reflowed(path.read_text("utf-8"), random.randint(30, 120)), "utf-8")
    comparison = compare(content_of(name), plain_ruleset(loaded(target)))
    assert [one for one in comparison.changes if not one.is_only_order] == []


# Released editions damaged or made by hand, and folders cut into files as anybody may cut them.

WHOLE = RELEASED / "1" / "small-wars" / "releases" / "1.0.json"
_TAG = "tag:yaml.org,2002:map"


VALUES: list[Any] = [
    None, "", " ", "x", "-1", "1/0", "9" * 50, "6in", "4+", "d6", "{table: hits}", "# One", "=a[b]",
    "a\nb", "~", "`", "{", "[](#x)", "\u202e", "\U0001f3b2", [], {}, ["x"], {"x": "y"}, [[[]]],
]  # fmt: skip


@given(seed=SEEDS, times=st.integers(1, 4))
@settings(max_examples=30)
def test_made_by_hand_with_the_right_checksum(seed, times):
    """It is refused in words, or it is a ruleset and says just what the file says."""
    random = Random(seed)
    found, _ = read_snapshot(WHOLE)
    content: dict[str, Any] = copy.deepcopy(found.content)
    for _ in range(times):
        branch = random.choice(inside(content))
        key = random.choice(list(branch) if isinstance(branch, dict) else range(len(branch)))
        if random.random() < 0.3:
            del branch[key]
        elif random.random() < 0.3 and isinstance(branch, dict):
            branch[random.choice(["x", "title", "was", "named", "a b", ""])] = branch[key]
        else:
            branch[key] = copy.deepcopy(random.choice([*VALUES, branch]))
    with TemporaryDirectory() as folder:
        path = put(Path(folder), Snapshot("small-wars", "1.0", content))
        loaded = load_snapshot(path)
        told = format_report(loaded.report)
        if loaded.ruleset is None:
            assert loaded.report.errors and told
            return
        again, _ = read_snapshot(path)
        assert again is not None and again.text() == path.read_text("utf-8")
        check(loaded.ruleset)


def cut(source: Path, target: Path, random: Random) -> None:
    """A folder with its entities in other files: as many, as deep and as called as may be.

    What stands in the order of its author stands in files that follow one another by their names;
    all else anywhere.
    """
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("releases", "*.yaml"))
    files: dict[str, dict[str, list[Any]]] = {}
    places = [f"{folder}{name}.yaml" for folder in ("", "b/", "b/c/") for name in "hpz"]
    for path in sorted(source.rglob("*.yaml")):
        at = path.relative_to(source).as_posix()
        if at == "revisions.yaml":
            continue
        root = yaml.compose(path.read_text("utf-8"), yaml.CSafeLoader)
        if at == "ruleset.yaml" or at.startswith("options/") or "adds" in path.read_text("utf-8"):
            (target / at).parent.mkdir(exist_ok=True)
            random.shuffle(root.value)
            (target / at).write_text(yaml.serialize(root, allow_unicode=True, width=1000), "utf-8")
            continue
        for collection, entities in root.value:
            listed = list(entities.value)
            for _, entity in listed:
                random.shuffle(entity.value if isinstance(entity, yaml.MappingNode) else [])
            if collection.value not in AS_LISTED:
                random.shuffle(listed)
            chosen = [random.choice(places) for _ in listed]
            for place, entity in zip(
                sorted(chosen) if collection.value in AS_LISTED else chosen, listed, strict=True
            ):
                files.setdefault(place, {}).setdefault(collection.value, []).append(entity)
    for place, collections in files.items():
        whole = [
            (yaml.ScalarNode("tag:yaml.org,2002:str", name), yaml.MappingNode(_TAG, entities))
            for name, entities in collections.items()
        ]
        random.shuffle(whole)
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        text = yaml.serialize(yaml.MappingNode(_TAG, whole), allow_unicode=True, width=1000)
        line_end = random.choice(["\n", "\r\n"])
        (target / place).write_text(f"# Written otherwise.\n{text}", "utf-8", newline=line_end)


@given(seed=SEEDS)
@settings(max_examples=6)
def test_how_a_folder_is_cut_into_files_means_nothing(seed):
    with TemporaryDirectory() as folder:
        target = Path(folder) / SMALL_WARS.name
        cut(SMALL_WARS, target, Random(seed))
        assert snapshot_of(target).text() == snapshot_of(SMALL_WARS).text()


def test_of_a_base_it_means_nothing_to_its_variant(tmp_path):
    cut(SMALL_WARS, tmp_path / SMALL_WARS.name, Random(7))
    shutil.copytree(SMALL_WARS_CM, tmp_path / SMALL_WARS_CM.name)
    found = snapshot_of(tmp_path / SMALL_WARS_CM.name)
    assert found.sha256 == snapshot_of(SMALL_WARS_CM).sha256


def test_the_order_in_which_an_author_lists_is_a_part_of_the_edition(tmp_path):
    """Phases in another order are another game: the names of their files decide where they are
    several.
    """
    texts = []
    for first, second in (("a", "b"), ("b", "a")):
        target = tmp_path / first / SMALL_WARS.name
        shutil.copytree(SMALL_WARS, target)
        root = yaml.compose((target / "sequence.yaml").read_text("utf-8"), yaml.CSafeLoader)
        ((key, phases),) = root.value
        (target / "sequence.yaml").unlink()
        for name, part in ((first, phases.value[:1]), (second, phases.value[1:])):
            node = yaml.MappingNode(_TAG, [(key, yaml.MappingNode(_TAG, part))])
            (target / f"{name}.yaml").write_text(yaml.serialize(node, width=1000), "utf-8")
        texts.append(snapshot_of(target).text())
    assert texts[0] == snapshot_of(SMALL_WARS).text() != texts[1]
    orders = [json.loads(text)["content"]["collections"] for text in texts]
    assert sorted(orders[0]["sequence"]["order"]) == sorted(orders[1]["sequence"]["order"])
