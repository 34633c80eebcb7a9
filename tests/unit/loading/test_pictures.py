"""The picture of a cover: read from the ruleset's own folder, whole, and no larger than it may."""

import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from drawn_pictures import drawing, png
from PIL import Image, ImageFile
from pydantic import ValidationError

from rulebook.limits import LARGEST_FILE, LARGEST_PICTURE
from rulebook.loading.pictures import read_picture
from rulebook.loading.rulesets import load
from rulebook.loading.safe_text import Unreadable
from rulebook.model.header import Cover
from rulebook.problems import Span
from rulebook.quantities import QuantityError

HERE = Span("ruleset.yaml", 3, 12)


def codes(folder: Path, name: str) -> list[str]:
    try:
        read_picture(folder, name, HERE)
    except Unreadable as fault:
        assert all(problem.hint and problem.span for problem in fault.problems)
        return [problem.code for problem in fault.problems]
    return []


def saved(mode: str, side: int, kind: str, **how: Any) -> bytes:
    stream = BytesIO()
    Image.new(mode, (side, side)).save(stream, kind, **how)
    return stream.getvalue()


JPEG = saved("RGB", 40, "jpeg")
GREY = saved("I;16", 30, "png")  # of 16 bits, which cannot be printed


def test_pictures_of_each_kind_are_read(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    kinds = {"a.svg": drawing(""), "art/b.png": png(3, 4), "c.jpg": JPEG, "d.JPEG": JPEG}
    for name, data in kinds.items():
        (tmp_path / name).write_bytes(data)
        picture = read_picture(tmp_path, name, HERE)
        assert picture.media == {"a": "image/svg+xml", "b": "image/png"}.get(
            Path(name).stem, "image/jpeg"
        )
        if picture.media != "image/svg+xml":
            assert picture.data == data


def test_a_link_within_the_folder_is_followed_and_one_out_of_it_is_not(tmp_path: Path) -> None:
    folder, outside = tmp_path / "game", tmp_path / "hill.svg"
    folder.mkdir()
    outside.write_bytes(drawing(""))
    (folder / "own.svg").write_bytes(drawing(""))
    (folder / "in.svg").symlink_to(folder / "own.svg")
    (folder / "out.svg").symlink_to(outside)
    (folder / "passwords.svg").symlink_to("/etc/passwd")
    (folder / "nowhere.svg").symlink_to("none.svg")
    (folder / "round.svg").symlink_to("round.svg")
    (folder / "art").symlink_to(tmp_path)
    assert codes(folder, "in.svg") == []
    for name in ("out.svg", "passwords.svg", "nowhere.svg", "round.svg", "art/hill.svg"):
        assert codes(folder, name) == ["R114"], name


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    os.mkfifo(tmp_path / "pipe.png")
    for name in ("folder.png", "pipe.png", "none.png", "none/none.png"):
        assert codes(tmp_path, name) == ["R217"], name


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("kept", [0, 1, 8, 30, 50, 60])
def test_a_picture_that_breaks_off_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int, lenient: bool
) -> None:
    """The page maker makes the library lenient in its process."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", lenient)
    whole = png(40, 60)
    assert kept < len(whole)
    (tmp_path / "a.png").write_bytes(whole[:kept])
    (tmp_path / "a.jpg").write_bytes(JPEG[: kept * 8])
    assert codes(tmp_path, "a.png") == ["R217"]
    assert codes(tmp_path, "a.jpg") == ["R217"]
    assert lenient == ImageFile.LOAD_TRUNCATED_IMAGES


def test_a_picture_of_another_kind_is_refused(tmp_path: Path) -> None:
    points = png(1, 1)
    other = {"a.png": JPEG, "a.jpg": points, "b.png": drawing(""), "c.png": GREY, "c.svg": points}
    for name, data in other.items():
        (tmp_path / name).write_bytes(data)
        assert codes(tmp_path, name) == ["R217"]


def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_bytes(drawing("") + b" " * LARGEST_FILE)
    (tmp_path / "a.png").write_bytes(png(1, 1) + b" " * LARGEST_PICTURE)
    (tmp_path / "b.png").write_bytes(png(40_001, 1_000))
    for name in ("a.svg", "a.png", "b.png"):
        assert codes(tmp_path, name) == ["R102"]


LEAD_OUT = ["/etc/a.svg", "../a.svg", "a/../../b.svg", "~/a.svg", "C:\\a.svg", "file:///a.svg"]
DIFFER = ["hö.svg", "a b.svg", "./a.svg", "a//b.svg", ".a.svg", "a\\b.svg"]


@pytest.mark.parametrize(("names", "code"), [(LEAD_OUT, "R217"), (DIFFER, "R115")])
def test_names_that_lead_out_or_differ_from_machine_to_machine(names: list[str], code: str) -> None:
    for name in names:
        with pytest.raises(ValidationError) as refused:
            Cover.model_validate({"picture": name, "alt": "A hill"})
        fault = refused.value.errors()[0]["ctx"]["error"]
        assert isinstance(fault, QuantityError) and fault.expected
        assert fault.code == code, name


def test_a_ruleset_has_its_picture_whatever_options_are_chosen(game: Path) -> None:
    header = game / "ruleset.yaml"
    header.write_text(header.read_text() + "cover: {picture: cover.png, alt: A hill}\n")
    (game / "cover.png").write_bytes(png(3, 4))
    ruleset = load(game).ruleset
    assert ruleset.cover.data == png(3, 4)
    assert ruleset.options
    for option in ruleset.options:
        chosen = ruleset.with_options([option]).ruleset
        assert chosen is not None and chosen.cover == ruleset.cover


def test_a_picture_of_too_many_points_is_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jpeg").write_bytes(saved("CMYK", 6_400, "jpeg"))
    monkeypatch.setattr(ImageFile.ImageFile, "load", None)
    assert codes(tmp_path, "a.jpeg") == ["R102"]


def test_a_progressive_picture_has_few_passes(tmp_path: Path) -> None:
    """Each of them costs a look at the whole picture; 3,000 took over a minute."""
    data = saved("RGB", 30, "jpeg", progressive=True)
    (tmp_path / "a.jpeg").write_bytes(data)
    assert codes(tmp_path, "a.jpeg") == []
    start = data.rindex(b"\xff\xda")
    (tmp_path / "a.jpeg").write_bytes(data[:start] + data[start:-2] * 100 + data[-2:])
    assert codes(tmp_path, "a.jpeg") == ["R102"]
