"""What answers in place of a platform may be anything: the token goes nowhere else, and nothing is without bounds."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from config.assistants import documents, platform
from config.assistants.platform import NotDone, Platform

Answering = Callable[[BaseHTTPRequestHandler], None]
TOKEN = "lectern_pat_" + "a" * 46


@contextlib.contextmanager
def served(answer: Answering) -> Iterator[tuple[str, list[Any]]]:
    """Serve one answer to everything; yield the address, and the headers of the requests."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            asked.append(self.headers)
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with contextlib.suppress(ConnectionError):
                answer(self)

        do_GET = do_POST = do_PUT = do_PATCH = handle_any  # noqa: N815

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def with_body(status: int, kind: str, body: bytes) -> Answering:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def test_a_redirect_is_not_followed_and_the_token_goes_nowhere_else() -> None:
    with served(with_body(200, "application/json", b"{}")) as (elsewhere, asked_elsewhere):

        def away(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(302)
            handler.send_header("Location", f"{elsewhere}/api/v1/tokens/self/")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with served(away) as (address, asked), pytest.raises(NotDone, match="status 302"):
            Platform(address, TOKEN).ask("get_token")
        assert [headers["Authorization"] for headers in asked] == [f"Bearer {TOKEN}"]
        assert asked_elsewhere == []


def test_no_file_of_log_ins_replaces_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login someone password secret\n", encoding="utf-8")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HOME", str(tmp_path))
    with served(with_body(200, "application/json", b"{}")) as (address, asked):
        Platform(address, TOKEN).ask("get_token")
    assert [headers["Authorization"] for headers in asked] == [f"Bearer {TOKEN}"]


@pytest.mark.parametrize(
    ("status", "kind", "body", "told"),
    [
        (500, "text/html", b"<h1>Broken</h1>", "status 500"),
        (404, "application/problem+json", b"not JSON", "status 404"),
        (403, "application/problem+json", b'{"detail": "No.", "faults": []}', "^No.$"),
        (422, "application/problem+json",
         b'{"detail": "Bad.", "faults": [{"place": "/title", "message": "Empty.", "suggestion": "Write one."}]}',
         "^Bad.\n- /title: Empty. Write one.$"),
    ],
)  # fmt: skip
def test_refusals_are_told_as_sentences(status: int, kind: str, body: bytes, told: str) -> None:
    with served(with_body(status, kind, body)) as (address, _asked), pytest.raises(NotDone, match=told):
        Platform(address, TOKEN).ask("get_token")


def test_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "MOST_BYTES", 300_000)
    sent = 0

    def endless(handler: BaseHTTPRequestHandler) -> None:
        nonlocal sent
        handler.send_response(200)
        handler.end_headers()
        for _piece in range(10_000):
            handler.wfile.write(b"x" * 10_000)
            sent += 10_000

    with served(endless) as (address, _asked), pytest.raises(NotDone, match="too long"):
        Platform(address, TOKEN).ask("get_token")
    assert sent < 50_000_000


def test_an_answer_that_drips_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "MOST_SECONDS", 0.3)
    monkeypatch.setattr(platform, "CHUNK", 1)

    def dripping(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _piece in range(200):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.02)

    begun = time.monotonic()
    with served(dripping) as (address, _asked), pytest.raises(NotDone, match="takes too long"):
        Platform(address, TOKEN).ask("get_token")
    assert time.monotonic() - begun < 3


def test_what_creates_is_asked_again_with_the_same_key_and_a_change_is_not() -> None:
    def broken_off(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.close()

    with served(broken_off) as (address, asked):
        with pytest.raises(NotDone, match="does not answer"):
            Platform(address, TOKEN).ask("create_study", body={"slug": "a"})
        assert len(asked) == 2
        assert len({headers["Idempotency-Key"] for headers in asked}) == 1
        with pytest.raises(NotDone, match="does not answer"):
            Platform(address, TOKEN).ask("put_plan", body={}, slug="a", etag='"x"')
        assert len(asked) == 3
        assert (asked[-1]["If-Match"], asked[-1]["Lectern-If-Status"]) == ('"x"', "draft")


def test_where_nobody_listens_a_sentence_says_so() -> None:
    with pytest.raises(NotDone, match="does not answer"):
        Platform("http://127.0.0.1:9", TOKEN).ask("get_token")


def test_the_documents_of_an_installed_platform_are_those_of_its_site(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "llms.txt").write_text("# Lectern\n", encoding="utf-8")
    settings.DOCS_DIR = tmp_path
    assert documents.folder() == tmp_path
    settings.DOCS_DIR = tmp_path / "nothing"
    assert (documents.folder() / "README.md").is_file()


def test_numbers_that_json_has_no_place_for_are_refused_with_a_sentence() -> None:
    with pytest.raises(NotDone, match="cannot be sent"):
        Platform("http://127.0.0.1:9", TOKEN).ask("create_study", body={"study": {"seed": 2**70}})
    assert json.loads(platform._as_json({"seed": 2**53})) == {"seed": 2**53}
