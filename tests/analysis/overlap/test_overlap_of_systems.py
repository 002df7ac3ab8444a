"""Oracle: counted by hand, where nothing else is named."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analysis.methods.overlap.method import METHOD, example, overlap
from analysis.methods.registry import run
from analysis.methods.report import BadInput, Report

pytestmark = pytest.mark.slow


def of(rows: list[dict[str, Any]], **parameters: Any) -> Report:
    return run(METHOD, pd.DataFrame(rows), {"resamples": 20, **parameters})


def row(
    text: str, *, reference: str = "a c", source: str = "a b", system: str = "S", item: str = "1"
) -> dict[str, Any]:
    return {"system": system, "item": item, "text": text, "source": source, "reference": reference}


def test_the_unigrams_of_one_text_are_counted_as_by_hand() -> None:
    """Source a b, output a c, references a c and a b: c is added, as one of two references does; a is kept twice of
    three wanted keeps; b is deleted twice, and one reference wants that."""
    found = of([row("a c", reference="a c|||a b")]).table("ngrams").frame().iloc[0]
    assert (found["add_precision"], found["add_recall"]) == (100, 100)
    assert found["keep_precision"] == 100
    assert found["keep_recall"] == pytest.approx(200 / 3)
    assert found["keep_f1"] == pytest.approx(80)
    assert (found["delete_precision"], found["delete_recall"]) == (50, 100)


def test_a_copy_of_the_source_adds_and_deletes_nothing() -> None:
    found = of([row("a b c d", source="a b c d", reference="a b c e")]).table("systems").frame().iloc[0]
    assert (found["add_f1"], found["delete_f1"], found["delete_precision"]) == (0, 0, 0)
    assert found["keep_f1"] > 0


def test_deletion_by_precision_changes_sari_and_only_sari() -> None:
    frame, parameters = example()
    by_f1 = overlap(frame, **parameters).table("systems").frame()
    by_precision = overlap(frame, **parameters, delete="precision").table("systems").frame()
    expected = by_precision[["add_f1", "keep_f1", "delete_precision"]].mean(axis=1)
    assert by_precision["sari"].tolist() == pytest.approx(expected.tolist())
    assert by_f1["sari"].tolist() == pytest.approx(by_f1[["add_f1", "keep_f1", "delete_f1"]].mean(axis=1).tolist())
    assert by_f1["bleu"].tolist() == by_precision["bleu"].tolist()


def test_variants_hold_both_levels_and_their_means() -> None:
    frame, parameters = example()
    report = overlap(frame, **parameters)
    variants = report.table("variants").frame().set_index(["system", "variant"])["score"]
    systems = report.table("systems").frame().set_index("system")
    texts = report.table("texts").frame().groupby("system")["sari"].mean()
    for system in ("copy", "short", "writer"):
        assert variants[system, "EASSE, delete F1"] == systems["sari"][system]
        assert variants[system, "sacrebleu"] == systems["bleu"][system]
        assert variants[system, "mean of texts, delete F1"] == pytest.approx(texts[system])


def test_references_may_stand_in_columns_or_in_one_cell() -> None:
    frame, parameters = example()
    joined = frame.assign(references=frame["reference_1"] + " || " + frame["reference_2"])
    one = overlap(joined, **{**parameters, "references": ["references"]}, separator="||")
    assert one.table("systems") == overlap(frame, **parameters).table("systems")


def test_columns_with_usual_names_are_taken_as_references() -> None:
    frame, parameters = example()
    named = overlap(frame, **parameters)
    unnamed = overlap(frame.rename(columns={"reference_1": "ref.0", "reference_2": "Ref.1"}), resamples=200)
    assert unnamed.table("systems") == named.table("systems")


def test_items_may_have_different_numbers_of_references() -> None:
    report = of([row("a c", reference="a c|||a b"), row("a", item="2")])
    assert report.table("texts").frame()["references"].tolist() == [2, 1]
    assert not report.table("references").rows
    assert "nrefs:var" in " ".join(report.notes)
    assert any("different numbers of references" in warning for warning in report.warnings)


def test_the_same_text_seen_by_many_participants_counts_once() -> None:
    frame, parameters = example()
    trials = pd.concat([frame.assign(participant=name) for name in ("P1", "P2", "P3")])
    report = overlap(trials, **parameters)
    assert report.table("systems") == overlap(frame, **parameters).table("systems")
    assert any("24 rows repeat a text" in note for note in report.notes)


def test_an_empty_text_is_an_output_without_words() -> None:
    report = of([row(""), row("a c", item="2")])
    texts = report.table("texts").frame()
    assert texts["words"].tolist() == [0, 2]
    assert texts["bleu"].tolist()[0] == 0
    assert any("1 text is empty" in warning for warning in report.warnings)


def test_rows_without_source_or_reference_are_left_out_and_counted() -> None:
    report = of([row("a c"), row("a c", item="2", reference=" "), row("a c", item="3", source="")])
    assert report.table("systems").frame()["n"].tolist() == [1]
    assert "Of 3 rows, 2 were left out: 1 with no reference and 1 with no source." in report.warnings


def test_without_a_source_there_is_bleu_alone() -> None:
    report = of([{"text": "a b", "reference": "a b"}])
    assert report.table("systems").frame()["system"].tolist() == ["all texts"]
    assert report.table("systems").frame()["sari"].tolist() == [None]
    assert any("SARI needs the source" in warning for warning in report.warnings)
    assert "sari" not in {channel for figure in report.figures for channel in figure.encoding.values()}


def test_texts_too_short_for_four_grams_have_no_precision_for_them() -> None:
    report = of([row("a c")])
    found = report.table("systems").frame().iloc[0]
    assert found["bleu"] == 0
    assert pd.isna(found["precision_4"])
    assert any("no 4-gram precision and BLEU is 0" in warning for warning in report.warnings)


def test_line_ends_spaces_and_emoji_are_no_difference() -> None:
    plain = of([row("a 💡 c d e", reference="a 💡 c d f")]).table("systems")
    assert of([row("a 💡\r\nc  d\te ", reference="a\u00a0💡 c\nd f")]).table("systems") == plain


def test_systems_with_other_items_are_not_compared_without_a_word() -> None:
    report = of([row("a c"), row("a c", item="2"), row("a c", system="T")])
    assert any("not measured on the same 2 items (T has 1)" in warning for warning in report.warnings)


def test_two_texts_of_a_system_for_an_item_are_pointed_out() -> None:
    report = of([row("a c"), row("a b")])
    assert report.table("systems").frame()["n"].tolist() == [2]
    assert any("several texts for one item (S has 2 for 1)" in warning for warning in report.warnings)


def test_without_references_the_refusal_says_what_to_name() -> None:
    with pytest.raises(BadInput, match="references=…"):
        of([{"text": "a b", "source": "a b"}])


def test_one_column_cannot_be_text_and_reference() -> None:
    with pytest.raises(BadInput, match="Column text cannot be two things at once"):
        of([row("a")], references="text")


def test_intervals_hold_the_score_and_are_the_same_every_time() -> None:
    frame, parameters = example()
    first, again = (overlap(frame, **parameters).table("systems") for _ in range(2))
    assert first == again
    found = first.frame()
    assert (found["sari_low"] <= found["sari"]).all()
    assert (found["sari"] <= found["sari_high"]).all()


def test_a_change_of_order_between_variants_is_warned_of() -> None:
    """One system deletes all that should go and one word more, the other little but rightly; recall parts them."""
    source, reference = "a b c d e f g h", "a b c d"
    bold = row("a b c", source=source, reference=reference, system="bold")
    shy = row("a b c d e f", source=source, reference=reference, system="shy")
    report = of([bold, shy])
    scores = report.table("variants").frame().query("metric == 'SARI' and level == 'corpus' and rank == 1")
    assert scores.set_index("delete")["system"].to_dict() == {"f1": "bold", "precision": "shy"}
    assert any(warning.startswith("Which system is first in SARI hangs on the variant") for warning in report.warnings)


def test_a_system_that_lacks_items_has_the_interval_of_its_own() -> None:
    texts = ["a c d e f", "a c d e g", "a c d e h", "a c d e i", "a c d e j", "a c d e k"]
    rows = [row(text, reference=text[:-1] + "f", item=str(at), system="all") for at, text in enumerate(texts)]
    rows += [row(texts[at], reference=texts[at], item=str(at), system="two") for at in (0, 1)]
    rows += [row(texts[0], reference=texts[0], item="0", system="one")]
    found = of(rows, resamples=200).table("systems").frame().set_index("system")
    assert (found["bleu_low"]["two"], found["bleu_high"]["two"]) == pytest.approx((100, 100))
    assert pd.isna(found["bleu_low"]["one"])


def test_equal_systems_are_called_equal_and_never_differ() -> None:
    rows = [row("a c", system=system, item=str(at)) for system in "AB" for at in range(4)]
    report = of(rows, resamples=50)
    assert any("BLEU was equal for all systems" in sentence for sentence in report.sentences)
    assert report.table("differences").frame()["p_bootstrap"].tolist() == [1] * 4


def test_accents_of_their_own_are_warned_of() -> None:
    assert any("NFC" in warning for warning in of([row("cafe\u0301 c"), row("b", item="2")]).warnings)
    assert not any("NFC" in warning for warning in of([row("caf\u00e9 c"), row("b", item="2")]).warnings)
