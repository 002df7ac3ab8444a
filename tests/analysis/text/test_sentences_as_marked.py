"""Sentences of our own, marked by hand in `marked_sentences.txt`, are found where a reader sees them.

A line is a text. `‖` marks where a sentence ends before a blank, `¦` where the blank is missing, `⏎` a line end.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.text.boundaries import running_sentences, unclear_stops
from analysis.text.quality.segments import sentences
from analysis.text.tokens import looks_tokenised, spaced_sentences

LINES = (Path(__file__).parent / "marked_sentences.txt").read_text(encoding="utf-8").splitlines()
LINE_ENDS = ("\n", "\r\n", "\r", "\u2028", "\x85")


def text_of(line: str, line_end: str = "\n") -> str:
    return line.replace("‖", "").replace("¦", "").replace("⏎", line_end)


def marked(line: str) -> list[list[str]]:
    """Return the words of every sentence as it is marked; how many blanks are between them tells nothing."""
    return [piece.replace("⏎", " ").split() for piece in line.replace("¦", "‖").split("‖")]


def test_there_are_enough_of_them():
    assert sum(len(marked(line)) for line in LINES) >= 300


@pytest.mark.parametrize("line", LINES)
def test_sentences_end_where_they_are_marked(line):
    assert [sentence.split() for sentence in running_sentences(text_of(line))] == marked(line)


@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_every_kind_of_line_end_is_read_alike(line_end):
    for line in (line for line in LINES if "⏎" in line):
        assert [found.split() for found in running_sentences(text_of(line, line_end))] == marked(line)


def test_the_ranking_of_systems_and_the_profile_part_texts_at_the_same_places():
    for line in LINES:
        assert [found.text.split() for found in sentences(text_of(line))] == marked(line)


def test_an_ellipsis_of_single_dots_is_no_sign_of_a_tokenised_text_and_ends_no_sentence_of_one():
    assert not looks_tokenised(["He stopped . . . and then went on."])
    assert spaced_sentences("he stopped . . . and went on . she slept .") == [
        "he stopped ... and went on .",
        "she slept .",
    ]


def test_where_a_name_follows_an_abbreviation_the_report_says_by_what_rule_the_sentence_goes_on():
    assert unclear_stops("Apple Inc. Shares fell. He left the U.S. In May he came back.") == ["Inc. Shares"]
    report = registry.run(
        registry.method_named("text-profile"), pd.DataFrame({"text": ["Apple Inc. Shares fell.", "It rained."]}), {}
    )
    said = [note for note in report.notes if "Inc. Shares" in note]
    assert len(said) == 1
    assert "goes on" in said[0]
    sure = registry.run(registry.method_named("text-profile"), pd.DataFrame({"text": ["It rained."]}), {})
    assert not any("goes on" in note for note in sure.notes)


def test_a_text_of_dots_and_blanks_takes_no_time():
    """Looking for an ellipsis from every one of its dots took minutes for such a text."""
    assert running_sentences(". " * 100_000) == []
    assert len(running_sentences("a. " * 30_000)) <= 30_000
