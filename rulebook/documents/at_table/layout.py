"""The view of a page for the table -> the page in one file; beside it what makes it installable.

Where the page is served over http its worker keeps it for use without a network. It knows the page
by its digest, so that a page of a new build replaces the old one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from rulebook.cache import Cache
from rulebook.documents.at_table.compose import MANIFEST, PAGE, WORKER
from rulebook.documents.at_table.views import AtTableView
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.parts.pages import json_block, screen_page
from rulebook.translation import gettext
from rulebook.typeset.environment import page_script

#: A die that shows five, in the colour of the ruleset.
_ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64"\
 rx="12" fill="{}"/><g fill="#fff"><circle cx="18" cy="18" r="6"/><circle cx="46" cy="18" r="6"/>\
<circle cx="32" cy="32" r="6"/><circle cx="18" cy="46" r="6"/><circle cx="46" cy="46" r="6"/></g>\
</svg>"""


def table_files(
    view: AtTableView, files: Sequence[File], templates: Path, _: Cache
) -> Iterator[Rendered]:
    """Those files of the page that are wanted."""
    page = table_page(view, templates).encode()
    made = {PAGE: page, MANIFEST: web_manifest(view), WORKER: worker(view, page, templates)}
    for file in files:
        yield Rendered(file.path, made[file.path], None)


def table_page(view: AtTableView, templates: Path) -> str:
    """The whole page, with its scripts and their data in it."""
    identity = view.identity
    own = {"ruleset": identity.ruleset, "edition": view.edition, "title": identity.title}
    beside = {"worker": WORKER, "manifest": MANIFEST}
    return screen_page(
        "at-table",
        view,
        templates,
        screen=True,
        since=None,
        icon=_icon(view),
        rolls=tuple(view.programs["procedures"]),
        data={
            "programs": json_block(view.programs),
            "roster": json_block({**own, **beside, **view.roster}),
        },
    )


def _icon(view: AtTableView) -> str:
    return f"data:image/svg+xml,{quote(_ICON.format(view.identity.accent))}"


def web_manifest(view: AtTableView) -> bytes:
    """What a browser must know of the page to install it."""
    identity = view.identity
    manifest = {
        "name": gettext("%(title)s at the table", title=identity.title),
        "short_name": identity.title,
        "lang": identity.language,
        "start_url": PAGE,
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": identity.accent,
        "icons": [{"src": _icon(view), "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"


def worker(view: AtTableView, page: bytes, templates: Path) -> bytes:
    """The worker that keeps just this page and no other."""
    name = f"{view.identity.ruleset}/{view.edition} "
    kept = {"name": name, "version": hashlib.sha256(page).hexdigest(), "files": [PAGE, MANIFEST]}
    text = page_script("table-worker", templates).text
    return f"const KEPT = {json.dumps(kept)};\n{text}".encode()
