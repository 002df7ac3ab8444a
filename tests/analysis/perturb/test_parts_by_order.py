"""The table `ngrams` of `perturb` against that of `overlap` and against the curves; FKGL by the rules of a program."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.methods.overlap.method import overlap
from analysis.methods.perturb.method import METHOD, example, perturb
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

PARTS = ["bleu_precision", "add_f1", "keep_f1", "delete_f1", "delete_precision"]


def ngrams(frame: pd.DataFrame) -> pd.DataFrame:
    references = example()[1]["references"]
    return overlap(frame, references=references, resamples=0).table("ngrams").frame().set_index(["system", "order"])


def of_edit(edit: str) -> pd.DataFrame:
    frame, parameters = example()
    report = perturb(frame, **{**parameters, "repetitions": 3, "shares": "50,100"})
    return report.table("ngrams").frame().query("edit == @edit").set_index(["system", "order"])


def test_untouched_texts_have_the_parts_of_overlap() -> None:
    frame, _ = example()
    found = of_edit("none")
    assert len(found) == 12
    pd.testing.assert_frame_equal(found[PARTS], ngrams(frame)[PARTS])


def test_an_edit_without_chance_has_the_parts_of_the_texts_that_it_makes() -> None:
    frame, parameters = example()
    versions = perturb(frame, **parameters).table("texts").frame().query("edit == 'replace-longest'")
    spoilt = versions[["item", "system", "text"]].merge(frame.drop(columns="text"), on=["item", "system"])
    pd.testing.assert_frame_equal(of_edit("replace-longest")[PARTS], ngrams(spoilt)[PARTS])


def test_parts_of_edits_by_chance_are_means_over_repetitions_as_in_the_curves() -> None:
    frame, parameters = example()
    report = perturb(frame, **{**parameters, "repetitions": 3, "shares": "50,100"})
    curves = report.table("curves").frame().query("share == 100").set_index(["system", "edit"]).to_dict("index")
    spoilt = report.table("ngrams").frame().query("edit != 'none'")
    for key, of_orders in spoilt.groupby(["system", "edit"]):
        line = curves[key]
        assert of_orders["bleu_precision"].tolist() == pytest.approx([line[f"precision_{n}"] for n in range(1, 5)])
        for part in PARTS[1:]:
            assert of_orders[part].mean() == pytest.approx(line[part])


def test_without_references_there_are_no_parts() -> None:
    report = run(METHOD, pd.DataFrame({"text": ["It rained all day.", "It stopped."]}), {"repetitions": 1})
    assert report.table("ngrams").rows == ()


def test_the_program_of_the_article_sees_a_line_end_after_every_text() -> None:
    """By hand: `It`, `came`, the line end; and `It`, `went`, `away`, the line end: 7 words in 2 sentences."""
    data = pd.DataFrame({"text": ["It came.", "It went away."]})
    for counting, words in (("readability", 3.5), ("readability-floor", 3.5), ("rules", 2.5)):
        report = run(METHOD, data, {"counting": counting, "repetitions": 1, "tokens": "running"})
        untouched = report.table("curves").frame().query("share == 0").iloc[0]
        assert untouched["words_per_sentence"] == words
    exact, floored = (
        run(METHOD, data, {"counting": counting, "repetitions": 1}).table("curves").frame()["fkgl"].iloc[0]
        for counting in ("readability", "readability-floor")
    )
    assert exact - floored == pytest.approx(0.39 * 0.5)
