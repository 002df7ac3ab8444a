"""What glmm and ordinal say and do where data are awkward, and one model for each of several codes."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.example import binary_example, ordinal_example
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from analysis.methods.wording import p_text

pytestmark = pytest.mark.slow


def recalls(people=16, items=12):
    """Return codings of recalls: two codes that depend on order, one that is never given, one never with order ab."""
    random = np.random.default_rng(5)
    skill, ease = random.normal(0, 0.8, people), random.normal(0, 0.6, items)
    lines = []
    for person in range(people):
        for item in range(items):
            ba = (person + item) % 2
            linear = skill[person] + ease[item]
            lines.append(
                {
                    "participant": f"P{person}",
                    "item": f"I{item}",
                    "order": ("ab", "ba")[ba],
                    "code_0": int(linear + 0.8 * ba + random.logistic() > 0),
                    "code_3": int(linear - 1.2 * ba + random.logistic() > 0.5),
                    "code_5": 0,
                    "code_6": int(ba and random.random() < 0.3),
                }
            )
    return pd.DataFrame(lines)


FORMULA = "~ order + (1 | participant) + (1 | item)"


def test_each_code_gets_the_model_that_it_has_alone():
    frame = recalls()
    together = run(GLMM, frame, {"formula": FORMULA, "outcome": "code_0,code_3", "means": "order"})
    for code in ("code_0", "code_3"):
        alone = run(GLMM, frame, {"formula": f"{code} {FORMULA}", "means": "order"})
        checks = {"calibration", "units", "influence"}  # of one model only
        for table in (table for table in alone.tables if table.name not in checks):
            both = together.table(table.name).frame()
            mine = both[both["outcome"] == code].drop(columns=["outcome", "p_outcomes"], errors="ignore")
            pd.testing.assert_frame_equal(mine.reset_index(drop=True), table.frame(), check_dtype=False)


def test_p_values_of_a_term_are_corrected_over_the_codes():
    fixed = run(GLMM, recalls(), {"formula": FORMULA, "outcome": "code_0,code_3"}).table("fixed").frame()
    order = fixed[fixed["term"] == "orderba"]
    smaller, larger = sorted(order["p"])
    assert sorted(order["p_outcomes"]) == pytest.approx([min(2 * smaller, 1), max(larger, 2 * smaller)])


def test_a_code_that_was_never_given_is_named_and_the_others_are_analysed():
    report = run(GLMM, recalls(), {"formula": FORMULA, "outcome": "code_0,code_5"})
    assert set(report.table("fixed").frame()["outcome"]) == {"code_0"}
    assert any(
        warning.startswith("code_5 was left out.") and "never occurred" in warning for warning in report.warnings
    )


def test_the_formula_of_several_codes_may_have_a_left_side_and_a_comparison():
    given = {"formula": f"code_0 {FORMULA}", "outcome": "code_3", "compare": "~ 1 + (1 | participant) + (1 | item)"}
    report = run(GLMM, recalls(), given)
    assert report.table("comparison").frame()["df"].dropna().tolist() == [1]


def test_a_condition_without_the_code_is_reported_without_an_infinite_estimate():
    report = run(GLMM, recalls(), {"formula": f"code_6 {FORMULA}", "means": "order"})
    fixed = report.table("fixed").frame().set_index("term")
    assert pd.isna(fixed["estimate"]["orderba"])
    assert any("order ab" in warning and "infinite" in warning for warning in report.warnings)
    means = report.table("means").frame().set_index("order")
    assert pd.isna(means["probability"]["ab"])
    assert 0.1 < means["probability"]["ba"] < 0.6
    effect = report.table("anova").frame().iloc[0]
    assert effect["test"] == "likelihood ratio"
    assert 0 < effect["p"] < 0.001


def test_a_likelihood_ratio_of_a_separated_effect_is_that_of_the_limit():
    """Along the way to infinity the likelihood rises to the value that is reported."""
    frame = recalls()
    report = run(GLMM, frame, {"formula": f"code_6 {FORMULA}"})
    nearly = frame.copy()
    inside = nearly.index[nearly["order"] == "ab"][0]
    nearly.loc[inside, "code_6"] = 1
    limit = report.table("fit").frame()["log_lik"].iloc[0]
    assert run(GLMM, nearly, {"formula": f"code_6 {FORMULA}"}).table("fit").frame()["log_lik"].iloc[0] < limit


def test_an_outcome_that_is_predicted_without_error_is_refused():
    frame, parameters = binary_example()
    spoilt = frame.assign(correct=(frame["order"] == "ba").astype(str).str.lower())
    with pytest.raises(BadInput, match="separated completely"):
        run(GLMM, spoilt, parameters)


def test_two_other_values_are_read_and_the_one_that_counts_is_named():
    frame, parameters = binary_example()
    words = frame.assign(correct=frame["correct"].map({"true": "yes, it was", "false": "no"}))
    plain, named = run(GLMM, frame, parameters), run(GLMM, words, parameters)
    turned = run(GLMM, words, {**parameters, "positive": "no"})
    estimate = plain.table("fixed").frame()["estimate"]
    assert named.table("fixed").frame()["estimate"].tolist() == estimate.tolist()
    assert turned.table("fixed").frame()["estimate"].to_numpy() == pytest.approx(-estimate.to_numpy(), abs=1e-6)
    assert any("'yes, it was' counts as success" in warning for warning in named.warnings)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"formula": "rt ~ order + (1 | item)"}, "two values"),
        ({"formula": "log(rt) ~ order + (1 | item)"}, "stands alone"),
        ({"formula": "correct ~ order"}, "no random term"),
        ({"formula": "correct ~ order + (1 | trial)"}, "one answer each"),
        ({"positive": "perhaps"}, "There is no value 'perhaps'"),
        ({"trials": "trial"}, "must count successes|must hold numbers"),
        ({"by": "order"}, "means="),
    ],
)
def test_what_cannot_be_analysed_is_refused_in_a_sentence(change, said):
    frame, parameters = binary_example()
    frame = frame.assign(rt=np.linspace(1, 2, len(frame)).astype(str), trial=[f"T{i}" for i in range(len(frame))])
    with pytest.raises(BadInput, match=said):
        run(GLMM, frame, {**parameters, **change})


def test_counts_and_single_answers_have_the_same_estimates():
    frame = recalls()
    counted = frame.groupby(["participant", "order"], as_index=False).agg(
        right=("code_0", "sum"), of=("code_0", "size")
    )
    single = run(GLMM, frame, {"formula": "code_0 ~ order + (1 | participant)"})
    summed = run(GLMM, counted, {"formula": "right ~ order + (1 | participant)", "trials": "of"})
    for which in ("fixed", "random"):
        first, second = single.table(which).frame(), summed.table(which).frame()
        numbers = ["estimate", "se"] if which == "fixed" else ["var"]
        assert first[numbers].to_numpy() == pytest.approx(second[numbers].to_numpy(), rel=1e-5)


def test_people_who_always_answer_the_same_are_pointed_out():
    frame = recalls().assign(same=lambda data: (data["participant"] < "P2").astype(int))
    frame.loc[frame.index[[3, 40]], "same"] = 1 - frame.loc[frame.index[[3, 40]], "same"]
    report = run(GLMM, frame, {"formula": "same ~ order + (1 | participant)"})
    assert any("gave the same answer throughout" in warning for warning in report.warnings)


def test_empty_categories_are_named_and_the_model_is_that_of_the_others():
    frame, parameters = ordinal_example()
    wider = frame.assign(rating=frame["rating"].map({1: 1, 2: 2, 3: 4, 4: 5}))
    report = run(ORDINAL, wider, parameters)
    assert any("Nobody chose 3" in warning for warning in report.warnings)
    assert report.table("thresholds").frame()["threshold"].tolist() == ["1|2", "2|4", "4|5"]
    assert (
        report.table("fit").frame()["log_lik"].tolist()
        == run(ORDINAL, frame, parameters).table("fit").frame()["log_lik"].tolist()
    )


def test_categories_that_are_words_need_an_order():
    frame, parameters = ordinal_example()
    names = {1: "never", 2: "rarely", 3: "often", 4: "always"}
    words = frame.assign(rating=frame["rating"].map(names))
    given = {**parameters, "order": "never,rarely,often,always"}
    found, expected = run(ORDINAL, words, given), run(ORDINAL, frame, parameters)
    assert found.table("fixed").rows == expected.table("fixed").rows
    assert any("alphabetical order" in warning for warning in run(ORDINAL, words, parameters).warnings)
    with pytest.raises(BadInput, match="always of 'rating' is not in it"):
        run(ORDINAL, words, {**parameters, "order": "never,rarely,often"})


def test_turning_the_scale_round_turns_the_estimates_round():
    frame, parameters = ordinal_example()
    turned = run(ORDINAL, frame.assign(rating=5 - frame["rating"]), parameters)
    plain = run(ORDINAL, frame, parameters)
    first, second = (report.table("fixed").frame()["estimate"].to_numpy() for report in (plain, turned))
    assert second == pytest.approx(-first, abs=1e-6)
    first, second = (report.table("thresholds").frame()["estimate"].to_numpy() for report in (plain, turned))
    assert second == pytest.approx(-first[::-1], abs=1e-6)


def test_two_categories_are_a_mixed_logistic_model():
    frame, parameters = binary_example()
    rated = frame.assign(correct=(frame["correct"] == "true") + 1)
    ordered, logistic = run(ORDINAL, rated, parameters), run(GLMM, frame, parameters)
    both = [report.table("fixed").frame().set_index("term").loc["orderba"] for report in (ordered, logistic)]
    assert both[0]["estimate"] == pytest.approx(both[1]["estimate"], abs=1e-7)
    assert both[0]["se"] == pytest.approx(both[1]["se"], rel=1e-6)


def test_ratings_that_a_condition_decides_are_refused():
    frame, parameters = ordinal_example()
    spoilt = frame.assign(rating=np.where(frame["order"] == "ab", 1, frame["rating"].clip(lower=2)))
    with pytest.raises(BadInput, match=r"separated.*order"):
        run(ORDINAL, spoilt, parameters)


def test_an_effect_that_differs_between_thresholds_is_noticed():
    random = np.random.default_rng(3)
    group = np.repeat(["a", "b"], 400)
    rating = np.where(group == "a", random.choice([1, 2, 3, 4], 800), random.choice([2, 3], 800))
    rating[random.random(800) < 0.05] = random.choice([1, 4])
    report = run(ORDINAL, pd.DataFrame({"group": group, "rating": rating}), {"formula": "rating ~ group"})
    assert report.table("nominal").frame()["p"].iloc[0] < 1e-6
    assert any("Proportional odds are doubtful for group" in warning for warning in report.warnings)


@pytest.mark.parametrize("far", ["1e+300", "100000000000"])
def test_a_category_far_from_the_others_is_a_category(far):
    frame, _ = ordinal_example()
    given = {"formula": "rating ~ order", "nominal": False}
    near = run(ORDINAL, frame, given)
    report = run(ORDINAL, frame.assign(rating=frame["rating"].astype(str).replace("4", far)), given)
    assert report.table("fixed").rows == near.table("fixed").rows


def test_sentences_of_several_outcomes_have_the_corrected_p():
    report = run(GLMM, recalls(), {"formula": f"code_1 {FORMULA}", "outcome": "code_0,code_3"})
    tested = report.table("anova").lines()[0]
    (sentence,) = [text for text in report.sentences if text.startswith(f"code_0, {tested['effect']}: χ²")]
    assert sentence.endswith(f"(Holm over 2 outcomes, {p_text(tested['p_outcomes'])}).")
    assert any("code_1, left of ~ in the formula, was not analysed" in text for text in report.warnings)
