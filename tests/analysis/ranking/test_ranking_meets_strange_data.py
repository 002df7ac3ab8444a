"""What `ranking` says where the data do not allow it, or allow less than usual."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.declarations import TextFile
from analysis.methods.ranking.example import example
from analysis.methods.ranking.method import METHOD
from analysis.methods.report import BadInput, Report
from tests.analysis.text.bigrams import BIGRAMS

pytestmark = pytest.mark.slow


def run(frame: pd.DataFrame | None = None, **given: Any) -> Report:
    usual, parameters = example()
    return registry.run(METHOD, usual if frame is None else frame, parameters | {"bootstrap": 50} | given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"classes": "grid"}, "There is no class 'grid'"),
        ({"folds": 1}, "folds must be 2 at least"),
        ({"c": 0}, "c must lie between"),
        ({"bootstrap": 3}, "bootstrap must lie between"),
        ({"text": "score"}, "choose different columns"),
        ({"where": "item=I1"}, "takes 4 at least"),
        ({"model": TextFile("toy.arpa", "nothing")}, "toy.arpa is no language model"),
        ({"conllu": TextFile("a.conllu", "nothing"), "parser": "conllu"}, "names no text"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(**given)


def test_ratings_that_never_differ_cannot_be_ranked() -> None:
    frame, _ = example()
    with pytest.raises(BadInput, match="different ratings of 'score' for 0 inputs"):
        run(frame.assign(score=3))


def test_overlap_with_sources_needs_sources() -> None:
    frame, _ = example()
    with pytest.raises(BadInput, match="source_overlap needs the sources"):
        run(frame.drop(columns="source"), classes="source_overlap")
    report = run(frame.drop(columns="source"))
    assert "source_overlap" not in set(report.table("accuracy").frame()["features"])
    assert not any(column.name.startswith("source_") for column in report.table("features").columns)


def test_one_class_has_no_ablation_and_no_meta_ranker() -> None:
    report = run(classes="redundancy")
    assert [table.name for table in report.tables] == ["accuracy", "weights", "features"]
    assert set(report.table("accuracy").frame()["features"]) == {"redundancy", "length"}
    assert "redundancy put" in report.sentences[0]


def test_ratings_of_one_text_are_averaged_and_ties_counted() -> None:
    report = run()
    texts = report.table("features").frame()
    assert len(texts) == 32
    assert set(texts["n"]) == {2}
    means = example()[0].groupby(["item", "system"])["score"].mean()
    assert texts.set_index(["item", "system"])["score"].to_dict() == pytest.approx(means.to_dict())
    line = report.table("accuracy").frame().iloc[0]
    assert line["pairs"] + line["tied"] == 8 * 6


def test_several_ratings_are_each_as_if_alone() -> None:
    frame, _ = example()
    both = run(frame.assign(length=frame["text"].str.len()), score="score,length").table("accuracy").frame()
    alone = run().table("accuracy").frame()
    pd.testing.assert_frame_equal(both[both["score"] == "score"].reset_index(drop=True), alone)
    assert (
        both[(both["score"] == "length") & (both["features"] == "length") & (both["level"] == "input")][
            "accuracy"
        ].item()
        > 0.9
    )


def test_length_that_explains_everything_is_warned_of() -> None:
    frame, _ = example()
    report = run(frame.assign(score=frame["text"].map(lambda text: len(text.split()))))
    assert any("number of words alone is as good" in warning for warning in report.warnings)


def test_another_seed_deals_other_folds_and_the_same_seed_the_same() -> None:
    assert run(seed=1).as_dict() == run(seed=1).as_dict()
    assert run(seed=1).table("accuracy") != run(seed=2).table("accuracy")


def test_the_order_of_rows_does_not_matter() -> None:
    frame, _ = example()
    shuffled = frame.sample(frac=1, random_state=3)
    assert run(shuffled).table("accuracy") == run().table("accuracy")


def test_a_language_model_from_a_file_is_named_with_its_hash() -> None:
    report = run(model=TextFile("toy.arpa", BIGRAMS))
    assert any("toy.arpa (SHA-256" in note for note in report.notes)


def test_parses_from_a_file_give_grids_with_roles() -> None:
    row = "1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tran\trun\tVERB\t_\t_\t0\troot\t_\t_\n"
    parses = "".join(f"# newdoc id = I{i}:{s}\n{row}\n{row}\n" for i in range(1, 9) for s in "ABCD")
    report = run(conllu=TextFile("parses.conllu", parses), parser="auto")
    names = [column.name for column in report.table("features").columns]
    assert "grid_s_s" in names
    assert "fluency_depth" in names
    assert set(report.table("features").frame()["grid_s_s"]) == {1.0}


def test_systems_without_a_text_for_some_inputs_are_said() -> None:
    frame, _ = example()
    report = run(frame[~((frame["system"] == "A") & (frame["item"] == "I1"))])
    assert any("1 of 32 combinations of input and system have no text" in warning for warning in report.warnings)


def test_texts_of_a_study_rank_by_condition() -> None:
    """The columns of trials.csv: conditions are systems, practice and fillers stay out."""
    frame, _ = example()
    trials = frame.rename(columns={"system": "condition", "score": "rating"}).assign(phase="main", is_filler="false")
    filler = trials.iloc[[0]].assign(item="F1", condition="", is_filler="true")
    report = run(pd.concat([trials, filler], ignore_index=True), score="rating", system="condition")
    assert any("1 filler" in note for note in report.notes)
    pd.testing.assert_frame_equal(
        report.table("accuracy").frame().drop(columns="score"), run().table("accuracy").frame().drop(columns="score")
    )


def test_texts_without_a_source_are_counted() -> None:
    frame, _ = example()
    report = run(frame.assign(source=frame["source"].where(frame["item"] != "I1", "")))
    assert any("4 texts without a source" in warning for warning in report.warnings)


def test_the_heaviest_features_come_first() -> None:
    weights = run().table("weights").frame()["weight"].abs()
    assert weights.tolist() == pytest.approx(sorted(weights, reverse=True), abs=1e-8)


def test_of_classes_that_were_not_asked_for_nothing_is_said() -> None:
    """Texts of one sentence have no continuity; whoever ranks by fluency alone need not know."""
    frame, _ = example()
    short = frame.assign(text=[text.partition(".")[0] + "." for text in frame["text"]])
    alone, both = run(short, classes="sentence_fluency"), run(short, classes="sentence_fluency,continuity")
    assert not any("took no part" in warning for warning in alone.warnings)
    assert not any("meta ranker" in note or "Language models" in note for note in alone.notes)
    assert any("continuity_cosine_min" in warning for warning in both.warnings)
    assert any("meta ranker" in note for note in both.notes)
    assert any("word weights" in note for note in both.notes)
