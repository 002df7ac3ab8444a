"""Power by simulation against the analytic power, the same analysis code, and what is known of false positives."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.conditions.designs import Factor
from analysis.methods.conditions.minf import min_f
from analysis.methods.mixed.method import lmm
from analysis.methods.power.design import Truth, design_of
from analysis.methods.power.f_tests import f_tests
from analysis.methods.power.layout import Layout
from analysis.methods.power.method import METHOD, example
from analysis.methods.power.models import Model, Names
from analysis.methods.power.scenarios import Scenario, models_of, p_of
from analysis.methods.power.simulation import monte_carlo_interval
from analysis.methods.power.stated import stated_effects
from analysis.methods.power.wording import sentences_of
from analysis.methods.registry import run
from analysis.methods.report import BadInput, Cancelled, Report

pytestmark = pytest.mark.slow

NAMES = Names("z", "participant", "item")
ORDER = Factor("order", ("ab", "ba"))
MARKER = Factor("marker", ("because", "cause", "causes"))


def report_of(frame: pd.DataFrame | None = None, /, **parameters: Any) -> Report:
    return run(METHOD, pd.DataFrame() if frame is None else frame, parameters)


def rows_of(report: Report, table: str = "power") -> list[dict[Hashable, Any]]:
    return report.table(table).frame().astype(object).to_dict("records")


def scenario(
    *factors: Factor, effect: str, participants: int, items: int, assignment: str = "latin-square", **truth: Any
) -> Scenario:
    design = design_of(factors)
    effects = stated_effects(effect, design, None)
    layout = Layout.of(assignment, participants=participants, items=items, cells=len(design.cells))
    return Scenario(design, Truth(effects, **truth), layout, (participants, items, 0))


def frame_of(made: Scenario, y: np.ndarray) -> pd.DataFrame:
    return made.layout.frame(y, made.design, dv="z", participant="participant", item="item")


TWO_FACTORS = scenario(
    MARKER,
    ORDER,
    effect="order=0.3; marker=0.2,0,-0.1; marker:order=0.4",
    participants=13,
    items=17,
    residual=0.6,
    participant=0.4,
    item=0.3,
    participant_slopes={"order": 0.3, "marker": 0.2},
    item_slopes={"order": 0.2, "marker:order": 0.3},
)


def test_the_fast_f_are_those_of_the_analysis_of_variance() -> None:
    y = TWO_FACTORS.measures(seed=5, first=0, last=4)
    for role, units in TWO_FACTORS.units(("min-f",)).items():
        means = units.averages.means(y)
        for row, values in enumerate(y):
            report = rm_anova(frame_of(TWO_FACTORS, values), dv="z", within=["marker", "order"], unit=role)
            anova = report.table("anova").frame().set_index("effect")
            assert list(anova.index) == [term.name for term in TWO_FACTORS.design.terms]
            for term in TWO_FACTORS.design.terms:
                fast = f_tests(means, term.contrasts)
                corrected = f_tests(means, term.contrasts, correction="greenhouse-geisser")
                expected = anova.loc[term.name]
                assert (fast.df1, fast.df2) == (expected["df1"], expected["df2"])
                assert fast.f[row] == pytest.approx(expected["f"], rel=1e-12)
                assert fast.p[row] == pytest.approx(expected["p"], rel=1e-10)
                assert corrected.p[row] == pytest.approx(expected["p_gg"], rel=1e-10)


def test_the_fast_minf_is_that_of_the_method() -> None:
    y = TWO_FACTORS.measures(seed=6, first=0, last=4)
    found = p_of(TWO_FACTORS, {}, methods=("min-f",), correction="none", seed=6, first=0, last=4)
    for row, values in enumerate(y):
        expected = min_f(frame_of(TWO_FACTORS, values), dv="z", within=["marker", "order"]).table("minf").frame()
        for effect, p in zip(expected["effect"], expected["p"], strict=True):
            assert found["min-f", effect][row] == pytest.approx(p, rel=1e-10)


def test_a_simulated_mixed_model_is_that_of_the_method() -> None:
    made = scenario(
        ORDER, effect="order=0.3", participants=12, items=10, residual=0.6, participant=0.4, item_slopes={"order": 0.4}
    )
    formula = "z ~ order + (1 + order | participant) + (1 + order | item)"
    models = models_of(made, ("lmm",), effects=("order",), formula=formula, names=NAMES)
    p = p_of(made, models, methods=("lmm",), correction="none", seed=3, first=0, last=3)["lmm", "order"]
    for row, values in enumerate(made.measures(seed=3, first=0, last=3)):
        anova = lmm(frame_of(made, values), formula=formula, contrasts="sum").table("anova").frame()
        assert p[row] == pytest.approx(anova["p"][0], rel=1e-6)


@pytest.mark.parametrize(("participants", "items", "effect"), [(12, 8, 0.3), (24, 8, 0.2), (20, 16, 0.15)])
def test_power_without_item_variance_is_that_of_the_noncentral_f(participants: int, items: int, effect: float) -> None:
    """The difference of a participant's two means has variance s² + 2σ²/m with m trials a cell; λ = n δ² / that."""
    slope, residual, simulations = 0.2, 0.5, 4000
    report = report_of(
        design="order=2",
        effect=f"order={effect}",
        sds=f"participant=0.4; participant:order={slope}; residual={residual}",
        n=str(participants),
        n_items=str(items),
        simulations=simulations,
        seed=11,
        confidence=0.999,
        interval="clopper-pearson",
    )
    (row,) = rows_of(report)
    variance = slope**2 + 2 * residual**2 / (items / 2)
    noncentrality = participants * effect**2 / variance
    critical = stats.f.isf(0.05, 1, participants - 1)
    exact = stats.ncf.sf(critical, 1, participants - 1, noncentrality)
    assert row["ci_low"] <= exact <= row["ci_high"]
    assert row["ci_high"] - row["ci_low"] < 0.06


