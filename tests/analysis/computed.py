"""What workers compute in a child, computed in the process of a test: a child would not see what is not committed."""

from __future__ import annotations

from django.db import connection

from analysis.methods.report import Cancelled
from analysis.runs.claims import Claim
from analysis.runs.life import ClaimedRun


def compute_here(claimed: Claim) -> None:
    """Compute what was claimed and conclude it."""

    def tell(share: float, note: str) -> None:
        if can_write() and not claimed.beat(progress=share, note=note):
            raise Cancelled

    claimed.conclude(claimed.compute(tell))


def can_write() -> bool:
    """Return whether this connection writes.

    An export reads in a transaction that only reads. A child tells its parent, which has a connection of its own.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return bool(cursor.fetchone() == ("off",))


def execute(key: int, kind: type[Claim] = ClaimedRun) -> bool:
    """Claim a row and compute it. Returns False where there was nothing to claim."""
    claimed = kind.claim(key)
    if claimed is not None:
        compute_here(claimed)
    return claimed is not None
