"""A page about a study costs as many statements for ten times the participants, and hardly more memory.

`python -m benchmarks growth` measures seconds and megabytes at 10,000 participants and more.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.exports import stream
from analysis.exports.sheets import sheets_of
from benchmarks.growth_data import fill
from experiments.models import Study
from participants.models import SessionFigures
from participants.session import figures
from participants.session.figures import rebuild_figures
from participants.session.planned_exclusion import judge_some
from participants.watching import monitoring
from participants.watching.monitoring import overview
from tests.analysis.recalls import user_named
from tests.analysis.studies import add_participants, make_study

pytestmark = [pytest.mark.django_db, pytest.mark.both]
FEW, MANY = 40, 240
PAGES = (
    "watch:watch", "watch:participants", "analysis:plan", "analysis:analyse", "analysis:export", "study:home",
    "study:open", "study:settings",
)  # fmt: skip
# A page holds fifty people at most; what grows with people is a number or a key for each.
BYTES_A_PERSON = 2_000
# Tables are read in bundles of sessions, each with a few statements; a bundle has at least this many.
LEAST_BUNDLE, STATEMENTS_A_BUNDLE = 25, 2


@pytest.fixture
def study(db: None) -> Study:
    owner = user_named("owner")
    study = make_study(n_items=4, owner=owner, plan={"exclusion_rules": [{"rule": "fast-trial", "ms": 200}]})
    add_participants(study, 8)
    return study


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(user_named("owner"))
    return client


def costs(client: Client, study: Study, address: str) -> tuple[int, int]:
    """Return the statements of a page and the most memory that it held, in bytes."""
    with CaptureQueriesContext(connection) as statements:
        assert client.get(address).status_code == 200
    # A cache that fills up, or what waits to be collected, belongs to no page: the smaller of two peaks counts.
    return len(statements), min(peak(client, address) for _ in range(2))


def peak(client: Client, address: str) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        client.get(address)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_pages_do_not_grow_with_participants(study: Study, client: Client) -> None:
    addresses = [reverse(page, args=[study.slug]) for page in PAGES]
    addresses += [f"{reverse('watch:participants', args=[study.slug])}?sort={name}" for name in ("progress", "-notes")]
    found: list[dict[str, tuple[int, int]]] = []
    for number in (FEW, MANY):
        fill(study, number)
        list(rebuild_figures(study))
        assert study.sessions.count() == number
        for address in addresses:  # what is loaded once is not counted
            client.get(address)
        found.append({address: costs(client, study, address) for address in addresses})
    few, many = found
    more = {address: many[address][0] - few[address][0] for address in addresses}
    assert {address: number for address, number in more.items() if number > 0} == {}
    grown = {address: many[address][1] - few[address][1] for address in addresses}
    assert {address: size for address, size in grown.items() if size > BYTES_A_PERSON * (MANY - FEW)} == {}


def test_after_an_upgrade_a_page_makes_a_few_figures_and_the_worker_the_others(
    study: Study, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_page = 5
    monkeypatch.setattr(figures, "A_PAGE", a_page)
    addresses = [reverse(page, args=[study.slug]) for page in ("watch:watch", "watch:participants")]
    found: list[dict[str, tuple[int, int]]] = []
    for number in (FEW, MANY):
        fill(study, number)
        list(rebuild_figures(study))
        whole = overview(study, simulated=False)
        SessionFigures.objects.all().delete()
        costs_of: dict[str, tuple[int, int]] = {}
        for address in addresses:
            before = SessionFigures.objects.count()
            answer = client.get(address)
            assert SessionFigures.objects.count() - before == a_page
            assert b"are still being computed" in answer.content
            costs_of[address] = costs(client, study, address)
        found.append(costs_of)
    few, many = found
    assert {address: many[address][0] - few[address][0] for address in addresses} == dict.fromkeys(addresses, 0)
    assert max(many[address][1] - few[address][1] for address in addresses) < BYTES_A_PERSON * (MANY - FEW)
    figures.keep_some_figures()
    assert not figures.without_figures(study).exists()
    assert overview(study, simulated=False) == whole


def test_verdicts_of_an_earlier_version_are_made_a_few_at_a_time(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    finished = study.sessions.filter(status="complete")
    study.plan = {"exclusion_rules": [{"rule": "fast-participant", "ms": 1_000_000, "share": 0.1}]}
    study.save()
    assert set(finished.values_list("planned_exclusion", flat=True)) == {None}
    monkeypatch.setattr(monitoring, "A_PAGE", 3)
    assert monitoring.tally_of(study, simulated=False).ruled_out == 3
    judge_some()
    assert monitoring.tally_of(study, simulated=False).ruled_out == finished.count() > 3


def pieces(study: Study) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each table, the statements that it takes, and the largest piece in bytes."""
    for sheet in sheets_of(study):
        with CaptureQueriesContext(connection) as statements:
            largest = max(map(len, stream(study, f"{sheet.name}.csv")))
        yield sheet.name, len(statements), largest


def test_exports_are_read_in_bundles_and_sent_in_pieces(study: Study) -> None:
    fill(study, FEW)
    list(rebuild_figures(study))
    few: dict[str, Any] = {name: number for name, number, _largest in pieces(study)}
    fill(study, MANY)
    list(rebuild_figures(study))
    bundles = (MANY - FEW) / LEAST_BUNDLE + 1
    for name, number, largest in pieces(study):
        assert number - few[name] <= STATEMENTS_A_BUNDLE * bundles, name
        assert largest < 200_000, name
    # Tables of which there is nothing, and what is counted beforehand, are not read session by session.
    assert {name: number - few[name] for name, number, _ in pieces(study) if name in ("events", "flow")} == {
        "events": 0,
        "flow": pytest.approx(3, abs=3),
    }
