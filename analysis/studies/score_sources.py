"""Read scores of texts from a report on the study's texts, or from an uploaded table."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.codebook.columns import names
from analysis.codebook.tables import text_columns
from analysis.data.tables import TEXTS
from analysis.exports.rows.judged import condition_name
from analysis.exports.stored import StoredStimulus, stored_stimuli
from analysis.methods.report import Report
from analysis.methods.wording import how_to_write
from analysis.scores.stored import Scores, ScoresRefused, column_name
from analysis.studies.norm_scores import NORM_SCORES, NORMS, is_norms, norm_keys, norm_rows
from experiments.formats.faults import enumerated, spoken
from experiments.materials.columns import is_metric
from experiments.materials.shapes import MaterialsFaults
from experiments.models import Study
from experiments.sentences import Sentence, counting
from experiments.uploads.reading import read_uploaded_table

# All that `how_to_write` says.
HOW_TO_WRITE = (
    Sentence("Write decimals with a point."),
    Sentence("Write thousands without a comma."),
    Sentence("Write the minus sign as the hyphen of the keyboard (-)."),
)
PROFILE, OVERLAP = "text-profile", "overlap"
OF_REPORT = {
    PROFILE: "words characters sentences syllables words_per_sentence syllables_per_word fkgl zipf norm surprisal".split(),  # noqa: SIM905, E501
    OVERLAP: "bleu sari add_f1 keep_f1 delete_f1 delete_precision chrf ter".split(),  # noqa: SIM905
}
MOST_SCORES = 60
Key = tuple[str, ...]


@dataclass(frozen=True)
class Uploaded:
    """Scores that were read from a file, what is known of them, and what to mind."""

    scores: Scores
    provenance: str
    warnings: tuple[str, ...]


def scores_of_report(study: Study, method: str, report: Report) -> Scores:
    """Return the scores of single texts that a report on the table `texts` holds, by stimulus.

    Texts of `text-profile` are recognised by item and text, those of `overlap` by item and system, those of norms by
    item and levels. Raises ScoresRefused where none of them is a text of the study.
    """
    if method == NORMS:
        lines = norm_rows(report)
        by = norm_keys(list(lines[0]) if lines else [], [str(factor["name"]) for factor in study.factors])
        places = _places(study, lambda stimulus, order: [_key_of(stimulus, order, by)])
        keyed = [(tuple(str(line.get(column) or "") for column in by), line) for line in lines]
        refusal = Sentence("No item in the report belongs to this study, so nothing was stored.")
        return _scores_of_lines(keyed, places, names=NORM_SCORES, refusal=refusal)
    table = next((table for table in report.tables if table.name == "texts"), None)
    if table is None or method not in OF_REPORT:
        raise ScoresRefused(Sentence("The report has no scores of single texts."))
    places = _places(study, _keys_of_profile if method == PROFILE else _keys_of_overlap)
    own = ("item", "text") if method == PROFILE else ("item", "system")
    texts = [
        (tuple("" if line.get(name) is None else str(line[name]).strip() for name in own), line)
        for line in table.lines()
    ]
    refusal = Sentence("No text in the report is a current text of this study, so nothing was stored.")
    return _scores_of_lines(texts, places, names={name: name for name in OF_REPORT[method]}, refusal=refusal)


def can_be_stored(*, method: str, table: str) -> bool:
    """Return whether the report of a method, run on a table of a study, has scores of its single texts."""
    return table == "trials" if method == NORMS else table == TEXTS and method in OF_REPORT


def _scores_of_lines(
    lines: Iterable[tuple[Key, Mapping[str, Any]]],
    places: Mapping[Key, Sequence[int]],
    *,
    names: Mapping[str, str],
    refusal: str,
) -> Scores:
    """Return the numbers of the columns `names`, each under its name of a score, for every text of a line's key."""
    scores: dict[str, dict[int, float]] = {}
    for key, line in lines:
        for stimulus in places.get(key, ()):
            for column, name in names.items():
                if isinstance(line.get(column), (int, float)):
                    scores.setdefault(column_name(name), {})[stimulus] = float(line[column])
    if not scores:
        raise ScoresRefused(refusal)
    return scores


def _keys_of_profile(stimulus: StoredStimulus, factors: Sequence[str]) -> list[Key]:
    return [(stimulus.item, stimulus.text.strip())]


def _keys_of_overlap(stimulus: StoredStimulus, factors: Sequence[str]) -> list[Key]:
    levels = [str(level) for level in (stimulus.levels or {}).values()]
    return [(stimulus.item, name) for name in dict.fromkeys([condition_name(stimulus, factors), *levels])]


def _places(study: Study, keys_of: Callable[[StoredStimulus, Sequence[str]], Iterable[Key]]) -> dict[Key, list[int]]:
    factors = [str(factor["name"]) for factor in study.factors]
    places: dict[Key, list[int]] = defaultdict(list)
    for pk, stimulus in stored_stimuli(study).items():
        for key in keys_of(stimulus, factors):
            places[key].append(pk)
    return places


