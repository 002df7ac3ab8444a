"""What participants hold is known again and shown to them again, and the database does not give it away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from experiments.models import Study
from participants.models import Participant, RecruitmentIdentity, Session
from participants.sealing import digest, keyed_digest, opened, seal
from tests.participants.studies import Browser

ROOT = Path(__file__).resolve().parents[2]
CODE = "ABCD-EFGH-2345-ABCD-EFGH-2345-AB"
TOKEN = "a-cookie-of-the-version-before-0123456789abc"
START_KEY = "6f1c2f9e-6b0e-4c8e-9a53-5a1d7e1b7f10"
RECRUITMENT_ID = "5f3c2a9be1d04c0011223344"
SESSION_CODES = ("BCD2F4", "GHJ5K6")

# A participant as the version before stored one, written through the models of its migrations.
OF_THE_VERSION_BEFORE = f"""
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
executor = MigrationExecutor(connection)
target = [("participants", "0002_supervised_sessions"), ("experiments", "0003_study_plan")]
executor.migrate(target)
apps = MigrationExecutor(connection).loader.project_state(target).apps
study = apps.get_model("experiments", "Study").objects.create(
    slug="old-study", title="Old", paradigm="magnitude-estimation", status="open")
person = apps.get_model("participants", "Participant").objects.create(
    study=study, pseudonym="P1", withdrawal_code={CODE!r})
apps.get_model("participants", "RecruitmentIdentity").objects.create(
    participant=person, study=study, source="PROLIFIC_PID", external_id={RECRUITMENT_ID!r})
now = timezone.now()
session = apps.get_model("participants", "Session").objects.create(
    study=study, participant=person, token={TOKEN!r}, start_key={START_KEY!r}, seed=1, study_version=1, language="en",
    consent_version=1, consent_given_at=now, last_seen_at=now)
apps.get_model("participants", "SessionCode").objects.create(
    study=study, session=session, code={SESSION_CODES[0]!r}, release_code={SESSION_CODES[1]!r})
"""
WHAT_IS_LEFT = f"""
import django; django.setup()
import json
from django.apps import apps
from django.db import connection
from django.test import Client
from participants.models import Participant, Session, SessionCode
from participants.session.coming_back import recovered_session, session_of_identity
from participants.session.supervision import release_by_code
from participants.session.recruitment import Identity
from experiments.models import Study
study, session, person, code = Study.objects.get(), Session.objects.get(), Participant.objects.get(), SessionCode.objects.get()
client = Client()
client.cookies["lectern_old_study"] = {TOKEN!r}
withdrawn = {{"withdrawal_code": {CODE.lower().replace("-", " ")!r}}}
release_by_code(session, {SESSION_CODES[1].lower()!r})
identity = Identity(source="PROLIFIC_PID", external_id={RECRUITMENT_ID!r}, parameters={{}})
stored = "".join(str(row) for model in apps.get_models() for row in model._default_manager.values_list())
print(json.dumps({{
    "shown again": [person.withdrawal_code, session.token, person.recruitment.external_id, code.code, code.release_code],
    "by its start key": recovered_session(study, {START_KEY!r}).pk == session.pk,
    "by its recruitment id": session_of_identity(study, identity).pk == session.pk,
    "by its cookie": client.get("/s/old-study/run/").status_code,
    "left in the tables": [text for text in {[CODE, TOKEN, START_KEY, RECRUITMENT_ID, *SESSION_CODES]!r} if text in stored],
    "withdrawing": client.post("/api/studies/old-study/withdraw/", json.dumps(withdrawn),
        content_type="application/json").status_code,
}}))
"""  # noqa: E501 - read as the lines of a program


@pytest.fixture
def empty_database(tmp_path: Path, db: None) -> Iterator[dict[str, str]]:
    """The environment of a platform whose database has no tables yet, on the kind of database that is tested."""
    environment = {**os.environ, "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment |= {"LOG_LEVEL": "ERROR", "ALLOWED_HOSTS": "testserver"}
    if connection.vendor == "sqlite":
        yield {**environment, "DATABASE_URL": f"sqlite:///{tmp_path}/old.sqlite3"}
        return
    name = f"old_{uuid.uuid4().hex}"
    address = os.environ["DATABASE_URL"]
    with psycopg.connect(address, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield {**environment, "DATABASE_URL": address.rsplit("/", 1)[0] + f"/{name}"}
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def run(environment: dict[str, str], *arguments: str) -> str:
    finished = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.mark.full("a link of the version before that no longer leads anywhere")
def test_what_participants_of_the_version_before_hold_keeps_its_meaning(
    empty_database: dict[str, str], tmp_path: Path
) -> None:
    run(empty_database, "-c", OF_THE_VERSION_BEFORE)
    run(empty_database, "manage.py", "migrate", "--no-input", "--verbosity", "0")
    assert json.loads(run(empty_database, "-c", WHAT_IS_LEFT)) == {
        "shown again": [CODE, TOKEN, RECRUITMENT_ID, *SESSION_CODES],
        "by its start key": True,
        "by its recruitment id": True,
        "by its cookie": 200,
        "left in the tables": [],
        "withdrawing": 200,
    }
    files = b"".join(path.read_bytes() for path in tmp_path.glob("old.sqlite3*"))
    for text in (CODE, TOKEN, START_KEY, RECRUITMENT_ID, *SESSION_CODES):
        assert text.encode() not in files


def test_a_sealed_text_differs_every_time_and_opens_to_the_same() -> None:
    assert seal("a") != seal("a")
    assert opened(seal("Zoë\x00")) == "Zoë\x00"


def test_without_the_key_nothing_opens_and_guesses_cannot_be_tried(settings: Any) -> None:
    sealed, hashed = seal("a"), keyed_digest("a")
    settings.CODES_KEY = "another key"
    assert opened(sealed) == ""
    assert keyed_digest("a") != hashed


def test_with_another_key_codes_still_erase_and_sessions_go_on(study: Study, settings: Any) -> None:
    browser = Browser(study)
    browser.answer_all()
    person = Participant.objects.get()
    code = person.withdrawal_code
    running = Browser(study, seed=2, recruitment={"PROLIFIC_PID": "abc"})
    running.start()
    settings.CODES_KEY = "another key"
    assert browser.complete().json()["withdrawal_code"] == ""
    # The same page starts again: the browser gets another cookie, which is then the only one.
    assert running.start().status_code == 200
    assert running.open().status_code == 200
    assert digest(running.client.cookies["lectern_small_study"].value) == Session.objects.last().token_hash
    assert browser.post("withdraw/", {"withdrawal_code": code, "confirm": True}).status_code == 204
    assert not Participant.objects.filter(pk=person.pk).exists()
    assert RecruitmentIdentity.objects.get().external_id == ""
