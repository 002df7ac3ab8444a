"""Make a draft of one or several presets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.models import Part, Study
from experiments.presets.declarations import Preset
from experiments.study.lifecycle import create_study


def study_from_presets(
    presets: Sequence[Preset], *, slug: str, title: str, language: str, user: Any, **facts: str
) -> Study:
    """Return a new draft whose task begins with the settings of a preset; of several presets, a part for each.

    `facts` are further fields of the study, such as who is responsible. Raises ValidationError (of Django) for
    fields that are not valid.
    """
    details: dict[str, Any] = {"slug": slug, "title": title, "language": language, "user": user, **facts}
    if len(presets) == 1:
        (preset,) = presets
        return create_study(paradigm=preset.paradigm, settings=preset.settings_for(language), **details)
    parts = [
        Part(name=preset.slug, kind=Part.Kind.TASK, paradigm=preset.paradigm, settings=preset.settings_for(language))
        for preset in presets
    ]
    return create_study(ordered_parts=parts, **details)
