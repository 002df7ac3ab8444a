"""Every number of a logistic or ordinal report stands under its own name, and every remark where it belongs."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

PEOPLE, ITEMS = 14, 12


def answers():
    random = np.random.default_rng(8)
    person, item = np.repeat(np.arange(PEOPLE), ITEMS), np.tile(np.arange(ITEMS), PEOPLE)
    order, marker = (person + item) % 2, (person + item // 2) % 3
    eta = 0.6 * order - 0.5 * (marker == 2) + random.normal(0, 0.8, PEOPLE)[person] + random.normal(0, 0.5, ITEMS)[item]
    return pd.DataFrame(
        {
            "participant": [f"P{p}" for p in person],
            "item": [f"I{i}" for i in item],
            "order": np.array(["ab", "ba"])[order],
            "marker": np.array(["because", "cause", "so"])[marker],
            "x": random.normal(size=len(person)).round(3),
            "correct": (random.random(len(person)) < 1 / (1 + np.exp(-eta))).astype(int),
            "rating": np.digitize(eta + random.logistic(size=len(person)), [-1, 0.3, 1.5]) + 1,
        }
    )


def without_ba_so():
    return answers().loc[lambda frame: ~((frame["order"] == "ba") & (frame["marker"] == "so"))]


def never_in_ba_so():
    return answers().assign(correct=lambda f: f["correct"].where(~((f["order"] == "ba") & (f["marker"] == "so")), 0))


@cache
def report(formula, method=GLMM, frame=answers, **parameters):
    return run(method, frame(), {"formula": formula, **parameters})


def lines(found, name):
    table = found.table(name)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def said(found, *words):
    return any(all(word in warning for word in words) for warning in found.warnings)


def noted(found, *words):
    return any(all(word in note for word in words) for note in found.notes)


PLAIN = "correct ~ order * marker + (1 | participant)"


@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_odds_ratios_and_intervals_are_those_of_the_estimates(confidence):
    found = report(PLAIN, means="marker", by="order", confidence=confidence)
    z = stats.norm.isf((1 - confidence) / 2)
    for line in lines(found, "fixed"):
        assert (line["ci_low"], line["ci_high"]) == pytest.approx(
            (line["estimate"] - z * line["se"], line["estimate"] + z * line["se"])
        )
        assert line["z"] == pytest.approx(line["estimate"] / line["se"])
        assert line["p"] == pytest.approx(2 * stats.norm.sf(abs(line["z"])))
    pairs = [(line["estimate"], line) for line in lines(found, "fixed")]
    pairs += [(line["diff"], line) for line in lines(found, "comparisons")]
    for estimate, line in pairs:
        assert line["odds_ratio"] == pytest.approx(np.exp(estimate))
        assert (line["or_low"], line["or_high"]) == pytest.approx(tuple(np.exp([line["ci_low"], line["ci_high"]])))
    for line in lines(found, "means"):
        assert line["ci_high"] == pytest.approx(line["mean"] + z * line["se"])
        assert line["probability_high"] == pytest.approx(1 / (1 + np.exp(-line["ci_high"])))
    wide = stats.studentized_range.isf(1 - confidence, 3, np.inf) / np.sqrt(2)
    for line in lines(found, "comparisons"):
        assert line["ci_high"] - line["diff"] == pytest.approx(wide * line["se"], rel=1e-5)
        assert line["z"] == pytest.approx(line["diff"] / line["se"])
    assert noted(found, f"{confidence:.0%} Wald intervals".replace("%", " %")) or noted(found, f"{confidence:.0%} Wald")


def test_the_measures_of_fit_follow_from_each_other():
    fit = lines(report(PLAIN), "fit")[0]
    assert fit["parameters"] == 7
    assert fit["deviance"] == fit["criterion"] == pytest.approx(-2 * fit["log_lik"])
    assert fit["aic"] == pytest.approx(fit["deviance"] + 14)
    assert fit["bic"] == pytest.approx(fit["deviance"] + 7 * np.log(PEOPLE * ITEMS))
    assert fit["n"] == PEOPLE * ITEMS
    assert fit["converged"] is True


def test_a_fit_that_did_not_converge_says_so():
    frame = answers().assign(correct=lambda data: data["participant"].str[1:].astype(int) % 2)
    found = run(GLMM, frame, {"formula": "correct ~ order + (1 | participant) + (1 | item)"})
    assert lines(found, "fit")[0]["converged"] is False
    assert said(found, "did not converge", "Do not report these numbers")
    assert not said(report(PLAIN), "did not converge")


def test_what_is_said_of_random_effects_of_linear_models_is_said_here():
    assert said(report(PLAIN), "Only intercepts vary for participant (order, marker, order:marker)")
    assert said(report("rating ~ order + (1 | participant)", ORDINAL), "Only intercepts vary for participant (order)")


def test_the_proposed_slopes_are_those_of_the_formula():
    assert said(report(PLAIN), "Consider (1 + order * marker || participant).")
    assert said(report("correct ~ order + x + (1 | participant)"), "Consider (1 + order + x || participant).")
    three = "correct ~ order * marker + x + (1 | participant)"
    assert said(report(three), "Consider (1 + order + marker + x + order:marker || participant).")


def test_after_separation_slopes_are_said_to_be_constant_only_where_they_are_so_in_all_rows():
    """Never right in 'because', so that the rows that decide have one order for many participants."""
    frame = answers().assign(correct=lambda f: f["correct"].where(f["order"] == "ba", 0))
    found = run(GLMM, frame, {"formula": "correct ~ order + (1 + order || participant)"})
    assert said(found, "There is separation")
    assert not said(found, "does not vary within levels")


def test_missing_combinations_are_pointed_out_where_they_are_missing():
    found = report(PLAIN, frame=without_ba_so, contrasts="treatment")
    assert said(found, "Type III tests of", "order:marker (1 of 2 df)")
    assert said(found, "orderba:markerso cannot be told apart")
    assert not said(report(PLAIN), "Type III tests of")
    assert not said(report(PLAIN), "cannot be told apart")


def test_a_cell_in_which_the_outcome_never_occurred_is_named():
    found = report(PLAIN, frame=never_in_ba_so, contrasts="treatment")
    cell = int(((answers()["order"] == "ba") & (answers()["marker"] == "so")).sum())
    assert said(
        found, f"for {cell} rows of {PEOPLE * ITEMS}", "(in order ba with marker so)", "orderba:markerso has no"
    )
    assert not said(found, "Type III tests of")
    assert not said(found, "cannot be told apart")
    fixed = {line["term"]: line for line in lines(found, "fixed")}
    assert fixed["orderba:markerso"]["estimate"] is None
    assert fixed["orderba:markerso"]["meaning"]
    assert fixed["orderba:markercause"]["estimate"] is not None
    assert lines(found, "fit")[0]["n"] == PEOPLE * ITEMS
    assert any(sentence.startswith("orderba:markerso (") and "no finite" in sentence for sentence in found.sentences)
    assert noted(found, f"fitted to {PEOPLE * ITEMS} rows with {PEOPLE} levels of participant")
    tests = {line["effect"]: line["test"] for line in lines(found, "anova")}
    assert tests["order:marker"] == "likelihood ratio"


def test_a_level_in_which_the_outcome_never_occurred_is_named_once_and_not_its_combinations():
    frame = answers().assign(correct=lambda data: data["correct"].where(data["marker"] != "so", 0))
    found = run(GLMM, frame, {"formula": PLAIN, "contrasts": "treatment"})
    assert said(found, "(in marker so)", "markerso and orderba:markerso have no finite estimate")


def test_two_effects_without_an_estimate_have_none_in_the_plural():
    frame = answers().assign(correct=lambda data: data["correct"].where(data["order"] != "ab", 0))
    found = run(GLMM, frame, {"formula": "correct ~ order + (1 | participant)"})
    assert said(found, "(in order ab)", "(Intercept) and orderba have no finite estimate")


def test_rare_outcomes_are_counted_whichever_is_the_rarer():
    frame = answers()
    rare = (np.arange(len(frame)) % 9 == 4).astype(int)
    for values in (rare, 1 - rare):
        found = run(GLMM, frame.assign(correct=values), {"formula": PLAIN})
        assert said(found, f"The rarer outcome occurred {rare.sum()} times for 5 effects; with fewer than about 10 per")
    assert not said(report("correct ~ order + (1 | participant)"), "The rarer outcome")
    enough = report(PLAIN)
    count = int(min(frame["correct"].sum(), (1 - frame["correct"]).sum()))
    assert 50 <= count < 100
    assert not said(enough, "The rarer outcome")


def test_few_answers_per_level_are_pointed_out_for_single_answers_only():
    frame = answers().assign(pair=lambda data: np.arange(len(data)) // 2, person=lambda data: np.arange(len(data)) // 3)
    assert said(
        run(GLMM, frame, {"formula": "correct ~ order + (1 | pair)"}), "fewer than three answers per level of pair"
    )
    assert not said(run(GLMM, frame, {"formula": "correct ~ order + (1 | person)"}), "fewer than three answers")
    counts = frame.assign(of=20)
    found = run(GLMM, counts, {"formula": "correct ~ order + (1 | pair)", "trials": "of"})
    assert not said(found, "fewer than three answers")
    assert not said(found, "The rarer outcome")
    rated = run(ORDINAL, frame, {"formula": "rating ~ order + (1 | pair)", "nominal": False})
    assert not said(rated, "fewer than three answers")


def test_effects_that_nearly_separate_are_named_in_either_direction_and_in_any_unit():
    """The size of an effect is that over the range of its predictor, so units do not matter."""
    for sign in (1, -1):
        frame = answers().assign(x=lambda data: np.linspace(-1, 1, len(data)))
        frame["correct"] = (sign * frame["x"] + np.random.default_rng(3).logistic(0, 0.08, len(frame)) > 0).astype(int)
        for unit in (1.0, 1e-4, 1e4):
            scaled = frame.assign(x=frame["x"] * unit)
            found = run(GLMM, scaled, {"formula": "correct ~ x + order + (1 | participant)"})
            assert said(found, "So large an effect as that of x nearly separates")
    tiny = answers().assign(x=lambda data: data["x"] * 1e-4)
    assert not said(run(GLMM, tiny, {"formula": "correct ~ x + (1 | participant)"}), "nearly separates")


@pytest.mark.parametrize("unit", [1.0, 1e-4, 1e4])
def test_huge_differences_between_people_are_named_with_the_effect_that_differs(unit):
    """People whose answers follow x in opposite directions; the size is that over the range of x, in any unit."""
    frame = answers()
    direction = np.where(frame["participant"].str[1:].astype(int) % 2, 1, -1)
    frame["correct"] = (direction * frame["x"] + np.random.default_rng(2).logistic(0, 0.06, len(frame)) > 0).astype(int)
    found = run(GLMM, frame.assign(x=frame["x"] * unit), {"formula": "correct ~ 1 + (1 + x || participant)"})
    varying = {line["term"]: line["sd"] for line in lines(found, "random")}
    size = varying["x"] * unit * frame["x"].abs().max()
    assert size > 8 > varying["(Intercept)"]
    (warning,) = [text for text in found.warnings if "the same answer throughout" in text]
    assert warning.startswith("The standard deviation between levels of participant in x is ")
    assert float(warning.split(" is ")[1].split(" ")[0]) == pytest.approx(size, rel=1e-3)
    assert not said(report(PLAIN), "the same answer throughout")


def test_differences_between_people_are_judged_where_the_data_are_and_not_at_zero():
    """Years: the intercept is that of the year 0, whose standard deviation is large and says nothing about answers."""
    frame = answers().assign(year=lambda data: 2000 + np.arange(len(data)) % 12)
    slope = np.where(frame["participant"].str[1:].astype(int) % 2, 1.5, -1.5)
    linear = slope * (frame["year"] - 2005.5) / 5 + np.random.default_rng(6).logistic(size=len(frame))
    found = run(
        GLMM, frame.assign(correct=(linear > 0).astype(int)), {"formula": "correct ~ 1 + (1 + year | participant)"}
    )
    assert max(line["sd"] for line in lines(found, "random")) > 100
    assert not said(found, "the same answer throughout")


def test_large_differences_between_people_are_not_yet_huge_ones():
    frame = answers()
    person = frame["participant"].str[1:].astype(int) - (PEOPLE - 1) / 2
    frame["correct"] = (person * 0.8 + np.random.default_rng(4).logistic(size=len(frame)) > 0).astype(int)
    found = run(GLMM, frame, {"formula": "correct ~ order + (1 | participant)"})
    assert 2 < lines(found, "random")[0]["sd"] < 8
    assert not said(found, "the same answer throughout")


def test_people_who_hardly_change_their_answer_are_named_without_an_effect():
    frame = answers().assign(
        correct=lambda data: (data["participant"].str[1:].astype(int) % 2).where(data.index != 7, 1)
    )
    found = run(GLMM, frame, {"formula": "correct ~ x + (1 | participant)"})
    assert said(found, "The standard deviation between levels of participant is ", "the same answer throughout")


def test_the_notes_say_what_was_fitted_and_how():
    found = report(PLAIN, contrasts="treatment")
    assert noted(found, "Mixed logistic model (binomial, logit link) correct ~ order * marker", "Laplace")
    assert noted(found, "treatment contrasts", "order (ab, ba) and marker (because, cause, so)")
    assert noted(found, "With treatment contrasts and an interaction")
    summed = report(PLAIN, contrasts="sum")
    assert noted(summed, "sum contrasts", "minus the sum of the others")
    assert not noted(summed, "treatment contrasts")
    assert not noted(report("correct ~ order + (1 | participant)"), "and an interaction")
    assert not noted(report("correct ~ x + (1 | participant)"), "contrasts (")
    fixed = report("rating ~ order", ORDINAL)
    assert noted(fixed, "Cumulative logit model rating ~ order, fitted to 168 rows by maximum likelihood;")
    assert noted(report("correct ~ x + (1 + x || participant)"), "Terms with ||")
    assert not noted(report("correct ~ x + (1 + x | participant)"), "Terms with ||")


def test_an_effect_without_data_has_no_test_and_the_sentence_says_so():
    frame = answers().assign(copy=lambda data: np.where(data["order"] == "ba", 3.0, 1.0))
    found = run(GLMM, frame, {"formula": "correct ~ order + copy + (1 | participant)"})
    for name in ("df", "chi2", "p", "test"):
        assert [line[name] for line in lines(found, "anova")] == [None, None]
    assert "order cannot be tested with these data." in found.sentences
    assert [line["term"] for line in lines(found, "fixed")] == ["(Intercept)", "orderba"]


def test_sentences_have_the_numbers_of_their_lines_and_tests_come_first():
    found = report("correct ~ order + (1 | participant)", compare="correct ~ 1 + (1 | participant)")
    assert [line["test"] for line in lines(found, "anova")] == ["Wald"]
    line, effect, larger = (lines(found, name)[-1] for name in ("fixed", "anova", "comparison"))
    first, means, second, third = found.sentences
    assert means.startswith("order: probabilities ")
    assert first.startswith(f"order: χ²(1) = {effect['chi2']:.2f}, p ")
    larger_and_smaller = "correct ~ order + (1 | participant), against the smaller, correct ~ 1 + (1 | participant)"
    assert second.startswith(f"The larger model, {larger_and_smaller}: χ²(1) = ")
    assert f"{larger['chi2']:.2f}" in second
    assert third.startswith("orderba (ba − ab): b = ")
    assert f"{line['estimate']:.3f}"[1:] in third
    assert f"odds ratio {line['odds_ratio']:.2f}" in third


def test_ordinal_sentences_name_proportional_odds():
    found = report("rating ~ order", ORDINAL)
    checked = lines(found, "nominal")[0]
    assert f"Proportional odds of order: χ²(2) = {checked['chi2']:.2f}, p = {checked['p']:.3f}".replace(
        "p = 0.", "p = ."
    ) in " ".join(found.sentences)
    assert not any("(Intercept)" in line["term"] for line in lines(found, "fixed"))


def test_factors_named_like_a_column_of_numbers_keep_a_column_of_their_own():
    frame = answers().rename(columns={"order": "se", "marker": "probability"})
    found = run(GLMM, frame, {"formula": "correct ~ se + probability + (1 | participant)"})
    names = [column.name for column in found.table("means").columns]
    assert names[:2] == ["se_level", "probability_level"]
    assert {line["se_level"] for line in lines(found, "means")} == {"ab", "ba"}
    assert len(names) == len(set(names))


def test_pictures_show_probabilities_with_their_intervals_and_a_panel_for_further_factors():
    four = answers().assign(list=lambda data: np.arange(len(data)) % 2, site=lambda data: np.arange(len(data)) // 84)
    formula = "correct ~ order + marker + factor(list) + factor(site) + (1 | participant)"
    found = run(GLMM, four, {"formula": formula})
    picture = next(figure for figure in found.figures if figure.name == "means")
    assert (picture.encoding["x"], picture.encoding["colour"], picture.encoding["panel"]) == (
        "order",
        "marker",
        "panel",
    )
    assert {line["panel"] for line in lines(found, "means")} == {"0:0", "0:1", "1:0", "1:1"}
    values = [picture.encoding[name] for name in ("low", "y", "high")]
    assert values == ["probability_low", "probability", "probability_high"]
    three = report("correct ~ order + marker + x + (1 | participant)", means="order")
    pictures = {figure.name: figure.encoding for figure in three.figures}
    assert pictures["means"]["x"] == "order"
    assert "colour" not in pictures["means"]
    assert (pictures["differences"]["low"], pictures["differences"]["high"]) == (
        "probability_diff_low",
        "probability_diff_high",
    )
    alone = [figure.name for figure in report("correct ~ x + (1 | participant)").figures]
    assert alone == ["coefficients", "calibration", "binned-residuals", "random-effects", "influence"]


def test_pictures_show_only_columns_that_their_table_has():
    """The means of an ordinal model are in points and have no probabilities."""
    found = report("rating ~ order + marker", ORDINAL, means="marker")
    assert [figure.name for figure in found.figures] == ["means", "differences"]
    for figure in (*found.figures, *report(PLAIN, means="marker", by="order").figures):
        table = (found if figure in found.figures else report(PLAIN, means="marker", by="order")).table(figure.table)
        assert set(figure.encoding.values()) <= {column.name for column in table.columns}


def test_pictures_of_several_outcomes_have_a_panel_for_each():
    frame = answers().assign(other=lambda data: 1 - data["correct"].shift(1, fill_value=0))
    found = run(GLMM, frame, {"formula": "~ order * marker + (1 | participant)", "outcome": "correct,other"})
    picture = next(figure for figure in found.figures if figure.name == "means")
    assert picture.encoding["panel"] == "outcome"
    assert (picture.encoding["x"], picture.encoding["colour"]) == ("order", "marker")
    assert any(sentence.startswith("other, order1 (") for sentence in found.sentences)
