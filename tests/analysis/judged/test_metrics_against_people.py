"""Oracles: `../shared/oracles/oracle_human.json` on the published ratings and metrics of
`../shared/data/simplicity_da`; `psych::r.test` and `psych::paired.r` of R (tests/oracles/human_judgements.R); SciPy for
correlations of drawings.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.methods.judged import weighted
from analysis.methods.judged.accuracy import accuracy, accuracy_within
from analysis.methods.judged.method import METHOD, example
from analysis.methods.judged.williams import williams
from analysis.methods.registry import run
from analysis.methods.report import BadInput, Report
from tests import needs

pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve()
DATA = needs.SHARED / "data" / "simplicity_da"
R: Any = json.loads((HERE.parents[2] / "oracles" / "human_judgements.json").read_text(encoding="utf-8"))
needs_shared = needs.shared("data/simplicity_da")
METRICS = ("bertscore_P", "bertscore_F1", "ibleu", "bleu", "sari", "fkgl", "samsa")


@cache
def reference() -> Any:
    return json.loads((needs.SHARED / "oracles" / "oracle_human.json").read_text(encoding="utf-8"))


@cache
def simplicity() -> Report:
    ratings = pd.read_csv(DATA / "simplicity_DA_ratings.csv")
    metrics = pd.read_csv(DATA / "metrics_simplicity_DA.csv").query("test_set == 'asset'")
    given = {
        "dv": "simplicity", "metrics": METRICS, "scale": "z-population", "participant": "rater_id", "item": "sent_id",
        "condition": "sys_name", "resamples": "300", "splits": "20",
    }  # fmt: skip
    return run(METHOD, ratings.merge(metrics, on=["sent_id", "sys_name"]), given)


def line_of(report: Report, table: str, **where: str) -> dict[str, Any]:
    frame = report.table(table).frame()
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1
    return dict(frame.iloc[0])


def rated(people: int = 5, items: int = 8, systems: int = 4, seed: int = 1) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    good = random.normal(size=(items, systems)) + np.arange(systems) / 2
    first, second = good + random.normal(size=good.shape), random.normal(size=good.shape) - good
    return pd.DataFrame(
        [
            {
                "participant": p,
                "item": f"I{i}",
                "system": f"S{s}",
                "rating": round(4 + good[i, s] + random.normal(), 2),
                "first": round(first[i, s], 3),
                "second": round(second[i, s], 3),
            }
            for p in range(people)
            for i in range(items)
            for s in range(systems)
        ]
    )


def report_of(frame: pd.DataFrame, **given: Any) -> Report:
    return run(METHOD, frame, {"dv": "rating", "metrics": "first,second", "resamples": "40", "splits": "10", **given})


@needs_shared
def test_published_texts_have_the_published_mean_z_scores() -> None:
    published = pd.read_csv(DATA / "simplicity_DA.csv")
    texts = simplicity().table("texts").frame().assign(item=lambda found: found["item"].astype(int))
    both = texts.merge(published, left_on=["item", "condition"], right_on=["sent_id", "sys_name"])
    assert len(both) == 600
    assert (both["human"] - both["simplicity_zscore"]).abs().max() < max(
        2 * reference()["simplicityDA_z_maxdiff_ddof0"], 2e-9
    )


@needs_shared
@pytest.mark.parametrize("metric", METRICS)
def test_published_metrics_go_with_people_as_published(metric: str) -> None:
    expected = reference()["metric_vs_human"][metric]
    pearson = line_of(simplicity(), "correlations", level="text", metric=metric, how="pearson")
    assert pearson["r"] == pytest.approx(expected["r"], rel=1e-9)
    assert pearson["p"] == pytest.approx(expected["p"], rel=1e-9)
    assert abs(pearson["r"]) == pytest.approx(expected["published_abs"], abs=5e-7)
    # The reference draws at random too, and gives percentiles of single texts and of items.
    assert [pearson["item_low"], pearson["item_high"]] == pytest.approx(expected["ci_cluster"], abs=0.015)
    assert [pearson["ci_low"], pearson["ci_high"]] == pytest.approx(expected["ci"], abs=0.015)
    spearman = line_of(simplicity(), "correlations", level="text", metric=metric, how="spearman")
    # Scores that are equal on paper differ in their last digits; the reference ranks those digits, here they are ties.
    assert spearman["r"] == pytest.approx(expected["spearman"], abs=2e-5)


@needs_shared
@pytest.mark.parametrize(("a", "b"), [("bertscore_P", "bertscore_F1"), ("bleu", "sari"), ("sari", "fkgl")])
def test_published_metrics_differ_by_williams_test_as_in_the_reference(a: str, b: str) -> None:
    expected = reference()["metric_vs_human"][f"williams {a} vs {b}"]
    found = line_of(simplicity(), "comparisons", level="text", a=a, b=b)
    assert found["n"] == expected["n"]
    for name, other in (("t", "t"), ("p", "p"), ("r_a", "r12"), ("r_b", "r13"), ("r_ab", "r23")):
        assert found[name] == pytest.approx(expected[other], rel=1e-9), name
    assert found["df"] == 597
    assert found["p_holm"] >= found["p"]


@needs_shared
def test_reliability_of_the_published_ratings_by_analysis_of_variance_and_by_halves() -> None:
    one = line_of(simplicity(), "reliability", type="ICC(1)")
    mean = line_of(simplicity(), "reliability", type="ICC(1,k)")
    assert one["icc"] == pytest.approx(reference()["ICC1"], rel=1e-9)
    assert mean["icc"] == pytest.approx(reference()["ICC1k"], rel=1e-9)
    assert one["f"] == pytest.approx(reference()["ICC_F"], rel=1e-9)
    halves = line_of(simplicity(), "ceiling", level="text")
    assert halves["reliability"] == pytest.approx(reference()["ICC1k"], abs=0.005)
    assert halves["ceiling"] == pytest.approx(np.sqrt(halves["reliability"]))


@pytest.mark.parametrize("case", R["williams"], ids=lambda case: str(len(case["human"])))
def test_williams_test_is_that_of_psych(case: Any) -> None:
    found = williams(case["r12"], case["r13"], case["r23"], len(case["human"]))
    assert found is not None
    assert found[0] == pytest.approx(case["t"], rel=1e-7)
    assert found[1] == pytest.approx(case["p"], rel=1e-6)
    assert found[0] == pytest.approx(case["t_paired"], rel=1e-7)
    frame = pd.DataFrame({"item": range(len(case["human"])), "rating": case["human"], "a": case["a"], "b": case["b"]})
    line = line_of(report_of(frame, metrics="a,b", direction="signed"), "comparisons")
    assert [line["t"], line["p"]] == pytest.approx([case["t"], case["p"]], rel=1e-6)


def test_correlations_of_drawings_are_those_of_texts_that_are_there_several_times() -> None:
    random = np.random.default_rng(3)
    metrics = np.round(random.normal(size=(30, 3)), 1)
    metrics[[2, 9], 1] = np.nan
    weights = random.multinomial(30, np.full(30, 1 / 30), size=6).astype(float)
    for rows in (1, 6):
        human = np.round(random.normal(size=(rows, 30)) + metrics[:, 0], 1)
        for how, coefficient in (
            (weighted.pearson, stats.pearsonr),
            (weighted.spearman, stats.spearmanr),
            (weighted.kendall, stats.kendalltau),
        ):
            found = how(weights, human, metrics)
            for drawing, metric in np.ndindex(*found.shape):
                there = ~np.isnan(metrics[:, metric])
                copies = weights[drawing, there].astype(int)
                x = np.repeat(metrics[there, metric], copies)
                y = np.repeat(human[drawing % rows, there], copies)
                assert found[drawing, metric] == pytest.approx(coefficient(x, y).statistic, abs=1e-9)


def test_a_drawing_of_two_texts_has_no_rank_correlation_and_breaks_nothing() -> None:
    metrics, weights = np.array([[1.0], [2.0], [4.0]]), np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    found = weighted.kendall(weights, np.array([[2.0, 3.0, 1.0]]), metrics)
    assert np.isnan(found[0, 0])
    assert found[1, 0] == pytest.approx(-1 / 3)


def test_accuracy_counts_pairs_as_deutsch_foster_and_freitag_do() -> None:
    random = np.random.default_rng(5)
    human, metric = random.integers(0, 4, 25).astype(float), random.integers(0, 9, 25) / 10
    counts = dict.fromkeys(("C", "D", "h", "m", "hm"), 0)
    pairs = [(human[i] - human[j], metric[i] - metric[j]) for i, j in combinations(range(25), 2)]
    for of_human, of_metric in pairs:
        sides = (np.sign(of_human), np.sign(of_metric))
        kind = {(True, True): "hm", (True, False): "h", (False, True): "m"}.get((sides[0] == 0, sides[1] == 0))
        counts[kind or ("C" if sides[0] == sides[1] else "D")] += 1
    found = accuracy(human, metric)
    assert (found.concordant, found.discordant, found.tied_human, found.tied_metric, found.tied_both) == tuple(
        counts.values()
    )
    assert found.plain == pytest.approx(counts["C"] / (counts["C"] + counts["D"] + counts["m"]))
    assert found.with_ties == pytest.approx((counts["C"] + counts["hm"]) / 300)

    def with_threshold(epsilon: float) -> float:
        right = 0
        for of_human, of_metric in pairs:
            tied = abs(of_metric) <= epsilon + 1e-12
            right += (of_human == 0) if tied else bool(of_human * of_metric > 0)
        return right / 300

    best = max(with_threshold(step / 10) for step in range(9))
    assert found.calibrated == pytest.approx(best)
    assert with_threshold(found.epsilon or 0.0) == pytest.approx(best)


def test_pairs_that_are_too_many_to_look_at_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(6)
    human, metric = random.integers(0, 9, 60).astype(float), random.integers(0, 30, 60).astype(float)
    looked_at = accuracy(human, metric)
    monkeypatch.setattr("analysis.methods.judged.accuracy.CALIBRATED_UP_TO", 10)
    counted = accuracy(human, metric)
    assert counted.calibrated is None
    assert {**vars(counted), "calibrated": 0, "epsilon": 0} == {**vars(looked_at), "calibrated": 0, "epsilon": 0}
    items = np.repeat(np.arange(12), 5)
    assert accuracy_within(human, metric, items) is None
    monkeypatch.undo()
    within = accuracy_within(human, metric, items)
    assert within is not None
    assert within.pairs == 120


def test_a_metric_is_turned_where_that_was_declared_and_nowhere_else() -> None:
    frame = rated()
    printed, declared = report_of(frame), report_of(frame, lower_is_better="second")
    r = line_of(printed, "correlations", level="text", metric="second", how="pearson")["r"]
    assert r < 0, "second goes against people's scores"
    assert line_of(printed, "comparisons", level="text")["r_b"] == pytest.approx(r)
    assert line_of(declared, "comparisons", level="text")["r_b"] == pytest.approx(-r)
    lower, higher = (line_of(report, "accuracy", level="text", metric="second") for report in (printed, declared))
    assert lower["accuracy"] < 0.5 < higher["accuracy"]
    assert (lower["concordant"], lower["discordant"]) == (higher["discordant"], higher["concordant"])
    assert any("second correlates negatively with people's scores" in text for text in printed.warnings)
    assert not any("correlate" in text and "second" in text for text in declared.warnings)
    with pytest.raises(BadInput, match="not among the metrics"):
        report_of(frame, metrics="first", lower_is_better="second")


@pytest.mark.parametrize("direction", ["signed", "absolute"])
def test_a_declared_metric_that_goes_the_wrong_way_is_told_and_not_turned_back(direction: str) -> None:
    """`grade` is declared as better where lower, and people like what has a high one: wrong in most pairs."""
    frame = rated()
    frame = frame.assign(grade=-frame["second"])
    report = report_of(frame, metrics="first,grade", lower_is_better="grade", direction=direction)
    line = line_of(report, "accuracy", level="text", metric="grade")
    human, grade = (report.table("texts").frame()[name].to_numpy() for name in ("human", "grade"))
    expected = accuracy(human, -grade)
    assert line["accuracy"] == pytest.approx(expected.plain)
    assert line["accuracy"] < 0.5
    assert line_of(report, "comparisons", level="text")["r_b"] < 0
    assert any("The declaration stands" in text for text in report.warnings)
    assert not any("lower_is_better=grade" in text for text in report.warnings), "advice that was followed already"


def test_strengths_are_compared_where_that_is_asked_for_and_accuracy_never_learns_of_it() -> None:
    frame = rated()
    signed, absolute = report_of(frame), report_of(frame, direction="absolute")
    r = line_of(signed, "comparisons", level="text")["r_b"]
    assert line_of(absolute, "comparisons", level="text")["r_b"] == pytest.approx(-r)
    assert absolute.table("accuracy").rows == signed.table("accuracy").rows
    assert any("turned by these data" in text for text in absolute.warnings)


@needs_shared
def test_published_grades_that_go_the_wrong_way_do_so_in_most_pairs() -> None:
    """FKGL of ASSET's outputs: people find texts with a higher grade simpler, so `lower` is mostly wrong."""
    ratings = pd.read_csv(DATA / "simplicity_DA_ratings.csv")
    metrics = pd.read_csv(DATA / "metrics_simplicity_DA.csv").query("test_set == 'asset'")
    given = {
        "dv": "simplicity", "metrics": "fkgl,sari", "scale": "z-population", "participant": "rater_id",
        "item": "sent_id", "condition": "sys_name", "resamples": "10", "splits": "10", "lower_is_better": "fkgl",
    }  # fmt: skip
    report = run(METHOD, ratings.merge(metrics, on=["sent_id", "sys_name"]), given)
    texts = report.table("texts").frame()
    found = line_of(report, "accuracy", level="text", metric="fkgl")["accuracy"]
    assert found == pytest.approx(accuracy(texts["human"].to_numpy(), -texts["fkgl"].to_numpy()).plain)
    r = line_of(report, "correlations", level="text", metric="fkgl", how="pearson")["r"]
    assert found == pytest.approx(0.462, abs=5e-4)
    assert r > 0


