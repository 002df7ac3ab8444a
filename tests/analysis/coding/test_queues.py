"""Queues: what is coded, in which order, and how little of it a coder learns."""

import json
from dataclasses import asdict

import pytest

from analysis.coding import queues
from analysis.coding.recalls import recall_id, state_of
from analysis.coding.refusals import CodingRefusal
from analysis.coding.saving import save
from experiments.models import AuditEntry
from participants.models import Response, Session
from tests.analysis.recalls import add_recalls, make_coder, make_recall_study, user_named

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = make_recall_study()
    add_recalls(study, 4)
    return study


def test_targets_of_the_main_phase_are_coded_and_neither_practice_nor_fillers(study):
    order = queues.ordered(make_coder(study))
    coded = Response.objects.filter(pk__in=order)
    assert len(order) == 4 * 4
    assert set(coded.values_list("trial__phase", flat=True)) == {"main"}
    assert set(coded.values_list("trial__stimulus__item__is_filler", flat=True)) == {False}


def test_fillers_are_coded_where_the_study_says_so(study):
    queue = make_coder(study)
    queues.set_fillers(study, with_fillers=True, user=study.owner)
    assert len(queues.ordered(queue)) == 4 * 5


def test_sessions_that_are_excluded_or_not_finished_are_not_coded(study):
    queue = make_coder(study)
    first, second = Session.objects.filter(study=study)[:2]
    Session.objects.filter(pk=first.pk).update(is_excluded=True)
    Session.objects.filter(pk=second.pk).update(status=Session.Status.RUNNING)
    coded = Response.objects.filter(pk__in=queues.ordered(queue))
    assert {first.pk, second.pk}.isdisjoint(coded.values_list("trial__session", flat=True))
    assert len(queues.ordered(queue)) == 2 * 4


def test_nobody_codes_simulated_recalls_once_somebody_real_has_finished(study):
    queue = make_coder(study)
    people = Session.objects.filter(study=study)
    people.update(is_simulated=True)
    assert len(queues.ordered(queue)) == 4 * 4, "a coder can try the page out"
    add_recalls(study, 1, first=4, is_simulated=False, status=Session.Status.RUNNING)
    assert len(queues.ordered(queue)) == 4 * 4, "somebody who has not finished is nobody yet"
    person = people.get(is_simulated=False)
    people.filter(pk=person.pk).update(status=Session.Status.COMPLETE)
    coded = Response.objects.filter(pk__in=queues.ordered(queue))
    assert set(coded.values_list("trial__session", flat=True)) == {person.pk}
    assert queues.progress(queue).total == 4
    people.filter(pk=person.pk).update(is_excluded=True)
    assert len(queues.ordered(queue)) == 0, "simulated recalls do not take the place of an excluded person's"


def test_every_coder_has_an_order_of_their_own_that_stays(study):
    anna, ben = make_coder(study, "anna"), make_coder(study, "ben")
    first = queues.ordered(anna)
    assert first == queues.ordered(anna)
    assert first != queues.ordered(ben)
    assert set(first) == set(queues.ordered(ben))
    assert first != sorted(first)


def test_more_recalls_leave_the_order_of_the_others_as_it_was(study):
    queue = make_coder(study)
    before = queues.ordered(queue)
    add_recalls(study, 2, first=4)
    assert [key for key in queues.ordered(queue) if key in set(before)] == before


def test_second_coders_of_one_share_get_the_same_recalls(study):
    ben = make_coder(study, "ben", share=0.25, is_second=True)
    cem = make_coder(study, "cem", share=0.25, is_second=True)
    dora = make_coder(study, "dora", share=0.5, is_second=True)
    assert len(queues.ordered(ben)) == 4
    assert set(queues.ordered(ben)) == set(queues.ordered(cem)) < set(queues.ordered(dora))


def test_what_was_coded_stays_in_a_queue_whose_share_shrinks(study):
    queue = make_coder(study)
    last = queues.items(queue, start=15, count=1)[0]
    save(queue, last.recall_id, ["0"])
    queues.change_share(queue, share=0.25, user=study.owner)
    assert queues.item(queue, last.recall_id).codes == ("0",)


