"""The index by which the pages of an edition find its rules, tables, terms, units and battles."""

from __future__ import annotations

from rulebook.documents.document_kind import Kind, later
from rulebook.translation import gettext_noop

GROUP = gettext_noop("Search")
#: The library that finds words in a browser, and what asks it.
SCRIPTS = ("scripts/vendor/minisearch.min.js", "scripts/find.js")
KINDS = (Kind("search", later("search.layout:search_index"), GROUP, templates=SCRIPTS),)
