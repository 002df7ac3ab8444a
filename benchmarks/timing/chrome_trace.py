"""Extract presentation times from a Chrome trace. Pure: knows nothing of pages.

Marks that a page sets with `performance.mark` tie the page's clock to the trace's. A frame of the page is known by its
pipeline report: when its content was committed, and when the compositor presented it.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

PRESENTED = ("STATE_PRESENTED_ALL", "STATE_PRESENTED_PARTIAL")
# What is drawn is committed with the next frame, at the latest when a busy main thread is free again. A frame that was
# committed later is another one, and the one that counts is missing in the trace.
LATEST_COMMIT_MS = 75.0


@dataclass(frozen=True)
class Frame:
    """One presented frame, in milliseconds of the page's clock. The trace does not always know when it was shown."""

    committed_ms: float
    presented_ms: float | None


@dataclass(frozen=True)
class Screen:
    """The marks and the presented frames of one page."""

    marks: Mapping[str, float]
    frames: tuple[Frame, ...]
    # When frames began, in order, as far as the page asked for them.
    begins: tuple[float, ...] = ()

    def shown_after(self, mark: str) -> float | None:
        """Return when the first frame that was committed after a mark was presented, None where the trace lacks it.

        >>> frames = (Frame(4.0, 9.0), Frame(6.0, 25.0), Frame(22.0, None), Frame(42.0, 50.0), Frame(300.0, 310.0))
        >>> screen = Screen(marks={"a": 5.0, "b": 20.0, "c": 60.0}, frames=frames)
        >>> screen.shown_after("a"), screen.shown_after("b"), screen.shown_after("c"), screen.shown_after("unknown")
        (25.0, None, None, None)
        """
        drawn = self.marks.get(mark)
        if drawn is None:
            return None
        index = bisect.bisect_left([frame.committed_ms for frame in self.frames], drawn)
        if index == len(self.frames) or self.frames[index].committed_ms > drawn + LATEST_COMMIT_MS:
            return None
        return self.frames[index].presented_ms

    def tick_after(self, mark: str, *, frame_ms: float) -> float | None:
        """Return the tick of the screen at which what was drawn at a mark becomes visible on a display.

        A display changes at its ticks only: whatever is presented between two of them is seen from the later one. The
        ticks go on every `frame_ms` from the last frame that began, also while the page asks for none.

        >>> screen = Screen(marks={"drawn": 5.0}, frames=(Frame(6.0, 45.0),), begins=(0.0, 16.0))
        >>> screen.tick_after("drawn", frame_ms=16.0)
        48.0
        """
        presented = self.shown_after(mark)
        index = -1 if presented is None else bisect.bisect_left(self.begins, presented) - 1
        if presented is None or index < 0:
            return None
        begin = self.begins[index]
        return begin + math.ceil((presented - begin) / frame_ms) * frame_ms


def read_screen(events: Iterable[Mapping[str, Any]]) -> Screen:
    """Return marks and frames of the page that set the marks. Raises ValueError where the trace holds no mark."""
    ordered = sorted((event for event in events if "ts" in event), key=lambda event: event["ts"])
    marked = [event for event in ordered if event.get("cat") == "blink.user_timing" and "data" in event.get("args", {})]
    marked = [event for event in marked if "startTime" in event["args"]["data"]]
    if not marked:
        raise ValueError("The trace holds no mark of the page.")
    page = marked[0]["pid"]
    # Both clocks are monotonic and differ by a constant; the median frees it of the marks' own jitter.
    offsets = sorted(event["ts"] / 1000 - event["args"]["data"]["startTime"] for event in marked)
    offset = offsets[len(offsets) // 2]
    marks = {event["name"]: event["ts"] / 1000 - offset for event in marked}
    frames = [
        Frame(
            committed_ms=committed / 1000 - offset,
            presented_ms=None if presented is None else presented / 1000 - offset,
        )
        for committed, presented in _presented_frames(event for event in ordered if event.get("pid") == page)
    ]
    begins = {
        event["ts"] / 1000 - offset
        for event in ordered
        if event.get("pid") == page and event["name"] == "PipelineReporter" and event["ph"] == "b"
    }
    return Screen(
        marks=marks,
        frames=tuple(sorted(frames, key=lambda frame: frame.committed_ms)),
        begins=tuple(sorted(begins)),
    )


def _presented_frames(events: Iterable[Mapping[str, Any]]) -> list[tuple[float, float | None]]:
    """Return (commit begins, presented) of each presented frame, in microseconds of the trace.

    Some reports end with the beginning of their commit; when such a frame was presented is unknown.
    """
    frames: list[tuple[float, float | None]] = []
    states: dict[str, str] = {}
    commits: dict[str, float] = {}
    ended: set[str] = set()
    for event in events:
        key = event.get("id2", {}).get("local")
        if key is None:
            continue
        name, phase = event["name"], event["ph"]
        if name == "PipelineReporter" and phase == "b":
            states[key] = event["args"].get("frame_reporter", {}).get("state", "")
            commits.pop(key, None)
            ended.discard(key)
        elif name == "Commit" and phase == "b" and key in ended:
            frames.append((event["ts"], None))
            ended.discard(key)
        elif name == "Commit" and phase == "b":
            commits[key] = event["ts"]
        elif name == "PipelineReporter" and phase == "e" and states.pop(key, "") in PRESENTED:
            if key in commits:
                frames.append((commits.pop(key), event["ts"]))
            else:
                ended.add(key)
    return frames
