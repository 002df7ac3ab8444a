"""A message broker that is dead, or takes connections and never answers, delays no page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from kombu.exceptions import OperationalError

from analysis.runs import waking


@pytest.fixture
def broker(settings: Any) -> Iterator[threading.Event]:
    """An event that stands for the answer of a broker; every wake-up waits for it."""
    settings.CELERY_TASK_ALWAYS_EAGER = False
    answers = threading.Event()
    yield answers
    answers.set()
    _until_idle()


def _until_idle() -> None:
    thread = waking._thread
    if thread is not None:
        thread.join(timeout=60)
        assert not thread.is_alive()


def test_a_wake_up_returns_before_the_broker_answers(broker: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bool] = []
    monkeypatch.setattr(waking, "_send", lambda: sent.append(broker.wait(60)))
    for _ in range(20):
        waking.send_soon(1)
    assert sent == []
    broker.set()
    _until_idle()
    assert sent == [True] * 20


def test_after_one_failure_the_others_are_left_to_the_sweeper(
    broker: threading.Event, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def unreachable() -> None:
        tried.append(1)
        broker.wait(60)
        raise OperationalError

    monkeypatch.setattr(waking, "_send", unreachable)
    for _ in range(20):
        waking.send_soon(1)
    broker.set()
    _until_idle()
    assert len(tried) == 1
    assert "left to the sweeper" in caplog.text
    monkeypatch.setattr(waking, "_send", lambda: tried.append(2))
    waking.send_soon(1)
    _until_idle()
    assert tried == [1, 2]
