"""SONA grants credit by the server-side completion URL of a study, which is all that is documented in public.

The URL holds the study's token and is sealed like a token. A person is known by `survey_code`, which is new in every
study; a submission is that code. Nothing can be read back. Whoever has credit gets none a second time, as SONA
documents, so that a grant without an answer is asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from participants.recruiting.ledger import Kind, Row, Seen
from participants.recruiting.providers.base import Draft, NoAnswer, Refused, StudyThere, asked

CODE = "survey_code"
NEEDED = ("experiment_id", "credit_token")
GRANTED = re.compile(r"<(?:\w+:)?credit_status>\s*G\s*</")
FAULTS_BEGIN = re.compile(r"<(?:\w+:)?Errors(?:\s[^<>]*)?>")
FAULTS_END = re.compile(r"</(?:\w+:)?Errors>")
MARKUP = re.compile(r"<[^<>]*>")


class Sona:
    """One study of a SONA pool, by its server-side completion URL."""

    reads_back = False

    def __init__(self, address: str) -> None:
        self.address = address

    def test(self) -> str:
        # Every request with a code would grant credit, so that nothing is asked.
        return urlsplit(self.address).hostname or ""

    def submissions(self, study: str) -> list[Seen]:
        return []

    def decide(self, study: str, row: Row) -> bool:
        if row.kind is not Kind.CREDIT:
            raise Refused("SONA grants credit and nothing else.")
        answer = asked("GET", address_for(self.address, row.submission), {"Accept": "application/xml"})
        if GRANTED.search(answer.text):
            return True
        said = faults_in(answer.text)
        if "already" in said.lower():
            return True
        if said:
            raise Refused(said[:200])
        raise NoAnswer("SONA did not say whether credit was granted.")

    def body_of_draft(self, draft: Draft) -> dict[str, Any]:
        raise Refused(_BY_HAND)

    def find_draft(self, key: str) -> StudyThere | None:
        raise Refused(_BY_HAND)

    def create_draft(self, draft: Draft) -> StudyThere:
        raise Refused(_BY_HAND)

    def study(self, study: str) -> StudyThere:
        raise Refused(_BY_HAND)

    def transition(self, study: str, action: str) -> StudyThere:
        raise Refused(_BY_HAND)

    def set_places(self, study: str, places: int) -> StudyThere:
        raise Refused(_BY_HAND)

    def set_up_bonuses(self, study: str, rows: Sequence[Row]) -> str:
        raise Refused("SONA has no bonuses.")

    def pay_bonuses(self, reference: str) -> None:
        raise Refused("SONA has no bonuses.")


_BY_HAND = "Studies of SONA are made on its own pages."


def address_for(address: str, code: str) -> str:
    """Return the completion URL for one person.

    >>> address_for("https://p.example/WebstudyCredit?experiment_id=1&credit_token=2&survey_code=XXXX", "77")
    'https://p.example/WebstudyCredit?experiment_id=1&credit_token=2&survey_code=77'
    """
    parts = urlsplit(address)
    query = {**dict(parse_qsl(parts.query)), CODE: code}
    return urlunsplit(parts._replace(query=urlencode(query)))


def faults_in(text: str) -> str:
    """Return what an answer says is wrong, or nothing.

    >>> faults_in("<R><a:Errors><a:Error>Invalid survey_code.</a:Error></a:Errors></R>")
    'Invalid survey_code.'
    >>> faults_in('<R><a:Errors i:nil="true"/><a:Result>G</a:Result></R>')
    ''
    """
    begin = FAULTS_BEGIN.search(text)
    if begin is None or begin[0].endswith("/>"):
        return ""
    return " ".join(MARKUP.sub(" ", FAULTS_END.split(text[begin.end() :], maxsplit=1)[0]).split())


def is_completion_url(address: str) -> bool:
    """Return whether an address is a server-side completion URL: with study and token, to SONA's service."""
    parts = urlsplit(address)
    given = dict(parse_qsl(parts.query))
    return parts.scheme == "https" and "WebstudyCredit" in parts.path and all(given.get(name) for name in NEEDED)
