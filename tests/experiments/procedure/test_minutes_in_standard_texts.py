"""Standard texts of several parts say how long each takes, in every language; estimates that change are no edit."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from hypothesis import given
from hypothesis import strategies as st

from experiments.languages import LANGUAGES
from experiments.models import Study, StudyText
from experiments.procedure.default_texts import (
    Declared,
    default_body,
    minutes_in_words,
    minutes_pattern,
    without_minutes,
)
from experiments.procedure.facts_for_texts import QuestionnaireFacts, StudyFacts, TaskFacts
from experiments.procedure.mentions import inserted, lacking_texts
from experiments.procedure.texts import current_text
from experiments.study.lifecycle import save_details, save_text
from experiments.study_files.examples import example_studies
from experiments.study_files.toml import create_from_toml

TEXTS = [language.tag for language in LANGUAGES.values() if language.has_texts]
PARTS: tuple[TaskFacts | QuestionnaireFacts, ...] = (
    TaskFacts("rating", name="rate"),
    QuestionnaireFacts(["text"], "Habits", name="habits"),
    TaskFacts("sentence-recall", name="recall"),
)


@given(st.sampled_from(TEXTS), st.lists(st.floats(1, 6_000), min_size=3, max_size=3))
def test_every_part_says_its_minutes_and_nothing_else_changes(language: str, seconds: list[float]) -> None:
    timed = StudyFacts([replace(part, seconds=own) for part, own in zip(PARTS, seconds, strict=True)])
    for kind in ("welcome", "consent"):
        body = default_body(kind, paradigm="", language=language, facts=timed)
        plain = default_body(kind, paradigm="", language=language, facts=StudyFacts(PARTS))
        assert without_minutes(body, language) == plain
        assert [found.group().strip() for found in minutes_pattern(language).finditer(body)] == [
            minutes_in_words(own, language) for own in seconds
        ]


def test_minutes_are_inflected() -> None:
    said = {tag: [minutes_in_words(60 * n, tag) for n in (1, 2, 5, 22)] for tag in ("ru", "cs", "ar", "ja")}
    assert [re.sub(r".*примерно ", "", one) for one in said["ru"]] == [
        "1 минуту.",
        "2 минуты.",
        "5 минут.",
        "25 минут.",
    ]
    assert said["cs"][1:3] == ["Trvá to přibližně 2 minuty.", "Trvá to přibližně 5 minut."]
    assert said["ar"][1] == "يستغرق ذلك حوالي دقيقتين."
    assert said["ja"][0] == "所要時間は約1分です。"


def test_parts_that_say_the_same_are_summed_and_one_without_an_estimate_says_nothing() -> None:
    two = [TaskFacts("rating", name=name, seconds=120) for name in ("a", "b")]
    facts = StudyFacts([*two, QuestionnaireFacts(["text"], name="q", seconds=30)])
    consent = default_body("consent", paradigm="", language="en", facts=facts)
    assert re.findall(r"It takes about (\d+) min", consent) == ["4", "1"]
    unknown = StudyFacts([replace(facts.parts[0], seconds=None), *facts.parts[1:]])
    assert "It takes about" not in default_body("consent", paradigm="", language="en", facts=unknown)


def test_what_is_inserted_leaves_minutes_with_their_sentence() -> None:
    read, write = Declared("a:doing.x", "You read."), Declared("b:doing.y", "You write.")
    found = inserted("- You read. It takes about 12 minutes.", [read, write], [write], minutes=minutes_pattern("en"))
    assert found == "- You read. It takes about 12 minutes.\n- You write."


@pytest.fixture
def study(db: None) -> Study:
    user = get_user_model().objects.create_user("ada", is_staff=True, is_superuser=True)
    path = next(one.path for one in example_studies() if one.slug == "words-and-sentences")
    study = create_from_toml(path, user=user, owner=user)
    # The file states minutes; without them the estimate is told.
    save_details(study, {"estimated_minutes": None}, user)
    return Study.objects.get(pk=study.pk)


def consent(study: Study) -> StudyText:
    study.texts.filter(kind="consent").update(is_default=True)
    text = current_text(study, "consent")
    assert text is not None
    return text


def test_changes_of_estimates_are_no_edit_and_stated_minutes_have_to_fit(study: Study, monkeypatch: Any) -> None:
    shown = consent(study)
    assert "It takes about" in shown.body
    monkeypatch.setattr("experiments.procedure.durations._estimated", lambda part: 600.0)
    now = consent(study)
    assert now.body != shown.body
    assert without_minutes(now.body, "en") == without_minutes(shown.body, "en")
    # What somebody was shown before is saved: nothing was edited.
    kept = save_text(study, "consent", shown.body, study.owner, required_boxes=shown.required_boxes)
    assert (kept.is_default, kept.version) == (True, shown.version)
    assert not lacking_texts(study, ["consent"])
    edited = save_text(study, "consent", f"{shown.body}\n\nMore.", study.owner, required_boxes=shown.required_boxes)
    assert (edited.is_default, edited.version) == (False, shown.version + 1)
    save_details(study, {"estimated_minutes": 200}, study.owner)
    assert "It takes about" not in consent(Study.objects.get(pk=study.pk)).body


def test_texts_of_an_open_study_stay_as_they_are(study: Study, monkeypatch: Any) -> None:
    from experiments.study.editing import settle_default_texts

    told = consent(study).body
    settle_default_texts(study)
    study.status = Study.Status.OPEN
    study.save()
    monkeypatch.setattr("experiments.procedure.durations._estimated", lambda part: 600.0)
    text = current_text(Study.objects.get(pk=study.pk), "consent")
    assert text is not None
    assert text.body == told
