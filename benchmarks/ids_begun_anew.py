"""Measure what becomes of files whose ids begin anew in every group, when the first remark of `lmm` is followed.

    python -m benchmarks.ids_begun_anew --simulations 1000

Two groups (or two types of items) do not differ; people and items do, and items (people) differ in the difference.
Analysed are the file as it is, and what the remark says: with the ids joined where it is given, as it is where none is.
Beside it the share of files that are told so, and that of files of the same size in which everybody really saw every
item at both levels. Standard deviations are in units of that of single answers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.mixed.asked import with_design
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.estimates import satterthwaite
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.fitting.crossproducts import framed, measured
from analysis.methods.mixed.fitting.optimise import fit
from analysis.methods.power.simulation import monte_carlo_interval
from analysis.methods.rows.used import Rows

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "methods" / "rows-and-roles.md"
BEGIN, END = "<!-- table ids -->\n", "\n<!-- end of table -->"
ALPHA, SEED = 0.05, 20100602
SLOPE = 0.3
HEAD = """| file | standard deviation | rejected as it is, % | rejected when the remark is followed, % | 95 % interval \
| told, % | told of the same units, % |
|---|---|---|---|---|---|---|"""


@dataclass(frozen=True)
class Case:
    """A file: so many units of the kind that begins anew at each of two levels, crossed with the others."""

    anew: str
    factor: str
    units: int
    others: int
    sd: float

    @property
    def other(self) -> str:
        """Return the kind of unit that is the same at both levels."""
        return "item" if self.anew == "participant" else "participant"

    @property
    def formula(self) -> str:
        """Return the model that holds its level once the ids are right."""
        return f"y ~ {self.factor} + (1 | {self.anew}) + (1 + {self.factor} | {self.other})"

    def frame(self) -> pd.DataFrame:
        """Return the rows without values."""
        level, unit, other = (one.ravel() for one in np.indices((2, self.units, self.others)))
        names = {self.factor: np.array(["a", "b"])[level], self.anew: unit + 1, self.other: other + 1}
        return pd.DataFrame(names).astype(str)

    def values(self, number: int, *, honest: bool = False) -> Floats:
        """Return values without a difference between the levels."""
        random = np.random.default_rng([SEED, number])
        level, unit, other = (one.ravel() for one in np.indices((2, self.units, self.others)))
        of_units = random.normal(0, self.sd, (2, self.units))
        of_others = random.normal(0, 0.5, self.others) + random.normal(0, SLOPE / 2**0.5, (2, self.others))
        if honest:
            of_units = of_units[:1] + random.normal(0, 0.1 / 2**0.5, (2, self.units))
        noise = random.normal(0, 1, len(level))
        return np.asarray(of_units[level, unit] + of_others[level, other] + noise, dtype=np.float64)


CASES = (
    Case("participant", "group", 12, 20, 0.7),
    Case("item", "type", 16, 16, 0.7),
)
AS_IT_IS = 4
"""One of so many data sets is analysed as it is, too: what goes wrong there is no small number."""


def model_of(text: str, frame: pd.DataFrame) -> Callable[[Floats], float]:
    """Return what gives p of the factor for values of these rows."""
    parsed = formulas.parse(text, list(frame.columns))
    design = matrices.build(parsed, variables.read(frame, parsed), contrasts=AUTOMATIC)
    prepared = framed(design)
    near = fit(measured(prepared, design.y), reml=True).theta

    def p(y: Floats) -> float:
        made = measured(prepared, y)
        optimum = fit(made, reml=True, theta=np.where(near == 0, 0.1, near))
        model = satterthwaite.fitted(replace(design, y=y), made, optimum, reml=True)
        return float(model.f_test(type_three(model)[0].contrasts)[3])

    return p


def is_told(case: Case, frame: pd.DataFrame) -> bool:
    """Return whether the first remark names the joined ids."""
    rows = with_design(Rows(frame, (), ()), formulas.parse(case.formula, list(frame.columns)))
    return any(f"(1 | {case.factor}:{case.anew})" in said for said in rows.warnings[:1])


def rows_of(simulations: int) -> Iterator[str]:
    """Yield the rows of the table."""
    for case in CASES:
        frame = case.frame()
        joined = case.formula.replace(f"(1 | {case.anew})", f"(1 | {case.factor}:{case.anew})")
        empty = frame.assign(y=case.values(0))
        as_it_is, advised = model_of(case.formula, empty), model_of(joined, empty)
        rejected, followed, told, misled = 0, 0, 0, 0
        fewer = -(-simulations // AS_IT_IS)
        for number in range(1, simulations + 1):
            y = case.values(number)
            says = is_told(case, frame.assign(y=y))
            told += says
            followed += (advised if says else as_it_is)(y) < ALPHA
            if number <= fewer:
                rejected += as_it_is(y) < ALPHA
                misled += is_told(case, frame.assign(y=case.values(number, honest=True)))
        low, high = monte_carlo_interval(followed, simulations, how="wilson", confidence=0.95)
        yield (
            f"| {case.anew}s 1 to {case.units} in each {case.factor}, {case.others} {case.other}s | {case.sd} | "
            f"{100 * rejected / fewer:.0f} | {100 * followed / simulations:.1f} | "
            f"{100 * low:.1f}–{100 * high:.1f} | {100 * told / simulations:.1f} | {100 * misled / fewer:.1f} |"
        )


def main(simulations: int, results: Path | None = None) -> None:
    """Run every case and write the table of the document anew, or the table alone into a folder."""
    lines = [HEAD]
    for line in rows_of(simulations):
        print(line, flush=True)
        lines.append(line)
    table = "\n".join(lines)
    if results is not None:
        results.mkdir(parents=True, exist_ok=True)
        (results / "ids_begun_anew.md").write_text(f"{table}\n", encoding="utf-8")
        return
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--simulations", type=int, default=1000)
    options.add_argument("--results", type=Path, help="a folder for the table, which else goes into the document")
    given = options.parse_args()
    main(given.simulations, given.results)
