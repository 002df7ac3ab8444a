"""Where coders differ, and what was decided: the decided codes are what is analysed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.coding.differences import Mark
from analysis.coding.suggestions import Suggestion
from analysis.models import Adjudication
from experiments.models import Study


@dataclass(frozen=True)
class Opinion:
    """What one coder gave. `coder` is a pseudonym."""

    coder: str
    codes: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Disagreement:
    """One recall that two coders coded differently, or that was decided; blind to participant and condition.

    `is_outdated` where codings have changed since the decision.
    """

    recall_id: str
    stimulus: str
    recall: str
    stimulus_marks: tuple[Mark, ...]
    recall_marks: tuple[Mark, ...]
    opinions: tuple[Opinion, ...]
    suggestion: Suggestion | None
    decided: tuple[str, ...] | None
    note: str
    revision: int
    is_outdated: bool
    can_undo: bool


def disagreements(study: Study, *, which: str = "all") -> list[Disagreement]:
    """Return the recalls to settle, in random but fixed order; `which` is all, open or decided."""
    raise NotImplementedError


def disagreement(study: Study, recall_id: str) -> Disagreement:
    """Return one recall with its opinions, whether they differ or not. Raises CodingRefusal `unknown`."""
    raise NotImplementedError


def decide(
    study: Study, recall_id: str, codes: Sequence[str], *, user: Any, note: str = "", revision: int | None = None
) -> Adjudication:
    """Settle the codes of a recall that somebody has coded. Raises CodingRefusal: unknown, rule, frozen, changed."""
    raise NotImplementedError


def undo_decision(study: Study, recall_id: str, *, user: Any, revision: int | None = None) -> Adjudication | None:
    """Restore the state before the last decision; None where it is open again. Audited. Raises CodingRefusal."""
    raise NotImplementedError
