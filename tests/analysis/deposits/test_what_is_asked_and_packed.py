"""Requests reach the host that was chosen and nothing else, and every file is in exactly one packet."""

from __future__ import annotations

import contextlib
import email.utils
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.deposits.archive import Later, Refused, Rules
from analysis.deposits.clients import check_host
from analysis.deposits.osf import Osf
from analysis.deposits.packing import arranged
from analysis.deposits.reaching import FilePart, NotAllowed, NotReached, Reply, ask
from tests.participants.hooks.receivers import receiving

NAMES = st.text(st.sampled_from("abc."), min_size=1, max_size=4).filter(lambda name: name.strip("."))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@given(
    st.dictionaries(PATHS, st.integers(0, 5000), max_size=60),
    st.integers(1, 20),
    st.integers(2000, 9000),
    st.booleans(),
)
def test_every_file_is_in_one_packet_and_no_rule_is_broken(
    sizes: dict[str, int], most: int, largest: int, keeps: bool
) -> None:
    rules = Rules(most_files=most, most_bytes_of_file=largest, most_bytes=100_000, keeps_folders=keeps)
    try:
        packets = arranged(list(sizes.items()), rules)
    except Refused:
        assert len(sizes) > 0
        return
    assert sorted(path for one in packets for path in one.paths) == sorted(sizes)
    assert len({one.name for one in packets}) == len(packets) <= most
    assert all(sum(sizes[path] for path in one.paths) <= largest for one in packets)
    assert all(one.is_zip or one.paths == (one.name,) for one in packets)
    assert keeps or all("/" not in one.name for one in packets)


class Archive(BaseHTTPRequestHandler):
    """Answers by the path: an echo, a redirect, a page without end, an answer that breaks off."""

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Retry-After", "7")
        if self.path.startswith("/endless"):
            self.end_headers()
            for _piece in range(6):
                self.wfile.write(b"x" * 1024 * 1024)
            return
        if self.path.startswith("/broken"):
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"half")
            return
        with contextlib.suppress(OSError):  # who sent half of a body does not wait for the answer
            self.end_headers()
            self.wfile.write(body + self.headers["Authorization"].encode())

    do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815

    def log_message(self, *_given: object) -> None:
        return


def test_requests_carry_their_body_and_answers_have_limits(settings: Any, tmp_path: Path) -> None:
    settings.DEPOSITS_MAY_REACH_PRIVATE_ADDRESSES = True
    (tmp_path / "file").write_bytes(b"0123456789" * 100_000)
    headers = {"Authorization": "Bearer x"}
    with receiving(Archive) as archive:
        base = archive.address.partition("/in")[0]
        part = FilePart(tmp_path / "file", 999_995, 5, b"<", b">")
        reply = ask("PUT", f"{base}/in", headers=headers, body=part)
        assert (reply.status, reply.content, reply.retry_after) == (200, b"<56789>Bearer x", 7)
        whole = FilePart(tmp_path / "file", 0, 1_000_000)
        assert len(ask("PUT", f"{base}/in", headers=headers, body=whole).content) == 1_000_008
        assert ask("GET", f"{base}/away", headers=headers).status == 302
        for path in ("/endless", "/broken"):
            with pytest.raises(NotReached):
                ask("GET", f"{base}{path}", headers=headers)
        with pytest.raises(NotReached):
            ask("PUT", f"{base}/in", headers=headers, body=FilePart(tmp_path / "file", 0, 1_000_001))
        settings.DEPOSITS_MAY_REACH_PRIVATE_ADDRESSES = False
        with pytest.raises(NotAllowed):
            ask("GET", f"{base}/in", headers=headers)
        with pytest.raises(NotReached):
            ask("GET", f"{base.replace('http:', 'https:')}/in", headers=headers)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("0", 0), ("120", 120), ("999999", 3600), ("", None), ("soon", None), ("-5", None), ("1e9", None)],
)
def test_how_long_to_wait_is_read_within_bounds(said: str, seconds: float | None) -> None:
    assert Reply(429, b"", {"retry-after": said}).retry_after == seconds


def test_a_date_to_wait_for_is_read() -> None:
    said = email.utils.formatdate(time.time() + 90, usegmt=True)
    assert Reply(503, b"", {"retry-after": said}).retry_after == pytest.approx(90, abs=5)


@pytest.mark.parametrize("status", [408, 423, 425, 429, 500, 502, 503, 504])
def test_some_answers_mean_later(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setattr("analysis.deposits.reaching.ask", lambda *_given, **_named: Reply(status, b"\xff"))
    with pytest.raises(Later):
        Osf("https://api.example.org", "t", files="https://f.example.org", pages="https://o.example.org").find("k")


@pytest.mark.parametrize("status", [301, 302, 400, 401, 403, 404, 413, 422])
@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\x00", b"[]", b"null", b'{"message": 7}', b'{"errors": [{"detail": "a\\u0000b"}], "message": "x"}'],
)
def test_others_are_refusals_in_one_printable_line(
    monkeypatch: pytest.MonkeyPatch, status: int, content: bytes
) -> None:
    monkeypatch.setattr("analysis.deposits.reaching.ask", lambda *_given, **_named: Reply(status, content))
    with pytest.raises(Refused) as refused:
        Osf("https://api.example.org", "t", files="https://f.example.org", pages="https://o.example.org").find("k")
    assert str(refused.value).isprintable()
    assert str(status) in str(refused.value)


@pytest.mark.parametrize("content", [b"", b'{"data": [{"id"', b"[]", b"<html></html>"])
def test_half_an_answer_is_none(content: bytes) -> None:
    with pytest.raises(NotReached):
        _ = Reply(200, content).value


def test_an_administrator_names_the_dataverses(settings: Any) -> None:
    check_host("https://any.example.org")
    settings.DEPOSIT_DATAVERSES = ["data.example.org"]
    check_host("https://data.example.org")
    with pytest.raises(Refused, match=r"data\.example\.org"):
        check_host("https://data.example.org.evil.example")
