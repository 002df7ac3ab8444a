"""Who may look at the pages of a study and who may change it: every page against every role."""

import pytest
from django.urls import reverse

from experiments.models import Study

pytestmark = pytest.mark.slow

PAGES = [
    "study:home",
    "study:materials",
    "study:regions",
    "study:replace_materials",
    "study:download_materials",
    "study:design",
    "study:procedure",
    "study:questions",
    "study:texts",
    "study:preview",
    "study:open",
    "study:settings",
    "study:parts",
    "study:copy",
    "study:archive",
    "study:delete",
    "watch:watch",
    "watch:participants",
]
# A change of every page, with what makes it valid, and the least role that may make it.
CHANGES = [
    ("study:check_materials", (), {"pasted": "item,text"}, "editor"),
    ("study:store_materials", (), {"table": "item,text"}, "editor"),
    ("study:regions", (), {}, "editor"),
    ("study:procedure", (), {}, "editor"),
    ("study:parts", (), {"action": "groups", "name": "a", "weight": "1", "quota": ""}, "editor"),
    ("study:questions", (), {"questions-TOTAL_FORMS": "0", "questions-INITIAL_FORMS": "0"}, "editor"),
    ("study:texts", (), {"body": "Hello."}, "editor"),
    ("study:open", (), {"quota": "8"}, "editor"),
    ("study:change_status", ("start",), {}, "editor"),
    ("study:settings", (), {"title": "Another title"}, "editor"),
    ("study:look", (), {"colour": "#1c4c5c"}, "editor"),
    ("study:add_person", (), {"username": "nobody", "role": "viewer"}, "owner"),
    ("study:shelf", (), {"action": "archive"}, "owner"),
    ("study:delete", (), {}, "owner"),
    ("watch:erase_identities", (), {}, "owner"),
    ("watch:erase_all", (), {}, "owner"),
]
RANK = {"stranger": 0, "viewer": 1, "editor": 2, "owner": 3, "superuser": 3}


def statuses(client, study):
    """Return the status of every page of a study."""
    return {page: client.get(reverse(page, args=[study.slug])).status_code for page in PAGES}


@pytest.mark.parametrize("role", ["owner", "editor", "viewer", "superuser"])
def test_members_see_every_page_of_their_study(role, ready, client_of):
    assert statuses(client_of(role, ready), ready) == dict.fromkeys(PAGES, 200)


def test_a_study_does_not_exist_for_researchers_who_were_not_added(ready, client_of):
    assert statuses(client_of("stranger"), ready) == dict.fromkeys(PAGES, 404)


def test_a_coder_sees_no_page_of_the_study_and_changes_nothing(ready, client_of):
    coder = client_of("coder", ready)
    assert statuses(coder, ready) == dict.fromkeys(PAGES, 404)
    for page, arguments, data, _least in CHANGES:
        assert coder.post(reverse(page, args=[ready.slug, *arguments]), data).status_code == 404, page
    assert ready.title not in coder.get(reverse("study:index")).content.decode()
    for record in ("experiments_study", "participants_session", "participants_response", "experiments_auditentry"):
        assert ready.title not in coder.get(reverse(f"admin:{record}_changelist")).content.decode()


def test_nobody_sees_a_page_without_logging_in(ready, client):
    for page in PAGES:
        address = reverse(page, args=[ready.slug])
        answer = client.get(address)
        assert (answer.status_code, answer.url) == (302, f"{reverse('admin:login')}?next={address}")
    assert client.get(reverse("study:list", args=[ready.slug, ready.lists.first().pk])).status_code == 302


@pytest.mark.parametrize("role", ["viewer", "editor", "stranger", "owner", "superuser"])
def test_a_change_needs_the_role_for_it(role, ready, client_of):
    """Every change is tried; what the role may not do is refused and changes nothing."""
    client = client_of(role, ready)
    refusal = 404 if role == "stranger" else 403
    for page, arguments, data, least in CHANGES:
        allowed = RANK[role] >= RANK[least]
        before = Study.objects.filter(pk=ready.pk).values().get()
        status = client.post(reverse(page, args=[ready.slug, *arguments]), data).status_code
        if allowed:
            assert status in (200, 302, 422), page
        else:
            assert status == refusal, page
            assert Study.objects.filter(pk=ready.pk).values().get() == before, page


@pytest.mark.parametrize("page", ["study:settings", "study:delete", "study:texts"])
def test_a_change_without_a_token_of_the_page_is_refused(page, ready, researcher):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(researcher)
    assert client.post(reverse(page, args=[ready.slug]), {"title": "x"}).status_code == 403
    assert Study.objects.filter(pk=ready.pk, title="Causal sentences").exists()


def test_looking_at_a_page_changes_nothing(ready, owner):
    before = Study.objects.filter(pk=ready.pk).values().get()
    entries = ready.audit_entries.count()
    for action in ("start", "delete", "copy"):
        owner.get(f"/admin/studies/{ready.slug}/open/{action}/")
    for page in PAGES:
        owner.get(reverse(page, args=[ready.slug]))
    assert Study.objects.filter(pk=ready.pk).values().get() == before
    assert ready.audit_entries.count() == entries


def test_an_account_that_is_no_researcher_is_sent_to_the_log_in_page(ready, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("reader", password="a long password"))
    assert client.get(reverse("study:home", args=[ready.slug])).status_code == 302


def test_a_viewer_is_told_so_and_gets_no_buttons_that_change(ready, client_of):
    viewer = client_of("viewer", ready)
    page = viewer.get(reverse("study:texts", args=[ready.slug])).content.decode()
    assert "You can view this study but not change it." in page
    assert 'value="save"' not in page
    assert "Replace" not in viewer.get(reverse("study:materials", args=[ready.slug])).content.decode()
