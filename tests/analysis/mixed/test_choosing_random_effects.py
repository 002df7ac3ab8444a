"""Random effects that are chosen: what is kept, what the whole report is about, and what is said."""

import json
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from analysis.exports.reports import report_json
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design.terms import with_random
from analysis.methods.mixed.method import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from analysis.papers.references import works_of

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "reduction.json").read_text(encoding="utf-8"))
RANDOM = "(1 + marker*order | participant) + (1 + marker*order | item)"
FORMULA = f"z ~ marker*order + {RANDOM}"
CHOSEN = "(1 + marker + order | participant) + (1 + marker || item)"


@cache
def frame():
    return pd.DataFrame(ORACLE["sets"]["correlated"]["data"])


@cache
def report_of(formula=FORMULA, **parameters):
    return run(METHOD, frame(), {"formula": formula, **parameters})


def numbers(report, table):
    return report.table(table).frame().select_dtypes("number").to_numpy()


def test_nothing_is_chosen_where_nothing_is_asked():
    report = report_of()
    assert "steps" not in {table.name for table in report.tables}
    assert report.params["reduce"] == "none"
    assert not any("chosen" in sentence for sentence in report.sentences)


def test_the_report_is_that_of_the_chosen_model():
    chosen, written = report_of(reduce="parsimonious"), report_of(f"z ~ marker*order + {CHOSEN}")
    assert report_of(reduce="parsimonious").scripts["brms.R"] == written.scripts["brms.R"]
    for table in ("fixed", "anova", "random", "fit", "means", "units", "influence"):
        assert numbers(chosen, table) == pytest.approx(numbers(written, table), rel=1e-4, abs=1e-5, nan_ok=True), table


def test_the_written_formula_is_the_chosen_model():
    report = report_of(reduce="parsimonious")
    assert any(f"z ~ marker*order + {CHOSEN}" in note for note in report.notes)
    text = with_random(formulas.parse(FORMULA), formulas.parse(f"z ~ 1 + {CHOSEN}").random).text
    assert text == f"z ~ marker*order + {CHOSEN}"


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("log(`read-time`) ~ a + I(b^2) + (1 + `x y` | p)", "log(`read-time`) ~ a + I(b^2) + (1 + `x y` | p)"),
        ("z ~ 0 + a + (0 + a:b || p:q)", "z ~ 0 + a + (0 + a:b || p:q)"),
        ("z ~ (a + b + c)^3 - a + (1 | p/q)", "z ~ b + c + a:b + a:c + b:c + a:b:c + (1 | p) + (1 | q:p)"),
        ("z ~ 1 + (1 + a*b*c | p)", "z ~ 1 + (1 + a*b*c | p)"),
    ],
)
def test_every_formula_can_be_written_and_read_again(written, made):
    parsed = formulas.parse(written)
    again = with_random(parsed, parsed.random)
    assert again.text == made
    read = formulas.parse(made)
    assert (read.response, read.random) == (parsed.response, parsed.random)
    assert read.fixed.intercept == parsed.fixed.intercept
    assert [set(term) for term in read.fixed.terms] == [set(term) for term in parsed.fixed.terms]


def test_the_sentences_and_notes_say_which_model_and_how():
    report = report_of(reduce="parsimonious")
    said = [sentence for sentence in report.sentences if "Random effects of the reported model" in sentence]
    assert len(said) == 1
    assert CHOSEN in said[0]
    assert "conditional on that choice" in said[0]
    assert any(RANDOM in note and CHOSEN in note and "after 14 models" in note for note in report.notes)
    assert {"bates2015parsimonious", "matuschek2017"} <= set(works_of(report))
    assert "barr2013" in works_of(report_of(reduce="keep-maximal"))
    assert not {"barr2013", "matuschek2017", "bates2015parsimonious"} & set(works_of(report_of()))


def test_decisions_stand_in_words_beside_the_numbers():
    lines = report_of(reduce="parsimonious").table("steps").lines()
    decisions = [line["decision"] for line in lines]
    assert decisions[0] == "singular"
    assert decisions[1] == "taken: singular"
    assert "taken: without variance" in decisions
    assert "taken: costs the least (p = .875)" in decisions
    assert "taken: they improve the model (p < .001)" in decisions
    assert [line["change"] for line in lines][-1] == "reported model"


