"""Answers, scores and checks of a questionnaire in `participants.csv`, `trials.csv` and `answers.csv`."""

import csv
import io
import json

import pytest

from analysis.exports import export_files
from experiments.questionnaire.complete import complete_question
from experiments.questionnaire.table import TEMPLATE
from participants.models import Response, Session, Trial
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db

ANSWERS = {
    "hand": "right",
    "devices": ["paper", "computer"],
    "books": 12,
    "birth_year": None,
    "job": "baker",
    "tired": 1,
    "now": {"awake": 4, "drifting": 1, "check": 3},
    "mood": 70,
    "languages": [{"language": "Welsh", "age": 0, "years": 20, "skills": {"speaking": 10}}],
    "honest": True,
}
TIMES = {"now": {"first_ms": 900.5, "last_ms": 2000.0, "changes": 4}}


@pytest.fixture
def files():
    study = make_study()
    study.questions = [complete_question(question) for question in TEMPLATE]
    study.save()
    add_participants(study, 1)
    trial = Trial.objects.filter(session=Session.objects.get(study=study)).order_by("position").first()
    Trial.objects.filter(pk=trial.pk).update(plugin="background-questions", phase="questions", stimulus=None)
    payload = {"answers": ANSWERS, "times": TIMES, "earlier_attempts": [{"answers": ANSWERS}]}
    Response.objects.filter(trial=trial).update(payload=payload)
    texts = {path: b"".join(pieces).decode() for path, pieces in export_files(study)}
    return {
        path: list(csv.DictReader(io.StringIO(text, newline=""))) for path, text in texts.items() if path[-3:] == "csv"
    }


def test_participants_csv_has_a_column_for_every_answer_then_scores_and_checks(files):
    [row] = files["participants.csv"]
    assert list(row)[-15:] == [
        "hand", "devices", "books", "birth_year", "job", "left_since", "tired", "now_awake", "now_drifting",
        "now_check", "mood", "languages", "honest", "score_alertness", "check_failed",
    ]  # fmt: skip
    assert (row["devices"], row["books"], row["birth_year"], row["honest"]) == ("paper|computer", "12", "", "true")
    assert json.loads(row["languages"])[0]["language"] == "Welsh"
    # tired 1 counts 5, awake 4, drifting 1 counts 5; the check in the same matrix does not count
    assert float(row["score_alertness"]) == pytest.approx(14 / 3)
    assert row["check_failed"] == "1"


def test_trials_csv_has_further_answers_at_its_end(files):
    row = files["trials.csv"][0]
    names = list(row)
    assert names[names.index("onset_error_ms") + 1 :] == [
        "part", "devices", "birth_year", "tired", "now_awake", "now_drifting", "now_check", "mood", "honest",
        "score_alertness", "check_failed", "out_of_view", "draft_restored", "page_slept_ms",
    ]  # fmt: skip
    [score] = {one["score_alertness"] for one in files["trials.csv"]}
    assert float(score) == pytest.approx(14 / 3)


def test_answers_csv_has_a_row_for_every_answer_of_both_attempts(files):
    rows = files["answers.csv"]
    assert [row["attempt"] for row in rows] == ["1"] * 13 + ["2"] * 13
    last = {row["question"]: row for row in rows if row["attempt"] == "2"}
    assert last["now_check"] | {"participant": ""} == {
        "study": "causes", "participant": "", "part": "background", "question": "now_check", "answer": "3",
        "rt_ms": "900.5", "changed": "4", "last_ms": "2000.0", "attempt": "2", "state": "answered", "expected": "false",
        "simulated": last["now_check"]["simulated"],
    }  # fmt: skip
    assert (last["left_since"]["state"], last["birth_year"]["state"]) == ("not shown", "no answer")


def test_every_column_of_them_is_in_the_codebook(files):
    described = {(row["file"], row["column"]) for row in files["codebook.csv"] if row["description"]}
    for file in ("participants.csv", "answers.csv", "trials.csv"):
        assert {(file, column) for column in files[file][0]} <= described
