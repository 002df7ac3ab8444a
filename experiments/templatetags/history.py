"""Template filter that formats audit entries for people."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()
_CHANGES = re.compile(r"; (?=\w+: )")


@register.filter
def history_words(detail: str) -> str:
    """Return what an entry says, with stored values in words: no quotes, brackets and names of Python's.

    >>> history_words("supervised: False → True; resume: 'always' → ''")
    'supervised: no → yes; resume: always → –'
    >>> history_words("settings: {'modulus_text': 'It rained.', 'lines': False} → {}")
    'settings: modulus text It rained., lines no → –'
    >>> history_words("Participants: 12; seed: 1.")
    'Participants: 12; seed: 1.'
    """
    return "; ".join(_change(part) for part in _CHANGES.split(detail))


def _change(part: str) -> str:
    name, colon, change = part.partition(": ")
    before, arrow, after = change.partition(" → ")
    if not colon or not arrow:
        return part
    return f"{name.replace('_', ' ')}: {_said(before)} → {_said(after)}"


def _said(written: str) -> str:
    try:
        return _words(ast.literal_eval(written))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return written or "–"


def _words(value: Any) -> str:
    if value is None or value in ("", [], {}, ()):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_words(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        if any(isinstance(part, Mapping) for part in value):
            return ngettext("%(n)d entry", "%(n)d entries", len(value)) % {"n": len(value)}
        return ", ".join(_words(part) for part in value)
    return str(value)
