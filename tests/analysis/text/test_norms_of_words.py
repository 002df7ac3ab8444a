"""A list of one's own gives every text the mean of its listed words, and conditions are compared in it."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.methods.declarations import TextFile
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from analysis.methods.texts.example import example
from analysis.methods.texts.method import METHOD

LIST = "Word\tFreq\tAoA\nThe\t7.0\t1\nrain\t4.5\t3\nrain\t5.5\t5\nwind\tNA\t4\n"


def profiled(text: str, **given: str):
    frame, parameters = example()
    return run(METHOD, frame, {**parameters, "norms": TextFile("norms.tsv", text), **given})


def test_a_text_has_the_mean_of_its_listed_words_and_the_rest_is_counted():
    frame = pd.DataFrame({"text": ["The rain.", "Wind and rain!", "Snow."]})
    report = run(METHOD, frame, {"norms": TextFile("norms.tsv", LIST)})
    rows = report.table("texts").lines()
    assert [row["norm"] for row in rows] == [6.0, 5.0, None]
    assert [row["norm_unlisted"] for row in rows] == [0, 2, 1]
    assert any("column Freq of norms.tsv (SHA-256" in note and "1 word came up" in note for note in report.notes)
    assert any("1 text has no norm of words, as no word is in the list" in text for text in report.warnings)


def test_the_column_can_be_named_and_conditions_are_compared_in_it():
    report = profiled("word;x;AoA\nbecause;a;3\nof;b;2\nthe;c;1\nrain;d;9\nwas;e;2\n", norms_column="AoA")
    lines = [line for line in report.table("matching").lines() if line["measure"] == "norm"]
    assert lines
    assert lines[0]["bound_as"] == "d = 0.2"
    assert profiled("word;x;AoA\nbecause;a;3\n").table("texts").lines()[0]["norm"] == 3


@pytest.mark.parametrize(
    ("text", "column", "sentence"),
    [
        ("word", "", "names of its columns"),
        ("word,freq\nthe,7\n", "aoa", "no column 'aoa'; it has freq"),
        ("word,freq\nthe,many\n", "", "No column of the list has numbers"),
        ("word,freq\nthe,many\n", "freq", "Line 2 has 'many'"),
        ("word,freq\nthe,NA\n", "freq", "No word has a number"),
        ("word,freq\nthe,inf\n", "freq", "is no number"),
    ],
)
def test_what_is_no_list_is_refused_in_a_sentence(text, column, sentence):
    with pytest.raises(BadInput, match=sentence):
        profiled(text, norms_column=column)
