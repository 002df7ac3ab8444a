"""The simulation of error rates analyses what is suggested, as reports do, and its document has what it found."""

import json
import re
from dataclasses import replace

import pytest

from analysis.methods import registry
from analysis.methods.error_rates.recorded import BAND, beyond_one_unit, rates_of
from analysis.methods.error_rates.tests_of import test_of as name_of
from benchmarks.error_rate_averages import AVERAGED
from benchmarks.error_rate_cases import (
    DESIGNS,
    MIXED,
    THREE,
    Case,
    companions,
    others,
    settings_with_questions,
    suggested,
)
from benchmarks.error_rate_models import Simulated, p_values_of, p_values_of_the_report
from benchmarks.error_rates import DOCUMENT, POWER, RESULTS, counted, rates, run, written
from benchmarks.error_rates_of_counts import cases as cases_of_counts
from benchmarks.error_rates_of_counts import written as written_of_counts
from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms import PARADIGMS
from tests import needs

pytestmark = pytest.mark.slow

TWO = {"marker": ("because", "cause"), "order": ("ab", "ba")}
SMALL = {
    "lmm": {
        "formula": mixed_formula("log(rt_ms)", tuple(TWO), covariates=["characters"]),
        "where": "from_critical = 0",
    },
    "glmm": {"formula": mixed_formula("code_0", tuple(TWO)), "tests": "f", "where": "role=final"},
    "ordinal": {"formula": mixed_formula("clarity", tuple(TWO)), "nominal": "false"},
}
ORDINAL_BY_F = {**SMALL["ordinal"], "tests": "f"}


def small(method, params):
    return Simulated(Case(method, method, params, TWO, participants=12, items=12), seed=3)


@pytest.mark.parametrize("how", ["keep-maximal", "parsimonious"])
def test_the_quick_way_chooses_random_effects_as_the_report_does(how):
    params = {"formula": mixed_formula("rating_log", tuple(TWO)).replace("||", "|"), "reduce": how}
    data = Simulated(Case(how, "lmm", params, TWO, participants=12, items=12), seed=3)
    quick = p_values_of(data)
    for number in (1, 2):
        found, reported = quick(number), p_values_of_the_report(data, number)
        assert found is not None
        for name in ("marker", "order", "marker:order"):
            assert found[name] == pytest.approx(reported[name], abs=2e-4)


@pytest.mark.full("a benchmark of error rates whose quick fits are not those of reports")
@pytest.mark.parametrize("how", ["keep-maximal", "parsimonious"])
@pytest.mark.parametrize(("left", "family"), [("code_0", "binomial"), ("fixations", "poisson")])
def test_the_quick_way_chooses_random_effects_of_generalised_models_as_the_report_does(left, family, how):
    formula = f"{left} ~ marker*order + (1 + order | participant) + (1 | item)"
    params = {"formula": formula, "family": family, "tests": "f", "reduce": how}
    data = Simulated(Case(how, "glmm", params, TWO, participants=12, items=12), seed=3)
    found, reported = p_values_of(data)(1), p_values_of_the_report(data, 1)
    assert found is not None
    for name in ("marker", "order", "marker:order"):
        assert found[name] == pytest.approx(reported[name], abs=5e-4)


@pytest.mark.full("a benchmark of error rates whose quick fits are not those of reports")
@pytest.mark.parametrize(("method", "params"), [*SMALL.items(), ("ordinal", ORDINAL_BY_F)])
def test_the_quick_way_gives_the_p_values_of_the_report(method, params):
    data = small(method, params)
    quick = p_values_of(data)
    for number in (1, 2):
        found, reported = quick(number), p_values_of_the_report(data, number)
        assert found is not None
        for name in ("marker", "order", "marker:order"):
            assert found[name] == pytest.approx(reported[name], abs=5e-4)


