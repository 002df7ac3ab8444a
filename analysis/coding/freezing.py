"""An end to coding: who froze the codings, and when. Frozen codings cannot be changed by any way."""

from __future__ import annotations

from typing import Any

from analysis.models import CodingState
from experiments.models import Study


def freeze_warnings(study: Study) -> list[str]:
    """Return a sentence for what is not finished: recalls that nobody coded, that are unresolved, partial queues."""
    raise NotImplementedError


def freeze(study: Study, *, user: Any) -> CodingState:
    """Freeze the codings; audited. Raises CodingRefusal `queue` where nothing is coded, `frozen` where they are."""
    raise NotImplementedError


def unfreeze(study: Study, *, user: Any, reason: str) -> CodingState:
    """Let codings be changed again; audited with the reason, which is required. Raises CodingRefusal."""
    raise NotImplementedError
