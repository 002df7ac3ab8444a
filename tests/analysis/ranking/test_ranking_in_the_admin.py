"""The texts of a rating study: the form offers its ratings and its system, the report folds the table of features."""

from __future__ import annotations

import pandas as pd
from django import forms

from analysis.codebook.columns import ExportColumn
from analysis.exports.report_page import sections_of
from analysis.methods import registry
from analysis.methods.ranking.example import example
from analysis.methods.ranking.method import METHOD
from analysis.views.forms import field_for

COLUMNS = (
    ExportColumn("item", "text", "Item.", role="unit"),
    ExportColumn("system", "text", "Factor.", role="factor"),
    ExportColumn("text", "text", "Text."),
    ExportColumn("focus", "integer", "Rating.", role="measure"),
)
PARAMETERS = {parameter.name: parameter for parameter in METHOD.parameters}


def test_the_form_offers_the_ratings_that_a_study_has_and_no_others() -> None:
    field = field_for(PARAMETERS["score"], COLUMNS, chosen=None)
    assert isinstance(field, forms.ChoiceField | forms.MultipleChoiceField)
    assert field.choices == [("focus", "focus")]
    assert field.initial == ()


def test_the_form_chooses_text_item_and_system_by_itself() -> None:
    found = {name: field_for(PARAMETERS[name], COLUMNS, chosen=None).initial for name in ("text", "item", "system")}
    assert found == {"text": "text", "item": "item", "system": "system"}


def test_results_come_before_the_weights_which_are_shown_as_a_picture() -> None:
    frame, parameters = example()
    assert isinstance(frame, pd.DataFrame)
    sections = sections_of(registry.run(METHOD, frame, parameters))
    assert [section.table.name for section in sections] == [
        "accuracy",
        "ablation",
        "continuity",
        "meta",
        "features",
        "weights",
    ]
    assert sections[-1].is_listing
    assert sections[-1].table.rows == ()
    assert sections[-1].distributions
    assert not sections[0].table.is_cut
