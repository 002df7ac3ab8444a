"""What a version of materials changed, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from experiments.materials.versions.comparing import ADDED, CHANGED, REMOVED


def change_in_words(change: Mapping[str, Any]) -> list[str]:
    """Return what a version changed, as `MaterialsChange.plain` has it, in words."""
    n, added, removed = (change.get(name, 0) for name in (CHANGED, ADDED, REMOVED))
    words = [
        (n, ngettext("%(n)d text changed", "%(n)d texts changed", n)),
        (added, ngettext("%(n)d text added", "%(n)d texts added", added)),
        (removed, ngettext("%(n)d text removed", "%(n)d texts removed", removed)),
    ]
    others = [
        ("factors", _("factors or levels changed")),
        ("order", _("order of the items changed")),
        ("mapping", _("columns read differently")),
        ("choices", _("table read in other steps")),
    ]
    counted = [said % {"n": number} for number, said in words if number]
    return counted + [said for name, said in others if change.get(name)]
