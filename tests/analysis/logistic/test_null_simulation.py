"""Without any effect of condition, folds over trials are fooled and folds over texts are not, as the document says."""

import re
from pathlib import Path

import pytest

from benchmarks.null_reading import PREDICTORS, SHARES, null_readings, table

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "methods" / "logistic-null-simulation.md"


def documented() -> dict[str, list[float]]:
    rows = re.findall(r"^\| ([^|]+?) \|((?: [\d.]+ \|){5})$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: [float(number) for number in numbers.split("|")[:-1]] for name, numbers in rows}


@pytest.fixture(scope="module")
def simulated():
    return dict(table(3))


def test_the_simulated_design_is_that_of_the_paper():
    trials = null_readings(1)
    assert len(trials) == 528
    assert trials.groupby("participant")["condition"].value_counts().unique().tolist() == [4]
    assert trials[trials["condition"] == "filler"]["item"].nunique() == 4
    assert trials.groupby("item")["words"].nunique().eq(1).all()


def test_new_trials_and_new_participants_seem_to_be_known_and_new_texts_are_not(simulated):
    worst = simulated["the same, and z and z2 of them"]
    assert worst["cv_trial"] > 0.80
    assert worst["cv_participant"] > 0.80
    assert worst["cv_item"] < 0.70


def test_the_document_has_every_set_of_predictors_and_numbers_that_come_out_again(simulated):
    assert list(documented()) == list(PREDICTORS) == list(simulated)
    for name, numbers in documented().items():
        for column, number in zip((*SHARES, "length_item"), numbers, strict=True):
            assert 100 * simulated[name][column] == pytest.approx(number, abs=8), (name, column)
