"""What coding, scores and the plan tell researchers is made of sentences, so that pages can say it in German."""

from __future__ import annotations

import pytest

from analysis.coding.refusals import CodingRefusal
from analysis.coding.saving import checked_codes, checked_note
from analysis.coding.suggestions import suggest
from analysis.exports.rows.stages import Kind, flow_of, flow_rows
from analysis.studies.materials import names_of
from analysis.studies.score_sources import _read
from experiments.formats.faults import enumerated, spoken
from experiments.paradigms.base import DefaultErrorCode
from experiments.sentences import Sentence

SCHEME = [DefaultErrorCode("0", "accurate", 0.5, True), DefaultErrorCode("3", "B garbled", -0.5, False)]


@pytest.mark.parametrize("wrong", [lambda: checked_codes("3", SCHEME), lambda: checked_codes([], SCHEME)])
def test_a_refused_coding_says_so_in_sentences(wrong):
    with pytest.raises(CodingRefusal) as refused:
        wrong()
    assert isinstance(str(refused.value), Sentence)
    assert str(refused.value).endswith(" Nothing was changed.")


def test_a_refused_note_keeps_its_numbers():
    with pytest.raises(CodingRefusal) as refused:
        checked_note("x" * 5000)
    said = str(refused.value)
    assert isinstance(said, Sentence)
    assert said.values["length"] == 5000


def test_every_reason_of_a_suggestion_is_a_sentence():
    marked = {"clause_a": "rain fell", "clause_b": "the old path flooded", "connective": "because"}
    stimulus = "The old path flooded because rain fell."
    for recall in ("", stimulus, "It was wet because rain fell", "the path flooded"):
        found = suggest(stimulus, recall, scheme=SCHEME, defaults=SCHEME, marked=marked)
        assert all(isinstance(reason, Sentence) for reason in (found.reasons if found else ()))


def test_a_cell_that_is_no_number_is_named_with_what_to_write():
    (said,) = _read("1,5", {}, [1], where=Sentence("Line {line}, {column}", line=2, column="bleu"))
    assert said == "Line 2, bleu: '1,5' is not a number. Write decimals with a point."
    assert isinstance(said, Sentence)
    assert all(isinstance(part, Sentence) for part in said.values.values())


def test_names_in_sentences_are_listed_in_every_language():
    assert isinstance(enumerated(["a", "b"]), Sentence)
    assert enumerated(range(10)) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
    assert (enumerated([]), enumerated(["a"]), spoken([])) == ("", "a", "")
    assert isinstance(names_of("list", "1", "2"), Sentence)


def test_the_flow_is_said_on_pages_and_plain_in_its_file():
    stages = flow_of([Kind("P1", False, False, False, "")])
    assert all(isinstance(stage.label, Sentence) for stage in stages)
    assert {type(row[0]) for row in flow_rows(stages)} == {str}
