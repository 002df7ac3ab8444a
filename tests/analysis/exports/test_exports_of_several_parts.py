"""Tables of a study of several parts: the columns of all tasks, and of one task alone where one is asked for."""

from __future__ import annotations

import csv
import io

import pytest

from analysis.codebook.trials import trial_columns
from analysis.data.tables import table_pieces
from analysis.exports.cells import csv_pieces
from analysis.exports.sheets import sheets_of
from experiments.models import Part, Study
from participants.models import Session
from participants.simulation import simulate
from participants.watching.invariants import violations
from tests.participants.part_studies import study_of_parts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study() -> Study:
    made = study_of_parts(groups=[{"name": "a"}, {"name": "b"}], order_set="tasks")
    summary = simulate(made, participants=4, seed=1)
    assert (summary.finished, summary.sent_away) == (4, 0)
    return made


def rows_of(study: Study, table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(table_pieces(study, table)).decode())))


def test_every_trial_says_its_part_and_has_the_factors_of_its_task_only(study: Study) -> None:
    rows = rows_of(study, "trials")
    header = list(rows[0])
    assert header[-5:] == ["part", "group", "out_of_view", "draft_restored", "page_slept_ms"]
    assert {"order", "length"} <= set(header)
    assert rows[0]["part"] == "background"
    for row in rows:
        assert bool(row["order"]) == (row["part"] == "task" and bool(row["condition"]))
        assert bool(row["length"]) == (row["part"] == "second" and bool(row["condition"]))
    assert {row["part"] for row in rows} == {"background", "task", "second"}
    assert {row["group"] for row in rows} == {"a", "b"}
    described = {column.name: column.description for column in trial_columns(study).all}
    assert described["length"].startswith("Of the part 'second': ")
    assert not described["rating"].startswith("Of the part")
    assert not any(violations(study).values())


def test_a_study_seen_through_a_task_has_the_rows_and_columns_of_that_task(study: Study) -> None:
    everything = [row for row in rows_of(study, "trials") if row["part"] == "second"]
    second = rows_of(study.seen_through("second"), "trials")
    assert [row["position"] for row in second] == [row["position"] for row in everything]
    assert "length" in second[0]
    assert "order" not in second[0]
    shared = set(second[0]) & set(everything[0])
    assert [{name: row[name] for name in shared} for row in second] == [
        {name: row[name] for name in shared} for row in everything
    ]


def test_sessions_say_group_order_and_outcome_at_the_end(study: Study) -> None:
    (sheet,) = (sheet for sheet in sheets_of(study) if sheet.name == "sessions")
    text = b"".join(csv_pieces(sheet.columns(study), sheet.rows(study))).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0])[-7:-2] == ["group", "order", "outcome", "trials_translated", "source"]
    assert {row["outcome"] for row in rows} == {"completed"}
    assert {row["order"] for row in rows} == set(Session.objects.values_list("order", flat=True))


def test_people_and_sessions_have_the_list_of_each_task_at_the_end(study: Study) -> None:
    Part.objects.filter(study=study, name="task").update(name="first-task", groups=["a"])
    wanted = {}
    for session in Session.objects.filter(study=study):
        if session.group == "b":
            # Who does not go through the first task has the list of the second in the session itself.
            further = session.further_lists.get()
            session.list = further.list
            session.save()
            further.delete()
            wanted[session.participant.pseudonym] = ("", session.list.name)
        else:
            wanted[session.participant.pseudonym] = (session.list.name, session.further_lists.get().list.name)
    assert len({len([name for name in names if name]) for names in wanted.values()}) == 2
    study = Study.objects.get(pk=study.pk)
    for name in ("participants", "sessions"):
        (sheet,) = (sheet for sheet in sheets_of(study) if sheet.name == name)
        text = b"".join(csv_pieces(sheet.columns(study), sheet.rows(study))).decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        assert list(rows[0])[-2:] == ["list_first_task", "list_second"]
        found = {row["participant"]: (row["list_first_task"], row["list_second"]) for row in rows}
        assert found == wanted
        (described,) = (column.description for column in sheet.columns(study) if column.name == "list")
        assert "of the first task" in described


def test_all_files_of_a_study_of_parts_can_be_written(study: Study) -> None:
    for sheet in sheets_of(study):
        columns = sheet.columns(study)
        assert len({column.name for column in columns}) == len(columns), sheet.name
        for row in sheet.rows(study):
            assert len(row) == len(columns), sheet.name


def test_every_phase_that_is_exported_is_among_the_declared_ones() -> None:
    made = study_of_parts()
    Part.objects.create(study=made, name="between", kind=Part.Kind.PAGE, body="A page.", position=90)
    made = Study.objects.get(pk=made.pk)
    simulate(made, participants=1, seed=1)
    phases = {row["phase"] for row in rows_of(made, "trials")}
    assert "page" in phases
    (declared,) = [column for column in trial_columns(made).all if column.name == "phase"]
    assert phases <= set(declared.values)
