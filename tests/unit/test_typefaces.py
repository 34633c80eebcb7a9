"""The faces are ours alone."""

from __future__ import annotations

import re

from fontTools.ttLib import TTFont

from rulebook.typefaces import FACES, digest


def test_there_are_two_families_in_three_faces_each() -> None:
    assert [(face.family, face.weight, face.style) for face in FACES] == [
        (family, weight, style)
        for family in ("IBM Plex Sans Condensed", "Spectral")
        for weight, style in ((400, "normal"), (400, "italic"), (600, "normal"))
    ]


def test_faces_are_static_files_of_the_weight_they_are_asked_for() -> None:
    for face in FACES:
        font = TTFont(face.path)
        assert "fvar" not in font, face.path.name
        assert font["OS/2"].usWeightClass == face.weight
        assert bool(font["OS/2"].fsSelection & 1) == (face.style == "italic")
        assert font["name"].getDebugName(1).startswith(face.family.split(" Cond")[0])


def test_all_files_have_one_digest() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", digest())
