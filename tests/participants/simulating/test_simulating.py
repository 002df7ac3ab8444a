"""Virtual participants take part over HTTP, are marked, and answer the same for the same seed."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from experiments.models import Part, Study
from participants.codes import simulation_key
from participants.models import Response, Session
from participants.simulation import SimulationFailure, simulate
from tests.participants.part_studies import study_of_parts
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.django_db(transaction=True)


def answers(study: Study) -> list[tuple[Any, ...]]:
    return list(
        Response.objects.filter(trial__session__study=study)
        .order_by("trial__session__pk", "trial__position")
        .values_list(
            "trial__session__participant__pseudonym", "trial__session__list__index", "trial__position",
            "trial__params", "payload", "rt_ms",
        )
    )  # fmt: skip


def test_virtual_participants_finish_and_are_marked() -> None:
    study = open_study()
    summary = simulate(study, participants=4, seed=1)
    assert (summary.finished, summary.dropped_out) == (4, 0)
    sessions = Session.objects.select_related("participant", "list")
    assert [session.status for session in sessions] == ["complete"] * 4
    assert all(session.is_simulated and session.participant.is_simulated for session in sessions)
    assert all(session.participant.pseudonym.startswith("SIM-") for session in sessions)
    assert sorted(session.list.index for session in sessions) == [0, 0, 1, 1]


def test_the_same_seed_gives_the_same_answers_and_another_seed_gives_others() -> None:
    study = open_study()
    runs = []
    for seed in (7, 7, 8):
        simulate(study, participants=3, seed=seed)
        runs.append(answers(study))
        Session.objects.all().delete()
        study.participants.all().delete()
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


HARD_TO_MEET = [
    ({"name": "age", "label": "Age?", "kind": "number", "minimum": 1, "maximum": 99}, "is-not", 31),
    ({"name": "age", "label": "Age?", "kind": "birth-year"}, "below", 1960),
    ({"name": "hand", "label": "?", "kind": "choice", "choices": [*"abcdefgh"]}, "is-not", "h"),
    ({"name": "tongue", "label": "Mother tongue?", "kind": "text", "required": True}, "is-not", "Faroese"),
    ({"name": "spoken", "label": "Languages?", "kind": "languages"}, "excludes", "Faroese"),
    ({"name": "uses", "label": "?", "kind": "several", "choices": ["a", "b", "c"]}, "includes", "a"),
    (
        {"name": "born_here", "label": "?", "kind": "choice", "choices": ["yes", "no"], "required": True},
        "not-answered",
        None,
    ),
]


@pytest.mark.parametrize(("question", "operator", "value"), HARD_TO_MEET, ids=lambda entry: str(entry)[:40])
def test_virtual_participants_are_those_for_whom_the_study_is(question: Any, operator: str, value: Any) -> None:
    rule = {"question": question["name"], "operator": operator, "outcome": "screened-out"}
    study = open_study(questions=[question])
    settings = {"screening": [rule | ({} if value is None else {"value": value})]}
    Part.objects.filter(study=study, name="background").update(settings=settings)
    summary = simulate(Study.objects.get(pk=study.pk), participants=3, seed=1)
    assert (summary.finished, summary.sent_away) == (3, 0)


def test_drop_outs_stop_at_some_trial_and_hold_no_code() -> None:
    study = open_study()
    summary = simulate(study, participants=12, seed=3, dropout=0.5)
    assert summary.dropped_out > 0
    assert summary.finished + summary.dropped_out == 12
    assert Session.objects.filter(status="running").count() == summary.dropped_out


def test_a_second_simulation_goes_on_counting() -> None:
    study = open_study()
    first = simulate(study, participants=2, seed=1)
    second = simulate(study, participants=2, seed=1)
    assert not set(first.pseudonyms) & set(second.pseudonyms)


def test_nobody_else_can_mark_a_session_as_simulated() -> None:
    browser = Browser(open_study())
    assert browser.start(simulated=True).status_code == 403
    browser.client.defaults["HTTP_X_LECTERN_SIMULATION"] = simulation_key("another-study")
    answer = browser.start(simulated=True)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-a-simulation")
    assert not Session.objects.exists()


def test_the_key_alone_does_not_make_a_session_simulated() -> None:
    browser = Browser(open_study())
    browser.client.defaults["HTTP_X_LECTERN_SIMULATION"] = simulation_key(browser.slug)
    browser.start()
    assert Session.objects.get().is_simulated is False


def test_the_command_says_what_it_did_and_what_is_wrong() -> None:
    study = open_study()
    out = StringIO()
    call_command("simulate", study.slug, participants=2, seed=1, stdout=out)
    assert "2 finished, 0 dropped out, 18 results" in out.getvalue()
    assert "per list: 1, 1" in out.getvalue()
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        call_command("simulate", "nowhere", participants=1, seed=1)
    Study.objects.update(is_paused=True)
    with pytest.raises(CommandError, match="paused"):
        call_command("simulate", study.slug, participants=1, seed=1)


def test_the_command_says_the_lists_of_every_task() -> None:
    out = StringIO()
    call_command("simulate", study_of_parts().slug, participants=6, seed=1, stdout=out)
    assert "per list of task: 3, 3.\n" in out.getvalue()
    assert "per list of second: 2, 2, 2.\n" in out.getvalue()


@pytest.mark.parametrize("arguments", [["--participants", "0"], ["--participants", "x"], ["--dropout", "1.5"]])
def test_the_command_refuses_numbers_that_make_no_sense(arguments: list[str]) -> None:
    given = ["small-study", "--participants", "1", "--seed", "1", *arguments]
    with pytest.raises(CommandError, match="must be a"):
        call_command("simulate", *given)


def test_a_platform_that_does_not_answer_is_named() -> None:
    with pytest.raises(SimulationFailure, match="does not answer"):
        simulate(open_study(), participants=1, seed=1, base_url="http://127.0.0.1:9")
