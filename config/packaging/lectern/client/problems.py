"""What went wrong, as one class: what the platform refused, and what did not reach it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MOST_SHOWN = 5


class Problem(Exception):
    """A request was not done. As text it is a sentence that says what happened and what to do.

    `code` never changes and is for programs: one of those in the documents of the API, or `no-connection`, `moved`,
    `unexpected-answer`, `not-usable` (what was given to the client cannot be sent), `failed`, `cancelled` and
    `not-finished` (what was waited for). `status` is that of the answer, 0 without one. `faults` is everything that is
    wrong, each with `place`, `line`, `column`, `message` and `suggestion`.

    >>> str(Problem("invalid", "Nothing was stored.", faults=[{"place": "/slug", "message": "It is taken."}]))
    'Nothing was stored. /slug: It is taken.'
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int = 0,
        faults: Sequence[Mapping[str, Any]] = (),
        retry_after: float | None = None,
    ) -> None:
        self.code, self.detail, self.status = code, detail, status
        self.faults, self.retry_after = list(faults), retry_after
        super().__init__(" ".join([detail, *said(self.faults)]))


def said(faults: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the first faults as sentences with their places, and how many more there are.

    >>> said([{"line": 3, "column": "item", "message": "It is empty.", "suggestion": "Write one."}])
    ['line 3, column item: It is empty. Write one.']
    """
    found = []
    for fault in faults[:MOST_SHOWN]:
        line, column = fault.get("line"), fault.get("column")
        places = [str(fault.get("place") or ""), f"line {line}" if line else "", f"column {column}" if column else ""]
        place = ", ".join(filter(None, places))
        text = f"{fault.get('message', '')} {fault.get('suggestion') or ''}".strip()
        found.append(f"{place}: {text}" if place else text)
    more = len(faults) - MOST_SHOWN
    return [*found, *([f"{more} more are in `faults`."] if more > 0 else [])]


def not_usable(detail: str) -> Problem:
    """Return the problem of something that was given to the client and cannot be sent."""
    return Problem("not-usable", f"{detail} Nothing was sent.")
