"""The embedded faces hold what rules are written with."""

import base64
import re
from io import BytesIO
from typing import Any

import pytest
from fontTools.ttLib import TTFont

from rulebook.typefaces import FACES
from rulebook.typeset.environment import embedded_face_rules

PLEX, SPECTRAL = "IBM Plex Sans Condensed", "Spectral"
#: Typed by hand: what quantities print, and what authors of rules write.
NEEDED = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    "ÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜßàáâäåæçèéêëíîïñóôöøúüŁłŐőŒœŠšŽžŻż"
    "″′½¼¾⅓⅔⅛⅜⅝⅞⁄⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉−×÷±–—…“”‘’„•§†‡°·£€©®™←→↑↓≤≥≠✓"
)
RULE = re.compile(
    r"@font-face\{font-family:'([^']+)';font-weight:(\d+);font-style:(\w+);"
    r"src:url\(data:font/ttf;base64,([A-Za-z0-9+/=]+)\)\}"
)


def embedded(*families: str, text: str = "") -> dict[tuple[str, str, str], bytes]:
    css = embedded_face_rules(families, text)
    found = {rule[:3]: base64.b64decode(rule[3]) for rule in RULE.findall(css)}
    assert RULE.sub("", css).strip() == ""
    return found


@pytest.fixture(scope="module")
def files() -> dict[tuple[str, str, str], Any]:
    return {
        key: TTFont(BytesIO(data)) for key, data in embedded(PLEX, SPECTRAL, text=NEEDED).items()
    }


def test_only_the_families_asked_for_are_embedded() -> None:
    assert {key[0] for key in embedded(PLEX)} == {PLEX}
    assert {key[0] for key in embedded(SPECTRAL)} == {SPECTRAL}
    assert len(embedded(PLEX, SPECTRAL)) == 6
    assert embedded() == {}


def test_every_face_keeps_what_rules_are_written_with(files: dict[Any, Any]) -> None:
    for key, font in files.items():
        glyphs = font.getBestCmap()
        assert "".join(c for c in NEEDED if ord(c) not in glyphs) == "", key


def test_what_is_left_is_small_and_kerned(files: dict[Any, Any]) -> None:
    for face in FACES:
        data = embedded(face.family, text=NEEDED)[(face.family, str(face.weight), face.style)]
        assert len(data) < face.path.stat().st_size / 2
    for font in files.values():
        assert len(font.getGlyphOrder()) < 500
        features = {record.FeatureTag for record in font["GPOS"].table.FeatureList.FeatureRecord}
        assert "kern" in features


def test_figures_are_of_one_width(files: dict[Any, Any]) -> None:
    for font in files.values():
        glyphs = font.getBestCmap()
        assert len({font["hmtx"][glyphs[ord(figure)]][0] for figure in "0123456789"}) == 1


def test_the_embedded_faces_have_the_characters_of_their_page_alone() -> None:
    (data,) = (data for key, data in embedded(SPECTRAL, text="7½″").items() if key[2] == "italic")
    assert TTFont(BytesIO(data)).getBestCmap().keys() == {ord(c) for c in "7½″"}
