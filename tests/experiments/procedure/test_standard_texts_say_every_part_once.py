"""Standard texts say what each part and source declares exactly once, in the order of the parts, in every language."""

from __future__ import annotations

import tomllib
from itertools import chain, combinations

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from experiments.languages import LANGUAGES
from experiments.paradigms import PARADIGMS
from experiments.paradigms.base import TaskSentences
from experiments.procedure.default_texts import DEFAULTS, declared_in, default_body
from experiments.procedure.facts_for_texts import QuestionnaireFacts, StudyFacts, TaskFacts
from experiments.procedure.texts import blocks
from experiments.questionnaire.kinds import KINDS as KINDS_OF_QUESTIONS
from experiments.questionnaire.kinds import STORED_OF_KIND
from experiments.rules.sources import KINDS as KINDS_OF_SOURCES

TEXTS = [language.tag for language in LANGUAGES.values() if language.has_texts]
SHOWN = ("pictures", "sounds", "comprehension")
QUESTIONS = [{"name": name, "text": f"{name}?", "kind": "scale"} for name in ("good", "clear")]


def settings_of(paradigm) -> list[dict[str, object]]:
    """Settings of a paradigm: the defaults, and each with one setting changed to each of its values."""
    found: list[dict[str, object]] = [{}]
    for name, declared in paradigm.settings_form.base_fields.items():
        if name in ("questions", "ratings"):
            found += [{name: QUESTIONS[:number]} for number in (0, 1, 2)]
        elif choices := list(getattr(declared, "choices", ())):
            found += [{name: value} for value, _label in choices]
        elif isinstance(declared.initial, bool):
            found += [{name: value} for value in (True, False)]
        elif isinstance(declared.initial, int):
            found += [{name: value} for value in (0, declared.initial)]
    return found


@st.composite
def tasks(draw) -> TaskFacts:
    paradigm = draw(st.sampled_from(PARADIGMS))
    flags = {name: draw(st.booleans()) for name in SHOWN}
    return TaskFacts(paradigm.slug, draw(st.sampled_from(settings_of(paradigm))), **flags)


questionnaires = st.builds(
    QuestionnaireFacts,
    st.lists(st.sampled_from(KINDS_OF_QUESTIONS), min_size=1, max_size=4, unique=True),
    st.sampled_from(["", "Reading habits", "A *star*"]),
    st.booleans(),
)


@st.composite
def studies(draw) -> StudyFacts:
    parts = draw(
        st.permutations([*draw(st.lists(tasks(), min_size=1, max_size=4)), *draw(st.lists(questionnaires, max_size=3))])
    )
    named = [type(part)(**{**vars(part), "name": f"part-{place}"}) for place, part in enumerate(parts)]
    sources = draw(st.lists(st.sampled_from(list(KINDS_OF_SOURCES)), max_size=3))
    return StudyFacts(named, sources, draw(st.booleans()), draw(st.booleans()))


def points_of(body: str) -> list[str]:
    return [line.removeprefix("- ") for line in body.splitlines() if line.startswith("- ")]


@given(studies(), st.sampled_from(TEXTS))
def test_the_consent_says_what_every_part_declares_once_and_in_the_order_of_the_parts(facts, language) -> None:
    body = default_body("consent", paradigm="", language=language, facts=facts)
    declared = declared_in("consent", facts, language)
    assert len({one.key for one in declared}) == len(declared)
    points = points_of(body)
    for place in ("doing", "stored"):
        sentences = list(dict.fromkeys(one.sentence for one in declared if one.place == place))
        if place == "stored" or len(sentences) > 1:
            assert [point for point in points if point in sentences] == sentences
        else:
            assert body.count(sentences[0]) == 1
    for one in declared:
        if not one.place:
            assert body.count(one.sentence) == 1
    told = {one.part for one in declared}
    assert told >= {part.name for part in facts.parts}


