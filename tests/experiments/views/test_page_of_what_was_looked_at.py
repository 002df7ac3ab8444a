"""What a study begins with is standard until somebody has looked at it: saved it, or said that it is fine."""

from __future__ import annotations

import pytest
from django.urls import reverse

from experiments.models import Study
from experiments.study.lifecycle import copy_study, open_study, save_design, save_text
from experiments.study.parts import add_part, remove_part
from experiments.study.steps import study_steps

pytestmark = pytest.mark.slow

FINE = "Keep it as it is"


def unseen(study, researcher):
    """Return what nobody has looked at, by its keys."""
    seen = Study.objects.get(pk=study.pk)
    return {key for link in study_steps(seen, researcher) for key in link.state.standard}


def confirm(client, study, key):
    return client.post(reverse("study:looked_at", args=[study.slug]), {"key": key})


def test_every_standard_is_named_on_its_page_and_confirmed_there(ready, owner, researcher):
    before = unseen(ready, researcher)
    assert {"design:task", "texts/consent", "texts/instructions:task"} <= before
    for key in sorted(before):
        step, _slash, kind = key.partition(":")[0].partition("/")
        address = reverse(f"study:{step}", args=[ready.slug]) + (f"{kind}/" if kind else "")
        page = owner.get(address).content.decode()
        assert FINE in page, key
        assert f'name="key" value="{key}"' in page
        assert confirm(owner, ready, key).status_code == 302
        assert key not in unseen(ready, researcher)
        assert FINE not in owner.get(address).content.decode()
    assert unseen(ready, researcher) == set()
    entries = ready.audit_entries.filter(action="looked at")
    assert {entry.detail for entry in entries} == {key.partition(":")[0].rpartition("/")[2] for key in before}


def test_states_are_words_and_not_colours_alone(ready, owner):
    page = owner.get(reverse("study:home", args=[ready.slug])).content.decode()
    assert "Standard, not reviewed: Landing page, Consent" in page
    assert "1 task · + add a task, questionnaire or page" in page
    assert '<span class="sr-only">done</span>' in page


def test_the_next_step_follows_and_at_the_end_that_of_opening(ready, owner, researcher):
    left = unseen(ready, researcher)
    answer = confirm(owner, ready, "design:task")
    assert answer.url == reverse(
        "study:procedure" if "procedure:task" in left else "study:read_texts", args=[ready.slug]
    )
    if "procedure:task" in left:
        confirm(owner, ready, "procedure:task")
    assert confirm(owner, ready, "texts/welcome").url == reverse("study:read_texts", args=[ready.slug])
    for key in sorted(unseen(ready, researcher)):
        answer = confirm(owner, ready, key)
    assert answer.url == reverse("study:open", args=[ready.slug])


def test_a_text_that_is_saved_was_looked_at_also_where_nothing_was_changed(ready, owner, researcher):
    text = ready.texts.get(kind="consent")
    address = reverse("study:text", args=[ready.slug, "consent"])
    form = owner.get(address).context["form"]
    given = {name: form[name].value() or "" for name in form.fields}
    assert owner.post(address, given).status_code == 302
    assert ready.texts.filter(kind="consent").count() == 1
    assert text.is_default
    assert "texts/consent" not in unseen(ready, researcher)


def test_a_text_that_was_written_is_no_standard(ready, researcher):
    save_text(ready, "debriefing", "Thank you for coming.", researcher)
    assert "texts/debriefing" not in unseen(ready, researcher)


def test_what_changes_by_itself_is_to_be_looked_at_again(ready, owner, researcher, design):
    for key in unseen(ready, researcher):
        confirm(owner, ready, key)
    add_part(ready, name="second", kind="task", paradigm="maze", user=researcher)
    again = {key for key in unseen(ready, researcher) if "second" not in key}
    assert again == {f"texts/{kind}" for kind in ("welcome", "consent", "debriefing")}
    remove_part(ready, "second", researcher)
    save_design(ready, design, researcher)
    assert "design:task" in unseen(ready, researcher)


def test_an_open_study_has_no_standards_and_a_copy_keeps_what_was_looked_at(ready, owner, researcher):
    confirm(owner, ready, "texts/consent")
    open_study(Study.objects.get(pk=ready.pk), researcher)
    assert unseen(ready, researcher) == set()
    copy = copy_study(Study.objects.get(pk=ready.pk), "again", researcher)
    assert "texts/consent" not in unseen(copy, researcher)
    assert "texts/debriefing" in unseen(copy, researcher)


def test_the_page_of_opening_names_what_nobody_has_looked_at(ready, owner):
    page = owner.get(reverse("study:open", args=[ready.slug])).content.decode()
    assert "Nobody has reviewed these yet" in page


def test_only_who_may_change_the_study_confirms_and_only_what_there_is(ready, owner, client_of, researcher):
    viewer = client_of("viewer", ready)
    assert confirm(viewer, ready, "texts/consent").status_code == 403
    assert FINE not in viewer.get(reverse("study:text", args=[ready.slug, "consent"])).content.decode()
    assert confirm(owner, ready, "texts/poem").status_code == 404
    assert "texts/consent" in unseen(ready, researcher)
    confirm(owner, ready, "texts/consent")
    assert confirm(owner, ready, "texts/consent").status_code == 302  # a second press does no harm
    assert list(Study.objects.get(pk=ready.pk).looked_at) == ["texts/consent"]