def test_power_of_an_interaction_is_that_of_the_noncentral_f() -> None:
    """A difference of differences of 0.5, with a slope SD of 0.3 for it, in a 2 × 2 design."""
    report = report_of(
        design="2x2",
        effect="A:B=0.5",
        sds="participant=1; participant:A:B=0.3; participant:A=0.7; residual=0.6",
        n="20",
        n_items="16",
        simulations=4000,
        confidence=0.999,
    )
    (row,) = rows_of(report)
    assert row["effect"] == "A:B"
    assert row["size"] == pytest.approx(0.5)
    noncentrality = 20 * 0.5**2 / (0.3**2 + 4 * 0.6**2 / 4)
    exact = stats.ncf.sf(stats.f.isf(0.05, 1, 19), 1, 19, noncentrality)
    assert row["ci_low"] <= exact <= row["ci_high"]


def test_three_levels_have_the_power_of_the_noncentral_f() -> None:
    """Slopes of SD s between any two levels add s²/2 to the variance of each level's deviation."""
    levels, slope, residual, people = np.array([0.2, 0.0, -0.1]), 0.25, 0.5, 15
    report = report_of(
        design="marker=3",
        effect="marker=0.2,0,-0.1",
        sds=f"participant:marker={slope}; residual={residual}",
        n=str(people),
        n_items="12",
        simulations=4000,
        confidence=0.999,
    )
    (row,) = rows_of(report)
    variance = slope**2 / 2 + residual**2 / 4
    noncentrality = people * ((levels - levels.mean()) ** 2).sum() / variance
    df2 = 2 * (people - 1)
    exact = stats.ncf.sf(stats.f.isf(0.05, 2, df2), 2, df2, noncentrality)
    assert row["ci_low"] <= exact <= row["ci_high"]


def test_false_positives_come_in_the_known_order() -> None:
    """With items that differ in the effect: intercepts only > F1 > nominal ≥ minF′; all slopes near nominal."""
    report = report_of(
        design="order=2",
        effect="order=0",
        sds="participant=0.4; item=0.3; item:order=0.25; participant:order=0.1; residual=0.6",
        method="f1,min-f,lmm-intercepts,lmm",
        n="24",
        n_items="24",
        simulations=120,
        seed=7,
    )
    rate = {row["method"]: row["power"] for row in rows_of(report)}
    assert rate["lmm-intercepts"] >= rate["f1"] > rate["lmm"] >= rate["min-f"]
    assert rate["lmm-intercepts"] > 0.12
    assert rate["min-f"] <= 0.05
    assert any("intercepts only" in warning for warning in report.warnings)
    assert all(sentence.startswith("False positives") for sentence in report.sentences)


