"""Who waits for analyses at a terminal is told which of how many is computed, and each tenth of it once."""

import pytest

from analysis.management.waiting import wait_for
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db
Status = AnalysisRun.Status


@pytest.fixture
def waiting_runs():
    study = make_study()
    add_participants(study, 2)
    return [
        request_run(study, method="normalise", params={"dv": "rating", "how": how}, user=None) for how in ("z", "log")
    ]


def told_of(waiting_runs, *steps, seconds=60.0):
    """Return what is said while `steps` happen in the database, one after each look."""
    left = list(steps)
    lines: list[str] = []

    def sleep(_seconds):
        for run, values in left.pop(0).items():
            AnalysisRun.objects.filter(pk=waiting_runs[run].pk).update(**values)

    wait_for(waiting_runs, tell=lines.append, seconds=seconds, sleep=sleep)
    assert not left
    return lines


def test_each_analysis_is_named_when_it_begins_and_each_tenth_of_it_is_said_once(waiting_runs):
    running = {"status": Status.RUNNING}
    assert told_of(
        waiting_runs,
        {1: running},
        {1: {"progress": 0.31, "progress_note": "fold 4 of 12"}},
        {1: {"progress": 0.39}},
        {1: {"progress": 0.4, "progress_note": ""}},
        {1: {"status": Status.DONE, "progress": 1}, 0: running},
        {0: {"status": Status.DONE, "progress": 1}},
    ) == [
        "Analysis 1 of 2: Normalisation of causes",
        "  30 %: fold 4 of 12",
        "  40 %",
        "Analysis 2 of 2: Normalisation of causes",
    ]


def test_an_analysis_that_fails_between_two_looks_is_named_all_the_same(waiting_runs):
    failed = {"status": Status.FAILED, "error": "There is no variance."}
    lines = told_of(waiting_runs, {0: failed, 1: failed})
    assert lines == ["Analysis 1 of 2: Normalisation of causes", "Analysis 2 of 2: Normalisation of causes"]
    assert [run.error for run in waiting_runs] == ["There is no variance."] * 2


def test_waiting_ends_with_an_error_that_counts_what_is_unfinished(waiting_runs):
    with pytest.raises(TimeoutError, match="2 of 2 analyses are unfinished after 0 s"):
        told_of(waiting_runs, seconds=0.0)


def test_nothing_is_said_where_nothing_is_unfinished():
    assert told_of([]) == []
