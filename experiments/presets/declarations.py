"""What a preset is: a paradigm, its settings and questions, and a moving picture of a trial. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from experiments.paradigms import paradigm_named
from experiments.paradigms.pieces.rating_questions import template_questions
from experiments.presets.pictures import Scene


@dataclass(frozen=True)
class Preset:
    """What one wants to do. `slug` is also the name of its part in a study of several tasks.

    `settings` differ from the defaults of the paradigm; `settings_in` gives those that depend on the language of the
    participants. `templates` are templates of rating questions, which go into the setting `questions`.
    """

    slug: str
    label: Any
    summary: Any
    paradigm: str
    scene: Callable[[], Scene]
    settings: Mapping[str, Any] = field(default_factory=dict)
    settings_in: Callable[[str], Mapping[str, Any]] | None = None
    templates: tuple[str, ...] = ()

    def settings_for(self, language: str) -> dict[str, Any]:
        """Return the settings that a task begins with in a study in this language."""
        settings = {**paradigm_named(self.paradigm).settings_of_new_task(language), **self.settings}
        if self.settings_in:
            settings |= self.settings_in(language)
        if self.templates:
            settings["questions"] = [
                question for slug in self.templates for question in template_questions(slug, language)
            ]
        return settings

    @property
    def picture(self) -> Scene:
        """The moving picture of a trial, in the language of the page."""
        return self.scene()
