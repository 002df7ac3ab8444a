"""What simulated people say in a comparison is found again by `preference`, in the tables as they are exported."""

from __future__ import annotations

import pytest

from analysis.methods import parameters, registry
from analysis.methods.report import Report
from experiments.paradigms.comparison.simulation import FIRST_PLACE, simulated_worth
from tests.experiments.comparison_sessions import COMPARISON, answered, settings_with

SYSTEMS = ("editor", "cutter", "trimmer")


def run(frame, method="preference", **params) -> Report:
    """Run a method as the page does: what is not given is the default, as far as the table has such a column."""
    found = registry.method_named(method)
    return found.function(frame, **parameters.read(found.parameters, params, list(frame.columns)))


def true_worths(systems=SYSTEMS):
    worths = {system: simulated_worth(system) for system in systems}
    mean = sum(worths.values()) / len(worths)
    return {system: worth - mean for system, worth in worths.items()}


def off(report, truth, *, by=3.5):
    """Return the options whose worth is further from the truth than so many standard errors."""
    table = report.table("worth").frame().set_index("option")
    return [name for name, worth in truth.items() if abs(table.worth[name] - worth) > by * table.se[name] + 0.15]


@pytest.mark.parametrize("task", ["pair", "ranking", "best-worst"])
def test_the_worths_of_a_simulated_study_come_back(task):
    settings = settings_with(task=task)
    trials, options = answered(60, settings, n_items=12, systems=SYSTEMS)
    (suggested,) = COMPARISON.suggestions({"system": SYSTEMS}, settings, has_fillers=False)
    frame = {"trials": trials, "options": options}[suggested.table]
    report = run(frame, suggested.method, **{**suggested.params, "random": "none"})
    assert off(report, true_worths()) == []
    order = list(report.table("worth").frame().option)
    assert order == sorted(SYSTEMS, key=lambda system: -simulated_worth(system))


def test_a_leaning_to_the_first_place_is_found_as_the_side():
    trials, _ = answered(120, settings_with(no_difference=True), n_items=12, systems=SYSTEMS)
    report = run(trials)
    parameters = report.table("parameters").frame().set_index("name")
    assert abs(parameters.estimate["side"] - FIRST_PLACE) < 3.5 * parameters.se["side"]
    assert parameters.estimate["tie"] > 0


def test_the_same_answers_give_the_same_order_from_both_tables():
    trials, options = answered(24, settings_with(), n_items=6, systems=SYSTEMS)
    wide = run(trials.drop(columns="side")).table("worth").frame().set_index("option")
    long = run(options).table("worth").frame().set_index("option")
    assert wide.worth.to_dict() == pytest.approx(long.worth.to_dict(), abs=1e-6)


def test_ranks_that_are_empty_throughout_leave_the_word_to_best_and_worst():
    _, options = answered(12, settings_with(task="best-worst"), n_items=6, systems=SYSTEMS)
    assert options["rank"].isna().all()
    together = run(options).table("worth").frame()
    alone = run(options.drop(columns="rank")).table("worth").frame()
    assert together.equals(alone)


def test_two_conditions_have_the_mixed_logistic_model_as_well():
    settings = settings_with()
    trials, _ = answered(24, settings, n_items=8, systems=("old", "new"))
    first, second = COMPARISON.suggestions({"version": ("old", "new")}, settings, has_fillers=False)
    assert (first.method, second.method) == ("preference", "glmm")
    fixed = run(trials, "glmm", **second.params).table("fixed").frame().set_index("term")
    difference = simulated_worth("old") - simulated_worth("new")
    assert abs(fixed.estimate.iloc[0] - difference) < 3.5 * fixed.se.iloc[0]
