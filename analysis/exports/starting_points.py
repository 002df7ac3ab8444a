"""What an export holds for whoever opens it first: a page that says what is there, and scripts that read it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from experiments.models import Study
from experiments.paradigms import paradigm_named

STARTERS = Path(__file__).parent / "starters"
README, PYTHON, R = "README.md", "start.py", "start.R"


def starting_points(study: Study, tables: Sequence[tuple[str, str, str, Sequence[str]]]) -> list[tuple[str, bytes]]:
    """Return path and content of the page and the scripts.

    `tables` are name, path, title and names of the columns of every CSV file, in their order.
    """
    files = {name: path for name, path, _title, _columns in tables}
    trials = next((set(columns) for name, _path, _title, columns in tables if name == "trials"), set())
    factors = [name for factor in study.factors if (name := _column(str(factor["name"]), trials))]
    measure = _measure(study, trials)
    named = {"slug": study.slug, "python": PYTHON, "r": R}
    readme = _filled(
        README,
        **named,
        # The title is anybody's: it must not break out of its line.
        title=" ".join(study.title.split()),
        version=study.version,
        lines="\n".join(f"| `{path}` | {title} |" for _name, path, title, _columns in tables),
    )
    python = _filled(PYTHON, **named, files=_quoted(files), measure=_quoted(measure), factors=_quoted(factors))
    r = _filled(
        R,
        **named,
        files=", ".join(f"{_quoted(name)} = {_quoted(path)}" for name, path in files.items()),
        measure=_quoted(measure),
        factors=f"c({', '.join(map(_quoted, factors))})",
    )
    return [(README, readme), (PYTHON, python), (R, r)]


def _column(factor: str, trials: set[str]) -> str:
    return next((name for name in (factor, f"factor_{factor}") if name in trials), "")


def _measure(study: Study, trials: set[str]) -> str:
    measures = paradigm_named(study.paradigm).measures
    return next((each.name for each in measures if each.type in ("number", "integer") and each.name in trials), "")


def _quoted(value: object) -> str:
    # What JSON writes for texts, lists and dictionaries of texts, Python and R read as the same.
    return json.dumps(value, ensure_ascii=True)


def _filled(name: str, **values: object) -> bytes:
    return (STARTERS / f"{name}.txt").read_text(encoding="utf-8").format(**values).encode("utf-8")
