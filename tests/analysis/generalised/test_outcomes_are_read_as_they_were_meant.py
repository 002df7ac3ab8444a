"""What counts as success, what as a category and what as no answer, however it was written down."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.outcomes.answers import binary, ordered
from analysis.methods.report import BadInput


def frame(*cells, **more):
    return pd.DataFrame({"r": list(cells), **more})


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("1", "0", "1"), [1, 0, 1]),
        (("1.0", "0", "1"), [1, 0, 1]),
        (("TRUE", "False", "true"), [1, 0, 1]),
        (("Yes", "NO", "yes"), [1, 0, 1]),
        (("maybe", "yes", "maybe"), [0, 1, 0]),
        (("correct", "wrong", "correct"), [0, 1, 0]),
        (("1", "2", "10", "1", "2", "10"), None),
        (("2", "10", "2"), [0, 1, 0]),
    ],
)
def test_what_counts_as_success_without_being_named(cells, expected):
    if expected is None:
        with pytest.raises(BadInput, match="holds 3 values"):
            binary(frame(*cells), "r")
    else:
        assert binary(frame(*cells), "r").values.tolist() == expected


def test_which_of_two_words_counts_is_a_warning_that_says_how_to_turn_it_round():
    (note,) = binary(frame("correct", "wrong"), "r").warnings
    assert "'wrong' counts as success and 'correct' does not" in note
    assert note.endswith("positive=correct.")
    assert binary(frame("1", "0"), "r").warnings == ()
    assert binary(frame("correct", "wrong"), "r", positive="correct").warnings == ()


def test_with_more_than_two_values_the_others_are_named_as_failures():
    made = binary(frame("a", "b", "c", "b"), "r", positive="B")
    assert made.values.tolist() == [0, 1, 0, 1]
    assert made.levels == ("not b", "b")
    assert "'b' counts as success and every other value (a and c) does not" in made.notes[0]


def test_empty_cells_and_na_are_no_failures():
    made = binary(frame("1", "", "NA", "0", None, "n/a"), "r")
    assert np.isnan(made.values).tolist() == [False, True, True, False, True, True]
    with pytest.raises(BadInput, match="is empty in every row"):
        binary(frame("", "NA"), "r")
    made = ordered(frame("1", "NA", "2", ""), "r")
    assert np.isnan(made.values).tolist() == [False, True, False, True]
    assert made.levels == ("1", "2")


@pytest.mark.parametrize(
    ("counts", "of"),
    [(["1.5", "2"], ["4", "4"]), (["-1", "2"], ["4", "4"]), (["5", "2"], ["4", "4"]), (["1"], ["1.5"])],
)
def test_counts_that_cannot_be_are_refused(counts, of):
    with pytest.raises(BadInput, match="must count successes out of 'of'"):
        binary(frame(*counts, of=of), "r", trials="of")


def test_rows_without_trials_have_no_part():
    made = binary(frame("1", "0", "2", "1", "0", of=["4", "0", "", "1", "0"]), "r", trials="of")
    assert np.isnan(made.values).tolist() == [False, True, True, False, True]
    assert made.trials.tolist()[0] == 4
    assert made.notes == ("2 rows with 0 in 'of' had no part in the model.",)


def test_one_number_written_in_two_ways_is_one_category():
    made = ordered(frame("1", "2.0", "3", "1.0", "2", "03"), "r")
    assert made.values.tolist() == [0, 1, 2, 0, 1, 2]
    assert made.levels == ("1", "2", "03")
    assert made.warnings == ()
    turned = ordered(frame("1.0", "2", "3"), "r", order=["3", "2.0", "1"])
    assert turned.values.tolist() == [2, 1, 0]


def test_an_order_puts_categories_in_their_places_and_names_unused_ones():
    made = ordered(frame("often", "never", "often"), "r", order=["never", "rarely", "often", "always"])
    assert made.values.tolist() == [1, 0, 1]
    assert made.levels == ("never", "often")
    assert "Nobody chose rarely and always of 'r'" in made.warnings[0]
    with pytest.raises(BadInput, match="often of 'r' is not in it"):
        ordered(frame("often", "never"), "r", order=["never"])


def test_a_categorical_column_has_its_own_order_unless_another_is_given():
    column = pd.Categorical(["b", "a", "c"], categories=["c", "b", "a", "z"])
    made = ordered(pd.DataFrame({"r": column}), "r")
    assert made.levels == ("c", "b", "a")
    assert made.warnings == ()
    assert ordered(pd.DataFrame({"r": column}), "r", order=["a", "b", "c"]).levels == ("a", "b", "c")


def test_words_and_what_is_no_finite_number_are_in_alphabetical_order_with_a_warning():
    assert "alphabetical order" in ordered(frame("low", "high"), "r").warnings[0]
    assert "alphabetical order" in ordered(frame("1", "2", "inf"), "r").warnings[0]
    assert "alphabetical order (1, 2, often)" in ordered(frame("often", "2", "1"), "r").warnings[0]


@pytest.mark.parametrize(
    ("cells", "unused"),
    [
        (("1", "3", "4"), "Nobody chose 2 of"),
        (("1", "2", "3", "5"), "Nobody chose 4 of"),
        (("0.5", "1.5", "3"), None),
        (("1", "2.5", "4"), None),
        (("1", "2", "100"), None),
        (("-2", "0"), "Nobody chose -1 of"),
    ],
)
def test_whole_numbers_between_categories_that_nobody_chose_are_named(cells, unused):
    warnings = ordered(frame(*cells), "r").warnings
    assert (warnings == ()) if unused is None else (unused in warnings[0])


def test_thirty_categories_are_analysed_and_more_are_numbers():
    assert len(ordered(frame(*map(str, range(30))), "r").levels) == 30
    with pytest.raises(BadInput, match="31 different values"):
        ordered(frame(*map(str, range(31))), "r")


def test_one_category_and_none_are_refused_each_in_its_own_words():
    with pytest.raises(BadInput, match=r"holds one value only \('3'\)"):
        ordered(frame("3", "3.0"), "r")
    with pytest.raises(BadInput, match="is empty"):
        ordered(frame("", ""), "r")
