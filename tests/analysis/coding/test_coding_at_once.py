"""Two windows, or a coder and whoever freezes, at the same moment: one is first, and nothing is half done."""

from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connections

from analysis.coding import queues
from analysis.coding.freezing import freeze
from analysis.coding.refusals import CodingRefusal
from analysis.coding.saving import save
from analysis.models import Coding, CodingQueue
from tests.analysis.recalls import add_recalls, make_coder, make_recall_study, user_named

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("load")]


def at_once(*acts):
    """Do all acts in threads that start together and return what each gave or was refused with."""
    gate = Barrier(len(acts))
    outcomes: list[Any] = [None] * len(acts)

    def do(place, act):
        gate.wait()
        try:
            outcomes[place] = act()
        except CodingRefusal as refused:
            outcomes[place] = refused.code
        finally:
            connections.close_all()

    threads = [Thread(target=do, args=entry) for entry in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.fixture
def queue():
    study = make_recall_study()
    add_recalls(study, 2)
    return make_coder(study)


def test_of_two_windows_that_save_one_recall_at_once_one_is_told(queue):
    name = queues.next_item(queue).recall_id
    outcomes = at_once(*(lambda code=code: save(queue, name, [code], revision=0).codes for code in "0345"))
    assert outcomes.count("changed") == 3
    coding = Coding.objects.get()
    assert [coding.codes] == [codes for codes in outcomes if codes != "changed"]
    assert coding.revision == 1


def test_what_is_frozen_at_the_same_moment_is_either_in_or_refused(queue):
    first, *others = queues.items(queue, count=6)
    save(queue, first.recall_id, ["0"])
    saves = [lambda name=view.recall_id: save(queue, name, ["3"]).codes for view in others]
    outcomes = at_once(*saves, lambda: freeze(queue.study, user=queue.coder).is_frozen)
    assert outcomes[-1] is True
    assert Coding.objects.count() == 1 + outcomes.count(["3"])
    assert set(map(str, outcomes[:-1])) <= {"frozen", "['3']"}


def test_coders_who_are_added_at_once_get_different_numbers(queue):
    study = queue.study
    people = [user_named(name) for name in ("owner",)]
    outcomes = at_once(
        *(lambda: queues.create_queue(study, coder=people[0], user=study.owner).number for _ in range(3))
    )
    assert sorted(map(str, outcomes)) == ["2", "queue", "queue"]
    assert CodingQueue.objects.count() == 2
