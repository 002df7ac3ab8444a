"""The page Deposit: what is wrong is said at once, what would be deposited is shown, and no token ever is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from analysis.deposits import filling
from analysis.deposits.life import ClaimedDeposit
from analysis.deposits.managing import begin_deposit, tidy_deposits
from analysis.deposits.reaching import NotReached
from analysis.exports import export_files
from analysis.models import Deposit
from analysis.papers.whole import paper_files
from analysis.studies.asking import request_run
from experiments.models import AuditEntry, Membership, Study
from participants.erasure.withdrawal import withdraw
from participants.models import Participant
from tests.analysis.computed import execute
from tests.analysis.deposits.mocks import TOKEN, Faults, ZenodoMock
from tests.analysis.deposits.test_every_byte_arrives_once import GIVEN
from tests.analysis.recalls import user_named
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(settings: Any, tmp_path: Any) -> Study:
    settings.DEPOSITS_ROOT = tmp_path / "deposits"
    study = make_study(n_items=4, owner=user_named("owner"))
    add_participants(study, 2)
    return study


@pytest.fixture
def mock(monkeypatch: pytest.MonkeyPatch) -> ZenodoMock:
    made = ZenodoMock(Faults(chance=None))  # type: ignore[arg-type]  # nothing is drawn
    monkeypatch.setattr("analysis.deposits.reaching.ask", made.ask)
    return made


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(user_named(name))
    return client


def begun(study: Study, **given: str) -> Deposit:
    return begin_deposit(study, user=user_named("owner"), given={**GIVEN, "archive": "zenodo", **given})


def carried_out(deposit: Deposit) -> Deposit:
    assert execute(deposit.pk, ClaimedDeposit)
    deposit.refresh_from_db()
    return deposit


def test_a_deposit_is_begun_followed_and_ends_in_a_draft_with_its_doi(study: Study, mock: ZenodoMock) -> None:
    owner, page = client_of("owner"), reverse("analysis:deposit", args=[study.slug])
    assert owner.post(page, {**GIVEN, "archive": "zenodo"}).headers["Location"] == page
    deposit = Deposit.objects.get()
    assert TOKEN not in deposit.token_sealed
    progress = reverse("analysis:deposit_progress", args=[study.slug, deposit.pk])
    assert owner.get(progress).json() == {"status": "queued", "progress": 0, "note": ""}
    assert progress in owner.get(page).content.decode()
    carried_out(deposit)
    assert (deposit.status, deposit.error) == ("done", "")
    shown = owner.get(page).content.decode()
    assert deposit.doi in shown
    assert deposit.address in shown
    assert TOKEN not in shown
    description = json.loads(mock.contents()["dataset_description.json"])
    assert description["sameAs"] == f"https://doi.org/{deposit.doi}"
    assert description["creator"][0]["@id"] == "https://orcid.org/0000-0002-1825-0097"
    (draft,) = mock.drafts.values()
    assert draft["metadata"]["creators"][0]["person_or_org"] == {
        "type": "personal", "family_name": "Lovelace", "given_name": "Ada",
        "identifiers": [{"scheme": "orcid", "identifier": "0000-0002-1825-0097"}],
    }  # fmt: skip
    assert draft["metadata"]["languages"] == [{"id": "eng"}]
    manifest = json.loads(mock.contents()["manifest.json"])
    assert {one["path"] for one in manifest["files"]} == set(mock.contents()) - {"manifest.json"}
    assert AuditEntry.objects.filter(study=study, action="deposit begun").exists()


def test_the_paper_and_every_form_name_the_doi(study: Study, mock: ZenodoMock) -> None:
    execute(request_run(study, method="normalise", params={"dv": "rating"}, user=None).pk)
    before = dict(paper_files(study))["paper.md"].decode()
    assert "still have to say here where it is deposited" in before
    deposit = carried_out(begun(study))
    assert f"https://doi.org/{deposit.doi}" in dict(paper_files(study))["paper.md"].decode()
    for layout, path in (
        ("flat", "dataset_description.json"), ("croissant", "croissant.json"), ("bids", "dataset_description.json"),
        ("psychling-101", "README.md"), ("spss", "README.md"),
    ):  # fmt: skip
        made = {name: b"".join(pieces) for name, pieces in export_files(study, layout=layout)}  # type: ignore[arg-type]
        assert deposit.doi in made[path].decode(), layout


def test_everything_that_is_wrong_is_said_at_once_and_nothing_is_begun(study: Study) -> None:
    owner, page = client_of("owner"), reverse("analysis:deposit", args=[study.slug])
    wrong = {
        **GIVEN, "archive": "dataverse", "host": "ftp://x", "collection": "a b", "title": " ", "licence": "mine",
        "creators": "Lovelace, Ada; 0000-0002-1825-0098\n; 0000-0002-1825-0097", "related": "the paper", "contact": "",
        "token": "two words", "layout": "zip",
    }  # fmt: skip
    answer = owner.post(page, wrong)
    said = answer.content.decode()
    assert answer.status_code == 422
    for words in (
        "without spaces", "such as https://demo.dataverse.org", "short name of the collection", "Write a title",
        "Choose a licence", "its last digit does not fit", "write the name first", "neither a DOI",
        "e-mail address under", "Choose a form",
    ):  # fmt: skip
        assert words in said, words
    assert "two words" not in said
    assert not Deposit.objects.exists()


def test_what_would_be_deposited_is_shown_and_nothing_is_stored_or_asked(study: Study, mock: ZenodoMock) -> None:
    owner, page = client_of("owner"), reverse("analysis:deposit", args=[study.slug])
    shown = owner.post(page, {**GIVEN, "archive": "zenodo", "layout": "bids", "look": "1"}).content.decode()
    assert "sub-P0000.zip" in shown
    assert "participants.tsv" in shown
    assert "<code>typed</code>" in shown
    assert TOKEN not in shown
    assert (mock.asked, Deposit.objects.count()) == ([], 0)


def test_viewers_look_and_begin_nothing(study: Study) -> None:
    Membership.objects.create(study=study, user=user_named("viewer"), role="viewer")
    deposit = begun(study)
    viewer, page = client_of("viewer"), reverse("analysis:deposit", args=[study.slug])
    assert viewer.get(page).status_code == 200
    assert viewer.post(page, GIVEN).status_code == 403
    change = reverse("analysis:change_deposit", args=[study.slug, deposit.pk])
    assert viewer.post(change, {"change": "forget"}).status_code == 403
    assert client_of("stranger").get(page).status_code == 404


def test_a_second_one_waits_for_the_first_and_a_forgotten_one_leaves_its_draft(study: Study, mock: ZenodoMock) -> None:
    owner, page = client_of("owner"), reverse("analysis:deposit", args=[study.slug])
    deposit = begun(study)
    assert "is under way" in owner.post(page, {**GIVEN, "archive": "zenodo"}).content.decode()
    carried_out(deposit)
    change = reverse("analysis:change_deposit", args=[study.slug, deposit.pk])
    owner.post(change, {"change": "delete"})
    deposit.refresh_from_db()
    assert deposit.status == "done", "without a token nothing can be deleted there"
    owner.post(change, {"change": "forget"})
    assert not Deposit.objects.exists()
    assert len(mock.drafts) == 1


def test_a_draft_is_deleted_from_the_page(study: Study, mock: ZenodoMock) -> None:
    deposit = carried_out(begun(study))
    change = reverse("analysis:change_deposit", args=[study.slug, deposit.pk])
    client_of("owner").post(change, {"change": "delete", "token": TOKEN})
    assert execute(deposit.pk, ClaimedDeposit)
    assert (mock.drafts, Deposit.objects.count()) == ({}, 0)


def test_who_withdraws_is_in_no_file_that_is_uploaded_afterwards(
    study: Study, mock: ZenodoMock, django_capture_on_commit_callbacks: Any
) -> None:
    deposit = begun(study)
    person = Participant.objects.filter(study=study).earliest("pk")
    answers = iter([None] * 12)

    def refuse_later(*given: Any, **named: Any) -> Any:
        if next(answers, "stop") == "stop":
            raise NotReached("The archive is busy.")
        return mock.ask(*given, **named)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("analysis.deposits.reaching.ask", refuse_later)
        carried_out(deposit)
    assert deposit.status == "queued"
    assert any(person.pseudonym.encode() in content for content in mock.contents().values())
    with django_capture_on_commit_callbacks(execute=True):
        withdraw(person, by_participant=True)
    assert not filling.folder_of(deposit.pk).exists()
    Deposit.objects.update(next_attempt_at=None)
    carried_out(deposit)
    assert (deposit.status, deposit.is_outdated) == ("done", False)
    assert not any(person.pseudonym.encode() in content for content in mock.contents().values())


def test_a_ready_draft_says_that_somebody_withdrew(study: Study, mock: ZenodoMock) -> None:
    deposit = carried_out(begun(study))
    withdraw(Participant.objects.filter(study=study).earliest("pk"), by_participant=True)
    shown = client_of("owner").get(reverse("analysis:deposit", args=[study.slug])).content.decode()
    assert "Upload the files again, so that" in shown
    deposit.refresh_from_db()
    assert deposit.is_outdated


def test_folders_of_deposits_that_are_gone_are_deleted(study: Study, settings: Any) -> None:
    deposit = begun(study)
    for name in (str(deposit.pk), f"{deposit.pk}.partial", "999999", "999999.partial"):
        (settings.DEPOSITS_ROOT / name).mkdir(parents=True)
    tidy_deposits()
    left = {path.name for path in settings.DEPOSITS_ROOT.iterdir()}
    assert left == {str(deposit.pk), f"{deposit.pk}.partial"}
