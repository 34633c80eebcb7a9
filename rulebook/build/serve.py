"""The output folder -> a site on this machine whose open pages follow every save.

Pages, sheets and cards are made when somebody asks for them; `demand` says in what order. A page is
served as it stands in the output folder, with the script that follows changes put into it. Only
files that a build names are served, only to browsers of this machine unless somebody asks for more,
and nothing is ever changed.

    GET /                            the way in; /mygame/ is that of a ruleset
    GET /mygame/1.0/booklet.html     a file, as it is after the last save
    GET /api/events?page=PATH        what an open page hears, as server-sent events
    GET /api/odds?ruleset=mygame&procedure=shots&figures=6    as `rulebook odds --json`
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import uvicorn
from markupsafe import Markup
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rulebook.build.building import build_on_change, saves
from rulebook.build.demand import Demand
from rulebook.build.publish import INDEX, MADE, MANIFEST, read_entries, sha256
from rulebook.build.report import Listener
from rulebook.build.run import Answerer
from rulebook.translation import in_language
from rulebook.typeset.environment import page_script, render_template, stylesheet

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from rulebook.build.plan import BuildRequest

#: Seconds that odds may take: a page is waiting for them.
LONGEST_ODDS = 20
#: What a question of odds is answered: the status of HTTP, and JSON.
Odds = Callable[[list[tuple[str, str]]], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Address:
    """The host and port at which the site is served."""

    host: str = "127.0.0.1"
    port: int = 8765

    @property
    def url(self) -> str:
        """The URL for a browser on this machine."""
        return self._url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host))

    @property
    def url_elsewhere(self) -> str:
        """The URL for a browser on another machine.

        If the server listens on all addresses, it has this machine's address or, if unknown, its
        name.
        """
        if self.host not in ("0.0.0.0", "::"):
            return self._url(self.host)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line, suppress(OSError):
            line.connect(("192.0.2.1", 9))  # nothing is sent; it only chooses where from
            return self._url(str(line.getsockname()[0]))
        return self._url(socket.gethostname())

    def _url(self, host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def is_open(self) -> bool:
        """Whether other machines can reach the server."""
        number = _number(self.host)
        return self.host != "localhost" and not (number and number.is_loopback)

    def admits(self, host: str) -> bool:
        """Whether a request with this Host header is answered; its port is ignored.

        Unknown names are refused, since a foreign page may let its own name resolve to this machine
        (DNS rebinding); IP addresses cannot be abused in this way.
        """
        name = re.sub(r":\d*$", "", host).strip("[]").lower()
        number = _number(name)
        if number is not None:
            return self.is_open or number.is_loopback
        own = socket.gethostname() if self.is_open else "localhost"
        return name in (self.host.lower(), "localhost", own.lower())


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    with suppress(ValueError):
        return ipaddress.ip_address(host)
    return None


def listen(address: Address) -> socket.socket:
    """Opens a listening socket at the address. Raises OSError if it cannot."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    return socket.create_server((address.host, address.port), family=family)


