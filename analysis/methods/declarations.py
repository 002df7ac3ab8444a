"""What a method and its parameters are: the declaration from which forms, `--set` options and docs are made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from analysis.methods.columns import TableDeclaration
from analysis.methods.report import Report

Kind = Literal["column", "columns", "choice", "number", "integer", "boolean", "text", "file"]

Group = Literal["", "describe", "compare", "predict", "agreement", "texts", "power", "check"]
Need = Literal[
    "answers", "categories", "codes", "comparisons", "conditions", "metrics", "numbers", "ranked texts", "references",
    "regions", "reported results", "several questions", "signal", "texts", "two numbers", "typed answers", "visits",
]  # fmt: skip

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
    sequence); `choice` is one of `choices`; `text` is passed on as it is, and its `choices` are texts to
    begin with; `words` say in the form what each choice is; `file` is a `TextFile`. `role` tells the
    study form what to offer: `measure`, `factor`, `unit` or nothing. `also` are other names under which it is taken.
    `check` raises BadInput for a text that cannot be read, before anything runs. What a parameter with `is_beside` asks
    for is computed beside the analysis and changes nothing of it: a planned analysis stays that with it.
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
    words: tuple[str, ...] = ()
    check: Callable[[str], object] | None = None
    is_beside: bool = False


@dataclass(frozen=True)
class Split:
    """How a method is computed in parts (see `analysis.methods.splitting`). All but frame and report is plain JSON.

    `prepare(frame, params, progress)` returns all that is needed of the data, `parts(prepared, params)` the
    descriptions of the parts, `compute_part(prepared, params, part, progress)` the result of one, and
    `combine(prepared, params, results)` the report. `asked(params)` says whether there are parts with these parameters;
    without it there always are.
    """

    prepare: Callable[[pd.DataFrame, Mapping[str, Any], Progress], dict[str, Any]]
    parts: Callable[[Mapping[str, Any], Mapping[str, Any]], list[Any]]
    compute_part: Callable[[Mapping[str, Any], Mapping[str, Any], Any, Progress], Any]
    combine: Callable[[Mapping[str, Any], Mapping[str, Any], Sequence[Any]], Report]
    asked: Callable[[Mapping[str, Any]], bool] = lambda params: True


@dataclass(frozen=True)
class Method:
    """An analysis: `function(frame, *, progress, **parameters) -> Report`.

    `split` divides a long one among workers; its report is that of `function`, byte for byte. `example` gives a small
    valid frame and parameters for it; the conformance tests run every method on it and on spoilt versions of it.
    `quotes_answers` says that reports hold what participants wrote, so that a withdrawal deletes them. `tables` are all
    that a report may hold; a method of a package may leave them undeclared.

    `question` is what the method answers, as templates of sentences: the first one whose fields the parameters of an
    analysis fill is what the analysis is called, and the last has no fields. Fields are `{measure}`, `{factors}`,
    `{units}`, `{x}`, `{y}` and `{signal}` (`analysis.codebook.questions`). `group` is the heading under which it is
    offered, and `needs` is what a study must have for it. `asks` names the parameters that a form shows first, in their
    order; without them it shows those that are required, measures and factors.
    """

    slug: str
    label: str
    summary: str
    function: Callable[..., Report]
    parameters: tuple[Parameter, ...]
    example: Callable[[], Example] | None = None
    split: Split | None = None
    quotes_answers: bool = False
    tables: tuple[TableDeclaration, ...] = ()
    question: tuple[str, ...] = ()
    group: Group = ""
    needs: tuple[Need, ...] = ()
    asks: tuple[str, ...] = ()
