"""Oracle: tables 1, 2 and 4 of Tanprasert & Kauchak (2021), who spoilt Newsela outputs of the same systems. The texts
here are those of TurkCorpus, so directions and rough sizes are compared. FKGL, BLEU and SARI of untouched texts: EASSE.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest

from analysis.methods.perturb.method import perturb
from analysis.methods.report import Report
from tests.analysis.overlap.turkcorpus import REFERENCES, expected, needs_turkcorpus, outputs

pytestmark = needs_turkcorpus
SYSTEM = "Dress-Ls"
# Table 1, Dress-Ls: untouched, and with 100 % of the texts spoilt.
FKGL = 5.024
FKGL_SPOILT = {
    "random-period": 1.4154,
    "random-the": 5.1919,
    "replace-longest": 3.6244,
    "replace-rand-period": 1.4359,
    "replace-rand-the": 4.7003,
    "rand-period+repl-longest": 0.1643,
}
BLEU = 23.74
BLEU_SPOILT = {
    "random-period": 19.53,
    "random-the": 19.85,
    "replace-longest": 20.52,
    "replace-rand-period": 19.77,
    "replace-rand-the": 19.91,
    "rand-period+repl-longest": 17.10,
}
EDITS = list(FKGL_SPOILT)


@cache
def report() -> Report:
    texts = outputs()
    return perturb(texts[texts["system"] == SYSTEM], references=REFERENCES, repetitions=3, shares="10,50,100")


def table(name: str) -> pd.DataFrame:
    return report().table(name).frame()


def value(edit: str, metric: str, *, share: float = 100) -> float:
    curves = table("curves")
    return float(curves[(curves["edit"] == edit) & (curves["share"] == share)][metric].iloc[0])


@pytest.mark.parametrize(("ours", "theirs"), [("fkgl", "FKGL"), ("bleu", "BLEU_lower"), ("sari", "SARI")])
def test_untouched_texts_have_the_values_of_easse(ours: str, theirs: str) -> None:
    for edit in EDITS:
        assert value(edit, ours, share=0) == pytest.approx(expected()[SYSTEM][theirs], rel=1e-9)


@pytest.mark.parametrize("edit", EDITS)
def test_fkgl_moves_as_in_the_article_to_within_one_grade(edit: str) -> None:
    ours = value(edit, "fkgl") - value(edit, "fkgl", share=0)
    assert ours == pytest.approx(FKGL_SPOILT[edit] - FKGL, abs=0.8)


@pytest.mark.parametrize("edit", EDITS)
def test_bleu_falls_by_about_the_same_share_as_in_the_article(edit: str) -> None:
    ours = value(edit, "bleu") / value(edit, "bleu", share=0)
    assert ours == pytest.approx(BLEU_SPOILT[edit] / BLEU, abs=0.08)


def test_splitting_lowers_fkgl_most_and_inserting_the_least() -> None:
    by_effect = sorted(EDITS, key=lambda edit: value(edit, "fkgl"))
    assert by_effect[0] == "rand-period+repl-longest"
    assert set(by_effect[1:3]) == {"random-period", "replace-rand-period"}
    assert by_effect[3:] == ["replace-longest", "replace-rand-the", "random-the"]


@pytest.mark.parametrize("edit", EDITS)
def test_sari_hardly_moves(edit: str) -> None:
    assert abs(value(edit, "sari") - value(edit, "sari", share=0)) < 1.1


@pytest.mark.parametrize("edit", EDITS)
def test_longer_n_grams_lose_more_of_their_precision(edit: str) -> None:
    parts = table("ngrams").set_index(["edit", "order"])["bleu_precision"].astype(float)
    kept = [parts[edit, order] / parts["none", order] for order in (1, 2, 3, 4)]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] < 1


@pytest.mark.parametrize("edit", ["random-the", "replace-longest"])
def test_inserting_the_helps_add_f1_of_words_and_harms_that_of_four_grams(edit: str) -> None:
    parts = table("ngrams").set_index(["edit", "order"])["add_f1"].astype(float)
    assert parts[edit, 1] > parts["none", 1]
    assert parts[edit, 4] < parts["none", 4]


@pytest.mark.parametrize("edit", ["random-period", "replace-longest", "rand-period+repl-longest"])
def test_every_larger_share_is_rewarded_more(edit: str) -> None:
    values = [value(edit, "fkgl", share=share) for share in (0, 10, 50, 100)]
    assert values == sorted(values, reverse=True)
    line: Any = table("rewarded").query("edit == @edit and metric == 'FKGL'").iloc[0]
    assert bool(line["rewarded"])
    assert line["repetitions_rewarded"] == 1
    assert line["change"] == pytest.approx(values[-1] - values[0])
