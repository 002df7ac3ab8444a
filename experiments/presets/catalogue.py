"""The presets, in the order in which they are offered. A new one is one more entry."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from experiments.paradigms import PARADIGMS
from experiments.paradigms.timed_choice.settings import FIRST_ANSWERS
from experiments.presets import scenes
from experiments.presets.declarations import Preset

# The card for which several others are chosen.
SEVERAL = "several-tasks"

_WORDS = {"en": ("nonword", "word"), "de": ("kein Wort", "Wort")}


def _word_or_not(language: str) -> dict[str, Any]:
    """Return the answers of a lexical decision as participants see them; without words of their own, no and yes.

    >>> _word_or_not("fr")["answers"].splitlines()
    ['nonword | f | non', 'word | j | oui']
    """
    no, yes = _WORDS.get(language, _WORDS["en"])
    if language not in _WORDS and language in FIRST_ANSWERS:
        no, yes = (line.rpartition("|")[2].strip() for line in FIRST_ANSWERS[language].splitlines())
    return {"answers": f"nonword | f | {no}\nword | j | {yes}"}


_LEXICAL = {"signal": "word", "deadline_ms": 2500, "accuracy_threshold": 75}

PRESETS: tuple[Preset, ...] = (
    Preset(
        "lexical-decision",
        _("Lexical decision"),
        _("Words and nonwords, one at a time; people press a key for “word” or “nonword”. Reaction times and errors."),
        "timed-choice",
        scenes.lexical_decision,
        settings={**_LEXICAL, "iti_jitter_ms": 300},
        settings_in=_word_or_not,
    ),
    Preset(
        "masked-priming",
        _("Masked priming"),
        _("A mask, a prime for 50 ms, then the target. People decide whether the target is a word."),
        "timed-choice",
        scenes.masked_priming,
        settings={
            **_LEXICAL,
            "fixation_ms": 300,
            "forward_mask": "#",
            "forward_mask_ms": 500,
            "prime_ms": 50,
            "respond_with": "keys",
        },
        settings_in=_word_or_not,
    ),
    Preset(
        "self-paced-reading",
        _("Self-paced reading"),
        _("People uncover a text word by word with the space bar. Reading times by region, and questions if you want."),
        "self-paced-reading",
        scenes.self_paced_reading,
        settings={"window": "moving", "unit": "word"},
    ),
    Preset(
        "acceptability-likert",
        _("Acceptability judgement by Likert scale"),
        _("People rate each sentence from 1 to 7. The question and its labels can be changed."),
        "rating",
        scenes.likert,
        templates=("acceptability",),
    ),
    Preset(
        "acceptability-magnitude",
        _("Acceptability judgement by magnitude estimation"),
        _("People give a reference sentence a number, and every other sentence a number relative to it."),
        "magnitude-estimation",
        scenes.magnitude_estimation,
    ),
    Preset(
        "ratings",
        _("Ratings of words, texts or pictures"),
        _("Scales and sliders for questions of your choice: familiarity, valence, naturalness, quality and others."),
        "rating",
        scenes.ratings,
    ),
    Preset(
        "cloze",
        _("Cloze"),
        _("People fill the gap of a sentence with one word. Cloze probabilities and entropy."),
        "typed-production",
        scenes.cloze,
        settings={"task": "completion", "one_word": True},
    ),
    Preset(
        "picture-naming",
        _("Picture naming"),
        _("People type the name of a picture. Naming latencies, name agreement and codes."),
        "typed-production",
        scenes.picture_naming,
        settings={"task": "naming"},
    ),
    Preset(
        "maze",
        _("Maze"),
        _("At every word, people choose which of two words continues the sentence."),
        "maze",
        scenes.maze,
        settings={"after_error": "redo", "error_delay_ms": 500},
    ),
    Preset(
        "best-worst",
        _("Best–worst scaling"),
        _("People choose the best and the worst of several texts."),
        "comparison",
        scenes.best_worst,
        settings={"task": "best-worst"},
    ),
    Preset(
        "ab-preference",
        _("A/B preference"),
        _("Two texts side by side; people choose the better one."),
        "comparison",
        scenes.preference,
        settings={"task": "pair"},
    ),
    Preset(
        "sentence-recall",
        _("Sentence recall"),
        _("People read a sentence, solve two sums and type what they remember. You then code the recalls."),
        "sentence-recall",
        scenes.sentence_recall,
    ),
    Preset(
        "mouse-reading",
        _("Mouse-contingent reading"),
        _("People uncover a text piece by piece with the pointer. Times and regressions by area of interest."),
        "mouse-contingent-reading",
        scenes.mouse_reading,
    ),
)


def offered_presets() -> tuple[Preset, ...]:
    """Return the presets, and a plain one for each paradigm of an installed package."""
    known = {preset.paradigm for preset in PRESETS}
    own = [
        Preset(paradigm.slug, _(paradigm.label), _(paradigm.summary), paradigm.slug, scenes.any_task)
        for paradigm in PARADIGMS
        if paradigm.slug not in known
    ]
    return (*PRESETS, *own)


def preset_named(slug: str) -> Preset:
    """Return the preset with this slug. Raises LookupError where there is none.

    >>> preset_named("cloze").settings_for("en")["one_word"]
    True
    """
    found = next((preset for preset in offered_presets() if preset.slug == slug), None)
    if found is None:
        raise LookupError(f"There is no preset '{slug}'.")
    return found
