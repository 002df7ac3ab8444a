"""The picture of a trial, as the browser gets it. The one place that knows how a row of the materials names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.paradigms.base import ShownStimulus, alt_column

COLUMN = "image"


def names_picture(extra: Mapping[str, Any]) -> bool:
    """Return whether a row of the materials has a picture."""
    return bool(extra.get(COLUMN))


def picture_of(stimulus: ShownStimulus) -> dict[str, Any] | None:
    """Return `{kind, url, width, height, alt}` of a row's picture; None where it has none."""
    picture = stimulus.media.get(COLUMN)
    return {**picture, "alt": str(stimulus.extra.get(alt_column(COLUMN), "") or "")} if picture else None
