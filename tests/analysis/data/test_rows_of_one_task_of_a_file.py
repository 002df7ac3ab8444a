"""`analyse --part`: of an exported table of several tasks the rows of one, with the numbers that the study has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.data.analyse_file import analyse_file
from analysis.data.tables import table_pieces
from analysis.methods.report import BadInput
from analysis.studies.asking import request_run
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import FIRST, put_a_task_before


@pytest.mark.django_db
def test_the_rows_of_a_task_give_the_numbers_that_its_analysis_on_the_page_gives(tmp_path: Path) -> None:
    alone = make_study()
    add_participants(alone, 4)
    study = put_a_task_before(alone)
    table = tmp_path / "trials.csv"
    table.write_bytes(b"".join(table_pieces(study, "trials")))
    for part, within in ((FIRST, "length"), ("task", "marker")):
        run = request_run(
            study.seen_through(part), method="rm-anova", params={"dv": "rating", "within": within}, user=None
        )
        execute(run.pk)
        run.refresh_from_db()
        given = ["dv=rating", f"within={within}"]
        call_command(
            "analyse", "rm-anova", data=table, settings_given=[given], part=part, out=tmp_path / part, verbosity=0
        )
        report = json.loads((tmp_path / part / "report.json").read_text(encoding="utf-8"))
        wanted = json.loads(run.report)
        assert report["part"] == wanted["part"] == part
        assert [report["tables"], report["sentences"]] == [wanted["tables"], wanted["sentences"]]


def test_a_part_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    table = tmp_path / "trials.csv"
    table.write_text("participant,rt,part\np1,1,a\np1,2,b\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"no rows of the part 'c'\. Its parts are: a and b\."):
        analyse_file("normalise", data=table, given={"dv": "rt"}, out=tmp_path / "out", part="c")
    table.write_text("participant,rt\np1,1\n", encoding="utf-8")
    with pytest.raises(BadInput, match="leave --part out"):
        analyse_file("normalise", data=table, given={"dv": "rt"}, out=tmp_path / "out", part="a")
