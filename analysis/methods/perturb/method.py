"""The method `perturb`: spoil texts and test whether metrics notice, as FKGL fails to (Tanprasert & Kauchak 2021)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.overlap.method import example as outputs_example
from analysis.methods.overlap.system_outputs import PARAMETERS, Outputs, read_outputs
from analysis.methods.parameters import as_names
from analysis.methods.perturb import tables
from analysis.methods.perturb.runs import Measuring, Spoilt, spoil
from analysis.methods.perturb.wording import notes_of, sentences_of, warnings_of
from analysis.methods.report import BadInput, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.seeds import check_seed
from analysis.methods.wording import nearest
from analysis.text.implementations import implementations
from analysis.text.perturbations import EDITS
from analysis.text.readability import Counting
from analysis.text.tokens import looks_tokenised

ALL_EDITS = ",".join(EDITS)
SHARES = "10,20,30,40,50,60,70,80,90,100"
AUTO = "auto"
WAYS = {
    "easse": "EASSE",
    "rules": "rules, words only",
    "readability": "readability (Mautner)",
    "readability-floor": "readability (Mautner), Python 2",
}
MOST_REPETITIONS = 1000
MOST_RESAMPLES = 2000


def perturb(
    frame: pd.DataFrame,
    *,
    text: str | None = "text",
    source: str | None = "source",
    references: Sequence[str] = (),
    separator: str = "|||",
    system: str | None = "system",
    item: str | None = "item",
    edits: Any = ALL_EDITS,
    shares: Any = SHARES,
    repetitions: int = 10,
    resamples: int = 200,
    seed: int = 1,
    counting: str = AUTO,
    tokens: str = AUTO,
    tokenizer: str = "13a",
    lowercase: bool = True,
    delete: str = "f1",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Spoil growing shares of every system's texts by six edits, and measure FKGL, BLEU, SARI and their parts.

    One row is one text of one system, as for `overlap`. Without references there is FKGL alone, without a source no
    SARI. Better means a lower FKGL, a higher BLEU or SARI.

    Raises BadInput where there is no text, or a parameter is out of range.

    >>> frame, parameters = example()
    >>> report = perturb(frame, **parameters)
    >>> curves = report.table("curves").frame().query("system == 'copy' and edit == 'random-period'")
    >>> curves[["share", "fkgl", "bleu", "sari"]].round(2).values.tolist()
    [[0.0, 8.12, 42.79, 18.19], [50.0, 5.89, 37.13, 20.25], [100.0, 4.47, 34.89, 25.05]]
    """
    chosen_edits = _edits(edits)
    chosen_shares = _shares(shares)
    if not 1 <= repetitions <= MOST_REPETITIONS:
        raise BadInput(f"repetitions must be from 1 to {MOST_REPETITIONS:,}, not {repetitions}.")
    if not 0 <= resamples <= MOST_RESAMPLES:
        raise BadInput(f"resamples must be from 0 (no intervals) to {MOST_RESAMPLES:,}, not {resamples}.")
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
    spaced = looks_tokenised([output.text for output in read.outputs]) if tokens == AUTO else tokens == "spaced"
    by = Measuring(
        counting=_counting(counting, spaced=spaced),
        spaced=spaced,
        tokenizer=tokenizer,
        lowercase=lowercase,
        delete=delete,
    )
    spoilt = spoil(
        read,
        by=by,
        edits=chosen_edits,
        shares=chosen_shares,
        repetitions=repetitions,
        seed=seed,
        resamples=resamples,
        progress=progress,
    )
    rewards = tables.reward_rows(spoilt)
    rewarded = tables.REWARDS.of(rewards)
    texts = tables.TEXTS.of(tables.version_rows(spoilt, read, chosen_edits))
    return Report(
        tables=(
            tables.SUMMARY.of(tables.summary_rows(rewards)),
            rewarded,
            tables.CURVES.of(tables.curve_rows(spoilt)),
            tables.SLOPES.of(tables.slope_rows(spoilt, resamples=resamples)),
            tables.NGRAMS.of(tables.ngram_rows(spoilt)),
            tables.EDITS.of(tables.edit_counts(spoilt)),
            texts,
        ),
        figures=_figures(read, spoilt),
        notes=(
            *read.notes,
            *notes_of(
                read,
                spoilt,
                texts,
                by=by,
                edits=chosen_edits,
                shares=chosen_shares,
                repetitions=repetitions,
                seed=seed,
            ),
        ),
        warnings=(*read.warnings, *warnings_of(read, spoilt, rewarded, texts)),
        sentences=sentences_of(rewarded, share=chosen_shares[-1]),
    )


