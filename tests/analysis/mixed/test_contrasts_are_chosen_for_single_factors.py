"""Contrasts are chosen for all factors or single ones; what cannot be meant is refused with a sentence that helps."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.mixed.design.contrast_choice import read_contrasts
from analysis.methods.mixed.design.own_contrasts import hypotheses_of
from analysis.methods.mixed.method import METHOD as LMM
from analysis.methods.parameters import read
from analysis.methods.registry import run
from analysis.methods.report import BadInput


def answers():
    random = np.random.default_rng(16)
    people, items = np.indices((12, 12)).reshape(2, -1)
    y = random.normal(0, 0.5, 12)[people] + random.normal(size=144)
    return pd.DataFrame(
        {
            "participant": [f"P{p}" for p in people],
            "condition": np.array(["a", "b", "c"])[(people + items) % 3],
            "order": np.array(["ab", "ba"])[people // 3 % 2],
            "dose": np.array(["0", "10", "50"])[(people + items // 3) % 3],
            "x": random.normal(size=144).round(2),
            "z": y.round(3),
            "correct": (y > 0).astype(int),
            "rating": np.digitize(y, [-1, 0.3, 1.2]),
        }
    )


def report(contrasts, formula="z ~ condition + order + (1 | participant)", method=LMM, **parameters):
    return run(method, answers(), {"formula": formula, "contrasts": contrasts, **parameters})


def said(contrasts, formula="z ~ condition + order + (1 | participant)", **parameters):
    fixed = report(contrasts, formula, **parameters).table("fixed").frame()
    return dict(zip(fixed["term"], fixed["meaning"], strict=True))


def refusal(contrasts, **parameters):
    with pytest.raises(BadInput) as refused:
        report(contrasts, **parameters)
    return str(refused.value)


def own(text, levels=("a", "b", "c")):
    return hypotheses_of("condition", levels, [text])[0].tolist()


def test_one_set_holds_for_all_factors_and_others_for_single_ones():
    assert set(said("repeated")) == {"(Intercept)", "conditionb-a", "conditionc-b", "orderba-ab"}
    mixed = said("sum; condition=helmert")
    assert mixed["condition2"] == "(c − mean of a, b) / 3"
    assert mixed["order1"] == "ab − mean of order"
    assert said("condition = repeated, order = polynomial")["order.L"] == "linear trend over ab, ba"


def test_factors_that_are_not_named_have_what_suits_the_formula():
    assert "orderba" in said("condition=repeated")
    assert "order1" in said("condition=repeated", "z ~ condition * order + (1 | participant)")


def test_the_intercept_is_the_mean_at_the_first_level_of_factors_with_treatment_contrasts_alone():
    assert said("helmert")["(Intercept)"] == "the mean of all cells"
    assert said("treatment")["(Intercept)"] == "the first cell"
    assert said("helmert; order=treatment")["(Intercept)"] == "the mean of all cells at ab"


def test_beside_an_interaction_only_treatment_contrasts_hold_at_a_level():
    found = said("condition=treatment; order=repeated", "z ~ condition * order + (1 | participant)")
    assert found["conditionb"] == "b − a"
    assert found["orderba-ab"] == "ba − ab at a"
    assert found["conditionc:orderba-ab"] == "(c − a) × (ba − ab)"


def test_repeated_contrasts_follow_the_order_of_levels_which_the_report_says():
    found = report("repeated", levels="condition=c,a,b")
    assert "conditiona-c" in found.table("fixed").frame()["term"].tolist()
    assert any("the one before it), levels in this order: condition (c, a, b)" in note for note in found.notes)


def test_own_contrasts_are_named_in_the_report_with_their_weights():
    found = report("own: condition = a-b, (a+b)/2-c; order=sum", "z ~ condition * order + (1 | participant)")
    lines = {line["term"]: line for line in found.table("hypotheses").lines()}
    assert lines["condition2"]["hypothesis"] == "Mean of a and b minus mean of c, averaged over order"
    assert lines["condition2"]["weights"] == "condition (a 1/2, b 1/2, c −1)"
    assert lines["condition1:order1"]["hypothesis"] == (
        "How [mean of a minus mean of b] differs over order: [mean of ab minus mean of all levels of order]"
    )
    assert any("condition has hypotheses of its own (a − b; mean of a, b − c)" in note for note in found.notes)
    assert "contrasts(data$condition) <- MASS::ginv(rbind(c(1, -1, 0), c(0.5, 0.5, -1)))" in found.scripts["brms.R"]


def test_without_intercept_and_within_levels_the_table_says_where_a_coefficient_holds():
    lines = report("treatment", "z ~ 0 + condition + order + (1 | participant)").table("hypotheses").lines()
    assert lines[0]["hypothesis"] == "Mean at condition a, at order ab"
    nested = report("repeated", "z ~ condition / order + x + (1 | participant)").table("hypotheses").lines()
    assert nested[0]["hypothesis"] == "Mean of all cells, every level weighted evenly, at x = 0"
    assert nested[1]["hypothesis"] == "Mean of b minus mean of a, averaged over order"
    assert nested[-1]["hypothesis"] == "Mean of ba minus mean of ab, at condition c"


def test_the_table_of_codes_has_the_weights_as_numbers():
    codes = report("helmert").table("codes").frame().set_index(["contrast", "level"])
    assert codes.loc[("(c − mean of a, b) / 3", "a"), "weight"] == pytest.approx(-1 / 6)
    assert codes.loc[("(c − mean of a, b) / 3", "c"), "code"] == pytest.approx(2)


def test_fewer_own_contrasts_than_degrees_of_freedom_are_completed_and_keep_the_test_of_the_factor():
    part, whole = (report(text) for text in ("own: condition = a-b", "treatment"))
    assert part.table("anova").lines()[0]["df1"] == 2
    assert part.table("anova").lines()[0]["f"] == pytest.approx(whole.table("anova").lines()[0]["f"])
    assert any("1 contrast of 'condition' leave" in note for note in part.notes)


@pytest.mark.parametrize(("method", "measure"), [(GLMM, "correct"), (ORDINAL, "rating")])
def test_logistic_and_ordinal_models_have_them_too(method, measure):
    found = report("own: condition = a-b; order=repeated", f"{measure} ~ condition + order + (1 | participant)", method)
    terms = found.table("fixed").frame()["term"].tolist()
    assert terms[-3:] == ["condition1", "condition2", "orderba-ab"]
    assert found.table("hypotheses").frame()["term"].tolist() == terms


def test_where_combinations_are_missing_no_comparison_is_claimed():
    frame = answers()
    frame = frame[(frame["condition"] != "c") | (frame["order"] != "ba")]
    formula = {"formula": "z ~ condition * order + (1 | participant)", "contrasts": "treatment"}
    meanings = run(LMM, frame, formula).table("fixed").frame().set_index("term")["meaning"]
    assert meanings["conditionb"] == "b − a at ab"
    summed = run(LMM, frame, {**formula, "contrasts": "sum"}).table("fixed").frame().set_index("term")["meaning"]
    assert summed["order1"].startswith("no comparison by itself")


def test_polynomial_contrasts_of_numbers_at_unequal_distances_say_so():
    notes = report("dose=polynomial", "z ~ factor(dose) + (1 | participant)").notes
    assert any("'dose' are numbers at unequal distances (0, 10, 50)" in note for note in notes)


def test_hypotheses_are_read_as_they_are_written():
    assert own("1/2 a + 0.5b − c") == own("(a+b)/2 - c") == own("0.5*(a + b) - 2c/2") == [0.5, 0.5, -1]
    assert own("-a + b") == [-1, 1, 0]
    assert own("cause-noun - cause", ("cause", "cause-noun", "so")) == [-1, 1, 0]
    assert own('"2" - "10"', ("2", "10")) == [1, -1]
    assert own('"(a)" - a', ("a", "(a)")) == [-1, 1]


@pytest.mark.parametrize(
    ("contrasts", "words"),
    [
        ("helmet", "There is no set of contrasts 'helmet'; did you mean 'helmert'?"),
        ("condition=a-b", "One's own are written with own: in front"),
        ("sum; repeated", "'sum' and 'repeated' are both given for all factors"),
        ("conditon=sum", "did you mean 'condition'?"),
        ("condition=sum; condition=helmert", "'condition' is named twice"),
        ("own: condition", "write own:, a factor, =, and what to compare"),
        ("own: condition = a-d", "There is no level of condition 'd'. The levels of condition are: a, b and c."),
        ("own: condition = a+b-c", "sum to 1.00; those of a contrast sum to 0"),
        ("own: condition = a-a", "all weights of 'a-a' are 0"),
        ("own: condition = a-1", "a level whose name is a number stands in quotes"),
        ("own: condition = a*b", "multiplies levels with each other"),
        ("own: condition = (a-b", "it ends too early"),
        ("own: condition = a-b)", "cannot be read at ')'"),
        ("own: condition = (a-b)/0", "divides by something else than a number that is not 0"),
        ("own: condition = 9e9 a - b", "There is no level of condition 'e9'"),
        ("own: condition = 99999999 a - 99999999 b", "are too large"),
        ("own: condition = a-b, b-c, a-c", "at most 2 independent contrasts; 3 are given"),
        ("own: condition = a-b, b-a", "'b-a' follows from the contrasts of 'condition' before it"),
        ("own: condition = " + "(" * 4000, "cannot be read"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_with_what_to_do(contrasts, words):
    assert words in refusal(contrasts)


def test_a_number_has_no_contrasts():
    said = refusal("x=repeated", formula="z ~ condition + x + (1 | participant)")
    assert "'x' holds numbers and is one slope" in said
    assert "categorical=x" in said


def test_a_factor_that_only_the_larger_model_has_keeps_its_contrasts():
    found = report("order=repeated", compare="z ~ condition + (1 | participant)")
    assert "orderba-ab" in found.table("fixed").frame()["term"].tolist()
    assert found.table("comparison").rows


def test_signs_and_numbers_are_levels_where_they_stand_in_quotes():
    assert own('"+" - "-"', ["+", "-"]) == [1, -1]
    assert own('"1" - 1/2 "0" - 1/2 "-1"', ["-1", "0", "1"]) == [-0.5, -0.5, 1]


def test_names_with_other_signs_stand_in_quotes():
    chosen = read_contrasts('"my, factor"=sum\nOWN: "a; b" = x-y')
    assert chosen.named == {"my, factor": "sum"}
    assert chosen.own == {"a; b": ("x-y",)}


def test_trends_over_names_say_over_which_order():
    made = report("polynomial", "z ~ condition + (1 | participant)", levels="condition=b,c,a")
    assert said("polynomial", "z ~ condition + (1 | participant)", levels="condition=b,c,a")["condition.L"] == (
        "linear trend over b, c, a"
    )
    assert any("trends over its levels in this order: b, c, a" in note for note in made.notes)


def test_a_set_that_does_not_exist_is_refused_before_anything_runs():
    with pytest.raises(BadInput, match=r"contrasts: .*did you mean 'sum'"):
        read(LMM.parameters, {"formula": "z ~ condition + (1 | participant)", "contrasts": "summ"}, ["z", "condition"])


def test_models_that_automatic_contrasts_give_other_random_columns_are_not_compared():
    formula, smaller = "z ~ condition * order + (1 + condition || participant)", "z ~ condition + order"
    smaller += " + (1 + condition || participant)"
    with pytest.raises(BadInput, match="has other automatic contrasts in each of the models"):
        report("automatic", formula, compare=smaller, uncorrelated="by-column")
    given = report("sum", formula, compare=smaller, uncorrelated="by-column")
    assert given.table("comparison").frame()["chi2"].iloc[1] >= 0


def test_effects_in_single_levels_are_shown_where_a_deviation_moves_one_coefficient_alone():
    def effects(formula, contrasts="automatic"):
        units = report(contrasts, formula).table("units").frame()
        return set(units["effect_of"].dropna()) - {""}

    assert effects("z ~ order + (1 + order | participant)") == {"orderba"}
    # A contrast of a term with one variance moves several coefficients, and a mean of a level is no effect.
    assert effects("z ~ condition + (1 + condition || participant)") == set()
    assert effects("z ~ order + (0 + order | participant)") == set()
