"""Settings of a comparison study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.design.together import TogetherDesign, together_design
from experiments.paradigms.pieces.fields import SaidField, break_every_field, switch, whole_number
from experiments.paradigms.pieces.media import (
    NO_SOUND,
    REPLAY,
    headphones_check_field,
    sound_check_field,
    sound_field,
)

PAIR, BEST_WORST, RANKING = "pair", "best-worst", "ranking"
BALANCED, EVERY, ADAPTIVE = "balanced", "all", "adaptive"
MOST_OPTIONS = 8


def compared_sound_field() -> forms.ChoiceField:
    """Return the field for how often each sound of a page may be played; sounds never start by themselves."""
    field = sound_field()
    field.choices = [
        (NO_SOUND, _("the study has none")),
        ("once", _("each is played once, when people press its button")),
        (REPLAY, _("each is played as often as people press its button")),
    ]
    return field


class ComparisonSettings(forms.Form):
    """Settings of a comparison study."""

    folded = (
        (_("Which texts are compared"), ("options", "design", "per_item")),
        (_("Sounds"), ("sound", "sound_check", "headphones_check")),
    )

    task = forms.ChoiceField(
        label=_("What people do"),
        choices=[
            (PAIR, _("Choose the better of two texts")),
            (BEST_WORST, _("Choose the best and the worst of several")),
            (RANKING, _("Put several in order")),
        ],
        initial=PAIR,
        help_text=_("All texts of a page are of one item, each in another condition."),
    )
    question = SaidField(
        label=_("The question"),
        required=False,
        max_length=500,
        help_text=_(
            "Shown above the texts. If empty, people read “Which text is better?” or a similar question "
            "in the study's language."
        ),
    )
    no_difference = switch(
        _("“No difference” is an answer"), False, _("Only for two texts. Without it, people have to choose.")
    )
    options = whole_number(
        _("Texts on a page"),
        0,
        _("0: two texts if people choose the better one, otherwise one in each condition, up to eight."),
        high=MOST_OPTIONS,
    )
    design = forms.ChoiceField(
        label=_("Which conditions are compared"),
        choices=[
            (BALANCED, _("Balanced over the lists")),
            (EVERY, _("All possible pairs, for every item and everybody")),
            (ADAPTIVE, _("Adaptive: the pairs about which earlier answers say least (two texts)")),
        ],
        initial=BALANCED,
        help_text=_(
            "Balanced: every pair (or block) of conditions of every item appears equally often, at every place "
            "equally often. Adaptive: when a session begins, the platform chooses the pairs for which the order "
            "of the conditions is least certain; do not test hypotheses about single pairs with it. “Conditions "
            "of an item” has no effect here."
        ),
    )
    per_item = whole_number(
        _("Comparisons of each item per person"),
        1,
        _(
            "Each comparison has another pair (or block) of conditions. The number has no effect if everybody sees "
            "all of them."
        ),
        low=1,
        high=120,
    )
    break_every = break_every_field(
        _("Break after every … comparisons"), 20, _("0 means no breaks. There is none after the last comparison.")
    )
    sound = compared_sound_field()
    sound_check = sound_check_field()
    headphones_check = headphones_check_field()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        is_pair = cleaned.get("task") == PAIR
        options = cleaned.get("options") or 0
        if cleaned.get("no_difference") and not is_pair:
            self.add_error(
                "no_difference", _("“No difference” is possible only if people choose the better of two texts.")
            )
        if cleaned.get("design") == ADAPTIVE and not is_pair:
            self.add_error("design", _("Only pairs can be chosen adaptively."))
        if is_pair and options not in (0, 2):
            self.add_error("options", _("People choose the better of two texts. Write 0 or 2, or choose another task."))
        if not is_pair and options in (1, 2):
            self.add_error("options", _("Write 0 or at least 3. Two texts are a pair."))
        return cleaned


def options_of(n_conditions: int, settings: Mapping[str, Any]) -> int:
    """Return how many texts a page shows; settings may be those of a draft."""
    if settings.get("task", PAIR) == PAIR:
        return 2
    return int(settings.get("options") or 0) or min(n_conditions, MOST_OPTIONS)


def design_of(n_conditions: int, settings: Mapping[str, Any]) -> TogetherDesign:
    """Return the design of the comparisons. Raises ValueError if that many conditions cannot be compared in this
    way.
    """
    kind = settings.get("design", BALANCED)
    return together_design(
        n_conditions,
        size=options_of(n_conditions, settings),
        per_item=int(settings.get("per_item", 1)),
        every=kind == EVERY,
        is_adaptive=kind == ADAPTIVE,
    )
