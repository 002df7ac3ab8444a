"""All texts on one page: read once, what they name asked for there, and fine with one press."""

from __future__ import annotations

import pytest
from django.urls import reverse

from experiments.models import Study
from experiments.study.lifecycle import facts_of_newest, save_details
from experiments.study.steps import next_step, study_steps

pytestmark = pytest.mark.slow

FACTS = {"responsible": "Ada", "contact": "ada@example.org", "data_protection_note": "On our server."}


def read(client, study):
    return client.get(reverse("study:read_texts", args=[study.slug]))


def unseen(study, user):
    return [key for link in study_steps(Study.objects.get(pk=study.pk), user) for key in link.state.standard]


def test_every_text_is_there_as_participants_read_it_and_one_press_says_that_all_are_fine(ready, owner, researcher):
    answer = read(owner, ready)
    page = answer.content.decode()
    keys = answer.context["unseen_keys"]
    assert keys == [key for key in unseen(ready, researcher) if key.startswith("texts/")]
    assert len(keys) == 4
    assert "{minutes}" not in page
    assert ready.title in page
    done = owner.post(reverse("study:looked_at", args=[ready.slug]), {"key": keys})
    assert done.status_code == 302
    assert not [key for key in unseen(ready, researcher) if key.startswith("texts/")]
    assert "These texts are fine" not in read(owner, ready).content.decode()


def test_one_key_that_there_is_not_confirms_none(ready, owner, researcher):
    before = unseen(ready, researcher)
    address = reverse("study:looked_at", args=[ready.slug])
    assert owner.post(address, {"key": ["texts/consent", "texts/poem"]}).status_code == 404
    assert owner.post(address).status_code == 404
    assert unseen(ready, researcher) == before


def test_what_the_texts_name_is_asked_for_here_while_it_is_missing(ready, owner, researcher):
    address = reverse("study:read_texts", args=[ready.slug])
    assert 'id="facts"' not in read(owner, ready).content.decode()
    save_details(ready, dict.fromkeys(FACTS, ""), researcher)
    assert 'id="facts"' in read(owner, ready).content.decode()
    refused = owner.post(address, {**FACTS, "contact": ""})
    assert refused.status_code == 422
    assert not Study.objects.get(pk=ready.pk).responsible
    assert owner.post(address, FACTS).status_code == 302
    page = read(owner, ready).content.decode()
    assert 'id="facts"' not in page
    assert "ada@example.org" in page


def test_viewers_read_and_change_nothing(ready, client_of, researcher):
    viewer = client_of("viewer", ready)
    save_details(ready, dict.fromkeys(FACTS, ""), researcher)
    page = read(viewer, ready).content.decode()
    assert "These texts are fine" not in page
    assert 'id="facts"' not in page
    assert viewer.post(reverse("study:read_texts", args=[ready.slug]), FACTS).status_code == 403


def test_a_new_study_begins_with_the_facts_of_the_newest_in_its_language(ready, owner, researcher):
    save_details(ready, FACTS, ready.owner)
    assert facts_of_newest(ready.owner, "en") == FACTS
    assert facts_of_newest(ready.owner, "de") == {}
    given = {"way": "task", "preset": "cloze", "title": "Next", "slug": "next", "language": "en"}
    answer = owner.post(reverse("study:start"), given)
    assert answer.url == reverse("study:materials", args=["next"])
    assert Study.objects.get(slug="next").responsible == "Ada"
    owner.post(reverse("study:start"), {**given, "slug": "naechste", "language": "de"})
    assert not Study.objects.get(slug="naechste").responsible


def test_finished_pages_lead_to_the_next_step_and_unfinished_ones_do_not(ready, owner, researcher):
    page = owner.get(reverse("study:materials", args=[ready.slug])).content.decode()
    following = next_step(study_steps(ready, researcher))
    assert following is not None
    assert f'href="{following.next_url}">Next: {following.label}</a>' in page
    own = owner.get(following.next_url).content.decode()
    assert "Next: " not in own
