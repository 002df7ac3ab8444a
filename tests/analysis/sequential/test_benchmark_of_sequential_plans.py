"""The benchmark of sequential plans runs to its end, decides as the worker does, and its document has what it found."""

from __future__ import annotations

import json

import pytest

from analysis.methods import registry
from benchmarks.error_rate_models import Simulated, p_values_of
from benchmarks.sequential import (
    DOCUMENT,
    RESULTS,
    TESTED,
    SoFar,
    cases,
    decided,
    key_of,
    levels,
    run,
    written,
)

LINEAR = cases()[0]


def test_it_starts_with_the_smallest_sizes_and_writes_counts_and_table(tmp_path):
    document, results = tmp_path / "document.md", tmp_path / "results.json"
    document.write_text(DOCUMENT.read_text(encoding="utf-8"), encoding="utf-8")
    made = run(simulations=1, only=key_of(LINEAR, 0.5), results=results, document=document)
    assert list(made) == list(json.loads(results.read_text(encoding="utf-8"))) == [key_of(LINEAR, 0.5)]
    counts = made[key_of(LINEAR, 0.5)]
    assert {name: sum(plan["stopped"]) for name, plan in counts["plans"].items()} == dict.fromkeys(counts["plans"], 1)
    assert "| pocock |" in document.read_text(encoding="utf-8")


def test_a_look_has_the_p_of_the_report_on_the_people_so_far():
    whole = Simulated(LINEAR, seed=1)
    so_far = SoFar(whole, 12)
    found = p_values_of(so_far)(1)
    assert found is not None
    report = registry.run(registry.method_named(LINEAR.method), so_far.data(1), LINEAR.params)
    rows = {line["effect"]: line["p"] for line in report.table("anova").lines()}
    assert found[TESTED] == pytest.approx(rows[TESTED], abs=2e-4)
    assert so_far.data(1)["participant"].nunique() == 12


def test_a_plan_stops_at_the_first_look_that_crosses_and_else_at_the_last():
    looks = levels("pocock")
    assert decided([0.5, 0.017, 0.5, 0.5], looks) == (1, True)
    assert decided([0.5, 0.03, 0.03, 0.03], looks) == (3, False)
    assert decided([0.04], levels("")) == (0, True)


def test_the_document_holds_the_recorded_counts():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert written(text, json.loads(RESULTS.read_text(encoding="utf-8"))) == text


def test_what_was_recorded_without_an_effect_keeps_alpha():
    known = json.loads(RESULTS.read_text(encoding="utf-8"))
    nothing = [made for key, made in known.items() if key.endswith("effect 0;") and made["simulations"] >= 1000]
    assert len(nothing) >= 2
    for made in nothing:
        for counts in made["plans"].values():
            assert counts["found"] / made["simulations"] <= 0.05
