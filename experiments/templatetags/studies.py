"""Template filters of the study pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def at(values: Mapping[Any, Any], key: Any) -> Any:
    """Return the value under a key.

    >>> at({"flood": 7}, "flood")
    7
    """
    return values[key]
