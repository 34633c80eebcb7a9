"""Full-size drawings of sheets of paper -> one PDF, a page each, in true millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulebook.problems import Problem
from rulebook.render.environment import render_template
from rulebook.render.faults import RenderFault
from rulebook.render.pdf import Layout, lay_out

_STYLE = (
    "body{margin:0}.sheet{break-after:page;overflow:hidden}"
    ".sheet:last-child{break-after:auto}.sheet svg{display:block}"
)


def lay_out_sheets(view: Mapping[str, Any], templates: Path) -> Layout:
    """The pages of the sheets of a cutout.

    Raises RenderFault (R606) where the cutout takes too many sheets of its paper.
    """
    html, styles = sheets_page(view, templates)
    return lay_out(html, styles, templates=templates, name=view["title"])


def sheets_page(view: Mapping[str, Any], templates: Path) -> tuple[str, list[str]]:
    """HTML and styles: every sheet has a named page of its own size."""
    refusal = view["refusal"]
    if refusal:
        told = (refusal["message"], None, refusal["expected"], refusal["hint"])
        raise RenderFault((Problem("R606", *told),))
    html = render_template("sheets.html.j2", view, templates)
    pages = [
        f"@page sheet-{number}{{size:{sheet['width_mm']}mm {sheet['height_mm']}mm;margin:0}}"
        f".sheet-{number}{{page:sheet-{number};width:{sheet['width_mm']}mm;height:{sheet['height_mm']}mm}}"
        for number, sheet in enumerate(view["sheets"], start=1)
    ]
    return html, [_STYLE + "".join(pages)]