def test_every_mixed_model_that_a_paradigm_suggests_is_measured():
    measured = {(case.method, case.params["formula"]) for case in suggested()}
    for paradigm in PARADIGMS:
        for factors in (TWO, {"condition": ("gold", "lin", "sem")}):
            for suggestion in paradigm.suggestions(factors, settings_with_questions(), has_fillers=True):
                if suggestion.method in MIXED:
                    assert (suggestion.method, suggestion.params["formula"]) in measured, suggestion.title


# What describes and has no test, or has an error rate of its own elsewhere (`logistic-null-simulation.md`).
WITHOUT_A_RATE = {
    "normalise", "n-best", "condition-means", "reading", "agreement", "incidence", "production-norms",
    "signal-detection", "logistic", "regions", "correlation",
}  # fmt: skip


@pytest.mark.parametrize("factors", [*DESIGNS, {"system": ("a", "b")}], ids=lambda factors: " x ".join(factors))
def test_what_every_paradigm_suggests_first_keeps_its_level_and_companions_have_their_rates(factors):
    for paradigm in PARADIGMS:
        offered = paradigm.suggestions(factors, settings_with_questions(), has_fillers=True)
        tested = [one for one in offered if one.method not in WITHOUT_A_RATE]
        assert not tested[0].is_companion
        for one in tested:
            rates = rates_of(one.method, one.params)
            assert rates is not None, (paradigm.slug, one.title)
            assert one.is_companion or rates.keeps_its_level, (paradigm.slug, one.title, rates)
        assert [one.is_companion for one in offered] == sorted(one.is_companion for one in offered)


def test_a_scale_question_is_first_asked_by_an_ordinal_mixed_model():
    for paradigm in PARADIGMS:
        offered = paradigm.suggestions(THREE, settings_with_questions(), has_fillers=True)
        about = [one.method for one in offered if one.question == "clarity"]
        if about:
            assert about == ["ordinal", "lmm", "rm-anova", "rm-anova", "min-f", "tukey", "friedman"]


@pytest.mark.parametrize("case", [one for one in companions() if one.method in AVERAGED], ids=lambda case: case.key)
def test_the_quick_way_of_companions_gives_the_p_values_of_the_report(case):
    data = Simulated(replace(case, participants=12, items=12), seed=3)
    found, report = p_values_of(data)(1), registry.run(registry.method_named(case.method), data.data(1), case.params)
    line = {"rm-anova": ("anova", "p_gg"), "min-f": ("minf", "p"), "friedman": ("friedman", "p")}.get(case.method)
    told = report.table(line[0]).frame()[line[1]] if line else report.table("comparisons").frame()[["p"]].min()
    assert list(found.values()) == pytest.approx(told.tolist(), rel=1e-9)
    if case.method in ("rm-anova", "tukey", "friedman"):
        assert beyond_one_unit(case.method, str(case.params["unit"])) in report.warnings


def test_every_recorded_case_is_one_of_the_cases():
    known = json.loads(RESULTS.read_text(encoding="utf-8"))
    cases = {case.key: case for case in (*suggested(), *companions(), *others(), *cases_of_counts())}
    assert {key.removesuffix(POWER) for key in known} <= set(cases)
    for key, made in known.items():
        if "test" in made:
            assert made["test"] == name_of(cases[key].method, cases[key].params)
            assert cases[key].spherical


def test_no_mixed_logistic_or_ordinal_model_is_suggested_with_wald_tests():
    tests = {case.name: case.params.get("tests") for case in suggested() if case.method in {"glmm", "ordinal"}}
    assert tests
    assert set(tests.values()) == {"f"}, tests


def test_an_effect_that_is_there_is_found_and_counts_go_on_where_they_stopped():
    case = Case("lmm", "lmm", SMALL["lmm"], TWO, participants=12, items=12)
    *_, first = counted(case, simulations=3, known=None, effect=3.0)
    assert first["rejected"]["marker"] == 3
    assert "characters" not in first["rejected"]
    *_, more = counted(case, simulations=5, known=json.loads(json.dumps(first)), effect=3.0)
    *_, whole = counted(case, simulations=5, known=None, effect=3.0)
    assert (more["simulations"], more["rejected"]) == (5, whole["rejected"])


