"""Pairs between groups after a mixed analysis of variance equal emmeans; what they cannot have is empty or refused."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.conditions.tukey import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "groups_compared.json").read_text())
FRAME = pd.DataFrame(ORACLE["data"])
UNEQUAL = FRAME[~FRAME["participant"].isin(ORACLE["left_out"])]
GIVEN = {"dv": "z", "within": "marker", "between": "group"}
WHICH = {"averaged": {}, "apart": {"by": "marker"}, "cells": {}}


def report(error, frame=FRAME, **parameters):
    return run(METHOD, frame, {**GIVEN, "error": error, **parameters})


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.parametrize("key", ["univariate", "multivariate", "unequal"])
def test_groups_have_the_differences_errors_intervals_and_p_of_emmeans(key, which):
    error, frame = ("multivariate", UNEQUAL) if key == "unequal" else (key, FRAME)
    compare = "group,marker" if which == "cells" else "group"
    lines = report(error, frame, compare=compare, **WHICH[which]).table("comparisons").lines()
    found = {(line["by"], frozenset((line["a"], line["b"]))): line for line in lines}
    assert len(found) == len(ORACLE[key][which])
    for row in ORACLE[key][which]:
        names = frozenset(name.strip("()").replace(" ", ":") for name in row["contrast"].split(" - "))
        line = found[row.get("marker", ""), names]
        assert abs(line["diff"]) == pytest.approx(abs(row["estimate"]))
        assert [line["se"], line["df"]] == pytest.approx([row["SE"], row["df"]])
        assert line["p"] == pytest.approx(row["p.value"], rel=1e-5, abs=1e-8)
        assert sorted(np.abs([line["ci_low"], line["ci_high"]])) == pytest.approx(
            sorted(np.abs([row["lower.CL"], row["upper.CL"]])), rel=1e-5
        )


def test_groups_have_the_d_of_cohen_and_a_mixture_of_group_and_condition_has_none():
    groups = report("multivariate", compare="group").table("comparisons").lines()[0]
    means = FRAME.groupby(["group", "participant"])["z"].mean()
    pooled = np.sqrt(means.groupby("group").var().mean())
    assert groups["d_z"] == pytest.approx(groups["diff"] / pooled)
    assert groups["d_av"] is None
    sizes = {
        line["comparison"]: line["d_z"]
        for line in report("multivariate", compare="group,marker").table("comparisons").lines()
    }
    assert sizes["g1:x − g2:y"] is None
    assert sizes["g1:x − g1:y"] is not None


def test_the_report_says_what_the_error_between_groups_assumes():
    assert any(
        "the error within groups, which is assumed to be the same" in n
        for n in report("multivariate", compare="group").notes
    )


def test_the_pooled_error_is_none_of_groups_and_says_what_to_do():
    with pytest.raises(BadInput, match="Compare groups with error=multivariate or error=univariate"):
        report("pooled", compare="group")
