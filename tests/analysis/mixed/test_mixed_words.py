"""What a report of a mixed model says: singular fits, dropped effects, intercepts only; and what is refused."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.mixed.example import example
from analysis.methods.mixed.method import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput, Cancelled

pytestmark = pytest.mark.slow


def example_frame():
    return example()[0]


def report_of(frame, formula, **parameters):
    return run(METHOD, frame, {"formula": formula, **parameters})


def refused(frame, formula, words, **parameters):
    with pytest.raises(BadInput, match=words):
        report_of(frame, formula, **parameters)


def warned(report, *words):
    return any(all(word in warning for word in words) for warning in report.warnings)


def test_every_unknown_column_is_named_at_once_with_the_nearest_name():
    refused(example_frame(), "zz ~ ordr + (1 | participnt)", "'ordr'; did you mean 'order'.*'participnt'; did you mean")


def test_a_formula_without_random_terms_is_refused_with_an_example():
    refused(example_frame(), "z ~ order", "no random term.*participant")


def test_a_measure_in_words_is_refused():
    refused(example_frame(), "order ~ z + (1 | participant)", "'order' must hold numbers")


def test_the_measure_cannot_predict_itself():
    refused(example_frame(), "z ~ z + (1 | participant)", "cannot predict itself")


def test_a_logarithm_of_zero_is_refused_and_never_replaced():
    frame = example_frame().assign(z=lambda f: f["z"].abs())
    frame.loc[[3, 9], "z"] = 0
    refused(frame, "log(z) ~ order + (1 | participant)", r"not defined for 2 rows \(the first is data row 4")
    assert report_of(frame, "log(z) ~ order + (1 | participant)", where="z>0").table("fit").frame()["n"][0] == 126


def test_a_measure_without_variance_is_refused():
    refused(example_frame().assign(z=4), "z ~ order + (1 | participant)", "no variance")


def test_a_measure_that_follows_exactly_from_its_groups_has_no_residual_and_the_report_says_so():
    frame = example_frame().assign(z=lambda f: f["participant"].str[-1].astype(float) + 0.5 * (f["order"] == "ba"))
    report = report_of(frame, "z ~ order + (1 | participant)")
    assert warned(report, "without a residual", "likelihood has no maximum")
    assert not warned(report, "did not converge")


def test_a_factor_with_one_level_is_refused():
    frame = example_frame()
    refused(frame[frame["order"] == "ab"], "z ~ order + (1 | participant)", "one level only")


def test_a_constant_predictor_is_refused():
    refused(example_frame().assign(x=3), "z ~ x + (1 | participant)", "same value in every row")


def test_a_group_with_one_level_is_refused():
    refused(example_frame().assign(g="a"), "z ~ order + (1 | g)", "one level only")


def test_a_group_with_a_level_per_row_is_refused():
    frame = example_frame()
    refused(frame.assign(trial=range(len(frame))), "z ~ order + (1 | trial)", "told apart from the residual")


def test_more_random_effects_than_rows_are_refused():
    frame = example_frame().groupby(["participant", "order"], as_index=False)["z"].mean()
    refused(frame, "z ~ order + (1 + order | participant)", "16 random effects.*Analyse trials instead of means")


def test_without_correlations_every_slope_is_counted_by_itself_as_in_lme4():
    frame = example_frame().drop_duplicates(["participant", "order"])
    refused(frame, "z ~ order + (1 + order | participant)", "16 random effects from 16 rows")
    assert report_of(frame, "z ~ order + (1 + order || participant)").table("fit").frame()["n"][0] == 16


def test_an_effect_that_varies_twice_is_refused():
    refused(example_frame(), "z ~ order + (1 | item) + (1 + order | item)", "varies twice")


def test_more_fixed_effects_than_rows_are_refused():
    frame = pd.DataFrame({"z": [1.0, 2, 3, 5], "x": list("abcd"), "g": list("aabb")})
    refused(frame, "z ~ x + (1 | g)", "more rows than effects")


def test_an_empty_column_is_named():
    refused(example_frame().assign(length=""), "z ~ length + (1 | item)", "Empty in every row: length")


def test_a_mostly_numeric_predictor_with_a_slip_is_refused_with_the_row():
    frame = example_frame().assign(length=[str(i % 20) for i in range(127)] + ["many"])
    refused(frame, "z ~ length + (1 | item)", "'length' must hold numbers; data row 128 holds 'many'")


def test_levels_that_do_not_exist_are_refused_with_the_nearest():
    refused(example_frame(), "z ~ order + (1 | item)", "no level 'abb'; did you mean 'ab'", levels="order=abb,ba")
    refused(example_frame(), "z ~ order + (1 | item)", "levels: 'ordr=ab' cannot be read", levels="ordr=ab")


def test_the_first_level_named_is_the_reference():
    terms = report_of(example_frame(), "z ~ order + (1 | item)", levels="order=ba").table("fixed").frame()
    assert terms["term"].tolist() == ["(Intercept)", "orderab"]
    assert terms["meaning"].tolist() == ["the first cell", "ab − ba"]


def test_means_of_something_that_is_no_factor_are_refused():
    refused(example_frame(), "z ~ order + (1 | item)", "no factor 'item'", means="item")
    refused(example_frame(), "z ~ order + (1 | item)", "by: name with means", by="order")


def test_models_that_cannot_be_compared_are_refused():
    base = "z ~ order + (1 | item)"
    refused(example_frame(), base, "same number of parameters", compare="z ~ order + (1 | participant)")
    frame = example_frame().assign(y=lambda f: f["z"] * 2, x=np.arange(128) % 5, w=lambda f: f["z"].round())
    refused(frame, base, "different measures", compare="y ~ 1 + (1 | item)")
    refused(frame, "z ~ x + (1 | item)", "not among those", compare="z ~ order * w + (1 | item)")
    frame.loc[0, "x"] = np.nan
    refused(frame, base, "different rows", compare="z ~ order + x + (1 | item)")


def test_missing_cells_are_counted_per_column():
    frame = example_frame().astype({"order": object})
    frame.loc[[1, 2], "z"] = np.nan
    frame.loc[[2, 5], "order"] = None
    report = report_of(frame, "z ~ order + (1 | item)")
    assert report.table("fit").frame()["n"][0] == 125
    assert any("3 rows without a value" in note and "z (2) and order (2)" in note for note in report.notes)


def test_few_whole_numbers_are_a_slope_unless_said_otherwise():
    frame = example_frame().assign(times=lambda f: np.arange(len(f)) % 4)
    slope = report_of(frame, "z ~ times + (1 | item)")
    assert len(slope.table("fixed").rows) == 2
    assert any("write factor(times)" in note for note in slope.notes)
    for report in (
        report_of(frame, "z ~ factor(times) + (1 | item)"),
        report_of(frame, "z ~ times + (1 | item)", categorical="times"),
    ):
        assert len(report.table("fixed").rows) == 4
        assert report.table("anova").frame()["df1"].tolist() == [3]


def test_intercepts_only_are_warned_of_with_the_size_of_the_error_and_a_remedy():
    often = percent_of("lmm with intercepts only")
    assert warned(
        report_of(example_frame(), "z ~ order + (1 | participant)"),
        often,
        "(1 + order || participant)",
    )
    both = report_of(example_frame(), "z ~ order + (1 | participant) + (1 | item)")
    assert warned(both, "participant (order) and item (order)", "within levels of them.")
    assert not warned(report_of(example_frame(), "z ~ order + (1 + order | participant)"), often)


def crossed_frame():
    """Twelve people who saw every one of 16 items once, in one of 2 × 2 cells of cond and g; half of them are old."""
    person, item = np.repeat(np.arange(12), 16), np.tile(np.arange(16), 12)
    cell = (person + item) % 4
    return pd.DataFrame(
        {
            "participant": [f"p{p:02d}" for p in person],
            "item": [f"i{i:02d}" for i in item],
            "cond": np.array(["a", "b"])[cell % 2],
            "g": np.array(["m", "n"])[cell // 2],
            "age": np.array(["old", "young"])[person // 6],
            "z": np.random.default_rng(5).normal(size=len(person)),
        }
    )


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("z ~ cond*g + (1 + cond || participant) + (1 + cond * g || item)", "participant (g, cond:g)"),
        ("z ~ cond*g + (1 + cond + g || participant) + (1 + cond * g || item)", "participant (cond:g)"),
        ("z ~ cond*g + (1 + cond | participant) + (1 + cond * g || item)", "(1 + cond * g | participant)"),
        ("z ~ cond*age + (1 | participant) + (1 + cond * age || item)", "Only intercepts vary for participant (cond),"),
        ("z ~ cond*g + (1 + cond * g || participant) + (1 + cond * g || item)", ""),
        ("z ~ cond*age + (1 + cond || participant) + (1 + cond * age || item)", ""),
        ("z ~ cond + (1 | participant) + (1 | participant:cond) + (1 + cond | item)", ""),
        ("z ~ cond + (0 + cond | participant) + (1 + cond | item)", ""),
    ],
)
def test_every_slope_that_the_design_allows_and_the_model_lacks_is_named(formula, words):
    lacking = [text for text in report_of(crossed_frame(), formula).warnings if " vary within levels of it." in text]
    assert len(lacking) == bool(words)
    assert words in " ".join(lacking)


def test_means_of_cells_need_no_slope_that_is_their_residual():
    means = crossed_frame().groupby(["participant", "cond"], as_index=False)["z"].mean()
    assert not warned(report_of(means, "z ~ cond + (1 | participant)"), "Only intercepts")


def test_an_effect_between_people_needs_no_slope_for_people():
    frame = example_frame().assign(age=lambda f: (f["participant"] > "P4").astype(str))
    assert not warned(report_of(frame, "z ~ age + (1 | participant)"), "Only intercepts")
    said = "Only intercepts vary for item (age), although the effects in brackets vary within levels of it."
    assert warned(report_of(frame, "z ~ age + (1 | participant) + (1 | item)"), said)


def test_a_slope_that_is_constant_within_its_group_is_named():
    frame = example_frame().assign(age=lambda f: f["participant"].str[1:].astype(float) * 10 % 7)
    assert warned(
        report_of(frame, "z ~ age + (1 + age | participant)"), "age does not vary within levels of participant"
    )


def test_slopes_of_a_predictor_far_from_zero_are_pointed_out_and_those_of_years_are_not():
    """Where the intercept lies far outside the data, θ is ill-determined and degrees of freedom lose digits."""
    frame = example_frame().assign(x=np.random.default_rng(3).normal(size=128).round(3))
    for plus, far in ((0, False), (100, False), (2000, True)):
        report = report_of(frame.assign(x=frame["x"] + plus), "z ~ x + order + (1 + x + order | participant)")
        assert warned(report, "x lies so far from zero beside how much it varies", "center(x)") == far
    for formula in ("z ~ x + (1 | participant)", "z ~ x + (1 + x || participant)", "z ~ x + (1 + center(x) | item)"):
        assert not warned(report_of(frame.assign(x=frame["x"] + 2000), formula), "far from zero")


def test_dropped_fixed_effects_are_named_with_the_reason():
    frame = example_frame().assign(copy=lambda f: np.where(f["order"] == "ba", 3.0, 1.0))
    report = report_of(frame, "z ~ order + copy + (1 | item)")
    assert warned(report, "copy cannot be told apart")
    assert report.table("fixed").frame()["term"].tolist() == ["(Intercept)", "orderba"]
    assert report.table("anova").frame().set_index("effect")["f"].isna().all()
    assert "copy cannot be tested with these data." in report.sentences


def test_a_combination_that_never_occurs_has_no_mean_and_less_of_a_test():
    frame = example_frame().assign(marker=lambda f: np.array(["m1", "m2", "m3"])[np.arange(len(f)) // 2 % 3])
    report = report_of(
        frame[~((frame["marker"] == "m3") & (frame["order"] == "ba"))], "z ~ marker * order + (1 | item)"
    )
    means = report.table("means").frame().set_index(["marker", "order"])["mean"]
    assert means.isna().sum() == 1
    assert np.isnan(means[("m3", "ba")])
    assert report.table("anova").frame().set_index("effect").loc["marker:order", "df1"] == 1
    assert warned(report, "marker:order (1 of 2 df)")


def test_a_model_of_one_term_says_whether_combinations_are_missing():
    frame = example_frame().assign(marker=lambda f: np.array(["m1", "m2", "m3"])[np.arange(len(f)) // 2 % 3])
    some = frame[~((frame["marker"] == "m3") & (frame["order"] == "ba"))]
    assert warned(report_of(some, "z ~ marker:order + (1 | item)"), "Type III tests of marker:order", "that occur")
    assert not warned(report_of(frame, "z ~ marker:order + (1 | item)"), "Type III tests")
    assert not warned(report_of(frame, "z ~ marker * order + (1 | item)"), "Type III tests")


def test_a_perfect_correlation_is_called_singular_with_what_to_try():
    random = np.random.default_rng(1)
    g = np.repeat(np.arange(12), 12)
    x = np.tile(np.linspace(-1, 1, 12), 12)
    b = random.normal(0, 1, 12)
    frame = pd.DataFrame({"g": g.astype(str), "x": x, "z": b[g] * (1 + 0.5 * x) + random.normal(0, 1, 144)})
    report = report_of(frame, "z ~ x + (1 + x | g)")
    assert report.table("fit").frame()["singular"][0]
    assert report.table("random").frame()["corr"][1] == pytest.approx(1, abs=1e-6)
    assert warned(report, "singular", "perfect of (Intercept) and x (+1)", "without correlations (||) first")


def test_z_scores_within_participants_are_recognised_only_where_they_are():
    frame = example_frame()
    z = frame.groupby("participant")["z"].transform(lambda v: (v - v.mean()) / v.std())
    formula = "z ~ order + (1 + order | participant) + (1 + order | item)"
    assert warned(report_of(frame.assign(z=z), formula), "by construction", "participant")
    assert not warned(report_of(frame, formula), "by construction")


def test_few_levels_are_pointed_out():
    frame = example_frame().assign(group=lambda f: f["participant"].isin(["P1", "P2", "P3"]).astype(str))
    assert warned(report_of(frame, "z ~ order + (1 | group)"), "group (2 levels)")


def test_a_factor_without_correlations_has_one_variance_or_where_asked_one_for_each_contrast():
    frame = example_frame().assign(marker=lambda f: np.array(["m1", "m2", "m3"])[np.arange(len(f)) % 3])

    def terms(**parameters):
        report = report_of(frame, "z ~ marker + (1 + marker || participant)", **parameters)
        random = report.table("random").frame()
        assert random["corr"].isna().all()
        assert any("expand_re" in note and "by-column" in note for note in report.notes)
        return [term if isinstance(term, str) else None for term in random["term"]]

    assert terms() == ["(Intercept)", "marker", None]
    assert terms(contrasts="sum", uncorrelated="by-column") == ["(Intercept)", "marker1", "marker2", None]


def test_independent_variances_of_treatment_columns_are_warned_of():
    formula = "z ~ order + (1 + order || participant)"
    columns = report_of(example_frame(), formula, uncorrelated="by-column")
    assert warned(columns, "order have independent variances", "contrasts=sum")
    assert not warned(report_of(example_frame(), formula), "independent variances")
    assert not warned(
        report_of(example_frame(), formula, uncorrelated="by-column", contrasts="sum"), "independent variances"
    )


def test_sum_contrasts_are_differences_from_the_mean_of_all_levels():
    frame = example_frame()
    report = report_of(frame, "z ~ order + (1 | participant)", contrasts="sum")
    estimate = report.table("fixed").frame().set_index("term")["estimate"]["order1"]
    means = frame.groupby("order")["z"].mean()
    assert estimate == pytest.approx((means["ab"] - means["ba"]) / 2)


def test_excluded_rows_and_fillers_take_no_part():
    frame = example_frame()
    more = frame.head(20).assign(z=99.0)
    both = pd.concat(
        [frame.assign(excluded="false", is_filler="false"), more.assign(excluded="true", is_filler="false")],
        ignore_index=True,
    )
    formula = "z ~ order + (1 | participant)"
    assert report_of(both, formula).table("fixed").rows == report_of(frame, formula).table("fixed").rows


def test_a_long_fit_can_be_cancelled_between_evaluations():
    seen = []

    def cancel(share, note):
        seen.append(note)
        if "evaluations" in note:
            raise Cancelled

    frame, parameters = example()
    with pytest.raises(Cancelled):
        run(METHOD, frame, parameters, progress=cancel)
    assert seen[-1].startswith("fitting the model")


def test_predictors_of_very_different_sizes_still_converge():
    frame = example_frame().assign(ms=lambda f: np.arange(len(f)) % 9 * 1e6 + 5e8)
    small = frame.assign(ms=lambda f: (f["ms"] - 5e8) / 1e6)
    formula = "z ~ ms + order + (1 | participant) + (1 | item)"
    first, second = (report_of(f, formula).table("fixed").frame().set_index("term") for f in (frame, small))
    assert first.loc["ms", "t"] == pytest.approx(second.loc["ms", "t"], rel=1e-4)
    assert first.loc["orderba", "t"] == pytest.approx(second.loc["orderba", "t"], rel=1e-6)
