"""Say how often the tests of a design reject: its table, sentences and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.methods.columns import declared_table, usual
from analysis.methods.proportion_intervals import wilson
from analysis.methods.report import Column, Report, Table
from analysis.methods.wording import counted, listed, p_text, percent_text

ALPHA = 0.05
ERROR_RATES = declared_table(
    "error_rates",
    "How often the tests reject on this design",
    "Of data sets simulated from the fitted model on its own design, at α = .05; intervals are 95 %.",
    "effect",
    usual("n", "Simulated", "How many simulated data sets could be fitted."),
    Column("rate", "Rejects without the effect", "share", meaning="The error rate of the test; .05 where it holds."),
    Column("rate_low", "Rate CI low", "share", meaning="Lower end of its interval (Wilson)."),
    Column("rate_high", "Rate CI high", "share", meaning="Upper end of its interval."),
    Column("power", "Rejects with the effect as estimated", "share", meaning="The power of the test at that effect."),
    Column("power_low", "Power CI low", "share", meaning="Lower end of its interval (Wilson)."),
    Column("power_high", "Power CI high", "share", meaning="Upper end of its interval."),
    usual("p", "p (nominal)", "As in the table of tests."),
    Column(
        "p_calibrated",
        "p (calibrated)",
        "p",
        meaning="The share of simulated data sets without the effect whose p is as small (parametric bootstrap); where "
        "the interval of the rate lies above .05.",
    ),
    when="where `calibrate` is given",
)

Simulated = Sequence[Sequence[Sequence[float | None]] | None]


def calibrated(report: Report, found: Simulated, *, effects: Sequence[str]) -> Report:
    """Return a report with the rates of its tests; `found` has per data set p without and with every effect."""
    nominal = {line["effect"]: line["p"] for line in report.table("anova").lines()}
    there = [one for one in found if one is not None]
    p = np.array(there, dtype=np.float64).reshape(len(there), len(effects), 2)
    lines = [_line(effect, nominal[effect], p[:, place]) for place, effect in enumerate(effects)]
    table = ERROR_RATES.of(lines)
    place = next((n for n, each in enumerate(report.tables) if each.name == "anova"), -1) + 1
    return Report(
        tables=(*report.tables[:place], table, *report.tables[place:]),
        figures=report.figures,
        notes=(*report.notes, _note(len(found))),
        warnings=(*_failed(len(found), len(there)), *_off(table), *report.warnings),
        sentences=_with_rates(report.sentences, table),
        scripts=report.scripts,
    )


def _line(effect: str, nominal: float | None, p: np.ndarray) -> Mapping[str, float | str | None]:
    known = p[np.isfinite(p).all(axis=1)]
    n = len(known)
    line: dict[str, float | str | None] = {"effect": effect, "n": n, "p": nominal}
    if not n:
        return line
    for name, column in (("rate", 0), ("power", 1)):
        count = int((known[:, column] < ALPHA).sum())
        low, high = wilson(count, n)
        line |= {name: count / n, f"{name}_low": low, f"{name}_high": high}
    # A careful test stays as it is: p made smaller rejects too often (benchmark `calibration`).
    if nominal is not None and float(str(line["rate_low"])) > ALPHA:
        line["p_calibrated"] = max(nominal, (1 + int((known[:, 0] <= nominal).sum())) / (n + 1))
    return line


def _with_rates(sentences: Sequence[str], table: Table) -> tuple[str, ...]:
    """Return the sentences with those of the rates, and every calibrated p beside the nominal one."""
    made = list(sentences)
    for line in table.lines():
        if line["p_calibrated"] is None:
            continue
        for place, sentence in enumerate(made):
            if sentence.startswith(f"{line['effect']}: F("):
                made[place] = f"{sentence[:-1]} (calibrated {p_text(line['p_calibrated'])})."
    tests = sum(" F(" in sentence for sentence in made)
    said = [_sentence(line) for line in table.lines() if line["n"]]
    return (*made[:tests], *said, *made[tests:])


def _sentence(line: Mapping[str, float]) -> str:
    rate, low, high, power = (_percent(line[name]) for name in ("rate", "rate_low", "rate_high", "power"))
    off = line["p_calibrated"] is not None
    more = f", not in 5 %; calibrated {p_text(line['p_calibrated'])}" if off else ""
    return (
        f"{line['effect']}: in {line['n']:,} data sets simulated on this design without the effect the test rejected "
        f"in {rate} (95 % CI [{low}, {high}]){more}, and with the effect as estimated in {power}."
    )


def _percent(share: float) -> str:
    return percent_text(round(share, 3))


def _note(number: int) -> str:
    return (
        f"Error rates and power: {counted(number, 'data set')} were simulated from the fitted model on the same rows, "
        f"people and items, fitted again and tested in the same way at α = .05. Where the rate lies above .05 by more "
        f"than the error of the simulation, p is calibrated: the share of simulated data sets without the effect "
        f"whose p is as small (parametric bootstrap). The simulation takes the model to be true, so it says nothing of "
        f"slopes that the model lacks or of how residuals are distributed; power at the effect as estimated adds "
        f"nothing to p about these data, it is for planning the next study."
    )


def _failed(wanted: int, there: int) -> list[str]:
    if there >= 0.99 * wanted:
        return []
    return [
        f"{wanted - there} of {counted(wanted, 'simulated data set')} could not be fitted and were left out of the "
        f"error rates; the model asks for more than the design tells."
    ]


def _off(table: Table) -> list[str]:
    off = [line for line in table.lines() if line["p_calibrated"] is not None]
    if not off:
        return []
    said = listed(f"{line['effect']} ({_percent(line['rate'])})" for line in off)
    return [f"On this design the test does not hold its level of 5 %: {said}. Report the calibrated p beside it."]