def serve(
    request: Callable[[], BuildRequest],
    reporter: Listener,
    content: Path,
    *,
    address: Address,
    door: socket.socket,
    odds: Odds,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serves the site and builds what is asked for, until KeyboardInterrupt.

    `door` is the socket that listens at `address`, `odds` answers questions about odds, and `ready`
    is called when pages can be opened. Raises what the first call of `request` raises.
    """
    bell, stop = _Bell(), Event()
    demand = Demand(request, reporter, bell.ring)
    first = demand.request()
    answers = Answerer(odds)
    site = _Site(demand, first.templates, bell, answers)
    server = uvicorn.Server(
        uvicorn.Config(
            _Guarded(site.application(ready), address),
            loop="asyncio",
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            headers=_HEADERS,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
    )

    def follow() -> None:
        for saved in saves(content, first, stop):
            demand.saved(saved)

    threads = [
        Thread(target=server.run, args=([door],)),
        Thread(target=follow),
        Thread(target=first.cache.trim),
    ]
    try:
        for thread in threads:
            thread.start()
        turns = demand.turns()
        build_on_change(demand.request, demand, content, changes=lambda _: turns, other_work=True)
    finally:
        stop.set()
        server.should_exit = True
        demand.end()
        answers.close()
        for thread in threads:
            thread.join()


class _Bell:
    """Wakes every coroutine that awaits `next` in the server's event loop, from any thread."""

    def __init__(self) -> None:
        self.next = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def hang(self) -> None:
        """Binds the bell to the running event loop, whose waiting coroutines `ring` wakes."""
        self._loop = asyncio.get_running_loop()

    def ring(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        self.next.set()
        self.next = asyncio.Event()


#: The kinds of files that are served, by the ends of their names.
_MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".atom": "application/atom+xml",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_HTML = _MEDIA[".html"]
#: A path that may be that of a file: no part of it is empty, hidden, or leads up.
_PATH = re.compile(r"(?!\.)[^/\\\x00-\x1f\x7f]+(?:/(?!\.)[^/\\\x00-\x1f\x7f]+)*+")
_POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy"\s+content=")([^"]*)(">)')
_LANGUAGE = re.compile(r'<html lang="([A-Za-z-]{1,35})"')


class _Site:
    """Answers all requests to the server."""

    def __init__(self, demand: Demand, templates: Path, bell: _Bell, odds: Answerer) -> None:
        self._demand, self._templates, self._bell, self._odds = demand, templates, bell, odds
        self._out = demand.out
        #: By what the policy of a page knows the script that follows changes.
        self._source = f"'{page_script('follow', templates).hash}'"
        #: By language what is put into a page.
        self._followers: dict[str, str] = {}

    def application(self, ready: Callable[[], None]) -> Starlette:
        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            self._bell.hang()
            ready()
            yield

        routes = [
            Route("/api/events", self._events),
            Route("/api/odds", self._tell_odds),
            # What browsers ask for where no page names an icon.
            Route("/favicon.ico", lambda _: Response(status_code=204)),
            Route("/{path:path}", self._file),
        ]
        return Starlette(routes=routes, lifespan=lifespan)

    async def _file(self, request: Request) -> Response:
        path = _file_of(request.path_params["path"])
        if path is None:
            return _nothing_here()
        if "/" not in path and path != INDEX:
            known = self._demand.is_of_ruleset(path) or (self._out / path / INDEX).is_file()
            return RedirectResponse(f"/{path}/") if known else _nothing_here()
        await self._made(path)
        if not self._is_known(path):
            return self._stand_in(path) if self._demand.fails(path) else _nothing_here()
        data = self._demand.read(path)
        is_page = path.endswith(".html")
        if data is None or (not is_page and self._demand.fails(path)):
            return self._stand_in(path)
        if not is_page:
            media = _MEDIA.get(Path(path).suffix, "application/octet-stream")
            return _fresh(request, data, media)
        page = self._with_follower(data.decode(), path, sha256(data))
        return _fresh(request, page.encode(), _HTML)

    async def _made(self, path: str) -> None:
        """Waits until a file is up to date with the last save, or is known not to be made."""
        if path != INDEX and not self._demand.is_of_ruleset(path):
            return
        saves = self._demand.ask(path)
        try:
            while True:
                turned = self._bell.next
                if self._demand.is_made(path, saves):
                    return
                await turned.wait()
        finally:
            self._demand.has(path)

    def _is_known(self, path: str) -> bool:
        """Whether a path is that of a file that the site has or can build.

        These are build targets, files that a manifest lists, manifests, index pages, feeds and
        lists of editions.
        """
        ruleset, _, rest = path.rpartition("/")
        if rest in MADE and ruleset.count("/") == 0:
            return rest == INDEX or bool(ruleset)
        if self._demand.is_target(path):
            return True
        ruleset, edition, *names = path.split("/")
        listed = read_entries(self._out / ruleset / edition) if names else {}
        return "/".join(names) in ([MANIFEST, *listed] if listed else ())

    def _stand_in(self, path: str) -> Response:
        """Returns a page, with status 503, instead of a file that is missing or has failed.

        The page holds the script that follows changes, which shows the file once it is made.
        """
        page = render_template("awaited.html.j2", {"path": path}, self._templates)
        return Response(self._with_follower(page, path, ""), 503, media_type=_HTML)

    def _with_follower(self, page: str, path: str, digest: str) -> str:
        """Returns an HTML page with the script that follows changes added to it.

        The script is allowed in the page's Content-Security-Policy. `path` and `digest` are those
        of the file; they tell the script what to follow.
        """
        language = match[1] if (match := _LANGUAGE.search(page)) else "en"
        if language not in self._followers:
            css = Markup(stylesheet("follow", self._templates))
            with in_language(language):
                follower = render_template("parts/follow.html.j2", {"css": css}, self._templates)
            self._followers[language] = follower
        names = {"path": path, "page": digest}
        attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in names.items())
        html = (
            f'<meta name="rulebook-serve" content="1"{attributes}>\n{self._followers[language]}\n'
        )
        found = _POLICY.search(page)
        if found is None:
            return page.replace("</head>", f"{html}</head>", 1)
        policy = _with_sources(unescape(found[2]), self._source)
        meta = f"{found[1]}{escape(policy, quote=False)}{found[3]}\n{html}"
        return page[: found.start()] + meta + page[found.end() :]

    async def _events(self, request: Request) -> Response:
        page = _file_of(request.query_params.get("page", "").removeprefix("/"))
        if page is None:
            return _nothing_here()
        response = EventSourceResponse(self._states(page))
        del response.headers["cache-control"]  # every answer has one
        return response

    async def _states(self, page: str) -> AsyncIterator[dict[str, str]]:
        """Yields the state of an open page as an event, at first and after each change of it."""
        self._demand.look_at(page)
        try:
            before = ""
            while not self._demand.over:
                turned = self._bell.next
                state = json.dumps(self._demand.state_of(page), ensure_ascii=False)
                if state != before:
                    yield {"data": state}
                    before = state
                await turned.wait()
        finally:
            self._demand.look_away(page)

    async def _tell_odds(self, request: Request) -> Response:
        asked = request.query_params.multi_items()
        try:
            status, answer = await run_in_threadpool(self._odds.ask, asked, LONGEST_ODDS)
        except TimeoutError:
            fault = f"these odds take longer than {LONGEST_ODDS} seconds"
            status, answer = 503, json.dumps({"fault": fault})
        return Response(answer, status, media_type="application/json")


def _file_of(path: str) -> str | None:
    """Returns the path of a file in the output folder for a URL path; None if it is not valid.

    For an empty path or one that ends in a slash it is that of the index page there.
    """
    path = f"{path}{INDEX}" if not path or path.endswith("/") else path
    return path if _PATH.fullmatch(path) else None


def _nothing_here() -> Response:
    return PlainTextResponse("there is no such page\n", 404)


def _fresh(request: Request, data: bytes, media: str) -> Response:
    """Returns a response with the data, or 304 if the browser's copy has the same ETag."""
    tag = f'"{sha256(data)}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(data, headers={"etag": tag, "content-type": media})


def _with_sources(policy: str, script: str) -> str:
    """Adds a script's hash and this server to a Content-Security-Policy and returns it.

    `script` goes into script-src, so that it may run, and 'self' into connect-src.
    """
    parts = dict(part.strip().partition(" ")[::2] for part in policy.split(";") if part.strip())
    for name, source in (("script-src", script), ("connect-src", "'self'")):
        known = dict.fromkeys([*parts.get(name, "").split(), source])
        parts[name] = " ".join(part for part in known if part != "'none'")
    return "; ".join(f"{name} {sources}".strip() for name, sources in parts.items())


#: Headers of every answer, which say what browsers may do with it.
_HEADERS = [
    ("cache-control", "no-cache"),
    ("content-security-policy", "frame-ancestors 'self'"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
]


class _Guarded:
    """Refuses requests that no page of this site makes, before the application handles them."""

    def __init__(self, site: ASGIApp, address: Address) -> None:
        self._site, self._address = site, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_request = scope["type"] == "http"
        refused = self._refused(scope["method"], Headers(scope=scope)) if is_request else None
        await (refused or self._site)(scope, receive, send)

    def _refused(self, method: str, headers: Headers) -> Response | None:
        if method not in ("GET", "HEAD"):
            return PlainTextResponse("nothing can be changed here\n", 405, {"allow": "GET, HEAD"})
        hosts, origin = headers.getlist("host"), headers.get("origin")
        if len(hosts) != 1 or not self._address.admits(hosts[0]):
            return PlainTextResponse("this is not the host that was asked for\n", 403)
        site, mode = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode")
        from_elsewhere = site in ("cross-site", "same-site") and mode != "navigate"
        if from_elsewhere or origin not in (None, f"http://{hosts[0]}"):
            return PlainTextResponse("only pages of this site may ask for this\n", 403)
        return None
