"""Requests to the platform: one at a time, repeated only where that does nothing twice, and never for long."""

from __future__ import annotations

import http.client
import json
import re
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import IO, Any
from urllib.parse import quote, urlencode, urlsplit

from .problems import Problem, not_usable

TRIES = 5
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
LONGEST_ALTOGETHER = 180.0
PIECE = 64 * 1024
MOST_JSON = 256 * 1024 * 1024
MOST_OF_A_PROBLEM = 4 * 1024 * 1024
# What a server that is asked too often, that restarts, or that is behind a proxy which finds it busy answers.
LATER = (429, 503)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Request:
    """What is sent. `body` opens what is sent anew for each attempt, and says how long it is."""

    method: str
    path: str
    query: Mapping[str, Any]
    headers: Mapping[str, str]
    body: Callable[[], tuple[Any, int]] | None = None

    @property
    def may_be_repeated(self) -> bool:
        """Whether sending it twice does nothing twice."""
        return self.method == "GET" or "Idempotency-Key" in self.headers


@dataclass(frozen=True)
class Answer:
    """What came back, with its body still to be read."""

    status: int
    headers: Message
    stream: IO[bytes]

    def pieces(self) -> Iterator[bytes]:
        """Yield the body as it comes. Raises OSError or HTTPException where the connection breaks before its end."""
        length = self.headers.get("Content-Length")
        read = 0
        with self.stream as stream:
            while piece := stream.read(PIECE):
                read += len(piece)
                yield piece
        # The library says nothing where a connection is closed early.
        if length is not None and length.isdecimal() and read < int(length):
            raise http.client.IncompleteRead(b"", int(length) - read)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follow nothing: the token is for this address alone."""

    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


class Connection:
    """The platform at an address, asked with a token."""

    def __init__(self, address: str, token: str, *, timeout: float, allow_http: bool) -> None:
        self.base = base_of(address, allow_http=allow_http)
        if not token or not token.isascii() or not token.isprintable() or " " in token:
            raise not_usable("The token is empty or was not copied correctly; it begins with lectern_pat_.")
        self._token, self._timeout = token, timeout
        self._opener = urllib.request.build_opener(_Stay())
        self.sleep: Callable[[float], None] = time.sleep

    @property
    def host(self) -> str:
        """The host of the platform, as people read it."""
        return urlsplit(self.base).netloc

    def opened(self, request: Request) -> Answer:
        """Return the answer to a request. Raises Problem."""
        answer: Answer = self._repeated(request, lambda answer: answer)
        return answer

    def read(self, request: Request) -> tuple[Message, Any]:
        """Return headers and JSON of the answer to a request; None where it has no body. Raises Problem."""
        read: tuple[Message, Any] = self._repeated(request, _json_of)
        return read

    def _repeated(self, request: Request, use: Callable[[Answer], Any]) -> Any:
        waited, wait = 0.0, FIRST_WAIT
        for attempt in range(1, TRIES + 1):
            try:
                return use(self._sent(request))
            except Problem as problem:
                again = problem.status in LATER or problem.code == "in-progress" or problem.code == "no-connection"
                pause = wait if problem.retry_after is None else problem.retry_after
                is_last = attempt == TRIES or pause > LONGEST_WAIT or waited + pause > LONGEST_ALTOGETHER
                if not (again and request.may_be_repeated) or is_last:
                    raise
            self.sleep(pause)
            waited, wait = waited + pause, wait * 2
        raise AssertionError("the last attempt either returned or raised")

    def _sent(self, request: Request) -> Answer:
        query = urlencode({name: _text(value) for name, value in request.query.items()})
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Accept": "*/*",
            "User-Agent": "lectern.client",
            **request.headers,
        }
        data = None
        if request.body is not None:
            data, length = request.body()
            headers["Content-Length"] = str(length)
        address = f"{self.base}{request.path}{'?' if query else ''}{query}"
        asked = urllib.request.Request(address, data, headers, method=request.method)  # noqa: S310 - http(s), see base_of
        try:
            stream = self._opener.open(asked, timeout=self._timeout)
        except urllib.error.HTTPError as refused:
            with refused:
                raise _refusal(refused.code, refused.headers, _beginning_of(refused)) from None
        except (OSError, http.client.HTTPException) as broken:
            raise self.unreachable(broken) from broken
        finally:
            if data is not None and hasattr(data, "close"):
                data.close()
        return Answer(stream.status, stream.headers, stream)

    def unreachable(self, broken: Exception) -> Problem:
        """Return the problem of a connection that cannot be made or that breaks."""
        reason = getattr(broken, "reason", broken)
        host = self.host
        if isinstance(reason, ssl.SSLCertVerificationError):
            return Problem("not-trusted", f"The certificate of {host} cannot be verified: {reason.verify_message}.")
        if isinstance(reason, TimeoutError):
            return Problem("no-connection", f"{host} did not answer within {self._timeout:g} seconds.")
        said = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        return Problem("no-connection", f"{host} cannot be reached, or the connection broke: {said}.")


def base_of(address: str, *, allow_http: bool) -> str:
    """Return the address below which all operations are. Raises Problem where it is not one.

    >>> base_of("https://lectern.example.org/", allow_http=False)
    'https://lectern.example.org/api/v1/'
    """
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https") or parts.username or parts.query or parts.fragment:
        raise not_usable(f"{address!r} is not the address of a platform; it looks like https://lectern.example.org.")
    if any(mark <= " " or mark > "~" for mark in address):
        raise not_usable("The address holds something else than plain letters, digits and marks.")
    if parts.scheme == "http" and host not in LOOPBACK and not allow_http:
        raise not_usable(
            "With http:// everybody on the way can read the token. Use https://, or allow_http=True within a network "
            "of your own."
        )
    path = parts.path.rstrip("/").removesuffix("/api/v1")
    return f"{parts.scheme}://{parts.netloc}{path}/api/v1/"


def path_of(path: str, values: Mapping[str, Any]) -> str:
    """Return the address of an operation with its values. Raises Problem for one that no step of an address can be.

    >>> path_of("studies/{slug}/runs/{run}/", {"slug": "kettles", "run": 7})
    'studies/kettles/runs/7/'
    """
    for name, value in values.items():
        text = str(value)
        if not text or "/" in text or text in (".", ".."):
            raise not_usable(f"{name} is {text!r}, which cannot be a part of an address.")
        path = path.replace(f"{{{name}}}", quote(text, safe=""))
    return path


def _text(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _json_of(answer: Answer) -> tuple[Message, Any]:
    content = bytearray()
    try:
        for piece in answer.pieces():
            content += piece
            if len(content) > MOST_JSON:
                raise Problem(
                    "unexpected-answer", "The answer is longer than any of the platform.", status=answer.status
                )
    except (OSError, http.client.HTTPException) as broken:
        raise Problem("no-connection", "The connection broke while the answer was read.") from broken
    if answer.status == 204:
        return answer.headers, None
    try:
        return answer.headers, json.loads(content)
    except ValueError:
        raise Problem(
            "unexpected-answer", "What answers at this address is not Lectern. Check the address.", status=answer.status
        ) from None


def _beginning_of(refused: urllib.error.HTTPError) -> bytes:
    try:
        return refused.read(MOST_OF_A_PROBLEM)
    except (OSError, http.client.HTTPException):
        return b""


def _refusal(status: int, headers: Message, content: bytes) -> Problem:
    """Return the problem that an answer tells: what Lectern says, or what something before it said."""
    retry_after = seconds_of(headers.get("Retry-After"))
    if 300 <= status < 400:
        named = re.match(r"https?://[!-~]+?(?=[/?#]|$)", headers.get("Location") or "")
        there = named[0] if named else "another address"
        return Problem("moved", f"The platform is at {there}. Use that address; nothing was done.", status=status)
    try:
        told = json.loads(content)
        detail, code, faults = told["detail"], told["code"], told.get("faults", [])
        if isinstance(detail, str) and isinstance(code, str) and isinstance(faults, list):
            return Problem(code, detail, status=status, faults=faults, retry_after=retry_after)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    detail = f"The answer has the status {status}, and what answers does not speak as Lectern does. Check the address."
    return Problem("unexpected-answer", detail, status=status, retry_after=retry_after)


def seconds_of(header: str | None) -> float | None:
    """Return after how many seconds to ask again; None where the header says nothing that can be read.

    >>> seconds_of("7"), seconds_of("soon"), seconds_of("Thu, 01 Jan 1970 00:00:00 GMT")
    (7.0, None, 0.0)
    """
    if not header:
        return None
    if header.isascii() and header.isdigit() and len(header) < 10:
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
