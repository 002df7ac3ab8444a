"""Store and remove scores of words, at any time: participants never get them. Each change is in the history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from experiments.formats.faults import enumerated
from experiments.materials.word_tables import Values, WordTableRefused, text_hash, words_of
from experiments.models import Part, Stimulus, WordScore
from experiments.sentences import Sentence, counting
from experiments.study.audit import record


@transaction.atomic
def store_word_scores(
    part: Part, scores: Mapping[str, Values], *, together: str, provenance: str, user: Any, replace: bool = False
) -> list[WordScore]:
    """Store scores of the words of a task's texts; all or none.

    `together` is what a region of several words has, `sum` or `mean`. Raises WordTableRefused where one of the names is
    stored already and is not to be replaced.
    """
    known = WordScore.objects.select_for_update().filter(part=part, name__in=list(scores))
    there = sorted(score.name for score in known)
    if there and not replace:
        raise WordTableRefused(
            counting(
                "{names} is already stored. Say that it should be replaced, or give the column another name.",
                "{names} are already stored. Say that they should be replaced, or give the columns other names.",
                len(there),
                names=enumerated(there),
            )
        )
    known.delete()
    texts = dict(Stimulus.objects.filter(item__part=part).values_list("pk", "text"))
    made = [
        WordScore.objects.create(
            part=part,
            name=name,
            together=together,
            provenance=provenance,
            values={str(pk): {"text": text_hash(texts[pk]), "values": list(of)} for pk, of in values.items()},
            stored_by=user if isinstance(getattr(user, "pk", None), int) else None,
            stored_at=timezone.now(),
        )
        for name, values in scores.items()
    ]
    record(
        part.study,
        action="scores of words replaced" if there else "scores of words stored",
        user=user,
        detail=f"{part.name}, {', '.join(scores)}: {provenance}",
    )
    return made


@transaction.atomic
def remove_word_score(score: WordScore, *, user: Any) -> None:
    """Remove a score with all its values."""
    part = score.part
    record(
        part.study, action="scores of words removed", user=user, detail=f"{part.name}, {score.name}: {score.provenance}"
    )
    score.delete()


def word_score_named(part: Part, name: str) -> WordScore:
    """Return a score by its name. Raises WordTableRefused where the task has none of this name."""
    score = WordScore.objects.filter(part=part, name=name).first()
    if score is None:
        known = enumerated(list(WordScore.objects.filter(part=part).values_list("name", flat=True)))
        raise WordTableRefused(
            Sentence("There is no word score '{name}'. Possible names: {known}.", name=name, known=known)
        )
    return score


def copy_word_scores(source: Part, target: Part) -> None:
    """Give a task the scores of another one with the same texts."""
    places = {_place(one): one.pk for one in _stimuli(target)}
    here = {str(one.pk): places[_place(one)] for one in _stimuli(source) if _place(one) in places}
    for score in WordScore.objects.filter(part=source):
        WordScore.objects.create(
            part=target,
            values={str(here[pk]): of for pk, of in score.values.items() if pk in here},
            **{name: getattr(score, name) for name in ("name", "together", "provenance", "stored_by", "stored_at")},
        )


def _stimuli(part: Part) -> list[Stimulus]:
    return list(Stimulus.objects.filter(item__part=part).select_related("item", "condition"))


def _place(stimulus: Stimulus) -> tuple[str, str]:
    return stimulus.item.code, "" if stimulus.condition is None else str(sorted(stimulus.condition.levels.items()))


def current_values(part: Part) -> dict[int, dict[str, list[float | None]]]:
    """Return the values of every score by text, of texts that are still what they were when it was stored."""
    found: dict[int, dict[str, list[float | None]]] = {}
    scores = list(WordScore.objects.filter(part=part).order_by("name"))
    if not scores:
        return found
    for stimulus in Stimulus.objects.filter(item__part=part):
        for score in scores:
            of_text = score.values.get(str(stimulus.pk))
            is_current = of_text and of_text["text"] == text_hash(stimulus.text)
            if is_current and len(of_text["values"]) == len(words_of(stimulus.text, stimulus.extra)):
                found.setdefault(stimulus.pk, {})[score.name] = of_text["values"]
    return found
