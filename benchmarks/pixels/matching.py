"""Match recorded times with what the screen showed. Pure: knows times, not browsers.

A page's clock and the screen's clock differ by a constant that is known to some milliseconds. That is enough to find
the change that belongs to a record; intervals are then taken on one clock alone, so the constant never enters a result.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from benchmarks.pixels.screen import ENTER, Change, Seen

# Changes so near to each other are one picture that was looked at while it was written.
ONE_PICTURE_MS = 4.0
# A record may be so much earlier or later than what it tells of.
EARLIEST_MS, LATEST_MS = 30.0, 160.0
KEY_MS = 120.0
# Between two looks that far apart the screen may have changed at any time: no truth.
WIDEST_LOOK_MS = 2.0
INK = 60


@dataclass(frozen=True)
class Recorded:
    """A reaction time or a display as a system recorded it, on the page's clock."""

    onset: float
    offset: float
    value: float | None
    flagged: bool
    intended: float | None = None
    facts: dict[str, Any] = field(default_factory=dict)


def pictures(changes: list[Change]) -> list[Change]:
    """Return the changes with those of one picture joined: from its first change on, with the ink of its last.

    >>> [change.ink for change in pictures([Change(0.0, 0.4, 10), Change(1.0, 1.4, 90), Change(99.0, 99.4, 0)])]
    [90, 0]
    """
    found: list[Change] = []
    for change in changes:
        if found and change.after - found[-1].after <= ONE_PICTURE_MS:
            found[-1] = Change(found[-1].before, found[-1].after, change.ink)
        else:
            found.append(change)
    return found


def nearest(changes: list[Change], time: float, *, earliest: float, latest: float) -> Change | None:
    """Return the change that is nearest to a time within a window about it, None where there is none sure."""
    within = [change for change in changes if time - earliest <= change.time <= time + latest]
    best = min(within, key=lambda change: abs(change.time - time), default=None)
    return None if best is None or best.after - best.before > WIDEST_LOOK_MS else best


def reactions_with_truth(records: list[Recorded], seen: Seen, *, offset: float) -> list[dict[str, Any]]:
    """Return recorded and true reaction times; the truth is None where the screen or the key is not certain."""
    changes = [change for change in pictures(seen.changes) if change.ink >= INK]
    enters = [time for code, time in seen.keys if code == ENTER]
    rows = []
    for record in records:
        index = bisect_left(enters, record.offset + offset - KEY_MS)
        key = enters[index] if index < len(enters) and abs(enters[index] - record.offset - offset) < KEY_MS else None
        shown = nearest(changes, record.onset + offset, earliest=EARLIEST_MS, latest=LATEST_MS)
        truth = None if key is None or shown is None else key - shown.time
        rows.append(
            {
                "recorded_ms": record.value,
                "true_ms": truth,
                "error_ms": None if truth is None or record.value is None else record.value - truth,
                "onset_late_ms": None if shown is None else record.onset + offset - shown.time,
                "key_late_ms": None if key is None else record.offset + offset - key,
                **record.facts,
            }
        )
    return rows


def displays_with_truth(records: list[Recorded], seen: Seen, *, offset: float) -> list[dict[str, Any]]:
    """Return displays with how long the screen showed them. A display ends with the change after its onset."""
    changes = pictures(seen.changes)
    inked = [change for change in changes if change.ink >= INK]
    rows = []
    for record in records:
        intended = record.intended or 0.0
        latest = min(LATEST_MS, 0.8 * intended)
        shown = nearest(inked, record.onset + offset, earliest=EARLIEST_MS, latest=latest)
        after = None
        if shown is not None:
            after = next((change for change in changes if change.time > shown.time), None)
        unsure = after is None or after.after - after.before > WIDEST_LOOK_MS
        truth = None if shown is None or after is None or unsure else after.time - shown.time
        rows.append(
            {
                "intended_ms": intended,
                "recorded_ms": record.value,
                "true_ms": truth,
                "off_ms": None if truth is None else truth - intended,
                "flagged": record.flagged,
                "onset_late_ms": None if shown is None else record.onset + offset - shown.time,
                **{f"said_{name}": value for name, value in record.facts.items()},
            }
        )
    return rows
