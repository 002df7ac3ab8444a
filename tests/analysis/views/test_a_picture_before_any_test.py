"""Analyse begins with the main measure by condition: after exclusions, before any test, not under a sequential plan."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from django.urls import reverse

from analysis.data.frames import study_data
from analysis.models import SessionMeans
from analysis.studies import picture
from analysis.views import picture as pages
from analysis.views.asking import suggestions
from experiments.models import Study
from participants.models import Session
from tests.analysis.sequential.plans import planned
from tests.analysis.studies import add_participants, make_study
from tests.analysis.views.test_analysis_pages import logged_in, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    made = make_study(owner=person("owner"))
    add_participants(made, 8)
    return made


def shown(study: Study) -> dict[tuple[str, ...], tuple[float, int]]:
    """Return the means of the picture and of how many people they are."""
    measure = picture.main_measure(study, suggestions(study))
    assert measure is not None
    picture.fill(study, measure)
    rows = picture.report_of(study, measure).table("means").rows
    return {row[:-4]: (row[-4], row[-1]) for row in rows}


def by_hand(study: Study, column: str = "rating_log") -> dict[tuple[str, ...], float]:
    """Return the means over people of their means, from the table that is exported."""
    trials = study_data(study).frame
    kept = trials[(trials["excluded"] == "false") & (trials["is_filler"] == "false") & (trials["phase"] == "main")]
    values = kept.assign(value=pd.to_numeric(kept[column])).groupby(["marker", "order", "participant"])["value"].mean()
    return {levels: mean for levels, mean in values.groupby(["marker", "order"]).mean().items()}  # type: ignore[misc]  # noqa: C416


def test_the_picture_has_the_means_of_the_exported_table(study):
    found = shown(study)
    assert {levels: mean for levels, (mean, _n) in found.items()} == pytest.approx(by_hand(study))
    assert {n for _mean, n in found.values()} == {8}


def test_who_is_excluded_is_not_in_it_and_comes_back_without_being_read_again(study, django_assert_max_num_queries):
    before = shown(study)
    Session.objects.filter(pk=Session.objects.first().pk).update(is_excluded=True, exclusion_reason="asleep")
    without = shown(study)
    assert {n for _mean, n in without.values()} == {7}
    assert {levels: mean for levels, (mean, _n) in without.items()} == pytest.approx(by_hand(study))
    Session.objects.update(is_excluded=False, exclusion_reason="")
    kept = list(SessionMeans.objects.values_list("pk", flat=True))
    assert shown(study) == before
    assert list(SessionMeans.objects.values_list("pk", flat=True)) == kept


def test_simulated_people_are_shown_only_as_long_as_nobody_is_real(study):
    add_participants(study, 4, first=8, simulated=True)
    assert {n for _mean, n in shown(study).values()} == {8}
    Session.objects.filter(is_simulated=False).delete()
    assert {n for _mean, n in shown(study).values()} == {4}


def test_another_measure_makes_the_means_again(study):
    shown(study)
    stamps = set(SessionMeans.objects.values_list("stamp", flat=True))
    plan = {"exclusion_rules": [{"rule": "trial-rt", "at_least": 100}]}
    Study.objects.filter(pk=study.pk).update(plan=plan)
    measure = picture.main_measure(Study.objects.get(pk=study.pk), suggestions(study))
    assert {measure.stamp} != stamps


def test_every_person_is_a_dot_that_says_its_value_and_not_whose_it_is(client, study):
    logged_in(client, study.owner)
    answer = client.get(reverse("analysis:picture", args=[study.slug]))
    assert answer["Content-Type"] == "image/svg+xml"
    drawn = answer.text
    assert len(re.findall(r'aria-roledescription="single value"', drawn)) == 8 * 4
    assert "P0001" not in drawn
    assert "sandbox" in answer["Content-Security-Policy"]
    narrow = client.get(reverse("analysis:picture", args=[study.slug]) + "?width=85").text
    assert 'width="85mm"' in narrow


def test_of_very_many_people_a_dot_stands_for_several(study, monkeypatch):
    monkeypatch.setattr(picture, "MOST_DOTS", 4)
    measure = picture.main_measure(study, suggestions(study))
    assert measure is not None
    picture.fill(study, measure)
    report = picture.report_of(study, measure)
    assert len(report.table("people").rows) == 4 * 4
    assert "about 2 people" in report.figures[0].caption


def test_much_to_read_is_read_in_steps_and_the_page_says_how_far_it_is(client, study, monkeypatch):
    monkeypatch.setattr(picture, "AT_ONCE", 3)
    monkeypatch.setattr(picture, "SECONDS", 0.0)
    monkeypatch.setattr(picture.fill, "__kwdefaults__", {"seconds": 0.0})
    monkeypatch.setattr(pages, "BY_ITSELF", 3)
    logged_in(client, study.owner)
    address = reverse("analysis:analyse", args=[study.slug])
    steps = reverse("analysis:picture_progress", args=[study.slug])
    assert steps in client.get(address).text
    told = [client.get(steps).json() for _step in range(3)]
    assert [one["status"] for one in told] == ["running", "running", "done"]
    assert told[0]["note"] == "3 of 8 people"
    page = client.get(address).text
    assert steps not in page
    assert reverse("analysis:picture", args=[study.slug]) in page


def test_a_sequential_plan_hides_it_until_it_stops(client, study):
    Study.objects.filter(pk=study.pk).update(plan=planned())
    logged_in(client, study.owner)
    page = client.get(reverse("analysis:analyse", args=[study.slug])).text
    assert "a sequential analysis decides when the study stops" in page
    assert reverse("analysis:picture", args=[study.slug]) not in page
    for name in ("picture", "picture_progress"):
        assert client.get(reverse(f"analysis:{name}", args=[study.slug])).status_code == 404
    assert not SessionMeans.objects.exists()


def test_the_picture_stands_before_everything_that_is_tested(client, study):
    page = logged_in(client, study.owner).get(reverse("analysis:analyse", args=[study.slug])).text
    assert page.index("What the data show") < page.index("Suggested for this study")
