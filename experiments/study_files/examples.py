"""The example studies that come with the platform, one or more of every paradigm."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from experiments.paradigms import PARADIGMS
from experiments.procedure.texts import DEFAULTS

FILE = "study.toml"


@dataclass(frozen=True)
class ExampleStudyFile:
    """An example: where it is, and what it says of itself."""

    path: Path
    slug: str
    title: str
    paradigm: str
    paradigm_label: str
    description: str


@cache
def example_studies() -> tuple[ExampleStudyFile, ...]:
    """Return the examples in the order of their paradigms.

    >>> [example.slug for example in example_studies()][0]
    'causal-sentences'
    """
    labels = {paradigm.slug: paradigm.label for paradigm in PARADIGMS}
    found = []
    for path in DEFAULTS.parent.glob(f"*/{FILE}"):
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        found.append(
            ExampleStudyFile(
                path=path,
                slug=said["slug"],
                title=said["title"],
                paradigm=said["paradigm"],
                paradigm_label=labels[said["paradigm"]],
                description=said["description"].strip(),
            )
        )
    order = list(labels)
    return tuple(sorted(found, key=lambda example: (order.index(example.paradigm), example.slug)))
