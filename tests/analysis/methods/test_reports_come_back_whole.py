"""A report that was stored comes back with everything that it says, whatever fields reports get."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from analysis.methods.report import Column, Figure, Report, Table

SAID: dict[str, Any] = {
    "method": "lmm",
    "params": {"formula": "y ~ a"},
    "tables": (Table("fixed", "Fixed", (Column("term", "Term", "text"), Column("p", "p", "p")), (("a", 0.04),)),),
    "figures": (
        Figure(
            name="p", title="p", kind="points", table="fixed", encoding={"x": "term", "y": "p"}, caption="p by term"
        ),
    ),
    "notes": ("Fitted by REML.",),
    "warnings": ("The fit is singular.",),
    "sentences": ("a: F(1, 20) = 4.5, p = .04.",),
    "versions": {"numpy": "2.0"},
    "part": "reading",
    "scripts": {"brms.R": "brm(y ~ a)"},
    "design": "a: within participants; 20 participants, 2 rows each.",
}


def test_every_field_of_a_report_is_stored_and_comes_back() -> None:
    assert set(SAID) == {field.name for field in fields(Report)}
    report = Report(**SAID)
    assert Report.from_dict(json.loads(json.dumps(report.as_dict()))) == report
