"""No ruleset is known to the program by its name: what one of them needs, all of them can have.

The names are those of content/, the id and the title of every ruleset, so that a new one is held
from its first day. Code, remarks, docstrings, templates, styles and names of files are searched.
"""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
RULESETS = sorted(path.parent for path in (ROOT / "content").glob("*/ruleset.yaml"))
SEARCHED = sorted(
    path
    for top in ("rulebook", "templates")
    for path in (ROOT / top).rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
)


def words_of(name: str) -> list[str]:
    """`The Thin Red Line` and `the-thin_red-line` are the same words; the article is no name."""
    words = re.findall(r"[^\W_]+", name.lower())
    return words[1:] if words[0] == "the" and len(words) > 1 else words


def names_of(folder: Path) -> set[tuple[str, ...]]:
    header = yaml.safe_load((folder / "ruleset.yaml").read_text("utf-8"))
    return {tuple(words_of(folder.name)), tuple(words_of(header["title"]))}


def pattern_of(names: set[tuple[str, ...]]) -> re.Pattern[str]:
    """Whole words, in names of code and over the ends of lines, too."""
    phrases = "|".join(r"[\W_]*".join(map(re.escape, name)) for name in sorted(names))
    return re.compile(rf"(?<![^\W_])(?:{phrases})(?![^\W_])", re.IGNORECASE)


def found_in(pattern: re.Pattern[str]) -> list[str]:
    """Each place with a name in it: file, line and the name, or the file alone if it has it."""
    places = [str(path.relative_to(ROOT)) for path in SEARCHED]
    found = [place for place in places if pattern.search(place)]
    for place, path in zip(places, SEARCHED, strict=True):
        text = path.read_bytes().decode("utf-8", "ignore")
        for hit in pattern.finditer(text):
            line = text.count("\n", 0, hit.start()) + 1
            found.append(f"{place}:{line}: {hit[0]}")
    return found


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_no_ruleset_stands_in_the_program_by_name(folder: Path) -> None:
    assert not found_in(pattern_of(names_of(folder)))


def test_rulesets_and_files_are_found() -> None:
    assert len(RULESETS) >= 5
    assert {".py", ".j2", ".css", ".yaml", ".md"} <= {path.suffix for path in SEARCHED}
    assert found_in(pattern_of({("mygame",)})), "the name that stands for any"


@pytest.mark.parametrize(
    "written",
    [
        "thin-red-line/1.0/qrs-a4.pdf",
        "def of_thin_red_line(",
        "THIN_RED_LINE = 1",
        "class ThinRedLine:",
        "# as in The Thin\n# Red Line, a rule",
        '"Thin  Red Line"',
    ],
)
def test_a_name_is_found_however_it_is_written(written: str) -> None:
    pattern = pattern_of({tuple(words_of("The Thin Red Line"))})
    assert pattern.search(written)
    assert not pattern.search("a thin red liner; athin red line; thin red; a red thin line")
