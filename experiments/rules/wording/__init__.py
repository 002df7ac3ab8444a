"""Custom wording: texts of a study that replace those of the interface, also in languages that the platform lacks.

A wording is flat: `{"pages.next": "Go on", "pages.uploadingText.one": "…"}`, the last with a form for counts. In a
language that the platform does not have, `"language"` and `"direction"` say which, and no text may be missing.
"""

from experiments.rules.wording.files import MOST_BYTES, in_sections, read_language_file
from experiments.rules.wording.language import DIRECTION, LANGUAGE, own_direction, own_language
from experiments.rules.wording.reading import read_kept_wording, read_wording
from experiments.rules.wording.stored import (
    changes_since,
    known_texts,
    of_browser,
    without_originals,
    wording_shape_faults,
)
from experiments.rules.wording.texts import MOST_LETTERS, faults_of_text

__all__ = [
    "DIRECTION",
    "LANGUAGE",
    "MOST_BYTES",
    "MOST_LETTERS",
    "changes_since",
    "faults_of_text",
    "in_sections",
    "known_texts",
    "of_browser",
    "own_direction",
    "own_language",
    "read_kept_wording",
    "read_language_file",
    "read_wording",
    "without_originals",
    "wording_shape_faults",
]
