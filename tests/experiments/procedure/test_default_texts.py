"""Texts with which a study begins say this study's task, in every language, and follow the settings until edited."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.languages import LANGUAGES
from experiments.models import StudyText
from experiments.paradigms import PARADIGMS
from experiments.procedure.default_texts import (
    DEFAULTS,
    default_body,
    default_required_boxes,
    words_of_texts,
)
from experiments.procedure.facts_for_texts import QuestionnaireFacts, StudyFacts, TaskFacts
from experiments.procedure.texts import KINDS, blocks, current_text
from experiments.study.lifecycle import copy_study, create_study, open_study, save_details, save_text
from experiments.study.opening.mismatches import text_mismatches

TEXTS = [language.tag for language in LANGUAGES.values() if language.has_texts]
PLACEHOLDERS = {
    "welcome": {"title"},
    "consent": {"title", "minutes", "responsible", "contact"},
    "instructions": set(),
    "debriefing": {"title", "responsible", "contact"},
}


def shape(body: str) -> list[list[str]]:
    return [[block["type"] for block in page] for page in blocks(body)]


def values(declared) -> st.SearchStrategy:
    """Some values of a setting: its choices, both sides of a switch, nothing and the default of anything else."""
    if choices := list(getattr(declared, "choices", ())):
        return st.sampled_from([value for value, _ in choices])
    if isinstance(declared.initial, bool):
        return st.booleans()
    if isinstance(declared.initial, int):
        return st.sampled_from([0, declared.initial, 2])
    return st.just(declared.initial if declared.initial is not None else "")


@st.composite
def tasks(draw) -> TaskFacts:
    paradigm = draw(st.sampled_from(PARADIGMS))
    settings = {name: draw(values(declared)) for name, declared in paradigm.settings_form.base_fields.items()}
    flags = {name: draw(st.booleans()) for name in ("pictures", "sounds", "comprehension", "practice", "fillers")}
    example = draw(st.sampled_from([None, {"text": "A *star*.", "answer": "yes"}, {"text": "a", "answer": ""}]))
    return TaskFacts(paradigm.slug, settings, example=example, **flags)


@given(st.lists(tasks(), min_size=1, max_size=3), st.booleans())
def test_whatever_the_settings_every_language_says_the_same_and_reads_well(drawn, background) -> None:
    asked = [QuestionnaireFacts(["choice", "text"], "", True, "background")] if background else []
    facts = StudyFacts([*asked, *drawn])
    for kind in KINDS:
        bodies = {
            language: default_body(kind, paradigm="", language=language, facts=facts, task=drawn[0])
            for language in TEXTS
        }
        for language, body in bodies.items():
            assert shape(body) == shape(bodies["en"]), (kind, language)
            assert set(re.findall(r"\{(\w+)\}", body)) == PLACEHOLDERS[kind], (kind, language)
            assert not re.search(
                r"\{%|\{\{|!|[ \t]+$|\n{3}|^- .*\n\n- |^-\s*$|^>\s*$|^#\s*$|\.\.|\(\)", body, re.MULTILINE
            ), body
            assert all(page for page in blocks(body))


@pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)
@pytest.mark.parametrize("language", TEXTS)
def test_a_paradigm_has_texts_of_its_own_and_they_differ_from_those_of_others(paradigm, language) -> None:
    assert (DEFAULTS / language / f"{paradigm.slug}.toml").is_file()
    for kind in KINDS:
        own = default_body(kind, paradigm=paradigm.slug, language=language)
        assert own != default_body(kind, paradigm="none", language=language)
        if language != "en":
            assert own != default_body(kind, paradigm=paradigm.slug, language="en")


@pytest.mark.parametrize("language", TEXTS)
def test_a_language_has_boxes_and_words_to_hold_texts_against(language) -> None:
    assert len(default_required_boxes(language)) == 3
    words = words_of_texts(language)
    assert len(words["numbers"]) == 3
    assert all(words[name] for name in ("above_zero", "key", "answers"))
    assert set(words["names_of_keys"]) == {"space", "left", "right", "up", "down"}


@pytest.mark.parametrize(
    ("language", "wrong"),
    [("de", r"\b[Dd](?:u|ich|ir|ein|eine|einer|eines)\b"), ("en", r"\w{3,}iz(?:e|es|ed|ing)\b|\bcolor\b")],
)
def test_german_is_polite_and_english_british(language, wrong) -> None:
    for paradigm, kind in product(PARADIGMS, KINDS):
        assert not re.findall(wrong, default_body(kind, paradigm=paradigm.slug, language=language))


def instructions(slug: str, language: str = "en", **settings) -> str:
    facts = {
        name: settings.pop(name) for name in ("pictures", "comprehension", "practice", "example") if name in settings
    }
    return default_body("instructions", paradigm=slug, language=language, task=TaskFacts(slug, settings, **facts))


def test_instructions_say_what_the_settings_say() -> None:
    assert "above zero" in instructions("magnitude-estimation")
    assert "above zero" not in instructions("magnitude-estimation", allow_zero=True)
    assert "from zero up" in instructions("magnitude-estimation", allow_zero=True)
    lexical = instructions("timed-choice", answers="word | j\nnonword | f", mapping="fixed")
    assert "“word”: J" in lexical
    assert "“nonword”: F" in lexical
    assert "J" not in re.findall(r"\b[A-Z]\b", instructions("timed-choice", answers="word | j\nnonword | f"))
    assert "space bar" in instructions("timed-choice", answers="go | space\nstay | n", mapping="fixed")
    assert "you choose “word”" in instructions(
        "timed-choice", answers="word | j\nnonword | f", example={"text": "table", "answer": "word"}
    )
    assert "telephone" not in instructions("timed-choice", respond_with="keys")
    assert "keyboard" not in instructions("timed-choice", respond_with="buttons")
    assert "press S for the left word and L" in instructions("maze", left_key="s", right_key="l", buttons=False)
    assert "the sentence ends" in instructions("maze")
    assert "choose once more" in instructions("maze", after_error="redo")
    assert "question" not in instructions("maze")
    assert "question" in instructions("maze", comprehension=True)
    assert "sentence" not in instructions("magnitude-estimation", pictures=True)
    assert "break" not in instructions("rating", break_every=0)
    assert "sums" not in instructions("sentence-recall", arithmetic_problems=0)


def test_a_text_says_nothing_of_other_studies() -> None:
    for paradigm, kind in product(PARADIGMS, KINDS):
        assert "some studies" not in default_body(kind, paradigm=paradigm.slug, language="en")


@pytest.fixture
def study(db, researcher):
    return create_study(slug="zero", title="Zero", paradigm="magnitude-estimation", user=researcher)


def test_a_text_of_a_draft_follows_until_somebody_edits_it(study, researcher) -> None:
    assert "above zero" in current_text(study, "instructions").body
    study = save_details(study, {"settings": {"allow_zero": True}}, researcher)
    assert "from zero up" in current_text(study, "instructions").body
    assert "questions about you" not in current_text(study, "consent").body
    study = save_details(study, {"language": "de"}, researcher)
    assert "Jede Zahl ab null" in current_text(study, "instructions").body
    assert current_text(study, "consent").required_boxes == default_required_boxes("de")
    copy = copy_study(study, slug="copied", user=researcher)
    copy = save_details(copy, {"settings": {"allow_zero": False}}, researcher)
    assert "Jede Zahl über null" in current_text(copy, "instructions").body

    save_text(study, "instructions", "My own.", researcher)
    study = save_details(study, {"settings": {"allow_zero": False}}, researcher)
    assert current_text(study, "instructions").body == "My own."
    # The standard text is taken back as it is made now, and follows again.
    save_text(study, "instructions", default_body("instructions", paradigm=study.paradigm, language="de"), researcher)
    study = save_details(study, {"settings": {"allow_zero": True}}, researcher)
    assert "Jede Zahl ab null" in current_text(study, "instructions").body


def test_opening_settles_what_participants_read(ready, researcher) -> None:
    text = current_text(ready, "instructions")
    StudyText.objects.filter(pk=text.pk).update(is_default=True, body="of before")
    said = current_text(ready, "instructions").body
    open_study(ready, researcher)
    ready.refresh_from_db()
    stored = StudyText.objects.get(pk=text.pk)
    assert stored.body == said != "of before"
    StudyText.objects.filter(pk=text.pk).update(body="as it was opened")
    assert current_text(ready, "instructions").body == "as it was opened"


def said_of(study) -> str:
    return " / ".join(str(fault.message) for fault in text_mismatches(study))


def test_an_edited_text_that_contradicts_the_settings_is_warned_of(study, researcher) -> None:
    study = save_details(study, {"settings": {"allow_zero": True}}, researcher)
    assert said_of(study) == ""
    save_text(study, "instructions", "Any number above zero. {titel}", researcher)
    assert "“above zero”, but the settings allow zero" in said_of(study)
    assert "{titel}" in said_of(study)

    choice = create_study(slug="choice", title="Choice", paradigm="timed-choice", user=researcher)
    assert said_of(choice) == ""
    save_text(choice, "instructions", "Press F for yes and the key K for no. There are three answers.", researcher)
    assert "name the key K, but the settings have F, J" in said_of(choice)
    assert "the key F" not in said_of(choice)
    assert "“three answers”, but the settings have 2 answers" in said_of(choice)
    save_text(choice, "instructions", "Press F for yes and J for no. There are two answers. Type I.", researcher)
    assert said_of(choice) == ""
