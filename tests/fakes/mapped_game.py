"""A small game with one scenario, `mapped`, whose ground each test writes itself."""

from __future__ import annotations

import shutil
from pathlib import Path

_SCENARIO = """
scenarios:
  mapped:
    title: Mapped
    length: 4
    table: {{width: {width}in, depth: {depth}in}}
    map:
      status: house
      note: Ours.
      features:
{features}
    sides:
      red:
        title: Red
        colour: red
        forces: {{all: {{title: All, of: {{foot: 1}}, at: anywhere}}}}
      blue:
        title: Blue
        colour: blue
        forces: {{all: {{title: All, of: {{foot: 1}}, at: anywhere}}}}
    victory: {{status: missing, note: None.}}
units:
  foot: {{title: Foot, kind: foot, rows: [strengths.foot]}}
tables:
  strengths: {{title: Strengths, fields: {{men: count}}, data: {{foot: {{title: Foot, men: 24}}}}}}
"""


def write_mapped(folder: Path, features: str, size: tuple[int, int]) -> Path:
    """The content folder; `features` stand eight columns to the right, `size` is in inches."""
    content = folder / "content"
    shutil.copytree(Path(__file__).parents[1] / "bad" / "valid", content)
    text = _SCENARIO.format(width=size[0], depth=size[1], features=features.strip("\n"))
    (content / "game" / "mapped.yaml").write_text(text, encoding="utf-8")
    return content
