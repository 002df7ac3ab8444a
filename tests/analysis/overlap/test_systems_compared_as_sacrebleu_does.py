"""Oracle: sacrebleu's own CHRF, TER and PairedTest (approximate randomisation and paired bootstrap, seed 12345)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from analysis.methods.overlap.method import METHOD, overlap
from analysis.methods.registry import run
from analysis.methods.report import BadInput

SYSTEMS = ("plain", "worse")
REFERENCES = ["reference_1", "reference_2"]


def outputs(*, items: int = 60, spoilt: float = 0.25, seed: int = 3) -> pd.DataFrame:
    """Return texts of two systems: words of a reference, some of them exchanged, more of them in the second."""
    random = np.random.default_rng(seed)
    words = np.array(
        ["The", "old", "dog", "barked", "at", "night", "while", "rain", "fell", "on", "our", "quiet", "House"]
    )
    rows = []
    for item in range(items):
        references = [random.choice(words, 9) for _ in range(2)]
        for system, share in zip(SYSTEMS, (0.15, spoilt), strict=True):
            text = np.where(random.random(9) < share, random.choice(words, 9), references[item % 2])
            given = {name: " ".join(own) for name, own in zip(REFERENCES, references, strict=True)}
            source = " ".join(references[0][::-1])
            rows.append({"item": f"I{item:02}", "system": system, "source": source, "text": " ".join(text), **given})
    return pd.DataFrame(rows)


def of(frame: pd.DataFrame, system: str) -> list[str]:
    return frame.loc[frame["system"] == system, "text"].tolist()


def reports(frame: pd.DataFrame, **given):
    return overlap(frame, references=REFERENCES, **{"resamples": 300, "trials": 300, "seed": 12345, **given})


@pytest.mark.parametrize("lowercase", [True, False])
def test_scores_of_systems_and_of_single_texts_are_those_of_sacrebleu(lowercase):
    frame = outputs(items=12)
    report = reports(frame, lowercase=lowercase, resamples=0, trials=0)
    systems = report.table("systems").frame().set_index("system")
    texts = report.table("texts").frame()
    for system in SYSTEMS:
        own = frame[frame["system"] == system]
        streams = [own[name].tolist() for name in REFERENCES]
        for name, metric in (("chrf", CHRF(lowercase=lowercase)), ("ter", TER(case_sensitive=not lowercase))):
            assert systems[name][system] == pytest.approx(metric.corpus_score(of(frame, system), streams).score)
            for text, *references in zip(own["text"], *streams, strict=True):
                found = texts.loc[(texts["system"] == system), name].iloc[own["text"].tolist().index(text)]
                assert found == pytest.approx(metric.sentence_score(text, references).score)


@pytest.mark.parametrize(("kind", "column"), [("ar", "p_randomisation"), ("bs", "p_bootstrap")])
def test_p_of_differences_is_that_of_sacrebleu(kind, column, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    frame = outputs()
    streams = [frame.loc[frame["system"] == "plain", name].tolist() for name in REFERENCES]
    metrics = {"BLEU": BLEU(lowercase=True), "chrF": CHRF(lowercase=True), "TER": TER(case_sensitive=False)}
    named: list[tuple[str, Sequence[str]]] = [(system, of(frame, system)) for system in SYSTEMS]
    _, expected = PairedTest(named, metrics, streams, test_type=kind, n_samples=300)()
    found = reports(frame).table("differences").frame().set_index("metric")
    for name, key in (("bleu", "BLEU"), ("chrf", "chrF2"), ("ter", "TER")):
        # sacrebleu adds single precision numbers, and counts no exchange that equals the data.
        assert found[column][name] == pytest.approx(expected[key][1].p_value, abs=2.5 / 301), name
        assert found["score_b"][name] == pytest.approx(expected[key][1].score)
    assert found[column]["sari"] <= 1


def test_a_system_that_copies_the_other_is_never_different():
    frame = outputs(items=20)
    same = frame.assign(text=np.repeat(of(frame, "plain"), 2))
    for line in reports(same, resamples=100, trials=100).table("differences").lines():
        assert (line["diff"], line["p_randomisation"]) == (0, 1)


def test_three_items_cannot_show_a_difference_however_large():
    """Three items can be exchanged in eight ways, two of which are as extreme as the data: p is about 1/4."""
    frame = outputs(items=3, spoilt=1.0)
    for line in reports(frame).table("differences").lines():
        assert line["p_randomisation"] > 0.15


def test_pairs_are_compared_over_the_items_that_both_have_and_adjusted_by_holm():
    frame = outputs(items=20)
    third = frame[frame["system"] == "worse"].assign(system="third").iloc[:15]
    report = reports(pd.concat([frame, third]), resamples=50, trials=50, further="none")
    lines = report.table("differences").lines()
    assert {(line["a"], line["b"]): line["n"] for line in lines if line["metric"] == "sari"} == {
        ("plain", "worse"): 20, ("plain", "third"): 15, ("third", "worse"): 15,
    }  # fmt: skip
    for name in ("bleu", "sari"):
        mine = [line for line in lines if line["metric"] == name]
        assert all(line["p_holm"] >= line["p_randomisation"] for line in mine)
    assert {line["metric"] for line in lines} == {"bleu", "sari"}


def test_numbers_of_drawings_that_cannot_be_are_refused():
    with pytest.raises(BadInput, match="trials must be from 0"):
        run(METHOD, outputs(items=3), {"references": ",".join(REFERENCES), "trials": "-1"})
