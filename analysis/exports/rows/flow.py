"""The rows of `flow.csv`: people and trials at every stage, counted as `trials.csv` has them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from django.db.models import Count

from analysis.exports.rows.stages import Kind, Stage, flow_of
from analysis.exports.stored import ROWS_AT_ONCE, in_bundles, left_out_because
from experiments.models import Study
from participants.models import Session, Trial
from participants.session.figures import counted_by_session

_ASKED = ("pk", "participant__pseudonym", "is_simulated", "status", "is_excluded", "exclusion_reason")


def study_flow(study: Study) -> list[Stage]:
    """Return how many people and trials a study has at every stage; without answers there are none at any."""
    return flow_of(kinds_of(study))


def kinds_of(study: Study) -> Counter[Kind]:
    """Return how many answered trials of the main phase are alike in all that the flow asks of them.

    Of finished sessions from their figures; a session that is left out as a whole has no other reason than that.
    """
    of_parts = {task.pk for task in study.seen_tasks} if study.chosen_task and study.has_several_tasks else None
    kinds = Counter[Kind]()
    sessions = Session.objects.filter(study=study).order_by("pk").values_list(*_ASKED)
    for bundle in in_bundles(sessions.iterator(chunk_size=ROWS_AT_ONCE), ROWS_AT_ONCE):
        finished = [pk for pk, _name, _simulated, status, *_ in bundle if status == Session.Status.COMPLETE]
        counted = counted_by_session(study, finished)
        counted |= _counted_of_others([pk for pk, *_ in bundle if pk not in counted])
        for pk, name, is_simulated, status, is_excluded, stated in bundle:
            reason = left_out_because(status, is_excluded, stated)
            is_left_out = is_excluded or status != Session.Status.COMPLETE
            for part, is_filler, rule, number in counted.get(pk, ()):
                if of_parts is None or part in of_parts:
                    own = reason if is_left_out else rule
                    kinds[Kind(name, bool(is_filler), is_simulated, bool(is_left_out or rule), own)] += number
    return kinds


def _counted_of_others(sessions: Sequence[int]) -> dict[int, list[list[int | bool | str]]]:
    """Return the same of sessions that were not finished, of which rules say nothing."""
    answered = Trial.objects.filter(session__in=sessions, phase="main", response__isnull=False).order_by()
    columns = answered.values_list("session", "part", "stimulus__item__is_filler").annotate(number=Count("pk"))
    found: dict[int, list[list[int | bool | str]]] = defaultdict(list)
    for session, part, is_filler, number in columns:
        found[session].append([part, bool(is_filler), "", number])
    return found
