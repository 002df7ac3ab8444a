"""The method `overlap`: BLEU, SARI, chrF and TER of systems' texts."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.overlap import tables
from analysis.methods.overlap.differences import DIFFERENCES, additive_metrics, tested_rows, tested_sentences
from analysis.methods.overlap.scores import Scored, score_outputs
from analysis.methods.overlap.system_outputs import PARAMETERS, read_outputs
from analysis.methods.overlap.wording import notes_of, sentences_of, warnings_of
from analysis.methods.report import BadInput, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.seeds import check_seed
from analysis.text.edits_and_characters import CHRF, TER

MOST_RESAMPLES = 10_000

FURTHER = {"both": (CHRF, TER), CHRF.name: (CHRF,), TER.name: (TER,), "none": ()}


def overlap(
    frame: pd.DataFrame,
    *,
    text: str | None = "text",
    source: str | None = "source",
    references: Sequence[str] = (),
    separator: str = "|||",
    system: str | None = "system",
    item: str | None = "item",
    tokenizer: str = "13a",
    lowercase: bool = True,
    delete: str = "f1",
    further: str = "both",
    trials: int = 1000,
    resamples: int = 1000,
    seed: int = 1,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Score texts of systems against references, and for SARI against their source.

    One row is one text of one system. `references` are one or more columns; a cell may hold several, separated by
    `separator`. Without a source there is no SARI. Scores are 0 to 100.

    Raises BadInput where no text has what the metrics need.

    >>> frame, parameters = example()
    >>> overlap(frame, **parameters).table("systems").frame()[["system", "bleu", "sari"]].round(2).values.tolist()
    [['copy', 42.79, 18.19], ['short', 23.78, 40.27], ['writer', 86.41, 78.43]]
    """
    if not 0 <= resamples <= MOST_RESAMPLES:
        raise BadInput(f"resamples must be from 0 (no intervals) to {MOST_RESAMPLES:,}, not {resamples}.")
    if not 0 <= trials <= MOST_RESAMPLES:
        raise BadInput(f"trials must be from 0 (no test) to {MOST_RESAMPLES:,}, not {trials}.")
    check_seed(seed)
    read = read_outputs(
        frame,
        text=text,
        source=source,
        references=references,
        separator=separator,
        system=system,
        item=item,
        where=where,
        keep=keep,
    )
    if not read.has_references:
        raise BadInput(
            "BLEU and SARI compare texts with references, and the data have no column reference; name the columns that "
            "hold them with references=…"
        )
    scored = score_outputs(read, tokenizer=tokenizer, lowercase=lowercase, delete=delete, further=FURTHER[further],
                           progress=progress)  # fmt: skip
    progress(0.9, "resampling items")
    tested = tested_rows(scored, resamples=resamples, trials=trials, seed=seed) if resamples or trials else []
    systems = tables.SYSTEMS.of(tables.system_rows(scored, resamples=resamples, seed=seed))
    variants = tables.VARIANTS.of(tables.variant_rows(scored))
    return Report(
        tables=(
            systems,
            tables.NGRAMS.of(tables.ngram_rows(scored)),
            variants,
            tables.REFERENCES.of(tables.reference_rows(scored)),
            *([DIFFERENCES.of(tested)] if tested else []),
            tables.TEXTS.of(tables.text_rows(scored)),
        ),
        figures=_figures(scored),
        notes=(*read.notes, *notes_of(scored, resamples=resamples, trials=trials)),
        warnings=(*read.warnings, *warnings_of(scored, systems, variants, resamples=resamples)),
        sentences=(
            *sentences_of(scored, systems),
            *tested_sentences(tested, {name: metric.label for name, metric in additive_metrics(scored).items()}),
        ),
    )


def _figures(scored: Scored) -> tuple[Figure, ...]:
    metric = "sari" if scored.has_source else "bleu"
    label = metric.upper()
    figures = [
        Figure(
            name="precisions",
            title="n-gram precision",
            kind="lines",
            table="ngrams",
            encoding={"x": "order", "y": "bleu_precision", "colour": "system"},
            caption="Share of the n-grams of a system that are in a reference, in percent.",
            x_label="n",
            y_label="Precision",
        ),
        Figure(
            name="scores",
            title=f"{label} of the systems",
            kind="intervals",
            table="systems",
            encoding={"x": metric, "y": "system", "low": f"{metric}_low", "high": f"{metric}_high"},
            caption="With 95 % intervals from resampled items.",
            x_label=label,
        ),
    ]
    if max(scored.read.n_references) > 1 and scored.same_references:
        figures.append(
            Figure(
                name="fewer-references",
                title=f"{label} with fewer references",
                kind="lines",
                table="references",
                encoding={"x": "references", "y": metric, "colour": "system"},
                caption="Means over groups of references that have none in common.",
                x_label="References",
                y_label=label,
            )
        )
    return tuple(figures)


def example() -> Example:
    """Return three systems' simplifications of four sentences with two references each."""
    sources = (
        "The committee will subsequently reconvene in order to deliberate on the proposal.",
        "Approximately half of the inhabitants were compelled to leave the island.",
        "He was appointed director of the museum, which had been established in 1921.",
        "Owls are nocturnal birds that feed predominantly on small mammals.",
    )
    first = (
        "The committee will meet again later to discuss the proposal.",
        "About half of the people had to leave the island.",
        "He became director of the museum, which was founded in 1921.",
        "Owls are birds that hunt at night and mostly eat small mammals.",
    )
    second = (
        "The committee will meet again to talk about the proposal.",
        "About half of the inhabitants were forced to leave the island.",
        "He was made director of the museum. It had been founded in 1921.",
        "Owls are night birds that feed mostly on small mammals.",
    )
    written = (
        "The committee will meet again to discuss the proposal.",
        "About half of the inhabitants had to leave the island.",
        "He was made director of the museum, which was founded in 1921.",
        "Owls are night birds that mostly eat small mammals.",
    )
    short = (
        "The committee will reconvene.",
        "The inhabitants were compelled to leave.",
        "He was appointed director of the museum.",
        "Owls are birds that feed on mammals.",
    )
    lines = [
        {
            "item": f"S{at + 1}",
            "system": system,
            "text": texts[at],
            "source": sources[at],
            "reference_1": first[at],
            "reference_2": second[at],
        }
        for at in range(len(sources))
        for system, texts in (("copy", sources), ("short", short), ("writer", written))
    ]
    return pd.DataFrame(lines), {"references": ("reference_1", "reference_2"), "resamples": 200}


METHOD = declared(
    "overlap",
    "Overlap with references: BLEU and SARI",
    "How much systems' texts share with reference texts, and what they add to, keep and delete from their source.",
    overlap,
    *PARAMETERS,
    Parameter(
        "further",
        "Further metrics",
        "choice",
        help="chrF and TER, as sacrebleu computes them; TER takes long for many texts.",
        choices=tuple(FURTHER),
    ),
    Parameter("trials", "Randomisations", "integer", help="For the tests between systems; 0 for none."),
    Parameter("resamples", "Bootstrap samples", "integer", help="For the intervals; 0 for none."),
    Parameter("seed", "Seed", "integer", help="The same seed gives the same intervals."),
    group="texts",
    question=("How much do the texts share with their references?",),
    needs=("references",),
    example=example,
    tables=(tables.SYSTEMS, tables.NGRAMS, tables.VARIANTS, tables.REFERENCES, DIFFERENCES, tables.TEXTS),
)