def test_false_positives_are_warned_of_with_the_numbers_of_this_run() -> None:
    stated = "participant=0.4; item=0.3; item:order=0.4; participant:order=0.1; residual=0.6"
    settings = {"design": "order=2", "sds": stated, "method": "min-f,lmm-intercepts", "n": "24", "n_items": "24"}
    report = report_of(**settings, effect="order=0.3", null=True, simulations=60, seed=7)
    (line,) = (row for row in rows_of(report) if (row["method"], row["scenario"]) == ("lmm-intercepts", "no effect"))
    assert line["ci_low"] > 0.05
    (warning,) = (warning for warning in report.warnings if "no power" in warning)
    assert warning.startswith("Mixed model with intercepts only: without any effect of order significant in ")
    assert f"{line['power']:.2f}".lstrip("0") in warning
    assert "24 participants and 24 items" in warning
    assert "minF" not in warning
    assert not any("null=true" in warning for warning in report.warnings)


def test_a_stated_measure_is_called_what_the_formula_calls_it() -> None:
    settings = {"design": "order=2", "sds": "participant=0.3; residual=1", "effect": "order=0.4", "method": "lmm"}
    found = [
        rows_of(report_of(**settings, n="8", n_items="4", simulations=3, formula=f"{name} ~ order + (1 | participant)"))
        for name in ("rating", "log_rt", "`time in ms`")
    ]
    assert found[0] == found[1] == found[2]


def test_narrower_intervals_are_promised_for_the_confidence_that_was_asked_for() -> None:
    settings = {"design": "order=2", "sds": "residual=1", "effect": "order=0.4", "n": "20", "n_items": "8"}
    for confidence, width in ((0.95, ".06"), (0.99, ".08")):
        report = report_of(**settings, simulations=40, confidence=confidence)
        assert any(f"simulations=1000: at most {width}" in warning for warning in report.warnings)


def test_a_run_that_is_split_gives_the_same_bytes() -> None:
    methods = ("f1", "f2", "f1-and-f2", "min-f")
    whole = p_of(TWO_FACTORS, {}, methods=methods, correction="greenhouse-geisser", seed=2, first=0, last=60)
    pieces = [
        p_of(TWO_FACTORS, {}, methods=methods, correction="greenhouse-geisser", seed=2, first=a, last=b)
        for a, b in ((0, 1), (1, 8), (8, 33), (33, 60))
    ]
    for pair, p in whole.items():
        assert np.concatenate([piece[pair] for piece in pieces]).tobytes() == p.tobytes()


def test_other_sample_sizes_change_nothing() -> None:
    stated = {"design": "order=2", "effect": "0.3", "sds": "residual=1; item=0.2", "simulations": 150}
    alone = rows_of(report_of(n="16", n_items="12", **stated))
    among = rows_of(report_of(n="8,16,20", n_items="8,12", null="true", **stated))
    match = [row for row in among if (row["n_participants"], row["n_items"], row["scenario"]) == (16, 12, "effect")]
    assert [row["significant"] for row in match] == [row["significant"] for row in alone]


@pytest.mark.parametrize(
    ("factors", "effect", "size"),
    [
        # b makes a difference of −2, 1 and 1 at the levels of a: they differ by 3.
        ({"a": 3, "b": 2}, "a:b=0,2,0,-1,0,-1", 3.0),
        # Of four cells of the 3 × 3: (2 − 0) − (0 − 1) by rows 1 and 3, columns 1 and 3.
        ({"a": 3, "b": 3}, "a:b=2,0,0,0,0,0,0,0,1", 3.0),
        ({"b": 2, "a": 3}, "a:b=0,0,0,2,-1,-1", 3.0),
        ({"a": 3, "b": 2}, "a:b=0.3", 0.3),
        ({"a": 3, "b": 2}, "a=0,2,1", 2.0),
        ({"a": 2, "b": 2, "c": 2}, "a:b:c=0.7", 0.7),
    ],
)
def test_the_size_of_an_effect_is_the_largest_difference_of_differences_between_two_levels_of_each(
    factors: dict[str, int], effect: str, size: float
) -> None:
    design = design_of([Factor(name, tuple("uvw"[:number])) for name, number in factors.items()])
    term = design.term(effect.partition("=")[0])
    assert term is not None
    found = Truth(stated_effects(effect, design, None), residual=1.0).size(term, design)
    assert found == pytest.approx(size)


