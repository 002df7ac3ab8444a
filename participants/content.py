"""Hash the content of a result, and check whether a database can store it.

Pure: knows no Django and no database.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

RESULT_FIELDS = (
    "payload", "rt_ms", "onset_ms", "clock", "interrupted", "attempts", "focus_losses", "event_batches",
)  # fmt: skip

# Fields that earlier versions did not send. Included only if present, so that older results keep their hash.
LATER_FIELDS = ("onset_error_ms", "translated", "out_of_view", "draft_restored", "page_slept_ms")


def result_content(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a result, from an entry or from its stored row.

    >>> fields = dict.fromkeys(RESULT_FIELDS, 1)
    >>> result_content({**fields, "onset_error_ms": None}) == fields
    True
    """
    later = {name: told[name] for name in LATER_FIELDS if told.get(name) is not None}
    return {**{name: told[name] for name in RESULT_FIELDS}, **later}


def content_hash(content: Any) -> str:
    """Return the SHA-256 of `content` as canonical JSON: sorted keys, no spaces, UTF-8.

    Numbers count by value (5.0 as 5), as JavaScript writes them and as both databases give them back.

    >>> content_hash({"rt_ms": 812.0}) == content_hash({"rt_ms": 812})
    True
    """
    text = json.dumps(_by_value(content), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _by_value(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _by_value(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_by_value(inner) for inner in value]
    return value


def why_not_storable(value: Any, *, depth: int = 0) -> str:
    """Return why a JSON value cannot be stored exactly, or an empty text where it can.

    >>> why_not_storable({"typed": "a\\x00b"})
    'a text contains the character U+0000, which the database cannot hold'
    >>> why_not_storable([1.5, "fine"])
    ''
    """
    if isinstance(value, str):
        if "\x00" in value:
            return "a text contains the character U+0000, which the database cannot hold"
        if any("\ud800" <= character <= "\udfff" for character in value):
            return "a text contains half of a surrogate pair, which is not a character"
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return "a number is not finite"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**300:
        return "a number is too large"
    if depth > 30:
        return "it is nested more than 30 levels deep"
    if isinstance(value, dict):
        return next(
            (
                reason
                for key, inner in value.items()
                if (reason := why_not_storable(key) or why_not_storable(inner, depth=depth + 1))
            ),
            "",
        )
    if isinstance(value, list):
        return next((reason for inner in value if (reason := why_not_storable(inner, depth=depth + 1))), "")
    return ""


def as_storable(value: Any, *, depth: int = 0) -> Any:
    """Return the value with everything that a database cannot hold replaced by visible text, to keep refused results.

    >>> as_storable({"typed": "a\\x00b", "number": float("inf")})
    {'typed': 'a\\\\u0000b', 'number': 'inf'}
    """
    if depth > 30:
        return "…"
    if isinstance(value, str):
        return "".join(
            f"\\u{ord(character):04x}" if character == "\x00" or "\ud800" <= character <= "\udfff" else character
            for character in value
        )
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**300:
        return "a number of more than 300 digits"
    if isinstance(value, dict):
        return {as_storable(key): as_storable(inner, depth=depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_storable(inner, depth=depth + 1) for inner in value]
    return value
