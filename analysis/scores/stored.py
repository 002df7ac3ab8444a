"""Store scores of stimuli, for exports and analyses; they are never sent to participants.

A score is computed here (the measures of `text-profile`, the scores of `overlap`) or elsewhere and uploaded. It has
values for texts as they were: one whose text has changed since counts as missing.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from analysis.methods.wording import counted, listed
from analysis.models import TextScore, TextScoreValue
from experiments.formats.faults import enumerated
from experiments.materials.columns import METRIC
from experiments.models import Stimulus, Study
from experiments.sentences import Sentence, counting
from experiments.study.audit import record

Scores = Mapping[str, Mapping[int, float]]
"""Scores by the name of their column, each with a value for every stimulus that has one."""


class ScoresRefused(ValueError):
    """Scores cannot be stored; the message says why and what to do."""


@dataclass(frozen=True)
class StoredScore:
    """A score with what a page says about it."""

    score: TextScore
    texts: int
    changed: int


def column_name(name: str) -> str:
    """Return the name of the column that a score gets.

    >>> column_name("BERTScore F1"), column_name("metric_bleu")
    ('metric_bertscore_f1', 'metric_bleu')
    """
    plain = re.sub(r"\W+", "_", name.strip().lower()).strip("_")
    return plain if plain.startswith(METRIC) else f"{METRIC}{plain}"


def text_hash(text: str) -> str:
    """Return what a text is recognised by."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def scores_of(study: Study) -> QuerySet[TextScore]:
    """Return the scores of the texts of a study, or of the task through which it is seen."""
    found = TextScore.objects.filter(study=study)
    if not study.chosen_task:
        return found
    values = TextScoreValue.objects.filter(score__study=study)
    has_values_here = Q(pk__in=values.filter(stimulus__item__part__in=study.current_tasks).values("score"))
    lost_its_texts = Q(part__in=[study.chosen_task, *(task.name for task in study.current_tasks)]) & ~Q(
        pk__in=values.values("score")
    )
    return found.filter(has_values_here | lost_its_texts)


def score_names(study: Study) -> list[str]:
    """Return the columns of the scores that are stored for a study."""
    return list(dict.fromkeys(scores_of(study).order_by("name").values_list("name", flat=True)))


def score_descriptions(study: Study) -> dict[str, str]:
    """Return what the codebook says of each score."""
    return {
        score.name: f"{score.provenance} Stored on {score.stored_at:%Y-%m-%d}; empty for texts without a value."
        for score in scores_of(study).order_by("name")
    }


def values_of(study: Study) -> dict[int, dict[str, float]]:
    """Return the scores of every text that is still what it was when they were computed."""
    rows = TextScoreValue.objects.filter(score__in=scores_of(study)).values_list(
        "stimulus_id", "score__name", "value", "text_hash", "stimulus__text"
    )
    found: dict[int, dict[str, float]] = defaultdict(dict)
    hashes: dict[int, str] = {}
    for stimulus, name, value, known, text in rows.iterator():
        if stimulus not in hashes:
            hashes[stimulus] = text_hash(text)
        if hashes[stimulus] == known:
            found[stimulus][name] = value
    return found


def score_facts(study: Study) -> list[object]:
    """Return what the cells of scores hang on; nothing where there is none."""
    return list(scores_of(study).values_list("pk", "name", "stored_at"))


def stored_scores(study: Study) -> list[StoredScore]:
    """Return the scores of a study, with how many texts have them and how many of these have changed."""
    there: dict[str, int] = defaultdict(int)
    for values in values_of(study).values():
        for name in values:
            there[name] += 1
    return [
        StoredScore(score, there[score.name], score.values.count() - there[score.name])
        for score in scores_of(study).select_related("stored_by").order_by("name")
    ]


def store(
    study: Study, scores: Scores, *, provenance: str, user: Any, taken: Sequence[str], replace: bool = False
) -> list[TextScore]:
    """Store scores for the texts of a study; all or none. `taken` are metrics that the materials themselves have.

    Raises ScoresRefused where a name belongs to the materials, or is stored already and is not to be replaced.
    """
    clash = sorted(set(scores) & set(taken))
    if clash:
        raise ScoresRefused(
            counting(
                "{names} is a column of the materials; give the score another name.",
                "{names} are a column of the materials; give the score another name.",
                len(clash),
                names=enumerated(clash),
            )
        )
    if not any(scores.values()):
        raise ScoresRefused(Sentence("No text of this study has a score in these data, so nothing was stored."))
    with transaction.atomic():
        # Two uploads at once store one after the other.
        Study.objects.select_for_update().get(pk=study.pk)
        known = scores_of(study).filter(name__in=scores)
        there = sorted(known.values_list("name", flat=True))
        if there and not replace:
            raise ScoresRefused(
                counting(
                    "{names} is stored already. Choose to replace it, or give the new score another name. "
                    "Nothing was stored.",
                    "{names} are stored already. Choose to replace them, or give the new scores other names. "
                    "Nothing was stored.",
                    len(there),
                    names=enumerated(there),
                )
            )
        known.delete()
        texts = dict(Stimulus.objects.filter(item__part__study=study).values_list("pk", "text"))
        made = [_stored(study, name, scores[name], texts, provenance=provenance, user=user) for name in scores]
        named = listed([f"{name} ({counted(len(scores[name]), 'text')})" for name in scores], shown=20)
        action = "scores of texts replaced" if there else "scores of texts stored"
        record(study, action=action, user=user, detail=f"{named}: {provenance}")
    return made


def _stored(
    study: Study, name: str, values: Mapping[int, float], texts: Mapping[int, str], *, provenance: str, user: Any
) -> TextScore:
    score = TextScore.objects.create(
        study=study,
        part=study.chosen_task,
        name=name,
        provenance=provenance,
        stored_by=user if isinstance(getattr(user, "pk", None), int) else None,
        stored_at=timezone.now(),
    )
    TextScoreValue.objects.bulk_create(
        TextScoreValue(score=score, stimulus_id=stimulus, value=value, text_hash=text_hash(texts[stimulus]))
        for stimulus, value in values.items()
        if math.isfinite(value)
    )
    return score


def remove(score: TextScore, *, user: Any) -> None:
    """Remove a score with all its values."""
    with transaction.atomic():
        record(score.study, action="scores of texts removed", user=user, detail=f"{score.name}: {score.provenance}")
        score.delete()
