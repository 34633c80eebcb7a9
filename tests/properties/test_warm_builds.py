"""A build that takes what it can from the cache gives the bytes of one that takes nothing.

The starter is edited, by values and words, into a fault and out of it; after each edit it is built
with a cache that has grown with all the builds before and of which entries are lost and spoilt
meanwhile, and without any.
"""

import random
import shutil
from dataclasses import replace
from pathlib import Path

from beside import beside
from click.testing import CliRunner

from rulebook.build.building import build_rulesets
from rulebook.build.plan import BuildRequest
from rulebook.cache import NOTHING_KEPT, Cache, open_cache
from rulebook.cli import cli
from rulebook.packaged import templates_folder

DOCUMENTS = """documents:
  papers: [a4]
  inks: [full]
  qrs: {sides: 1, columns: 2}
  booklet: {papers: [a5]}
  cutouts: {together: false}
  cards: ~
  scenarios: ~
"""
#: A file, a text in it and what stands there instead, or the text again where that stands there.
EDITS = beside(__file__, "edits")


def spoil(cache: Cache, chance: random.Random) -> None:
    """Lose some entries and change a byte of others."""
    for path in sorted(cache.folder.rglob("*")):
        if not path.is_file():
            continue
        fate = chance.randrange(6)
        if fate == 0:
            path.unlink()
        elif fate == 1:
            data = bytearray(path.read_bytes())
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            path.write_bytes(data)


def printed(out: Path) -> dict[str, bytes]:
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def test_warm_is_cold(tmp_path: Path) -> None:
    chance = random.Random(1)
    content = tmp_path / "content"
    assert CliRunner().invoke(cli, ["--content", str(content), "new", "mygame"]).exit_code == 0
    game = content / "mygame"
    header = (game / "ruleset.yaml").read_text("utf-8").split("documents:")[0]
    (game / "ruleset.yaml").write_text(header + DOCUMENTS, "utf-8")
    cache = open_cache(tmp_path / "cache")
    warm = BuildRequest((game,), templates_folder(), tmp_path / "warm", jobs=1, cache=cache)
    build_rulesets(warm)
    for path, old, new in EDITS:
        text = (game / path).read_text("utf-8")
        if old in text:
            (game / path).write_text(text.replace(old, new, 1), "utf-8")
        else:
            (game / path).write_text(text.replace(new, old, 1), "utf-8")
        spoil(cache, chance)
        found = build_rulesets(warm)
        cold = replace(warm, out=tmp_path / "cold", cache=NOTHING_KEPT)
        expected = build_rulesets(cold)
        assert [one.problems for one in found.failures] == [
            one.problems for one in expected.failures
        ]
        if expected.ok:
            assert printed(warm.out) == printed(cold.out)
        shutil.rmtree(cold.out, ignore_errors=True)