def test_intervals_rest_on_the_seed_and_on_nothing_else() -> None:
    frame = rated()
    again = report_of(frame, seed="1").table("correlations")
    assert report_of(frame.sample(frac=1, random_state=4)).table("correlations").frame()["r"].tolist() == pytest.approx(
        again.frame()["r"].tolist()
    )
    assert again.rows == report_of(frame).table("correlations").rows
    assert again.rows != report_of(frame, seed="2").table("correlations").rows


def test_a_file_with_one_row_for_each_text_gives_the_same_correlations_and_says_what_it_cannot_tell() -> None:
    frame = rated()
    texts = frame.groupby(["item", "system"], as_index=False)[["rating", "first", "second"]].mean()
    report = report_of(texts)
    kept = ["level", "metric", "how", "n"]
    both = report.table("correlations").frame().merge(report_of(frame).table("correlations").frame(), on=kept)
    assert len(both) == 12
    assert both["r_x"].tolist() == pytest.approx(both["r_y"].tolist(), abs=1e-9)
    assert report.table("reliability").rows == report.table("ceiling").rows == ()
    assert any("Nothing says who rated" in text for text in report.warnings)


def test_answers_to_several_questions_are_not_taken_for_ratings_of_several_people() -> None:
    frame = pd.concat([rated().assign(question=q) for q in ("clear", "good")])
    report = report_of(frame)
    assert any("rated more than once by the same participant" in text for text in report.warnings)
    assert line_of(report, "reliability", type="ICC(1)")["k"] == 5
    assert not any("more than once" in text for text in report_of(frame, where="question=good").warnings)


