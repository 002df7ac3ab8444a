"""Two hundred people go through a study of groups, orders and two tasks at once; some leave, some are sent away."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Semaphore, Thread
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from experiments.models import Part, Study
from experiments.procedure.default_texts import DEFAULTS
from experiments.procedure.sequence import Group
from experiments.study.lifecycle import open_study as opened
from experiments.study.lifecycle import save_details, save_text
from experiments.study_files import create_from_toml
from participants.models import Session, SessionList
from participants.session import advancing
from participants.session.assignment import next_group, valid_sessions
from tests.analysis.recalls import user_named
from tests.participants.part_studies import study_of_parts
from tests.participants.studies import OPTIONAL, REQUIRED, Browser, result_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("load")]

PEOPLE, SERVED_AT_A_TIME = 200, 24
EXAMPLES = DEFAULTS.parent
GROUPS = [{"name": "young", "weight": 2}, {"name": "old", "weight": 1}]


def go_on_together(study: Study, people: range, *, steps: int = 5) -> None:
    """Let people start, answer the first questions and go on, in threads of their own; each asks twice to go on.

    With fewer `steps` they stop before.
    """
    gate, door = Barrier(len(people)), Semaphore(SERVED_AT_A_TIME)
    wrong: list[str] = []

    def person(number: int) -> None:
        browser = Browser(study, seed=number)
        gate.wait()
        with door:
            try:
                doing: list[Callable[[], Any]] = [
                    browser.start,
                    browser.open,
                    lambda: browser.send(*[result_for(trial) for trial in browser.trials]),
                    *[lambda: browser.post("session/advance/", {})] * 2,
                ]
                for do in doing[:steps]:
                    answer = do()
                    if answer.status_code not in (200, 201):
                        wrong.append(str(answer.content))
            finally:
                connections.close_all()

    threads = [Thread(target=person, args=(number,)) for number in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]


def spreads(study: Study) -> dict[str, int]:
    """Return the spread of orders and of the lists of either task over the valid sessions of each group."""
    found = {}
    for group in ("young", "old"):
        valid = valid_sessions(study, simulated=False, now=timezone.now()).filter(group=group)
        tables: dict[str, tuple[Counter[Any], int]] = {
            "order": (Counter(valid.values_list("order", flat=True)), 2),
            "task": (Counter(valid.values_list("list", flat=True)), 2),
            "second": (Counter(SessionList.objects.filter(session__in=valid).values_list("list", flat=True)), 3),
        }
        for name, (counts, kinds) in tables.items():
            numbers = [*counts.values(), *[0] * (kinds - len(counts))]
            found[f"{group} {name}"] = max(numbers) - min(numbers)
    return found


@pytest.mark.full("groups and lists that two hundred people at once make uneven")
def test_everything_is_balanced_whoever_leaves_and_whoever_is_sent_away(
    monkeypatch: pytest.MonkeyPatch, sound: Callable[[Study], None]
) -> None:
    study = study_of_parts(groups=GROUPS, order_set="tasks")
    # Every tenth answer sends somebody away.
    monkeypatch.setattr(advancing, "screened", lambda session, parts: "screened-out" if session.seed % 10 == 0 else "")
    go_on_together(study, range(PEOPLE))
    away = Session.objects.filter(outcome="screened-out").count()
    assert away > 0
    assert Session.objects.filter(assigned_at__isnull=False).count() == PEOPLE - away
    # Some of those who went on leave for good, from whatever places; as many come as make the numbers divisible.
    left = list(Session.objects.filter(assigned_at__isnull=False).order_by("seed").values_list("pk", flat=True)[:29])
    long_ago = timezone.now() - timedelta(days=1)
    Session.objects.filter(pk__in=left).update(last_seen_at=long_ago)
    monkeypatch.setattr(advancing, "screened", lambda session, parts: "")
    there = PEOPLE - away - len(left)
    wanted = 18 * math.ceil((there + 40) / 18)
    go_on_together(study, range(PEOPLE, PEOPLE + wanted - there))
    valid = valid_sessions(study, simulated=False, now=timezone.now())
    assert Counter(valid.values_list("group", flat=True)) == {"young": wanted * 2 // 3, "old": wanted // 3}
    assert set(spreads(study).values()) == {0}, spreads(study)
    sound(study)


@pytest.mark.full("lists of an incomplete design that two hundred people at once make uneven")
def test_lists_of_an_incomplete_design_fill_equally() -> None:
    owner = user_named("owner")
    study = create_from_toml(EXAMPLES / "paired-formulations" / "study.toml", user=owner, owner=owner)
    required, optional = list(REQUIRED), list(OPTIONAL)
    save_text(
        study, "consent", "What you agree to.", owner, replace=True, required_boxes=required, optional_boxes=optional
    )
    study = opened(save_details(study, {"quota": None}, owner), owner)
    go_on_together(study, range(PEOPLE), steps=1)
    of_lists = Counter(Session.objects.values_list("list__item_set", "list__index"))
    assert of_lists == {(name, index): PEOPLE // 4 for name in ("AB", "CD") for index in (0, 1)}


def test_lists_of_two_tasks_do_not_go_together() -> None:
    study = study_of_parts("apart", order_set="")
    Part.objects.filter(study=study, name="second").update(order_set="")
    go_on_together(study, range(72))
    pairs = Counter(
        (session.list.index, further.list.index)
        for session in Session.objects.select_related("list").prefetch_related("further_lists__list")
        for further in session.further_lists.all()
    )
    # 12 are expected of each of the 6 pairs.
    assert len(pairs) == 6
    assert max(pairs.values()) <= 22


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 60), st.randoms())
def test_no_group_is_ever_more_than_one_away_from_its_share(weights, people, rng) -> None:
    groups = [Group(f"g{number}", weight) for number, weight in enumerate(weights)]
    counts: Counter[str] = Counter()
    for number in range(1, people + 1):
        counts[next_group(groups, counts, rng) or ""] += 1
        for group in groups:
            share = group.weight * number / sum(weights)
            assert abs(counts[group.name] - share) <= 1 + 1e-9
