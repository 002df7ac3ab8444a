"""docs/magnitude-estimation.md names the paradigm's settings with defaults and its measures with units."""

from __future__ import annotations

import re
from pathlib import Path

from experiments.paradigms import paradigm_named
from experiments.paradigms.magnitude_estimation import simulation as magnitude_simulation
from experiments.paradigms.pieces import line_length

DOCUMENT = (Path(__file__).resolve().parents[4] / "docs" / "magnitude-estimation.md").read_text(encoding="utf-8")
PARADIGM = paradigm_named("magnitude-estimation")


def table_of(heading: str) -> list[list[str]]:
    """Return the body of the first table under a heading, cell by cell."""
    section = DOCUMENT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\|(.+)\|$", section, re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


def test_every_setting_is_described_with_label_name_and_default():
    fields = PARADIGM.settings_form.base_fields
    words = {True: "yes", False: "no", None: "none"}
    expected = [
        [str(field.label), f"`{name}`", str(words.get(field.initial, field.initial))] for name, field in fields.items()
    ]
    assert [row[:3] for row in table_of("Settings")] == expected


def test_every_measure_is_described_with_its_unit():
    described = {row[0].strip("`"): row[1] for row in table_of("What is recorded")}
    for measure in PARADIGM.measures:
        assert described[measure.name] == measure.unit


def test_every_quality_measure_is_described():
    described = [row[0] for row in table_of("Quality of a session")]
    assert described == [f"`{measure.name}`" for measure in PARADIGM.quality_measures()]


def test_the_numbers_of_training_and_simulation_are_those_of_the_code():
    shortest, longest = line_length.SHORTEST / line_length.REFERENCE, line_length.LONGEST / line_length.REFERENCE
    assert f"{shortest:.2f} to {longest:.2f} times as long" in DOCUMENT
    assert f"has the number {line_length.REFERENCE_NUMBER}" in DOCUMENT
    assert f"({magnitude_simulation.BASE} + effect of the condition)" in DOCUMENT
    for number in (
        magnitude_simulation.MAIN_EFFECT,
        magnitude_simulation.INTERACTION,
        magnitude_simulation.ITEM_EFFECT,
    ):
        assert f"±{number:.2f}" in DOCUMENT
    assert f"at {PARADIGM.seconds_per_trial:.0f} s" in DOCUMENT
