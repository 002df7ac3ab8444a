"""Participants' pages: what they hold, in which language, and when they turn people away."""

from __future__ import annotations

import json
import re
import socket
import time
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from experiments.models import Part, Study
from experiments.paradigms.magnitude_estimation.paradigm import MagnitudeEstimation
from participants.models import Session
from tests.participants.studies import OPTIONAL, REQUIRED, Browser, open_study

pytestmark = pytest.mark.both


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def config_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="lectern-config" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    config: dict[str, Any] = json.loads(found[1])
    return config


class Outline(HTMLParser):
    """Collects tags, attributes and ids, and whether inline scripts or handlers are there."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.tags if "id" in attributes]


def test_the_landing_page_holds_what_its_script_needs(study: Study, client: Client) -> None:
    page = page_of(client, "/s/small-study/")
    outline = Outline(page)
    sections = [section["id"] for section in outline.all("section")]
    assert sections == ["landing", "check", "consent", "declined", "problem"]
    assert ["hidden" in section for section in outline.all("section")] == [False, True, True, True, True]
    assert {"checks", "agree", "decline", "consent-message", "problem-title", "problem-text"} <= set(outline.ids)
    assert sum("data-next" in button for button in outline.all("button")) == 2
    boxes = outline.all("input")
    assert sum("data-required" in box for box in boxes) == len(REQUIRED)
    assert [box["data-optional"] for box in boxes if "data-optional" in box] == OPTIONAL
    assert config_of(page) == {
        "slug": "small-study", "api": "/api/studies/small-study/", "language": "en", "requirements": [],
        "language_query": "", "consent_version": 1, "has_session": False, "session": "",
        "supervised": False,
        "recruitment_parameters": [
            "PROLIFIC_PID", "workerId", "id", "survey_code", "STUDY_ID", "SESSION_ID", "assignmentId", "hitId",
            "signature",
        ],
    }  # fmt: skip


def test_the_landing_page_says_what_to_expect(study: Study, client: Client) -> None:
    page = page_of(client, "/s/small-study/")
    for words in (
        "Sentences that sound odd", "<li>at your pace</li>", "about 12 minutes", "a quiet place",
        "Laboratory of Examples", "laboratory@example.org", '<h2 dir="ltr">Your rights</h2>', REQUIRED[0],
        "needs JavaScript",
    ):  # fmt: skip
        assert words in page


def test_what_the_paradigm_needs_is_said_before_the_start(
    study: Study, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MagnitudeEstimation, "requirements", ("keyboard", "pointer"))
    page = page_of(client, "/s/small-study/")
    assert "a keyboard, a mouse or another pointer, a quiet place" in page
    assert config_of(page)["requirements"] == ["keyboard", "pointer"]


def test_texts_and_titles_are_escaped(db: None, client: Client) -> None:
    study = open_study(title="<script>alert(1)</script>", responsible='"><img src=x>')
    study.texts.filter(kind="welcome").update(body="<b>bold</b>\n\n- <i>x</i>")
    study.texts.filter(kind="consent").update(required_boxes=['"><script>x</script>'], optional_boxes=['" onclick="x'])
    page = page_of(client, "/s/small-study/")
    for harmful in ("<script>alert", "<img src=x", "<b>bold", "<i>x", "<script>x", '" onclick="'):
        assert harmful not in page


@pytest.mark.parametrize("path", ["/", "/s/small-study/", "/s/small-study/withdraw/", "/s/small-study/run/"])
def test_pages_carry_no_inline_script_and_a_strict_policy(browser: Browser, path: str) -> None:
    answer = browser.client.get(path)
    outline = Outline(answer.content.decode())
    for script in outline.all("script"):
        assert "src" in script or script.get("type") == "application/json"
    assert not [name for _, attributes in outline.tags for name in attributes if name.startswith("on")]
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy + ";"
    assert "unsafe-eval" not in policy
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


@pytest.mark.parametrize("path", ["/api/studies/small-study/", "/api/studies/nowhere/"])
def test_an_answer_of_the_interface_may_load_nothing_and_be_framed_by_nobody(browser: Browser, path: str) -> None:
    assert browser.client.get(path).headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    "path", ["/", "/s/small-study/", "/s/small-study/withdraw/", "/s/small-study/run/", "/s/nowhere/"]
)
def test_pages_have_a_language_one_heading_and_unique_ids(browser: Browser, path: str) -> None:
    outline = Outline(browser.client.get(path).content.decode())
    assert outline.all("html")[0]["lang"] in {"en", "de"}
    assert len(outline.all("title")) == 1
    assert len(outline.ids) == len(set(outline.ids))
    visible = outline.all("h1")
    assert visible
    fields = [field for field in outline.all("input") if field.get("type") not in {"hidden", "checkbox"}]
    labels = {label.get("for") for label in outline.all("label")}
    assert all(field["id"] in labels for field in fields)


def test_once_ten_have_finished_the_measured_median_is_shown(study: Study, client: Client) -> None:
    for seed in range(10):
        Browser(study, seed=seed).start()
    started = timezone.now() - timedelta(minutes=60)
    for minutes, session in enumerate(Session.objects.all(), start=20):
        Session.objects.filter(pk=session.pk).update(
            started_at=started, finished_at=started + timedelta(minutes=minutes), status="complete"
        )
    page = page_of(client, "/s/small-study/")
    assert "about 24 minutes" in page
    assert "median of earlier participants" in page
    Session.objects.filter(pk=session.pk).update(is_excluded=True)
    assert "about 12 minutes" in page_of(client, "/s/small-study/")


@pytest.mark.parametrize(
    ("changes", "heading", "title_shown"),
    [
        ({"status": "draft"}, "This study is not open yet", False),
        ({"status": "closed"}, "This study is closed", True),
        ({"is_paused": True}, "This study is paused", True),
        ({"quota": 0}, "This study is full", True),
    ],
)
def test_each_reason_not_to_start_has_a_page(
    study: Study, client: Client, changes: dict[str, Any], heading: str, title_shown: bool
) -> None:
    Study.objects.update(**changes)
    page = page_of(client, "/s/small-study/")
    assert heading in page
    assert (study.title in page) == title_shown
    assert "data-next" not in page


def test_who_has_begun_is_offered_to_go_on_also_while_the_study_is_paused(browser: Browser) -> None:
    Study.objects.update(is_paused=True)
    page = page_of(browser.client, "/s/small-study/")
    assert 'href="/s/small-study/run/"' in page
    assert "You have begun this study" in page
    assert "Somebody else" not in page
    assert config_of(page)["has_session"] is True


def test_who_has_begun_a_study_that_was_closed_is_promised_no_going_on(browser: Browser) -> None:
    Study.objects.update(status="closed")
    page = page_of(browser.client, "/s/small-study/")
    assert "This study has been closed in the meantime. What you had answered by then is stored." in page
    assert "you can go on" not in page
    assert 'href="/s/small-study/run/">Show the last page' in page, "what the browser still holds is sent from there"


def test_whose_session_ended_before_its_end_is_promised_no_codes(browser: Browser) -> None:
    Session.objects.update(status="ended", outcome="dropped-out")
    page = page_of(browser.client, "/s/small-study/")
    assert "Your answers are stored; there is nothing more to do." in page
    assert "codes" not in page
    assert "Show the last page" in page


def test_who_has_finished_can_see_the_last_page_and_make_room_for_somebody_else(study: Study) -> None:
    browser = Browser(study)
    browser.answer_all()
    page = page_of(browser.client, "/s/small-study/")
    assert "You have already taken part" in page
    assert "Show the last page" in page
    assert "Somebody else wants to take part on this computer" in page


def test_a_link_that_names_somebody_else_is_theirs_whoever_has_begun_on_this_computer(study: Study) -> None:
    first = Browser(study, recruitment={"PROLIFIC_PID": "first"})
    first.start()
    own = page_of(first.client, "/s/small-study/?PROLIFIC_PID=first")
    assert "You have begun this study" in own
    assert "You have begun this study" in page_of(first.client, "/s/small-study/")
    page = page_of(first.client, "/s/small-study/?PROLIFIC_PID=second")
    assert "You have begun this study" not in page
    assert "data-next" in page
    assert "Somebody else" not in page
    # The page looks first whether answers of the session here are still to be sent, and asks for a start of its own.
    here = config_of(page)
    assert (here["has_session"], here["session"]) == (True, first.start().json()["session"])
    second = Browser(study, seed=2, recruitment={"PROLIFIC_PID": "second"})
    second.client.cookies = first.client.cookies
    assert second.start(new_person=True).status_code == 201
    assert Session.objects.count() == 2
    assert "You have begun this study" in page_of(second.client, "/s/small-study/?PROLIFIC_PID=second")
    # The first goes on by their own link: the same session.
    assert first.start(new_person=True).status_code == 200


def test_a_parameter_that_stands_there_twice_counts_once_and_the_first(study: Study, client: Client) -> None:
    Browser(study, recruitment={"PROLIFIC_PID": "first"}).answer_all()
    assert "You have already taken part" in page_of(client, "/s/small-study/?PROLIFIC_PID=first&PROLIFIC_PID=second")
    assert "data-next" in page_of(client, "/s/small-study/?PROLIFIC_PID=second&PROLIFIC_PID=first")


def test_the_start_key_of_a_tab_gives_nobody_the_session_of_somebody_else(study: Study) -> None:
    first = Browser(study, recruitment={"PROLIFIC_PID": "first"})
    first.answer_all()
    second = Browser(study, recruitment={"PROLIFIC_PID": "second"})
    assert second.start_key == first.start_key
    begun = second.start()
    assert begun.status_code == 201
    again = second.start()
    assert (again.status_code, again.json()) == (200, begun.json())
    assert first.start().json()["session"] != begun.json()["session"]


def test_a_link_that_names_nobody_and_a_session_of_nobody_are_as_before(browser: Browser) -> None:
    assert "You have begun this study" in page_of(browser.client, "/s/small-study/?PROLIFIC_PID=anybody")


def test_the_run_page_needs_a_session(study: Study, client: Client) -> None:
    answer = client.get("/s/small-study/run/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/s/small-study/")
    client.cookies["lectern_small_study"] = "guessed"
    assert client.get("/s/small-study/run/").status_code == 302


def test_answers_of_before_are_not_sent_to_another_version_of_the_paradigm(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("participants.views.pages.changed_package", lambda study: "another version")
    config = config_of(page_of(browser.client, "/s/small-study/run/"))
    assert config["participant"] == "", "the browser opens the session first, and is told to wait"


def test_the_run_page_tells_its_script_what_it_needs_and_no_secret(browser: Browser) -> None:
    page = page_of(browser.client, "/s/small-study/run/")
    assert '<div id="lectern">' in page
    assert config_of(page) == {
        "slug": "small-study", "title": "Sentences that sound odd", "language": "en", "mode": "run",
        "participant": Session.objects.get().participant.pseudonym,
        "contact": "laboratory@example.org", "responsible": "Laboratory of Examples",
        "api": "/api/studies/small-study/",
        "supervised": False,
        "look": {},
    }  # fmt: skip
    assert Session.objects.get().token not in page


def test_recruitment_ids_never_come_back_in_a_page_or_an_address(study: Study, client: Client) -> None:
    answer = client.get("/s/small-study/?PROLIFIC_PID=secret-person")
    assert "secret-person" not in answer.content.decode()
    browser = Browser(study, recruitment={"PROLIFIC_PID": "secret-person"})
    assert "secret-person" not in browser.start().content.decode() + page_of(browser.client, "/s/small-study/run/")


def test_the_preview_offers_all_lists_to_researchers_of_the_study(study: Study, client: Client, admin_user) -> None:
    assert client.get("/s/small-study/preview/").headers["Location"].startswith("/admin/login/?next=")
    asked = client.get("/s/small-study/preview/?list=3").headers["Location"]
    assert parse_qs(urlsplit(asked).query)["next"] == ["/s/small-study/preview/?list=3"]
    client.force_login(admin_user)
    config = config_of(page_of(client, "/s/small-study/preview/"))
    assert config["mode"] == "preview"
    assert config["lists"] == [{"id": one.pk, "name": one.name} for one in study.lists.all()]
    for one in config["lists"]:
        answer = client.get(f"/api/studies/small-study/preview/?list={one['id']}").json()
        assert len(answer["trials"]) == 9
    assert not Session.objects.exists()


def test_the_preview_shows_what_an_answer_would_yield(study: Study, client: Client, admin_user) -> None:
    client.force_login(admin_user)
    trial = client.get("/api/studies/small-study/preview/").json()["trials"][2]
    payload = {"typed": "20", "number": 20, "modulus_number": 10, "first_key_ms": 5, "edits": 0, "refused": []}
    body = {"plugin": trial["plugin"], "params": trial["params"], "payload": payload, "rt_ms": 900}
    address = "/api/studies/small-study/preview/validate/"
    judged = client.post(address, body, content_type="application/json").json()
    assert judged["valid"] is True
    assert judged["errors"] == []
    assert (judged["measures"]["rating"], judged["measures"]["modulus"], judged["measures"]["rt_ms"]) == (20, 10, 900)
    payload["number"] = 21
    judged = client.post(address, body, content_type="application/json").json()
    assert (judged["valid"], judged["measures"]) == (False, {})
    assert "20.0" in judged["errors"][0]
    body["params"] = {}
    assert client.post(address, body, content_type="application/json").status_code == 400


@pytest.mark.parametrize("params", [{}, {"regions": 5}, {"regions": [5]}, {"regions": [{"text": "a"}]}])
def test_the_preview_refuses_what_are_no_parameters_of_a_trial(
    study: Study, client: Client, admin_user, params
) -> None:
    client.force_login(admin_user)
    Part.objects.filter(study=study, kind="task").update(paradigm="self-paced-reading")
    payload = {
        "first_key_ms": 5, "presses": [0, 300.0], "onsets": [12.0], "frame_interval_ms": 16.7, "touches": 0,
        "question": None,
    }  # fmt: skip
    body = {"plugin": "self-paced-reading", "params": params, "payload": payload, "rt_ms": 900}
    answer = client.post("/api/studies/small-study/preview/validate/", body, content_type="application/json")
    assert answer.status_code == 400


@pytest.mark.parametrize("list_id", ["x", "99999999", "-1", "9" * 40])
def test_a_list_that_does_not_exist_cannot_be_previewed(study: Study, client: Client, admin_user, list_id: str) -> None:
    client.force_login(admin_user)
    answer = client.get(f"/api/studies/small-study/preview/?list={list_id}")
    expected = 409 if list_id == "99999999" else 200
    assert answer.status_code == expected


def test_unknown_addresses_get_a_page_that_says_what_to_do(db: None, client: Client) -> None:
    assert "There is no page at this address" in page_of(client, "/s/nowhere/", 404)
    answer = client.get("/api/studies/nowhere/")
    assert (answer.status_code, answer.json()["code"]) == (404, "no-study")


def test_the_page_after_a_fault_needs_nothing_that_could_be_broken(client: Client) -> None:
    from django.template.loader import get_template

    page = get_template("500.html").render()
    assert "What you had answered is saved" in page
    assert "<script" not in page
    assert "stylesheet" not in page


def test_the_start_page_says_what_this_is(db: None, client: Client) -> None:
    page = page_of(client, "/")
    assert "Lectern" in page
    assert 'href="/admin/"' in page
    assert "there is no list of studies here" in page


def test_monitors_are_answered(db: None, client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    ready = client.get("/readyz").json()
    assert ready == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "writing": "ok",
        "codes": "ok",
        "broker": "ok",
    }


def test_a_broker_that_is_gone_is_reported(db: None, client: Client, settings, monkeypatch) -> None:
    from kombu.connection import Connection

    from config.celery import app

    settings.EMBEDDED_WORKER = False
    monkeypatch.setattr(app, "connection_for_write", lambda **_: Connection("redis://127.0.0.1:9/0"))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["broker"]) == (200, "unreachable")
    assert [sentence for sentence in answer.json()["warnings"] if "CELERY_BROKER_URL" in sentence]


def test_a_broker_that_takes_the_call_and_says_nothing_is_not_waited_for(db: None, client: Client, settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMBEDDED_WORKER = False
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        began = time.monotonic()
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["broker"]) == (200, "unreachable")
    assert time.monotonic() - began < 10


def test_migrations_that_were_not_applied_are_reported(db: None, client: Client) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="participants").order_by("-pk").first().delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "1 outstanding" in answer.json()["migrations"]
