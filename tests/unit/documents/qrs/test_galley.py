"""Pieces of panels set in type once: measured, kept, moved to their places, painted in two inks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from beside import as_written
from composed import compose
from read_pdf import Printed
from small_rulesets import ruleset_of

from rulebook.cache import Cache
from rulebook.documents.qrs import galley as qrs_galley
from rulebook.documents.qrs.arrangement import MeasuredPanel
from rulebook.documents.qrs.galley import Galleys
from rulebook.documents.qrs.layout import arrange, lay_out_sheet
from rulebook.packaged import templates_folder
from rulebook.typeset.pdf import lay_out

TEMPLATES = templates_folder()
CONE = as_written(__file__, "cone")


def view_of(value: str = "1", *, title: str = "Second") -> Mapping[str, Any]:
    """A sheet of three columns with a picture, and a panel so long that it goes over."""
    tables = {
        name: {
            "title": f"Table {name}",
            "rows": {"n": [f"r{n}" for n in range(rows)]},
            "columns": {"of": ["x", "y"]},
            "cells": "count",
            "data": [[value if name == "short" else "1", "2"]] * rows,
        }
        for name, rows in (("a", 22), ("b", 20), ("c", 18), ("short", 3))
    }
    long = {"title": "Long", "rule": "rules", "say": ["Throw."], "tables": ["a", "b", "c"]}
    short = {"title": title, "rule": "rules", "say": ["Aim."], "tables": ["short"]}
    drawn = {"title": "Drawn", "rule": "rules", "say": ["Lay it."], "cutouts": ["cone"]}
    steps = {"long": long, "short": short, "drawn": drawn}
    ruleset = ruleset_of(
        {
            "cutouts": {"cone": CONE},
            "tables": tables,
            "sequence": {"p": {"title": "Phase", "steps": steps}},
        },
        documents=as_written(__file__, "view_of"),
    )
    return compose(ruleset)[0].view


@dataclass(frozen=True)
class Kept(Cache):
    """A cache in memory."""

    entries: dict[tuple[str, str], bytes] = field(default_factory=dict)

    def get(self, stage: str, key: str) -> bytes | None:
        return self.entries.get((stage, key))

    def put(self, stage: str, key: str, data: bytes) -> None:
        self.entries[stage, key] = data


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The blocks of each galley that is laid out from here on."""
    laid_out: list[list[str]] = []

    def counted(html: str, *rest: Any, **options: Any) -> Any:
        layout = lay_out(html, *rest, **options)
        laid_out.append(list(layout.blocks()))
        return layout

    monkeypatch.setattr(qrs_galley, "lay_out", counted)
    return laid_out


def printed(galleys: Galleys, ink: str = "full") -> bytes:
    return lay_out_sheet(galleys, arrange(galleys)).pdf(print_hints=True, ink=ink)


def test_inks_differ_in_nothing_but_colours_and_pictures() -> None:
    galleys = Galleys(view_of(), TEMPLATES)
    sheet = lay_out_sheet(galleys, arrange(galleys))
    full, low = (Printed(sheet.pdf(print_hints=True, ink=ink)) for ink in ("full", "low"))
    assert full.texts == low.texts
    for one, other in zip(full.letters(0), low.letters(0), strict=True):
        assert one == other
    assert {channels for kind, channels in low.colours() if kind == "fill"} <= {(0.0, 0.0, 0.0)}
    assert len({channels for _, channels in full.colours()}) > 3
    assert [str(figure.Alt) for figure in low.tags("/Figure")] == ["Cone"]


def test_low_ink_leaves_no_trace_in_full_ink() -> None:
    galleys = Galleys(view_of(), TEMPLATES)
    sheet = lay_out_sheet(galleys, arrange(galleys))
    before = sheet.pdf(print_hints=True)
    assert sheet.pdf(print_hints=True, ink="low") != before
    assert sheet.pdf(print_hints=True) == before


def test_only_the_panel_that_changed_is_measured_again(blocks: list[list[str]]) -> None:
    kept = Kept()
    first = Galleys(view_of("1"), TEMPLATES, kept)
    arrangement = arrange(first)
    blocks.clear()
    again = Galleys(view_of("3"), TEMPLATES, kept)
    assert arrange(again) == arrangement
    assert blocks and all(names == ["p-short whole 1 0"] for names in blocks)
    blocks.clear()
    lay_out_sheet(again, arrangement)
    assert sum(len(names) for names in blocks) < len(again.at(8).pieces) + 4, "and moved"


@pytest.mark.parametrize("ink", ["full", "low"])
def test_the_same_bytes_with_heights_that_were_kept_and_without(ink: str) -> None:
    kept = Kept()
    view = view_of("3")
    plain = printed(Galleys(view, TEMPLATES), ink)
    arrange(Galleys(view_of("1"), TEMPLATES, kept))
    assert printed(Galleys(view, TEMPLATES, kept), ink) == plain
    assert printed(Galleys(view, TEMPLATES, kept), ink) == plain


def whole(panels: Iterable[MeasuredPanel]) -> float:
    return sum(panel.height for panel in panels)


@pytest.mark.parametrize("size", [7, 9, 11])
def test_an_estimate_is_near_what_is_measured(size: float) -> None:
    galley = Galleys(view_of(), TEMPLATES).at(size)
    estimated = galley.estimated()
    assert whole(estimated) == pytest.approx(whole(galley.panels()), rel=0.1)
    assert galley.estimated() == galley.panels()
