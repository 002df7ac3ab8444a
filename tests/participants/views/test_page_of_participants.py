"""The table of participants and the page of one: everything to see, nothing to edit, ids masked."""

import pytest
from django.urls import reverse

from experiments.models import AuditEntry
from participants.models import Participant, RecruitmentIdentity, Response, Session, Tombstone
from tests.participants.studies import Browser

pytestmark = pytest.mark.both


@pytest.fixture
def pseudonym(finished):
    return Participant.objects.first().pseudonym


def address(name, study, *arguments):
    return reverse(f"watch:{name}", args=[study.slug, *arguments])


def names(answer):
    return [row.session.participant.pseudonym for row in answer.context["rows"]]


def test_the_table_is_sorted_filtered_and_searched_in_its_address(study, finished, owner):
    Browser(study, seed=9).start()
    table = address("participants", study)
    everybody = names(owner.get(table, {"sort": "participant"}))
    assert everybody == sorted(everybody)
    assert len(everybody) == 5
    assert names(owner.get(table, {"sort": "-participant"})) == everybody[::-1]
    assert len(names(owner.get(table, {"state": "finished"}))) == 4
    assert len(names(owner.get(table, {"state": "running"}))) == 1
    assert names(owner.get(table, {"q": everybody[2].lower()})) == [everybody[2]]
    assert "Nobody matches" in owner.get(table, {"q": "nobody at all"}).content.decode()


@pytest.mark.parametrize("sort", ["list", "status", "progress", "started", "duration", "notes"])
def test_every_column_sorts_both_ways(sort, study, finished, owner):
    for direction in ("", "-"):
        assert len(names(owner.get(address("participants", study), {"sort": direction + sort}))) == 4


def test_every_trial_is_shown_with_text_answer_and_time(study, finished, pseudonym, owner):
    answer = owner.get(address("participant", study, pseudonym))
    session = Session.objects.get(participant__pseudonym=pseudonym)
    rows = answer.context["trials"]
    assert len(rows) == session.trials.count()
    assert all(row.is_answered for row in rows)
    main = [row for row in rows if row.phase == "main" and row.condition]
    assert {row.item for row in main} == {"item-1", "item-2", "item-3", "item-4"}
    assert ("rating", "12.5") in main[0].answer
    assert main[0].rt_ms == 2100.75
    assert main[0].text in answer.content.decode()


def test_the_quality_of_a_session_is_shown_with_what_it_means(study, finished, pseudonym, owner):
    told = owner.get(address("participant", study, pseudonym)).context["quality"]
    quality = {fact.name: value for fact, _name, value in told}
    assert "number of different ratings" in [name for _fact, name, _value in told], "a page says no name of a column"
    assert quality["distinct_ratings"] == "1"
    assert quality["modal_share"] == "1"


def test_a_trial_that_was_begun_and_not_answered_says_so(study, owner):
    browser = Browser(study, seed=5)
    browser.start()
    browser.open()
    browser.send({"kind": "opened", "sequence": 0})
    shown = owner.get(address("participant", study, Participant.objects.get().pseudonym))
    assert shown.context["trials"][0].notes == ["begun, not answered"]
    assert not shown.context["trials"][0].is_answered


def test_an_exclusion_needs_a_reason_and_can_be_taken_back(study, finished, pseudonym, owner):
    assert owner.post(address("exclude", study, pseudonym), {"reason": "  "}).status_code == 422
    session = Session.objects.get(participant__pseudonym=pseudonym)
    assert not session.is_excluded
    owner.post(address("exclude", study, pseudonym), {"reason": "Same number throughout"})
    session.refresh_from_db()
    assert (session.is_excluded, session.exclusion_reason) == (True, "Same number throughout")
    assert "Same number throughout" in owner.get(address("participant", study, pseudonym)).content.decode()
    owner.post(address("readmit", study, pseudonym))
    session.refresh_from_db()
    assert not session.is_excluded
    assert Response.objects.filter(trial__session=session).exists()