def test_the_seed_decides() -> None:
    stated = {"design": "order=2", "effect": "0.3", "sds": "residual=1", "simulations": 400, "n": 16, "n_items": 12}
    first, again, other = (rows_of(report_of(seed=seed, **stated)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_more_participants_mean_more_power_and_the_sentence_says_from_where_on() -> None:
    report = report_of(
        design="order=2", effect="0.4", sds="residual=1", n=[8, 16, 32, 64], n_items="16", simulations=500
    )
    shares = [row["power"] for row in rows_of(report)]
    assert shares == sorted(shares)
    enough = next(row["n_participants"] for row in rows_of(report) if row["power"] >= 0.8)
    assert report.sentences[0].startswith(f"From {enough} participants on, with 16 items, a power of .80 is reached")
    (figure,) = report.figures
    assert (figure.encoding["x"], figure.reference) == ("n_participants", 0.8)


def said_of(shares: dict[int, float]) -> str:
    lines = [
        {"method": "f1", "scenario": "effect", "effect": "a", "n_items": 16, "n_participants": n, "size": 0.2}
        | {"power": share, "ci_low": share - 0.02, "ci_high": share + 0.02}
        for n, share in shares.items()
    ]
    (sentence,) = sentences_of(lines, target=0.8, confidence=0.95, alpha=0.05)
    return sentence


def test_where_chance_may_have_reached_the_target_the_number_that_is_sure_is_named() -> None:
    """Whoever takes the first number has too little power in 7 to 28 of 100 plans of 200 to 1,000 simulations."""
    assert "The interval goes below .80; with 40 participants it does not." in said_of({20: 0.7, 30: 0.81, 40: 0.9})
    assert "The interval goes below .80; more simulations make it shorter." in said_of({20: 0.7, 30: 0.81})
    assert "The interval" not in said_of({20: 0.7, 30: 0.83})


def test_a_power_that_is_lost_again_with_more_participants_is_not_said_to_be_reached_from_there_on() -> None:
    """20 participants have .81 and 30 have .77: only from 40 on no larger number lies below .80."""
    said = said_of({20: 0.81, 30: 0.77, 40: 0.9, 50: 0.93})
    assert said.startswith("From 40 participants on, with 16 items, a power of .80 is reached: ")
    assert "is .90, 95 % CI [.88, .92]." in said
    assert said.endswith("It was reached with 20 (.81) participants, but not kept with more of them.")


def test_a_power_that_is_lost_with_the_most_participants_is_not_reached_for_good() -> None:
    said = said_of({20: 0.7, 30: 0.82, 40: 0.78})
    assert said.startswith("A power of .80 is not reached for good: with 30 participants and 16 items ")
    assert said.endswith("It was reached with 30 (.82) participants, but not kept with more of them.")
    assert "It was reached" not in said_of({20: 0.7, 30: 0.82, 40: 0.88})


def test_null_adds_the_same_design_without_effects() -> None:
    report = report_of(
        design="order=2",
        effect="1",
        sds="residual=1",
        n="24",
        n_items="16",
        null=True,
        simulations=600,
        confidence=0.999,
    )
    real, nothing = rows_of(report)
    assert (real["scenario"], nothing["scenario"], nothing["size"]) == ("effect", "no effect", 0.0)
    assert real["power"] > 0.9
    assert nothing["ci_low"] <= 0.05 <= nothing["ci_high"]


def test_variances_of_pilot_data_are_those_of_the_mixed_model() -> None:
    frame, _ = example()
    coded = frame.assign(x=np.where(frame["order"] == "ba", 0.5, -0.5))
    random = lmm(coded, formula="z ~ x + (1 + x || participant) + (1 + x || item)").table("random").frame()
    expected = {
        (group.replace("Residual", "residual"), term): sd
        for group, term, sd in zip(random["group"], random["term"], random["sd"], strict=True)
    }
    report = report_of(frame, dv="z", within="order", simulations=1)
    found = {row["parameter"].removeprefix("sd "): row["value"] for row in rows_of(report, "model")}
    assert found["participant"] == pytest.approx(expected["participant", "(Intercept)"], rel=1e-4)
    assert found["item"] == pytest.approx(expected["item", "(Intercept)"], rel=1e-4)
    assert found["item:order"] == pytest.approx(expected["item", "x"], rel=1e-4)
    assert found["participant:order"] == pytest.approx(expected["participant", "x"], abs=1e-3)
    assert (rows_of(report)[0]["n_participants"], rows_of(report)[0]["n_items"]) == (8, 8)


def test_what_was_simulated_is_found_again_in_simulated_data() -> None:
    made = scenario(
        MARKER,
        ORDER,
        effect="order=0.3; marker=0.2,0,-0.2",
        participants=90,
        items=90,
        residual=0.6,
        participant=0.5,
        item=0.3,
        participant_slopes={"order": 0.4, "marker": 0.3},
        item_slopes={"order": 0.3},
    )
    frame = frame_of(made, made.measures(seed=9, first=0, last=1)[0])
    report = report_of(frame.assign(marker=frame["marker"].astype(str)), dv="z", within="marker,order", simulations=1)
    found = {row["parameter"].removeprefix("sd "): row["value"] for row in rows_of(report, "model")}
    truth = {"participant": 0.5, "item": 0.3, "residual": 0.6, "participant:order": 0.4, "item:order": 0.3}
    for name, value in truth.items():
        assert found[name] == pytest.approx(value, abs=0.1), name
    assert found["participant:marker"] == pytest.approx(0.3, abs=0.1)
    assert found["item:marker"] < 0.15


def test_stated_sizes_go_before_those_of_the_pilot() -> None:
    frame, parameters = example()
    report = report_of(frame, **{**parameters, "effect": "order=pilot*0.5", "sds": "item:order=0.7"})
    model = {row["parameter"]: row for row in rows_of(report, "model")}
    assert (model["sd item:order"]["value"], model["sd item:order"]["source"]) == (0.7, "stated")
    assert model["sd participant"]["source"] == "pilot"
    whole = rows_of(report_of(frame, **parameters))[0]["size"]
    assert rows_of(report)[0]["size"] == pytest.approx(whole / 2)


def test_observed_effects_are_warned_of_and_stated_ones_are_not() -> None:
    frame, parameters = example()
    assert any("observed in the pilot data" in warning for warning in report_of(frame, **parameters).warnings)
    stated = report_of(frame, **parameters, effect="order=0.3")
    assert not any("observed in the pilot data" in warning for warning in stated.warnings)


def test_only_named_effects_are_there_and_listed() -> None:
    stated = {"design": "marker=3; order=2", "sds": "residual=1", "n": "12", "n_items": "12", "simulations": 5}
    assert [row["effect"] for row in rows_of(report_of(effect="order:marker=0.4", **stated))] == ["marker:order"]
    report = report_of(effect="order=0.4; marker=0,0,0.2", **stated)
    assert [row["effect"] for row in rows_of(report)] == ["marker", "order"]


def test_an_uneven_latin_square_is_warned_of() -> None:
    report = report_of(design="order=2", effect="1", sds="residual=1", n="15", n_items="8", simulations=5)
    assert any("15 participants cannot be divided evenly among 2 cells" in warning for warning in report.warnings)


def test_the_analysis_can_be_cancelled_between_batches() -> None:
    seen: list[float] = []

    def watch(share: float, note: str) -> None:
        seen.append(share)
        if share > 0.5:
            raise Cancelled

    stated = {"design": "order=2", "effect": "1", "sds": "residual=1", "n": "8,16,24,32", "n_items": "8"}
    with pytest.raises(Cancelled):
        run(METHOD, pd.DataFrame(), stated, watch)
    assert seen == sorted(seen)
    assert len(seen) > 3


@pytest.mark.parametrize(("count", "simulations"), [(0, 50), (3, 50), (42, 50), (50, 50)])
@pytest.mark.parametrize(("how", "name"), [("wilson", "wilson"), ("clopper-pearson", "beta")])
def test_intervals_are_those_of_statsmodels(count: int, simulations: int, how: str, name: str) -> None:
    expected = proportion_confint(count, simulations, method=name)
    assert monte_carlo_interval(count, simulations, how=how, confidence=0.95) == pytest.approx(expected, abs=1e-12)


GOOD = {"design": "order=2", "effect": "0.3", "sds": "residual=1", "n": "16", "n_items": "8", "simulations": 5}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"design": ""}, "There is no design"),
        ({"design": "order=1"}, "at least two different levels"),
        ({"design": "order=2; order=3"}, "order is named twice"),
        ({"design": "9x9"}, "81 cells"),
        ({"effect": ""}, "effect is missing"),
        ({"effect": "ordre=0.2"}, "no effect 'ordre'; did you mean 'order'"),
        ({"effect": "order=0.1,0.2,0.3"}, "2 combinations of levels and 3 values"),
        ({"effect": "order=pilot"}, "there are no pilot data"),
        ({"effect": "order=much"}, "'much' is not a number"),
        ({"effect": "order=1e9"}, "more than a million times"),
        ({"sds": ""}, "residual standard deviation must be above 0"),
        ({"sds": "residual=1; people=2"}, "'people' is nothing that varies"),
        ({"sds": "residual=-1"}, "must be 0 or more"),
        ({"n": ""}, "n_participants is missing"),
        ({"n": "1"}, "not a whole number from 2"),
        ({"n": "16", "n_participants": "24"}, "n_participants was given twice"),
        ({"n_items": ""}, "n_items is missing"),
        ({"method": "anova"}, "no analysis 'anova'"),
        ({"simulations": 0}, "simulations must be"),
        ({"alpha": 0}, "alpha must lie between"),
        ({"design": "marker=4; order=2", "effect": "order=1", "n_items": "6"}, "n_items of at least 8"),
        ({"design": "marker=4; order=2", "effect": "order=1", "n": "6", "method": "f2", "n_items": "16"}, "at least 8"),
        ({"method": "lmm", "formula": "rating ~ 1 + (1 | participant)"}, "no term for order"),
        ({"method": "lmm", "formula": "log(rating) ~ order + (1 | participant)"}, "without a function"),
        ({"within": "order"}, "Pilot data need both"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_a_sentence(changes: dict[str, Any], words: str) -> None:
    frame = pd.DataFrame({"order": ["a", "b"]}) if "within" in changes else None
    with pytest.raises(BadInput, match=words):
        report_of(frame, **{**GOOD, **changes})


def test_a_logarithmic_scale_leaves_out_what_has_no_logarithm() -> None:
    frame, parameters = example()
    frame["z"] = 10 ** frame["z"]
    straight = rows_of(report_of(example()[0], **parameters))
    logged = rows_of(report_of(frame, **parameters, scale="log"))
    assert [row["size"] for row in logged] == pytest.approx([row["size"] for row in straight], rel=1e-6)
    frame.loc[0, "z"] = 0
    assert any("1 value of 'z'" in w for w in report_of(frame, **parameters, scale="log").warnings)


def test_a_large_model_has_the_same_p_from_a_start_near_the_truth() -> None:
    made = scenario(
        ORDER, effect="order=0.05", participants=520, items=8, residual=0.6, participant=0.4, item=0.1,
        participant_slopes={"order": 0.2}, item_slopes={"order": 0.05},
    )  # fmt: skip
    (model,) = models_of(made, ("lmm",), effects=("order",), formula=None, names=NAMES).values()
    assert isinstance(model, Model)
    near = model.theta_of(made.truth, made.layout, made.design)
    assert near is not None
    y = made.measures(seed=4, first=0, last=3)
    found, usual = (model.p(y, near=start, watch=lambda row: None)["order"] for start in (near, None))
    # Both searches end where the criterion is flat to 1e-9; degrees of freedom follow the curvature there.
    np.testing.assert_allclose(found, usual, rtol=1e-4)
