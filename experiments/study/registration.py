"""Record at opening what a study fixed: hashes of its plan and of its texts, in its history.

The history only grows, so these say later that plan and texts are those of the opening. Whoever deposits them
elsewhere before the first participant comes can show it to everybody.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from experiments.models import AuditEntry, Stimulus, Study
from experiments.rules.plan import complete_plan

OPENED = "opened"
_RECORDED = re.compile(r"plan SHA-256 ([0-9a-f]{64}), texts SHA-256 ([0-9a-f]{64})")
# A text by its task, item and level of each factor, in the order of their names.
Text = tuple[str, str, tuple[str, ...], str]


@dataclass(frozen=True)
class Registration:
    """What the history says of the opening: when it was, and the hashes of plan and texts then."""

    at: datetime
    plan_sha256: str
    texts_sha256: str


def plan_sha256(plan: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a plan: of its complete form as JSON with sorted keys and no spaces, in UTF-8.

    >>> plan_sha256({}) == plan_sha256({"hypotheses": "", "exclusion_rules": [], "analyses": []})
    True
    """
    return _sha256(complete_plan(plan))


def texts_sha256(texts: Iterable[Text]) -> str:
    """Return the SHA-256 of the texts of a study, in whatever order they come: of a sorted JSON list without spaces.

    >>> one, other = ("task", "i1", ("a",), "A dog."), ("task", "i1", ("b",), "A cat.")
    >>> texts_sha256([one, other]) == texts_sha256([other, one]) != texts_sha256([one])
    True
    """
    return _sha256(sorted([task, item, list(levels), text] for task, item, levels, text in texts))


def texts_of(study: Study) -> list[Text]:
    """Return the texts of all tasks of a study, as they are in the exported materials."""
    rows = Stimulus.objects.filter(item__part__study=study).values_list(
        "item__part__name", "item__code", "condition__levels", "text"
    )
    return [(task, item, levels_of(levels or {}), text) for task, item, levels, text in rows]


def levels_of(levels: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the levels of a condition in the order of the names of their factors; none for a filler."""
    return tuple(str(levels[name]) for name in sorted(levels))


def recorded(study: Study) -> str:
    """Return what the history is to say of what an opening fixed."""
    return f"plan SHA-256 {plan_sha256(study.plan)}, texts SHA-256 {texts_sha256(texts_of(study))}"


def registration_of(study: Study) -> Registration | None:
    """Return what was recorded when the study was first opened; None where it was opened before this was recorded."""
    for entry in AuditEntry.objects.filter(study=study, action=OPENED).order_by("at", "pk"):
        if found := _RECORDED.search(entry.detail):
            return Registration(entry.at, found[1], found[2])
    return None


def _sha256(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
