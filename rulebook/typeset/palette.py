"""The accent colour of a ruleset and an ink -> the colours that stylesheets use."""

from __future__ import annotations


def palette(accent: str, ink: str) -> str:
    """Custom properties for `:root`, of the colours by their names."""
    names = colours(accent, ink)
    return ":root{" + "".join(f"--{name}:{colour};" for name, colour in names.items()) + "}"


def colours(accent: str, ink: str) -> dict[str, str]:
    """Colours by what they are for.

    `accent` is '#rrggbb', `ink` full or low. Low ink has no fills and no colour: the hierarchy
    stands by weight and rule alone.
    """
    if ink == "low":
        black = dict.fromkeys(("accent", "on-accent", "text", "soft", "hair"), "#000000")
        return black | dict.fromkeys(("fill", "tint", "pale"), "none")
    return {
        "accent": accent,
        "on-accent": "#ffffff",
        "fill": accent,
        "tint": mixed(accent, 0.08),
        "pale": mixed(accent, 0.16),
        "text": "#1d1b19",
        "soft": "#55504a",
        "hair": mixed(accent, 0.55),
    }


def mixed(colour: str, part: float) -> str:
    """The colour thinned with white to so much of its strength."""
    channels = (int(colour[index : index + 2], 16) for index in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - channel) * part):02x}" for channel in channels)
