"""What the platform asks of a provider of participants, and the three ways in which a provider does not do it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.conf import settings

from participants.hooks import reaching
from participants.recruiting.ledger import Row, Seen

MOST_BYTES = 2_000_000
LONGEST_SAID = 300
TOO_MANY = 429


class Refused(Exception):
    """The provider will not do it, and did nothing; the message is what it said."""


class NotTaken(Exception):
    """The provider did nothing because it is busy, or could not be reached at all; later it may."""


class NoAnswer(Exception):
    """Nobody knows whether the provider did it."""


@dataclass(frozen=True)
class Draft:
    """A study as it is to be made at a provider. `reward` is in hundredths of the currency; `codes` are by outcome."""

    key: str
    name: str
    description: str
    link: str
    places: int
    reward: int
    minutes: int
    codes: Mapping[str, str] = field(default_factory=dict)
    screen_out_reward: int = 0
    excluded_groups: Sequence[str] = ()
    devices: Sequence[str] = ("desktop",)


@dataclass(frozen=True)
class StudyThere:
    """A study as the provider shows it."""

    id: str
    status: str
    places: int = 0
    taken: int = 0
    reward: int = 0
    currency: str = ""


class Provider(Protocol):
    """A provider of participants. Every method may raise Refused, NotTaken or NoAnswer.

    `reads_back`: whether what was done can be read; without it, only what can be repeated is asked of the provider.
    """

    reads_back: bool

    def test(self) -> str:
        """Return whose account the token opens, in the provider's words."""

    def body_of_draft(self, draft: Draft) -> dict[str, Any]:
        """Return exactly what would be sent to make a draft; sends nothing."""

    def find_draft(self, key: str) -> StudyThere | None:
        """Return the study that was made under a key; None if there is none."""

    def create_draft(self, draft: Draft) -> StudyThere:
        """Make a draft, which costs nothing and which nobody sees."""

    def study(self, study: str) -> StudyThere:
        """Return a study as it is now."""

    def transition(self, study: str, action: str) -> StudyThere:
        """Publish, pause, start again or stop a study."""

    def set_places(self, study: str, places: int) -> StudyThere:
        """Set how many people may take part in all."""

    def submissions(self, study: str) -> list[Seen]:
        """Return all submissions of a study."""

    def decide(self, study: str, row: Row) -> bool:
        """Do what a row of any kind but a bonus asks; return whether it is done (False: taken, and done later)."""

    def set_up_bonuses(self, study: str, rows: Sequence[Row]) -> str:
        """Prepare bonuses without paying them; return the reference under which they are paid. Raises Refused where the
        provider's total is another.
        """

    def pay_bonuses(self, reference: str) -> None:
        """Pay bonuses that were set up. Asked twice, they are paid twice."""


@dataclass(frozen=True)
class Answer:
    """What a provider answered: the status and the JSON (None where it is none)."""

    status: int
    said: Any
    text: str


def asked(method: str, address: str, headers: Mapping[str, str], body: Any = None) -> Answer:
    """Send a request and return a definite answer.

    Raises Refused for a definite no, NotTaken for 429 and where no connection came about, NoAnswer for everything else,
    such as 5xx and a time-out.
    """
    content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8")
    sent = {**headers, "Accept": "application/json", "User-Agent": "Lectern"}
    if body is not None:
        sent["Content-Type"] = "application/json"
    try:
        answer = reaching.asked(
            method, address, content, sent, private=settings.HOOKS_MAY_REACH_PRIVATE_ADDRESSES, most_bytes=MOST_BYTES
        )
    except reaching.NotConnected as problem:
        raise NotTaken(str(problem)) from problem
    except reaching.Unreachable as problem:
        raise NoAnswer(str(problem)) from problem
    shown = "".join(mark if mark.isprintable() else " " for mark in answer.text[:LONGEST_SAID])
    if answer.status == TOO_MANY:
        raise NotTaken(f"429: {shown}")
    if answer.status in (408, 409, 425) or answer.status >= 500 or answer.status < 200:
        raise NoAnswer(f"{answer.status}: {shown}")
    if answer.status >= 300:
        raise Refused(f"{answer.status}: {shown}")
    try:
        said = json.loads(answer.text) if answer.text.strip() else None
    except ValueError:
        said = None
    return Answer(answer.status, said, shown)
