"""Report faults of a wording: where they are, limited to a readable number."""

from __future__ import annotations

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault

_MOST_FAULTS = 100


def fault_at(setting: str, message: str, suggestion: str = "") -> Fault:
    """Return a fault of the text at a place, which may hold anything, as pages and databases can keep it."""
    shown, said, advice = (_storable(text) for text in (setting[:80], message, suggestion))
    return Fault(setting=shown, message=said, suggestion=advice, step="texts")


def _storable(text: str) -> str:
    # Halves of characters, which no page can hold, are shown as question marks.
    whole = text.encode("utf-8", "replace").decode()
    return text if text == whole else whole


def first_of(faults: list[Fault]) -> list[Fault]:
    """Return the first faults, and how many more there are."""
    more = len(faults) - _MOST_FAULTS
    return faults if more <= 0 else [*faults[:_MOST_FAULTS], fault_at("", _("… and %(n)d more.") % {"n": more})]
