"""`rulebook serve` as a process: what it answers and refuses, and that nothing stays behind."""

import json
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from beside import beside
from served import Served, descendants, free_port, runs, served, wait_until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")

QRS = "mygame/0.1/qrs.html"


@pytest.fixture(scope="module")
def site(starter: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(starter, folder / "content")
    (folder / "content" / "secret.txt").write_text("secret")
    with served(folder) as site:
        yield site


def raw(site: Served, request: str) -> bytes:
    """The answer to a request of any shape."""
    with socket.create_connection(("127.0.0.1", site.port)) as line:
        line.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        answer = b""
        while part := line.recv(65536):
            answer += part
    return answer


def status(site: Served, path: str, *headers: str, method: str = "GET") -> int:
    told = "\n".join([f"{method} {path} HTTP/1.1", *headers, "Connection: close", "", ""])
    return int(raw(site, told).split()[1])


def test_pages_and_sheets_are_made_when_they_are_asked_for(site):
    page = site.get(QRS)
    assert page.status_code == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
    assert '<meta name="rulebook-serve" content="1"' in page.text
    assert "rulebook-serve" not in (site.folder / "output" / QRS).read_text("utf-8")
    sheet = site.get("mygame/0.1/qrs-letter-low.pdf")
    assert sheet.headers["content-type"] == "application/pdf" and sheet.content.startswith(b"%PDF")
    again = site.get("mygame/0.1/qrs-letter-low.pdf", if_none_match=sheet.headers["etag"])
    assert again.status_code == 304 and not again.content
    manifest = site.get("mygame/0.1/manifest.json").json()
    assert "qrs-letter-low.pdf" in {one["path"] for one in manifest["files"]}
    for path in ("", "mygame/", "mygame"):
        assert site.get(path).headers["content-type"].startswith("text/html"), path


def test_every_answer_says_what_may_be_done_with_it(site):
    for path in ("", QRS, "nothing", "api/odds"):
        headers = site.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'self'" in headers["content-security-policy"]
        assert "server" not in headers


@pytest.mark.parametrize("path", beside(__file__, "only_what_a_build_names_is_served"))
def test_only_what_a_build_names_is_served(site, path):
    site.get(QRS)
    folder = site.folder / "output" / "mygame" / "0.1"
    for name, target in (("leads-out.html", "content/secret.txt"), ("folder", "content")):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(site.folder / target)
    (folder / "note.txt").write_text("the user's own")
    answer = raw(site, f"GET {path} HTTP/1.1\nHost: localhost\nConnection: close\n\n")
    assert int(answer.split()[1]) in (400, 404), answer
    assert b"secret" not in answer and b"root:" not in answer


def test_a_link_in_the_place_of_a_file_is_not_followed(site):
    site.get("mygame/0.1/qrs-a4-low.pdf")
    file = site.folder / "output" / "mygame" / "0.1" / "qrs-a4-low.pdf"
    bytes_before = file.read_bytes()
    file.unlink()
    file.symlink_to(site.folder / "content" / "secret.txt")
    answer = site.get("mygame/0.1/qrs-a4-low.pdf")
    assert answer.status_code == 503 and b"secret" not in answer.content
    file.unlink()
    file.write_bytes(bytes_before)


@pytest.mark.parametrize(
    ("headers", "expected"), beside(__file__, "pages_from_elsewhere_get_nothing")
)
def test_pages_from_elsewhere_get_nothing(site, headers, expected):
    assert status(site, "/", *headers) == expected
    if expected != 200:
        assert status(site, "/api/odds?ruleset=mygame", *headers) == expected


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"])
def test_nothing_can_be_changed(site, method):
    for path in ("/", "/api/events?page=/", "/api/odds"):
        assert status(site, path, "Host: localhost", method=method) == 405


def test_the_head_of_a_page_is_that_of_the_page(site):
    assert status(site, f"/{QRS}", "Host: localhost", method="HEAD") == 200
    assert status(site, "/nothing", "Host: localhost", method="HEAD") == 404
    assert raw(site, f"HEAD /{QRS} HTTP/1.1\nHost: localhost\nConnection: close\n\n").endswith(
        b"\r\n\r\n"
    )


def test_odds_are_those_of_the_command(site):
    asked = ("odds", "mygame", "shots", "figures=6", "range=6-12in", "--json")
    told = site.run(*asked)
    query = "ruleset=mygame&edition=0.1&procedure=shots&figures=6&range=6-12in"
    answer = site.get(f"api/odds?{query}")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(told.stdout)
    sweep = site.get("api/odds?ruleset=mygame&procedure=shots&figures=1..3").json()
    assert [one["inputs"]["figures"] for one in sweep] == [1, 2, 3]


@pytest.mark.parametrize(
    ("query", "said"), beside(__file__, "a_question_that_is_wrong_is_answered_in_words")
)
def test_a_question_that_is_wrong_is_answered_in_words(site, query, said):
    answer = site.get(f"api/odds?{query}")
    assert answer.status_code == 400 and said in answer.json()["fault"]


def test_a_port_that_is_taken_is_told(site):
    told = site.run("serve", "--port", str(site.port))
    assert told.returncode == 2
    assert f"port {site.port} is taken" in told.stderr.decode()


def test_a_host_that_is_none_of_this_machine_is_told(run, mygame):
    told = run("serve", "--host", "192.0.2.1", exits=2)
    assert "nothing can be served at '192.0.2.1'" in told.output
    assert "everybody in the network can read this at http://192.0.2.1:8765/" in told.output


def test_a_released_edition_is_not_served(run, released):
    told = run("serve", "mygame@0.1", exits=2)
    assert "'mygame@0.1' is released and never changes" in told.output
    assert "did you mean 'mygame'?" in run("serve", "mygaem", exits=2).output


def test_the_address_is_that_of_a_browser():
    from rulebook.build.serve import Address

    assert Address("0.0.0.0", 80).url == "http://127.0.0.1:80/"
    assert Address("::", 80).url == "http://[::1]:80/"
    assert Address("::1", 8765).url == "http://[::1]:8765/"
    assert Address("0.0.0.0").is_open and Address("::").is_open and Address("192.0.2.1").is_open
    assert not Address("localhost").is_open and not Address("::1").is_open
    everybody = Address("0.0.0.0")
    assert everybody.admits("192.168.0.7:8765") and everybody.admits("[fe80::1]")
    assert everybody.admits(f"{socket.gethostname()}:8765")
    assert not everybody.admits("evil.example:8765")
    assert not Address().admits(f"{socket.gethostname()}.evil.example")
    elsewhere = everybody.url_elsewhere
    assert elsewhere.endswith(":8765/") and everybody.admits(elsewhere.split("/")[2])


def fresh(folder: Path, starter: Path) -> Path:
    shutil.copytree(starter, folder / "content")
    return folder


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_while_it_builds_and_pages_are_open(starter, tmp_path, sign, own_cache):
    with served(fresh(tmp_path, starter)) as site, follower(site) as line:
        wait_until(site.processes, "a worker has begun")
        started = site.processes()
        assert site.stop(sign) == 130
        while line.recv(65536):
            pass  # until the line is closed
    wait_until(lambda: not any(map(runs, started)), "no worker is left")
    log = site.log.read_text()
    assert log.endswith("stopped\n") and "Traceback" not in log, log


def test_no_worker_outlives_a_server_that_is_killed(starter, tmp_path, own_cache):
    with served(fresh(tmp_path, starter)) as site:
        site.get("api/odds?ruleset=mygame&procedure=shots")
        wait_until(lambda: len(site.processes()) >= 2, "a worker has begun")
        started = site.processes()
        os.kill(site.process.pid, signal.SIGKILL)
        site.process.wait()
    wait_until(lambda: not any(map(runs, started)), "no worker is left")


def follower(site: Served, page: str = "/") -> socket.socket:
    """A line on which the server tells of a page, and has done so once."""
    line = socket.create_connection(("127.0.0.1", site.port))
    line.sendall(f"GET /api/events?page={page} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    told = b""
    while b"data:" not in told:
        told += (part := line.recv(65536))
        assert part, told
    assert (
        told.lower().count(b"cache-control: no-cache\r\n")
        == told.lower().count(b"cache-control")
        == 1
    )
    return line


def test_pages_that_come_and_go_leave_nothing_behind(site):
    def open_files() -> int:
        return len(list(Path(f"/proc/{site.process.pid}/fd").iterdir()))

    def threads() -> int:
        return len(list(Path(f"/proc/{site.process.pid}/task").iterdir()))

    site.get(QRS)
    for _ in range(3):
        lines = [follower(site, f"/{QRS}") for _ in range(20)]
        before = open_files(), threads()
        for line in lines:
            line.close()
        wait_until(lambda: open_files() <= before[0] - 20, "the lines are closed")  # noqa: B023
    assert threads() <= before[1]
    assert len(descendants(site.process.pid)) <= 2 * (os.cpu_count() or 1) + 3


def test_two_servers_share_one_folder(site):
    with served(site.folder) as other:
        assert other.get(QRS).status_code == 200
        assert other.get("").text.replace(str(other.port), "") == site.get("").text.replace(
            str(site.port), ""
        )
        assert other.port != site.port != free_port()
