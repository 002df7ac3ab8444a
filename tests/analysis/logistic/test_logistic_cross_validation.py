"""Cross-validation of logistic models: what is learnt inside the folds, and what leaks without groups."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.logistic.design import Standardiser, design
from analysis.methods.logistic.method import METHOD
from analysis.methods.logistic.validation import (
    Procedure,
    chosen_terms,
    cross_validated,
    drop_one,
    folds_of_groups,
    folds_of_rows,
)
from analysis.methods.registry import run

pytestmark = pytest.mark.slow


def of_blocks(frame, **parameters):
    return run(METHOD, frame, {"outcome": "condition", **parameters}).table("blocks").frame()


def texts_and_readers(seed, readers=33, texts=16):
    """Reading times that depend on the text and the reader alone, never on the condition."""
    random = np.random.default_rng(seed)
    words = random.integers(20, 60, (texts, 3))
    rows = []
    for reader in range(readers):
        pace = 250 * np.exp(random.normal(0, 0.2))
        for text in range(texts):
            time = words[text] * pace * np.exp(random.normal(0, 0.1, 3))
            rows.append(
                {
                    "participant": f"P{reader}",
                    "item": f"T{text}",
                    "condition": "filler" if text >= 12 else ("gold", "lin", "sem")[(text + reader) % 3],
                    **{f"time_{place}": value for place, value in enumerate(time)},
                    **{f"ratio_{place}": value for place, value in enumerate(time / time.sum())},
                }
            )
    return pd.DataFrame(rows)


def test_folds_over_trials_let_the_text_leak_and_folds_over_texts_do_not():
    blocks = "time_0,time_1,time_2,ratio_0,ratio_1"
    rows = [of_blocks(texts_and_readers(seed), blocks=blocks, positive="filler").iloc[0] for seed in range(6)]
    by_trial = np.mean([row["cv_trial"] for row in rows])
    by_item = np.mean([row["cv_item"] for row in rows])
    assert by_trial > 0.75
    assert by_item < 0.68
    assert rows[0]["baseline"] == 0.75


def test_the_leak_is_pointed_out():
    report = run(
        METHOD,
        texts_and_readers(3),
        {"outcome": "condition", "blocks": "time_0,time_1,time_2,ratio_0,ratio_1", "positive": "filler"},
    )
    assert any("of those of new items" in warning for warning in report.warnings)


def test_groups_are_never_split_and_every_fold_has_rows():
    random = np.random.default_rng(1)
    group = random.integers(0, 23, 400)
    fold = folds_of_groups(group, 10, random)
    assert all(len(set(fold[group == number])) == 1 for number in range(23))
    assert set(fold) == set(range(10))


def test_fewer_groups_than_folds_are_left_out_one_by_one():
    fold = folds_of_groups(np.repeat([0, 1, 2], 5), 10, np.random.default_rng(1))
    assert sorted(set(fold)) == [0, 1, 2]


def test_folds_of_trials_are_of_one_size_where_the_values_do_not_divide():
    # Five and three over four folds: the second value goes on where the first one stopped.
    outcome = np.array([0.0] * 5 + [1.0] * 3)
    for seed in range(5):
        assert np.bincount(folds_of_rows(outcome, 4, np.random.default_rng(seed))).tolist() == [2, 2, 2, 2]


def test_both_values_are_spread_evenly_over_folds_of_trials():
    outcome = np.array([1.0] * 30 + [0.0] * 100)
    fold = folds_of_rows(outcome, 10, np.random.default_rng(1))
    assert np.bincount(fold).tolist() == [13] * 10
    assert np.bincount(fold[outcome == 1]).tolist() == [3] * 10


def test_accuracy_is_empty_where_the_column_is_absent():
    frame = texts_and_readers(1).drop(columns="item")
    row = of_blocks(frame, blocks="time_0", positive="filler").iloc[0]
    assert row["cv_item"] is None
    assert row["cv_participant"] is not None


def test_the_same_seed_gives_the_same_folds_and_another_one_others():
    frame = texts_and_readers(3)
    blocks = "time_0,time_1,time_2,ratio_0,ratio_1"
    first, again, other = (of_blocks(frame, blocks=blocks, positive="filler", seed=seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    shares = ["cv_trial", "cv_participant", "cv_item"]
    assert first[shares].values.tolist() != other[shares].values.tolist()
    assert first["minus2ll"][0] == other["minus2ll"][0]


def test_standard_scores_of_trained_groups_use_training_rows_only():
    X = np.array([[1.0], [3.0], [100.0], [5.0], [9.0]])
    standardiser = Standardiser(group=np.array([0, 0, 0, 1, 1]), numeric=np.array([True]))
    z = standardiser.apply(X, rows=np.array([True, True, False, False, False]))
    assert z[:3, 0] == pytest.approx([-1 / np.sqrt(2), 1 / np.sqrt(2), 98 / np.sqrt(2)])
    assert z[3:, 0] == pytest.approx([-1 / np.sqrt(2), 1 / np.sqrt(2)])


def test_changing_a_held_out_row_leaves_the_training_rows_alone():
    X = np.random.default_rng(2).normal(size=(20, 2))
    standardiser = Standardiser(group=np.arange(20) % 4, numeric=np.array([True, True]))
    rows = np.arange(20) < 16
    before = standardiser.apply(X, rows=rows)
    X[17] += 1000
    assert (standardiser.apply(X, rows=rows)[rows] == before[rows]).all()


def test_selection_on_noise_does_no_harm_inside_the_folds():
    """Selection outside the folds would classify noise well above chance; inside, it is at chance."""
    shares = []
    for seed in range(6):
        random = np.random.default_rng(seed)
        frame = pd.DataFrame(random.normal(size=(60, 14)), columns=[f"x{place}" for place in range(14)])
        made = design(frame, [list(frame.columns)])
        outcome = random.permutation(np.repeat([0.0, 1.0], 30))
        shares += cross_validated(
            made,
            outcome,
            folds_of_rows(outcome, 10, random),
            standardiser=Standardiser(group=None, numeric=made.numeric),
            procedure=Procedure(eliminate=True),
            report=lambda share: None,
        )
    assert 0.40 < np.mean(shares) < 0.60


def test_elimination_takes_the_term_with_the_largest_p_each_time():
    random = np.random.default_rng(12)
    frame = pd.DataFrame(random.normal(size=(300, 8)), columns=list("abcdefgh"))
    probability = 1 / (1 + np.exp(-frame["b"].to_numpy() - 0.8 * frame["f"].to_numpy()))
    outcome = (random.random(300) < probability).astype(float)
    made = design(frame, [list("abcdefgh")])
    procedure = Procedure(eliminate=True)
    kept = chosen_terms(made, made.X, outcome, procedure)[0]
    slowly = list(range(8))
    while True:
        tests = drop_one(made, made.X, outcome, terms=slowly, procedure=procedure)
        worst = max(tests, key=lambda term: tests[term][2])
        if tests[worst][2] <= 0.05:
            break
        slowly.remove(worst)
    assert list(kept) == slowly
    assert {"b", "f"} <= {made.terms[term].name for term in kept}


def test_of_terms_that_all_separate_the_last_one_leaves_whatever_the_rounding():
    x = np.arange(12.0)
    frame = pd.DataFrame({"right": (x > 5).astype(int), "a": x, "b": x**2, "c": np.sqrt(x), "d": x % 3})
    made = design(frame, [["a", "b", "c"]])
    outcome = frame["right"].to_numpy(dtype=float)
    assert chosen_terms(made, made.X, outcome, Procedure(eliminate=True)) == [(0,)]
    assert [test[0] for test in drop_one(made, made.X, outcome, terms=(0, 1, 2), procedure=Procedure()).values()] == [
        0
    ] * 3


def test_within_participant_standardisation_leaves_out_people_without_variance_and_names_them():
    frame = texts_and_readers(4)
    frame.loc[frame["participant"] == "P7", "time_0"] = 500.0
    given = {"outcome": "condition", "blocks": "time_0", "positive": "filler", "standardise": "participant"}
    report = run(METHOD, frame, given)
    assert report.table("blocks").frame()["n"][0] == 32 * 16
    assert any("P7" in note and "no variance" in note for note in report.notes)


def test_an_interaction_multiplies_standard_scores_and_not_what_was_measured():
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"participant": np.repeat(list("abcdef"), 20), "kind": list("xy") * 60})
    frame["time"] = random.normal(500, 80, size=120) + 300 * (frame["participant"] > "c")
    frame["right"] = (random.random(120) < 0.5).astype(int)
    groups = frame.groupby("participant")["time"]
    frame["score"] = (frame["time"] - groups.transform("mean")) / groups.transform("std")
    measured, scored = (
        run(METHOD, frame, {"outcome": "right", "blocks": f"{name},kind,{name}:kind", "standardise": how})
        for name, how in (("time", "participant"), ("score", "none"))
    )
    for table, names in (("blocks", ["minus2ll", "auc"]), ("coefficients", ["b", "se"])):
        left, right = (report.table(table).frame()[names].to_numpy() for report in (measured, scored))
        assert left == pytest.approx(right, rel=1e-9)


def test_length_alone_stands_beside_the_model():
    frame = texts_and_readers(5).assign(words=lambda data: data["item"].str[1:].astype(int) + 20)
    table = run(METHOD, frame, {"outcome": "condition", "blocks": "ratio_0", "positive": "filler"})
    baselines = table.table("baselines").frame().set_index("predictor")
    assert baselines.loc["majority", "fit_accuracy"] == 0.75
    assert baselines.loc["length in words", "fit_accuracy"] == 1.0
    assert baselines["cv_item"]["length in words"] > 0.75