def test_where_everybody_rated_everything_a_severe_rater_lowers_neither_the_ceiling_nor_the_third_icc() -> None:
    frame = rated(people=8)
    shifted = frame.assign(rating=frame["rating"] + 3 * frame["participant"])
    plain, severe = report_of(frame), report_of(shifted)
    for level in ("text", "system"):
        assert line_of(severe, "ceiling", level=level)["ceiling"] == pytest.approx(
            line_of(plain, "ceiling", level=level)["ceiling"]
        )
    assert line_of(severe, "reliability", type="ICC(3,k)")["icc"] == pytest.approx(
        line_of(plain, "reliability", type="ICC(3,k)")["icc"]
    )


def one_person_each(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["participant"] == frame["item"].str[1].astype(int) % 5]


def first_says_5(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(rating=frame["rating"].where(frame["participant"] > 0, 5))


def without_first_of_one_item(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(first=frame["first"].where(frame["item"] != "I1"))


def every_text_its_own_system(frame: pd.DataFrame) -> pd.DataFrame:
    more = pd.concat([frame.assign(item=frame["item"] + str(copy)) for copy in range(3)])
    return more.assign(system=more["item"] + more["system"])


@pytest.mark.parametrize(
    ("change", "given", "said"),
    [
        (every_text_its_own_system, {}, "check that system names systems and not texts"),
        (lambda frame: frame.query("system == 'S1'"), {}, "There is only one system"),
        (lambda frame: frame.query("system <= 'S1'"), {}, "only two systems"),
        (lambda frame: frame.query("participant == 1"), {}, "only one participant"),
        (lambda frame: frame.drop(columns="system"), {}, "more than once by the same participant"),
        (lambda frame: frame.drop(columns="system"), {}, "no column of systems"),
        (lambda frame: frame.query("item == 'I0'"), {}, "one item, so items cannot be drawn"),
        (lambda frame: frame.assign(first=3), {}, "all values of the metric first are equal"),
        (lambda frame: frame.assign(rating=3), {}, "all values of people's scores are equal"),
        (lambda frame: frame.assign(first=frame["second"] * 2 + 1), {}, "each is the other up to a linear change"),
        (without_first_of_one_item, {}, "no value for 4 texts of 32"),
        (lambda frame: frame.assign(first=np.arange(len(frame))), {}, "differs between rows of the same text"),
        (first_says_5, {"scale": "z"}, "1 participant with equal ratings only"),
        (lambda frame: frame.assign(rating=frame["rating"] - 5), {"scale": "log"}, "have no logarithm"),
        (one_person_each, {}, "rated by one person only"),
    ],
)
def test_what_the_data_do_not_allow_is_a_warning(change: Any, given: Any, said: str) -> None:
    report = report_of(change(rated()), **given)
    assert any(said in text for text in report.warnings), report.warnings


@pytest.mark.parametrize(
    ("change", "given", "said"),
    [
        (lambda frame: frame.drop(columns="item"), {}, "item"),
        (lambda frame: frame.assign(first=["inf", *frame["first"].astype(str)[1:]]), {}, "an infinite number"),
        (lambda frame: frame.assign(first=np.nan), {}, "'first' has no values"),
        (lambda frame: frame.query("item == 'I0' and system < 'S2'"), {}, "only 2 texts with ratings"),
        (lambda frame: frame, {"metrics": "rating"}, "cannot be a metric as well"),
        (lambda frame: frame, {"participant": "item"}, "named for two things at once"),
        (lambda frame: frame, {"resamples": "3"}, "between 10 and 20,000"),
        (lambda frame: frame.drop(columns="participant"), {"scale": "z"}, "needs to know who rated"),
        (lambda frame: frame.assign(rating=frame["participant"]), {"scale": "z"}, "No row has an item and a score"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_a_sentence(change: Any, given: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        report_of(change(rated()), **given)


def test_a_metric_may_be_called_like_a_column_of_the_report() -> None:
    frame, given = example()
    report = run(METHOD, frame.rename(columns={"overlap": "human"}), {**given, "metrics": "human,length"})
    assert {"human", "human_metric", "length"} <= {column.name for column in report.table("texts").columns}
