"""Settings and people: who works on a study, what it is called, and how a draft is deleted."""

import re

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from experiments.models import AuditEntry, Membership, Study
from experiments.procedure.texts import current_text
from experiments.study.access import GUESTS
from experiments.study.lifecycle import open_study
from experiments.study.parts import add_part, copy_part, save_questions_of_part
from experiments.views.settings import losses_of

pytestmark = pytest.mark.slow

FACTS = {
    "title": "Renamed",
    "language": "en",
    "responsible": "Bela",
    "contact": "bela@example.org",
    "estimated_minutes": "7",
}


def test_a_study_is_renamed(ready, owner):
    owner.post(reverse("study:settings", args=[ready.slug]), FACTS)
    ready.refresh_from_db()
    assert (ready.title, ready.responsible, ready.estimated_minutes) == ("Renamed", "Bela", 7)


def test_a_wrong_address_is_refused_and_the_frame_shows_what_is_stored(ready, owner):
    answer = owner.post(reverse("study:settings", args=[ready.slug]), {**FACTS, "contact": "nobody"})
    assert answer.status_code == 422
    assert "Causal sentences" in answer.content.decode()
    ready.refresh_from_db()
    assert ready.title == "Causal sentences"


def test_a_fact_that_the_consent_names_makes_a_new_consent_once_the_study_is_open(ready, owner, researcher):
    open_study(ready, researcher)
    before = current_text(ready, "consent").version
    owner.post(reverse("study:settings", args=[ready.slug]), FACTS)
    assert current_text(ready, "consent").version == before + 1


def test_a_researcher_is_added_and_removed(ready, owner, other_researcher, client):
    client.force_login(other_researcher)
    page = reverse("study:home", args=[ready.slug])
    assert client.get(page).status_code == 404
    owner.post(reverse("study:add_person", args=[ready.slug]), {"username": "bela", "role": "viewer"})
    assert client.get(page).status_code == 200
    asked = owner.get(reverse("study:remove_person", args=[ready.slug, other_researcher.pk]))
    assert "will no longer see this study" in asked.content.decode()
    owner.post(reverse("study:remove_person", args=[ready.slug, other_researcher.pk]))
    assert client.get(page).status_code == 404


def test_a_study_is_handed_over_to_somebody_who_works_on_it(ready, owner, researcher, other_researcher):
    address = reverse("study:hand_over", args=[ready.slug, other_researcher.pk])
    assert owner.get(address).status_code == 404
    Membership.objects.create(study=ready, user=other_researcher, role="viewer")
    Study.objects.filter(pk=ready.pk).update(retention_noticed_for="2030-01-01", retention_noticed_at=timezone.now())
    assert "the owner of this study?" in owner.get(address).content.decode()
    assert ready.owner == researcher
    owner.post(address)
    ready.refresh_from_db()
    assert (ready.owner, ready.retention_noticed_for) == (other_researcher, None)
    assert [(one.user, one.role) for one in Membership.objects.all()] == [(researcher, "editor")]
    entry = AuditEntry.objects.get(action="owner changed")
    assert (entry.user, entry.detail) == (researcher, f"{researcher} to {other_researcher}")
    # Who gave it away cannot take it back.
    Membership.objects.create(study=ready, user=other_researcher, role="viewer")
    assert owner.post(address).status_code == 403


def test_no_study_is_handed_over_to_a_guest(ready, owner, researcher, other_researcher):
    Membership.objects.create(study=ready, user=other_researcher, role="viewer")
    other_researcher.groups.add(Group.objects.create(name=GUESTS))
    said = owner.post(reverse("study:hand_over", args=[ready.slug, other_researcher.pk]), follow=True)
    assert "cannot own a study" in said.content.decode()
    ready.refresh_from_db()
    assert ready.owner == researcher


@pytest.mark.parametrize(
    ("name", "sentence"), [("nobody", "”. Invite the person by a link instead."), ("ada", "already owns")]
)
def test_somebody_who_cannot_be_added_is_refused_with_the_reason(name, sentence, ready, owner):
    answer = owner.post(reverse("study:add_person", args=[ready.slug]), {"username": name, "role": "editor"})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Membership.objects.exists()


def test_deleting_a_draft_names_what_will_be_lost_and_asks_first(ready, owner):
    address = reverse("study:delete", args=[ready.slug])
    page = owner.get(address).content.decode()
    assert "7 items with their texts" in page
    assert "4 lists" in page
    refused = owner.post(address, {"title": "Another title"})
    assert refused.status_code == 422
    assert "This is not the title" in refused.content.decode()
    assert owner.post(address).status_code == 422
    assert Study.objects.filter(pk=ready.pk).exists()
    assert owner.post(address, {"title": f" {ready.title} "}).url == reverse("study:index")
    assert not Study.objects.filter(pk=ready.pk).exists()