def test_a_coder_sees_nothing_but_the_two_texts(study):
    queue = make_coder(study)
    for view in queues.items(queue, count=99):
        shown = json.dumps(asdict(view))
        for hidden in ("P000", "item0", "list", "condition", "arithmetic", "participant", "session", "formulation"):
            assert hidden not in shown
        assert set(asdict(view)) == {
            "recall_id", "position", "total", "stimulus", "recall", "stimulus_marks", "recall_marks", "suggestion",
            "codes", "note", "seconds", "revision",
        }  # fmt: skip


def test_the_names_of_recalls_do_not_follow_the_order_of_the_responses(study):
    queue = make_coder(study)
    names = {view.recall_id for view in queues.items(queue, count=99)}
    assert len(names) == 16
    by_response = [recall_id(state_of(study), key) for key in sorted(queues.ordered(queue))]
    assert by_response != sorted(by_response)


def test_the_marks_joined_are_the_texts(study):
    for view in queues.items(make_coder(study), count=99):
        assert "".join(mark.text for mark in view.stimulus_marks) == view.stimulus
        assert "".join(mark.text for mark in view.recall_marks) == view.recall


def test_the_next_item_is_the_first_that_is_not_coded_and_wraps_around(study):
    queue = make_coder(study)
    views = queues.items(queue, count=99)
    assert queues.next_item(queue) == views[0]
    save(queue, views[0].recall_id, ["0"])
    assert queues.next_item(queue).recall_id == views[1].recall_id
    assert queues.next_item(queue, after=views[14].recall_id).recall_id == views[15].recall_id
    assert queues.next_item(queue, after=views[15].recall_id).recall_id == views[1].recall_id
    for view in views[1:]:
        save(queue, view.recall_id, ["3"])
    assert queues.next_item(queue) is None


def test_progress_counts_what_is_coded_and_gives_a_pace_after_five(study):
    queue = make_coder(study)
    for number, view in enumerate(queues.items(queue, count=5)):
        assert queues.progress(queue).pace_seconds is None
        save(queue, view.recall_id, ["0"], seconds=10.0 + number)
    now = queues.progress(queue)
    assert (now.coded, now.total, now.left, now.seconds, now.pace_seconds) == (5, 16, 11, 60.0, 12.0)


def test_coders_keep_their_number_for_ever(study):
    make_coder(study, "anna")
    ben = make_coder(study, "ben")
    assert ben.pseudonym == "coder-2"
    queues.remove_queue(ben, user=study.owner)
    assert make_coder(study, "cem").pseudonym == "coder-3"


def test_removing_a_queue_takes_its_codings_along_and_says_so(study):
    queue = make_coder(study)
    save(queue, queues.next_item(queue).recall_id, ["0"])
    assert queues.remove_queue(queue, user=study.owner) == 1
    assert "1 codings" in AuditEntry.objects.filter(action="coder removed").get().detail


@pytest.mark.parametrize("share", [0, -0.5, 1.5, float("nan"), True, "1"])
def test_a_share_that_is_none_is_refused(study, share):
    with pytest.raises(CodingRefusal, match="share"):
        make_coder(study, share=share)


def test_nobody_has_two_queues_or_one_without_a_part_in_the_study(study):
    make_coder(study)
    with pytest.raises(CodingRefusal, match="already"):
        queues.create_queue(study, coder=user_named("anna"), user=study.owner)
    with pytest.raises(CodingRefusal, match="is not in the study"):
        queues.create_queue(study, coder=user_named("stranger"), user=study.owner)


def test_an_unknown_recall_is_refused(study):
    with pytest.raises(CodingRefusal) as refused:
        queues.item(make_coder(study), "R0000000000")
    assert refused.value.code == "unknown"


def test_a_shown_item_costs_few_queries(study, django_assert_max_num_queries):
    queue = make_coder(study)
    with django_assert_max_num_queries(10):
        queues.items(queue, count=16)
