"""The tables of `overlap` against each other, against runs with single references, and against a known distribution."""

from __future__ import annotations

import random
from typing import Any

import pandas as pd
import pytest
from scipy import stats

from analysis.methods.overlap.method import METHOD
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

WORDS = (
    "owls",
    "eat",
    "mice",
    "at",
    "night",
    "and",
    "rest",
    "in",
    "old",
    "barns",
    "while",
    "rain",
    "falls",
    "on",
    "roofs",
)
REFERENCES = [f"reference_{number}" for number in range(1, 6)]


def outputs() -> pd.DataFrame:
    """Three systems' texts of six items with five references each."""
    drawn = random.Random(7)
    lines: list[dict[str, Any]] = []
    for item in range(6):
        source = drawn.choices(WORDS, k=12)
        of_item = {name: " ".join(drawn.sample(source, 8)) for name in REFERENCES}
        for at, system in enumerate("ABC"):
            kept = [word for word in source if drawn.random() > 0.1 * (at + 1)]
            lines.append(
                {"item": item, "system": system, "text": " ".join(kept), "source": " ".join(source), **of_item}
            )
    return pd.DataFrame(lines)


def tables(frame: pd.DataFrame, names: list[str], **given: Any) -> dict[str, pd.DataFrame]:
    report = run(METHOD, frame, {"references": ",".join(names), "resamples": 0, **given})
    return {table.name: table.frame() for table in report.tables}


@pytest.mark.full("means over groups of references that share some")
def test_fewer_references_are_means_of_runs_with_groups_that_share_none() -> None:
    found = tables(outputs(), REFERENCES)["references"].set_index(["system", "references"])
    assert found.loc["A", "groups"].to_dict() == {1: 5, 2: 2, 4: 1, 5: 1}
    for size in (1, 2, 4, 5):
        groups = [REFERENCES[start : start + size] for start in range(0, 6 - size, size)]
        runs = [tables(outputs(), group)["systems"].set_index("system") for group in groups]
        for system in "ABC":
            for metric in ("bleu", "sari"):
                expected = sum(one[metric][system] for one in runs) / len(groups)
                assert found.loc[(system, size), metric] == pytest.approx(expected, rel=1e-12), (size, system, metric)


def test_the_parts_of_sari_are_means_over_orders_and_tokens_means_over_texts() -> None:
    made = tables(outputs(), REFERENCES)
    orders, texts = made["ngrams"].groupby("system"), made["texts"].groupby("system")
    for line in made["systems"].to_dict("records"):
        of_system = orders.get_group(line["system"])
        assert of_system["order"].tolist() == [1, 2, 3, 4]
        for part in ("add_f1", "keep_f1", "delete_f1", "delete_precision"):
            assert line[part] == pytest.approx(of_system[part].mean(), rel=1e-12)
        assert [line[f"precision_{n}"] for n in range(1, 5)] == of_system["bleu_precision"].tolist()
        assert line["words"] == pytest.approx(texts.get_group(line["system"])["words"].mean())


def test_every_variant_ranks_the_systems_by_its_scores_and_ties_share_a_rank() -> None:
    twice = pd.concat([outputs(), outputs().query("system == 'B'").assign(system="D")])
    for _, lines in tables(twice, REFERENCES)["variants"].groupby(["metric", "variant"]):
        scores = lines.set_index("system")["score"]
        assert lines.set_index("system")["rank"].to_dict() == scores.rank(method="min", ascending=False).to_dict()
        assert scores["B"] == scores["D"]


def test_intervals_are_percentiles_of_drawing_items_again() -> None:
    """Half of 40 texts equal their reference and half share nothing with it: BLEU of a drawing is the share of the
    first kind, so its distribution is binomial."""
    lines = [
        {"item": item, "text": f"a{item} b{item} c{item} d{item}", "reference": f"a{item} b{item} c{item} d{item}"}
        for item in range(20)
    ]
    lines += [{"item": item, "text": "w x y z", "reference": "k l m n"} for item in range(20, 40)]
    report = run(METHOD, pd.DataFrame(lines), {"resamples": 2000, "source": None})
    found = report.table("systems").frame().iloc[0]
    assert found["bleu"] == pytest.approx(50)
    low, high = stats.binom.ppf([0.025, 0.975], 40, 0.5) / 40 * 100
    assert found["bleu_low"] == pytest.approx(low, abs=2.51)
    assert found["bleu_high"] == pytest.approx(high, abs=2.51)


def test_one_item_has_no_interval() -> None:
    one = run(METHOD, outputs().query("item == 0"), {"references": ",".join(REFERENCES), "resamples": 50})
    found = one.table("systems").frame()
    assert found[["bleu_low", "bleu_high", "sari_low", "sari_high"]].isna().all(axis=None)
    assert any("no interval over items" in warning for warning in one.warnings)


def test_the_mean_of_texts_is_that_of_the_scores_of_single_texts() -> None:
    made = tables(outputs(), REFERENCES)
    variants = made["variants"].query("variant == 'mean of texts'").set_index("system")["score"]
    assert variants.to_dict() == pytest.approx(made["texts"].groupby("system")["bleu"].mean().to_dict(), rel=1e-12)


def test_outputs_that_are_as_they_should_be_are_not_warned_of() -> None:
    report = run(METHOD, outputs(), {"references": ",".join(REFERENCES), "resamples": 20})
    said = " ".join((*report.warnings, *report.notes))
    for trouble in ("empty", "left out", "several texts", "same 6 items", "repeat", "no interval", "one reference per"):
        assert trouble not in said


def test_copies_empty_texts_and_rows_that_lack_something_are_each_counted() -> None:
    frame = outputs()
    trials = pd.concat([frame, frame, frame.head(1).assign(source="", participant="P9")])
    trials.iloc[:6, trials.columns.tolist().index("text")] = ""
    report = run(METHOD, trials, {"references": ",".join(REFERENCES), "resamples": 0})
    said = " ".join((*report.warnings, *report.notes))
    assert "6 texts are empty and count as output without a word (A: 2, B: 2 and C: 2)" in said
    assert "1 were left out: 1 with no source" in said
    assert "12 rows repeat a text of the same system and item" in said


def test_a_column_that_is_the_text_is_no_reference_though_it_is_called_so() -> None:
    frame = outputs().rename(columns={"text": "reference_0"})
    own = run(METHOD, frame, {"text": "reference_0", "resamples": 0}).table("systems")
    assert own == run(METHOD, outputs(), {"references": ",".join(REFERENCES), "resamples": 0}).table("systems")
