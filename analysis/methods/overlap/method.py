"""How much systems' texts share with references and source: BLEU and SARI with their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.overlap.differences import COLUMNS as TEST_COLUMNS
from analysis.methods.overlap.differences import additive_metrics, tested_rows, tested_sentences
from analysis.methods.overlap.scores import Scored, score_outputs
from analysis.methods.overlap.system_outputs import PARAMETERS, read_outputs
from analysis.methods.overlap.tables import ngram_rows, reference_rows, system_rows, text_rows, variant_rows
from analysis.methods.overlap.wording import notes_of, sentences_of, warnings_of
from analysis.methods.report import BadInput, Column, Figure, Report, Table, named
from analysis.methods.roles import declared
from analysis.methods.seeds import check_seed
from analysis.text.edits_and_characters import CHRF, TER
from analysis.text.ngrams import ORDERS

MOST_RESAMPLES = 10_000

FURTHER = {"both": (CHRF, TER), CHRF.name: (CHRF,), TER.name: (TER,), "none": ()}
FURTHER_COLUMNS = tuple(
    Column(f"{metric.name}{end}", f"{metric.label}{label}")
    for metric in (CHRF, TER)
    for end, label in (("", ""), ("_low", ", low"), ("_high", ", high"))
)
SYSTEM_COLUMNS = (
    Column("system", "System", "text"),
    Column("n", "Texts", "integer"),
    Column("words", "Tokens per text"),
    Column("bleu", "BLEU"),
    Column("bleu_low", "BLEU, low"),
    Column("bleu_high", "BLEU, high"),
    *(Column(f"precision_{n}", f"{n}-gram precision") for n in range(1, ORDERS + 1)),
    Column("brevity_penalty", "Brevity penalty", "share"),
    Column("length_ratio", "Length ratio"),
    Column("sari", "SARI"),
    Column("sari_low", "SARI, low"),
    Column("sari_high", "SARI, high"),
    Column("add_f1", "Add F1"),
    Column("keep_f1", "Keep F1"),
    Column("delete_f1", "Delete F1"),
    Column("delete_precision", "Delete precision"),
    *FURTHER_COLUMNS,
)
NGRAM_COLUMNS = (
    Column("system", "System", "text"),
    Column("order", "n", "integer"),
    Column("bleu_precision", "BLEU precision"),
    *(
        Column(f"{operation}_{part}", f"{operation.capitalize()} {part if part != 'f1' else 'F1'}")
        for operation in ("add", "keep", "delete")
        for part in ("precision", "recall", "f1")
    ),
)
VARIANT_COLUMNS = (
    Column("system", "System", "text"),
    Column("metric", "Metric", "text"),
    Column("variant", "Variant", "text"),
    Column("level", "Level", "text"),
    Column("delete", "Deletion", "text"),
    Column("score", "Score"),
    Column("rank", "Rank", "integer"),
)
REFERENCE_COLUMNS = (
    Column("system", "System", "text"),
    Column("references", "References", "integer"),
    Column("groups", "Groups", "integer"),
    *named(SYSTEM_COLUMNS, "bleu sari"),
)
TEXT_COLUMNS = (
    Column("system", "System", "text"),
    Column("item", "Item", "text"),
    Column("words", "Tokens", "integer"),
    Column("references", "References", "integer"),
    *named(SYSTEM_COLUMNS, "bleu sari add_f1 keep_f1 delete_f1 delete_precision chrf ter"),
)


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

    Tables:
        `systems`: system, n, words, bleu, bleu_low, bleu_high, precision_1, precision_2, precision_3, precision_4,
        brevity_penalty, length_ratio, sari, sari_low, sari_high, add_f1, keep_f1, delete_f1, delete_precision, and
        with `further` chrf, chrf_low, chrf_high, ter, ter_low, ter_high. Counts of all texts are added up before
        anything is divided. BLEU (Papineni et al., 2002) with the smoothing of sacrebleu; SARI (Xu et al., 2016) is the
        mean of Add F1, Keep F1 and the score of deletion that `delete` names.
        Intervals hold 95 % of `resamples` bootstrap samples of items; all systems have the same items in a sample.
        `ngrams`: system, order, bleu_precision and add_precision, add_recall, add_f1, keep_precision, keep_recall,
        keep_f1, delete_precision, delete_recall, delete_f1 of n-grams of that order.
        `variants`: system, metric, variant, level, delete, score, rank. The same metric as others compute it: over the
        corpus or as mean of texts, deletion by F1 or by precision, n-grams counted by occurrence or by kind.
        `references`: system, references, groups, bleu, sari. Mean scores with fewer references: over groups of so many
        of them that have none in common.
        `texts`: system, item, words, references, bleu, sari, add_f1, keep_f1, delete_f1, delete_precision, chrf,
        ter. BLEU of a single text leaves out the orders that it is too short for (effective order).

        `differences`: metric, a, b, n, score_a, score_b, diff, diff_low, diff_high, p_bootstrap, p_randomisation,
        p_holm: every two systems over the items that both have (see `analysis.methods.overlap.differences`).

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
    tables: list[tuple[str, str, Sequence[Column], list[dict[str, Any]]]] = [
        (
            "systems",
            "BLEU and SARI of the systems",
            SYSTEM_COLUMNS,
            system_rows(scored, resamples=resamples, seed=seed),
        ),
        ("ngrams", "What the scores are made of", NGRAM_COLUMNS, ngram_rows(scored)),
        ("variants", "The same metrics as others compute them", VARIANT_COLUMNS, variant_rows(scored)),
        ("references", "Scores with fewer references", REFERENCE_COLUMNS, reference_rows(scored)),
        *([("differences", "Systems compared", TEST_COLUMNS, tested)] if tested else []),
        ("texts", "Scores of single texts", TEXT_COLUMNS, text_rows(scored)),
    ]
    made = {name: Table.from_rows(name, title, columns, lines) for name, title, columns, lines in tables}
    return Report(
        tables=tuple(made.values()),
        figures=_figures(scored),
        notes=(*read.notes, *notes_of(scored, resamples=resamples, trials=trials)),
        warnings=(*read.warnings, *warnings_of(scored, made, resamples=resamples)),
        sentences=(
            *sentences_of(scored, made["systems"]),
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
    "How much systems' texts share with reference texts, and what they add, keep and delete of their source.",
    overlap,
    *PARAMETERS,
    Parameter(
        "further",
        "Further metrics",
        "choice",
        help="chrF and TER, as sacrebleu has them; TER takes long for many texts.",
        choices=tuple(FURTHER),
    ),
    Parameter("trials", "Randomisations", "integer", help="Of the tests between systems; 0 for none."),
    Parameter("resamples", "Bootstrap samples", "integer", help="For the intervals; 0 for none."),
    Parameter("seed", "Seed", "integer", help="The same seed gives the same intervals."),
    example=example,
)
