"""Tables, notes and main sentence of a report on inter-coder agreement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from analysis.methods.codes.intraclass import ICC, Intraclass
from analysis.methods.columns import declared_table, usual
from analysis.methods.report import Column, Figure, Report
from analysis.methods.wording import counted, listed, share_text

CODE = Column("code", "Code", "text", meaning="A code, given or not; `all`: codings as a whole.")
RAW = Column("raw", "Raw agreement", "share", meaning="Share of agreeing pairs of codings.")
KAPPA = Column("kappa", "κ", "share", meaning="Cohen's κ; of more than two coders the mean over pairs (Light).")
AGREEMENT = declared_table(
    "agreement",
    "Agreement between coders",
    "One row per code, and one of codings as a whole.",
    CODE,
    Column("n", "Units", "integer", meaning="Units that at least two coders coded."),
    (RAW, KAPPA),
    Column("alpha", "α", "share", meaning="Krippendorff's α, with the difference that `metric` names."),
    Column("kappa_low", "κ 95 % CI from", "share", meaning="Lower end of its interval, of two coders."),
    Column("kappa_high", "κ 95 % CI to", "share", meaning="Upper end of its interval, of two coders."),
    Column("prevalence", "Share of codings with it", "share", meaning="Share of codings that have the code."),
)
PAIRS = declared_table(
    "pairs",
    "Agreement of pairs of coders",
    "One row per code and pair of coders.",
    CODE,
    usual("a", "Coder A"),
    usual("b", "Coder B"),
    Column("n", "Units", "integer", meaning="Units that both coded."),
    (RAW, KAPPA),
    Column("ci_low", "95 % CI from", "share"),
    Column("ci_high", "95 % CI to", "share"),
)


def report_of(
    results: list[dict[str, Any]],
    pairs: list[dict[str, Any]],
    *,
    names: tuple[str, ...],
    metric: str,
    notes: list[str],
    warnings: list[str],
) -> Report:
    """Return the report of the lines of all codes and of all pairs of coders."""
    mean = f", averaged over {counted(len(names) * (len(names) - 1) // 2, 'pair')} (Light)" if len(names) > 2 else ""
    notes += [
        f"Coders: {listed(names)}.",
        f"κ is Cohen's, unweighted{mean}.",
        f"α is Krippendorff's with the {metric} difference; units that a coder left out are allowed for.",
    ]
    few = [str(row["code"]) for row in results if row["prevalence"] is not None and not 0.05 < row["prevalence"] < 0.95]
    if few:
        warnings.append(
            f"{'Code' if len(few) == 1 else 'Codes'} {listed(few)} {'was' if len(few) == 1 else 'were'} given in fewer "
            f"than 5 % of the codings (or in more than 95 %); κ and α are unstable there, so read raw agreement beside "
            f"them."
        )
    head = results[0]
    of = "all codings" if head["code"] == "all" else f"code {head['code']}"
    parts = [f"raw agreement {share_text(head['raw'])}"]
    for letter, name in (("κ", "kappa"), ("α", "alpha")):
        value = float(head[name])
        parts.append(f"{letter} = {share_text(value)}" if not np.isnan(value) else f"{letter} not defined")
    if head["kappa_low"] is not None and not np.isnan(head["kappa_low"]):
        parts[1] += f", 95 % CI [{share_text(head['kappa_low'])}, {share_text(head['kappa_high'])}]"
    sentence = f"Agreement of {counted(len(names), 'coder')} on {of} ({counted(head['n'], 'unit')}): {listed(parts)}."
    figure = Figure(
        name="agreement",
        title="Agreement per code",
        kind="bars",
        table="agreement",
        encoding={"x": "code", "y": "alpha"},
        caption="Krippendorff's α: 1 is perfect agreement, 0 what chance gives.",
        x_label="Code",
        y_label="α",
    )
    return Report(
        tables=(AGREEMENT.of(results), PAIRS.of(pairs)),
        figures=(figure,),
        notes=tuple(notes),
        warnings=tuple(warnings),
        sentences=(sentence,),
    )


def with_icc(report: Report, found: Intraclass) -> Report:
    """Add the intraclass correlations of numbers, with the sentence of one and of the mean of all ratings."""
    said = [
        f"{row['type']} = {share_text(row['icc'])}"
        for row in found.rows
        if row["type"] in ("ICC(1)", "ICC(2)", "ICC(2,k)", "ICC(3)") and row.get("icc") is not None
    ]
    return replace(
        report,
        tables=(*report.tables, ICC.of(found.rows)),
        notes=(
            *report.notes,
            "ICC(1) is that of units rated by other people each, ICC(2) of raters who are a sample, ICC(3) of these "
            "raters alone, who may differ in their level; k stands for the mean of k ratings. Intervals are of 95 % "
            "(Shrout and Fleiss 1979).",
            *found.notes,
        ),
        warnings=(*report.warnings, *found.warnings),
        sentences=(*report.sentences, *((f"Of numbers: {listed(said)}.",) if said else ())),
    )
