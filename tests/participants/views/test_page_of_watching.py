"""Watching a study: every session is counted once, in the right place; what looks odd is named."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from participants.models import BrowserError, IntakeProblem, Response, Session
from participants.session.figures import rebuild_figures
from participants.watching.exclusion import exclude
from participants.watching.monitoring import fast_sessions, overview, place_condition, place_of, tally_of
from tests.participants.studies import Browser

pytestmark = pytest.mark.both


def watch(client, study, **query):
    return client.get(reverse("watch:watch", args=[study.slug]), query)


def drop_out(study, *, seed, answers):
    """Let a participant answer the first trials and never come back."""
    browser = Browser(study, seed=seed)
    browser.start()
    browser.open()
    browser.send(*[browser.result(position) for position in range(answers)])
    session = Session.objects.latest("pk")
    Session.objects.filter(pk=session.pk).update(last_seen_at=timezone.now() - timedelta(days=1))
    return session


def test_before_anybody_starts_the_page_points_to_the_links(study, owner):
    page = watch(owner, study).content.decode()
    assert "Nobody has started yet" in page
    assert reverse("study:open", args=[study.slug]) in page


def test_every_session_is_in_exactly_one_place(study, finished, owner):
    drop_out(study, seed=10, answers=3)
    Browser(study, seed=11).start()
    exclude(Session.objects.all()[0], reason="Not a native speaker", user=None)
    tally = overview(study, simulated=False).tally
    assert (tally.started, tally.finished, tally.running, tally.dropped, tally.excluded) == (6, 3, 1, 1, 1)
    assert tally_of(study, simulated=False) == tally
    sessions = Session.objects.filter(study=study)
    silent_since = timezone.now() - timedelta(minutes=180)
    for session in sessions:
        place = place_of(
            status=session.status,
            is_excluded=session.is_excluded,
            last_seen_at=session.last_seen_at,
            silent_since=silent_since,
        )
        found = [
            name
            for name in ("running", "finished", "dropped", "excluded")
            if sessions.filter(place_condition(study, name), pk=session.pk).exists()
        ]
        assert found == [place]


def test_the_lists_are_counted_apart(study, finished):
    lists = overview(study, simulated=False).lists
    assert [(each.name, each.tally.finished) for each in lists] == [("1", 2), ("2", 2)]


def test_where_people_stop_is_the_first_trial_without_an_answer(study, finished):
    drop_out(study, seed=10, answers=3)
    drop_out(study, seed=11, answers=3)
    drop_out(study, seed=12, answers=1)
    stops = overview(study, simulated=False).stops
    assert [(stop.position, stop.number) for stop in stops] == [(2, 1), (4, 2)]
    assert stops[1].phase == "main"


def test_the_median_time_is_that_of_finished_sessions_that_count(study, finished):
    for session, minutes in zip(Session.objects.all(), (10, 20, 40, 500), strict=True):
        Session.objects.filter(pk=session.pk).update(finished_at=session.started_at + timedelta(minutes=minutes))
    assert overview(study, simulated=False).median_minutes == pytest.approx(30)
    exclude(Session.objects.latest("pk"), reason="Went to lunch", user=None)
    assert overview(study, simulated=False).median_minutes == pytest.approx(20)


def test_simulated_and_real_sessions_are_never_mixed(study, finished, owner):
    Session.objects.filter(pk__in=list(Session.objects.values_list("pk", flat=True)[:1])).update(is_simulated=True)
    assert overview(study, simulated=False).tally.finished == 3
    assert overview(study, simulated=True).tally.finished == 1
    page = watch(owner, study)
    assert page.context["kinds"] == {"real": 3, "simulated": 1}
    assert not page.context["is_simulated"]
    assert watch(owner, study, of="simulated").context["is_simulated"]


def test_cut_trials_and_lost_windows_are_named_with_their_sessions(study, finished):
    first, second = Session.objects.all()[:2]
    Response.objects.filter(trial__session=first, trial__phase="main").update(interrupted=True)
    Response.objects.filter(trial__session=second, trial__position=2).update(focus_losses=7)
    list(rebuild_figures(study))  # answers never change but here
    flags = {flag.label: flag.sessions for flag in overview(study, simulated=False).flags}
    assert flags == {
        "Trials that were interrupted and answered later": (first.participant.pseudonym,),
        "Left the window more than 2 times": (second.participant.pseudonym,),
    }


def test_somebody_who_answers_much_faster_than_the_others_is_named(study, finished):
    quick = Session.objects.last()
    responses = Response.objects.filter(trial__session__study=study)
    assert fast_sessions(study, simulated=False) == set()
    responses.filter(trial__session=quick).update(rt_ms=150)
    list(rebuild_figures(study))
    assert fast_sessions(study, simulated=False) == {quick.pk}


def test_problems_and_browser_errors_are_shown(study, finished, owner):
    session = Session.objects.all()[0]
    IntakeProblem.objects.create(
        session=session, kind="conflict", sequence=3, entry={}, reason="Another answer is stored.", content_hash="a"
    )
    BrowserError.objects.create(study=study, session=session, message="<b>TypeError</b>: no plugin")
    page = watch(owner, study).content.decode()
    assert "Another answer is stored." in page
    assert "&lt;b&gt;TypeError&lt;/b&gt;" in page


def test_the_page_refreshes_itself_only_while_the_study_is_open(study, finished, owner):
    assert 'data-refresh-seconds="20"' in watch(owner, study).content.decode()
    study.status = "closed"
    study.save()
    assert "data-refresh-seconds" not in watch(owner, study).content.decode()


def test_the_page_takes_the_same_number_of_queries_for_few_and_many_participants(
    study, finished, owner, django_assert_max_num_queries
):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as few:
        watch(owner, study)
    queries = len(few)
    assert queries > 5
    for seed in range(20, 24):
        Browser(study, seed=seed).answer_all()
    with django_assert_max_num_queries(queries):
        watch(owner, study)
