"""A small game with one scenario, `mapped`, whose ground each test writes itself."""

import shutil
from pathlib import Path

from beside import beside

_SCENARIO = beside(__file__, "scenario")


def write_mapped(folder: Path, features: str, size: tuple[int, int]) -> Path:
    """The content folder; `features` stand eight columns to the right, `size` is in inches."""
    content = folder / "content"
    shutil.copytree(Path(__file__).parents[1] / "bad" / "valid", content)
    text = _SCENARIO.format(width=size[0], depth=size[1], features=features.strip("\n"))
    (content / "game" / "mapped.yaml").write_text(text, encoding="utf-8")
    return content
