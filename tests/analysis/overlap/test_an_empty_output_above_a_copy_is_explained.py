"""SARI may score an output without a word above a copy of its source; the report says so and why."""

from __future__ import annotations

import pandas as pd

from analysis.methods import registry

SOURCE = "The very old dog of my uncle sleeps on a mat ."


def overlap(texts: list[str], references: list[str]):
    frame = pd.DataFrame(
        {
            "text": texts,
            "source": [SOURCE] * len(texts),
            "reference": references,
            "system": [f"system{at}" for at in range(len(texts))],
            "item": ["1"] * len(texts),
        }
    )
    return registry.run(registry.method_named("overlap"), frame, {"resamples": 0})


def test_it_is_explained_with_both_scores() -> None:
    report = overlap(["", SOURCE], ["A dog sleeps ."] * 2)
    scores = {line["system"]: line["sari"] for line in report.table("systems").lines()}
    assert scores["system0"] > scores["system1"], "the case that is explained"
    (said,) = [warning for warning in report.warnings if "without a word" in warning and "SARI gives" in warning]
    assert f"{scores['system0']:.2f}" in said
    assert f"{scores['system1']:.2f}" in said


def test_nothing_is_said_where_no_output_is_empty() -> None:
    report = overlap(["A dog sleeps .", SOURCE], ["A dog sleeps ."] * 2)
    assert not [said for said in report.warnings if "SARI gives" in said]


def test_nothing_is_said_where_a_copy_scores_higher() -> None:
    assert not [said for said in overlap(["", SOURCE], [SOURCE] * 2).warnings if "SARI gives" in said]
