"""Two builds of content/ -> which files have the same bytes, and which the same words and places.

    compare_builds.py keep COMMIT OUTPUT      remember what a build of that commit wrote to a folder
    compare_builds.py clone COMMIT            the same, of a build in a clone of its own
    compare_builds.py COMMIT OUTPUT [GLOB]    hold a folder against what is remembered

While the program is made smaller, each step says which grade it keeps: 1, the same bytes; 2, the
same words, their boxes within 0.05 mm; 3, changed by intent and looked at. Boxes are read by
pdftotext of Poppler.
"""

import gzip
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from difflib import unified_diff
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".cache" / "builds"
#: Millimetres that a box of a word may move.
MOST_MOVED = 0.05
#: Differing words that are listed of one file.
MOST_LISTED = 12
WORD = re.compile(r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*)</word>')
LEFT_OUT = re.compile(r"<(script|style).*?</\1>|<[^>]+>|\s+", re.DOTALL)


def read(path: Path) -> dict:
    """A file's checksum and, where words can be read from it, these; of a PDF with their boxes."""
    kept = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "words": [], "boxes": []}
    if path.suffix == ".pdf":
        command = ["pdftotext", "-bbox", path, "-"]
        for line in subprocess.check_output(command, text=True).splitlines():
            if found := WORD.search(line):
                kept["words"].append(found[5])
                kept["boxes"].append([round(float(at) * 25.4 / 72, 3) for at in found.groups()[:4]])
            elif "<page" in line:
                kept["words"].append(line.strip())
                kept["boxes"].append([0, 0, 0, 0])
    elif path.suffix == ".html":
        kept["words"] = LEFT_OUT.sub(" ", path.read_text("utf-8")).split()
    return kept


def read_folder(folder: Path, glob: str = "*") -> dict[str, dict]:
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return {name: read(folder / name) for name in names if fnmatch(name, glob)}


def keep(commit: str, output: Path) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    with gzip.open(KEPT / f"{commit}.json.gz", "wt") as file:
        json.dump(read_folder(output), file)


def clone(commit: str) -> None:
    """Build a commit in a clone with an environment of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for command in (
            ["git", "clone", "--quiet", ROOT, "."],
            ["git", "checkout", "--quiet", commit],
            [sys.executable, "-m", "venv", ".venv"],
            [".venv/bin/pip", "install", "--quiet", "--editable", "."],
            ["env", "RULEBOOK_CACHE=.cache", ".venv/bin/rulebook", "--quiet", "build"],
        ):
            subprocess.run(command, cwd=folder, check=True)
        keep(commit, Path(folder) / "output")


def difference(old: dict, new: dict) -> str:
    """What differs in words or places; nothing where both are the same."""
    if old["words"] != new["words"]:
        lines = unified_diff(old["words"], new["words"], lineterm="", n=0)
        changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        return f"{len(changed)} words differ: " + " ".join(islice(changed, MOST_LISTED))
    pairs = zip(old["boxes"], new["boxes"], strict=True)
    moved = max((abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True)), default=0)
    if moved > MOST_MOVED:
        return f"words moved by up to {moved:.2f} mm"
    return "" if old["words"] else "other bytes"


def compare(commit: str, output: Path, glob: str = "*") -> Counter[int]:
    with gzip.open(KEPT / f"{commit}.json.gz", "rt") as file:
        before = {name: one for name, one in json.load(file).items() if fnmatch(name, glob)}
    after = read_folder(output, glob)
    grades: Counter[int] = Counter()
    for name in sorted({*before, *after}):
        if name not in before or name not in after:
            print("new " if name in after else "gone", name)
        elif before[name]["sha256"] == after[name]["sha256"]:
            grades[1] += 1
        else:
            found = difference(before[name], after[name])
            grades[3 if found else 2] += 1
            if found:
                print(3, name, found)
    return grades


if __name__ == "__main__":
    match sys.argv[1:]:
        case "keep", commit, output:
            keep(commit, Path(output))
        case "clone", commit:
            clone(commit)
        case commit, output, *glob:
            print(dict(sorted(compare(commit, Path(output), *glob).items())))