def test_a_run_writes_counts_and_tables(tmp_path):
    document, results = tmp_path / "document.md", tmp_path / "results.json"
    document.write_text(DOCUMENT.read_text(encoding="utf-8"), encoding="utf-8")
    only = "Self-paced reading: Whole texts: mixed model of log reading times | 2 × 2"
    made = run(simulations=2, only=only, results=results, document=document)
    assert [key for key in made if only in key] == list(json.loads(results.read_text(encoding="utf-8")))
    rows = re.findall(r"^\| .*Whole texts.* \| marker \| [\d.]+", document.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 1


def test_the_document_holds_the_recorded_counts():
    known = json.loads(RESULTS.read_text(encoding="utf-8"))
    text = DOCUMENT.read_text(encoding="utf-8")
    assert written(text, known) == text


@pytest.mark.parametrize("case", list(suggested()), ids=lambda case: case.key)
def test_what_was_recorded_of_suggested_models_lies_in_the_band(case):
    made = json.loads(RESULTS.read_text(encoding="utf-8")).get(case.key, {"simulations": 0})
    if made["simulations"] < 2000:
        needs.skip("A record of 2,000 data sets of this model", "python -m benchmarks error-rates")
    assert made["params"] == dict(case.params)
    assert all(BAND[0] <= rate <= BAND[1] for rate in rates(made).values()), rates(made)


def test_the_other_models_are_on_the_data_of_the_first():
    assert {case.method for case in others()} <= set(MIXED)
    assert len({case.key for case in (*suggested(), *others())}) == len([*suggested(), *others()])


def test_the_page_of_ordinal_quotes_what_was_recorded_of_its_f_tests():
    case = next(case for case in others() if case.name == "ordinal with F tests")
    made = json.loads(RESULTS.read_text(encoding="utf-8"))[case.key]
    found = [100 * rate for rate in rates(made).values()]
    text = (DOCUMENT.parent / "ordinal.md").read_text(encoding="utf-8")
    assert f"{min(found):.1f} to {max(found):.1f} % there in {made['simulations']:,} data sets" in text
    assert all(BAND[0] <= rate <= BAND[1] for rate in rates(made).values())


@pytest.mark.parametrize("formula", sorted({str(case.params["formula"]) for case in suggested()}))
def test_no_suggested_model_is_said_to_lack_slopes(formula):
    case = next(case for case in suggested() if case.params["formula"] == formula)
    report = registry.run(registry.method_named(case.method), Simulated(case, seed=1).data(1), case.params)
    assert [warning for warning in report.warnings if "lopes lack" in warning or "Only intercepts" in warning] == []


def test_the_page_of_glmm_quotes_what_was_recorded_of_counts_and_times():
    known = json.loads(RESULTS.read_text(encoding="utf-8"))
    text = (DOCUMENT.parent / "glmm.md").read_text(encoding="utf-8")
    found = {}
    for case in cases_of_counts():
        made = known[case.key]
        shares = [round(100 * rate, 1) for rate in rates(made).values()]
        found[case.params["family"], case.params["tests"]] = min(shares), max(shares), made["simulations"]
    wald = [found[family, "wald"] for family in ("poisson", "negative-binomial", "gamma")]
    by_f = [found[family, "f"] for family in ("poisson", "negative-binomial", "gamma")]
    for (low, high, count), what in zip(wald, ("Poisson counts", "negative binomial ones", "gamma times"), strict=True):
        assert re.search(rf"{low} to {high} % of {count} (data sets )?of {what}", text), what
    assert (
        "{} to {}, {} to {} and {} to {} % of {} each".format(*(x for one in by_f for x in one[:2]), by_f[0][2]) in text
    )
    assert all(BAND[0] - 1e-9 <= low / 100 and high / 100 <= BAND[1] for low, high, _ in by_f)


def test_the_document_holds_the_recorded_counts_of_counts_and_times():
    known = json.loads(RESULTS.read_text(encoding="utf-8"))
    text = DOCUMENT.read_text(encoding="utf-8")
    assert written_of_counts(text, known) == text
