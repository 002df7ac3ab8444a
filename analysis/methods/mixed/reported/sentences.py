"""Report the results of a mixed model in sentences in APA style."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.methods.mixed.design.matrices import INTERCEPT
from analysis.methods.mixed.estimates.scales import RATIOS
from analysis.methods.mixed.reported.compared_words import compared_sentences
from analysis.methods.report import Table
from analysis.methods.wording import df_text, number_text, p_text


def sentences(
    tables: Sequence[Table], *, confidence: float, unit: str = "", chosen: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the results in APA style: tests of effects, means and their differences in the `unit` of the measure, the
    comparison of models, what was chosen, coefficients.
    """
    means = [
        sentence
        for table in tables
        if table.name == "comparisons"
        for sentence in compared_sentences(table, confidence=confidence, unit=unit)
    ]
    made: dict[str, list[str]] = {"anova": [], "comparison": [], "nominal": [], "fixed": []}
    smaller = ""
    number = len({row[0] for table in tables if table.columns[0].name == "outcome" for row in table.rows})
    for table in tables:
        for line in table.lines() if table.name in made else ():
            sentence = _sentence(table.name, line, smaller=smaller)
            if sentence and number > 1 and line.get("p_outcomes") is not None:
                sentence = f"{sentence[:-1]} (Holm over {number} outcomes, {p_text(line['p_outcomes'])})."
            smaller = line.get("model", smaller)
            if sentence:
                made[table.name].append(f"{line['outcome']}, {sentence}" if line.get("outcome") else sentence)
    return (*made["anova"], *means, *made["comparison"], *made["nominal"], *chosen, *made["fixed"])


def _sentence(table: str, line: dict[str, Any], *, smaller: str) -> str:
    p = p_text(line["p"])
    if table == "fixed":
        if line["term"] == INTERCEPT:
            return ""
        if line["p"] is None:
            return f"{line['term']} ({line['meaning']}) has no finite estimate."
        result = f"b = {number_text(line['estimate'], places=3)}, SE = {number_text(line['se'], places=3)}"
        test = f"z = {number_text(line['z'])}" if "z" in line else ""
        test = test or f"t({df_text(line['df'])}) = {number_text(line['t'])}"
        return f"{line['term']} ({line['meaning']}): {result}, {test}, {p}{_ratio_said(line)}."
    f, chi2 = line.get("f"), line.get("chi2")
    is_tested = line["p"] is not None and (f, chi2) != (None, None)
    if table == "comparison":
        result = f"χ²({df_text(line['df'])}) = {number_text(chi2)}, {p}" if chi2 is not None else ""
        return f"The larger model, {line['model']}, against the smaller, {smaller}: {result}." if is_tested else ""
    what = f"Proportional odds of {line['effect']}" if table == "nominal" else line["effect"]
    if not is_tested:
        return f"{what} cannot be tested with these data."
    if f is not None:
        df = df_text(line["df1"] if "df1" in line else line["df"])
        return f"{what}: F({df}, {df_text(line['df2'])}) = {number_text(f)}, {p}."
    return f"{what}: χ²({df_text(line['df'])}) = {number_text(line['chi2'])}, {p}."


def _ratio_said(line: dict[str, Any]) -> str:
    """Return the ratio of a coefficient in words; nothing on a scale without ratios."""
    found = next((ratio for ratio in RATIOS if ratio.name in line), None)
    if found is None:
        return ""
    value = line[found.name]
    return f", {found.words} {number_text(value)}" if value is not None else f", {found.words} huge"
