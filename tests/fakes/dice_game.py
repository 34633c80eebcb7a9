"""A small ruleset with a procedure of each kind, its odds easily reckoned by hand."""

from pathlib import Path

from beside import beside

GAME = beside(__file__, "game")


def write_game(content: Path) -> Path:
    """The ruleset `dice` in a folder of content."""
    folder = content / "dice"
    for name, text in GAME.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
