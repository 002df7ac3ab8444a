"""What the analysis adds to regions.csv: frequency, the regions before, residual reading times."""

from __future__ import annotations

import csv
import io
import math
from itertools import pairwise

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command

from analysis.codebook.regions import REGION_COLUMNS
from analysis.exports import stream
from analysis.exports.rows.regions import added_cells, lines_of, region_zipf
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml

EXAMPLES = settings.BASE_DIR / "experiments" / "examples"


def rows_of(*regions):
    return [
        {"region_text": text, "characters": len(text), "rt_ms": time, "correct": correct}
        for text, time, correct in regions
    ]


def by_name(rows, **given):
    names = [column.name for column in REGION_COLUMNS]
    given = {"language": "en", "lines": (None, None), **given}
    return [dict(zip(names, cells, strict=True)) for cells in added_cells(rows, **given)]


def test_a_region_has_the_length_frequency_and_time_of_the_two_before_it():
    first, second, third = by_name(rows_of(("The", 400.0, True), ("barber", 500.0, True), ("slept.", 600.0, True)))
    assert [first[name] for name in first if "previous" in name] == [None] * 6
    assert (second["previous_characters"], second["previous_rt_ms"]) == (3, 400.0)
    assert second["second_previous_rt_ms"] is None
    assert (third["previous_zipf"], third["second_previous_zipf"]) == (second["zipf"], first["zipf"])
    assert (third["previous_rt_ms"], third["second_previous_rt_ms"]) == (500.0, 400.0)
    assert first["zipf"] > second["zipf"]


def test_residuals_are_those_of_a_regression_on_characters_and_sum_to_zero():
    rows = rows_of(("The", 330.0, True), ("old", 290.0, True), ("barber", 420.0, True), ("slept.", 380.0, True),
                   ("yesterday", 505.0, True))  # fmt: skip
    found = by_name(rows, lines=lines_of(rows))
    lengths, times = [row["characters"] for row in rows], [row["rt_ms"] for row in rows]
    mean_x, mean_y = sum(lengths) / 5, sum(times) / 5
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(lengths, times, strict=True)) / sum(
        (x - mean_x) ** 2 for x in lengths
    )
    expected = [y - mean_y - slope * (x - mean_x) for x, y in zip(lengths, times, strict=True)]
    assert [row["residual_rt_ms"] for row in found] == pytest.approx(expected, abs=0.001)
    assert sum(row["residual_rt_ms"] for row in found) == pytest.approx(0, abs=0.01)
    assert sum(row["residual_log_rt"] for row in found) == pytest.approx(0, abs=1e-4)


def test_wrong_choices_and_missing_times_are_not_in_the_regression_and_too_few_lengths_give_none():
    rows = rows_of(("a", 200.0, True), ("bbb", 240.0, True), ("ccccc", 280.0, True), ("ddddddd", 9000.0, False))
    assert lines_of(rows)[0] == pytest.approx((180.0, 20.0))
    assert by_name(rows, lines=lines_of(rows))[3]["residual_rt_ms"] == pytest.approx(9000 - 180 - 140)
    rows[1]["rt_ms"] = None
    assert lines_of(rows) == (None, None)
    assert by_name(rows)[0]["residual_rt_ms"] is None


def test_a_language_without_a_list_has_no_frequencies():
    assert region_zipf("barber", "xx") is None
    assert region_zipf("因为下雨", "en") is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("example", "measure"), [("maze-agents", "correct"), ("relative-clauses", "words")])
def test_the_exported_table_ends_with_them(example, measure):
    owner = get_user_model().objects.create_user("owner")
    study = open_study(create_from_toml(EXAMPLES / example / "study.toml", user=owner, owner=owner), user=owner)
    call_command("simulate", study.slug, participants=1, seed=3)
    text = b"".join(stream(study, "regions.csv")).decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0])[-len(REGION_COLUMNS) :] == [column.name for column in REGION_COLUMNS]
    assert measure in rows[0]
    main = [row for row in rows if row["phase"] == "main" and row.get("correct", "true") == "true"]
    assert math.fsum(float(row["residual_rt_ms"]) for row in main) == pytest.approx(0, abs=0.5)
    for before, row in pairwise(rows):
        expected = before["rt_ms"] if row["position"] == before["position"] else ""
        assert row["previous_rt_ms"] == expected
