"""Columns of a study of several tasks: none holds values of two kinds, and each says what it holds in every task."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from analysis.codebook.columns import ExportColumn, shared_column
from analysis.codebook.tables import coding_columns
from analysis.codebook.trials import trial_columns
from analysis.data.analyse_file import analyse_file
from analysis.data.tables import table_pieces
from analysis.exports import write_all
from experiments.models import Condition, Item, Part, Study
from participants.models import Session
from participants.simulation import simulate
from tests.analysis.recalls import make_recall_study
from tests.analysis.two_tasks import put_a_task_before
from tests.participants.part_studies import study_of_parts

pytestmark = pytest.mark.django_db(transaction=True)

GROUPS = [{"name": "a"}, {"name": "b"}]


def with_factor(study: Study, task: str, name: str, levels: Sequence[str]) -> None:
    """Give the only factor of a task another name and other levels."""
    part = Part.objects.get(study=study, name=task)
    part.factors = [{"name": name, "levels": list(levels)}]
    part.save()
    for condition, level in zip(Condition.objects.filter(part=part).order_by("position"), levels, strict=False):
        condition.levels = {name: level}
        condition.save()
    study.refresh_from_db()


def with_attribute(study: Study, task: str, **attributes: str) -> None:
    Item.objects.filter(part__study=study, part__name=task).update(attributes=attributes)


def answered_by(study: Study, participants: int = 4) -> Study:
    assert simulate(study, participants=participants, seed=1).finished == participants
    return Study.objects.get(pk=study.pk)


def rows_of(study: Study, table: str = "trials") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(table_pieces(study, table)).decode())))


def columns_by_name(study: Study) -> Mapping[str, ExportColumn]:
    columns = trial_columns(study).all
    assert len({column.name for column in columns}) == len(columns)
    return {column.name: column for column in columns}


def test_the_group_of_a_participant_is_not_the_level_of_a_factor_of_another_task() -> None:
    study = study_of_parts(groups=GROUPS)
    with_factor(study, "task", "group", ["upper", "lower"])
    study = answered_by(study)
    rows = rows_of(study)
    of_session = {str(session.pk): session.group for session in Session.objects.filter(study=study)}
    assert {row["group"] for row in rows if row["part"] == "task" and row["condition"]} == {"upper", "lower"}
    for row in rows:
        assert row["study_group"] == of_session[row["session"]]
        assert row["group"] in (("upper", "lower", "") if row["part"] == "task" else ("",))
    second = rows_of(study.seen_through("second"))
    assert {row["study_group"] for row in second} == {"a", "b"}
    assert "group" not in second[0]


@pytest.mark.parametrize("kind", ["factor", "attribute"])
def test_rows_of_a_task_are_found_where_another_task_calls_something_part(kind: str, tmp_path: Path) -> None:
    study = study_of_parts()
    if kind == "factor":
        with_factor(study, "task", "part", ["first", "last"])
    else:
        with_attribute(study, "task", part="first")
    study = answered_by(study)
    rows = rows_of(study)
    assert {row["study_part"] for row in rows} == {"background", "task", "second"}
    assert {row["part"] for row in rows if row["study_part"] == "second"} == {""}
    table = tmp_path / "trials.csv"
    table.write_bytes(b"".join(table_pieces(study, "trials")))
    report, _files = analyse_file("normalise", data=table, given={"dv": "rating"}, out=tmp_path / "out", part="second")
    assert report.part == "second"


def test_a_factor_of_one_task_and_an_attribute_of_another_have_columns_of_their_own() -> None:
    study = study_of_parts()
    with_factor(study, "task", "genre", ["news", "novel"])
    with_attribute(study, "second", genre="letter")
    rows = rows_of(answered_by(study))
    assert {row["genre"] for row in rows if row["condition"]} == {"news", "novel", ""}
    assert {row["genre"] for row in rows if row["part"] == "second"} == {""}
    assert {row["attribute_genre"] for row in rows if row["part"] == "second" and row["item"]} == {"letter"}


def test_a_question_has_one_column_in_all_tasks_and_none_of_anything_else() -> None:
    questions: list[dict[str, Any]] = [
        {"name": name, "label": name, "kind": "number"} for name in ("score", "rating_z", "length")
    ]
    study = put_a_task_before(make_recall_study(questions=questions))
    columns = columns_by_name(study)
    assert columns["score"].description.endswith("Sum of the weights of the final codes; empty where there are none.")
    for name in ("score", "rating_z", "length"):
        assert columns[f"answer_{name}"].description.startswith(f"Answer to “{name}”")
    for task in study.tasks:
        assert {f"answer_{name}" for name in ("score", "rating_z", "length")} <= set(
            columns_by_name(study.seen_through(task.name))
        )


def test_a_statement_called_part_does_not_take_the_place_of_the_part() -> None:
    study = study_of_parts()
    Part.objects.filter(study=study, name="background").update(
        questions=[{"name": "part", "label": "Took part before", "kind": "statement"}]
    )
    columns = columns_by_name(Study.objects.get(pk=study.pk))
    assert columns["part"].values == ("background", "task", "second")
    assert columns["answer_part"].type == "boolean"


def test_a_shared_column_allows_the_values_of_all_tasks_wherever_it_is_described(tmp_path: Path) -> None:
    study = study_of_parts()
    with_factor(study, "second", "order", ["svo", "osv", "level-1"])
    wanted = ["level-0", "level-1", "svo", "osv"]
    write_all(study, tmp_path)
    codebook = list(csv.DictReader((tmp_path / "codebook.csv").open(encoding="utf-8")))
    assert [row["values"] for row in codebook if (row["file"], row["column"]) == ("trials.csv", "order")] == [
        "|".join(wanted)
    ]
    package = json.loads((tmp_path / "datapackage.json").read_text(encoding="utf-8"))
    trials = next(resource for resource in package["resources"] if resource["path"] == "trials.csv")
    order = next(field for field in trials["schema"]["fields"] if field["name"] == "order")
    assert order["constraints"]["enum"] == wanted
    description = json.loads((tmp_path / "dataset_description.json").read_text(encoding="utf-8"))
    (order,) = (one for one in description["variableMeasured"] if one["name"] == "order")
    assert order["levels"] == wanted
    assert columns_by_name(study.seen_through("second"))["order"].values == ("svo", "osv", "level-1")


def test_codings_allow_the_levels_of_all_coded_tasks() -> None:
    study = make_recall_study()
    first = study.task
    Part.objects.create(
        study=study,
        name="again",
        position=9,
        paradigm=first.paradigm,
        settings=first.settings,
        factors=[{"name": "formulation", "levels": ["since"]}],
    )
    study = Study.objects.get(pk=study.pk)
    columns = coding_columns(study)
    assert columns[-1].name == "part"
    (formulation,) = (column for column in columns if column.name == "formulation")
    assert formulation.values == ("because", "because of", "since")
    assert not formulation.description.startswith("Of the part")


def test_a_column_with_two_meanings_tells_both() -> None:
    first = ExportColumn("speed", "integer", "Words.", "words", values=("1",))
    other = ExportColumn("speed", "number", "Time.", "ms")
    both = shared_column([("a", first), ("b", first), ("c", other)], tasks=3)
    assert both == ExportColumn("speed", "number", "Of the part 'a', 'b': Words (words); of the part 'c': Time (ms).")
    assert shared_column([("a", first), ("b", first)], tasks=2) == first
    assert shared_column([("a", first)], tasks=2).description == "Of the part 'a': Words."
