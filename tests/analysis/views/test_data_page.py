"""The page *Data*: what its address asks for is shown, downloaded and recorded, and nothing else."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from experiments.models import AuditEntry, Study
from tests.analysis.recalls import user_named
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(owner=user_named("owner"))


def page(client: Client, study: Study, query: str = "") -> str:
    assert study.owner is not None
    client.force_login(study.owner)
    answer = client.get(f"/admin/studies/{study.slug}/data/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def view(client: Client, study: Study, query: str) -> list[dict[str, str]]:
    assert study.owner is not None
    client.force_login(study.owner)
    answer = client.get(f"/admin/studies/{study.slug}/data/view.csv{query}")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(b"".join(answer).decode())))


def test_a_study_without_data_says_how_rows_come_about(client: Client, study: Study) -> None:
    shown = page(client, study)
    assert "No data yet" in shown
    assert "data-rows" not in shown


def test_rows_are_paged_narrowed_and_downloaded_alike(client: Client, study: Study) -> None:
    people = add_participants(study, 6)
    first = page(client, study)
    assert "Distribution of rating by condition" in first
    assert 'rel="next"' in first
    name = people[2].participant.pseudonym
    narrowed = page(client, study, f"?participant={name}&phase=main")
    assert name in narrowed
    assert people[0].participant.pseudonym not in narrowed
    rows = view(client, study, f"?participant={name}&phase=main&column=participant&column=rating")
    assert list(rows[0]) == ["participant", "rating"]
    assert {row["participant"] for row in rows} == {name}
    entry = AuditEntry.objects.filter(study=study, action="data exported").latest("pk")
    assert entry.detail == f"trials.csv in part (plain); participant={name}, phase=main; 2 columns"


def test_conditions_that_nothing_meets_are_said_and_can_be_dropped(client: Client, study: Study) -> None:
    add_participants(study, 1)
    shown = page(client, study, "?item=nowhere")
    assert "No row meets these conditions" in shown
    assert "Show all" in shown


@pytest.mark.parametrize(
    "query", ["?table=nothing", "?after=x-y", "?column=token", "?phase=tomorrow", "?level-0=none", "?after=9-9-9"]
)
def test_an_address_that_asks_for_what_is_not_there_shows_the_usual_table(
    client: Client, study: Study, query: str
) -> None:
    add_participants(study, 1)
    assert "data-rows" in page(client, study, query)


def test_simulated_rows_are_marked_and_give_way_to_people(client: Client, study: Study) -> None:
    simulated = add_participants(study, 2, simulated=True)
    assert "Simulated data." in page(client, study)
    [person] = add_participants(study, 1, first=5)
    shown = page(client, study)
    assert "Simulated data." not in shown
    assert person.participant.pseudonym in shown
    assert simulated[0].participant.pseudonym not in shown
    assert simulated[0].participant.pseudonym in page(client, study, "?of=simulated")


def test_participants_are_a_table_of_their_own(client: Client, study: Study) -> None:
    people = add_participants(study, 3)
    shown = page(client, study, "?table=participants")
    assert all(person.participant.pseudonym in shown for person in people)
    assert "Distribution of" not in shown
    assert len(view(client, study, "?table=participants&standing=kept")) == 3


def test_what_plans_with_interim_looks_hide_is_hidden_here(
    client: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_participants(study, 4)
    monkeypatch.setattr("analysis.views.exports.data.is_hidden", lambda study: True)
    shown = page(client, study)
    assert "Hidden until the sequential analysis" in shown
    assert "distribution-label" not in shown
