"""Recall of items in two of eight formulations: from the table to the analyses of Siddharthan and Katsos (2012)."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.coding.queues import items
from analysis.coding.saving import save
from analysis.data.frames import study_data
from analysis.methods.registry import method_named, run
from analysis.views.asking import suggestions
from experiments.materials import design_of
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_archive, create_from_toml, study_archive
from participants.simulation import simulate
from tests.analysis.recalls import make_coder, user_named

EXAMPLE = Path(__file__).resolve().parents[2] / "experiments" / "examples" / "paired-formulations" / "study.toml"


@pytest.mark.django_db(transaction=True)
def test_from_the_table_to_table_5_h3_and_h4() -> None:
    owner = user_named("owner")
    study = open_study(create_from_toml(EXAMPLE, user=owner, owner=owner), owner)
    assert simulate(study, participants=8, seed=1).finished == 8
    frame = study_data(study).frame
    shown = frame[(frame["phase"] == "main") & (frame["is_filler"] == "false")]
    # Two people on each of the lists AB-1, AB-2, CD-1 and CD-2: every text is read twice, every formulation 16 times.
    assert len(shown) == 8 * 16
    assert set(shown.groupby(["item", "condition"]).size()) == {2}
    assert set(shown.groupby(["participant", "condition"]).size()) == {2}
    queue = make_coder(study)
    for number, view in enumerate(items(queue, count=999)):
        save(queue, view.recall_id, [["0"], ["3"], ["4"], ["2"], ["0"]][number % 5])
    offered = {each.title.split(":")[0]: each for each in suggestions(study)}
    assert {"rm-anova", "min-f", "tukey", "friedman"}.isdisjoint(each.method for each in offered.values())
    formula = offered["Mixed model of scores"].params["formula"]
    assert formula == "score ~ marker*order + (1 + marker*order || participant) + (1 + marker + order || item)"
    for title, table in (("Errors by type", "incidence"), ("H3", "ztest"), ("H4", "ztest")):
        asked = offered[title]
        data = study_data(study, asked.table).frame
        report = run(method_named(asked.method), data, {**asked.params, "keep": "simulated"})
        assert report.table(table).rows


@pytest.mark.django_db
def test_the_archive_brings_the_same_lists_back() -> None:
    owner = user_named("owner")
    study = create_from_toml(EXAMPLE, user=owner, owner=owner)
    again = create_from_archive(study_archive(study), user=owner, owner=owner, slug="again")
    assert design_of(again) == design_of(study)
    stored = [[stimulus.text for stimulus in one.stimuli.order_by("pk")] for one in again.lists.all()]
    assert stored == [[stimulus.text for stimulus in one.stimuli.order_by("pk")] for one in study.lists.all()]
