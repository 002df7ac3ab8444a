"""The pages of texts and of opening name what an edited text lacks, with the buttons that put it right."""

import re

from django.urls import reverse

from experiments.models import Study
from experiments.procedure.texts import current_text
from experiments.study.lifecycle import save_text
from experiments.study.parts import add_part

RECALL = "You read sentences on the screen, solve small sums and type what you remember. It may tire you."


def consent(study) -> str:
    return reverse("study:text", args=[study.slug, "consent"])


def open_page(study) -> str:
    return reverse("study:open", args=[study.slug])


def edited_before_a_task_was_added(draft, researcher) -> None:
    save_text(draft, "consent", "Mine.", researcher)
    add_part(draft, name="recall", kind="task", paradigm="sentence-recall", user=researcher)


def body(study, kind="consent") -> str:
    return current_text(Study.objects.get(pk=study.pk), kind).body


def mentions_in(page) -> str:
    [found] = re.findall(r'name="mentions" value="([^"]*)"', page)
    return str(found)


def test_both_pages_say_what_is_missing_and_offer_to_put_it_right(draft, owner, researcher):
    assert "The consent does not mention:" not in owner.get(consent(draft)).content.decode()
    edited_before_a_task_was_added(draft, researcher)
    for address in (consent(draft), open_page(draft)):
        page = owner.get(address).content.decode()
        assert "The consent does not mention:" in page
        assert f'<q dir="auto">{RECALL}</q> <span class="muted small">part recall</span>' in page
        assert "Insert the standard sentences" in page
        assert "Confirm that it is right" in page
        # Once, not among the other warnings as well.
        assert page.count(RECALL) == 1
    assert '<span class="badge badge-warn">4 to check</span>' in owner.get(consent(draft)).content.decode()


def test_inserting_leads_back_to_where_it_was_asked_for(draft, owner, researcher):
    edited_before_a_task_was_added(draft, researcher)
    answer = owner.post(consent(draft), {"action": "insert", "next": open_page(draft)}, follow=True)
    assert answer.redirect_chain == [(open_page(draft), 302)]
    assert RECALL in body(draft)
    assert body(draft).startswith("Mine.")
    assert "The consent does not mention:" not in answer.content.decode()
    away = owner.post(consent(draft), {"action": "confirm", "next": "https://elsewhere.example/"})
    assert away.headers["Location"] == consent(draft)


def test_confirming_keeps_the_text_and_its_version(draft, owner, researcher):
    edited_before_a_task_was_added(draft, researcher)
    version = current_text(draft, "consent").version
    page = owner.post(consent(draft), {"action": "confirm"}, follow=True).content.decode()
    assert "You confirmed that the text is right as it is." in page
    assert "The consent does not mention:" not in page
    assert (body(draft), current_text(draft, "consent").version) == ("Mine.", version)


def test_saving_says_by_a_tick_that_the_text_mentions_the_rest(draft, owner, researcher):
    edited_before_a_task_was_added(draft, researcher)
    page = owner.get(consent(draft)).content.decode()
    form = {
        "body": "Mine, about recall.",
        "required_boxes": "Yes.",
        "mentions": mentions_in(page),
    }
    owner.post(consent(draft), form)
    assert "The consent does not mention:" in owner.get(consent(draft)).content.decode()
    owner.post(consent(draft), {**form, "body": "Mine, all of it.", "mentions_all": "on"})
    assert "The consent does not mention:" not in owner.get(consent(draft)).content.decode()


def test_what_was_added_while_somebody_edited_the_standard_text_is_not_taken_as_mentioned(draft, owner, researcher):
    page = owner.get(consent(draft)).content.decode()
    mentions = mentions_in(page)
    assert "task:" in mentions
    add_part(draft, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    owner.post(consent(draft), {"body": "Mine.", "required_boxes": "Yes.", "mentions": f"{mentions} made:up"})
    text = current_text(Study.objects.get(pk=draft.pk), "consent")
    assert text.mentions == mentions.split()
    assert "The consent does not mention:" in owner.get(consent(draft)).content.decode()


def test_a_standard_text_that_is_edited_stays_readable_as_a_version(draft, owner, researcher):
    add_part(draft, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    owner.post(consent(draft), {"body": "Mine.", "required_boxes": "Yes."})
    assert RECALL in owner.get(consent(draft), {"version": "1"}).content.decode()


def test_people_who_may_only_look_see_what_is_missing_without_buttons(draft, client_of, researcher):
    viewer = client_of("viewer", draft)
    edited_before_a_task_was_added(draft, researcher)
    page = viewer.get(consent(draft)).content.decode()
    assert RECALL in page
    assert "Confirm that it is right" not in page
    assert viewer.post(consent(draft), {"action": "confirm"}).status_code == 403
