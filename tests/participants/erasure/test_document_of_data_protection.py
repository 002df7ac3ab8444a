"""What docs/data-protection.md promises: no address of a participant anywhere, and a way to erase everybody."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command

from analysis.exports import export_files, stream
from participants.models import Participant, RecruitmentIdentity, Session
from tests.participants.studies import Browser, open_study

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "data-protection.md").read_text(encoding="utf-8")
ADDRESS = "203.0.113.77"
RECRUITMENT_ID = "5f3c2a9be1d04c0011223344"

pytestmark = pytest.mark.django_db


def everything_stored() -> str:
    """Return every value of every row of every table as one text."""
    return "\n".join(str(row) for model in apps.get_models() for row in model._default_manager.values_list())


@pytest.fixture
def visitor():
    browser = Browser(open_study(), recruitment={"PROLIFIC_PID": RECRUITMENT_ID})
    browser.client.defaults |= {"REMOTE_ADDR": ADDRESS, "HTTP_X_FORWARDED_FOR": ADDRESS}
    return browser


def test_a_session_from_start_to_end_leaves_no_address_in_any_table(visitor):
    for page in ("", "run/", "withdraw/"):
        visitor.client.get(f"/s/{visitor.slug}/{page}")
    visitor.answer_all()
    visitor.post("session/errors/", {"message": "an error", "detail": "somewhere"})
    stored = everything_stored()
    assert ADDRESS not in stored


def test_the_database_holds_nothing_that_a_participant_holds(visitor):
    visitor.answer_all()
    stored = everything_stored()
    session, participant = Session.objects.get(), Participant.objects.get()
    assert participant.recruitment.external_id == RECRUITMENT_ID
    held = (RECRUITMENT_ID, participant.withdrawal_code, session.token, visitor.start_key)
    assert all(held)
    assert not [secret for secret in held if secret in stored]


def test_exports_hold_neither_recruitment_id_nor_withdrawal_code_nor_keys(visitor):
    visitor.answer_all()
    exported = b"".join(
        piece for _path, pieces in export_files(Session.objects.get().study) for piece in pieces
    ).decode()
    session, participant = Session.objects.get(), Participant.objects.get()
    assert participant.pseudonym in exported
    for secret in (RECRUITMENT_ID, participant.withdrawal_code, session.token, session.start_key_hash):
        assert secret not in exported


def test_the_commands_that_the_document_gives_erase_everybody(visitor, tmp_path):
    visitor.answer_all()
    for seed in (1, 2):
        Browser(visitor.slug, seed=seed).answer_all()
    study = Session.objects.first().study
    (tmp_path / "participants.csv").write_bytes(b"".join(stream(study, "participants.csv")))
    pipeline = re.search(r"^    (tail .+?) \| while read -r code; do$", DOCUMENT, re.MULTILINE)
    assert pipeline is not None
    listed = subprocess.run(["bash", "-c", pipeline[1]], cwd=tmp_path, capture_output=True, text=True, check=True)
    codes = listed.stdout.split()
    assert sorted(codes) == sorted(Participant.objects.values_list("pseudonym", flat=True))
    for code in codes:
        call_command("erase_participant", study.slug, code, verbosity=0)
    assert not Participant.objects.exists()
    assert not RecruitmentIdentity.objects.exists()
    assert RECRUITMENT_ID not in everything_stored()
