"""docs/sentence-recall.md names the paradigm's settings, columns, measures, codes and the numbers of its simulation."""

from __future__ import annotations

import re
from pathlib import Path

from experiments.formats.words import count_words
from experiments.paradigms import paradigm_named
from experiments.paradigms.sentence_recall import simulation as recall_simulation

DOCUMENT = (Path(__file__).resolve().parents[4] / "docs" / "sentence-recall.md").read_text(encoding="utf-8")
PARADIGM = paradigm_named("sentence-recall")


def table_of(heading: str) -> list[list[str]]:
    """Return the body of the first table under a heading, cell by cell."""
    section = DOCUMENT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\|(.+)\|$", section, re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


def test_every_setting_is_described_with_label_name_and_default() -> None:
    def written(value: object) -> str:
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

    expected = [
        [str(field.label), f"`{name}`", written(field.initial)]
        for name, field in PARADIGM.settings_form.base_fields.items()
    ]
    assert [row[:3] for row in table_of("Settings")] == expected


def test_every_column_of_the_materials_is_described() -> None:
    assert [row[0] for row in table_of("Materials")] == [f"`{column.name}`" for column in PARADIGM.stimulus_columns]


def test_every_measure_is_described_with_its_unit() -> None:
    described = [(row[0], row[1]) for row in table_of("What is recorded")]
    assert described == [(f"`{measure.name}`", measure.unit) for measure in PARADIGM.measures]


def test_every_quality_measure_is_described() -> None:
    described = [row[0] for row in table_of("Quality of a session")]
    assert described == [f"`{measure.name}`" for measure in PARADIGM.quality_measures()]


def test_the_codes_are_those_a_study_starts_with() -> None:
    described = [(row[0], float(row[1].replace("−", "-")), row[2] == "yes") for row in table_of("Coding")]
    assert described == [(code.code, code.weight, code.is_exclusive) for code in PARADIGM.default_error_codes]


def test_the_examples_of_counting_are_counted_so() -> None:
    assert count_words("he came – and stayed") == 4
    for word in ("well-known", "didn’t", "l’homme", "p.m.", "3,000", "12.5", "14:30"):
        assert f"*{word}*" in DOCUMENT
        assert count_words(word) == 1
    assert "`因为|下雨，|他|没来。` has four" in DOCUMENT
    assert count_words("因为下雨，他没来。", regions="因为|下雨，|他|没来。") == 4


def test_the_numbers_of_the_simulation_are_those_of_the_code() -> None:
    for number in (recall_simulation.LOSS, recall_simulation.GARBLE, recall_simulation.CHANGE):
        assert f"logistic(−{abs(number)} +" in DOCUMENT
    assert f"{recall_simulation.LATER} × (place − ½)" in DOCUMENT
    assert f"up to ±{recall_simulation.LOSS_EFFECT}" in DOCUMENT
    assert recall_simulation.LOSS_EFFECT == recall_simulation.CHANGE_EFFECT
    assert f"standard deviation of {recall_simulation.FORGETFULNESS}" in DOCUMENT
    assert f"probability {recall_simulation.LOST_WHERE_GARBLED} as well" in DOCUMENT
    assert recall_simulation.OTHER_MEANING == 1 / 5
