"""People start, answer, drop out, come back late, finish, are excluded and withdraw, in any order."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from experiments.models import Study
from participants.erasure.withdrawal import withdraw
from participants.intake.results import store_entries
from participants.models import Participant, Session, Tombstone
from participants.refusals import Refusal
from participants.session.assignment import list_counts, valid_sessions
from participants.session.coming_back import resumed_session
from participants.session.completing import complete_session, open_session
from participants.session.starting import Consent, start_session
from participants.watching.exclusion import exclude, readmit
from participants.watching.invariants import violations
from tests.participants.studies import REQUIRED, open_study, result_for
from tests.selection import EXHAUSTIVE

NUMBERS = itertools.count()
QUOTA = 7


class People:
    """What the drill remembers of a person: the name in the recruitment link, the list, and how often it restarted."""

    def __init__(self, name: str, session: Session) -> None:
        self.name, self.session_pk, self.list_pk = name, session.pk, session.list_id
        self.resume_code = session.resume_code
        self.answered = 0

    @property
    def session(self) -> Session:
        return Session.objects.select_related("study", "participant", "list").get(pk=self.session_pk)


class ComingAndGoing(RuleBasedStateMachine):
    """A small study with three lists and a quota."""

    def __init__(self) -> None:
        super().__init__()
        self.study: Study = open_study(f"drill-{next(NUMBERS)}", items=3, conditions=3, fillers=0, quota=QUOTA)
        self.people: list[People] = []
        self.gone: list[str] = []
        self.readmitted = 0

    def start(self, name: str) -> Session:
        session, _ = start_session(
            self.study,
            start_key=f"start-key-{self.study.pk}-{next(NUMBERS):08}",
            consent=Consent(version=1, required=(True,) * len(REQUIRED)),
            recruitment={"PROLIFIC_PID": name},
        )
        return session

    @rule()
    def somebody_starts(self) -> None:
        before = list_counts(self.study, simulated=False, now=timezone.now())
        name = f"person-{next(NUMBERS)}"
        if sum(before.values()) >= QUOTA:
            with pytest.raises(Refusal, match="full"):
                self.start(name)
            return
        session = self.start(name)
        assert session.list_id is not None
        assert before[session.list_id] == min(before.values())
        assert session.participant.recruitment.external_id not in self.gone
        self.people.append(People(session.participant.recruitment.external_id, session))

    @precondition(lambda self: self.people)
    @rule(data=st.data(), number=st.integers(1, 6))
    def somebody_answers(self, data: Any, number: int) -> None:
        person = data.draw(st.sampled_from(self.people))
        opened = open_session(person.session, tab=person.name, take_over=True)
        if opened.session.status != Session.Status.RUNNING:
            return
        left = [trial for trial in opened.trials if trial["position"] not in opened.answered][:number]
        receipt = store_entries(person.session, [result_for(trial) for trial in left], tab=person.name)
        assert {result.status for result in receipt.results} <= {"stored"}

    @rule(minutes=st.sampled_from([30, 100, 200]))
    def time_passes(self, minutes: int) -> None:
        Session.objects.filter(study=self.study, status=Session.Status.RUNNING).update(
            last_seen_at=F("last_seen_at") - timedelta(minutes=minutes)
        )

    @precondition(lambda self: self.people)
    @rule(data=st.data())
    def somebody_comes_back_by_the_same_link(self, data: Any) -> None:
        person = data.draw(st.sampled_from(self.people))
        was = person.session
        stale = was.status == "running" and was.last_seen_at < timezone.now() - timedelta(minutes=180)
        if was.status != Session.Status.RUNNING:
            with pytest.raises(Refusal, match="already-taken-part"):
                self.start(person.name)
            return
        with pytest.raises(Refusal, match="resume-code-needed"):
            self.start(person.name)
        session = resumed_session(self.study, person.resume_code, sender="the drill")
        assert (session.pk, session.list_id) == (person.session_pk, person.list_pk)
        open_session(session, tab="another-tab", take_over=True)
        if stale:
            assert person.session.returned_late

    @precondition(lambda self: self.people)
    @rule(data=st.data())
    def somebody_finishes(self, data: Any) -> None:
        person = data.draw(st.sampled_from(self.people))
        session, missing = complete_session(person.session)
        if session.status == Session.Status.COMPLETE:
            assert not missing
            return
        opened = open_session(session, tab=person.name, take_over=True)
        left = [trial for trial in opened.trials if trial["position"] in missing.positions]
        store_entries(person.session, [result_for(trial) for trial in left], tab=person.name)
        session, missing = complete_session(person.session)
        assert session.status == Session.Status.COMPLETE

    @precondition(lambda self: self.people)
    @rule(data=st.data(), back=st.booleans())
    def somebody_is_excluded(self, data: Any, back: bool) -> None:
        person = data.draw(st.sampled_from(self.people))
        excluded = exclude(person.session, reason="A reason.", user=None)
        if back:
            # This may fill a place that has been given away meanwhile, like a late return.
            readmit(excluded, user=None)
            self.readmitted += 1

    @precondition(lambda self: self.people)
    @rule(data=st.data())
    def somebody_withdraws(self, data: Any) -> None:
        person = data.draw(st.sampled_from(self.people))
        withdraw(person.session.participant, by_participant=True)
        self.people.remove(person)
        self.gone.append(person.name)

    @invariant()
    def nothing_is_violated(self) -> None:
        found = {name: sentences for name, sentences in violations(self.study).items() if sentences}
        assert found == {}

    @invariant()
    def everybody_has_one_session_and_keeps_the_list(self) -> None:
        assert Participant.objects.filter(study=self.study).count() == len(self.people)
        assert Tombstone.objects.filter(study=self.study).count() == len(self.gone)
        for person in self.people:
            assert person.session.list_id == person.list_pk

    @invariant()
    def the_quota_is_exceeded_by_those_who_came_back_at_most(self) -> None:
        valid = valid_sessions(self.study, simulated=False, now=timezone.now()).count()
        returned = Session.objects.filter(study=self.study, returned_late=True).count()
        assert valid <= QUOTA + returned + self.readmitted


@pytest.mark.django_db
@pytest.mark.slow
def test_any_order_of_coming_and_going_keeps_the_data_sound() -> None:
    run_state_machine_as_test(
        ComingAndGoing,
        settings=settings(
            max_examples=12 if EXHAUSTIVE else 3,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.django_db
def test_thirty_in_a_hundred_drop_out_and_are_replaced() -> None:
    """Drop-outs free their places; once they are replaced, the finished sessions differ by at most one per list."""
    study = open_study(items=4, conditions=4, fillers=0)
    finished = 0
    for number in range(40):
        session, _ = start_session(
            study, start_key=f"start-key-of-person-{number:04}", consent=Consent(version=1, required=(True, True))
        )
        if number % 10 in {2, 5, 7}:
            Session.objects.filter(pk=session.pk).update(last_seen_at=timezone.now() - timedelta(days=1))
            continue
        store_entries(session, [result_for(trial) for trial in open_session(session, tab="t").trials])
        complete_session(session)
        finished += 1
    counts = list_counts(study, simulated=False, now=timezone.now())
    assert sum(counts.values()) == finished == 28
    assert max(counts.values()) - min(counts.values()) == 0
