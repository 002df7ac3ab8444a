"""Notes, warnings and sentences of `perturb`: how texts were spoilt, and where metrics reward it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.methods.overlap.system_outputs import Outputs
from analysis.methods.perturb.runs import Measuring, Spoilt
from analysis.methods.perturb.tables import MAIN
from analysis.methods.report import Table
from analysis.methods.wording import counted, listed, number_text
from analysis.text.bleu import bleu_signature
from analysis.text.scripts import LATIN, is_written_in

VERBS = {"FKGL": "falls", "BLEU": "rises", "SARI": "rises"}


def notes_of(
    read: Outputs,
    spoilt: Spoilt,
    texts: Table,
    *,
    by: Measuring,
    edits: Sequence[str],
    shares: Sequence[float],
    repetitions: int,
    seed: int,
) -> list[str]:
    """Say how texts were spoilt and measured."""
    where = "as a token of its own" if by.spaced else "right after the word before it"
    percent = f"{number_text(shares[0], places=0)} %" if len(shares) == 1 else f"{number_text(shares[0], places=0)} to "
    if len(shares) > 1:
        percent += f"{number_text(shares[-1], places=0)} %"
    notes = [
        f"{counted(len(edits), 'edit')} ({listed(edits)}) of Tanprasert and Kauchak (2021) spoilt {percent} of the "
        f"texts of {counted(len(read.systems), 'system')}; means of {counted(repetitions, 'repetition')}, seed {seed}. "
        f"In a repetition all edits spoil the same texts, and a larger share holds the smaller ones.",
        f"A full stop is inserted {where}, and only where words stand on both sides of it in one sentence; a word that "
        f"is “the” already is not replaced by “the”; the longest word is the first of several. Nothing is capitalised.",
        f"FKGL = .39 words/sentences + 11.8 syllables/words − 15.59, from sums over all texts ({by.counting.label}).",
    ]
    if read.has_references:
        signature = bleu_signature(read.n_references, tokenizer=by.tokenizer, lowercase=by.lowercase)
        notes.append(f"BLEU over all texts has the sacrebleu signature {signature}.")
    if read.has_references and read.has_source:
        notes.append(f"SARI adds up the counts of all texts; deletion counts by its {_delete(by.delete)}.")
    short = {curve.edit: 0 for curve in spoilt.curves}
    for curve in spoilt.curves:
        short[curve.edit] += curve.texts - curve.edited
    n_texts = len({(row[0], row[2]) for row in texts.rows})
    if texts.rows and n_texts < len(read.outputs):
        notes.append(
            f"Of {counted(len(read.outputs), 'text')}, {n_texts:,} are listed with all versions, ready to be rated."
        )
    named = listed(f"{edit}: {count:,}" for edit, count in short.items() if count)
    if named:
        notes.append(
            f"Texts that are too short for an edit were left as they are and counted among the others: {named}."
        )
    return notes


def warnings_of(read: Outputs, spoilt: Spoilt, rewards: Table, texts: Table) -> list[str]:
    """Say what is not there and why, and where sabotage is rewarded."""
    said = []
    if not read.has_references:
        said.append("Without references there is no BLEU and no SARI; name their columns with references=…")
    elif not read.has_source:
        said.append("Without a source there is no SARI; name its column with source=…")
    foreign = sum(not is_written_in(output.text, LATIN) for output in read.outputs)
    if foreign:
        said.append(
            f"{counted(foreign, 'text is', 'texts are')} not written in Latin letters, by whose rules FKGL counts "
            f"syllables, so FKGL leaves {'it' if foreign == 1 else 'them'} out."
        )
    frame = rewards.frame()
    undefined = [str(metric) for metric, values in frame.groupby("metric", sort=False)["after"] if values.isna().any()]
    if undefined:
        said.append(f"Not defined where texts are too short or hold no word, and therefore empty: {listed(undefined)}.")
    never = [curve for curve in spoilt.curves if curve.edited == 0]
    if never:
        names = listed(sorted({f"{curve.edit} in {curve.system}" for curve in never}))
        said.append(f"No text is long enough for {names}; nothing was changed there.")
    if not texts.rows:
        said.append("No text is long enough for every edit, so there is nothing to have rated.")
    if len(spoilt.curves[0].values[-1]) == 1:
        said.append("With one repetition there is no standard deviation over repetitions.")
    for metric in MAIN:
        found = _rewarded(frame, metric.label)
        if not found.empty:
            said.append(_reward_words(found, frame, metric.label))
    return said


def sentences_of(rewards: Table, *, share: float) -> tuple[str, ...]:
    """Say for every metric what the edits do to it, and whether they make a system the first."""
    frame = rewards.frame()
    sentences = []
    for metric in MAIN:
        lines = frame[(frame["metric"] == metric.label) & frame["change"].notna()]
        if lines.empty:
            continue
        means = lines.assign(size=lines["change"].astype(float)).groupby("edit", sort=False)["size"].mean()
        moved = {edit: float(change) for edit, change in means.items()}
        low, high = min(moved, key=lambda edit: moved[edit]), max(moved, key=lambda edit: moved[edit])
        span = f"{number_text(moved[low])} ({low})"
        span += f" to {number_text(moved[high])} ({high})" if high != low else ""
        over = ", on average over systems" if len(set(lines["system"])) > 1 else ""
        sentences.append(
            f"With {number_text(share, places=0)} % of the texts spoilt {metric.label} changed by {span}{over}."
        )
        sentences += _overtaking(lines, metric.label)
    return tuple(sentences)


def _overtaking(lines: pd.DataFrame, metric: str) -> list[str]:
    """Say which systems sabotage would make the first, at the smallest share."""
    first = lines[lines["first_from"].notna()]
    if first.empty:
        return []
    line = first.assign(share=first["first_from"].astype(float)).sort_values("share", kind="stable").iloc[0]
    n = first["system"].nunique()
    return [
        f"Spoilt alone, {counted(n, 'system')} that {'is' if n == 1 else 'are'} not first in {metric} would be, the "
        f"soonest {line['system']} with {line['edit']} in {number_text(line['share'], places=0)} % of its texts."
    ]


def _rewarded(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    of_metric = frame[frame["metric"] == metric]
    return of_metric[[value is True for value in of_metric["rewarded"]]]


def _reward_words(found: pd.DataFrame, frame: pd.DataFrame, metric: str) -> str:
    sizes = found["change"].astype(float).abs()
    worst: Any = found[sizes == sizes.max()].iloc[0]
    total = int((frame["metric"] == metric).sum())
    return (
        f"{metric} rewards sabotage: it {VERBS[metric]} in {len(found):,} of {counted(total, 'case')} (system and "
        f"edit), most by {number_text(float(sizes.max()))}, from {number_text(worst['before'])} to "
        f"{number_text(worst['after'])} ({worst['edit']} in {worst['system']})."
    )


def _delete(delete: str) -> str:
    return "F1 (as EASSE)" if delete == "f1" else "precision (as in the article)"
