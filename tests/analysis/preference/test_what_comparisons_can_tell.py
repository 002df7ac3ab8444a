"""Clusters, circles, random people, and what is said where comparisons cannot put options in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.preference.example import example
from analysis.methods.preference.method import METHOD
from analysis.methods.report import BadInput, Report

pytestmark = pytest.mark.slow


def run(frame: pd.DataFrame | None = None, **given: Any) -> Report:
    usual, parameters = example()
    return registry.run(METHOD, usual if frame is None else frame, (parameters if frame is None else {}) | given)


def pairs(*won: str, **columns: Any) -> pd.DataFrame:
    """`won` are as x>y, ten times each, or x=y."""
    lines = []
    for one in won:
        a, b = one[0], one[2]
        lines += [{"a": a, "b": b, "choice": "tie" if "=" in one else a} for _ in range(10)]
    return pd.DataFrame(lines).assign(**columns)


def test_worths_sum_to_zero_and_stand_in_their_order() -> None:
    worth = run().table("worth").frame()
    assert worth["worth"].sum() == pytest.approx(0)
    assert worth["worth"].is_monotonic_decreasing
    assert worth["rank"].tolist() == [1, 2, 3]
    assert worth["share"].sum() == pytest.approx(1)


def test_the_names_and_the_order_of_rows_and_options_do_not_matter() -> None:
    frame, _ = example()
    turned = frame.rename(columns={"a": "b", "b": "a"}).assign(
        choice=frame["choice"].map({"a": "b", "b": "a", "tie": "tie"}), side="right"
    )
    both = pd.concat([frame.iloc[::2], turned.iloc[1::2]]).sample(frac=1, random_state=5)
    one = run().table("worth").frame().set_index("option")
    other = run(both, side="side").table("worth").frame().set_index("option")
    pd.testing.assert_frame_equal(one, other, atol=1e-8)
    named = frame.assign(choice=[row[row["choice"]] if row["choice"] in "ab" else "tie" for _, row in frame.iterrows()])
    assert run(named, side="side").table("worth").rows == run(frame, side="side").table("worth").rows


def test_options_that_do_not_differ_are_one_cluster() -> None:
    alike = pairs("x>y", "y>x", "x>z", "x>z", "z>x", "y>z", "y>z", "z>y")
    strong = pairs(*["x>z"] * 4, *["y>z"] * 4, "z>x", "z>y", "x>y", "y>x")
    assert run(alike).table("worth").frame()["cluster"].max() == 1
    assert run(strong).table("worth").frame().set_index("option")["cluster"].to_dict() == {"x": 1, "y": 1, "z": 2}
    assert "x (" in run(strong).sentences[0]
    assert "> z (" in run(strong).sentences[0]


def test_an_option_that_always_won_keeps_a_finite_worth_and_it_is_said() -> None:
    report = run(pairs("x>y", "x>z", "y>z", "z>y"))
    worth = report.table("worth").frame().set_index("option")
    assert worth["worth"].idxmax() == "x"
    assert np.isfinite(worth["worth"]).all()
    assert any("(x; y and z, the best first)" in said for said in report.warnings)
    assert not any("no finite estimate" in said for said in run().warnings)


def test_half_wins_that_keep_worths_finite_are_no_part_of_the_log_likelihood() -> None:
    """Σ ln P(chosen) over the comparisons, from the worths in the table: P = 1/(1 + exp(loser − winner))."""
    report = run(pairs("x>y", "x>z", "y>z", "z>y"))
    worth = report.table("worth").frame().set_index("option")["worth"]
    ln = {(a, b): -np.log1p(np.exp(worth[b] - worth[a])) for a, b in ("xy", "xz", "yz", "zy")}
    assert report.table("fit").lines()[0]["log_lik"] == pytest.approx(10 * sum(ln.values()))


def test_options_that_were_never_compared_are_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"never compared with others.*\(u and v; x and y\)"):
        run(pairs("x>y", "y>x", "u>v", "v>u"))


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pairs("x=y", "y=z"), "Every comparison was a tie"),
        (pairs("x>y").assign(choice="c"), "where x and y were compared: write a, b, tie"),
        (pairs("x>x"), "No row has two different options"),
        (pairs("x>y", "y>x").assign(side=["left", "right", "top"] * 6 + ["left"] * 2), "it says where option a stood"),
        (pairs("x>y").drop(columns="choice"), "Name the columns of pairs"),
        (pairs("x>y", "y>x").assign(side=["left"] * 10 + ["left"] * 10).assign(a="x", b="y", choice="a"), ""),
    ],
)
def test_what_cannot_be_ordered_is_refused_in_a_sentence(frame: pd.DataFrame, words: str) -> None:
    if not words:
        assert run(frame).warnings  # a single option that always won, on one side: finite by half a win
        return
    with pytest.raises(BadInput, match=words):
        run(frame)


LONG = pd.DataFrame(
    [
        {"comparison": number, "option": option, "best": option == best, "worst": option == worst}
        for number, (best, worst) in enumerate([("x", "z"), ("y", "z"), ("z", "x"), ("x", "y"), ("y", "x"), ("x", "z")])
        for option in "xyz"
    ]
)


def test_best_and_worst_are_counted_and_modelled() -> None:
    report = run(LONG)
    scores = report.table("scores").frame().set_index("option")
    assert list(scores.loc["x"]) == [6, 3, 2, pytest.approx(1 / 6)]
    assert report.table("worth").frame()["option"].tolist()[0] in "xy"
    assert {"sequential", "maxdiff"} == {
        word for model in ("sequential", "maxdiff") for word in ("sequential", "maxdiff")
        if word in " ".join(run(LONG, model=model).notes) and word == model
    }  # fmt: skip


def test_a_missing_worst_leaves_the_best() -> None:
    only = LONG.drop(columns="worst")
    report = run(only)
    assert report.table("fit").lines()[0]["choices"] == 6
    assert run(LONG).table("fit").lines()[0]["choices"] == 12


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"best": True}, "has 3 options marked in 'best'"),
        ({"option": "x"}, "has the option x twice"),
        ({"best": "perhaps"}, "must hold true and false"),
        ({"worst": LONG["best"]}, "same option as best and as worst"),
    ],
)
def test_best_and_worst_that_make_no_sense_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(LONG.assign(**change))


def test_majorities_that_go_in_circles_are_counted_and_said() -> None:
    report = run(pairs("x>y", "x>y", "y>x", "y>z", "y>z", "z>y", "z>x", "z>x", "x>z"))
    (line,) = [row for row in report.table("agreement").lines() if row["measure"] == "circular_majorities"]
    assert (line["n"], line["value"]) == (1, 1.0)
    assert any("go round in circles in 1 of 1 triple" in said for said in report.warnings)
    fit = report.table("fit").lines()[0]
    assert fit["misfit_df"] == 1
    assert fit["misfit_p"] < 0.01


def test_misfit_is_g2_against_a_probability_for_every_pair() -> None:
    frame = pairs("x>y", "x>y", "y>x", "y>z", "y>z", "z>y", "z>x", "z>x", "x>z")
    free = 3 * (20 * np.log(2 / 3) + 10 * np.log(1 / 3))
    fit = run(frame).table("fit").lines()[0]
    assert fit["misfit_chi2"] == pytest.approx(2 * (free - fit["log_lik"]))
    assert fit["log_lik"] == pytest.approx(90 * np.log(0.5))


def test_agreement_of_people_is_counted_on_the_same_pairs() -> None:
    frame = pd.DataFrame(
        [
            {"participant": p, "item": i, "a": "x", "b": "y", "choice": c}
            for i, answers in (("I1", "aa"), ("I2", "bb"), ("I3", "ab"))
            for p, c in zip("PQ", answers, strict=True)
        ]
    )
    found = {line["measure"]: line for line in run(frame).table("agreement").lines()}
    assert found["raw_agreement"]["n"] == 3
    assert found["raw_agreement"]["value"] == pytest.approx(2 / 3)
    # Coincidences 2, 2 and one pair that differs: 1 − (6 − 1) · 2 / (2 · 3 · 3).
    assert found["alpha"]["value"] == pytest.approx(1 - 5 * 2 / 18)


def people(seed: int, ties: bool) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    lines = []
    for person in range(30):
        own = np.array([0.6, 0.0, -0.6]) + random.normal(0, 1.2, 3)
        for number in range(15):
            a, b = [(0, 1), (1, 2), (2, 0)][number % 3]
            chosen = "a" if random.random() < 1 / (1 + np.exp(own[b] - own[a])) else "b"
            choice = "tie" if ties and number % 7 == 0 else chosen
            lines.append({"participant": f"P{person}", "a": "xyz"[a], "b": "xyz"[b], "choice": choice})
    return pd.DataFrame(lines)


@pytest.mark.parametrize("ties", [False, True])
def test_people_who_differ_widen_intervals_and_their_neglect_is_warned_of(ties: bool) -> None:
    frame = people(1, ties)
    alone, random = run(frame), run(frame, random="participant", bootstrap=200)
    assert any("Choose random=participant" in said for said in alone.warnings)
    assert not any("Choose random=participant" in said for said in random.warnings)
    assert (random.table("worth").frame()["se"] > 1.3 * alone.table("worth").frame()["se"]).all()
    assert any(table.name == "random" for table in random.tables) is not ties
    assert ("draws of participants" in " ".join(random.notes)) is ties


def test_the_same_seed_gives_the_same_draws_and_another_seed_others() -> None:
    frame = people(1, ties=True)
    given = {"random": "participant", "bootstrap": 60}
    assert run(frame, **given).tables == run(frame, **given).tables
    assert run(frame, **given).tables != run(frame, seed=2, **given).tables


def test_random_needs_its_column_and_several_of_them() -> None:
    with pytest.raises(BadInput, match="random=participant needs the column"):
        run(pairs("x>y", "y>x"), random="participant")
    with pytest.raises(BadInput, match="rows of one participant only"):
        run(pairs("x>y", "y>x", participant="P1"), random="participant")


def test_comparisons_numbered_anew_for_everybody_are_told_apart_by_participant() -> None:
    twice = pd.concat([LONG.assign(participant="P1"), LONG.assign(participant="P2")])
    assert run(twice).table("fit").lines()[0]["comparisons"] == 12
    with pytest.raises(BadInput, match="has the option x twice"):
        run(twice.drop(columns="participant"))


@pytest.mark.full("intervals of worth that hold the truth too seldom, which many simulated studies show")
def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """The committed simulation on a few data sets; its table is in the documentation."""
    from benchmarks.preference_coverage import SCENARIOS, covered

    for scenario in SCENARIOS[:6]:
        found = covered(scenario, repetitions=15, seed=3)
        assert found["worths"] > 0.8, scenario.name
        assert found["differences"] > 0.8, scenario.name
