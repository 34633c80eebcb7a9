"""What the doctor finds on invented machines."""

from __future__ import annotations

from rulebook.commands.needs import find_fonts, find_place, find_python
from rulebook.typefaces import Typeface


def test_python():
    assert find_python((3, 10, 4)).state == "missing"
    assert find_python((3, 11, 0)).state == "there"
    assert find_python((4, 0, 0)).state == "there"


def test_fonts(monkeypatch):
    assert find_fonts().state == "there"

    def damaged(*_: object) -> None:
        raise LookupError("Spectral")

    monkeypatch.setattr("rulebook.typefaces.FACES", [Typeface("Spectral", 400, "normal")])
    monkeypatch.setattr("fontpkg.path", damaged)
    assert find_fonts().state == "missing"
    assert "Spectral" in find_fonts().detail


def test_place(tmp_path, monkeypatch):
    assert find_place(tmp_path / "not" / "yet").state == "there"
    (tmp_path / "file").touch()
    assert find_place(tmp_path / "file").state == "missing"
    assert find_place(tmp_path / "file" / "below").state == "missing"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert find_place(tmp_path).state == "missing"