def test_keep_maximal_tests_nothing():
    lines = report_of(reduce="keep-maximal").table("steps").lines()
    assert all(line["p"] is None and line["chi2"] is None for line in lines)
    assert not lines[-1]["singular"]


def test_a_model_that_is_supported_stays_as_it_is():
    formula = "z ~ marker*order + (1 + marker | participant) + (1 | item)"
    for how in ("keep-maximal", "parsimonious"):
        report = report_of(formula, reduce=how)
        assert report.table("steps").lines()[-1]["random"] == "(1 + marker | participant) + (1 | item)"
        assert numbers(report, "fixed") == pytest.approx(numbers(report_of(formula), "fixed"), rel=1e-9)


def test_a_comparison_has_the_chosen_random_effects_on_both_sides():
    report = report_of(reduce="parsimonious", compare=f"z ~ marker + order + {RANDOM}")
    models = report.table("comparison").frame()["model"].tolist()
    assert models == [f"z ~ marker + order + {CHOSEN}", f"z ~ marker*order + {CHOSEN}"]
    other = report_of(f"z ~ marker*order + {CHOSEN}", compare=f"z ~ marker + order + {CHOSEN}")
    assert numbers(report, "comparison") == pytest.approx(numbers(other, "comparison"), rel=1e-5, nan_ok=True)


def test_a_comparison_with_other_random_effects_is_refused():
    with pytest.raises(BadInput, match="reduce=parsimonious the other formula has the random effects that are chosen"):
        report_of(reduce="parsimonious", compare="z ~ marker + order + (1 | participant)")


def test_rows_stay_those_of_the_formula_where_a_slope_that_has_gaps_is_taken_out():
    gaps = frame().assign(extra=lambda f: [None if n % 50 == 0 else str(n % 7) for n in range(len(f))])
    formula = "z ~ marker + (1 + marker + extra || participant) + (1 | item)"
    report = run(METHOD, gaps, {"formula": formula, "reduce": "keep-maximal"})
    full = run(METHOD, gaps, {"formula": formula})
    assert report.table("fit").lines()[0]["n"] == full.table("fit").lines()[0]["n"] < len(gaps)


@pytest.mark.parametrize("reml", ["true", "false"])
def test_an_intercept_without_variance_goes_and_no_warning_asks_for_what_was_tried(reml):
    flat = frame().assign(z=lambda f: [((n * 7919) % 1000) / 1000 for n in range(len(f))])
    report = run(METHOD, flat, {"formula": FORMULA, "reduce": "parsimonious", "reml": reml})
    assert report.table("steps").lines()[-1]["random"] == "(1 | item)"
    assert not any("Only intercepts vary" in warning for warning in report.warnings)
    assert report.table("fit").lines()[0]["criterion"] == report.table("steps").lines()[-1]["criterion"]


def test_factors_with_several_levels_lose_all_their_contrasts_at_once():
    three = frame().assign(dose=lambda f: [("low", "mid", "high")[(n * 31) % 3] for n in range(len(f))])
    formula = "z ~ marker + dose + (1 + marker + dose | participant) + (1 + marker | item)"
    lines = run(METHOD, three, {"formula": formula, "reduce": "parsimonious"}).table("steps").lines()
    assert all(line["chi2"] is None or line["chi2"] >= 0 for line in lines)
    assert lines[-1]["random"] == "(1 + marker | participant) + (1 + marker || item)"


def test_a_term_without_intercept_keeps_what_tells_its_levels_apart():
    formula = "z ~ marker*order + (0 + marker + order | participant) + (1 | item)"
    lines = report_of(formula, reduce="parsimonious").table("steps").lines()
    assert all(line["df"] is None or line["df"] > 0 for line in lines)
    assert "marker + order" in lines[-1]["random"]


def test_the_same_bytes_come_out_twice():
    given = {"formula": FORMULA, "reduce": "parsimonious"}
    assert report_json(run(METHOD, frame(), given)) == report_json(run(METHOD, frame().copy(), given))


def test_an_unknown_way_is_refused():
    with pytest.raises(BadInput, match="reduce"):
        report_of(reduce="minimal")
