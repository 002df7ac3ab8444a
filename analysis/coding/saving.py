"""The codes that one coder gives to one recall: saved, changed, undone."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.models import Coding, CodingQueue


def save(
    queue: CodingQueue,
    recall_id: str,
    codes: Sequence[str],
    *,
    note: str = "",
    seconds: float = 0.0,
    revision: int | None = None,
) -> Coding:
    """Store the codes of a recall and return the coding; `seconds` are added to those it has.

    `revision` is what the coder saw (0: not coded); None takes over whatever is there. The earlier state is kept for
    `undo`. The same codes and note again only add the seconds.

    Raises CodingRefusal: `unknown`, `rule`, `frozen`, `changed`.
    """
    raise NotImplementedError


def undo(queue: CodingQueue, recall_id: str, *, revision: int | None = None) -> Coding | None:
    """Restore the state before the last change, and return it: None where the recall is not coded any more. Audited.

    Raises CodingRefusal: `unknown`, `nothing`, `frozen`, `changed`.
    """
    raise NotImplementedError


def last_saved(queue: CodingQueue) -> str | None:
    """Return the name of the recall that was saved last, or None."""
    raise NotImplementedError
