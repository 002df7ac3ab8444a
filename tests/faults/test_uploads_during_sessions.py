"""Twenty researchers upload workbooks while people take part: answers are stored as quickly as if nobody did."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from threading import Event, Thread

import pytest
import requests

from tests.faults.kills import quantile
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT, RemoteBrowser, an_open_study, serving
from tests.uploads.corpus import workbook

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timing,
    pytest.mark.full("what uploads do to the times of answers, on a real server"),
    WITH_THE_EMBEDDED_DEFAULT,
]

PEOPLE, RESEARCHERS = 3, 20
PAUSE_SECONDS = 0.1
LONGEST_SECONDS = 0.2
ACCOUNTS = """
from django.contrib.auth import get_user_model
from experiments.study.lifecycle import create_study
user = get_user_model().objects.create_superuser("ada", "ada@example.org", "a long password")
create_study(slug="draft", title="Draft", paradigm="rating", user=user, owner=user)
"""
LOGGED_IN = """
from django.contrib.auth import get_user_model
from django.test import Client
client = Client()
client.force_login(get_user_model().objects.get(username="ada"))
print(client.cookies["sessionid"].value)
"""


def upload(address: str, session: str, content: bytes, over: Event, statuses: Counter[int]) -> None:
    """Check a workbook again and again, as the page of the materials does."""
    page = f"{address}/admin/studies/draft/materials/"
    with requests.Session() as browser:
        browser.cookies.set("sessionid", session)
        browser.get(page, timeout=120)
        while not over.is_set():
            answer = browser.post(
                f"{page}check/",
                data={"csrfmiddlewaretoken": browser.cookies["csrftoken"]},
                files={"file": ("items.xlsx", content)},
                timeout=120,
            )
            statuses[answer.status_code] += 1
            if answer.status_code == 503:
                assert answer.headers["Retry-After"]
                over.wait(0.2)


def take_part(address: str, number: int, seconds: list[float]) -> None:
    browser = RemoteBrowser("during", address, unanswered=lambda: time.sleep(PAUSE_SECONDS), seed=number)
    browser.begin()
    for trial in browser.trials:
        began = time.monotonic()
        browser.answer(trial)
        seconds.append(time.monotonic() - began)
        time.sleep(PAUSE_SECONDS)


def test_answers_are_stored_at_once_while_people_upload(tmp_path: Path) -> None:
    content = workbook("German").make(3_000)
    data = f"{an_open_study('during', items=80, fillers=20)}\n{ACCOUNTS}"
    # A broker that is away keeps the embedded worker from starting, which has nothing to do here.
    away = "redis://127.0.0.1:1/0"
    with serving(tmp_path, data, config="config/gunicorn.py", CELERY_BROKER_URL=away, WEB_THREADS="12") as server:
        alone, seconds = list[float](), list[float]()
        take_part(server.address, PEOPLE, alone)
        session = server.ask(LOGGED_IN).split()[-1]
        over, statuses = Event(), Counter[int]()
        uploads = [
            Thread(target=upload, args=(server.address, session, content, over, statuses)) for _ in range(RESEARCHERS)
        ]
        people = [Thread(target=take_part, args=(server.address, number, seconds)) for number in range(PEOPLE)]
        for thread in [*uploads, *people]:
            thread.start()
        for thread in people:
            thread.join()
        over.set()
        for thread in uploads:
            thread.join()
    assert len(seconds) == PEOPLE * len(alone)
    assert statuses[503] > 0, "the uploads were to come all at once"
    assert set(statuses) <= {200, 422, 503}, statuses
    assert sum(statuses.values()) > statuses[503], "some of the workbooks are read"
    before, slowest = quantile(alone, 0.99), quantile(seconds, 0.99)
    said = f"p99 {before:.3f} s before the uploads and {slowest:.3f} s during them, {dict(statuses)}"
    assert slowest < LONGEST_SECONDS, said
