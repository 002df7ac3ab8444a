"""Validate the entries of a batch: fields, types and limits. Pure; payloads are validated by the paradigm.

Checks are strict about JSON types (the text "12" is not a number), because what is stored is exactly what was sent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from participants.content import LATER_FIELDS, why_not_storable

MAX_ENTRIES = 500
MAX_BATCH_BYTES = 262_144
MAX_ENTRY_CHARACTERS = 131_072
MAX_EVENTS = 5_000
CLOCKS = ("element-timing", "animation-frame", "none")

# A hundred days: a page may stay open, and no answer is refused for being slow. Longer times mean a broken clock.
_LONGEST_MS = 100 * 86_400_000


def _whole(low: int, high: int) -> Callable[[Any], str]:
    def fault(value: Any) -> str:
        good = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return "" if good else f"must be a whole number from {low} to {high}"

    return fault


def _whole_or_null(low: int, high: int) -> Callable[[Any], str]:
    whole = _whole(low, high)

    def fault(value: Any) -> str:
        return "" if value is None or not whole(value) else f"{whole(value)} or null"

    return fault


def _duration(limit: float) -> Callable[[Any], str]:
    def fault(value: Any) -> str:
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return "must be a finite number or null"
        return "" if 0 <= value <= limit else f"must be from 0 to {limit:.0f}"

    return fault


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _mark(value: Any) -> str:
    return "" if value is True or value is None else "must be true or null"


def _clock(value: Any) -> str:
    return "" if value in CLOCKS else f"must be one of {', '.join(CLOCKS)}"


def _object(value: Any) -> str:
    return "" if isinstance(value, dict) else "must be an object"


def _events(value: Any) -> str:
    if not isinstance(value, list):
        return "must be a list"
    return "" if len(value) <= MAX_EVENTS else f"must have at most {MAX_EVENTS} events; send more batches"


_FIELDS: Mapping[str, Mapping[str, Callable[[Any], str]]] = {
    "result": {
        "payload": _object,
        "rt_ms": _duration(_LONGEST_MS),
        "onset_ms": _duration(_LONGEST_MS),
        "clock": _clock,
        "interrupted": _flag,
        "attempts": _whole(1, 32_767),
        "focus_losses": _whole(0, 32_767),
        "event_batches": _whole(0, 10_000),
        "onset_error_ms": _duration(_LONGEST_MS),
        "translated": _mark,
        "out_of_view": _whole_or_null(0, 32_767),
        "draft_restored": _mark,
        "page_slept_ms": _duration(_LONGEST_MS),
    },
    "events": {"batch": _whole(0, 9_999), "events": _events},
    "opened": {},
}


def entry_faults(entry: Any) -> list[str]:
    """Validate an entry. Return one sentence for each fault.

    >>> entry_faults({"kind": "opened", "sequence": 3})
    []
    >>> entry_faults({"kind": "events", "sequence": 3, "batch": -1, "events": []})
    ['batch must be a whole number from 0 to 9999.']
    """
    if not isinstance(entry, dict):
        return ["An entry must be an object."]
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        return ["kind must be one of result, events, opened."]
    rules: dict[str, Callable[[Any], str]] = {"sequence": _whole(0, 1_000_000), **_FIELDS[kind]}
    faults = [f"{name} is missing." for name in rules if name not in entry and name not in LATER_FIELDS]
    faults += [f"{name} {fault}." for name, rule in rules.items() if name in entry and (fault := rule(entry[name]))]
    unknown = sorted(str(name) for name in entry if name not in rules and name != "kind")
    if unknown:
        faults.append(f"Unknown fields: {', '.join(unknown)[:200]}.")
    if not faults and kind != "opened":
        reason = why_not_storable(entry)
        if reason:
            faults.append(f"It cannot be stored: {reason}.")
        elif len(json.dumps(entry, ensure_ascii=False)) > MAX_ENTRY_CHARACTERS:
            faults.append(f"It is longer than {MAX_ENTRY_CHARACTERS} characters.")
    return faults