def scores_of_file(study: Study, data: bytes, name: str, *, note: str, passed_over: Collection[str] = ()) -> Uploaded:
    """Read scores that were computed elsewhere: a table with item and condition, or the text, and a column of numbers
    for every score. `texts.csv` with further columns is such a table; its columns that are `passed_over` are not read.
    So is `items.csv` of production-norms, whose numbers get names of their own.

    Raises ScoresRefused with everything that is wrong.
    """
    try:
        table = read_uploaded_table(data, name)
    except MaterialsFaults as refused:
        raise ScoresRefused(spoken(refused.faults)) from None
    header = [column.strip() for column in table.header]
    factors = [str(factor["name"]) for factor in study.factors]
    of_norms = is_norms(header)
    by = norm_keys(header, factors) if of_norms else _key_columns(header, factors)
    known = {column for column in names(text_columns(study)) if not is_metric(column)} | {*factors, *by, *passed_over}
    further: Collection[str] = (
        NORM_SCORES if of_norms else {column for column in header if column and column not in known}
    )
    columns = [column for column in header if column in further]
    if not columns:
        raise ScoresRefused(
            Sentence(
                "The file has no column of scores; columns other than {columns} are read as scores.",
                columns=enumerated(header),
            )
        )
    if len(columns) > MOST_SCORES:
        raise ScoresRefused(
            Sentence(
                "The file has {n} columns of scores; you can store at most {most} at once.",
                n=len(columns),
                most=MOST_SCORES,
            )
        )
    made = [column_name(NORM_SCORES[column] if of_norms else column) for column in columns]
    twice = sorted({entry for entry in made if made.count(entry) > 1})
    if twice:
        raise ScoresRefused(
            Sentence("Several columns would be called {names}; give them different names.", names=enumerated(twice))
        )
    places = _places(study, lambda stimulus, order: [_key_of(stimulus, order, by)])
    scores: dict[str, dict[int, float]] = {column: {} for column in made}
    faults: list[str] = []
    for row in table.rows:
        cells = dict(zip(header, (cell.strip() for cell in row.cells), strict=False))
        key = tuple(cells.get(column, "") for column in by)
        found = places.get(key, [])
        if not found:
            faults.append(
                Sentence("Line {line}: the study has no text with {told}.", line=row.line, told=_told(by, key))
            )
        for column, target in zip(columns, made, strict=True):
            where = Sentence("Line {line}, {column}", line=row.line, column=column)
            faults += _read(cells.get(column, ""), scores[target], found, where=where)
    if faults:
        more = [Sentence("{n:,} more lines have the same problem.", n=len(faults) - 5)] if len(faults) > 5 else []
        raise ScoresRefused(spoken([*faults[:5], *more, Sentence("Nothing was stored.")]))
    everything = {stimulus for found in places.values() for stimulus in found}
    missing = {column: len(everything) - len(values) for column, values in scores.items()}
    warnings = [str(fault) for fault in table.warnings]
    warnings += [
        counting("{n:,} text has no {column}.", "{n:,} texts have no {column}.", number, column=column)
        for column, number in missing.items()
        if number
    ]
    said = note.strip().rstrip(".")
    digest = hashlib.sha256(data).hexdigest()[:12]
    provenance = f"{said + '. ' if said else ''}Uploaded as {name} (SHA-256 {digest}…)."
    return Uploaded(scores, provenance, tuple(warnings))


def _key_columns(header: Sequence[str], factors: Sequence[str]) -> tuple[str, ...]:
    if "item" in header and "condition" in header:
        return ("item", "condition")
    if "item" in header and factors and all(factor in header for factor in factors):
        return ("item", *factors)
    if "text" in header:
        return ("text",)
    if "item" in header and not factors:
        return ("item",)
    raise ScoresRefused(
        Sentence(
            "The file does not say which text a score belongs to: it needs the columns item and condition, or the "
            "column text, as in the exported texts.csv."
        )
    )


def _key_of(stimulus: StoredStimulus, factors: Sequence[str], by: Sequence[str]) -> Key:
    levels = stimulus.levels or {}
    own = {"item": stimulus.item, "text": stimulus.text.strip(), "condition": condition_name(stimulus, factors)}
    own |= {factor: str(levels.get(factor, "")) for factor in factors if factor not in own}
    return tuple(own[column] for column in by)


def _read(cell: str, values: dict[int, float], stimuli: Sequence[int], *, where: str) -> list[str]:
    """Put a cell's number down for its texts; return what is wrong with it."""
    if not cell or cell.upper() in ("NA", "NAN"):
        return []
    try:
        number = float(cell)
    except ValueError:
        said = Sentence("{where}: '{cell}' is not a number.", where=where, cell=cell[:40])
        return [spoken([said, *(hint for hint in HOW_TO_WRITE if hint == how_to_write(cell).strip())])]
    if not math.isfinite(number):
        return [Sentence("{where}: '{cell}' is not a finite number.", where=where, cell=cell[:40])]
    for stimulus in stimuli:
        if values.setdefault(stimulus, number) != number:
            return [
                Sentence(
                    "{where}: the same text has another value, {value:g}, in an earlier line.",
                    where=where,
                    value=values[stimulus],
                )
            ]
    return []


def _told(by: Sequence[str], key: Key) -> str:
    told: Mapping[str, Any] = dict(zip(by, key, strict=True))
    return enumerated([f"{column} '{value[:60]}'" for column, value in told.items()])
