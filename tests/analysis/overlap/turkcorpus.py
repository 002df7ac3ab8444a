"""TurkCorpus as it lies in `../shared/data/turkcorpus/detok`: cased, untokenised, 8 references, one row per output."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pandas as pd

from analysis.methods.overlap.method import overlap
from tests import needs

TEXTS = needs.SHARED / "data" / "turkcorpus" / "detok"
ORACLE = needs.SHARED / "oracles" / "oracle_easse_turkcorpus.json"
REFERENCES = [f"reference_{number}" for number in range(1, 9)]

needs_turkcorpus = needs.shared("data/turkcorpus")


def lines(name: str) -> list[str]:
    return (TEXTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def systems() -> list[str]:
    return sorted(path.stem.removeprefix("sys.") for path in TEXTS.glob("sys.*.txt"))


@cache
def outputs() -> pd.DataFrame:
    fixed = {"item": range(1, 360), "source": lines("orig")}
    fixed |= {name: lines(f"ref.{number}") for number, name in enumerate(REFERENCES)}
    return pd.concat([pd.DataFrame({**fixed, "system": name, "text": lines(f"sys.{name}")}) for name in systems()])


@cache
def scores(*, lowercase: bool) -> pd.DataFrame:
    """Return the table `systems` of our report, by system."""
    report = overlap(outputs(), references=REFERENCES, lowercase=lowercase, resamples=0, trials=0, further="none")
    return report.table("systems").frame().set_index("system")


@cache
def expected() -> Any:
    return json.loads(ORACLE.read_text(encoding="utf-8"))
