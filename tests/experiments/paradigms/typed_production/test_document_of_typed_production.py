"""docs/typed-production.md names settings, columns, measures, codes and the numbers of the simulation as the code has
them; the example has the materials that the page says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from experiments.paradigms import paradigm_named
from experiments.paradigms.typed_production import simulation
from experiments.paradigms.typed_production.answers import MAX_SPELLINGS
from experiments.paradigms.typed_production.lengths import MAX_CHARACTERS
from experiments.paradigms.typed_production.simulation import RARE, shares_in
from experiments.study_files import read_toml

ROOT = Path(__file__).resolve().parents[4]
DOCUMENT = (ROOT / "docs" / "typed-production.md").read_text(encoding="utf-8")
PARADIGM = paradigm_named("typed-production")


def table_of(heading: str) -> list[list[str]]:
    """Return the body of the first table under a heading, cell by cell."""
    section = DOCUMENT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\|(.+)\|$", section, re.MULTILINE)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows[2:]]


def test_every_setting_is_described_with_label_name_and_default() -> None:
    def written(value: object) -> str:
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

    fields = PARADIGM.settings_form.base_fields
    expected = [[str(field.label), f"`{name}`", written(field.initial)] for name, field in fields.items()]
    assert [row[:3] for row in table_of("Settings")] == expected


def test_every_column_measure_and_code_is_described() -> None:
    assert [row[0] for row in table_of("Materials")] == [f"`{column.name}`" for column in PARADIGM.all_stimulus_columns]
    described = [(row[0], row[1]) for row in table_of("What is recorded")]
    assert described == [(f"`{measure.name}`", measure.unit) for measure in PARADIGM.measures]
    quality = [row[0] for row in table_of("Quality of a session")]
    assert quality == [f"`{measure.name}`" for measure in PARADIGM.quality_measures()]
    codes = [(row[0], float(row[1]), row[2] == "yes") for row in table_of("Coding")]
    assert codes == [(code.code, code.weight, code.is_exclusive) for code in PARADIGM.default_error_codes]
    for measure in PARADIGM.measures_of({"number_of_fields": 2})[len(PARADIGM.measures) :][:5]:
        assert f"`{measure.name}`" in DOCUMENT


def test_the_numbers_are_those_of_the_code() -> None:
    assert f"logistic({simulation.TARGET} + target effect" in DOCUMENT
    assert f"    {simulation.BASE} + latency effect" in DOCUMENT
    assert (
        f"up to ±{simulation.TARGET_EFFECT} for each level on the target, up to ±{simulation.LATENCY_EFFECT}"
        in DOCUMENT
    )
    assert f"up to ±{simulation.ITEM_EFFECT} and ±{simulation.ITEM_SLOWING}" in DOCUMENT
    assert f"deviation of {simulation.KNOWLEDGE} between people, slowness one of {simulation.SLOWNESS}" in DOCUMENT
    assert f"noise one of {simulation.NOISE}" in DOCUMENT
    assert f"at most {MAX_SPELLINGS}" in DOCUMENT
    assert f"{MAX_CHARACTERS:,} characters" in DOCUMENT
    assert len(RARE) == 8
    assert simulation.NOTHING == 1 / 100


def test_the_example_has_24_words_each_missing_in_two_sentences_with_known_shares() -> None:
    design = read_toml(ROOT / "experiments" / "examples" / "cloze-sentences" / "study.toml").design
    assert design is not None
    assert [str(warning) for warning in design.warnings] == []
    targets = [item for item in design.items if item.is_target]
    assert Counter(len(item.stimuli) for item in targets) == {2: 24}
    assert [condition.name for condition in design.conditions] == ["strong", "weak"]
    assert sum(item.is_filler for item in design.items) == 4
    for item in targets:
        strong, weak = (
            sum(share for answer, share in shares_in(stimulus.extra["simulated"], fields=1)[0].items()
                if answer in stimulus.extra["target"].split("|"))
            for stimulus in item.stimuli
        )  # fmt: skip
        assert 0 < weak < 0.8 < strong <= 1, item.code
        assert strong > 2 * weak, item.code
