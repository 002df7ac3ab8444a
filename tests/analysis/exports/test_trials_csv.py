"""`trials.csv`: the columns that are promised, a row for every stored trial, cells that read back as they were."""

import csv
import io
import math
import statistics
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from analysis.codebook.trials import trial_columns
from analysis.data.analyse_file import read_table
from analysis.data.frames import study_data
from analysis.exports import stream
from analysis.exports.rows.trials import background_cells, normalised_cells
from experiments.models import Item
from participants.models import Response, Session, Trial
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db

PROMISED = """
    study participant session list position phase item_set item condition marker order is_filler text
    rating typed modulus first_key_ms edits refused_attempts line_ratio break_ms rating_z rating_log
    rt_ms onset_ms clock interrupted simulated excluded exclusion_reason started_at study_version
"""
FURTHER = """
     answered plugin attempts focus_losses genre native_language reading_hours onset_error_ms part out_of_view
     draft_restored page_slept_ms
"""


def exported(study, name="trials.csv", variant="plain"):
    return b"".join(stream(study, name, variant=variant))


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


def test_the_promised_columns_come_first_in_the_promised_order():
    study = make_study()
    header = exported(study).decode().split("\r\n")[0].split(",")
    assert header == f"{PROMISED} {FURTHER}".split()


def test_every_stored_trial_is_a_row_answered_or_not():
    study = make_study()
    add_participants(study, 2)
    add_participants(study, 1, first=2, stop_after=6)
    other = make_study("other")
    add_participants(other, 1)
    rows = rows_of(exported(study))
    stored = Trial.objects.filter(session__study=study)
    assert {(int(row["session"]), int(row["position"])) for row in rows} == set(
        stored.values_list("session_id", "position")
    )
    assert len(rows) == stored.count()
    unanswered = [row for row in rows if row["answered"] == "false"]
    assert len(unanswered) == stored.filter(response__isnull=True).count() > 0
    assert {row["rating"] + row["rt_ms"] + row["rating_z"] for row in unanswered} == {""}


def test_a_trial_that_was_begun_and_never_answered_counts_as_interrupted():
    study = make_study()
    add_participants(study, 1, stop_after=6)
    interrupted = [int(row["position"]) for row in rows_of(exported(study)) if row["interrupted"] == "true"]
    assert interrupted == [6]


def test_numbers_keep_every_digit_and_times_are_utc():
    study = make_study()
    (session,) = add_participants(study, 1)
    rows = rows_of(exported(study))
    for response in Response.objects.filter(trial__session=session).select_related("trial"):
        row = rows[response.trial.position]
        assert float(row["rt_ms"]) == response.rt_ms
        assert float(row["onset_ms"]) == response.onset_ms
        if "number" in response.payload:
            assert float(row["rating"]) == response.payload["number"]
            assert row["typed"] == response.payload["typed"]
    assert {row["started_at"] for row in rows} == {"2026-03-01T09:00:00.123Z"}


def test_item_condition_and_factors_are_those_of_the_stimulus_that_was_shown():
    study = make_study()
    (session,) = add_participants(study, 1)
    rows = rows_of(exported(study))
    for trial in Trial.objects.filter(session=session, phase="main").select_related(
        "stimulus__item", "stimulus__condition"
    ):
        row, item, condition = rows[trial.position], trial.stimulus.item, trial.stimulus.condition
        assert (row["item"], row["text"], row["genre"]) == (
            item.code,
            trial.stimulus.text,
            item.attributes.get("genre", ""),
        )
        assert row["is_filler"] == ("true" if item.is_filler else "false")
        if condition is None:
            assert row["condition"] == row["marker"] == ""
        else:
            assert row["condition"] == condition.name == f"{row['marker']}:{row['order']}"


def test_z_and_log_ratings_are_those_of_the_participants_targets():
    study = make_study()
    add_participants(study, 2)
    targets = [row for row in rows_of(exported(study)) if row["rating_z"]]
    assert {row["phase"] for row in targets} == {"main"}
    assert {row["is_filler"] for row in targets} == {"false"}
    for participant in ("P0000", "P0001"):
        own = [row for row in targets if row["participant"] == participant]
        ratings = [float(row["rating"]) for row in own]
        assert len(own) == 8
        for row, rating in zip(own, ratings, strict=True):
            z = (rating - statistics.mean(ratings)) / statistics.stdev(ratings)
            assert float(row["rating_z"]) == pytest.approx(z, rel=1e-12)
            assert float(row["rating_log"]) == pytest.approx(math.log10(rating), rel=1e-15)


