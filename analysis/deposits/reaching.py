"""Ask an archive over HTTPS: its host alone, resolved once and connected to exactly that, within limits.

Redirects are not followed, and addresses in answers are not either: a client makes every address from the host that
somebody chose.
"""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from experiments.sentences import Sentence
from participants.hooks.reaching import PinnedConnection, Unreachable, address_of, ended_after, resolved

MOST_BYTES = 4 * 1024 * 1024
PIECE = 256 * 1024
SECONDS = 60.0
# A body may take as long as it takes at this speed, in bytes a second.
SLOWEST = 64 * 1024
LONGEST_WAIT = 3600.0


class NotReached(Exception):
    """The archive could not be reached, or did not answer as a whole; whether it did what it was asked is not known."""


class NotAllowed(Exception):
    """The address is not one to which anything is sent; the message is a sentence for the page."""


@dataclass(frozen=True)
class FilePart:
    """Bytes of a file, `size` of them from `start`, with what is sent around them."""

    path: Path
    start: int
    size: int
    before: bytes = b""
    after: bytes = b""

    @property
    def length(self) -> int:
        """Bytes of the body as a whole."""
        return len(self.before) + self.size + len(self.after)

    def pieces(self) -> Iterator[bytes]:
        """Yield the body in pieces. Raises OSError where the file is gone or shorter than it was."""
        yield self.before
        left = self.size
        with self.path.open("rb") as file:
            file.seek(self.start)
            while left:
                piece = file.read(min(PIECE, left))
                if not piece:
                    raise OSError(f"{self.path} is shorter than it was")
                left -= len(piece)
                yield piece
        yield self.after


@dataclass(frozen=True)
class Reply:
    """What an archive answered."""

    status: int
    content: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def json(self) -> Any:
        """Return the answer as plain values; an empty mapping where it is no JSON."""
        try:
            return json.loads(self.content)
        except ValueError:
            return {}

    @property
    def value(self) -> Mapping[str, Any]:
        """Return what was asked for. Raises NotReached where it is not there as a whole."""
        said = self.json
        if not isinstance(said, dict) or not said:
            raise NotReached
        return said

    @property
    def retry_after(self) -> float | None:
        """Return for how many seconds the archive wants not to be asked, an hour at most; None where it is silent."""
        said = self.headers.get("retry-after", "").strip()
        if said.isdecimal():
            return min(float(said), LONGEST_WAIT)
        try:
            seconds = (parsedate_to_datetime(said) - timezone.now()).total_seconds()
        except (TypeError, ValueError):
            return None
        return min(max(seconds, 0.0), LONGEST_WAIT)


def ask(method: str, address: str, *, headers: Mapping[str, str], body: bytes | FilePart = b"") -> Reply:
    """Send a request and return the answer. Raises NotReached where there is none, and NotAllowed."""
    private = settings.DEPOSITS_MAY_REACH_PRIVATE_ADDRESSES
    try:
        parts = address_of(address, private=private)
    except Unreachable:
        raise NotAllowed(
            Sentence("This is not an address of an archive: it begins with https:// and a host.")
        ) from None
    try:
        ip = resolved(parts, private=private)[0]
    except Unreachable:
        raise NotReached from None
    length = body.length if isinstance(body, FilePart) else len(body)
    connection = PinnedConnection(parts, ip, context=ssl.create_default_context() if parts.scheme == "https" else None)
    connection.timeout = SECONDS
    with ended_after(SECONDS + length / SLOWEST, connection) as is_late:
        try:
            sent = body.pieces() if isinstance(body, FilePart) else body
            known = {
                "Host": parts.header,
                "User-Agent": "Lectern",
                "Connection": "close",
                "Content-Length": str(length),
            }
            connection.request(method, parts.path, sent, {**known, **headers})
            answer = connection.getresponse()
            content = answer.read(MOST_BYTES + 1)
            # Fewer bytes than announced are no answer.
            if is_late.is_set() or answer.length or len(content) > MOST_BYTES:
                raise NotReached
            return Reply(answer.status, content, {name.lower(): value for name, value in answer.getheaders()})
        except (OSError, http.client.HTTPException, UnicodeError, ValueError) as problem:
            raise NotReached from problem
