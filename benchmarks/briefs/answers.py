"""The briefs with what they say, and studies that somebody drafted from them: each fact of a brief is met or not."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.briefs.meaning import Meaning, meaning_of, paradigms_of
from experiments.study_files import StudyFileFaults
from experiments.study_files.json_files import described
from experiments.study_files.schema import plain_of_toml

STUDIES = Path(__file__).resolve().parent / "studies"
STUDY, BRIEF, FACTS = "study.toml", "brief.md", "facts.toml"
MOST_BYTES = 1024 * 1024
MOST_TABLES = 40
MISSING = "missing"


@dataclass(frozen=True)
class Fact:
    """Something that a brief says: the key of the meaning, its value, the words of the brief, other right values."""

    key: str
    value: Any
    said: str
    also: Sequence[Any] = ()

    def is_met(self, meaning: Meaning) -> bool:
        found = meaning.get(self.key, MISSING)
        return any(_same(found, right) for right in (self.value, *self.also))


@dataclass(frozen=True)
class Brief:
    """A methods section with its tables, its facts, and the study that is right for it."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def text(self) -> str:
        return (self.folder / BRIEF).read_text(encoding="utf-8")

    @property
    def facts(self) -> list[Fact]:
        stated = tomllib.loads((self.folder / FACTS).read_text(encoding="utf-8"))["facts"]
        return [Fact(one["key"], one["is"], one["said"], one.get("also", ())) for one in stated]

    @property
    def tables(self) -> dict[str, str]:
        return tables_of(self.folder)

    @property
    def right(self) -> dict[str, Any]:
        """Return the right study as values."""
        return study_of(self.folder)


@dataclass
class Checked:
    """What came of one answer: faults of a study that is not valid, or which facts are met."""

    brief: str
    is_valid: bool = False
    faults: list[str] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def points(self) -> int:
        return sum(fact["met"] for fact in self.facts) if self.is_valid else 0

    @property
    def lost(self) -> list[str]:
        return [fact["key"] for fact in self.facts if not fact["met"]]

    def told(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "brief": self.brief,
            "valid": self.is_valid,
            "points": self.points,
            "of": len(self.facts),
            "faults": self.faults,
            "facts": self.facts,
        }


def briefs() -> list[Brief]:
    """Return all briefs in the order of their numbers."""
    return [Brief(path.parent) for path in sorted(STUDIES.glob(f"*/{BRIEF}"))]


def check(brief: Brief, folder: Path) -> Checked:
    """Check the answer in a folder: a study file, and tables where they differ from those of the brief."""
    if not (folder / STUDY).is_file():
        return _unusable(brief, f"There is no {STUDY}.")
    try:
        study, tables = study_of(folder), tables_of(folder)
    except (OSError, ValueError, RecursionError) as error:
        return _unusable(brief, f"The answer cannot be read: {error}")
    return check_values(brief, study, {**brief.tables, **tables})


def check_values(brief: Brief, study: Mapping[str, Any], tables: Mapping[str, str]) -> Checked:
    """Check a study that is given as values, with its tables by their names."""
    try:
        meaning = meaning_of(described(study, tables), _paradigms(brief.folder))
    except StudyFileFaults as found:
        return _unusable(brief, *(str(fault) for fault in found.faults))
    facts = [
        {
            "key": fact.key,
            "said": fact.said,
            "expected": fact.value,
            "found": meaning.get(fact.key, MISSING),
            "met": fact.is_met(meaning),
        }
        for fact in brief.facts
    ]
    return Checked(brief.name, True, [], facts)


def study_of(folder: Path) -> dict[str, Any]:
    """Return the values of a study file. Raises ValueError where it is too long or not TOML."""
    plain: dict[str, Any] = plain_of_toml(tomllib.loads(_text(folder / STUDY)))
    return plain


def tables_of(folder: Path) -> dict[str, str]:
    """Return the tables in a folder by their names. Raises ValueError for one that is too long or not UTF-8."""
    return {path.name: _text(path) for path in sorted(folder.glob("*.csv"))[:MOST_TABLES]}


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"{path.name} has more than {MOST_BYTES} bytes.")
    return data.decode("utf-8-sig")


@cache
def _paradigms(folder: Path) -> tuple[str, ...]:
    return tuple(paradigms_of(described(study_of(folder), tables_of(folder))))


def _unusable(brief: Brief, *faults: str) -> Checked:
    lost = [
        {"key": fact.key, "said": fact.said, "expected": fact.value, "found": MISSING, "met": False}
        for fact in brief.facts
    ]
    return Checked(brief.name, False, list(faults), lost)


def _same(one: Any, other: Any) -> bool:
    # True is no 1 here, while 2.0 is 2.
    return isinstance(one, bool) == isinstance(other, bool) and one == other
