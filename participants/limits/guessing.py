"""Slow down people who guess recruitment ids or resume codes: each further guess has to wait longer.

Guesses are counted by study, source and sender, so nobody else waits for what somebody guesses, except people behind
the same address, and they wait a minute at most. A guess that was made before costs nothing, so that loading a page
again does not count. Sender and guess are kept for an hour, as keyed hashes.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from django.http import HttpRequest
from rest_framework.request import Request

from participants.limits.addresses import client_address
from participants.limits.counting import counted_as, guesses_of, note_guess

_MOST_DOUBLINGS = 30


@dataclass(frozen=True)
class Guessing:
    """A kind of guess. The first `free` ones within an hour are free; then one has to wait 1, 2, 4, … seconds between
    two of them, `longest` at most.
    """

    kind: str
    free: int
    longest: int

    def wait(self, sender: str, guess: str) -> int:
        """Return how many seconds the sender has to wait before this guess; 0 if it may be made now."""
        number, newest, is_known = guesses_of(self.kind, sender, counted_as(guess))
        if is_known or number < self.free:
            return 0
        delay = min(1 << min(number - self.free, _MOST_DOUBLINGS), self.longest)
        return max(0, math.ceil(newest + delay - time.time()))

    def note(self, sender: str, guess: str) -> None:
        """Count a guess."""
        note_guess(self.kind, sender, counted_as(guess))


# A room of people who mistype their codes must hardly notice; a code has 44 bits.
RESUME_CODES = Guessing("resume-code", free=20, longest=30)
# A lecture hall arrives from one address, each person with an id of their own.
ARRIVING_IDS = Guessing("recruitment-id", free=3_000, longest=60)
# Ids of people who have begun, asked for by somebody who cannot show more than the id.
FOUND_IDS = Guessing("found-id", free=100, longest=60)


def guesser(request: HttpRequest | Request, slug: str, source: str = "") -> str:
    """Return by what the guesses of a request are counted: its address, the study, and the source of the ids."""
    return counted_as(f"{client_address(request)} {slug} {source}")
