"""The method `text-profile`: what it counts, what it compares, what it says where it cannot."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.report import BadInput, Report
from analysis.methods.texts.example import example
from analysis.methods.texts.method import METHOD
from tests.analysis.text.shared_texts import FILES, SYSTEMS, needs_shared_texts, oracle, texts

pytestmark = pytest.mark.slow


def run(frame: pd.DataFrame, **given: object) -> Report:
    return registry.run(METHOD, frame, given)


def lines(report: Report, table: str) -> list[dict[Hashable, Any]]:
    return report.table(table).frame().to_dict("records")


@needs_shared_texts
def test_the_profile_of_published_outputs_has_the_published_counts():
    """Oracle: `../shared/oracles/oracle_turkcorpus_posthoc.json`, by the rules that were used there."""
    frame = pd.concat(
        [
            pd.DataFrame({"item": [str(n) for n in range(359)], "system": system, "text": texts(file)})
            for system, file in FILES.items()
        ],
        ignore_index=True,
    )
    report = run(frame, condition="system", counter="english-rules")
    published = oracle("oracle_turkcorpus_posthoc.json")
    found = {line["level"]: line for line in lines(report, "profile") if line["factor"] == "system"}
    assert set(found) == set(FILES)
    for system, line in found.items():
        expected = published[system]
        for ours, theirs in (
            ("n", "n"),
            ("words", "words"),
            ("sentences", "sentences"),
            ("syllables", "syllables"),
            ("words_per_sentence", "avg_len"),
            ("syllables_per_word", "avg_syl"),
            ("fkgl", "fkgl"),
            ("split_pct", "split_pct"),
        ):
            assert line[ours] == pytest.approx(expected[theirs], rel=1e-12), (system, ours)
    assert any("tokenised already" in note for note in report.notes)


@needs_shared_texts
def test_the_table_of_implementations_has_the_published_grades():
    """Oracle: `../shared/oracles/oracle_fkgl_by_implementation.json`."""
    grades = {
        line["implementation"]: line["fkgl"]
        for line in lines(run(pd.DataFrame({"text": texts(FILES["Original"])})), "implementations")
    }
    published = oracle("oracle_fkgl_by_implementation.json")["orig"]
    for ours, theirs in (
        ("rules, words only", "rules, words only"),
        ("hyphenation, words only", "pyphen, words only"),
        ("rules, punctuation counted as words", "rules, punctuation counted as words"),
        ("readability (Mautner), Python 2", "mmautner tokens, py2 floor, the=0"),
        ("readability (Mautner)", "mmautner tokens, exact, the=0"),
    ):
        assert grades[ours] == pytest.approx(published[theirs], rel=1e-13)


def test_every_text_has_its_counts_and_the_grade_stands_beside_them():
    frame = pd.DataFrame({"text": ["The rain came. It stopped.", "Dogs bark"]})
    first, second = lines(run(frame), "texts")
    assert (first["words"], first["sentences"], first["syllables"], first["split"]) == (5, 2, 5, True)
    assert first["fkgl"] == pytest.approx(0.39 * 2.5 + 11.8 * 1.0 - 15.59)
    assert (second["sentences"], second["split"], second["characters"]) == (1, False, 9)


def test_a_text_is_split_where_it_has_more_sentences_than_its_source():
    frame = pd.DataFrame(
        {"text": ["One came. Two went.", "It rained. It stopped."], "original": ["One came. Two went.", "It rained."]}
    )
    assert [line["split"] for line in lines(run(frame, source="original"), "texts")] == [False, True]
    assert lines(run(frame, source="original"), "profile")[0]["split_pct"] == 50


def test_shown_many_times_a_text_is_measured_once():
    frame, _ = example()
    trials = pd.concat([frame.assign(participant=name) for name in ("P1", "P2", "P3")], ignore_index=True)
    report = run(trials)
    assert lines(report, "texts") == lines(run(frame), "texts")
    assert any("24 rows show 8 different texts" in note for note in report.notes)


def latin_square() -> pd.DataFrame:
    frame, _ = example()
    odd = frame["item"].isin(["I1", "I3"])
    noun = frame["condition"] == "noun"
    return frame.assign(list=["1" if a == b else "2" for a, b in zip(odd, noun, strict=True)])


def test_conditions_are_compared_within_items_and_within_lists_between_items():
    report = run(latin_square())
    overall = [line for line in lines(report, "matching") if line["factor"] == "condition"]
    assert {line["design"] for line in overall} == {"within items"}
    assert {(line["n_a"], line["n_b"]) for line in overall} == {(4, 4)}
    within = lines(report, "matching_within_lists")
    assert {line["list"] for line in within} == {"1", "2"}
    assert {(line["design"], line["n_a"], line["n_b"]) for line in within} == {("between items", 2, 2)}
    assert {line["design"] for line in lines(report, "matching") if line["factor"] == "list"} == {"within items"}


def unmatched() -> pd.DataFrame:
    long = "The very {} dog that barked all night long lay down at last"
    rows = [
        {"item": f"I{n}", "marker": marker, "text": text}
        for n in range(12)
        for marker, text in (("long", long.format("very " * n)), ("short", "The dog lay down."))
    ]
    return pd.DataFrame(rows)


def test_what_differs_is_told_with_the_items_that_make_it():
    report = run(unmatched(), condition="marker")
    line = next(line for line in lines(report, "matching") if line["measure"] == "words")
    assert line["verdict"] == "different"
    worst = [line for line in lines(report, "worst") if line["measure"] == "words"]
    assert [line["rank"] for line in worst] == [1, 2, 3, 4, 5]
    assert worst[0]["item"] == "I11"
    assert worst[0]["away"] == pytest.approx((worst[0]["value_a"] - worst[0]["value_b"]) / line["sd"])
    assert any(sentence.startswith("long and short (marker) are not matched in words") for sentence in report.warnings)
    assert any("(most in I11, I10 and I9)" in sentence for sentence in report.warnings)


def test_an_absolute_difference_counts_whichever_level_comes_first():
    frame = unmatched()
    turned = frame.assign(marker=frame["marker"].map({"long": "b", "short": "a"}))
    straight = frame.assign(marker=frame["marker"].map({"long": "a", "short": "b"}))
    first, second = (
        [line["item"] for line in lines(run(data, condition="marker"), "worst") if line["measure"] == "words"]
        for data in (turned, straight)
    )
    assert first == second


def test_german_texts_have_german_frequencies_and_a_warning_about_the_grade():
    frame = pd.DataFrame({"text": ["Am 3. Mai regnete es. Der Hund schlief.", "Die Katze lief davon."]})
    report = run(frame, language="de")
    first, second = lines(report, "texts")
    assert (first["sentences"], second["sentences"]) == (2, 1)
    assert first["zipf"] > 4
    assert any("fitted to English" in warning for warning in report.warnings)
    assert any("hyphenation:de_DE" in note for note in report.notes)
    assert {line["implementation"] for line in lines(report, "implementations")} == {
        "this report",
        "hyphenation, words only",
        "vowel groups, words only",
    }


def test_a_language_without_a_list_or_a_dictionary_is_told():
    report = run(pd.DataFrame({"text": ["Salve munde.", "Gaudeamus igitur."]}), language="la")
    assert [line["zipf"] for line in lines(report, "texts")] == [None, None]
    assert any("no list of word frequencies for the language la" in warning for warning in report.warnings)
    assert any("vowel-groups" in note for note in report.notes)
    with pytest.raises(BadInput, match="no dictionary for hyphenation in the language 'la'"):
        run(pd.DataFrame({"text": ["Salve."]}), language="la", counter="hyphenation")
    with pytest.raises(BadInput, match="no code of a language"):
        run(pd.DataFrame({"text": ["Salve."]}), language="12")


def test_a_language_without_blanks_is_told():
    report = run(pd.DataFrame({"text": ["这是一个句子。", "那也是。"]}), language="zh")
    assert any("without blanks between words" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"text": "item"}, "holds the texts and cannot be"),
        ({"bound": "0"}, "bound must be a number"),
        ({"confidence": "0.3"}, "confidence must lie"),
        ({"farthest": "-1"}, "farthest is the number"),
        ({"condition": "text"}, "holds the texts and cannot be"),
    ],
)
def test_what_cannot_be_meant_is_refused(given, sentence):
    frame, _ = example()
    with pytest.raises(BadInput, match=sentence):
        run(frame, **given)


def test_a_factor_called_like_a_measure_is_refused():
    frame, _ = example()
    with pytest.raises(BadInput, match="called like a measure"):
        run(frame.assign(words="few"), condition="words")


def test_texts_without_words_and_cells_without_texts_are_counted():
    report = run(pd.DataFrame({"text": ["A text.", "...", "", "Another text here."]}))
    assert any("1 row has no text" in note for note in report.notes)
    assert any("1 text has no word" in warning for warning in report.warnings)
    assert report.table("texts").rows[1][7] is None


def test_a_factor_with_a_level_for_every_text_is_not_compared():
    frame = pd.DataFrame({"text": [f"Text number {n}." for n in range(40)], "condition": [f"c{n}" for n in range(40)]})
    report = run(frame)
    assert lines(report, "matching") == []
    assert any("40 levels, more than 24" in warning for warning in report.warnings)


def test_practice_texts_of_exported_materials_are_left_out():
    frame, _ = example()
    marked = frame.assign(is_practice=["true", *["false"] * 7])
    report = run(marked)
    assert lines(report, "profile")[0]["n"] == 7
    assert any("1 row outside the main phase" in note for note in report.notes)


def test_fillers_and_practice_texts_are_left_out_and_counted():
    frame, _ = example()
    marked = pd.concat(
        [
            frame.assign(is_filler="false", phase="main"),
            pd.DataFrame(
                {"item": ["F"], "condition": [""], "text": ["A filler."], "is_filler": "true", "phase": "main"}
            ),
        ],
        ignore_index=True,
    )
    assert lines(run(marked), "profile")[0]["n"] == 8
    assert lines(run(marked, keep="fillers"), "profile")[0]["n"] == 9


def test_line_ends_of_another_system_make_no_difference():
    text = "A heading\n\nIt rained, and\nit stopped. "
    unix, windows = (lines(run(pd.DataFrame({"text": [t]})), "texts")[0] for t in (text, text.replace("\n", "\r\n")))
    assert {name: value for name, value in unix.items() if name != "text"} == {
        name: value for name, value in windows.items() if name != "text"
    }
    assert (unix["sentences"], unix["words"], unix["characters"]) == (2, 7, 37)


@pytest.mark.parametrize("name", ["english", "12", "e"])
def test_what_is_no_code_of_a_language_is_refused(name):
    with pytest.raises(BadInput, match=f"'{name}' is no code of a language"):
        run(pd.DataFrame({"text": ["It rained."]}), language=name)


def test_a_code_of_three_letters_is_asked_for_in_two():
    report = run(pd.DataFrame({"text": ["It rained."]}), language="eng")
    assert any("Codes have two letters, such as en" in warning for warning in report.warnings)


def test_ways_of_counting_that_agree_are_not_told_apart():
    report = run(pd.DataFrame({"text": ["これは文です。"]}), language="ja")
    assert any(
        sentence.endswith("ways, the same texts always have 1.00 syllables per word.") for sentence in report.sentences
    )


@pytest.mark.parametrize("purpose", ["conditions", "systems"])
def test_a_grade_that_was_fitted_to_english_is_no_headline_of_other_texts(purpose):
    frame = pd.DataFrame({"text": ["Der Kessel kochte über.", "Das Haus war alt und leer."], "order": ["a", "b"]})
    german, english = (run(frame, language=code, condition="order", purpose=purpose) for code in ("de", "en"))
    assert not [said for said in german.sentences if "FKGL" in said]
    assert any("syllables per word" in said for said in german.sentences)
    assert any("FKGL" in said for said in english.sentences)
    drawn = {figure.name: figure for figure in german.figures}
    if purpose == "conditions":
        assert drawn["implementations"].encoding["y"] == "syllables_per_word"


def of_lengths(**lengths: dict[str, int]) -> pd.DataFrame:
    """Return texts of so many words, by condition and item."""
    rows = [(item, name, " ".join(["rain"] * n)) for name, items in lengths.items() for item, n in items.items()]
    return pd.DataFrame(rows, columns=["item", "condition", "text"])


def test_two_items_in_both_conditions_are_enough_to_compare_within_items():
    """Differences −1 and −3: mean −2, standard error 1, t = −2 with one degree of freedom."""
    report = run(of_lengths(a={"I1": 3, "I2": 5, "I3": 9}, b={"I1": 4, "I2": 8}))
    (line,) = (line for line in lines(report, "matching") if line["measure"] == "words")
    assert (line["design"], line["n_a"], line["diff"], line["df"]) == ("within items", 2, -2, 1)
    assert line["t"] == pytest.approx(-2)


def test_between_items_those_farthest_from_the_other_mean_are_named_first():
    """Means 4 and 12, variances 1 and 4: B3 is 10 words from the mean of a, A1 nine from that of b."""
    report = run(of_lengths(a={"A1": 3, "A2": 4, "A3": 5}, b={"B1": 10, "B2": 12, "B3": 14}))
    (line,) = (line for line in lines(report, "matching") if line["measure"] == "words")
    assert (line["design"], line["verdict"], line["diff"]) == ("between items", "different", -8)
    sd = ((1 + 4) / 2) ** 0.5
    assert line["sd"] == pytest.approx(sd)
    worst = [row for row in lines(report, "worst") if row["measure"] == "words"]
    assert [row["item"] for row in worst[:2]] == ["B3", "A1"]
    assert [row["away"] for row in worst[:2]] == pytest.approx([(4 - 14) / sd, (3 - 12) / sd])
    assert len(worst) == 5


@needs_shared_texts
def test_systems_are_described_first_and_nothing_is_said_on_matching():
    """Row 55 (Tanprasert & Kauchak 2021). Oracle: `../shared/oracles/oracle_turkcorpus_posthoc.json`."""
    systems = ("Original", *SYSTEMS)
    frame = pd.concat(
        [pd.DataFrame({"item": range(359), "system": name, "text": texts(FILES[name])}) for name in systems],
        ignore_index=True,
    )
    report = run(frame, condition="system", purpose="systems", counter="english-rules")
    assert [table.name for table in report.tables] == ["systems", "implementations", "texts"]
    found = {line["level"]: line for line in lines(report, "systems")}
    published = oracle("oracle_turkcorpus_posthoc.json")
    assert list(found) == [*sorted(systems), "all texts"]
    for name in systems:
        assert found[name]["fkgl"] == pytest.approx(published[name]["fkgl"], rel=1e-12)
        assert found[name]["split_pct"] == pytest.approx(published[name]["split_pct"], rel=1e-12)
    assert len(report.sentences) <= 4
    assert "8 systems: FKGL from" in report.sentences[0]
    said = " ".join((*report.sentences, *report.warnings, *report.notes))
    assert not re.search(r"matched|equivalence|change the texts|covariate", said)


def test_systems_need_a_column_and_many_levels_are_told_of_them():
    frame = pd.DataFrame({"system": list("abcdef") * 3, "text": ["It rained. It stopped.", "Dogs bark."] * 9})
    with pytest.raises(BadInput, match="name it with condition="):
        run(frame, purpose="systems")
    assert any("purpose=systems" in note for note in run(frame, condition="system").notes)
    assert not any("purpose=systems" in note for note in run(unmatched(), condition="marker").notes)
