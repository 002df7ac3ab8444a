"""The pages of a sequential plan: stated in a draft, frozen by opening, blind while people take part, then told."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.methods.wording import p_text
from analysis.models import AnalysisRun, SequentialLook
from analysis.papers.collected import collect
from analysis.runs.looks import ClaimedLook
from analysis.studies.planned import standing_of
from analysis.studies.sequential import opening_warnings
from experiments.models import Membership, Study
from experiments.study.lifecycle import save_plan
from tests.analysis.computed import execute
from tests.analysis.sequential.plans import FORMULA, SEQUENTIAL, made, planned
from tests.analysis.studies import add_participants, make_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def owner(client):
    user = get_user_model().objects.create_user("ada", is_staff=True)
    client.force_login(user)
    return user


@pytest.fixture
def draft(owner):
    study = make_study(owner=owner)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)
    study.refresh_from_db()
    plan = planned()
    plan["analyses"][0].pop("sequential")
    save_plan(study, plan, owner)
    study.refresh_from_db()
    return study


@pytest.fixture
def study(owner):
    return make_study(owner=owner, plan=planned(effect="marker:order", spending="obrien-fleming"))


def url(name, study, *arguments):
    return reverse(f"analysis:{name}", args=[study.slug, *arguments])


def test_a_sequential_plan_is_stated_shown_and_taken_out_again(client, draft):
    assert "Add a sequential analysis" in client.get(url("plan", draft)).text
    page = url("sequential", draft, 0)
    assert '<option value="marker:order">' in client.get(page).text
    filled = {"effect": "marker", "looks": "8, 12 16", "spending": "obrien-fleming", "alpha": "0.05"}
    shown = client.post(page, {**filled, "show": "yes"})
    assert "Levels of the looks" in shown.text
    draft.refresh_from_db()
    assert "sequential" not in draft.plan["analyses"][0]
    saved = client.post(page, filled, follow=True)
    draft.refresh_from_db()
    assert draft.plan["analyses"][0]["sequential"] == {**SEQUENTIAL, "spending": "obrien-fleming"}
    assert "marker is tested at 8, 12 and 16 people" in saved.text
    said = client.post(url("without_sequential", draft, 0), follow=True)
    assert "no longer has a sequential analysis" in said.text
    draft.refresh_from_db()
    assert "sequential" not in draft.plan["analyses"][0]
    # A second click, or an analysis that meanwhile stands elsewhere in the plan.
    assert "has changed since you saw it" in client.post(url("without_sequential", draft, 0), follow=True).text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"looks": "12, 8"}, "must rise"),
        ({"looks": "12"}, "2 to 10 looks"),
        ({"looks": "8, many"}, "Write whole numbers"),
        ({"looks": "2, 8"}, "a look needs 4 to"),
        ({"alpha": "0.9"}, "must be a number from 0.001 to 0.2"),
        ({"spending": "hwang-shih-decani", "gamma": "99"}, "must be a number from -20 to 10"),
    ],
)
def test_what_cannot_be_a_plan_is_said_and_nothing_is_stored(client, draft, change, said):
    filled = {"effect": "marker", "looks": "8, 12", "spending": "obrien-fleming", "alpha": "0.05", **change}
    answer = client.post(url("sequential", draft, 0), filled)
    assert answer.status_code == 422
    assert said in answer.text
    draft.refresh_from_db()
    assert "sequential" not in draft.plan["analyses"][0]


def test_an_analysis_that_cannot_decide_is_refused_in_a_sentence(client, draft, owner):
    anova = {"title": "F1", "method": "rm-anova", "params": {"dv": "rating_z", "within": ["marker"]}}
    save_plan(draft, {"analyses": [anova]}, owner)
    answer = client.get(url("sequential", draft, 0), follow=True)
    assert "Only mixed models (lmm, glmm, ordinal) can decide" in answer.text
    assert "Add a sequential analysis" not in answer.text
    assert client.get(url("sequential", draft, 5)).status_code == 404


def test_opening_freezes_it_and_a_viewer_cannot_state_it(client, draft):
    filled = {"effect": "marker", "looks": "8, 12", "spending": "pocock", "alpha": "0.05"}
    viewer = get_user_model().objects.create_user("eve", is_staff=True)
    Membership.objects.create(study=draft, user=viewer, role="viewer")
    client.force_login(viewer)
    assert client.post(url("sequential", draft, 0), filled).status_code == 403
    client.force_login(draft.owner)
    Study.objects.filter(pk=draft.pk).update(status=Study.Status.OPEN)
    answer = client.post(url("sequential", draft, 0), filled, follow=True)
    assert "you cannot change its plan" in answer.text
    draft.refresh_from_db()
    assert "sequential" not in draft.plan["analyses"][0]


def test_before_the_plan_stops_pages_and_files_say_that_it_continues_and_nothing_else(client, study):
    add_participants(study, 9)
    made(study)
    look = SequentialLook.objects.get()
    watch = client.get(reverse("watch:watch", args=[study.slug])).text
    for text in (client.get(url("analyse", study)).text, client.get(url("plan", study)).text, watch):
        assert "Look 1 of 3 made on" in text
        assert "Look 2 of 3 is made when 12 people have finished; 9 have." in text
        assert f"{look.p:.4f}"[1:] not in text
        assert p_text(look.p) not in text
    assert "Run outside the plan" in client.get(url("analyse", study)).text
    archive = b"".join(client.get(url("export_all", study)).streaming_content)
    assert str(look.p).encode() not in archive
    assert client.get(url("run", study, 1)).status_code == 404


def test_when_it_has_stopped_the_pages_say_so_and_lead_to_the_planned_report(client, owner):
    study = make_study(owner=owner, plan=planned())
    add_participants(study, 8)
    (look,) = made(study)
    for page in (url("analyse", study), url("plan", study), reverse("watch:watch", args=[study.slug])):
        text = client.get(page).text
        assert "Look 1 of 3, with 8 people, was made on" in text
        assert "recruitment was paused" in text
        assert url("run", study, look.run.pk) in text
    assert look.run is not None
    assert standing_of(look.run) == "planned"
    report = client.get(url("run", study, look.run.pk)).text
    assert "As fixed when the study opened." in report
    assert "The sequential plan stopped at look 1 of 3" in report
    assert "The data have changed" not in report
    archive = client.get(url("run_file", study, look.run.pk, "all.zip"))
    assert b"data-has-changed" not in archive.content
    assert client.get(url("run_file", study, look.run.pk, "methods.txt")).status_code == 200


def test_people_who_were_still_answering_do_not_take_the_report_out_of_the_manuscript(owner):
    study = make_study(owner=owner, plan=planned())
    add_participants(study, 8)
    made(study)
    add_participants(study, 2, first=20)
    found = collect(study, refusal=lambda run: "")
    assert [told.title for told in found.planned] == ["Log ratings"]
    assert found.missing == []


def test_a_report_asked_for_by_hand_is_labelled_and_is_not_the_planned_one(client, study):
    add_participants(study, 9)
    made(study)
    client.post(url("run_planned", study, 0))
    run = AnalysisRun.objects.get()
    assert execute(run.pk)
    assert standing_of(AnalysisRun.objects.get()) == "exploratory"
    text = client.get(url("run", study, run.pk)).text
    assert "Outside the sequential analysis." in text
    assert "looked at the data outside the sequential plan" in text
    assert "Run outside the plan" in client.get(url("plan", study)).text


def test_a_closed_study_is_asked_whether_to_look_a_last_time(client, study):
    add_participants(study, 10)
    made(study)
    assert "Make the last look now" not in client.get(url("plan", study)).text
    assert (
        "You can make a last look only if the study is closed"
        in client.get(url("end_sequential", study), follow=True).text
    )
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
    assert "Make the last look now" in client.get(url("plan", study)).text
    assert "10 people have finished, fewer than planned." in client.get(url("end_sequential", study)).text
    client.post(url("end_sequential", study))
    assert execute(ClaimedLook.waiting()[0], ClaimedLook)
    assert SequentialLook.objects.get(number=2).decision == "ended"


def test_opening_warns_of_a_quota_that_is_too_small_of_uneven_lists_and_of_an_effect_that_is_not_there(draft, owner):
    save_plan(draft, planned(effect="genre", looks=[8, 14]), owner)
    Study.objects.filter(pk=draft.pk).update(quota=10)
    said = " ".join(str(fault.message) for fault in opening_warnings(Study.objects.get(pk=draft.pk)))
    assert "The formula has no effect 'genre'" in said
    assert "The quota of 10 ends recruitment before the last look" in said
    assert "The looks at 14 people are not multiples of the 4 lists" in said
    assert FORMULA
