"""Hostile rulesets -> the CPU and memory that `rulebook check` takes to check or refuse each.

Run by `make bench`, or by hand with a part of a name: only inputs with it are measured. The goals
are 2 s of CPU for a file of 1 MiB, the start of the program included, and 300 MB of memory for each
MiB read, beyond what the program takes itself. Each input is near a limit: of a file, of a line, of
a text, or of a count. The steps that checking takes are counted on smaller files in
tests/unit/loading/test_steps.py.
"""

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import yaml
from PIL import Image

#: A ruleset without a fault, over which the files of an input are laid.
VALID = Path(__file__).parents[1] / "bad" / "valid" / "game"
MIB = 1 << 20
#: Seconds of CPU, and megabytes for each MiB read.
CPU_GOAL = 2.0
MEMORY_GOAL = 300.0
#: What is stopped has failed: seconds of CPU and bytes of memory.
CPU_LIMIT = 60
MEMORY_LIMIT = 4 << 30

Files = dict[str, str | bytes]


def chapter(markdown: str) -> Files:
    """A ruleset of one chapter; it ends at the limit of a file."""
    return {"chapter.md": f"# Chapter {{#chapter}}\n\n{markdown}"[:MIB]}


def topic(data: str) -> Files:
    return {"topic.yaml": data[:MIB]}


def lines(line: str, size: int = 0) -> str:
    """A line again and again, `{n}` its number, up to a size, or that of a file."""
    count = (size or MIB - 100) // (len(line.replace("{n}", "000000")) + 1)
    return "".join(line.replace("{n}", f"{n:06}") + "\n" for n in range(count))


