"""Ask a running platform by its API: the allowed operations alone, within bounds of time and size."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

import orjson
import requests

from config.assistants.allowed import ALLOWED, Allowed

SECONDS = 30
MOST_SECONDS = 60
MOST_BYTES = 16 * 1024 * 1024
CHUNK = 64 * 1024
STEP = re.compile(r"[A-Za-z0-9_-]{1,60}", re.ASCII)
LOOPBACK = ("127.0.0.1", "::1", "localhost")
IF_STATUS = "Lectern-If-Status"


@dataclass
class NotDone(Exception):
    """Something was not done; `text` says what happened and what to do."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Answered:
    """What the platform answered: JSON as values, anything else as text, and its ETag."""

    content: Any
    etag: str = ""


@dataclass
class Platform:
    """A platform at an address, asked with a personal token. Raises NotDone for everything that does not succeed."""

    base_url: str
    token: str
    http: requests.Session = field(default_factory=requests.Session)

    def __post_init__(self) -> None:
        self.base_url = checked_address(self.base_url)
        if urlsplit(self.base_url).hostname in LOOPBACK:
            self.http.trust_env = False
        # An own way of authentication, so that no file of log-ins on this machine replaces the token.
        self.http.auth = self._signed

    def _signed(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def ask(
        self,
        name: str,
        *,
        body: Any = None,
        table: str | None = None,
        query: Mapping[str, str] | None = None,
        etag: str = "",
        **path: str,
    ) -> Answered:
        """Ask an allowed operation: `body` is sent as JSON, `table` as CSV. Raises NotDone."""
        operation = ALLOWED.get(name)
        if operation is None:
            raise NotDone(f"Assistants cannot use the operation {name}. People do this on the pages of the platform.")
        if not self.token:
            raise NotDone(
                "There is no token, so that only documents can be read. Start the server with --token-file or with the "
                "variable LECTERN_TOKEN; people make tokens under /admin/account/tokens/."
            )
        address = f"{self.base_url}/api/v1/{_filled(operation.path, path)}"
        headers = _headers(operation, etag)
        data = None
        if table is not None:
            data, headers["Content-Type"] = table.encode("utf-8"), "text/csv"
        elif body is not None:
            data, headers["Content-Type"] = _as_json(body), "application/json"
        for attempt in (1, 2):
            try:
                return self._asked(operation.method, address, data, headers, query)
            except requests.RequestException as error:
                # What creates has a key, and reading changes nothing: both can be asked again.
                if attempt == 2 or operation.changes_draft or isinstance(error, requests.Timeout):
                    raise NotDone(
                        f"The platform at {self.base_url} does not answer ({type(error).__name__}). Check that it runs "
                        "and that the address is right; read the study before you send a change again."
                    ) from error
        raise AssertionError

    def _asked(
        self, method: str, address: str, data: bytes | None, headers: Mapping[str, str], query: Mapping[str, str] | None
    ) -> Answered:
        until = time.monotonic() + MOST_SECONDS
        with self.http.request(
            method, address, data=data, headers=dict(headers), params=query, timeout=SECONDS, stream=True,
            allow_redirects=False,
        ) as answer:  # fmt: skip
            kept = bytearray()
            for chunk in answer.iter_content(CHUNK):
                kept += chunk
                if len(kept) > MOST_BYTES or time.monotonic() > until:
                    raise NotDone("The answer of the platform is too long or takes too long. Ask for less at once.")
            kind = answer.headers.get("Content-Type", "").partition(";")[0].strip()
            content = _content(bytes(kept), kind)
            if answer.ok and not answer.is_redirect:
                return Answered(content, answer.headers.get("ETag", ""))
            raise NotDone(_told(answer.status_code, content))


def checked_address(base_url: str) -> str:
    """Return the address of a platform without its last slash. Raises NotDone where a token must not be sent there.

    >>> checked_address("https://lectern.example.org/")
    'https://lectern.example.org'
    >>> checked_address("http://lectern.example.org")
    Traceback (most recent call last):
    config.assistants.platform.NotDone: http://lectern.example.org cannot be used: a token is sent by https alone, ...
    """
    try:
        parts = urlsplit(base_url)
        is_right = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        is_plain = not (parts.username or parts.password or parts.query or parts.fragment) and bool(parts.hostname)
        parts.port  # noqa: B018 - asked for what it raises
    except ValueError:
        is_right = is_plain = False
    if not (is_right and is_plain):
        raise NotDone(
            f"{base_url[:200]} cannot be used: a token is sent by https alone, or to this machine. Write "
            "--base-url https://… as your browser shows the address of the platform."
        )
    return base_url.rstrip("/")


def _filled(path: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        if not STEP.fullmatch(value):
            raise NotDone(f"“{value[:60]}” cannot be the {name} of a study: it has letters, digits, - and _ alone.")
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def _headers(operation: Allowed, etag: str) -> dict[str, str]:
    headers = {"Accept": "application/json", "User-Agent": "lectern-mcp"}
    if operation.changes_draft:
        headers |= {"If-Match": etag, IF_STATUS: "draft"}
    if operation.creates:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    return headers


def _as_json(body: Any) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError as error:
        raise NotDone(f"The values cannot be sent: {error}. Write numbers of usual size, texts and lists.") from error


def _content(data: bytes, kind: str) -> Any:
    if kind in ("application/json", "application/problem+json"):
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            pass
    return data.decode("utf-8", "replace")


def _told(status: int, content: Any) -> str:
    """Return a problem of the API as sentences, each fault in a line."""
    if not isinstance(content, Mapping) or "detail" not in content:
        return f"The platform answered with the status {status} and no explanation. Check the address of the platform."
    lines = [str(content["detail"]), *map(fault_line, content.get("faults", ()))]
    return "\n".join(lines)


def fault_line(fault: Mapping[str, Any]) -> str:
    """Return a fault or warning of the API as one line.

    >>> fault_line({"place": "/title", "line": 3, "column": "", "message": "It is empty.", "suggestion": "Write one."})
    '- line 3, /title: It is empty. Write one.'
    """
    line = f"line {fault['line']}" if fault.get("line") else ""
    place = ", ".join(filter(None, [line, str(fault.get("column") or ""), str(fault.get("place") or "")]))
    said = " ".join(filter(None, [str(fault.get("message", "")), str(fault.get("suggestion", ""))]))
    return f"- {place}: {said}" if place else f"- {said}"
