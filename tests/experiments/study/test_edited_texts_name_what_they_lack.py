"""Standard texts follow the study; edited ones stay as they are, and name what was added since."""

from __future__ import annotations

import importlib
import json
import random
import zipfile
from io import BytesIO

import pytest
from django.apps import apps

from experiments.models import Study, StudyText
from experiments.procedure import texts as texts_of_participants
from experiments.procedure.default_texts import Declared
from experiments.procedure.durations import told_minutes
from experiments.procedure.mentions import inserted, lacking_texts
from experiments.procedure.texts import current_text
from experiments.study.lifecycle import (
    LifecycleRefusal,
    confirm_text,
    copy_study,
    create_study,
    insert_sentences,
    open_study,
    save_details,
    save_text,
)
from experiments.study.opening import opening_warnings
from experiments.study.parts import add_part, remove_part, save_groups, save_questions_of_part
from experiments.study.recruiting import add_source
from experiments.study_files import create_from_archive, study_archive

QUESTION = {"name": "habits", "label": "What do you read?", "kind": "text"}
KINDS = ("welcome", "consent", "debriefing")
RECALL = "You read sentences on the screen, solve small sums and type what you remember. It may tire you."
TYPED = "the texts you type, how often you change them, and when you begin and finish typing"
PROLIFIC = "If you come through Prolific, the ids"


@pytest.fixture
def study(db, researcher):
    return create_study(slug="several", title="Several", paradigm="magnitude-estimation", user=researcher)


def add_questionnaire(study, name, researcher) -> None:
    add_part(study, name=name, kind="questionnaire", user=researcher)
    save_questions_of_part(study, name, [QUESTION], researcher)


def now(study) -> Study:
    return Study.objects.get(pk=study.pk)


def lacking(study, kind="consent") -> list[str]:
    return [one.key for each in lacking_texts(now(study), [kind]) for one in each.sentences]


def body(study, kind="consent") -> str:
    return current_text(now(study), kind).body


def test_the_consent_of_a_draft_follows_parts_media_and_sources_at_once(study, researcher) -> None:
    assert "You read sentences on the screen and give each one a number." in body(study)
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    assert f"- {RECALL}\n" in body(study)
    assert f"- {TYPED}\n" in body(study)
    add_questionnaire(study, "after", researcher)
    assert "- You fill in a questionnaire.\n" in body(study)
    assert "- what you type in answer to questions, word for word\n" in body(study)
    assert PROLIFIC not in body(study)
    add_source(study, "prolific", researcher)
    assert PROLIFIC in body(study)
    assert "If you came through a recruitment service" not in body(study)
    # An own link tells nobody's id; of other services nothing is known but that they have one.
    add_source(study, "link", researcher)
    assert "If you came through a recruitment service" not in body(study)
    add_source(study, "other", researcher)
    assert "If you came through a recruitment service" in body(study)
    remove_part(study, "recall", researcher)
    assert RECALL not in body(study)
    assert lacking_texts(now(study)) == []


def test_an_edited_consent_stays_and_names_what_is_added(study, researcher) -> None:
    save_text(study, "consent", body(study) + "\n\nOur own words.", researcher)
    edited = body(study)
    assert lacking(study) == []
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    add_source(study, "prolific", researcher)
    assert body(study) == edited
    assert lacking(study) == [
        "recall:doing.sentences_sums",
        "recall:stored.typed",
        "recall:stored.sums",
        "recall:stored.window",
        "@sources.prolific",
    ]
    said = [str(each) for each in opening_warnings(now(study))]
    assert any(f"Part 'recall': The consent does not mention: “{RECALL}”" in each for each in said)
    # The landing page and the debriefing are standard texts still.
    assert lacking(study, "welcome") == lacking(study, "debriefing") == []


def test_the_standard_sentences_are_inserted_beside_their_neighbours(study, researcher) -> None:
    save_text(study, "consent", body(study) + "\n\nOur own words.", researcher)
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    insert_sentences(study, "consent", researcher)
    said = body(study)
    assert f"give each one a number. {RECALL} This takes" in said
    assert f"- the numbers you type, your changes to them, and when you begin and finish typing\n- {TYPED}\n" in said
    assert said.endswith("Our own words.")
    assert lacking(study) == []
    with pytest.raises(LifecycleRefusal, match="mentions everything"):
        insert_sentences(study, "consent", researcher)


def test_a_sentence_that_somebody_pasted_counts_as_mentioned(study, researcher) -> None:
    save_text(study, "consent", "Mine.", researcher)
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    save_text(study, "consent", f"Mine. {RECALL}", researcher)
    assert "recall:doing.sentences_sums" not in lacking(study)
    assert "recall:stored.typed" in lacking(study)


def test_what_somebody_confirms_is_right_until_something_else_is_added(study, researcher) -> None:
    save_text(study, "consent", "Mine.", researcher)
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    confirm_text(study, "consent", researcher)
    assert (lacking(study), body(study)) == ([], "Mine.")
    assert study.texts.filter(kind="consent").count() == 2
    settings = {**study.tasks[0].settings, "keystroke_log": True}
    part = study.parts.get(name="recall")
    part.settings = settings
    part.save()
    assert lacking(now(study)) == ["recall:stored.keystrokes"]