def test_a_participant_with_equal_ratings_has_no_z_and_a_zero_no_logarithm():
    study = make_study()
    (session,) = add_participants(study, 1)
    for response in Response.objects.filter(trial__session=session, trial__phase="main"):
        Response.objects.filter(pk=response.pk).update(payload={**response.payload, "number": 0.0, "typed": "0"})
    targets = [row for row in rows_of(exported(study)) if row["phase"] == "main" and row["is_filler"] == "false"]
    assert {row["rating"] for row in targets} == {"0.0"}
    assert {row["rating_z"] + row["rating_log"] for row in targets} == {""}


def test_excluded_and_unfinished_sessions_are_marked_with_the_reason():
    study = make_study()
    first, _second = add_participants(study, 2)
    add_participants(study, 1, first=2, stop_after=6)
    Session.objects.filter(pk=first.pk).update(is_excluded=True, exclusion_reason="typed at random, twice")
    marks = {(row["participant"], row["excluded"], row["exclusion_reason"]) for row in rows_of(exported(study))}
    assert marks == {
        ("P0000", "true", "typed at random, twice"),
        ("P0001", "false", ""),
        ("P0002", "true", "session not finished"),
    }


def test_the_frame_equals_reading_the_file(tmp_path):
    study = make_study()
    add_participants(study, 3)
    add_participants(study, 1, first=3, stop_after=4)
    path = tmp_path / "trials.csv"
    path.write_bytes(exported(study))
    pd.testing.assert_frame_equal(study_data(study).frame, read_table(path))
    assert (study_data(study).frame["text"].str.contains("\n")).any()


def test_a_study_without_data_gives_the_header_alone():
    study = make_study()
    assert rows_of(exported(study)) == []
    assert list(study_data(study).frame.columns) == [column.name for column in trial_columns(study).all]


def test_names_that_are_taken_get_a_prefix_that_says_what_they_are():
    study = make_study()
    study.factors = [{"name": "list", "levels": ["a"]}, {"name": "rating", "levels": ["b"]}]
    study.questions = [{"name": "item", "label": "Item?", "kind": "number"}]
    study.save()
    Item.objects.filter(part__study=study).update(attributes={"text": "x"})
    header = exported(study).decode().split("\r\n")[0].split(",")
    assert len(header) == len(set(header))
    assert {"factor_list", "factor_rating", "attribute_text", "answer_item"} <= set(header)


def test_the_file_is_utf8_without_mark_and_lines_end_as_rfc_4180_says():
    study = make_study()
    add_participants(study, 1)
    content = exported(study)
    assert not content.startswith(b"\xef\xbb\xbf")
    assert "Ångström\nand" in content.decode("utf-8")
    assert content.endswith(b"\r\n")
    assert len(list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))) == 1 + Trial.objects.count()


def test_the_variant_for_excel_guards_text_and_leaves_numbers_alone():
    study = make_study()
    add_participants(study, 1)
    plain, excel = exported(study), exported(study, variant="excel")
    assert excel.startswith(b"\xef\xbb\xbf")
    negative = 0
    for before, after in zip(rows_of(plain), rows_of(excel[3:]), strict=True):
        assert after["text"] == (f"'{before['text']}" if before["text"].startswith("=") else before["text"])
        assert after["rating_z"] == before["rating_z"]
        negative += after["rating_z"].startswith("-")
    assert negative > 0


def derived_of(*ratings):
    trials: list[Any] = [SimpleNamespace(pk=number, phase="main", stimulus=1) for number in range(len(ratings))]
    measured = {number: {"rating": rating} for number, rating in enumerate(ratings)}
    stimuli: dict[int | None, Any] = {1: SimpleNamespace(is_target=True)}
    return normalised_cells(trials, measured, stimuli)


def test_two_different_ratings_have_a_z_and_equal_ones_have_none_to_the_last_digit():
    # Mean 2, sample SD √2.
    assert [z for z, _ in derived_of(1, 3).values()] == pytest.approx([-(0.5**0.5), 0.5**0.5])
    for number in (3, 7, 10):
        assert {z for z, _ in derived_of(*[0.1] * number).values()} == {None}


def test_background_answers_are_those_to_the_background_questions_alone():
    trials: list[Any] = [
        SimpleNamespace(plugin="background-questions", payload={"answers": {"age": 30, "reads": True}}),
        SimpleNamespace(plugin="rating-questions", payload={"answers": {"age": 7}}),
        SimpleNamespace(plugin="background-questions", payload=None),
    ]
    assert background_cells(trials, ["reads", "age", "hand"]) == ("true", 30, None)
