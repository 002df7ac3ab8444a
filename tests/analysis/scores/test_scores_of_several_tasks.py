"""Scores of texts in a study of several tasks: of the same name for each, one beside the other."""

from __future__ import annotations

import csv
import io

import pytest

from analysis.data.tables import table_pieces
from analysis.exports.stored import stored_stimuli
from analysis.scores.stored import ScoresRefused, score_names, store, stored_scores
from experiments.models import Study
from experiments.study.opening import opening_warnings
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import FIRST, put_a_task_before

pytestmark = pytest.mark.django_db


def test_scores_of_one_name_are_kept_for_each_task_and_stand_in_its_rows():
    study = make_study()
    add_participants(study, 2)
    of_the_only_task = dict.fromkeys(stored_stimuli(study), 1.0)
    store(study, {"metric_words": of_the_only_task}, provenance="Counted.", user=None, taken=())
    both = put_a_task_before(study)
    first, second = both.seen_through(FIRST), both.seen_through("task")
    assert (score_names(first), score_names(second)) == ([], ["metric_words"])
    store(first, {"metric_words": dict.fromkeys(stored_stimuli(first), 2.0)}, provenance="Again.", user=None, taken=())
    with pytest.raises(ScoresRefused, match="stored already"):
        store(first, {"metric_words": dict.fromkeys(stored_stimuli(first), 3.0)}, provenance="", user=None, taken=())
    assert [len(stored_scores(seen)) for seen in (first, second)] == [1, 1]
    rows = csv.DictReader(io.StringIO(b"".join(table_pieces(both, "trials")).decode()))
    assert {(row["part"], row["metric_words"]) for row in rows if row["condition"]} == {(FIRST, "2.0"), ("task", "1.0")}


def test_what_to_know_of_the_texts_before_opening_says_of_which_task_it_speaks():
    both = put_a_task_before(make_study())
    both.status = Study.Status.DRAFT
    said = [str(fault) for fault in opening_warnings(both) if "texts of" in fault.message.lower()]
    assert said
    assert all(sentence.startswith(("Part 'task': ", f"Part '{FIRST}': ")) for sentence in said)
