"""With SQLite the threads of a process write one after the other, in the order in which they came."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.utils import OperationalError

from config.sqlite.queue import Queue, SharedQueue
from participants.models import BrowserError
from tests import needs
from tests.browser.platform import ROOT
from tests.participants.studies import open_study

LONG = 20.0


def thread(action: Callable[[], object]) -> threading.Thread:
    """Return a thread that has begun to do something and closes its connection at the end."""

    def run() -> None:
        try:
            action()
        finally:
            connection.close()

    started = threading.Thread(target=run)
    started.start()
    return started


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_those_who_wait_are_served_in_the_order_in_which_they_came() -> None:
    queue = Queue()
    served: list[int] = []

    def serve(number: int) -> None:
        assert queue.acquire(timeout=LONG)
        served.append(number)
        queue.release()

    def are_waiting(many: int) -> bool:
        return len(queue._turns) == many

    assert queue.acquire(timeout=LONG)
    waiting = []
    for number in range(6):
        waiting.append(thread(partial(serve, number)))
        until(partial(are_waiting, number + 1))
    queue.release()
    for one in waiting:
        one.join()
    assert served == [0, 1, 2, 3, 4, 5]


def test_whoever_gives_up_does_not_hold_up_those_behind() -> None:
    queue = Queue()
    assert queue.acquire(timeout=LONG)
    assert not queue.acquire(timeout=0.01)
    queue.release()
    assert queue.acquire(timeout=LONG)


def test_a_queue_that_nobody_holds_cannot_be_released() -> None:
    with pytest.raises(RuntimeError):
        Queue().release()


HOLD = """
import sys
from pathlib import Path
from config.sqlite.queue import SharedQueue

queue = SharedQueue(Path(sys.argv[1]))
assert queue.acquire(timeout=20)
print("held", flush=True)
sys.stdin.readline()
"""


def test_a_turn_is_given_to_one_process_at_a_time_and_comes_back_from_one_that_is_killed(tmp_path: Path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    queue = SharedQueue(tmp_path)
    assert not queue.acquire(timeout=0.05)
    other.kill()
    other.communicate()
    assert queue.acquire(timeout=LONG)
    queue.release()


@needs.only_sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("own_transaction", [True, False])
def test_a_write_waits_for_the_transaction_of_another_thread(own_transaction: bool) -> None:
    study = open_study()
    begun = threading.Event()
    written: list[str] = []

    def write() -> None:
        begun.set()
        if own_transaction:
            with transaction.atomic():
                BrowserError.objects.create(study=study, message="second")
        else:
            BrowserError.objects.create(study=study, message="second")
        written.append("second")

    with transaction.atomic():
        BrowserError.objects.create(study=study, message="first")
        waiting = thread(write)
        assert begun.wait(LONG)
        time.sleep(0.02)
        written.append("first")
    waiting.join()
    assert written == ["first", "second"]
    assert list(BrowserError.objects.order_by("pk").values_list("message", flat=True)) == ["first", "second"]


@needs.only_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_fails_lets_the_next_writer_in() -> None:
    study = open_study()

    @transaction.atomic
    def fail(trouble: type[BaseException]) -> None:
        BrowserError.objects.create(study=study, message="undone")
        raise trouble

    for trouble in (ValueError, KeyboardInterrupt):
        with pytest.raises(trouble):
            fail(trouble)
    next_writer = thread(lambda: BrowserError.objects.create(study=study, message="next"))
    next_writer.join()
    assert BrowserError.objects.get().message == "next"


@needs.only_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_writer_who_waits_too_long_is_told_that_the_database_is_locked() -> None:
    study = open_study()
    told: list[str] = []

    def write() -> None:
        connection.settings_dict = {**connection.settings_dict, "OPTIONS": {"timeout": 0.01}}
        try:
            BrowserError.objects.create(study=study, message="late")
        except OperationalError as error:
            told.append(str(error))

    with transaction.atomic():
        BrowserError.objects.create(study=study, message="first")
        thread(write).join()
    assert told == ["database is locked"]
    assert BrowserError.objects.get().message == "first"
