"""What is wrong with something a researcher wrote, and what to do about it. All faults are reported together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True)
class Fault:
    """One fault. `line` counts from 1, the header included; `step` is the page of the study where it is put right.

    `column` is a column of a table, `setting` the name of a setting or field, `address` a page that says more.

    >>> print(Fault(3, "maker", "There is no such column.", "Did you mean 'marker'?"))
    Line 3, column 'maker': There is no such column. Did you mean 'marker'?
    """

    line: int | None = None
    column: str = ""
    message: str = ""
    suggestion: str = ""
    step: str = ""
    setting: str = ""
    address: str = ""

    def __str__(self) -> str:
        places = []
        if self.line is not None:
            places.append(f"line {self.line}")
        if self.column:
            places.append(f"column '{self.column}'")
        if self.setting:
            places.append(f"setting '{self.setting}'")
        place = ", ".join(places)
        sentence = f"{self.message} {self.suggestion}".strip()
        return f"{place[0].upper()}{place[1:]}: {sentence}" if place else sentence


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "Did you mean '…'?" for the known name that is nearest, or an empty text where none is near.

    >>> did_you_mean("Maker", ["item", "marker"])
    "Did you mean 'marker'?"
    """
    by_folded = {str(candidate).casefold(): str(candidate) for candidate in known}
    near = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return f"Did you mean '{by_folded[near[0]]}'?" if near else ""


def listed(names: Sequence[str], *, shown: int = 8) -> str:
    """Return the names in quotes, separated by commas; what is beyond `shown` is counted.

    >>> listed(["a", "b", "c"], shown=2)
    "'a', 'b' and 1 more"
    """
    quoted = ", ".join(f"'{name}'" for name in names[:shown])
    return f"{quoted} and {len(names) - shown} more" if len(names) > shown else quoted
