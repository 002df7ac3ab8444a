"""The page of the design takes names for print of its factors and levels."""

from __future__ import annotations

import re
from html import unescape

from django.urls import reverse

from experiments.models import AuditEntry, Study


def fields_of(page: str) -> dict[str, str]:
    """Return the fields of the form with the words of the materials that they name."""

    def said(attribute: str, field: str) -> str:
        found = re.search(f'{attribute}="([^"]*)"', field)
        assert found, field
        return unescape(found[1])

    fields = re.findall(r"<input[^>]*placeholder[^>]*>", page)
    return {said("placeholder", field): said("name", field) for field in fields}


def test_labels_are_saved_shown_again_and_recorded(ready, owner) -> None:
    page = reverse("study:design", args=[ready.slug])
    fields = fields_of(owner.get(page).content.decode())
    factor, level = next((factor["name"], factor["levels"][0]) for factor in ready.factors)
    answer = owner.post(
        reverse("study:labels", args=[ready.slug]),
        {fields[factor]: "What we call it", fields[level]: "<one> level"},
        follow=True,
    )
    assert "The labels were saved." in answer.content.decode()
    assert 'value="&lt;one&gt; level"' in answer.content.decode()
    ready.refresh_from_db()
    assert ready.labels == {factor: {"label": "What we call it", "levels": {level: "<one> level"}}}
    assert AuditEntry.objects.filter(study=ready, action="labels changed").count() == 1


def test_two_levels_of_the_same_name_are_refused_and_what_was_written_stays(ready, owner) -> None:
    fields = fields_of(owner.get(reverse("study:design", args=[ready.slug])).content.decode())
    one, other = ready.factors[0]["levels"][:2]
    answer = owner.post(
        reverse("study:labels", args=[ready.slug]),
        {fields[one]: "alike", fields[other]: "alike", fields["order"]: "x" * 99},
    )
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "have the same label" in page
    assert "one line of at most 60 characters" in page
    assert page.count('value="alike"') == 2
    ready.refresh_from_db()
    assert ready.labels == {}


def test_what_an_open_form_does_not_have_stays_as_it_is_stored(ready, owner) -> None:
    fields = fields_of(owner.get(reverse("study:design", args=[ready.slug])).content.decode())
    factor, (one, other, *_more) = ready.factors[0]["name"], ready.factors[0]["levels"]
    stored = {factor: {"label": "Stored", "levels": {one: "the one", other: "the other"}}}
    Study.objects.filter(pk=ready.pk).update(labels=stored)
    address = reverse("study:labels", args=[ready.slug])
    assert 'value="the one"' in owner.post(address, {fields[factor]: "x" * 99}).content.decode()
    owner.post(address, {fields[other]: ""})
    ready.refresh_from_db()
    assert ready.labels == {factor: {"label": "Stored", "levels": {one: "the one"}}}


def test_fields_are_named_by_words_and_not_by_their_places(ready, owner) -> None:
    fields = fields_of(owner.get(reverse("study:design", args=[ready.slug])).content.decode())
    factor, level = ready.factors[0]["name"], ready.factors[0]["levels"][0]
    assert (fields[factor], fields[level]) == (f"factor:{factor}", f"level:{factor}:{level}")


def test_labels_may_change_after_opening(ready, owner) -> None:
    Study.objects.filter(pk=ready.pk).update(status=Study.Status.OPEN)
    fields = fields_of(owner.get(reverse("study:design", args=[ready.slug])).content.decode())
    owner.post(reverse("study:labels", args=[ready.slug]), {fields["order"]: "Order of clauses"})
    ready.refresh_from_db()
    assert ready.labels == {"order": {"label": "Order of clauses"}}


def test_a_viewer_sees_the_names_and_may_not_change_them(ready, client_of) -> None:
    viewer = client_of("viewer", ready)
    page = viewer.get(reverse("study:design", args=[ready.slug])).content.decode()
    assert "Labels of factors and levels" in page
    assert "Save the labels" not in page
    answer = viewer.post(reverse("study:labels", args=[ready.slug]), {fields_of(page)["order"]: "Mine"})
    assert answer.status_code == 403
    assert client_of("stranger").post(reverse("study:labels", args=[ready.slug]), {}).status_code == 404
    ready.refresh_from_db()
    assert ready.labels == {}
