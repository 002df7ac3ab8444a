"""Further divisions into folds, language models from a corpus, and continuity without its components."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from analysis.methods import registry
from analysis.methods.declarations import TextFile
from analysis.methods.ranking.example import example
from analysis.methods.ranking.method import METHOD
from analysis.methods.report import Report
from analysis.text.quality.language_model import NgramCorpus
from analysis.text.quality.segments import sentences

pytestmark = pytest.mark.slow

CORPUS = "\n".join(
    f"{who} walked to the {where}. Then {who} brought a map because it helps."
    for who in ("Ann", "Bob", "Mia")
    for where in ("market", "station", "old bridge", "library")
)


@cache
def plain() -> Report:
    return run()


def run(**given: Any) -> Report:
    frame, parameters = example()
    return registry.run(METHOD, frame, parameters | {"bootstrap": 20} | given)


def test_divisions_start_with_the_one_that_is_reported_and_vary() -> None:
    report = run(classes="redundancy,sentence_fluency", splits=6)
    accuracy = report.table("accuracy").frame().set_index(["features", "level"])["accuracy"]
    lines = report.table("splits").frame()
    assert set(lines["splits"]) == {6}
    assert (lines["lowest"] <= lines["mean"]).all()
    assert (lines["mean"] <= lines["highest"]).all()
    for line in lines.to_dict("records"):
        assert line["lowest"] <= accuracy[line["features"], line["level"]] <= line["highest"]
    assert (lines["sd"] > 0).any()
    assert not any(table.name == "splits" for table in plain().tables)
    assert any("6 such divisions" in note for note in report.notes)


def test_every_division_is_an_analysis_of_its_own() -> None:
    """The spread over divisions is the standard deviation of what they give, the first being the report's own."""
    report = run(classes="redundancy", splits=2)
    line = report.table("splits").frame().query("features == 'redundancy' and level == 'input'").iloc[0]
    own = report.table("accuracy").frame().query("features == 'redundancy' and level == 'input'")["accuracy"].item()
    other = 2 * line["mean"] - own
    assert line["sd"] == pytest.approx(abs(own - other) / np.sqrt(2))
    assert {round(line["lowest"], 12), round(line["highest"], 12)} == {round(own, 12), round(other, 12)}


def test_language_models_are_those_of_the_corpus_alone() -> None:
    texts = run(corpus=TextFile("c.txt", CORPUS)).table("features").frame()
    corpus = [sentences(line) for line in CORPUS.splitlines()]
    asked = sentences(texts["text"][0])
    model = NgramCorpus([asked, *corpus])
    expected = model.features(model.log10(np.arange(len(corpus) + 1) > 0))
    for name, values in expected.items():
        assert texts[name][0] == pytest.approx(values[0]), name


def test_a_corpus_is_named_with_its_hash_and_changes_what_is_learnt_from_it_alone() -> None:
    report = run(corpus=TextFile("c.txt", CORPUS))
    assert any("learnt from the corpus c.txt (SHA-256" in note for note in report.notes)
    before, after = plain().table("features").frame(), report.table("features").frame()
    same = [name for name in before.columns if name.startswith(("coherence_", "continuity_", "fluency_", "grid_"))]
    assert before[same].equals(after[same])
    assert not before.filter(like="lm_").equals(after.filter(like="lm_"))
    assert not before.filter(like="lsa").equals(after.filter(like="lsa"))


def test_continuity_without_a_component_is_a_class_without_these_features() -> None:
    found = plain().table("continuity").frame()
    assert list(found["without"].unique()) == ["cosine", "coreference", "source context"]
    whole = plain().table("accuracy").frame().query("features == 'continuity'").set_index("level")["accuracy"]
    for line in found.to_dict("records"):
        assert line["change"] == pytest.approx(line["accuracy"] - whole[line["level"]])
    frame, parameters = example()
    bare = registry.run(METHOD, frame.drop(columns="source"), parameters | {"bootstrap": 20})
    assert list(bare.table("continuity").frame()["without"].unique()) == ["cosine", "coreference"]


def test_components_matter_where_they_hold_the_quality() -> None:
    """Pairs of sentences that say the same again: without the cosines the class knows less."""
    frame, parameters = example()
    scored = frame.assign(score=[5 if f"{t}".count("walks") == 2 else 1 for t in frame["text"]])
    report = registry.run(METHOD, scored, parameters | {"classes": "continuity", "bootstrap": 20})
    found = report.table("continuity").frame().query("level == 'input'").set_index("without")["change"]
    assert found["cosine"] <= found["coreference"]
