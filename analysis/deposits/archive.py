"""What every archive can do with a draft, and how its answers are read: as done, as *later*, or as refused."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from analysis.deposits import reaching
from analysis.deposits.reaching import FilePart, NotAllowed, NotReached, Reply
from experiments.sentences import Sentence

GIGABYTE = 1024**3
LONGEST_REASON = 300
NOT_NOW = frozenset({408, 423, 425, 429})


class Later(Exception):
    """The archive cannot be asked now; `seconds` is how long it wants to be left alone, where it says so."""

    def __init__(self, reason: str, seconds: float | None = None) -> None:
        super().__init__(reason)
        self.seconds = seconds


class Refused(Exception):
    """The archive does not do it, and would not if it were asked again; the message is a sentence for the page."""


@dataclass(frozen=True)
class Rules:
    """What a draft may hold: files, bytes of one file and of all, whether their names may have folders."""

    most_files: int
    most_bytes_of_file: int
    most_bytes: int
    keeps_folders: bool


@dataclass(frozen=True)
class Draft:
    """A draft in an archive: its number there, its DOI (empty where none is reserved), its page."""

    number: str
    doi: str
    address: str


@dataclass(frozen=True)
class Local:
    """A file that has to be in the draft."""

    name: str
    path: Path
    size: int
    md5: str


@dataclass(frozen=True)
class Stored:
    """A file that is in the draft. `is_whole` is false while it is being uploaded; `md5` is empty where unknown."""

    name: str
    size: int
    md5: str
    number: str
    is_whole: bool = True

    def equals(self, local: Local) -> bool:
        """Return whether it is the file that has to be there."""
        return self.is_whole and self.size == local.size and self.md5 in ("", local.md5)


class Archive(ABC):
    """An archive, asked with the token of a person. Every method may be called again after it was cut off anywhere."""

    rules: ClassVar[Rules]
    reserves_doi: ClassVar[bool] = True

    def __init__(self, base: str, token: str, *, collection: str = "") -> None:
        self.base, self.token, self.collection = base.rstrip("/"), token, collection

    @abstractmethod
    def find(self, key: str) -> Draft | None:
        """Return the draft with a key that `create` gave it; None where there is none."""

    @abstractmethod
    def create(self, key: str, metadata: Mapping[str, Any]) -> Draft:
        """Make a draft. Where its answer gets lost, `find` finds it."""

    def reserve(self, draft: Draft) -> str:
        """Reserve a DOI and return it; the same one for a draft that has one."""
        return draft.doi

    @abstractmethod
    def describe(self, draft: Draft, key: str, metadata: Mapping[str, Any]) -> None:
        """Set the metadata of a draft."""

    @abstractmethod
    def stored(self, draft: Draft) -> Sequence[Stored]:
        """Return what is in the draft, files that are not whole included."""

    @abstractmethod
    def upload(
        self, draft: Draft, local: Local, *, before: Stored | None, sent: int, tell: Callable[[int], None]
    ) -> None:
        """Bring a file into the draft. `before` is what is there of this name and not whole, of which the archive has
        acknowledged `sent` bytes; `tell` is called with the bytes that it has acknowledged since.
        """

    @abstractmethod
    def remove(self, draft: Draft, stored: Stored) -> None:
        """Take a file out of the draft; nothing where it is not there."""

    @abstractmethod
    def discard(self, draft: Draft) -> None:
        """Delete the draft; nothing where it is not there. Never called for what is published."""

    @property
    def authorization(self) -> Mapping[str, str]:
        """The headers with the token."""
        return {"Authorization": f"Bearer {self.token}"}

    def ask(
        self,
        method: str,
        path: str,
        *,
        body: bytes | FilePart = b"",
        kind: str = "application/json",
        base: str = "",
        allowed: Collection[int] = (),
    ) -> Reply:
        """Ask the archive and return its answer: one that is done, or whose status is `allowed`.

        Raises Later where it may do it another time, and Refused where it does not.
        """
        headers = {"Accept": "application/json", **({"Content-Type": kind} if body else {}), **self.authorization}
        try:
            reply = reaching.ask(method, f"{base or self.base}{path}", headers=headers, body=body)
        except NotReached:
            raise Later(Sentence("The archive could not be reached, or its answer broke off.")) from None
        except NotAllowed as fault:
            raise Refused(str(fault)) from None
        if reply.status < 300 or reply.status in allowed:
            return reply
        if reply.status >= 500 or reply.status in NOT_NOW:
            reason = Sentence("The archive is busy or out of order (status {status}).", status=reply.status)
            raise Later(reason, reply.retry_after)
        if reply.status in (401, 403):
            raise Refused(
                Sentence(
                    "The archive did not accept the token, or the token may not do this (status {status}). Make a new "
                    "token there and enter it here.",
                    status=reply.status,
                )
            )
        raise Refused(
            Sentence("The archive refused it (status {status}): {said}", status=reply.status, said=reason_of(reply))
        )


def reason_of(reply: Reply) -> str:
    """Return what an archive says about a refusal, as one line of plain text; its status where it says nothing."""
    said = reply.json
    words = []
    if isinstance(said, dict):
        words = [said[name] for name in ("message", "detail", "error") if isinstance(said.get(name), str)]
        for fault in said.get("errors") or []:
            if isinstance(fault, dict):
                words += [str(fault[name]) for name in ("field", "detail", "messages") if fault.get(name)]
    line = " ".join(" ".join(words).split()) or f"HTTP {reply.status}"
    return "".join(mark for mark in line if mark.isprintable())[:LONGEST_REASON]


def host_of(address: str) -> str:
    """Return the host of an address, for a page; empty where it has none.

    >>> host_of("https://demo.dataverse.org/x")
    'demo.dataverse.org'
    """
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