def test_deleting_a_draft_of_several_parts_names_what_all_of_them_hold(ready, owner, researcher):
    before = losses_of(ready)
    assert "7 items with their texts" in before
    copy_part(ready, ready.task, "again", researcher)
    asked = [{"name": "calm", "label": "Are you calm?", "kind": "text"}]
    add_part(ready, name="after", kind="questionnaire", user=researcher)
    save_questions_of_part(ready, "after", asked, researcher)
    study = Study.objects.get(pk=ready.pk)
    losses = losses_of(study)
    assert "14 items with their texts" in losses
    assert "8 lists" in losses
    assert "1 question" in losses
    study.parts.update(questions=[])
    assert not [line for line in losses_of(Study.objects.get(pk=ready.pk)) if "question" in line]


def test_a_study_in_the_archive_is_listed_there_alone_and_comes_back(ready, owner):
    shelf, index = reverse("study:shelf", args=[ready.slug]), reverse("study:index")
    owner.post(shelf, {"action": "archive"})
    assert [row.study for row in owner.get(index).context["rows"]] == []
    assert [row.study for row in owner.get(index, {"status": "archived"}).context["rows"]] == [ready]
    assert owner.get(reverse("study:home", args=[ready.slug])).status_code == 200
    owner.post(shelf, {"action": "bring-back"})
    assert [row.study for row in owner.get(index).context["rows"]] == [ready]
    actions = list(ready.audit_entries.values_list("action", flat=True)[:2])
    assert actions == ["brought back from the archive", "archived"]


def test_an_open_study_is_not_archived(ready, owner, researcher):
    open_study(ready, researcher)
    page = owner.post(reverse("study:shelf", args=[ready.slug]), {"action": "archive"}, follow=True).content.decode()
    assert "People can still take part, so the study was not archived. Close it first." in page
    assert Study.objects.get(pk=ready.pk).archived_at is None


def test_opening_takes_a_study_out_of_the_archive(ready, owner, researcher):
    owner.post(reverse("study:shelf", args=[ready.slug]), {"action": "archive"})
    open_study(ready, researcher)
    assert Study.objects.get(pk=ready.pk).archived_at is None


def test_tags_stand_in_the_list_of_studies_and_lead_to_their_studies(ready, owner):
    form = owner.get(reverse("study:settings", args=[ready.slug])).context["form"]
    given = {name: value for name in form.fields if (value := form[name].value()) not in (None, False)}
    owner.post(reverse("study:settings", args=[ready.slug]), {**given, "tags": "pilot, word order,pilot, "})
    page = owner.get(reverse("study:index")).content.decode()
    assert page.count('href="?q=pilot"') == 1
    assert 'href="?q=word%20order"' in page
    assert [row.study for row in owner.get(reverse("study:index"), {"q": "word order"}).context["rows"]] == [ready]
    assert [row.study for row in owner.get(reverse("study:index"), {"q": "corpus"}).context["rows"]] == []


def test_an_opened_study_is_not_deleted(ready, owner, researcher):
    open_study(ready, researcher)
    address = reverse("study:delete", args=[ready.slug])
    assert owner.get(address).status_code == 409
    owner.post(address)
    assert Study.objects.filter(pk=ready.pk).exists()


def shown_by(page):
    found = re.search(r'name="shown" value="([0-9a-f]+)"', page.content.decode())
    assert found
    return found[1]


@pytest.mark.parametrize("name", ["settings", "procedure"])
def test_what_somebody_saved_meanwhile_is_not_overwritten_unseen(ready, owner, name):
    address = reverse(f"study:{name}", args=[ready.slug])
    page = owner.get(address)
    key, forms_of = {
        "settings": ("contact", ["form"]),
        "procedure": ("completion_code", ["procedure_form", "settings_form"]),
    }[name]
    given = {"shown": shown_by(page)}
    for form in forms_of:
        for field in page.context[form]:
            value = field.value()
            if value is not None and value is not False:
                given[field.html_name] = "on" if value is True else value
    first = owner.post(address, {**given, key: "one@example.org"})
    assert first.status_code == 302, first.content.decode()
    second = owner.post(address, {**given, key: "two@example.org"})
    assert second.status_code == 409
    assert "Somebody saved this page" in second.content.decode()
    assert "two@example.org" in second.content.decode()

    def stored():
        study = Study.objects.get(pk=ready.pk)
        return study.contact if name == "settings" else study.conduct["completion_code"]

    assert stored() == "one@example.org"
    again = {**given, key: "two@example.org", "shown": shown_by(second)}
    assert owner.post(address, again).status_code == 302
    assert stored() == "two@example.org"


@pytest.mark.parametrize("title", ["One\nTwo", "One\tTwo", "One\x85Two"])
def test_a_title_is_one_line(draft, owner, title):
    answer = owner.post(reverse("study:settings", args=[draft.slug]), {"title": title, "language": "en"})
    assert answer.status_code == 422
    assert "Write one line, without tabs and control characters." in answer.content.decode()
