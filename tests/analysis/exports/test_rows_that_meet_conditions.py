"""Parts of `trials.csv` and `participants.csv`: every page and every file holds the rows that meet the conditions."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from analysis.codebook.columns import names
from analysis.codebook.people import participant_columns
from analysis.codebook.trials import trial_columns
from analysis.exports import narrowed
from analysis.exports.cells import Cells
from analysis.exports.narrowed import Conditions, People, Trials, csv_of
from analysis.exports.rows.people import participant_rows
from analysis.exports.rows.trials import trial_rows
from experiments.models import Study
from participants.models import Response
from participants.watching.exclusion import exclude
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import put_a_task_before

pytestmark = pytest.mark.django_db
CONDITIONS: list[dict[str, Any]] = [
    {},
    {"standing": "kept"},
    {"standing": "excluded"},
    {"participant": "2"},
    {"phase": "main"},
    {"kind": "targets", "phase": "main"},
    {"kind": "fillers", "standing": "kept"},
    {"item": "i3"},
    {"levels": 0},
    {"levels": 1, "standing": "kept", "phase": "main"},
    {"simulated": True, "levels": 0},
    {"item": "no such item"},
    {"participant": "nobody"},
]


@pytest.fixture
def study() -> Study:
    made = make_study(plan={"exclusion_rules": [{"rule": "fast-trial", "ms": 2500}]})
    kept = add_participants(made, 5)
    add_participants(made, 2, first=10, stop_after=7)
    add_participants(made, 2, first=30, simulated=True)
    exclude(kept[1], reason="not a native speaker", user=None)
    Response.objects.filter(trial__session=kept[3], trial__position__lt=6).update(rt_ms=100)
    return made


def asked(study: Study, given: dict[str, Any]) -> Conditions:
    """Return the conditions; `levels` is which level of the first factor is meant."""
    factor = study.factors[0]
    levels = {factor["name"]: factor["levels"][given["levels"]]} if "levels" in given else {}
    item = study.items.order_by("position")[3].code if given.get("item") == "i3" else given.get("item", "")
    return Conditions(**{**given, "levels": levels, "item": item})


def pages_of(table: Trials | People) -> list[Cells]:
    found: list[Cells] = []
    after = None
    for _page in range(200):
        page = table.page(after)
        found += page.rows
        after = page.following
        if after is None:
            return found
    raise AssertionError("the pages do not end")


def test_pages_hold_the_rows_of_the_file_that_meet_the_conditions(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = list(trial_rows(study))
    for given in CONDITIONS:
        for size in (7, 1000):
            monkeypatch.setattr(narrowed, "A_PAGE", size)
            check_pages(study, every, given, is_whole=size == 1000)


def check_pages(study: Study, every: list[Cells], given: dict[str, Any], *, is_whole: bool) -> None:
    """Hold the pages of a study, and the file where `is_whole`, against the rows of its whole file."""
    conditions = asked(study, given)
    at = {name: place for place, name in enumerate(names(trial_columns(study).all))}

    def meets(row: Cells) -> bool:
        told = {name: row[place] for name, place in at.items()}
        return (
            told["simulated"] == ("true" if conditions.simulated else "false")
            and conditions.participant in str(told["participant"])
            and conditions.phase in ("", told["phase"])
            and conditions.item in ("", told["item"])
            and all(told[factor] == level for factor, level in conditions.levels.items())
            and conditions.standing in ("", "excluded" if told["excluded"] == "true" else "kept")
            and (
                not conditions.kind
                or (told["item"] is not None and (told["is_filler"] == "true") == (conditions.kind == "fillers"))
            )
        )

    expected = [row for row in every if meets(row)]
    table = Trials(study, conditions)
    assert pages_of(table) == expected, given
    if is_whole:
        text = b"".join(csv_of(table, {"participant", "position", "rating"})).decode()
        rows = list(csv.reader(io.StringIO(text)))
        assert rows[0] == [name for name in at if name in ("participant", "position", "rating")]
        assert len(rows) - 1 == len(expected)
        assert (expected == []) == (str(given.get("item", given.get("participant"))) in ("no such item", "nobody"))


def test_pages_of_participants_hold_everybody_once(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    at = {name: place for place, name in enumerate(names(participant_columns(study)))}
    everybody = [row for row in participant_rows(study) if row[at["simulated"]] == "false"]
    for size in (1, 3, 50):
        monkeypatch.setattr(narrowed, "A_PAGE", size)
        for standing in ("", "kept", "excluded"):
            check_people(study, everybody, at, standing)


def check_people(study: Study, everybody: list[Cells], at: dict[str, int], standing: str) -> None:
    """Hold the pages of participants against the rows of the whole file."""
    wanted = [
        row for row in everybody if standing in ("", "excluded" if row[at["excluded"]] == "true" else "kept")
    ]  # fmt: skip
    assert pages_of(People(study, Conditions(standing=standing))) == wanted


def test_rows_are_of_the_task_that_is_looked_at(study: Study) -> None:
    put_a_task_before(study)
    study = Study.objects.get(pk=study.pk)
    for task in study.tasks:
        seen = study.seen_through(task.name)
        columns = names(trial_columns(seen).all)
        of_people = [row for row in trial_rows(seen) if row[columns.index("simulated")] == "false"]
        assert pages_of(Trials(seen, Conditions())) == of_people
        assert {row[columns.index("part")] for row in of_people} <= {task.name}


def test_a_measure_is_drawn_by_condition_of_a_share_of_many_people(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    factor = str(study.factors[0]["name"])
    values, read, total = Trials(study, Conditions(phase="main", kind="targets")).drawn("rating", [factor])
    assert (read, total) == (7, 7)
    assert set(values) == set(study.factors[0]["levels"])
    monkeypatch.setattr(narrowed, "DRAWN_SESSIONS", 3)
    fewer, read, total = Trials(study, Conditions(phase="main", kind="targets")).drawn("rating", [factor])
    assert (read, total) == (3, 7)
    assert sum(map(len, fewer.values())) < sum(map(len, values.values()))
