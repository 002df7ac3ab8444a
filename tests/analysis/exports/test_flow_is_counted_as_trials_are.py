"""`flow.csv` is counted from figures that are kept, and says what `trials.csv` says, row by row."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from analysis.codebook.columns import names
from analysis.codebook.trials import trial_columns
from analysis.data.frames import data_stamp
from analysis.exports.rows.flow import kinds_of
from analysis.exports.rows.people import participant_rows
from analysis.exports.rows.stages import Kind, flow_of
from analysis.exports.rows.trials import trial_rows
from experiments.models import Study
from participants.models import Response, Session, SessionFigures
from participants.session.figures import keep_missing_figures
from participants.watching.exclusion import exclude
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import put_a_task_before

pytestmark = [pytest.mark.django_db, pytest.mark.both]
FAST_TRIAL, FAST_PERSON = {"rule": "fast-trial", "ms": 2500}, {"rule": "fast-participant", "ms": 200, "share": 0.5}
RULES: dict[str, list[dict[str, Any]]] = {
    "no rules": [],
    "single trials": [FAST_TRIAL],
    "people and trials": [FAST_TRIAL, FAST_PERSON],
}


def counted_in_rows(study: Study) -> Counter[Kind]:
    """Return what the flow counts, from the rows of `trials.csv`."""
    at = {name: place for place, name in enumerate(names(trial_columns(study).all))}
    return Counter(
        Kind(
            participant=str(row[at["participant"]]),
            is_filler=row[at["is_filler"]] == "true",
            is_simulated=row[at["simulated"]] == "true",
            is_excluded=row[at["excluded"]] == "true",
            reason=str(row[at["exclusion_reason"]] or ""),
        )
        for row in trial_rows(study)
        if row[at["phase"]] == "main" and row[at["answered"]] == "true"
    )


def filled(rules: list[dict[str, Any]]) -> Study:
    """Make a study with finished, unfinished, excluded and simulated sessions."""
    study = make_study(plan={"exclusion_rules": rules})
    kept = add_participants(study, 5)
    add_participants(study, 2, first=10, stop_after=7)
    add_participants(study, 1, first=20, stop_after=0)
    add_participants(study, 2, first=30, simulated=True)
    exclude(kept[1], reason="not a native speaker", user=None)
    Response.objects.filter(trial__session=kept[2]).update(interrupted=True, focus_losses=3)
    Response.objects.filter(trial__session=kept[3]).update(rt_ms=100)
    return study


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("several", [False, True], ids=["one task", "two tasks"])
def test_the_flow_counts_the_rows_of_trials(rules: list[dict[str, Any]], several: bool) -> None:
    study = filled(rules)
    if several:
        study = put_a_task_before(study)
    seen = [study, *(study.seen_through(task.name) for task in study.tasks if several)]
    expected = [counted_in_rows(one) for one in seen]
    reasons = {kind.reason for kind in expected[0]}
    assert {"", "not a native speaker", "session not finished"} <= reasons
    assert sum(reason.startswith("planned rule: ") for reason in reasons) == len(rules)
    assert [kinds_of(one) for one in seen] == expected  # made for the purpose
    assert not SessionFigures.objects.exists()
    rows, stamps = [list(participant_rows(one)) for one in seen], [data_stamp(one) for one in seen]
    assert keep_missing_figures(study) == Session.objects.filter(status=Session.Status.COMPLETE).count()
    assert [kinds_of(one) for one in seen] == expected  # stored
    assert [list(participant_rows(one)) for one in seen] == rows
    assert [data_stamp(one) for one in seen] == stamps
    assert flow_of(kinds_of(study)) == flow_of(expected[0].elements())
