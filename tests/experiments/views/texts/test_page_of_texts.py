"""Texts: versions, previews, the boxes of the consent."""

import pytest
from django.urls import reverse

from experiments.procedure.texts import PLACEHOLDERS, current_text
from experiments.study.lifecycle import open_study, save_text


def address(study, kind):
    return (
        reverse("study:texts", args=[study.slug]) if kind == "welcome" else f"/admin/studies/{study.slug}/texts/{kind}/"
    )


def test_saving_adds_a_version_and_keeps_the_old_one(draft, owner):
    first = current_text(draft, "welcome").body
    owner.post(address(draft, "welcome"), {"body": "Another welcome.", "base_version": "1"})
    assert [(text.version, text.body) for text in draft.texts.filter(kind="welcome").order_by("version")] == [
        (1, first),
        (2, "Another welcome."),
    ]
    assert first[:30] in owner.get(address(draft, "welcome"), {"version": "1"}).content.decode()


def test_saving_the_same_text_makes_no_version(draft, owner):
    body = current_text(draft, "debriefing").body
    answer = owner.post(address(draft, "debriefing"), {"body": body.replace("\n", "\r\n")}, follow=True)
    assert "Nothing was changed" in answer.content.decode()
    assert draft.texts.filter(kind="debriefing").count() == 1


def test_a_preview_shows_the_blocks_and_stores_nothing(draft, owner):
    answer = owner.post(
        address(draft, "welcome"), {"body": "# Hello\n\nFrom {title}.\n\n- one\n- two", "action": "preview"}
    )
    page = answer.content.decode()
    assert '<h3 dir="ltr">Hello</h3>' in page
    assert '<p dir="ltr">From Causal sentences.</p>' in page
    assert "<li>two</li>" in page
    assert draft.texts.filter(kind="welcome").count() == 1


def test_markup_in_a_text_stays_text(draft, owner):
    page = owner.post(
        address(draft, "welcome"), {"body": "<img src=x onerror=y>", "action": "preview"}
    ).content.decode()
    assert "<img src=x" not in page


def test_the_boxes_of_the_consent_are_one_statement_per_line(draft, owner):
    owner.post(
        address(draft, "consent"),
        {"body": "Your rights.", "required_boxes": "I agree.\r\n\r\nI am 18.\r\n", "optional_boxes": "Share them."},
    )
    text = current_text(draft, "consent")
    assert (text.required_boxes, text.optional_boxes) == (["I agree.", "I am 18."], ["Share them."])


@pytest.mark.parametrize(
    ("required", "optional", "sentence"),
    [
        ("I agree.\nI agree.", "", "Two boxes have the same text."),
        ("I agree.", "I agree.", "A required box and an optional box have the same statement."),
        ("x" * 501, "", "longer than 500 characters"),
    ],
)
def test_boxes_that_cannot_be_meant_are_refused(required, optional, sentence, draft, owner):
    answer = owner.post(
        address(draft, "consent"), {"body": "Rights.", "required_boxes": required, "optional_boxes": optional}
    )
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert draft.texts.filter(kind="consent").count() == 1


def test_two_people_who_edit_at_once_do_not_overwrite_each_other_unseen(draft, owner, researcher):
    save_text(draft, "welcome", "Somebody else's text.", researcher)
    answer = owner.post(address(draft, "welcome"), {"body": "My text.", "base_version": "1"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody saved version 2 while you were writing." in page
    assert "My text." in page
    assert current_text(draft, "welcome").body == "Somebody else's text."
    assert 'name="base_version" value="2"' in page


def test_the_standard_text_is_offered_and_not_stored(draft, owner):
    before = current_text(draft, "consent").body
    owner.post(address(draft, "consent"), {"body": "Mine.", "required_boxes": "Yes."})
    page = owner.get(address(draft, "consent"), {"default": "1"}).content.decode()
    assert before[:40] in page
    assert current_text(draft, "consent").body == "Mine."


def test_the_instructions_of_an_opened_study_are_fixed(ready, owner, researcher):
    open_study(ready, researcher)
    before = current_text(ready, "instructions").body
    page = owner.get(address(ready, "instructions")).content.decode()
    assert "locked since the study was opened" in page
    owner.post(address(ready, "instructions"), {"body": "Other instructions."})
    assert current_text(ready, "instructions").body == before


@pytest.mark.parametrize("query", ["?version=99", "?version=x"])
def test_a_version_that_does_not_exist_is_not_found(query, draft, owner):
    assert owner.get(address(draft, "welcome") + query).status_code == 404


def test_a_kind_of_text_that_does_not_exist_is_not_found(draft, owner):
    assert owner.get(f"/admin/studies/{draft.slug}/texts/poem/").status_code == 404


def test_emphasis_and_links_are_shown_and_links_open_a_tab_of_their_own(draft, owner):
    body = "*Note*: [our page](https://example.org/a?b=1&c=2).\n\n2. **two** <b>"
    page = owner.post(address(draft, "welcome"), {"body": body, "action": "preview"}).content.decode()
    link = '<a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener">our page</a>'
    assert f'<p dir="ltr"><em>Note</em>: {link}.</p>' in page
    assert '<ol start="2" dir="ltr"><li><strong>two</strong> &lt;b&gt;</li></ol>' in page


def test_placeholders_stand_beside_the_text_with_what_they_are_in_this_study(draft, owner):
    page = owner.get(address(draft, "welcome")).content.decode()
    for name in PLACEHOLDERS:
        assert f"<code>{name}</code>" in page
    assert f'<span class="muted">{draft.title}</span>' in page


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("About {titel}.", "There is no placeholder {titel}."),
        ("See [this](www.example.org).", "The link to “www.example.org” leads nowhere."),
    ],
)
def test_placeholders_that_there_are_not_and_broken_links_are_refused(body, sentence, draft, owner):
    answer = owner.post(address(draft, "welcome"), {"body": body})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert draft.texts.filter(kind="welcome").count() == 1


def test_a_text_of_four_marks_becomes_markdown_only_where_somebody_chooses_so(draft, owner):
    draft.texts.filter(kind="welcome").update(markup="plain", body="A *star*.", is_default=False)
    page = owner.get(address(draft, "welcome")).content.decode()
    assert '<p dir="ltr">A *star*.</p>' in page
    assert '<select name="markup"' in page
    owner.post(address(draft, "welcome"), {"body": "Two *stars*."})
    assert current_text(draft, "welcome").markup == "plain"
    owner.post(address(draft, "welcome"), {"body": "Two *stars*.", "markup": "markdown"})
    assert current_text(draft, "welcome").markup == "markdown"
    page = owner.get(address(draft, "welcome")).content.decode()
    assert '<p dir="ltr">Two <em>stars</em>.</p>' in page
    assert '<select name="markup"' not in page