@given(studies(), st.sampled_from(TEXTS))
def test_landing_page_and_debriefing_say_every_part_once(facts, language) -> None:
    welcome = default_body("welcome", paradigm="", language=language, facts=facts)
    declared = list(dict.fromkeys(one.sentence for one in declared_in("welcome", facts, language)))
    further = [part for part in facts.parts if isinstance(part, QuestionnaireFacts) and not part.is_background]
    if len(facts.tasks) > 1 or further:
        assert [point for point in points_of(welcome) if point in declared] == declared
    debriefing = default_body("debriefing", paradigm="", language=language, facts=facts)
    for sentence in {one.sentence for one in declared_in("debriefing", facts, language)}:
        assert debriefing.split("\n\n").count(sentence) == 1


def tables_of(language: str, slug: str) -> dict[str, dict[str, str]]:
    read = tomllib.loads((DEFAULTS / language / f"{slug}.toml").read_text(encoding="utf-8"))
    return {name: table for name, table in read.items() if isinstance(table, dict)}


@pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)
def test_every_language_has_exactly_the_sentences_that_a_paradigm_declares(paradigm) -> None:
    declared: dict[str, set[str]] = {"doing": set(), "stored": set(), "ask": set()}
    every = chain.from_iterable(combinations(SHOWN, number) for number in range(len(SHOWN) + 1))
    for shown in map(frozenset, every):
        for settings in settings_of(paradigm):
            said: TaskSentences = paradigm.sentences_for(paradigm.complete_settings(settings), shown)
            declared["doing"].add(said.doing)
            declared["stored"].update(said.stored)
            declared["ask"].update(said.ask)
    of_all = {"keystrokes"}
    for language in TEXTS:
        tables = tables_of(language, paradigm.slug)
        assert set(tables["doing"]) == declared["doing"], language
        assert set(tables["stored"]) == declared["stored"] - of_all, language
        assert set(tables["ask"]) == declared["ask"], language
        assert of_all <= set(tables_of(language, "parts")["stored"])


@pytest.mark.parametrize("language", TEXTS)
def test_every_language_has_the_sentences_of_questionnaires_media_and_sources(language) -> None:
    english, own = (tomllib.loads((DEFAULTS / tag / "parts.toml").read_text("utf-8")) for tag in ("en", language))
    minutes = own["minutes"]
    assert {
        name: sorted(value) for name, value in english.items() if isinstance(value, dict) and name != "minutes"
    } == {name: sorted(value) for name, value in own.items() if isinstance(value, dict) and name != "minutes"}
    # One sentence for every form of the plural that whole minutes have in the language.
    rule = Locale.parse(language).plural_form
    assert set(minutes) == {rule(number) for number in range(200)}
    words_for_one_or_two = {"zero", "one", "two"} if language in ("ar", "he") else set()
    assert all(("{{ n }}" in said) is not (form in words_for_one_or_two) for form, said in minutes.items())
    assert set(STORED_OF_KIND) == set(KINDS_OF_QUESTIONS)
    assert {name for name in STORED_OF_KIND.values() if name not in ("", "answers")} <= set(own["stored"])
    assert "{{ name }}" in own["sources"]["named"]
    assert "{{ name }}" in own["doing"]["titled"]
    for sentence in (own["lead"], own["purposes"]):
        assert "{title}" in sentence
    # Sentences end; points of a list do not.
    sentences = [
        own["some"],
        own["order"],
        own["media"],
        *own["doing"].values(),
        *own["sources"].values(),
        *minutes.values(),
    ]
    assert all(sentence[-1] in ".。।" for sentence in sentences), language
    assert not any(point[-1] in ".。।" for point in (*own["stored"].values(), *own["then"].values()))
    if language != "en":
        assert not set(english["doing"].values()) & set(own["doing"].values())


@given(studies(), st.sampled_from(TEXTS))
def test_texts_of_several_parts_have_the_same_shape_in_every_language(facts, language) -> None:
    for kind in ("welcome", "consent", "debriefing"):
        english, own = (
            [
                [block["type"] for block in page]
                for page in blocks(default_body(kind, paradigm="", language=tag, facts=facts), "markdown")
            ]
            for tag in ("en", language)
        )
        # Lists may be longer: a language may say of two tasks the same where another tells them apart.
        assert own == english
