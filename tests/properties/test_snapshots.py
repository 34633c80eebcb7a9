"""Released editions damaged or made by hand, and folders cut into files as anybody may cut them."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from frozen import RELEASED, SMALL_WARS, SMALL_WARS_CM, put, snapshot_of
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.checking.all_checks import check
from rulebook.loading.snapshots import Snapshot, load_snapshot, read_snapshot
from rulebook.model.reading_order import AS_LISTED
from rulebook.problems import format_report

WHOLE = RELEASED / "1" / "small-wars" / "releases" / "1.0.json"
SEEDS = st.integers(0, 2**32)
_TAG = "tag:yaml.org,2002:map"


def branches(value: Any) -> list[Any]:
    """All mappings and lists in plain data, the outermost first."""
    inner = value.values() if isinstance(value, dict) else value
    if not isinstance(value, dict | list):
        return []
    return [value, *(one for part in inner for one in branches(part))]


VALUES: list[Any] = [
    None, "", " ", "x", "-1", "1/0", "9" * 50, "6in", "4+", "d6", "{table: hits}", "# One", "=a[b]",
    "a\nb", "~", "`", "{", "[](#x)", "\u202e", "\U0001f3b2", [], {}, ["x"], {"x": "y"}, [[[]]],
]  # fmt: skip


@given(seed=SEEDS, times=st.integers(1, 4))
@settings(max_examples=60)
def test_made_by_hand_with_the_right_checksum(seed: int, times: int) -> None:
    """It is refused in words, or it is a ruleset and says just what the file says."""
    random = Random(seed)
    found, _ = read_snapshot(WHOLE)
    content: dict[str, Any] = copy.deepcopy(found.content)
    for _ in range(times):
        branch = random.choice([one for one in branches(content) if one])
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
        root = yaml.compose(path.read_text("utf-8"))
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
        (target / place).write_text(text, "utf-8")


@given(seed=SEEDS)
@settings(max_examples=12)
def test_how_a_folder_is_cut_into_files_means_nothing(seed: int) -> None:
    with TemporaryDirectory() as folder:
        target = Path(folder) / SMALL_WARS.name
        cut(SMALL_WARS, target, Random(seed))
        assert snapshot_of(target).text() == snapshot_of(SMALL_WARS).text()


def test_of_a_base_it_means_nothing_to_its_variant(tmp_path: Path) -> None:
    cut(SMALL_WARS, tmp_path / SMALL_WARS.name, Random(7))
    shutil.copytree(SMALL_WARS_CM, tmp_path / SMALL_WARS_CM.name)
    found = snapshot_of(tmp_path / SMALL_WARS_CM.name)
    assert found.sha256 == snapshot_of(SMALL_WARS_CM).sha256


def test_the_order_in_which_an_author_lists_is_a_part_of_the_edition(tmp_path: Path) -> None:
    """Phases in another order are another game: the names of their files decide where they are
    several.
    """
    texts = []
    for first, second in (("a", "b"), ("b", "a")):
        target = tmp_path / first / SMALL_WARS.name
        shutil.copytree(SMALL_WARS, target)
        root = yaml.compose((target / "sequence.yaml").read_text("utf-8"))
        ((key, phases),) = root.value
        (target / "sequence.yaml").unlink()
        for name, part in ((first, phases.value[:1]), (second, phases.value[1:])):
            node = yaml.MappingNode(_TAG, [(key, yaml.MappingNode(_TAG, part))])
            (target / f"{name}.yaml").write_text(yaml.serialize(node, width=1000), "utf-8")
        texts.append(snapshot_of(target).text())
    assert texts[0] == snapshot_of(SMALL_WARS).text() != texts[1]
    orders = [json.loads(text)["content"]["collections"] for text in texts]
    assert sorted(orders[0]["sequence"]["order"]) == sorted(orders[1]["sequence"]["order"])
