"""Lists of records take their declared filters from the address and no other question about a field."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.contrib import admin
from django.test import Client, RequestFactory

from experiments.models import AuditEntry, Membership
from participants.models import Participant
from tests.participants.studies import Browser, open_study

admin.autodiscover()
LOOKUPS = (
    "", "exact", "iexact", "contains", "icontains", "startswith", "istartswith", "endswith", "iendswith", "regex",
    "iregex", "gt", "gte", "lt", "lte", "in", "range", "isnull", "date", "year", "month", "day", "week_day", "has_key",
    "contained_by",
)  # fmt: skip
# What the filters at the side of the lists need, by model; a bar of dates asks for year, month and day.
FILTERS = {
    "participants.participant": {"is_simulated"},
    "participants.session": {"status", "is_excluded", "is_simulated"},
    "participants.trial": {"phase"},
    "participants.response": {"trial__phase", "interrupted"},
    "experiments.study": {"status"},
    "experiments.auditentry": {"action", "at"},
    "analysis.analysisrun": {"status", "method"},
    "auth.user": set(),
}
pytestmark = [pytest.mark.both, pytest.mark.django_db]


def paths(model: Any, *, depth: int) -> list[str]:
    """Return every field of a model and of what it is related to, forwards and backwards, as it is asked for."""
    found = []
    for field in model._meta.get_fields(include_hidden=True):
        name = field.name.rstrip("+") or field.name
        if not name or name.startswith("_"):
            continue
        found.append(name)
        if getattr(field, "related_model", None) is not None and depth > 1:
            found += [f"{name}__{further}" for further in paths(field.related_model, depth=depth - 1)]
    return found


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model._meta.label_lower)
def test_no_other_lookup_of_any_field_is_taken(model: Any, admin_user: Any) -> None:
    request = RequestFactory().get("/")
    request.user = admin_user
    of_model = admin.site._registry[model]
    allowed = set()
    asked = 0
    for path in {*paths(model, depth=3), "pk"}:
        for lookup in LOOKUPS:
            asked += 1
            name = f"{path}__{lookup}" if lookup else path
            if of_model.lookup_allowed(name, "a", request):
                allowed.add(path)
                assert lookup in {"", "exact", "isnull", "year", "month", "day"}, name
    assert asked > 100
    expected = FILTERS[model._meta.label_lower]
    assert {path for path in allowed if path.removesuffix("__id") not in expected} == set()
    assert expected <= allowed


@pytest.fixture
def viewer(django_user_model: Any) -> Client:
    study = open_study()
    Browser(study).start()
    user = django_user_model.objects.create_user("viewer", is_staff=True)
    Membership.objects.create(study=study, user=user, role="viewer")
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    "asked",
    [
        "withdrawal_code__regex=^A", "withdrawal_code_hash__regex=^a", "withdrawal_code_sealed__startswith=g",
        "sessions__token_hash__regex=^a", "recruitment__external_id_hash__startswith=a", "pk__gt=0",
        "study__owner__password__startswith=p", "_to_field=withdrawal_code_hash",
    ],
)  # fmt: skip
def test_a_viewer_who_asks_for_a_code_letter_by_letter_learns_nothing(viewer: Client, asked: str) -> None:
    answer = viewer.get(f"/admin/participants/participant/?{asked}")
    assert answer.status_code == 400
    assert Participant.objects.get().pseudonym not in answer.content.decode()


def test_the_declared_filters_still_narrow_the_list(viewer: Client) -> None:
    pseudonym = Participant.objects.get().pseudonym
    shown = viewer.get("/admin/participants/participant/?is_simulated__exact=0").content.decode()
    hidden = viewer.get("/admin/participants/participant/?is_simulated__exact=1").content.decode()
    assert pseudonym in shown
    assert pseudonym not in hidden


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model._meta.label_lower)
def test_every_link_of_a_list_leads_to_a_list(model: Any, admin_client: Client) -> None:
    """From every filter to every other, over the bar of dates and back, three links far."""
    Browser(open_study()).start()
    first, last = (
        AuditEntry.objects.create(study_slug="small-study", action=action) for action in ("created", "opened")
    )
    AuditEntry.objects.filter(pk=first.pk).update(at=last.at - timedelta(days=800))
    address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    asked, waiting = set(), [""]
    for _link in range(4):
        found: set[str] = set()
        for query in waiting:
            answer = admin_client.get(address + query)
            assert answer.status_code == 200, query
            links = {unescape(link) for link in re.findall(r'href="(\?[^"]*)"', answer.content.decode())}
            # In what order the rows stand changes nothing about the other links.
            found |= {link for link in links if not {"o", "p"} & parse_qs(link.removeprefix("?")).keys()}
        asked |= set(waiting)
        waiting = sorted(found - asked)
    assert asked


def test_all_filters_are_cleared_with_the_day_that_was_chosen(admin_client: Client) -> None:
    Browser(open_study()).start()
    page = admin_client.get("/admin/experiments/auditentry/?at__year=1990&action=created").content.decode()
    (link,) = re.findall(r'href="(\?[^"]*)"[^>]*>\s*Clear all filters', page)
    assert link == "?"
