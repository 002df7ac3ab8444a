"""Texts in Markdown become the same blocks as texts with four marks, with emphasis, links and numbers beside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.models import Markup, StudyText
from experiments.paradigms import PARADIGMS
from experiments.procedure.default_texts import default_body
from experiments.procedure.markdown import wrong_links
from experiments.procedure.texts import (
    KINDS,
    blocks,
    body_faults,
    current_text,
    filled,
    text_pages,
    without_links,
)
from experiments.study.lifecycle import copy_study, save_text


def read(body):
    return blocks(body, Markup.MARKDOWN)


def test_emphasis_and_links_are_pieces_beside_the_plain_text():
    assert read("Write to **us** at [our *page*](https://example.org/a?b=c).") == [
        [
            {
                "type": "paragraph",
                "text": "Write to us at our page.",
                "spans": [
                    {"text": "Write to "},
                    {"text": "us", "strong": True},
                    {"text": " at "},
                    {"text": "our ", "href": "https://example.org/a?b=c"},
                    {"text": "page", "href": "https://example.org/a?b=c", "emphasis": True},
                    {"text": "."},
                ],
            }
        ]
    ]


def test_headings_have_levels_and_lists_their_first_number():
    assert read("# One\n## Two\n\n3. three\n4. *four*\n\n- a\n  - b\n- c\n\n  more") == [
        [
            {"type": "heading", "text": "One"},
            {"type": "heading", "text": "Two", "level": 2},
            {
                "type": "list",
                "items": ["three", "four"],
                "first": 3,
                "item_spans": [[{"text": "three"}], [{"text": "four", "emphasis": True}]],
            },
            {"type": "list", "items": ["a", "b", "c\nmore"]},
        ]
    ]


def test_quotations_are_examples_and_rules_begin_pages():
    assert read("> Said\n> so.\n\n> Again.\n---\nNext\\\nline.") == [
        [{"type": "example", "text": "Said so."}, {"type": "example", "text": "Again."}],
        [{"type": "paragraph", "text": "Next\nline."}],
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<b>bold</b> <script>x</script>",
        "x < y &amp; z",
        "`code` and ~~~",
        "Two lines",
        "[words](javascript:alert(1))",
        "[words](data:text/html,x)",
        "[words](/admin/)",
        "<javascript:x>",
    ],
)
def test_markup_and_links_that_are_no_addresses_stay_text(body):
    assert read(body) == [[{"type": "paragraph", "text": body}]]


@pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)
def test_the_texts_that_studies_begin_with_read_the_same_either_way(paradigm):
    for kind in KINDS:
        body = default_body(kind, paradigm=paradigm.slug, language="en")
        # What researchers have written, such as questions, is escaped for Markdown.
        assert read(body) == blocks(body.replace("\\", ""))


@given(st.text(alphabet=st.sampled_from("ab1.*_#>-+[]()<>\\!`~&;:/ \n\t")))
def test_any_text_becomes_known_blocks_whose_pieces_say_the_same(body):
    for page in read(body):
        assert page
        for block in page:
            assert block["type"] in ("paragraph", "heading", "list", "example")
            whole = [block["text"]] if "text" in block else block["items"]
            pieces = block.get("item_spans") or ([block["spans"]] if "spans" in block else None)
            if pieces is not None:
                assert ["".join(span["text"] for span in spans) for spans in pieces] == whole
                targets = [span["href"] for spans in pieces for span in spans if "href" in span]
                assert all(target.startswith(("https:", "http:", "mailto:")) for target in targets)


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=1))
def test_a_fact_stands_in_markdown_as_it_is(title):
    (page,) = read(filled("About {title}.", {"title": title}, Markup.MARKDOWN))
    assert page == [{"type": "paragraph", "text": f"About {title}."}]


def test_unknown_placeholders_and_links_that_lead_nowhere_are_named():
    said = [str(fault) for fault in body_faults("{titel} {minutes} {1} [a](example.org)", Markup.MARKDOWN)]
    assert len(said) == 2
    assert said[0].startswith("There is no placeholder {titel}.")
    assert "{title}" in said[0]
    assert said[1].startswith("The link to “example.org” leads nowhere.")
    assert wrong_links("[a](https://example.org) [b](mailto:a@b.org) (in brackets)") == []


def test_breaks_show_the_instructions_without_links():
    pages = read("[words](https://example.org) *here*\n\n- [a](https://example.org)")
    assert "example.org" in str(pages)
    plain = without_links(pages)
    assert "example.org" not in str(plain)
    assert [block.get("text", block.get("items")) for block in plain[0]] == ["words here", ["a"]]
    assert {"text": "here", "emphasis": True} in plain[0][0]["spans"]


def test_a_text_that_was_written_before_keeps_its_look(draft, researcher):
    StudyText.objects.filter(study=draft, kind="consent").update(
        markup=Markup.PLAIN, body="A *star* and\n1. number", is_default=False
    )
    assert text_pages(draft, "consent") == [[{"type": "paragraph", "text": "A *star* and 1. number"}]]
    saved = save_text(draft, "consent", "Still *stars*.", researcher)
    assert saved.markup == Markup.PLAIN
    assert current_text(copy_study(draft, "a-copy", researcher), "consent").markup == Markup.PLAIN
    assert save_text(draft, "consent", "Still *stars*.", researcher, markup=Markup.MARKDOWN).version == 3
