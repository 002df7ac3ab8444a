"""docs/mouse-contingent-reading.md names the paradigm's settings with defaults, its columns and its measures."""

from __future__ import annotations

import re
from pathlib import Path

from experiments.paradigms import paradigm_named
from experiments.paradigms.mouse_contingent_reading.settings import OF_TEXTS
from experiments.paradigms.mouse_contingent_reading.simulation import FILLER, NAMED

DOCUMENT = (Path(__file__).resolve().parents[4] / "docs" / "mouse-contingent-reading.md").read_text(encoding="utf-8")
PARADIGM = paradigm_named("mouse-contingent-reading")


def tables_of(heading: str) -> list[list[list[str]]]:
    """Return the bodies of the tables under a heading, cell by cell."""
    section = DOCUMENT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in table.splitlines()[2:]]
        for table in re.findall(r"(?:^\|.*\|$\n?)+", section, re.MULTILINE)
    ]


def test_every_setting_is_described_with_label_name_and_default():
    words = {True: "yes", False: "no"}
    expected = [
        [
            str(field.label),
            f"`{name}`",
            "fluency and clarity"
            if name == "ratings"
            else str(words.get(field.initial, field.initial))
            if isinstance(field.initial, bool)
            else str(field.initial),
        ]
        for name, field in PARADIGM.settings_form.base_fields.items()
    ]
    assert [row[:3] for row in tables_of("Settings")[0]] == expected


def test_every_column_of_the_materials_is_described():
    named = re.findall(r"`(\w+)`", " ".join(row[0] for row in tables_of("Materials")[0]))
    assert named == [column.name for column in PARADIGM.stimulus_columns]


def test_every_column_of_the_visits_and_every_measure_is_described_with_its_unit():
    visits, trials = tables_of("What is recorded")
    assert [name for row in visits for name in re.findall(r"`(\w+)`", row[0])] == [
        column.name for column in PARADIGM.long_tables[0].columns
    ]
    assert [[row[0].strip("`"), row[1]] for row in trials] == [
        [measure.name, measure.unit] for measure in PARADIGM.measures
    ]


def test_every_measure_computed_from_visits_is_described_with_its_unit():
    assert [[row[0].strip("`"), row[1]] for row in tables_of("Reading measures")[0]] == [
        [measure.name, measure.unit] for measure in OF_TEXTS
    ]


def test_every_quality_measure_is_described():
    described = [row[0] for row in tables_of("Quality of a session")[0]]
    assert described == [f"`{measure.name}`" for measure in PARADIGM.quality_measures()]


def test_the_effects_of_the_simulation_are_those_of_the_code():
    for name, effect in {**NAMED, "fillers": FILLER}.items():
        told = "0" if effect.slowing == 0 else f"+{effect.slowing:.2f}".replace("0.", ".")
        assert f"{name} ({told})" in DOCUMENT
