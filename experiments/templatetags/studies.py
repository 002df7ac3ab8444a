"""Template filters of the study pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from experiments.formats.direction import direction_of

register = template.Library()


@register.filter
def at(values: Mapping[Any, Any], key: Any) -> Any:
    """Return the value under a key.

    >>> at({"flood": 7}, "flood")
    7
    """
    return values[key]


@register.filter
def direction(text: object) -> SafeString:
    """Return the attribute that gives an element the direction of its text; nothing for a text without letters.

    >>> direction("הדלת נפתחה.")
    ' dir="rtl"'
    >>> direction(12)
    ''
    """
    texts = [str(each) for each in text] if isinstance(text, list | tuple) else [str(text)]
    found = direction_of(" ".join(texts))
    # One of two constants, never what somebody wrote.
    return mark_safe(f' dir="{found}"' if found else "")  # noqa: S308
