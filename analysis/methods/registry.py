"""The analyses that exist, with the parameters that each declares.

A method is one pure function plus a declaration. The admin builds its form, `manage.py analyse` its `--set`
options and the documentation its tables from that declaration.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from analysis.methods.report import BadInput, Report
from analysis.methods.wording import no_such

Kind = Literal["column", "columns", "choice", "number", "integer", "boolean", "text", "file"]
Progress = Callable[[float, str], None]
Example = tuple[pd.DataFrame, dict[str, Any]]


def no_progress(share: float, note: str) -> None:
    """Ignore progress: the default for calls outside the platform."""


@dataclass(frozen=True)
class TextFile:
    """A text file that was given as a parameter; in reports it is named with its hash, not repeated.

    `guessed` says that it was no UTF-8 and was read as Windows-1252, which reports tell.

    >>> str(TextFile("toy.arpa", "abc"))
    'toy.arpa (SHA-256 ba7816bf8f01…)'
    """

    name: str
    text: str
    guessed: bool = False

    def __str__(self) -> str:
        digest = hashlib.sha256(self.text.encode("utf-8")).hexdigest()[:12]
        return f"{self.name} (SHA-256 {digest}…{', not UTF-8, read as Windows-1252' if self.guessed else ''})"


@dataclass(frozen=True)
class FileOnDisk:
    """A large text file that a command names: read from the disk where it is used, named with its hash in reports."""

    name: str
    path: Path

    @property
    def text(self) -> str:
        """The whole text, for uses that need it at once."""
        return self.path.read_text(encoding="utf-8-sig")

    def __str__(self) -> str:
        with self.path.open("rb") as file:
            return f"{self.name} (SHA-256 {hashlib.file_digest(file, 'sha256').hexdigest()[:12]}…)"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method.

    `kind` is how it is read: `column` and `columns` must exist in the frame (`columns` is comma-separated text or a
    sequence); `choice` is one of `choices`; `text` is passed on as it is; `file` is a `TextFile`. `role` tells the
    study form what to offer: `measure`, `factor`, `unit` or nothing. `also` are other names under which it is taken.
    """

    name: str
    label: str
    kind: Kind
    help: str = ""
    default: Any = None
    required: bool = False
    choices: tuple[str, ...] = ()
    role: Literal["", "measure", "factor", "unit"] = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Split:
    """How a method is computed in parts (see `analysis.methods.splitting`). All but frame and report is plain JSON.

    `prepare(frame, params, progress)` returns all that is needed of the data, `parts(prepared, params)` the
    descriptions of the parts, `compute_part(prepared, params, part, progress)` the result of one, and
    `combine(prepared, params, results)` the report.
    """

    prepare: Callable[[pd.DataFrame, Mapping[str, Any], Progress], dict[str, Any]]
    parts: Callable[[Mapping[str, Any], Mapping[str, Any]], list[Any]]
    compute_part: Callable[[Mapping[str, Any], Mapping[str, Any], Any, Progress], Any]
    combine: Callable[[Mapping[str, Any], Mapping[str, Any], Sequence[Any]], Report]


@dataclass(frozen=True)
class Method:
    """An analysis: `function(frame, *, progress, **parameters) -> Report`.

    `split` divides a long one among workers; its report is that of `function`, byte for byte. `example` gives a small
    valid frame and parameters for it; the conformance tests run every method on it and on spoilt versions of it.
    """

    slug: str
    label: str
    summary: str
    function: Callable[..., Report]
    parameters: tuple[Parameter, ...]
    example: Callable[[], Example] | None = None
    split: Split | None = None


def read_parameters(method: Method, given: Mapping[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """Check and convert parameters against their declaration.

    Raises BadInput with all faults together: unknown names, missing ones, columns that the data lack (with the
    nearest name that exists), numbers that are none.
    """
    from analysis.methods import parameters

    return parameters.read(method.parameters, given, [str(name) for name in frame.columns])


def run(method: Method, frame: pd.DataFrame, given: Mapping[str, Any], progress: Progress = no_progress) -> Report:
    """Run a method on a frame: read its parameters, call it, and stamp the versions into the report."""
    from analysis.methods.rows.read_as import explained

    values = read_parameters(method, given, frame)
    progress(0.0, "reading the data")
    try:
        report = method.function(frame, progress=progress, **values)
    except BadInput as fault:
        raise explained(fault, frame, values) from fault
    return replace(report, params=values, versions={**versions(), **report.versions})


def versions() -> dict[str, str]:
    """Return the versions of everything that takes part in computing a number."""
    return dict(_versions())


TEXT_LIBRARIES = ("pyphen", "sacrebleu", "wordfreq")


@cache
def text_versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of the libraries by which texts are measured, for the reports of methods that do so."""
    return tuple((name, version(name)) for name in TEXT_LIBRARIES)


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    # Reading the metadata of four packages takes longer than many an analysis.
    names = ("numpy", "scipy", "pandas", "statsmodels")
    return ("python", platform.python_version()), *((name, version(name)) for name in names)


def analyses() -> dict[str, Method]:
    """Return every registered method by slug, in the order in which they are offered."""
    from analysis.methods.catalogue import ANALYSES

    return {method.slug: method for method in ANALYSES}


def method_named(slug: str) -> Method:
    """Return the method of that slug. Raises BadInput where there is none, naming those that exist."""
    methods = analyses()
    if slug not in methods:
        raise BadInput(no_such("method", slug, list(methods)))
    return methods[slug]
