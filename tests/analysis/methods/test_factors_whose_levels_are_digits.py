"""A factor of the design whose levels are digits is a factor in every method, or the report warns of it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analysis.computing.parameters import checked_params
from analysis.methods import registry
from analysis.studies.planned import as_read
from experiments.models import Study

MODELS = {"lmm": "formula", "glmm": "formula", "ordinal": "formula", "logistic": "blocks"}


def with_digits(slug: str, digits: tuple[str, ...]) -> tuple[pd.DataFrame, dict[str, Any], str]:
    """Return the example of a method with the levels of its first factor, or a predictor, replaced by digits."""
    example = registry.method_named(slug).example
    assert example is not None
    frame, given = example()
    frame = frame.astype("str")
    text = str(given[MODELS[slug]])
    column = next(
        name for name in frame.columns if name in text.partition("~")[2] + ("" if "~" in text else text)
        and name not in ("participant", "item") and frame[name].nunique() <= 4
    )  # fmt: skip
    names = sorted(frame[column].unique())
    return frame.assign(**{column: frame[column].map(dict(zip(names, digits, strict=False)))}), given, column


@pytest.mark.parametrize("slug", [name for name in MODELS if name != "logistic"])
def test_a_model_warns_of_a_predictor_of_few_whole_numbers(slug):
    frame, given, column = with_digits(slug, ("1", "2", "3", "4"))
    report = registry.run(registry.method_named(slug), frame, given)
    (said,) = [warning for warning in report.warnings if "is read as a number" in warning]
    assert f"categorical={column}" in said
    followed = registry.run(registry.method_named(slug), frame, {**given, "categorical": column})
    assert not [warning for warning in followed.warnings if "is read as a number" in warning]


def test_logistic_warns_of_more_than_zero_and_one():
    rows = [{"y": "ab"[(at // 3 + at) % 2], "load": str(at % 3 + 1), "seen": str((at // 2) % 2)} for at in range(60)]
    method, given = registry.method_named("logistic"), {"outcome": "y", "blocks": "load,seen"}
    (said,) = [text for text in registry.run(method, pd.DataFrame(rows), given).warnings if "read as a number" in text]
    assert "'load' (1, 2 and 3)" in said
    assert "seen" not in said


@pytest.mark.django_db
def test_a_factor_of_the_design_is_a_factor_without_being_named():
    factors = [{"name": "load", "levels": ["1", "2", "3"]}, {"name": "marker", "levels": ["because", "cause"]}]
    study = Study.objects.create(  # type: ignore[misc]  # paradigm and factors are properties, which its task keeps
        slug="digits", title="Digits", paradigm="magnitude-estimation", factors=factors
    )
    formula = "rating_z ~ load * marker + (1 | participant)"
    assert checked_params(study, method="lmm", params={"formula": formula})["categorical"] == "load"
    read = as_read(study, method="lmm", table="trials", params={"formula": formula})
    assert read is not None
    assert read["categorical"] == ("load",)
    without = checked_params(study, method="lmm", params={"formula": "rating_z ~ marker + (1 | participant)"})
    assert "categorical" not in without
    chosen = checked_params(study, method="lmm", params={"formula": formula, "categorical": "marker"})
    assert chosen["categorical"] == "marker", "what somebody chose stands"