def _edits(given: Any) -> tuple[str, ...]:
    # Without "rand-" and "repl-" its two parts are just as plain.
    names = [EDITS[-1] if "".join(name.split()) == "period+longest" else name for name in as_names(given or ALL_EDITS)]
    if not names:
        raise BadInput(f"edits: none is named; write some of {', '.join(EDITS)}.")
    for name in names:
        if name not in EDITS:
            guess = nearest(name, EDITS)
            hint = f"; did you mean '{guess}'?" if guess else "."
            raise BadInput(f"edits: there is no edit '{name}'{hint} Known are: {', '.join(EDITS)}.")
    return tuple(dict.fromkeys(names))


def _shares(given: Any) -> tuple[float, ...]:
    """Read percentages; each is more than 0 and at most 100."""
    shares = []
    for name in as_names(given or SHARES):
        try:
            share = float(name.removesuffix("%"))
        except ValueError:
            raise BadInput(f"shares: '{name}' is not a number; write percentages such as 10,50,100.") from None
        if not math.isfinite(share) or not 0 < share <= 100:
            raise BadInput(f"shares: {name} is out of range; a share of texts is more than 0 and at most 100 percent.")
        shares.append(share)
    if not shares:
        raise BadInput("shares: none is given; write percentages such as 10,50,100.")
    return tuple(sorted(set(shares)))


def _counting(name: str, *, spaced: bool) -> Counting:
    """Return how words, sentences and syllables are counted.

    For texts in print the usual rules end no sentence before a small letter, which hides an inserted full stop from
    them; evaluation programs end one at every full stop.
    """
    wanted = WAYS[name] if name != AUTO else WAYS["rules" if spaced else "easse"]
    return next(way.counting for way in implementations(tokenised=spaced) if way.name == wanted)


def _figures(read: Outputs, spoilt: Spoilt) -> tuple[Figure, ...]:
    known = spoilt.curves[0].values[0][0]
    several = len(read.systems) > 1
    return tuple(
        Figure(
            name=metric.name,
            title=f"{metric.label} of spoilt texts ({'higher' if metric.sign > 0 else 'lower'} passes for better)",
            kind="lines",
            table="curves",
            encoding={
                "x": "share",
                "y": metric.name,
                "colour": "edit",
                **({"panel": "system"} if several else {}),
            },
            caption=f"{metric.label} by the percentage of texts that were spoilt; means over repetitions.",
            x_label="% of texts",
            y_label=metric.label,
        )
        for metric in tables.MAIN
        if known.get(metric.name) is not None
    )


def example() -> Example:
    """Return three systems' simplifications of four sentences with two references each."""
    frame, _ = outputs_example()
    parameters = {"references": ("reference_1", "reference_2"), "shares": "50,100", "repetitions": 3}
    return frame, parameters


METHOD = declared(
    "perturb",
    "Spoilt texts: do metrics notice?",
    "Spoils texts by six small edits and shows whether FKGL, BLEU and SARI notice or reward it.",
    perturb,
    *PARAMETERS,
    Parameter("edits", "Edits", "text", help=f"Some or all of {ALL_EDITS}.", also=("edit",)),
    Parameter("shares", "Shares of texts", "text", help="In percent, separated by commas.", also=("share", "percent")),
    Parameter("repetitions", "Repetitions", "integer", help="Averaged; the article used 100.", also=("repeats",)),
    Parameter("resamples", "Bootstrap samples", "integer", help="For intervals of slopes; 0 for none."),
    Parameter("seed", "Seed", "integer", help="The same seed spoils the same places."),
    Parameter(
        "counting",
        "Counting for FKGL",
        "choice",
        help="auto uses easse for texts in print and rules for tokenised ones (see the page of text-profile).",
        choices=(AUTO, *WAYS),
    ),
    Parameter(
        "tokens",
        "Punctuation",
        "choice",
        help="spaced: blanks surround punctuation, as in tokenised texts; auto: detected from the texts.",
        choices=(AUTO, "running", "spaced"),
    ),
    group="texts",
    question=("Do automatic metrics notice when texts are spoilt?",),
    needs=("references",),
    example=example,
    tables=tables.TABLES,
)
