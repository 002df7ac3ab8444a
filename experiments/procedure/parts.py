"""Plan the trials of one part in a session: a task, a questionnaire or a page."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.models import Part
from experiments.paradigms.base import TrialPlan
from experiments.paradigms.pieces.shared_pages import PAGES
from experiments.procedure.arranging import waiting
from experiments.procedure.piping import Texts, with_answers
from experiments.procedure.sessions import plan_questions, plan_task, snapshot_of_list
from experiments.procedure.texts import Page, current_text, pages_of


def plan_part(
    part: Part,
    *,
    list_id: int | None,
    seed: int,
    earlier: Sequence[Mapping[str, Any]] = (),
    answers: Callable[[], Texts] | None = None,
) -> list[TrialPlan]:
    """Return the trials of a part in a session with this seed; `list_id` is that of a task.

    `earlier` are the measures of other sessions, for a task whose paradigm learns from answers. `answers` returns the
    texts of the answers that pages, questions and instructions may name; without it names stand in their place.

    The first task's order depends on the seed only, that of others on the seed and their name, so that two tasks with
    equally many items have different orders. Raises ImpossibleOrder as `plan_session` does.
    """
    return with_answers(_planned(part, list_id=list_id, seed=seed, earlier=earlier), answers)


def _planned(part: Part, *, list_id: int | None, seed: int, earlier: Sequence[Mapping[str, Any]]) -> list[TrialPlan]:
    match part.kind:
        case Part.Kind.TASK:
            is_first = part.pk == part.study.tasks[0].pk
            rng = random.Random(seed if is_first else f"{seed} {part.name}")  # noqa: S311 - an order to be made again
            return plan_task(replace(snapshot_of_list(part, list_id), earlier=earlier), rng=rng, seed=seed)
        case Part.Kind.QUESTIONNAIRE:
            attempts = int(part.settings.get("attempts", 1))
            return plan_questions(
                part.title or part.study.wording.get("pages.questionsHeading", ""),
                part.questions,
                language=part.study.language,
                seed=seed,
                part=part.name,
                attempts=attempts,
                pages=_instructions_after(part) if attempts > 1 else (),
            )
        case _:
            pages = pages_of(part, part.study)
            wait = waiting(part.settings.get("minimum_seconds"))
            return [TrialPlan("page", PAGES, {"pages": pages, "kind": "page", **wait})] if pages else []


def _instructions_after(part: Part) -> Sequence[Page]:
    """Return the instructions of the task after a comprehension check; those of the last task if none follows."""
    tasks = [task for task in part.study.tasks if task.position > part.position] or part.study.tasks[-1:]
    return pages_of(current_text(part.study, "instructions", tasks[0]) if tasks else None, part.study)
