"""Select the responses of a study to be coded, and give them opaque names for coders."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from analysis.coding.refusals import CodingRefusal
from analysis.models import CodingQueue, CodingState
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence
from participants.models import Response, Session
from participants.session.planned_exclusion import people_have_answered


@dataclass(frozen=True)
class Recall:
    """One text to code. `recall_id` tells nothing of who wrote it or when; `extra` are the marks of the materials."""

    response_id: int
    recall_id: str
    stimulus: str
    text: str
    extra: Mapping[str, Any]


def is_coded(study: Study) -> bool:
    """Return whether the study, or the task through which it is seen, has something that people code."""
    if study.shows_several_tasks:
        return bool(coded_tasks(study))
    return bool(paradigm_named(study.paradigm).coded_measure_of(study.settings))


def coded_tasks(study: Study) -> list[Study]:
    """Return the study seen through each of its tasks that people code; as it is where it has one task."""
    tasks = [study.seen_through(task.name) for task in study.seen_tasks] if study.has_several_tasks else [study]
    return [seen for seen in tasks if is_coded(seen)]


def through_coded_task(study: Study) -> Study:
    """Return the study as one of the task that is coded: the one through which it is seen, or the first that people
    code. Coders and codes are those of the study, what they code is of one task at a time.
    """
    if study.chosen_task or not study.has_several_tasks:
        return study
    return next(iter(coded_tasks(study)), study)


def state_of(study: Study) -> CodingState:
    """Return what holds for all coders of the study; one that is not stored where nobody has a queue yet."""
    return CodingState.objects.filter(study=study).first() or CodingState(study=study)


def locked_state(study: Study) -> CodingState:
    """Return the same, stored and held until the transaction ends, so that no two changes of codings cross."""
    state, _created = CodingState.objects.get_or_create(study=study, defaults={"salt": secrets.token_hex(16)})
    return CodingState.objects.select_for_update(of=("self",)).get(pk=state.pk)


def refuse_frozen(state: CodingState) -> None:
    """Raise CodingRefusal `frozen` where the codings are."""
    if state.is_frozen:
        raise CodingRefusal(
            "frozen",
            Sentence(
                "The codings of this study are frozen, so nothing was changed. The owner of the study can "
                "unfreeze them."
            ),
        )


def recall_id(state: CodingState, response_id: int) -> str:
    """Return the opaque name of a response: the same for all coders, and without order."""
    return "R" + hashlib.sha256(f"{state.salt}:{response_id}".encode()).hexdigest()[:10].upper()


def coded_responses(study: Study, state: CodingState) -> QuerySet[Response]:
    """Return the responses that are coded: of completed sessions that are not excluded, main phase, no practice.

    Fillers are among them where the study says so; what simulated participants wrote is until people have answered.
    """
    paradigm = paradigm_named(study.paradigm)
    if not paradigm.coded_measure_of(study.settings):
        return Response.objects.none()
    responses = Response.objects.filter(
        **of_task(study, "trial"),
        trial__session__status=Session.Status.COMPLETE,
        trial__session__is_excluded=False,
        trial__phase="main",
        trial__plugin__in=list(paradigm.responses),
        trial__stimulus__isnull=False,
        trial__stimulus__item__is_practice=False,
    )
    if people_have_answered(study):
        responses = responses.filter(trial__session__is_simulated=False)
    return responses if state.with_fillers else responses.filter(trial__stimulus__item__is_filler=False)


def of_task(study: Study, trial: str) -> dict[str, Any]:
    """Return the condition that the trial of a row is of the study, and of its task where it has several."""
    part = {f"{trial}__part__in": study.current_tasks} if study.has_several_tasks else {}
    return {f"{trial}__session__study": study, **part}


def of_coders(study: Study) -> dict[str, Any]:
    """Return the condition that a coding is by somebody who has a queue; what a removed one left counts no more."""
    return {"coder__in": CodingQueue.objects.filter(study=study).values("coder")}


def ids_of(study: Study, state: CodingState) -> dict[str, int]:
    """Return opaque name → response of everything that is coded."""
    return {recall_id(state, pk): pk for pk in coded_responses(study, state).order_by().values_list("pk", flat=True)}


def recalls(study: Study, state: CodingState, response_ids: list[int]) -> dict[int, Recall]:
    """Return the texts of responses, by response."""
    paradigm = paradigm_named(study.paradigm)
    rows = Response.objects.filter(pk__in=response_ids).values_list(
        "pk", "payload", "trial__params", "trial__stimulus__text", "trial__stimulus__extra"
    )
    return {
        pk: Recall(
            response_id=pk,
            recall_id=recall_id(state, pk),
            stimulus=_shown(params, text),
            text=recalled(paradigm, params, payload),
            extra=extra or {},
        )
        for pk, payload, params, text, extra in rows
    }


def recalled(paradigm: Paradigm, params: Mapping[str, Any], payload: Mapping[str, Any]) -> str:
    """Return what a participant wrote."""
    text = paradigm.measure(params, payload, ()).get(paradigm.coded_measure)
    return text if isinstance(text, str) else ""


def _shown(params: Mapping[str, Any], stimulus: str) -> str:
    text = params.get("text")
    return text if isinstance(text, str) else stimulus
