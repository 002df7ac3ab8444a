"""docs/timed-choice.md names settings, columns, measures and numbers as the code has them."""

from __future__ import annotations

import re
from pathlib import Path

from experiments.paradigms import paradigm_named
from experiments.paradigms.timed_choice import simulation

TEXT = (Path(__file__).resolve().parents[4] / "docs" / "timed-choice.md").read_text(encoding="utf-8")
CHOICE = paradigm_named("timed-choice")


def tables_of(heading: str) -> list[list[list[str]]]:
    section = TEXT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"(?:^\|.+\|$\n?)+", section, re.MULTILINE)
    return [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|\n"))] for line in block.splitlines()[2:]]
        for block in blocks
    ]


def test_every_setting_is_described_with_label_name_and_default():
    said = {"True": "yes", "False": "no", CHOICE.settings_form.base_fields["answers"].initial: "see below"}
    expected = [
        [str(field.label), f"`{name}`", said.get(str(field.initial), str(field.initial))]
        for name, field in CHOICE.settings_form.base_fields.items()
    ]
    assert [row[:3] for row in tables_of("Settings")[0]] == expected
    default = CHOICE.settings_form.base_fields["answers"].initial
    assert all(f"`{line}`" in TEXT for line in default.splitlines())


def test_every_column_measure_and_quality_measure_is_described_with_its_unit():
    trials, displays = tables_of("What is recorded")
    assert [row[:2] for row in trials] == [[f"`{m.name}`", m.unit] for m in CHOICE.measures]
    assert [row[:2] for row in displays] == [[f"`{m.name}`", m.unit] for m in CHOICE.long_tables[0].columns]
    assert [row[0] for row in tables_of("Materials")[0]] == [
        f"`{column.name}`" for column in CHOICE.all_stimulus_columns
    ]
    assert [row[0] for row in tables_of("Quality of a session")[0]] == [
        f"`{measure.name}`" for measure in CHOICE.quality_measures()
    ]


def test_the_numbers_are_those_of_the_code():
    assert f"{simulation.BASE} + speed" in TEXT
    assert f"are {simulation.ACCURACY} + care" in TEXT
    assert f"− {simulation.ERRORS_PER_SLOWING:g} × effect of the condition" in TEXT
    known = simulation.KNOWN
    assert f"rare ones by {known['frequency=low'] - known['frequency=high']:g}" in TEXT
    assert f"after others by {known['prime_type=unrelated'] - known['prime_type=identity']:g}" in TEXT
    deviations = (simulation.SPEED, simulation.CARE, simulation.NOISE)
    assert "\n{} between participants, care one of {}, noise one of {}".format(*deviations) in TEXT
    assert f"±{simulation.ITEM_EFFECT} and ±{simulation.ITEM_ACCURACY}" in TEXT
    assert f"up to ±{simulation.CONDITION_EFFECT}, computed" in TEXT
