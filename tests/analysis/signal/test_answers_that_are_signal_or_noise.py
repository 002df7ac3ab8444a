"""What counts as signal, what is left out, and what is said where d′ cannot be had."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.report import BadInput, Report
from analysis.methods.signal.example import example
from analysis.methods.signal.method import METHOD


def run(frame: pd.DataFrame | None = None, **given: Any) -> Report:
    usual, parameters = example()
    return registry.run(METHOD, usual if frame is None else frame, parameters | given)


def sensitivity(report: Report) -> pd.DataFrame:
    return report.table("sensitivity").frame()


def test_one_row_per_participant_and_cell_and_one_mean_per_cell() -> None:
    report = run()
    assert len(sensitivity(report)) == 24
    assert report.table("cells").frame()["band"].tolist() == ["high", "low"]
    high, low = report.table("cells").frame()["mean"]
    assert high > low > 1
    means = sensitivity(report).groupby("band")["d_prime"].mean()
    assert report.table("cells").frame()["mean"].tolist() == pytest.approx(means.tolist())


def test_which_kind_is_signal_turns_the_criterion_and_not_the_sensitivity() -> None:
    one, other = sensitivity(run()), sensitivity(run(signal="nonword"))
    assert one["d_prime"].tolist() == pytest.approx(other["d_prime"].tolist())
    assert one["criterion"].tolist() == pytest.approx((-other["criterion"]).tolist())


def test_answers_may_have_other_names_than_what_they_are_about() -> None:
    frame, _ = example()
    renamed = frame.assign(response=frame["response"].map({"word": "yes", "nonword": "no"}))
    assert sensitivity(run(renamed, signal="word,yes")).equals(sensitivity(run()))
    with pytest.raises(BadInput, match="'response' holds no and yes and not word"):
        run(renamed)


def test_trials_without_an_answer_are_left_out_and_counted() -> None:
    frame, _ = example()
    frame.loc[:4, "response"] = ""
    report = run(frame)
    assert "5 rows without a value of 'response' left out." in report.notes
    assert sensitivity(report)[["n_signal", "n_noise"]].to_numpy().sum() == len(frame) - 5


def test_a_third_answer_is_noise_and_said() -> None:
    frame, _ = example()
    frame.loc[:4, "response"] = "unsure"
    assert any("nonword and unsure of 'response' all count as noise" in said for said in run(frame).warnings)


def test_a_cell_without_noise_has_no_d_prime_and_no_part_in_the_mean() -> None:
    frame, _ = example()
    gone = (frame["participant"] == "P01") & (frame["band"] == "low") & (frame["target"] == "nonword")
    report = run(frame[~gone])
    line = sensitivity(report).query("participant == 'P01' and band == 'low'").iloc[0]
    assert pd.isna(line["d_prime"])
    assert pd.isna(line["false_alarm_rate"])
    assert report.table("cells").frame()["n"].tolist() == [12, 11]
    assert any("1 cell of P01 had only signal or only noise" in said for said in report.warnings)


def test_rates_of_0_and_1_are_said_to_be_bounded_by_the_correction() -> None:
    frame, _ = example()
    perfect = frame.assign(response=frame["target"])
    report = run(perfect)
    assert any("In 24 cells of 24 a rate was 0 or 1" in said for said in report.warnings)
    assert report.table("cells").frame()["sd"].tolist() == [0, 0]
    assert len(set(sensitivity(report)["d_prime"])) == 1


def test_few_trials_are_warned_of_with_what_they_do() -> None:
    frame, _ = example()
    few = frame.groupby(["participant", "band", "target"]).head(5)
    assert any("20 trials" not in said and "a true d′ of 2 is estimated as 1.7" in said for said in run(few).warnings)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"within": "target"}, "target has two roles"),
        ({"signal": "pseudoword"}, "and not pseudoword"),
        ({"signal": "word,nonword"}, "Every answer in 'response' is nonword and word"),
        ({"where": "target=word"}, "Every level in 'target' is word"),
        ({"confidence": 2}, "confidence must lie between"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(**given)


def test_one_participant_has_a_value_and_no_interval() -> None:
    report = run(where="participant=P01", within=())
    (line,) = report.table("cells").lines()
    assert line["mean"] is not None
    assert line["ci_low"] is None
    assert report.sentences[0].startswith("Mean d′ = ")


def test_a_factor_called_n_has_a_column_of_its_own() -> None:
    frame, _ = example()
    report = run(frame.rename(columns={"band": "n"}), within="n")
    assert report.table("cells").frame()["factor_n"].tolist() == ["high", "low"]


def test_a_press_that_was_withheld_is_an_answer_that_is_no_signal() -> None:
    frame, parameters = example()
    spoken = frame.assign(target=frame["target"].map({"word": "go", "nonword": "none"}))
    spoken["response"] = spoken["response"].map({"word": "go", "nonword": "none"})
    silent = spoken.assign(
        response=spoken["response"].where(spoken["response"] == "go"), timed_out=spoken["response"] != "go"
    )
    asked = {"signal": "go", "within": parameters["within"]}
    assert sensitivity(run(silent, withheld="none", **asked)).equals(sensitivity(run(spoken, **asked)))
    # Trials that nobody reached have no answer and no time that ran out.
    unreached = silent.assign(timed_out=silent["timed_out"].where(silent.index % 7 > 0))
    counted = sensitivity(run(unreached, withheld="none", **asked))
    assert counted[["n_signal", "n_noise"]].to_numpy().sum() == (
        (silent["response"].notna() | (silent.index % 7 > 0)).sum()
    )
    with pytest.raises(BadInput, match="not nothing"):
        run(silent, withheld="nothing", **asked)
