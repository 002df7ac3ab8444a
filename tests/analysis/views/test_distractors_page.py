"""The page of a Maze study on which distractors are made by a run, reviewed, replaced one by one, and stored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.exports.reports import report_from
from analysis.models import AnalysisRun
from analysis.studies.distractors import newest_run, reviewed, with_another
from experiments.models import AuditEntry, Membership, Stimulus
from experiments.study.lifecycle import FrozenStudy, open_study, save_column
from experiments.study_files import create_from_toml
from tests.analysis.computed import execute
from tests.analysis.studies import make_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "maze-agents" / "study.toml"
# Two items are enough, and quick.
KEPT = ("barber", "pilot")


@pytest.fixture
def study(client):
    owner = get_user_model().objects.create_user("owner", is_staff=True)
    study = create_from_toml(EXAMPLE, user=owner, owner=owner)
    study.procedure = {**study.procedure, "leading_fillers": 0}
    study.save()
    study.items.exclude(code__in=KEPT).delete()
    for stimulus in Stimulus.objects.filter(item__part__study=study):
        stimulus.extra = {name: cell for name, cell in stimulus.extra.items() if name != "distractors"}
        stimulus.save()
    client.force_login(owner)
    return study


def address(study, name="distractors"):
    return reverse(f"analysis:{name}", args=[study.slug])


def made(study, client):
    client.post(address(study), {"seed": "1"})
    run = newest_run(study)
    execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    return run


def cells(study):
    return {
        stimulus.text: stimulus.extra.get("distractors", "")
        for stimulus in Stimulus.objects.filter(item__part__study=study).order_by("pk")
    }


def test_materials_of_a_maze_study_lead_to_the_page_and_those_of_others_do_not(study, client):
    assert address(study) in client.get(reverse("study:materials", args=[study.slug])).content.decode()
    other = make_study(owner=study.owner, slug="other")
    assert address(other) not in client.get(reverse("study:materials", args=[other.slug])).content.decode()
    assert client.get(address(other)).status_code == 404


def test_a_run_makes_them_one_click_replaces_one_and_another_stores_all(study, client):
    assert "0 of 4 texts have distractors" in client.get(address(study)).content.decode()
    run = made(study, client)
    assert run.params["keep"] == "fillers,practice"
    assert set(cells(study).values()) == {""}
    report = report_from(run.report)
    first = reviewed(report, {})[0]
    page = client.post(address(study), {"run": run.pk, "replaced": "", "replace": first.number}).content.decode()
    (replaced,) = re.findall(r'name="replaced" value="([^"]*)"', page)
    assert replaced == f"{first.number}:1"
    assert set(cells(study).values()) == {""}
    now = reviewed(report, {first.number: 1})[0]
    assert now.distractor != first.distractor
    assert now.is_replaced
    assert f"{now.distractor}" in page

    answer = client.post(address(study, "store_distractors"), {"run": run.pk, "replaced": replaced}, follow=True)
    assert "4 texts now have distractors" in answer.content.decode()
    stored = cells(study)
    barber = [beside for text, beside in stored.items() if "beard" in text]
    assert len(set(barber)) == 1, "conditions of an item share their distractors"
    assert barber[0].split()[:2] == ["x-x-x", now.distractor]
    assert barber[0].endswith(".")
    assert AuditEntry.objects.filter(study=study, action="materials changed").count() == 1
    # What else the materials say stays, and so do the texts themselves.
    assert Stimulus.objects.filter(item__part__study=study, extra__critical_region="3").count() == 4
    assert "4 of 4 texts have distractors" in client.get(address(study)).content.decode()


def test_replacing_goes_round_and_never_takes_a_word_of_the_same_item(study, client):
    report = report_from(made(study, client).report)
    places = reviewed(report, {})
    replaced: dict[int, int] = {}
    seen = [places[0].distractor]
    for _ in range(7):
        replaced = with_another(report, replaced, places[0].number)
        now = reviewed(report, replaced)
        of_item = [place.distractor for place in now if place.item == places[0].item]
        assert len(set(of_item)) == len(of_item)
        seen.append(now[0].distractor)
    assert len(set(seen)) == 7
    assert seen[-1] == seen[0]
    assert with_another(report, {}, 10_000) == {}


def test_texts_that_changed_in_the_meantime_are_not_given_what_was_made_for_others(study, client):
    run = made(study, client)
    Stimulus.objects.filter(item__part__study=study, text__startswith="The waiter").update(text="The waiter slept.")
    answer = client.post(address(study, "store_distractors"), {"run": run.pk, "replaced": ""}, follow=True)
    assert "Make them again. Nothing was stored." in answer.content.decode()
    assert set(cells(study).values()) == {""}


def test_a_review_of_older_distractors_stores_nothing(study, client):
    run = made(study, client)
    answer = client.post(address(study, "store_distractors"), {"run": run.pk + 1, "replaced": ""}, follow=True)
    assert "New distractors were made in the meantime" in answer.content.decode()
    assert set(cells(study).values()) == {""}


def test_an_opened_study_keeps_its_distractors(study, client):
    run = made(study, client)
    client.post(address(study, "store_distractors"), {"run": run.pk, "replaced": ""})
    before = cells(study)
    open_study(study, user=study.owner)
    page = client.get(address(study)).content.decode()
    assert "Locked: the study has been opened" in page
    assert "materials/distractors/store" not in page
    client.post(address(study, "store_distractors"), {"run": run.pk, "replaced": "1:1"})
    assert cells(study) == before
    with pytest.raises(FrozenStudy):
        save_column(study, "distractors", {}, study.owner)


def test_whoever_only_looks_changes_nothing(study, client):
    run = made(study, client)
    viewer = get_user_model().objects.create_user("viewer", is_staff=True)
    Membership.objects.create(study=study, user=viewer, role="viewer")
    client.force_login(viewer)
    assert "materials/distractors/store" not in client.get(address(study)).content.decode()
    for name in ("distractors", "store_distractors"):
        assert client.post(address(study, name), {"run": run.pk, "replaced": "", "seed": "1"}).status_code == 403
    assert set(cells(study).values()) == {""}
