"""The rules of a study's plan leave out sessions and trials, in the export and so in every analysis."""

from __future__ import annotations

import pytest

from analysis.data.frames import study_data
from analysis.methods import registry
from participants.models import Response, Session
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


def main_answers(session: Session):
    return Response.objects.filter(trial__session=session, trial__phase="main").order_by("trial__position")


def test_without_a_plan_nothing_is_left_out():
    study = make_study()
    add_participants(study, 2)
    assert set(study_data(study).frame["excluded"]) == {"false"}


def test_a_fast_trial_is_left_out_and_its_participants_z_scores_are_made_without_it():
    study = make_study(plan={"exclusion_rules": [{"rule": "fast-trial", "ms": 200}]})
    first, _second = add_participants(study, 2)
    answer = main_answers(first).first()
    before = study_data(study).frame.set_index(["session", "position"])
    Response.objects.filter(pk=answer.pk).update(rt_ms=199.0)
    after = study_data(study).frame.set_index(["session", "position"])
    row = (str(first.pk), str(answer.trial.position))
    assert (after.loc[row, "excluded"], after.loc[row, "rating_z"]) == ("true", "")
    assert after.loc[row, "exclusion_reason"] == "planned rule: answered faster than 200 ms"
    assert (after["excluded"] == "true").sum() == 1
    others = [key for key in after.index if key[0] == row[0] and key != row and after.loc[key, "rating_z"]]
    assert all(after.loc[key, "rating_z"] != before.loc[key, "rating_z"] for key in others)
    assert list(after.xs(str(_second.pk))["rating_z"]) == list(before.xs(str(_second.pk))["rating_z"])


def test_a_session_that_meets_a_rule_is_left_out_in_every_trial_with_the_rule_as_reason():
    study = make_study(plan={"exclusion_rules": [{"rule": "zero-variance"}]})
    first, second = add_participants(study, 2)
    for answer in main_answers(first):
        answer.payload = {**answer.payload, "number": 50, "typed": "50"}
        answer.save(update_fields=["payload"])
    frame = study_data(study).frame
    assert set(frame[frame["session"] == str(first.pk)]["excluded"]) == {"true"}
    assert set(frame[frame["session"] == str(first.pk)]["exclusion_reason"]) == {
        "planned rule: gave the same rating to every target"
    }
    assert set(frame[frame["session"] == str(second.pk)]["excluded"]) == {"false"}


def test_what_a_researcher_wrote_about_an_exclusion_stands_before_every_rule():
    study = make_study(plan={"exclusion_rules": [{"rule": "fast-trial", "ms": 3_000_000}]})
    (session,) = add_participants(study, 1)
    Session.objects.filter(pk=session.pk).update(is_excluded=True, exclusion_reason="spoke to a colleague")
    assert set(study_data(study).frame["exclusion_reason"]) == {"spoke to a colleague"}


def test_rules_do_not_depend_on_conditions_or_items():
    rules = [{"rule": "few-distinct-values", "at_least": 3}, {"rule": "slow-trial", "ms": 3000}]
    study = make_study(plan={"exclusion_rules": rules})
    add_participants(study, 4)
    before = study_data(study).frame
    for condition in study.conditions.all():
        condition.levels = dict.fromkeys(condition.levels, f"level{condition.position}")
        condition.save(update_fields=["levels"])
    after = study_data(study).frame
    assert list(after["excluded"]) == list(before["excluded"])
    assert 0 < (after["excluded"] == "true").sum() < len(after)


def test_an_analysis_counts_what_the_rules_left_out_and_a_changed_rule_changes_the_stamp():
    study = make_study(plan={"exclusion_rules": [{"rule": "slow-trial", "ms": 3000}]})
    add_participants(study, 8)
    data = study_data(study)
    report = registry.run(registry.method_named("normalise"), data.frame, {"dv": "rating"})
    assert any("planned rule: answered more slowly than 3000 ms" in note for note in report.notes)
    study.plan = {"exclusion_rules": [{"rule": "slow-trial", "ms": 4000}]}
    study.save(update_fields=["plan"])
    assert study_data(study).stamp != data.stamp
