"""How large a formula may be. What it asks for grows exponentially with its length, so it is checked before it is
multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis.methods.report import BadInput

# In characters; Python reads numbers of up to 4,300 digits.
LONGEST = 4_000
# Eight crossed factors have 255 terms.
MOST_TERMS = 255
MOST_NESTED = 50
_SHOWN = 300


class TooLargeFormula(BadInput):
    """A formula asks for more than any model that is computed has."""


def check_length(text: str) -> None:
    """Raise TooLargeFormula for a text that is longer than any formula."""
    if len(text) > LONGEST:
        raise TooLargeFormula(
            f"formula: it has {len(text):,} characters; {LONGEST:,} are the most that a formula may have."
        )


def check_nesting(signs: Iterable[str]) -> None:
    """Raise TooLargeFormula where too many brackets are open within each other."""
    depth = 0
    for sign in signs:
        depth += (sign == "(") - (sign == ")")
        if depth > MOST_NESTED:
            raise TooLargeFormula(
                f"formula: more than {MOST_NESTED} brackets stand in each other; write it with fewer."
            )


def check_number(terms: int) -> None:
    """Raise TooLargeFormula for more terms than are computed; called with their number before they are made."""
    if terms > MOST_TERMS:
        raise TooLargeFormula(
            f"formula: it has more than {MOST_TERMS} terms when it is multiplied out, as many as eight crossed factors "
            "have. Join with + what need not interact, or limit the order with (a + b + c)^2."
        )


def brief(text: str) -> str:
    """Return the beginning of a long text, for a sentence about it."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
