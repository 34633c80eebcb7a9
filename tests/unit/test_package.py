"""The public names are there when asked for, and the shipped folders wherever it is installed."""

from pathlib import Path

import pytest

import rulebook
from rulebook import packaged as shipped


@pytest.mark.parametrize("name", rulebook.__all__)
def test_public_names(name):
    assert getattr(rulebook, name) is not None
    assert name in dir(rulebook)


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="no attribute 'unheard_of'"):
        rulebook.unheard_of  # noqa: B018


def test_the_api_reads_and_checks():
    folder = next(
        folder
        for folder in rulebook.find_rulesets(shipped.content_folder())
        if folder.name == "acw"
    )
    ruleset = rulebook.load(folder).ruleset
    assert isinstance(ruleset, rulebook.Ruleset)
    assert isinstance(rulebook.check(ruleset), rulebook.Report)


def test_shipped_folders_of_a_checkout_and_of_a_wheel(tmp_path, monkeypatch):
    assert (shipped.templates_folder() / "starter" / "skirmish" / "ruleset.yaml").is_file()
    monkeypatch.setattr(shipped, "_PACKAGE", tmp_path / "rulebook")
    assert shipped.templates_folder() == tmp_path / "templates"
    packed = tmp_path / "rulebook" / "_data" / "templates"
    packed.mkdir(parents=True)
    assert shipped.templates_folder() == packed
    assert shipped.content_folder() == Path(tmp_path / "content")
