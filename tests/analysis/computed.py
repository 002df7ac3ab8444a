"""Runs computed in the process of a test."""

from __future__ import annotations

from analysis.runs.claims import Claim
from analysis.runs.life import ClaimedRun


def execute(key: int, kind: type[Claim] = ClaimedRun) -> bool:
    """Claim a row and compute it here. Returns False where there was nothing to claim."""
    claimed = kind.claim(key)
    if claimed is not None:
        claimed.compute_here()
    return claimed is not None
