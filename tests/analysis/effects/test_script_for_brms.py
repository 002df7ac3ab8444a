"""A script for brms stands beside every mixed model: it names all terms, its priors fit the data, and R reads it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.exports.reports import report_files, report_from, report_json
from analysis.methods.generalised.binary import glmm
from analysis.methods.generalised.ordinal import ordinal
from analysis.methods.mixed.method import lmm
from tests import needs

FILE = Path(__file__).resolve().parents[2] / "oracles" / "effects" / "mixed.json"
DATA = pd.DataFrame(json.loads(FILE.read_text(encoding="utf-8"))["data"])
DATA["reading time"] = 400 + 50 * DATA["y"].rank()
DATA["rating"] = np.asarray(DATA["y"].rank() * 3 // len(DATA) + 1, dtype=int)
DATA["word-length"] = 3 + np.asarray(DATA["x"].rank(), dtype=float) % 7
FORMULA = "y ~ marker*order + x + (1 + order | participant) + (1 | item)"


def linear(formula: str = FORMULA, **parameters: Any) -> str:
    return lmm(DATA, formula=formula, **parameters).scripts["brms.R"]


SCRIPTS = {
    "linear": linear,
    "functions": lambda: linear("log(`reading time`) ~ center(word-length) + order + (1 || participant) + (1 | item)"),
    "logistic": lambda: glmm(DATA, formula="correct ~ order + x + (1 | participant)").scripts["brms.R"],
    "ordinal": lambda: ordinal(DATA, formula="rating ~ order + (1 | participant)", nominal=False).scripts["brms.R"],
}


def prior(script: str, of: str) -> list[float]:
    found = re.search(rf"prior\(\w+\(([^)]*)\), {of}\)", script)
    assert found, of
    return [float(number) for number in found.group(1).split(",")]


@needs.r
@pytest.mark.parametrize("kind", SCRIPTS)
def test_r_reads_the_script(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "brms.R"
    file.write_text(SCRIPTS[kind](), encoding="utf-8")
    read = subprocess.run(
        ["Rscript", "-e", "cat(length(parse(commandArgs(TRUE), encoding = 'UTF-8')))", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert read.returncode == 0, read.stderr
    assert int(read.stdout) > 6


def test_the_formula_has_all_terms_and_the_contrasts_of_the_report() -> None:
    script = linear()
    formula = "bf(y ~ 1 + marker + order + x + marker:order + (1 + order | participant) + (1 | item))"
    assert formula in script
    assert "contrasts(data$marker) <- contr.sum(3)" in script
    assert 'levels = c("because", "cause", "so")' in script
    assert "contr.treatment(3)" in linear("y ~ marker + (1 | participant)")


def test_priors_stand_in_units_of_the_data() -> None:
    script = linear()
    mean, sd, of_x = DATA["y"].mean(), DATA["y"].std(), DATA["x"].std()
    assert prior(script, "class = Intercept") == pytest.approx([mean, 2.5 * sd], rel=1e-3)
    assert prior(script, "class = b") == pytest.approx([0, sd], rel=1e-3)
    assert prior(script, "class = b, coef = x") == pytest.approx([0, sd / of_x], rel=1e-3)
    assert prior(script, "class = sd") == pytest.approx([1 / sd], rel=1e-3)
    assert prior(script, "class = sigma") == pytest.approx([1 / sd], rel=1e-3)
    assert "prior(lkj(2), class = cor)" in script
    assert "lkj" not in linear("y ~ order + (1 + order || participant)")


def test_a_measure_in_other_units_has_priors_in_these() -> None:
    scaled = lmm(DATA.assign(y=1000 * DATA["y"]), formula=FORMULA).scripts["brms.R"]
    for of in ("class = Intercept", "class = b", "class = b, coef = x"):
        assert prior(scaled, of) == pytest.approx([1000 * number for number in prior(linear(), of)], rel=2e-3)


def test_columns_that_r_does_not_take_get_names_that_it_does() -> None:
    script = SCRIPTS["functions"]()
    assert 'data$log_reading_time <- log(as.numeric(data[["reading time"]]))' in script
    assert "bf(log_reading_time ~ 1 + center_word_length + order + (1 || participant) + (1 | item))" in script
    assert "coef = center_word_length)" in script


def test_families_and_outcomes_are_those_of_the_model() -> None:
    logistic = SCRIPTS["logistic"]()
    assert 'family = bernoulli("logit")' in logistic
    assert 'as.integer(data[["correct"]] %in% c("1"))' in logistic
    assert prior(logistic, "class = b") == [0, 1.5]
    assert 'family = cumulative("logit")' in SCRIPTS["ordinal"]()
    counts = DATA.assign(hits=DATA["correct"] * 2, of=3)
    assert (
        "bf(hits | trials(of) ~"
        in glmm(counts, formula="hits ~ order + (1 | participant)", trials="of").scripts["brms.R"]
    )


def test_several_outcomes_have_a_script_each() -> None:
    both = DATA.assign(other=1 - DATA["correct"])
    report = glmm(both, formula="~ order + (1 | participant)", outcome=("correct", "other"))
    assert list(report.scripts) == ["1-brms.R", "2-brms.R"]
    assert "bf(other ~" in report.scripts["2-brms.R"]


def test_the_script_is_a_file_of_the_report() -> None:
    report = lmm(DATA, formula="y ~ order + (1 | participant)")
    text = report_json(report)
    assert report_from(text).scripts == report.scripts
    assert dict(report_files(text))["brms.R"].decode("utf-8") == report.scripts["brms.R"]


def test_a_report_stored_before_scripts_were_written_is_read() -> None:
    stored = json.loads(report_json(lmm(DATA, formula="y ~ order + (1 | participant)")))
    del stored["scripts"]
    assert report_from(json.dumps(stored)).scripts == {}