def test_a_withdrawal_names_what_is_lost_and_erases_it_after_asking(study, finished, pseudonym, owner):
    session = Session.objects.get(participant__pseudonym=pseudonym)
    answers = Response.objects.filter(trial__session=session).count()
    page = owner.get(address("withdraw", study, pseudonym)).content.decode()
    assert f"{answers} answers" in page
    assert Participant.objects.filter(pseudonym=pseudonym).exists()
    owner.post(address("withdraw", study, pseudonym))
    assert not Participant.objects.filter(pseudonym=pseudonym).exists()
    assert not Response.objects.filter(trial__session__pk=session.pk).exists()
    assert Tombstone.objects.get().study == study
    assert owner.get(address("participant", study, pseudonym)).status_code == 404
    assert pseudonym not in "".join(AuditEntry.objects.values_list("detail", flat=True))


@pytest.mark.parametrize("role", ["viewer", "stranger"])
def test_who_may_only_look_excludes_and_withdraws_nobody(role, study, finished, pseudonym, people):
    for name in ("exclude", "readmit", "withdraw"):
        answer = people[role].post(address(name, study, pseudonym), {"reason": "x"})
        assert answer.status_code == (403 if role == "viewer" else 404)
    assert Participant.objects.filter(pseudonym=pseudonym).exists()
    assert not Session.objects.filter(is_excluded=True).exists()


def test_a_participant_of_another_study_is_not_found_here(study, finished, pseudonym, people):
    from tests.participants.studies import open_study

    other = open_study("another-study")
    other.owner = study.owner
    other.save()
    assert people["owner"].get(address("participant", other, pseudonym)).status_code == 404
    assert people["owner"].post(address("withdraw", other, pseudonym)).status_code == 404
    assert Participant.objects.filter(pseudonym=pseudonym).exists()


def test_recruitment_ids_are_shown_masked_to_the_owner_and_to_nobody_else(study, people):
    Browser(study, recruitment={"PROLIFIC_PID": "5f3c2a9be1d0"}).answer_all()
    page = address("participant", study, Participant.objects.get().pseudonym)
    shown = {role: people[role].get(page).content.decode() for role in ("owner", "editor", "viewer")}
    assert "PROLIFIC_PID: 5f…d0" in shown["owner"]
    assert "PROLIFIC_PID: " not in shown["editor"] + shown["viewer"]
    assert "5f3c2a9be1d0" not in "".join(shown.values())


def test_recruitment_ids_are_erased_alone(study, people):
    Browser(study, recruitment={"PROLIFIC_PID": "5f3c2a9be1d0"}).answer_all()
    erase = address("erase_identities", study)
    assert "1 recruitment id" in people["owner"].get(erase).content.decode()
    assert people["editor"].get(erase).status_code == 404
    assert people["editor"].post(erase).status_code == 403
    assert RecruitmentIdentity.objects.count() == 1
    people["owner"].post(erase)
    assert RecruitmentIdentity.objects.count() == 0
    assert Session.objects.filter(status="complete").count() == 1


def test_neither_tokens_nor_withdrawal_codes_stand_in_any_page(study, finished, pseudonym, owner):
    session = Session.objects.get(participant__pseudonym=pseudonym)
    pages = [
        address("watch", study),
        address("participants", study),
        address("participant", study, pseudonym),
        address("withdraw", study, pseudonym),
        reverse("admin:participants_participant_change", args=[session.participant_id]),
        reverse("admin:participants_session_change", args=[session.pk]),
    ]
    for page in pages:
        shown = owner.get(page)
        assert shown.status_code == 200
        assert session.token not in shown.content.decode()
        assert session.participant.withdrawal_code not in shown.content.decode()
        for hidden in (session.token_hash, session.token_sealed, session.start_key_hash):
            assert hidden not in shown.content.decode()


@pytest.mark.parametrize("name", ["participant", "session", "trial", "response"])
def test_the_records_show_only_participants_of_ones_own_studies(name, study, finished, people):
    lists = reverse(f"admin:participants_{name}_changelist")
    assert people["viewer"].get(lists).context["cl"].result_count > 0
    assert people["stranger"].get(lists).context["cl"].result_count == 0


def test_a_response_in_the_records_is_a_list_of_facts_and_cannot_be_changed(study, finished, owner):
    response = Response.objects.filter(trial__phase="main").first()
    address = reverse("admin:participants_response_change", args=[response.pk])
    page = owner.get(address).content.decode()
    assert '<dl class="record-facts">' in page
    assert "&quot;typed&quot;" not in page
    assert owner.post(address, {"rt_ms": "1"}).status_code == 403
