"""Spoil texts on purpose and see whether metrics notice: the test that FKGL fails (Tanprasert & Kauchak, 2021)."""

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
from analysis.methods.perturb.runs import Measuring, Spoilt, spoil, texts_spoilt
from analysis.methods.perturb.slopes import COLUMNS as SLOPE_COLUMNS
from analysis.methods.perturb.wording import notes_of, sentences_of, warnings_of
from analysis.methods.report import BadInput, Figure, Report, Table
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

    Tables:
        `summary`: edit, metric (FKGL, BLEU, SARI), systems, before, after (with the largest share of texts spoilt),
        change, change_low, change_high, rewarded, systems_rewarded, systems_first: means over systems, the range of the
        change, whether the metric is better afterwards, in how many systems, and how many would become the first.
        `curves`: system, edit, share (percent of texts, 0 first), spoilt (how many), fkgl, fkgl_sd, bleu, bleu_sd,
        sari, sari_sd, words_per_sentence, syllables_per_word, precision_1, precision_2, precision_3, precision_4,
        brevity_penalty, add_f1, keep_f1, delete_f1, delete_precision: means over repetitions.
        `rewarded`: system, edit, metric, part_of, before, after (at the largest share), change, sd, rewarded (whether
        the metric is better afterwards), repetitions_rewarded, largest_gain, at_share, rank_before, rank_after,
        first_from: the rank of the system among the others, which stay as they are, and the smallest share that makes
        it the first where it was not.
        `slopes`: system, edit, metric, slope (change per 10 % of texts that are spoilt), ci_low, ci_high, sure,
        rewarded, linear (see `analysis.methods.perturb.slopes`).
        `ngrams`: system, edit, order, bleu_precision, add_f1, keep_f1, delete_f1, delete_precision, for untouched texts
        (edit none) and for the largest share.
        `edits`: edit, texts, edited, untouched. How many texts were long enough for the edit.
        `texts`: item, text, system, edit, context. Every text as it is (none) and spoilt, as materials of a rating
        study; context is the source.

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
    texts = [output.text for output in read.outputs]
    spaced = looks_tokenised(texts) if tokens == AUTO else tokens == "spaced"
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
    places = {name: [0, *(texts_spoilt(share, len(read.of(name))) for share in chosen_shares)] for name in read.systems}
    rewards = tables.reward_rows(spoilt)
    made = [
        Table.from_rows("summary", "Is sabotage rewarded?", tables.SUMMARY_COLUMNS, tables.summary_rows(rewards)),
        Table.from_rows("rewarded", "What every edit does to every system", tables.REWARD_COLUMNS, rewards),
        Table.from_rows(
            "curves", "Metrics by the share of spoilt texts", tables.CURVE_COLUMNS, tables.curve_rows(spoilt, places)
        ),
        Table.from_rows(
            "slopes", "Change per 10 % of texts spoilt", SLOPE_COLUMNS, tables.slope_rows(spoilt, resamples=resamples)
        ),
        Table.from_rows("ngrams", "Parts of BLEU and SARI by n", tables.NGRAM_COLUMNS, tables.ngram_rows(spoilt)),
        Table.from_rows("edits", "Texts that could be edited", tables.EDIT_COLUMNS, tables.edit_rows(spoilt)),
        Table.from_rows(
            "texts",
            "The texts, as they are and spoilt",
            tables.TEXT_COLUMNS,
            tables.version_rows(spoilt, read, chosen_edits),
        ),
    ]
    return Report(
        tables=tuple(made),
        figures=_figures(read, spoilt),
        notes=(
            *read.notes,
            *notes_of(
                read,
                spoilt,
                made[-1],
                by=by,
                edits=chosen_edits,
                shares=chosen_shares,
                repetitions=repetitions,
                seed=seed,
            ),
        ),
        warnings=(*read.warnings, *warnings_of(read, spoilt, made[1], made[-1])),
        sentences=sentences_of(made[1], share=chosen_shares[-1]),
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
    Parameter("repetitions", "Repetitions", "integer", help="Averaged; the article took 100.", also=("repeats",)),
    Parameter("resamples", "Texts drawn again", "integer", help="For intervals of slopes; 0 for none."),
    Parameter("seed", "Seed", "integer", help="The same seed spoils the same places."),
    Parameter(
        "counting",
        "Counting for FKGL",
        "choice",
        help="auto takes easse for texts in print and rules for tokenised ones (see the page of text-profile).",
        choices=(AUTO, *WAYS),
    ),
    Parameter(
        "tokens",
        "Punctuation",
        "choice",
        help="spaced where it stands between blanks, as in texts that were tokenised already; auto looks at them.",
        choices=(AUTO, "running", "spaced"),
    ),
    example=example,
)
