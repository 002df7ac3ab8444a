"""Virtual participants mark errors over HTTP: what is exported, and how far they agree on words."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from analysis.data.frames import study_data
from analysis.exports.sheets import sheets_of
from analysis.methods import registry
from analysis.views.asking import suggestions
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.models import IntakeProblem
from tests.end_to_end.test_ratings_and_self_paced_reading import EXAMPLES

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

QUESTION = """[[settings.questions]]
name = "errors"
text = "Mark every error in the text."
kind = "error-spans"
categories = ["grammar", "style"]

"""


def test_every_marked_word_is_exported_and_agreement_is_that_of_a_plain_count(
    tmp_path: Path, django_user_model: Any
) -> None:
    folder = EXAMPLES / "system-ratings"
    text = (folder / "study.toml").read_text(encoding="utf-8")
    text = re.sub(r"\[\[settings\.questions\]\]\n(?:[^\[\n].*\n|\n)*", "", text).replace(
        "[procedure]", QUESTION + "[procedure]", 1
    )
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    owner = django_user_model.objects.create_user("researcher")
    study = open_study(create_from_toml(tmp_path / "study.toml", user=owner, owner=owner), user=owner)
    call_command("simulate", study.slug, participants=3, seed=3)
    call_command("check_data", study.slug)
    assert not IntakeProblem.objects.exists()
    assert {"spans", "marked_words"} <= {sheet.name for sheet in sheets_of(study)}

    trials = study_data(study).frame
    rated = trials[(trials["plugin"] == "rating") & (trials["answered"] == "true")]
    spans, words = study_data(study, "spans").frame, study_data(study, "marked_words").frame
    counted = rated["errors_minor"].astype(int).sum() + rated["errors_major"].astype(int).sum()
    assert len(spans) == counted > 20
    place = ["session", "position"]
    assert len(words.groupby(place)) == len(rated)
    lengths = spans["end_word"].astype(int) - spans["start_word"].astype(int) + 1
    assert (words["mark"] != "none").sum() == lengths.sum()

    asked = {one.method: one for one in suggestions(study)}["agreement"]
    assert asked.table == "marked_words"
    report = registry.run(registry.analyses()["agreement"], words, dict(asked.params))
    table = report.table("agreement")
    row = dict(zip((column.name for column in table.columns), table.rows[0], strict=True))
    targets = words[words["condition"] != ""]
    units = [list(unit["mark"]) for _key, unit in targets.groupby(["item", "condition", "word"])]
    assert row["n"] == len(units)
    assert row["alpha"] == pytest.approx(alpha_of(units), abs=1e-12)


def alpha_of(units: list[list[str]]) -> float:
    """Return Krippendorff's nominal α by counting pairs: 1 − observed / expected disagreement."""
    paired = [unit for unit in units if len(unit) > 1]
    every = [mark for unit in paired for mark in unit]
    observed = sum(
        2 * sum(one != other for one, other in combinations(unit, 2)) / (len(unit) - 1) for unit in paired
    ) / len(every)
    n = len(every)
    expected = 1 - sum(every.count(mark) * (every.count(mark) - 1) for mark in set(every)) / (n * (n - 1))
    return 1 - observed / expected
