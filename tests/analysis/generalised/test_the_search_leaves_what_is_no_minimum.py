"""Where all variances are zero every derivative with respect to θ is zero too, and still it need be no minimum."""

import json
from pathlib import Path

import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD
from analysis.methods.generalised.example import binary_example
from analysis.methods.generalised.fitting import optimise
from analysis.methods.registry import run
from analysis.methods.report import Cancelled

ORACLES = json.loads((Path(__file__).resolve().parents[2] / "oracles/generalised_mixed.json").read_text())


def report(name):
    case = ORACLES[name]
    given = {"formula": case["formula"], "contrasts": "sum" if case["sum"] else "treatment"}
    return run(METHOD, pd.DataFrame(case["data"]), given)


@pytest.mark.parametrize("name", ["random slopes", "nested groups"])
def test_from_no_variance_at_all_the_search_still_reaches_the_likelihood_of_glmer(monkeypatch, name):
    monkeypatch.setattr(optimise, "START", 0.0)
    found = report(name)
    fit = found.table("fit").frame().iloc[0]
    assert fit["log_lik"] == pytest.approx(ORACLES[name]["log_lik"], abs=1e-5)
    assert bool(fit["converged"])
    expected = pd.DataFrame(ORACLES[name]["fixed"])
    assert found.table("fixed").frame()["se"].to_numpy() == pytest.approx(expected["se"].to_numpy(), rel=3e-4)


def test_a_search_that_may_not_leave_such_a_point_says_that_it_did_not_converge(monkeypatch):
    monkeypatch.setattr(optimise, "START", 0.0)
    monkeypatch.setattr(optimise, "RESTARTS", 0)
    found = report("random slopes")
    fit = found.table("fit").frame().iloc[0]
    assert (found.table("random").frame()["var"] == 0).all()
    assert fit["log_lik"] < ORACLES["random slopes"]["log_lik"] - 1
    assert not bool(fit["converged"])
    assert any("did not converge" in warning for warning in found.warnings)


def test_variances_of_zero_that_are_the_optimum_have_converged(monkeypatch):
    monkeypatch.setattr(optimise, "START", 0.0)
    fit = report("singular").table("fit").frame().iloc[0]
    assert bool(fit["converged"])
    assert bool(fit["singular"])
    assert fit["log_lik"] == pytest.approx(ORACLES["singular"]["log_lik"], abs=1e-5)


def test_the_search_can_be_cancelled_and_counts_its_evaluations():
    seen = []

    def cancel(share, note):
        seen.append(note)
        if "(7 evaluations)" in note:
            raise Cancelled

    frame, parameters = binary_example()
    with pytest.raises(Cancelled):
        run(METHOD, frame, parameters, progress=cancel)
    assert seen[-3:] == [f"fitting correct ({count} evaluations)" for count in (5, 6, 7)]
