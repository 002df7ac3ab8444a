"""docs/rating-study.md and docs/self-paced-reading.md name settings, measures and numbers as the code has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.maze import simulation as maze_simulation
from experiments.paradigms.pieces import named_effects, regions
from experiments.paradigms.pieces.rating_questions_field import RatingQuestionsField
from experiments.paradigms.rating import paradigm as rating
from experiments.paradigms.self_paced_reading import simulation as self_paced_simulation

DOCS = Path(__file__).resolve().parents[3] / "docs"
DOCUMENTS = {slug: (DOCS / f"{name}.md").read_text(encoding="utf-8") for slug, name in (
    ("rating", "rating-study"), ("self-paced-reading", "self-paced-reading"), ("maze", "maze"))}  # fmt: skip
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
            "five quality questions"
            if isinstance(field, RatingQuestionsField)
            else ("no", "yes")[field.initial]
            if isinstance(field.initial, bool)
            else str(field.initial),
        ]
        for name, field in fields.items()
    ]
    assert [row[:3] for row in tables_of(slug, "Settings")[0]] == expected


@pytest.mark.parametrize("slug", ["self-paced-reading", "maze"])
def test_every_measure_of_reading_by_regions_is_described_with_its_unit(slug):
    trials, regions = tables_of(slug, "What is recorded")
    paradigm = paradigm_named(slug)
    assert [row[:2] for row in trials] == [[f"`{m.name}`", m.unit] for m in paradigm.measures]
    assert [row[:2] for row in regions] == [[f"`{m.name}`", m.unit] for m in paradigm.long_tables[0].columns]
    described = [row[0] for row in tables_of(slug, "Materials")[0]][1:]
    assert described == [f"`{column.name}`" for column in paradigm.stimulus_columns]


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
    assert f"more than {regions.LATE_FRAMES:g} updates" in text
    assert f"{simulation.BASE} + {simulation.PER_CHARACTER} × characters" in text
    assert f"up to ±{simulation.CONDITION_EFFECT} for each level" in text
    assert f"up to ±{simulation.ITEM_EFFECT}" in text
    assert simulation.SPILLOVER == 0.5
    assert f"up to ±{rating.CONDITION_EFFECT}, computed" in DOCUMENTS["rating"]
    assert f"up to ±{rating.ITEM_EFFECT} for the item" in DOCUMENTS["rating"]
    text = DOCUMENTS["maze"]
    assert f"more than {regions.LATE_FRAMES:g} updates" in text
    assert f"{maze_simulation.BASE} + {maze_simulation.PER_CHARACTER} × characters" in text
    assert f"is {maze_simulation.ERROR:g}.0 + carelessness".replace("-", "−").replace("is ", "are ") in text
    assert f"up to ±{maze_simulation.CONDITION_EFFECT} for each level" in text
    assert f"log odds up to ±{maze_simulation.ERROR_EFFECT}" in text
    assert f"of {maze_simulation.SPEED} between participants" in text
    assert f"carelessness one of {maze_simulation.CARELESSNESS}, noise one around {maze_simulation.NOISE}" in text
    assert maze_simulation.SPILLOVER == 0.1
    assert abs(named_effects.spread("x")) <= 1
