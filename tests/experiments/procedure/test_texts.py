"""Texts become blocks; new studies have texts in their language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.procedure.default_texts import default_body
from experiments.procedure.texts import KINDS, PLACEHOLDERS, blocks, filled, text_pages
from experiments.study.lifecycle import create_study

pytestmark = pytest.mark.slow


def test_blank_lines_separate_paragraphs_and_single_line_ends_do_not():
    assert blocks("One\ntwo.\n\nThree.") == [
        [{"type": "paragraph", "text": "One two."}, {"type": "paragraph", "text": "Three."}]
    ]


def test_headings_lists_examples_and_pages_have_their_marks():
    assert blocks("# Title\n- a\n- b\n\n- c\n> Said\n> so.\n---\n\n---\nNext.") == [
        [
            {"type": "heading", "text": "Title"},
            {"type": "list", "items": ["a", "b"]},
            {"type": "list", "items": ["c"]},
            {"type": "example", "text": "Said so."},
        ],
        [{"type": "paragraph", "text": "Next."}],
    ]


def test_examples_with_a_blank_line_between_are_two():
    assert [block["text"] for block in blocks("> One.\n\n> Two.")[0]] == ["One.", "Two."]


def test_marks_within_a_line_and_markup_are_plain_text():
    body = "A # b - c <b>d</b> 5 > 4 #tag -5"
    assert blocks(body) == [[{"type": "paragraph", "text": body}]]


def test_an_empty_text_has_no_pages():
    assert blocks(" \n\n---\n ") == []


@given(st.text())
def test_any_text_becomes_pages_of_known_blocks_and_no_word_is_lost(body):
    pages = blocks(body)
    for page in pages:
        assert page
        for block in page:
            assert block["type"] in ("paragraph", "heading", "list", "example")
            assert ("items" in block) == (block["type"] == "list")
    kept = "".join("".join([block.get("text", ""), *block.get("items", [])]) for page in pages for block in page)
    letters = [character for character in body if character.isalnum()]
    assert [character for character in kept if character.isalnum()] == letters


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_language_has_every_default_text_and_only_known_placeholders(language, kind):
    body = default_body(kind, paradigm="magnitude-estimation", language=language)
    assert blocks(body)
    rest = body
    for placeholder in PLACEHOLDERS:
        rest = rest.replace(placeholder, "")
    assert "{" not in rest


def test_a_text_that_does_not_exist_is_named():
    with pytest.raises(LookupError, match="'farewell' in the language 'de'"):
        default_body("farewell", paradigm="magnitude-estimation", language="de")


def test_placeholders_are_filled_once_and_other_braces_stay():
    facts = {"title": "{contact}", "minutes": 7, "responsible": "A", "contact": "a@b.org"}
    assert filled("{title} {minutes} {other} {0} {", facts) == "{contact} 7 {other} {0} {"


def test_participants_read_the_facts_of_the_study(researcher, db):
    study = create_study(
        slug="s",
        title="Sätze",
        paradigm="magnitude-estimation",
        language="de",
        user=researcher,
        responsible="Labor A",
        contact="a@example.org",
        estimated_minutes=9,
    )
    said = str(text_pages(study, "welcome")) + str(text_pages(study, "consent"))
    for fact in ("Sätze", "Labor A", "a@example.org", " 9 Minuten"):
        assert fact in said
    assert "{" not in said.replace("{'", "")
