"""Refusals of changes to codings; nothing is changed then."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.formats.faults import Fault


class CodingRefusal(ValueError):
    """A change of codings that cannot be made. The message says what to do.

    `code` is `rule` (the codes cannot stand together), `frozen`, `changed` (somebody changed it meanwhile), `unknown`
    (no such recall in this queue), `nothing` (nothing to undo), `queue` (the queue cannot be made or changed so), or
    `scheme` (the codes of the study cannot be these; `faults` says why).
    """

    def __init__(self, code: str, message: str, *, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.faults = list(faults)


class SheetFaults(ValueError):
    """A table of codings that cannot be taken over. `faults` holds all that is wrong, with lines; nothing changed."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = list(faults)
