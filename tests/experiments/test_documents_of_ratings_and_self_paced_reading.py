"""docs/rating-study.md and docs/self-paced-reading.md name settings, measures and numbers as the code has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.pieces import named_effects
from experiments.paradigms.pieces.rating_questions_field import RatingQuestionsField
from experiments.paradigms.rating import paradigm as rating
from experiments.paradigms.self_paced_reading import payload as self_paced_payload
from experiments.paradigms.self_paced_reading import simulation as self_paced_simulation

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOCUMENTS = {slug: (DOCS / f"{name}.md").read_text(encoding="utf-8") for slug, name in (
    ("rating", "rating-study"), ("self-paced-reading", "self-paced-reading"))}  # fmt: skip
SLUGS = list(DOCUMENTS)


def tables_of(slug: str, heading: str) -> list[list[list[str]]]:
    """Return the tables under a heading: the cells of their bodies."""
    section = DOCUMENTS[slug].split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"(?:^\|.+\|$\n?)+", section, re.MULTILINE)
    return [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|\n"))] for line in block.splitlines()[2:]]
        for block in blocks
    ]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_setting_is_described_with_label_name_and_default(slug):
    fields = paradigm_named(slug).settings_form.base_fields
    expected = [
        [
            str(field.label),
            f"`{name}`",
            "five quality questions" if isinstance(field, RatingQuestionsField) else str(field.initial),
        ]
        for name, field in fields.items()
    ]
    assert [row[:3] for row in tables_of(slug, "Settings")[0]] == expected


def test_every_measure_of_self_paced_reading_is_described_with_its_unit():
    trials, regions = tables_of("self-paced-reading", "What is recorded")
    paradigm = paradigm_named("self-paced-reading")
    assert [row[:2] for row in trials] == [[f"`{m.name}`", m.unit] for m in paradigm.measures]
    assert [row[:2] for row in regions] == [[f"`{m.name}`", m.unit] for m in paradigm.long_tables[0].columns]
    assert [row[0] for row in tables_of("self-paced-reading", "Materials")[0]][1:] == [
        f"`{column.name}`" for column in paradigm.stimulus_columns
    ]


def test_every_measure_of_a_rating_study_is_described_for_one_question():
    settings = {
        "questions": [
            {"name": "clarity", "text": "?", "kind": "magnitude", "points": 0, "labels": [], "required": True}
        ]
    }
    measures = paradigm_named("rating").measures_of(settings)
    described = tables_of("rating", "What is recorded")[0]
    assert {(row[0], row[1]) for row in described} == {(f"`{m.name}`", m.unit) for m in measures}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_quality_measure_is_described(slug):
    described = [row[0] for row in tables_of(slug, "Quality of a session")[0]]
    assert described == [f"`{measure.name}`" for measure in paradigm_named(slug).quality_measures()]


def test_the_numbers_are_those_of_the_code():
    simulation = self_paced_simulation
    text = DOCUMENTS["self-paced-reading"]
    assert f"more than {self_paced_payload.LATE_FRAMES:g} updates" in text
    assert f"{simulation.BASE} + {simulation.PER_CHARACTER} × characters" in text
    assert f"up to ±{simulation.CONDITION_EFFECT} for each level" in text
    assert f"up to ±{simulation.ITEM_EFFECT}" in text
    assert simulation.SPILLOVER == 0.5
    assert f"up to ±{rating.CONDITION_EFFECT}, computed" in DOCUMENTS["rating"]
    assert f"up to ±{rating.ITEM_EFFECT} for the item" in DOCUMENTS["rating"]
    assert abs(named_effects.spread("x")) <= 1
