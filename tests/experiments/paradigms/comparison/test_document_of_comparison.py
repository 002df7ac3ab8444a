"""The page on comparisons describes the settings, columns and numbers of the code."""

from __future__ import annotations

import re
from pathlib import Path

from experiments.design.adaptive_pairs import PRIOR_SD
from experiments.design.incomplete_blocks import MOST_BLOCKS
from experiments.design.together import MOST_LISTS, together_design
from experiments.paradigms import paradigm_named
from experiments.paradigms.comparison import simulation

TEXT = (Path(__file__).resolve().parents[4] / "docs" / "comparison.md").read_text(encoding="utf-8")
COMPARISON = paradigm_named("comparison")


def tables_of(heading: str) -> list[list[list[str]]]:
    section = TEXT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"(?:^\|.+\|$\n?)+", section, re.MULTILINE)
    return [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|\n"))] for line in block.splitlines()[2:]]
        for block in blocks
    ]


def test_every_setting_is_described_with_label_name_and_default() -> None:
    expected = [
        [str(field.label), f"`{name}`", "" if field.initial is None else str(field.initial)]
        for name, field in COMPARISON.settings_form.base_fields.items()
    ]
    assert [row[:3] for row in tables_of("Settings")[0]] == expected


def test_every_measure_is_described_with_its_unit() -> None:
    trials, options = tables_of("What is recorded")
    assert [row[:2] for row in trials] == [[f"`{m.name}`", m.unit] for m in COMPARISON.measures]
    assert [row[:2] for row in options] == [[f"`{m.name}`", m.unit] for m in COMPARISON.long_tables[0].columns]
    for measures in COMPARISON.long_tables[0].of_media.values():
        assert all(f"`{measure.name}`" in TEXT for measure in measures)
    assert [row[0] for row in tables_of("Quality of a session")[0]] == [
        f"`{measure.name}`" for measure in COMPARISON.quality_measures()
    ]
    assert [row[0] for row in tables_of("Materials")[0]][1:] == [f"`{c.name}`" for c in COMPARISON.all_stimulus_columns]


def test_the_numbers_are_those_of_the_code() -> None:
    assert f"up to ±{simulation.CONDITION_EFFECT:g} on the log scale" in TEXT
    assert f"standard deviation of {simulation.PERSON_SD:g} for each condition" in TEXT
    assert f"the first place has {simulation.FIRST_PLACE:g} more" in TEXT
    assert f"ν = {simulation.NO_DIFFERENCE:g}" in TEXT
    assert f"better by {simulation.FILLER_EFFECT:g}." in TEXT
    assert f"(standard deviation {PRIOR_SD:g})" in TEXT
    assert f"more than {MOST_BLOCKS} blocks" in TEXT
    assert f"at most {MOST_LISTS} lists" in TEXT
    assert together_design(8, size=2).is_exact
    assert not together_design(9, size=2).is_exact
    assert f"{together_design(7, size=3).efficiency:.3f}".lstrip("0") in TEXT
