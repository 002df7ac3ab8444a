"""A session is put together once, in an order that can be made again: questions, instructions, trials."""

from collections import Counter
from dataclasses import replace

import pytest

from experiments.design.orders.randomised import ImpossibleOrder
from experiments.procedure.sessions import estimated_duration, plan_session, study_snapshot
from experiments.study.lifecycle import open_study, save_details, save_procedure, save_questions, save_text

AGE = {"name": "age", "label": "How old are you?", "kind": "number"}


@pytest.fixture
def snapshot(ready, researcher):
    save_questions(ready, [AGE], researcher)
    save_text(ready, "instructions", "# Hello\n\nJudge “{title}”.\n---\nSecond page.", researcher)
    ready.refresh_from_db()
    return study_snapshot(ready, ready.lists.get(index=1))


def test_a_session_begins_with_questions_and_instructions_in_which_the_title_is_filled_in(snapshot):
    trials = plan_session(snapshot, seed=1)
    assert [trial.phase for trial in trials[:3]] == ["questions", "instructions", "training"]
    assert trials[0].params["title"] == "About you"
    assert trials[0].params["questions"][0]["name"] == "age"
    assert trials[1].params == {
        "kind": "instructions",
        "pages": [
            [{"type": "heading", "text": "Hello"}, {"type": "paragraph", "text": "Judge “Causal sentences”."}],
            [{"type": "paragraph", "text": "Second page."}],
        ],
    }


def test_a_german_study_asks_in_german(snapshot):
    assert plan_session(replace(snapshot, language="de"), seed=1)[0].params["title"] == "Über Sie"


def test_without_questions_and_instructions_the_paradigm_begins(snapshot):
    assert plan_session(replace(snapshot, questions=[], instructions=""), seed=1)[0].phase == "training"


def test_a_session_shows_its_list_all_fillers_and_all_practice_once(snapshot, ready):
    shown = [trial.stimulus_id for trial in plan_session(snapshot, seed=3) if trial.stimulus_id]
    of_list = set(ready.lists.get(index=1).stimuli.values_list("pk", flat=True))
    assert max(Counter(shown).values()) == 1
    assert len(of_list) == 4
    assert of_list < set(shown)
    assert len(shown) == 4 + 2 + 1


def test_the_same_seed_gives_the_same_session_and_others_another(snapshot):
    assert plan_session(snapshot, seed=7) == plan_session(snapshot, seed=7)
    orders = {tuple(trial.stimulus_id for trial in plan_session(snapshot, seed=seed)) for seed in range(20)}
    assert len(orders) > 15


def test_instructions_can_be_reopened_from_breaks(ready, snapshot, researcher):
    trials = plan_session(replace(snapshot, settings={**snapshot.settings, "break_every": 2}), seed=1)
    breaks = [trial.params for trial in trials if trial.phase == "break"]
    assert [b["done"] for b in breaks] == [2, 4]
    assert breaks[0]["pages"] == trials[1].params["pages"]


def test_links_of_the_instructions_lead_nowhere_in_breaks(ready, snapshot):
    linked = replace(snapshot, instructions="[Read](https://example.org) *this*.", markup="markdown")
    trials = plan_session(replace(linked, settings={**snapshot.settings, "break_every": 2}), seed=1)
    shown = {trial.phase: trial.params["pages"][0][0] for trial in trials if "pages" in trial.params}
    assert shown["instructions"]["spans"][0] == {"text": "Read", "href": "https://example.org"}
    assert shown["break"]["spans"] == [
        {"text": "Read"},
        {"text": " "},
        {"text": "this", "emphasis": True},
        {"text": "."},
    ]


def test_rules_of_the_procedure_hold_in_the_session(ready, snapshot, researcher):
    save_procedure(ready, {"leading_fillers": 1, "max_target_run": 2}, researcher)
    ready.refresh_from_db()
    fresh = study_snapshot(ready, ready.lists.first())
    fillers = {s.stimulus_id for s in fresh.stimuli if s.is_filler}
    for seed in range(20):
        main = [t.stimulus_id in fillers for t in plan_session(fresh, seed=seed) if t.phase == "main"]
        assert main[0]
        assert "".join("f" if filler else "t" for filler in main).count("ttt") == 0


def test_impossible_rules_are_named(snapshot):
    with pytest.raises(ImpossibleOrder, match="first 9 trials"):
        plan_session(replace(snapshot, procedure={**snapshot.procedure, "leading_fillers": 9}), seed=1)


def test_a_snapshot_needs_few_queries(ready, researcher, django_assert_max_num_queries):
    ready = open_study(ready, researcher)
    stimulus_list = ready.lists.first()
    with django_assert_max_num_queries(4):
        study_snapshot(ready, stimulus_list)


def test_defaults_hold_where_a_study_sets_nothing(ready, researcher):
    save_details(ready, {"settings": {"modulus_text": "M."}}, researcher)
    ready.refresh_from_db()
    snapshot = study_snapshot(ready, None)
    assert snapshot.settings["break_every"] == 36
    assert snapshot.procedure["stale_after_minutes"] == 180
    assert {s.item for s in snapshot.stimuli} == {"filler0", "filler1", "practice0"}


def test_the_estimate_of_the_duration_grows_with_judgements_and_says_at_which_pace(snapshot):
    short = estimated_duration(snapshot)
    assert short.judgements == 6 + 1 + 7
    assert short.minutes == 3
    assert str(short) == "about 3 minutes at 9 s per judgement"
    many = replace(snapshot, stimuli=[*snapshot.stimuli, *[replace(snapshot.stimuli[-1])] * 140])
    assert 22 <= estimated_duration(many).minutes <= 27