def test_a_part_that_is_gone_is_named_until_somebody_has_read_the_text(study, researcher) -> None:
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    save_text(study, "consent", "Mine.", researcher)
    remove_part(study, "recall", researcher)
    [found] = lacking_texts(now(study))
    assert (found.sentences, list(found.gone)) == ([], ["recall"])
    assert "part 'recall' was removed, but the consent may still" in " ".join(map(str, opening_warnings(now(study))))
    confirm_text(study, "consent", researcher)
    assert lacking_texts(now(study)) == []


def test_the_state_goes_along_with_copies_and_archives(study, researcher) -> None:
    save_text(study, "consent", "Mine.", researcher)
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    expected = lacking(study)
    assert expected
    copy = copy_study(now(study), slug="copied", user=researcher)
    again = create_from_archive(study_archive(now(study)), slug="again", user=researcher)
    for other in (copy, again):
        assert (lacking(other), body(other)) == (expected, "Mine.")
        assert current_text(other, "welcome").is_default
        assert all(current_text(other, "instructions", task).is_default for task in other.tasks)
        add_questionnaire(other, "after", researcher)
        assert "You fill in a questionnaire." in body(other, "welcome")


def test_a_text_of_a_file_mentions_all_of_its_study_unless_the_file_says_otherwise(study, researcher) -> None:
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    save_text(study, "consent", "Mine.", researcher)
    given = json.loads(zipfile.ZipFile(BytesIO(study_archive(now(study)))).read("study.json"))
    assert "mentions" not in given["texts"]["consent"]
    again = create_from_archive(study_archive(now(study)), slug="again", user=researcher)
    assert lacking(again) == []


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_changed_edited_texts_stay_and_standard_ones_say_every_part(seed, study, researcher) -> None:
    rng = random.Random(seed)
    edited = rng.choice(KINDS)
    save_text(study, edited, f"Edited {seed}.", researcher)
    tasks = ["rating", "timed-choice", "maze", "typed-production", "self-paced-reading", "comparison"]
    for step in range(6):
        match rng.choice(["task", "task", "questionnaire", "source", "settings", "remove", "groups"]):
            case "task":
                add_part(study, name=f"task-{step}", kind="task", paradigm=rng.choice(tasks), user=researcher)
            case "questionnaire":
                add_questionnaire(study, f"asked-{step}", researcher)
            case "source":
                add_source(study, rng.choice(["prolific", "sona", "link"]), researcher)
            case "settings":
                save_details(study, {"title": f"Title {step}"}, researcher)
            case "groups":
                save_groups(study, [{"name": "a", "weight": 1}, {"name": "b", "weight": 1}], researcher)
            case "remove" if study.parts.count() > 1:
                remove_part(study, study.parts.order_by("-position").first().name, researcher)
        study = now(study)
        assert body(study, edited) == f"Edited {seed}."
        for kind in KINDS:
            found = {one.key for each in lacking_texts(study, [kind]) for one in each.sentences}
            assert kind == edited or not found
    insert_all = lacking(study, edited)
    if insert_all:
        insert_sentences(study, edited, researcher)
        assert lacking(study, edited) == []


def test_an_opened_study_keeps_its_texts_whatever_the_platform_says_later(ready, researcher, monkeypatch) -> None:
    StudyText.objects.filter(study=ready, kind="consent").update(is_default=True)
    open_study(ready, researcher)
    before = {kind: body(ready, kind) for kind in KINDS}
    monkeypatch.setattr(texts_of_participants, "default_body", lambda *args, **kwargs: "Other words.")
    assert {kind: body(ready, kind) for kind in KINDS} == before
    assert lacking_texts(now(ready)) == []
    with pytest.raises(LifecycleRefusal):
        insert_sentences(ready, "consent", researcher)


def test_opening_keeps_the_minutes_that_the_consent_named(ready, researcher) -> None:
    Study.objects.filter(pk=ready.pk).update(estimated_minutes=None)
    ready = now(ready)
    StudyText.objects.filter(study=ready, kind="consent").update(is_default=True)
    assert "no estimate" not in " ".join(map(str, opening_warnings(ready)))
    told = told_minutes(ready)
    assert told
    open_study(ready, researcher)
    assert now(ready).estimated_minutes == told


def test_a_text_that_was_edited_before_this_was_kept_mentions_the_parts_that_there_are(study, researcher) -> None:
    save_text(study, "consent", "Mine.", researcher)
    StudyText.objects.filter(study=study).update(mentions=[])
    migration = importlib.import_module("experiments.migrations.0025_what_texts_mention")
    migration.mention_what_there_is(apps, None)
    assert study.texts.get(kind="consent", body="Mine.").mentions == ["task:*", "@*"]
    assert study.texts.get(kind="welcome").mentions == []
    assert lacking(study) == []
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=researcher)
    assert lacking(study)[0] == "recall:doing.sentences_sums"


def test_points_paragraphs_and_sentences_are_inserted_as_what_is_beside_them() -> None:
    a, b = Declared("a:stored.x", "your answers", True), Declared("b:stored.y", "your presses", True)
    assert inserted("- your presses\n- more", [a, b], [a]) == "- your answers\n- your presses\n- more"
    about = [Declared("a:about", "One."), Declared("b:about", "Two.")]
    assert inserted("# About\n\nOne.\n\nThanks.", about, about[1:]) == "# About\n\nOne.\n\nTwo.\n\nThanks."
    assert (
        inserted(
            "私。",
            [Declared("a:doing.x", "私。"), Declared("b:doing.y", "君。")],
            [Declared("b:doing.y", "君。")],
            space="",
        )
        == "私。君。"
    )
