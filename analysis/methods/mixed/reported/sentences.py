"""The results of a mixed model as sentences in APA style."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.methods.effects import noncentral
from analysis.methods.mixed.design.matrices import INTERCEPT
from analysis.methods.report import Table
from analysis.methods.wording import df_text, number_text, p_text


def sentences(tables: Sequence[Table], *, chosen: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the results in APA style: tests of type III, the comparison of models, what was chosen, coefficients."""
    made: dict[str, list[str]] = {"anova": [], "fixed": [], "comparison": []}
    smaller = ""
    for table in tables:
        for row in table.rows if table.name in made else ():
            line = dict(zip((column.name for column in table.columns), row, strict=True))
            sentence = _sentence(table.name, line, smaller=smaller)
            smaller = line.get("model", smaller)
            made[table.name] += [sentence] if sentence else []
    return (*made["anova"], *made["comparison"], *chosen, *made["fixed"])


def _sentence(table: str, line: dict[str, Any], *, smaller: str) -> str:
    if table == "anova":
        if line["f"] is None:
            return f"{line['effect']} cannot be tested with these data."
        result = f"F({df_text(line['df1'])}, {df_text(line['df2'])}) = {number_text(line['f'])}"
        return f"{line['effect']}: {result}, {p_text(line['p'])}{noncentral.partial_eta2_text(line)}."
    if table == "comparison":
        if line["p"] is None:
            return ""
        result = f"χ²({line['df']}) = {number_text(line['chi2'])}, {p_text(line['p'])}"
        return comparison_sentence(line["model"], smaller=smaller, result=result)
    if line["term"] == INTERCEPT:
        return ""
    result = f"b = {number_text(line['estimate'], places=3)}, SE = {number_text(line['se'], places=3)}"
    test = f"t({df_text(line['df'])}) = {number_text(line['t'])}, {p_text(line['p'])}"
    return f"{line['term']} ({line['meaning']}): {result}, {test}."


def comparison_sentence(larger: str, *, smaller: str, result: str) -> str:
    """Return the likelihood ratio test of two models, the lines of `comparison`, as a sentence."""
    return f"The larger model, {larger}, against the smaller, {smaller}: {result}."
