"""Supervisors and ethics boards read and try out a study by a link, until it ends or is taken back."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from experiments.models import AuditEntry, PreviewLink, StimulusList, Study
from experiments.study.lifecycle import LifecycleRefusal, save_text
from experiments.study.parts import add_part
from experiments.study.preview_links import make_preview_link, revoke_preview_link
from experiments.study.steps import study_steps
from participants.models import Participant, Session
from tests.media_files import store_picture
from tests.participants.part_studies import add_task
from tests.participants.studies import open_study

pytestmark = pytest.mark.both


@pytest.fixture
def token(study: Study) -> str:
    return make_preview_link(study, note="Ethics board", days=10, user=study.owner)[1]


def came_by(study: Study, token: str) -> Client:
    client = Client()
    answer = client.get(f"/s/{study.slug}/preview/link/{token}/")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/s/{study.slug}/preview/texts/")
    return client


def statuses(client: Client, study: Study) -> list[int]:
    return [
        client.get(address).status_code
        for address in (
            f"/s/{study.slug}/preview/texts/",
            f"/s/{study.slug}/preview/",
            f"/api/studies/{study.slug}/preview/",
        )
    ]


def test_who_has_the_link_reads_and_tries_out_and_nothing_is_stored(study: Study, token: str) -> None:
    client = came_by(study, token)
    assert statuses(client, study) == [200, 200, 200]
    trial = client.get(f"/api/studies/{study.slug}/preview/").json()["trials"][0]
    body = {"plugin": trial["plugin"], "params": trial["params"], "payload": {}}
    judged = client.post(f"/api/studies/{study.slug}/preview/validate/", body, content_type="application/json")
    assert judged.status_code in {200, 400}
    assert (Participant.objects.count(), Session.objects.count()) == (0, 0)


def test_the_token_is_kept_as_its_hash_and_leaves_the_address(study: Study, token: str) -> None:
    link = PreviewLink.objects.get()
    assert token not in str(vars(link))
    assert len(token) >= 32
    cookie = (
        Client()
        .get(f"/s/{study.slug}/preview/link/{token}/")
        .cookies[f"lectern_preview_{study.slug}".replace("-", "_")]
    )
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert 0 < cookie["max-age"] <= 10 * 86400


def test_a_link_that_was_taken_back_opens_nothing_more(study: Study, token: str) -> None:
    client = came_by(study, token)
    revoke_preview_link(study, PreviewLink.objects.get().pk, study.owner)
    assert statuses(client, study) == [302, 302, 404]
    assert Client().get(f"/s/{study.slug}/preview/link/{token}/").status_code == 404
    entries = AuditEntry.objects.filter(study=study, action__startswith="preview link").values_list("action", "detail")
    assert [action for action, _detail in entries] == ["preview link taken back", "preview link made"]
    assert all(token not in detail for _action, detail in entries)


def test_a_link_that_has_ended_opens_nothing_more(study: Study, token: str) -> None:
    client = came_by(study, token)
    PreviewLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert statuses(client, study) == [302, 302, 404]


def test_a_link_opens_its_own_study_alone_and_none_of_its_data(study: Study, token: str) -> None:
    other = open_study("another-study")
    client = came_by(study, token)
    assert Client().get(f"/s/{other.slug}/preview/link/{token}/").status_code == 404
    client.cookies["lectern_preview_another_study"] = token
    assert statuses(client, other) == [302, 302, 404]
    for page in ("", "texts/", "watch/", "export/", "settings/"):
        assert client.get(f"/admin/studies/{study.slug}/{page}").status_code in {302, 404}


def test_pictures_of_a_draft_are_shown_to_who_has_the_link(study: Study, token: str) -> None:
    picture = store_picture(study)
    Study.objects.filter(pk=study.pk).update(status="draft")
    assert Client().get(picture).status_code == 404
    assert came_by(study, token).get(picture).status_code == 200


@pytest.mark.parametrize(("note", "days"), [("", 10), ("x" * 101, 10), ("Board", 0), ("Board", 400)])
def test_links_without_a_purpose_or_an_end_are_refused(study: Study, note: str, days: int) -> None:
    with pytest.raises(LifecycleRefusal, match="No link was made"):
        make_preview_link(study, note=note, days=days, user=study.owner)
    assert not PreviewLink.objects.exists()


def test_everything_that_participants_read_stands_on_one_page(study: Study, token: str) -> None:
    save_text(study, "debriefing", "Thank *you*.", study.owner, markup="markdown")
    page = came_by(study, token).get(f"/s/{study.slug}/preview/texts/").content.decode()
    for text in study.texts.all():
        assert text.kind == "debriefing" or str(text.body.split()[-1]) in page
    consent = study.texts.filter(kind="consent").order_by("-version")[0]
    assert all(box in page for box in consent.required_boxes)
    assert "Thank <em>you</em>." in page
    shown = study.lists.all()[0].stimuli.all()
    assert shown
    assert all(stimulus.text in page for stimulus in shown)
    assert all(question["label"] in page for question in study.questions)
    assert "(&#x27;name&#x27;" not in page


def test_a_standard_consent_says_a_task_that_was_just_added(study: Study, token: str) -> None:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)
    study.texts.filter(kind="consent").update(is_default=True)
    added = "You read short texts on the screen, uncovering them with the pointer"
    address = f"/s/{study.slug}/preview/texts/"
    assert added not in came_by(study, token).get(address).content.decode()
    add_part(study, name="reading", kind="task", paradigm="mouse-contingent-reading", user=study.owner)
    page = came_by(study, token).get(address).content.decode()
    # On the landing page and in the consent.
    assert page.count(added) >= 1
    assert "which part of a text was open when" in page


def test_the_lists_of_every_task_are_offered_and_named_after_it(study: Study, token: str) -> None:
    page = came_by(study, token).get(f"/s/{study.slug}/preview/texts/").content.decode()
    assert re.findall(r'preview/\?list=(\d+)"[^>]*>(.*?)</a>', page) == [
        (str(each.pk), f"list {each.name}") for each in study.lists.all()
    ]
    second = add_task(study, "second", conditions=3, items=6, title="Once more", groups=["young readers"])
    page = came_by(study, token).get(f"/s/{study.slug}/preview/texts/").content.decode()
    assert re.findall(r'preview/\?list=(\d+)([^"]*)"[^>]*>(.*?)</a>', page) == [
        *((str(each.pk), "", f"Task: list {each.name}") for each in study.task.lists.all()),
        *((str(each.pk), "&amp;group=young%20readers", f"Once more: list {each.name}") for each in second.lists.all()),
    ]


def test_a_study_whose_first_task_has_no_materials_can_be_previewed_from_the_second(study: Study, token: str) -> None:
    second = add_task(study, "second")
    StimulusList.objects.filter(part__study=study, part__name="task").delete()
    (step,) = (link for link in study_steps(Study.objects.get(pk=study.pk), AnonymousUser()) if link.slug == "preview")
    assert step.state.kind == "number"
    told = came_by(study, token).get(f"/api/studies/{study.slug}/preview/", {"part": "second"}).json()
    assert told["list"] == second.lists.all()[0].pk
    assert {trial["part"] for trial in told["trials"]} == {"second"}
    StimulusList.objects.filter(part__study=study).delete()
    (step,) = (link for link in study_steps(Study.objects.get(pk=study.pk), AnonymousUser()) if link.slug == "preview")
    assert step.state.kind == "waiting"


def test_a_german_study_is_read_in_german(study: Study, token: str) -> None:
    Study.objects.filter(pk=study.pk).update(language="de")
    page = came_by(study, token).get(f"/s/{study.slug}/preview/texts/").content.decode()
    assert "Alles, was Teilnehmende lesen" in page
    assert "Everything" not in page
