"""Validate visits to areas, and compute them from the path of the pointer. Pure.

A visit is `[aoi, enter_ms, leave_ms, reason]`, in time order; areas count from 1, times are relative to text onset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Crossed between two screen updates: the pointer was there, but the area was never uncovered.
PASSED = "passed"
LEAVE_REASONS = (
    "moved",
    PASSED,
    "scrolled",
    "pointerleave",
    "pointercancel",
    "blur",
    "visibilitychange",
    "full-screen-exit",
    "resize",
    "print",
    "lifted",
    "key",
    "escape",
    "focus",
    "done",
)
# Times are sent in tenths of a millisecond.
TOLERANCE_MS = 0.05 + 1e-6

Visit = Sequence[Any]
Box = tuple[int, float, float, float, float]


def visit_faults(visits: Sequence[Any], *, areas: int, finished_ms: float) -> list[str]:
    """Return one sentence for the first impossible visit; an empty list if there is none.

    >>> visit_faults([[1, 0, 400.5, "moved"], [2, 400.5, 900, "done"]], areas=2, finished_ms=950)
    []
    >>> visit_faults([[1, 0, 400.5, "moved"], [2, 400, 900, "done"]], areas=2, finished_ms=950)
    ['Visit 2 begins before visit 1 has ended.']
    """
    before = 0.0
    for number, visit in enumerate(visits, start=1):
        if not isinstance(visit, list) or len(visit) != 4:
            return [f"Visit {number} must be an area, two times and a reason."]
        aoi, enter, leave, reason = visit
        if isinstance(aoi, bool) or not isinstance(aoi, int) or not 1 <= aoi <= areas:
            return [f"Visit {number} is to no area of the text, which has {areas}."]
        if not _is_time(enter) or not _is_time(leave):
            return [f"Visit {number} must begin and end at times, 0 or later."]
        if enter > leave:
            return [f"Visit {number} ends before it begins."]
        if enter < before:
            return [f"Visit {number} begins before visit {number - 1} has ended."]
        if leave > finished_ms:
            return [f"Visit {number} ends after the text was finished."]
        if reason not in LEAVE_REASONS:
            return [f"Visit {number} ended for no known reason."]
        before = leave
    return []


def _is_time(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def was_shown(visit: Visit) -> bool:
    """Return whether the area was uncovered during a visit.

    >>> was_shown([1, 0.0, 5.0, "passed"]), was_shown([1, 0.0, 5.0, "moved"])
    (False, True)
    """
    return bool(visit[3] != PASSED)


def visit_rows(visits: Sequence[Visit], areas: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of the table of visits: every visit in order, then every area that was never uncovered.

    >>> rows = visit_rows([[2, 10.0, 60.0, "done"]], [{"text": "a b", "words": 2}, {"text": "c", "words": 1}])
    >>> [(row["aoi"], row["enter_ms"], row["leave_ms"]) for row in rows]
    [(2, 10.0, 60.0), (1, None, None)]
    """
    rows = [_row(areas, visit[0], visit) for visit in visits]
    seen = {visit[0] for visit in visits}
    return rows + [_row(areas, aoi, None) for aoi in range(1, len(areas) + 1) if aoi not in seen]


def _row(areas: Sequence[Mapping[str, Any]], aoi: int, visit: Visit | None) -> dict[str, Any]:
    area = areas[aoi - 1]
    enter, leave, reason = visit[1:] if visit else (None, None, None)
    return {
        "aoi": aoi,
        "enter_ms": enter,
        "leave_ms": leave,
        "words": area["words"],
        "shown": visit is not None and was_shown(visit),
        "left_by": reason,
        "aoi_text": area["text"],
    }


def visits_of_path(
    events: Iterable[Mapping[str, Any]], layouts: Sequence[Mapping[str, Any]]
) -> tuple[list[tuple[int, float, float]], float | None]:
    """Compute visits from the path of the pointer. Return them and the time up to which the path was recorded (None: to
    the end).

    At every sample the visited area is the one whose box contains the point; a `leave` ends the visit, a `layout`
    replaces the boxes. Boxes include their left and upper edges, but not their right and lower ones.

    >>> layout = {"boxes": [[1, 0, 0, 100, 20], [2, 0, 20, 100, 20]]}
    >>> path = {"type": "path", "at": 100, "x": 5, "y": 5, "steps": [50, 0, 20]}
    >>> visits_of_path([path, {"type": "leave", "at": 300, "reason": "done"}], [layout])
    ([(1, 10.0, 15.0), (2, 15.0, 30.0)], None)
    """
    visits: list[tuple[int, float, float]] = []
    boxes = _boxes(layouts[0])
    current: Box | None = None
    entered = 0
    for event in events:
        match event["type"]:
            case "path":
                at, x, y = event["at"], event["x"], event["y"]
                steps = iter(event["steps"])
                samples = [(at, x, y)]
                for dt, dx, dy in zip(steps, steps, steps, strict=True):
                    at, x, y = at + dt, x + dx, y + dy
                    samples.append((at, x, y))
                for at, x, y in samples:
                    if current is not None and _holds(current, x, y):
                        continue
                    hit = next((box for box in boxes if _holds(box, x, y)), None)
                    if hit is not None and current is not None and hit[0] == current[0]:
                        current = hit
                        continue
                    if current is not None:
                        visits.append((current[0], entered / 10, at / 10))
                    current, entered = hit, at
            case "leave":
                if current is not None:
                    visits.append((current[0], entered / 10, event["at"] / 10))
                current = None
            case "layout":
                boxes = _boxes(layouts[event["index"]])
            case "path-full":
                return visits, event["at"] / 10
    return visits, None


def _boxes(layout: Mapping[str, Any]) -> list[Box]:
    return [(aoi, x, y, x + width, y + height) for aoi, x, y, width, height in layout["boxes"]]


def _holds(box: Box, x: float, y: float) -> bool:
    return box[1] <= x < box[3] and box[2] <= y < box[4]


def path_agrees(
    visits: Sequence[Visit], events: Sequence[Mapping[str, Any]], layouts: Sequence[Mapping[str, Any]]
) -> bool | None:
    """Return whether the visits agree with the recorded path; None if no path was recorded.

    A malformed path does not agree.
    """
    if not any(event.get("type") == "path" for event in events):
        return None
    try:
        found, until = visits_of_path(events, layouts)
    except (KeyError, TypeError, ValueError, IndexError):
        return False
    wanted = [visit for visit in visits if until is None or visit[2] < until]
    if until is None and len(found) != len(wanted):
        return False
    return len(found) >= len(wanted) and all(
        there[0] == visit[0] and abs(there[1] - visit[1]) <= TOLERANCE_MS and abs(there[2] - visit[2]) <= TOLERANCE_MS
        for there, visit in zip(found, wanted, strict=False)
    )
