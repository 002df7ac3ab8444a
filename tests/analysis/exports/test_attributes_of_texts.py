"""Attributes of single texts reach the tables, the codebook and the form, as numbers where they are numbers."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from analysis.codebook.materials import attribute_names, material_columns
from analysis.codebook.tables import text_columns
from analysis.codebook.trials import trial_columns
from analysis.data.frames import data_stamp, study_data
from analysis.exports.rows.materials import material_rows
from analysis.exports.rows.texts import text_rows
from experiments.models import Stimulus
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


def test_every_table_has_them_with_their_text_and_without_them_is_as_it_was():
    study = make_study(owner=get_user_model().objects.create_user("owner", is_staff=True))
    before, stamp = [column.name for column in trial_columns(study).all], data_stamp(study)
    texts = list(Stimulus.objects.filter(item__part__study=study, condition__isnull=False))
    for number, stimulus in enumerate(texts):
        stimulus.attributes = {"voice": ("active", "passive")[number % 2]}
        if number != 3:
            stimulus.attributes["plausibility"] = f"{number}.5"
        stimulus.save()
    assert data_stamp(study) != stamp
    add_participants(study, 4)
    assert attribute_names(study)[-2:] == ["voice", "plausibility"]
    columns = {column.name: column for column in trial_columns(study).all}
    assert [name for name in columns if name not in ("voice", "plausibility")] == before
    assert (columns["voice"].type, columns["voice"].role) == ("text", "factor")
    assert (columns["plausibility"].type, columns["plausibility"].role) == ("number", "measure")
    assert columns["plausibility"].description == "Attribute plausibility of the text."
    stored = {(one.item.code, one.condition.name): one.attributes for one in texts}
    frame = study_data(study).frame
    targets = frame[frame["condition"] != ""]
    assert len(targets)
    for row in targets.to_dict("records"):
        own = stored[row["item"], row["condition"]]
        assert (row["voice"], row["plausibility"]) == (own["voice"], own.get("plausibility", ""))
    for of, rows in ((text_columns, text_rows), (material_columns, material_rows)):
        names = [column.name for column in of(study)]
        assert {"voice", "plausibility"} <= set(names)
        assert {len(row) for row in rows(study)} == {len(names)}
