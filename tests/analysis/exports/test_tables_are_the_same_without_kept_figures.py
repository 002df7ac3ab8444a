"""Tables say the same of a session whether its figures are kept, are missing, or were made by other settings."""

from __future__ import annotations

import pytest

from analysis.exports import stream
from analysis.exports.sheets import sheets_of
from experiments.models import Study
from participants.models import Response, SessionFigures
from participants.session.figures import keep_missing_figures
from tests.participants.studies import Browser, open_study

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


def test_tables_are_the_same_with_and_without_figures(study: Study) -> None:
    for seed in range(3):
        Browser(study, seed=seed).answer_all()
    for place, response in enumerate(Response.objects.order_by("pk")):
        response.rt_ms = 500 if place % 4 == 0 else 2000 + place
        response.save()
    study.plan = {"exclusion_rules": [{"rule": "fast-trial", "ms": 1999}, {"rule": "outlying-sd", "k": 1}]}
    study.save()
    keep_missing_figures(study)
    assert any(SessionFigures.objects.values_list("ruled_out_trials", flat=True))
    names = [f"{sheet.name}.csv" for sheet in sheets_of(study)]
    whole = {name: b"".join(stream(study, name)) for name in names}
    assert b"planned rule: answered faster" in whole["trials.csv"]
    SessionFigures.objects.order_by("pk")[0].delete()  # a bundle of sessions with and without figures
    assert {name: b"".join(stream(study, name)) for name in names} == whole
    SessionFigures.objects.update(stamp="of other settings", ruled_out="not so", answered=0)
    assert {name: b"".join(stream(study, name)) for name in names} == whole