def sections(text: str) -> str:
    """The same text under heading after heading, as often as a file has room for."""
    return "".join(f"## Section {n}\n\n{text}\n\n" for n in range(1 + MIB // (len(text) + 18)))


def _terms(count: int, words: int) -> Files:
    terms = "".join(
        f"  t{n}:\n    title: Term {n} of a long list\n    meaning: A word.\n" for n in range(count)
    )
    return {
        "terms.yaml": "terms:\n" + terms,
        "chapter.md": "# Chapter {#chapter}\n\n" + lines("term {n} of a long" * 3, words * 8),
    }


def _meanings(size: int, meaning: str = "A word.") -> str:
    return lines(f"  t{{n}}: {{title: T{{n}}, meaning: '{meaning}'}}", size)


def _options(count: int) -> Files:
    return {
        f"options/o{n}.yaml": f"title: O{n}\nadds: {{terms: {{x{n}: {{title: Word {n}}}}}}}\n"
        for n in range(count)
    }


def _misspelt(count: int, letters: int) -> Files:
    known = "".join(
        f"  {'k' * (letters - 6)}{n:06}:\n    title: Cone {n}\n    kind: cone\n" for n in range(200)
    )
    named = "".join(f"{{table: {'k' * (letters - 7)}x{n:06}}}\n\n" for n in range(count))
    return {"cutouts.yaml": "cutouts:\n" + known, "chapter.md": "# Chapter {#chapter}\n\n" + named}


def text_of(pieces: Any) -> str:
    """A text as it stands in the file beside this one."""
    match pieces:
        case str():
            return pieces
        case {"times": times, "of": of}:
            # What fills a file is less where files are smaller.
            return text_of(of) * (times if times < 10_000 else times * MIB >> 20)
        case {"lines": of}:
            return lines(text_of(of))
        case {"sections": of}:
            return sections(text_of(of))
    return "".join(map(text_of, pieces))


#: Inputs that are more than one text.
OTHERS: dict[str, Callable[[], Files]] = {
    "heading: spaces": lambda: {"chapter.md": "# A\n\n## B" + " " * (MIB - 100) + "x\n"},
    "heading: signs and spaces": lambda: {"chapter.md": "# A\n\n## B" + " #" * 500_000 + "x\n"},
    "heading: braces": lambda: {"chapter.md": "# A\n\n## B" + " {#" * 300_000 + "\n"},
    "invisible: each character": lambda: chapter(
        "\n" * 100_000 + "".join(chr(0xE000 + n) for n in range(6400))
    ),
    "misspelt names": lambda: _misspelt(600, 43),
    "misspelt names, long": lambda: _misspelt(600, 80),
    "misspelt names, thousands": lambda: _misspelt(20_000, 43),
    "terms": lambda: _terms(1000, 4000),
    "terms, a whole file": lambda: _terms(5000, 130_000),
    "unknown keys": lambda: topic(
        "tables:\n  t:\n    title: T\n" + "".join(f"    k{n}: 1\n" for n in range(4990))
    ),
    "long scalars": lambda: topic(lines(f"k{{n}}: {'word ' * 790}")),
    "long scalars, marked": lambda: topic(
        "terms:\n" + lines(f"  t{{n}}:\n    title: T{{n}}\n    meaning: '{'a*b_[' * 600}'")
    ),
    "scalar: signs without glyph": lambda: topic(
        "\n".join(f'k{n}: "{chr(92)}u2603{"☃a" * 1900}"' for n in range(150))
    ),
    "expression: sums": lambda: topic(
        "procedures:\n  p:\n    title: P\n    result: [r]\n    steps:\n      - set: {r: '"
        + "+".join("1" * 3 for _ in range(900)) + "'}\n"
    ),
    "expression: huge product": lambda: topic(
        "procedures:\n  p:\n    title: P\n    result: [r]\n    steps:\n      - set: {r: '"
        + "*".join("999999" for _ in range(60)) + "'}\n"
    ),
    "options": lambda: _options(490),
    "options over prose": lambda: {**chapter(sections("word " * 1990 + "\n")), **_options(4)},
    "options over values": lambda: {**topic("terms:\n" + _meanings(20_000)), **_options(80)},
    "terms of links": lambda: topic(
        "terms:\n" + _meanings(MIB, "[a](#chapter)")
    ),
    "terms of few links": lambda: topic(
        "terms:\n" + _meanings(80_000, "[a](#chapter)")
        + lines(f"  x{{n}}: {{title: X{{n}}, meaning: '{'a ' * 900}'}}")
    ),
    "chapters": lambda: {f"c{n}.md": f"# C{n}\n\n" + lines("Text {n}.", 8000) for n in range(490)},
    "backticks": lambda: chapter("".join("`" * (n % 500) + " " for n in range(4000))),
    "lists, nested": lambda: chapter("".join("    " * n + "- x\n" for n in range(60)) * 100),
    "lists, deep": lambda: chapter("".join("    " * n + "- x\n" for n in range(700))),
    "binary": lambda: {"chapter.md": bytes(range(256)) * 4096},
    "yaml: indented": lambda: topic("".join(" " * n + f"k{n}:\n" for n in range(1400))),
    "yaml: nested references": lambda: topic(
        "terms:\n" + "".join(f"  t{n}: =t{n + 1}\n" for n in range(5000))
    ),
    "map: points": lambda: _map(5000),
    "map: features": lambda: _features(500),
    "svg: attribute names": lambda: _svg(
        "<path " + " ".join(f'a{n}="1"' for n in range(80_000)) + "/>"
    ),
    "svg: references": lambda: _svg(f'<use href="#{"a" * 500_000}"/>'),
    "svg: url": lambda: _svg(f'<path fill="url({" " * 1_000_000}"/>'),
    "svg: style": lambda: _svg(f'<path style="{"fill:red;" * 100_000}"/>'),
    "svg: uses": lambda: _svg(
        "<defs>" + "".join(
            f'<g id="a{n}">' + f'<use href="#a{n + 1}"/>' * 10 + "</g>" for n in range(40)
        ) + '<g id="a40"/></defs><use href="#a0"/>'
    ),
    "svg: numbers": lambda: _svg(f'<path d="M{"9" * 1_000_000}"/>'),
    "svg: transform": lambda: _svg(f'<g transform="{"a(" * 400_000}"/>'),
    "scalars of brackets": lambda: topic(
        "terms:\n" + "".join(
            f"  t{n}: {{title: T{n}, meaning: '{'[' * 19}{'[a](#a) ' * 49}{'a' * 3_000}'}}\n"
            for n in range(270)
        )
    ),
    "forms of terms": lambda: {
        **topic("terms:\n" + "".join(
            f"  t{n}: {{title: '{'a ' * n}b', meaning: A word.}}\n" for n in range(1, 99)
        )),
        **chapter("".join(f"## S{n}\n\n{n} {'a ' * 4_900}\n\n" for n in range(107))),
    },
    "revisions": lambda: {
        "revisions.yaml": "editions:\n" + lines('  "1.{n}":\n    summary: s\n    changes: []')
    },
}  # fmt: skip


def _map(points: int) -> Files:
    line = ", ".join(f"[{n % 60 + 0.25}in, {n % 40}in]" for n in range(points))
    return _scenario(f"      brook: {{kind: stream, along: [{line}]}}\n")


def _features(count: int) -> Files:
    return _scenario(
        "".join(f"      f{n}: {{kind: hill, at: [{n % 60}in, {n % 40}in]}}\n" for n in range(count))
    )


def _scenario(features: str) -> Files:
    return topic(
        "scenarios:\n  s:\n    title: S\n    map:\n      size: [6ft, 4ft]\n      features:\n"
        + features.replace("\n      ", "\n        ").replace("      ", "        ", 1)
    )


def _svg(inside: str) -> Files:
    box = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"'
    return {"cover.svg": f"<svg {box}>{inside}</svg>", **_cover("cover.svg")}


def _cover(picture: str) -> Files:
    return {"ruleset.yaml": f"cover: {{picture: {picture}, alt: A picture}}\n"}


def _points(mode: str, side: int, name: str, progressive: bool = False) -> Files:
    options = {"progressive": True} if progressive else {}
    stream = BytesIO()
    Image.new(mode, (side, side)).save(stream, name.removeprefix("a.").upper(), **options)
    return {name: stream.getvalue(), **_cover(name)}


def inputs() -> Iterator[tuple[str, Callable[[], Files]]]:
    """All by their names; the first is a ruleset that is small."""
    written = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    for name, picture in written.pop("picture").items():
        OTHERS[name] = partial(_points, *picture)
    make = {"chapter": chapter, "topic": topic, "svg": _svg}
    for kind, texts in written.items():
        for name, pieces in texts.items():
            yield name, lambda kind=kind, pieces=pieces: make[kind](text_of(pieces))
    yield from OTHERS.items()


def write(files: Files, folder: Path) -> int:
    """Write a ruleset; the bytes that reading it takes come back."""
    shutil.copytree(VALID, folder)
    header = (folder / "ruleset.yaml").read_text("utf-8")
    chapters = "".join(f"  - {name}\n" for name in files if name.endswith(".md"))
    header = header.replace("chapters:\n", f"chapters:\n{chapters}")
    size = 0
    for name, text in {
        **files,
        "ruleset.yaml": header + str(files.get("ruleset.yaml", "")),
    }.items():
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data[:MIB])
        size += min(len(data), MIB)
    return size


def measure(folder: Path) -> tuple[int, float, float]:
    """Exit status, seconds of CPU and the most MB of memory that one check of a folder takes."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    command = [
        sys.executable, "-m", "rulebook", "--content", str(folder.parent),
        "--cache", str(folder.parent / "cache"), "check", folder.name,
    ]  # fmt: skip
    with (folder.parent / "report").open("wb") as report:
        process = subprocess.Popen(command, stdout=report, stderr=report, preexec_fn=limits)  # noqa: PLW1509
        _, status, usage = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    return code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="", help="of the names of inputs")
    parser.add_argument("--report", action="store_true", help="show the end of each report")
    wanted = parser.parse_args()
    failed = 0
    own = 0.0
    print(f"{'input':32} {'KiB':>6} {'CPU s':>7} {'MB':>6} {'MB/MiB':>7}  exit")
    for name, make in inputs():
        if wanted.part not in name and name != "nothing":
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "hostile"
            size = write(make(), folder)
            code, cpu, memory = measure(folder)
            own = own or memory
            told = (Path(place) / "report").read_text("utf-8", errors="replace")
        over = cpu > CPU_GOAL or memory - own > MEMORY_GOAL * max(1.0, size / MIB)
        crashed = code not in (0, 1) or "Traceback" in told or "itself failed" in told
        failed += over or crashed
        stopped = f" by signal {signal.Signals(-code).name}" if code < 0 else ""
        flag = "  FAILED" + stopped if crashed else "  over the goal" if over else ""
        each = (memory - own) / max(size / MIB, 1)
        print(
            f"{name:32} {size >> 10:>6} {cpu:>7.2f} {memory:>6.0f} {each:>7.0f}  {code}{flag}",
            flush=True,
        )
        if wanted.report:
            print(told[-600:])
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
