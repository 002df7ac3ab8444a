"""List the bundled example studies, at least one of every paradigm."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from experiments.paradigms import PARADIGMS
from experiments.procedure.default_texts import DEFAULTS

FILE = "study.toml"


@dataclass(frozen=True)
class ExampleStudyFile:
    """An example: where it is, and what it says of itself. Of several tasks, `paradigm` is that of the first one."""

    path: Path
    slug: str
    title: str
    paradigm: str
    paradigm_label: str
    description: str
    has_parts: bool = False


@cache
def example_studies() -> tuple[ExampleStudyFile, ...]:
    """Return the examples in the order of their paradigms, those of several parts last.

    >>> [example.slug for example in example_studies()][0]
    'causal-sentences'
    """
    labels = {paradigm.slug: paradigm.label for paradigm in PARADIGMS}
    found = []
    for path in DEFAULTS.parent.glob(f"*/{FILE}"):
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        tasks = [part["paradigm"] for part in said.get("parts", ()) if "paradigm" in part] or [said["paradigm"]]
        found.append(
            ExampleStudyFile(
                path=path,
                slug=said["slug"],
                title=said["title"],
                paradigm=tasks[0],
                paradigm_label=", ".join(str(labels[task]) for task in tasks),
                has_parts="parts" in said,
                description=said["description"].strip(),
            )
        )
    order = list(labels)
    return tuple(sorted(found, key=lambda example: (example.has_parts, order.index(example.paradigm), example.slug)))
