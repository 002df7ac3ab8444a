"""The method `signal-detection`: d′ and criterion per participant and cell, their means, and their differences."""

from __future__ import annotations

import pandas as pd

from analysis.methods.conditions.cell_names import column_names
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import required
from analysis.methods.signal.counting import Counts, count, with_withheld
from analysis.methods.signal.differences import DIFFERENCES, MOST_CELLS, differences, remarks, sentences
from analysis.methods.signal.example import example
from analysis.methods.signal.tables import CELLS, OWN_NAMES, SENSITIVITY, figures, means_table, sensitivity_table
from analysis.methods.signal.wording import note_of_tests, sentence, warnings
from analysis.methods.wording import listed, percent_text


def signal_detection(
    frame: pd.DataFrame,
    *,
    response: str,
    target: str,
    signal: str,
    within: tuple[str, ...] = (),
    common_noise: bool = False,
    withheld: str = "",
    participant: str | None = "participant",
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Say how well every participant tells signal from noise, and to which answer they lean.

    `response` holds the answers, `target` the truth, and `signal` names what counts as signal in both (`word`; where
    they have different names both, `yes,old`). Every other answer and every other target is noise. With `common_noise`,
    noise without a level of `within`, such as nonwords beside words of two bands, counts in every cell. `withheld`
    is what `target` says where no answer is right (go/no-go): a row whose time ran out without an answer then has an
    answer that is no signal, so that a press on go is a hit and one on no-go a false alarm.

    Tables: `METHOD`.

    Raises BadInput where a column lacks signal or noise, and where nobody had both in a cell.

    >>> frame, parameters = example()
    >>> print(signal_detection(frame, **parameters).sentences[0])
    band high: mean d′ = ..., 95 % CI [...], c = ... (12 participants).
    """
    check_confidence(confidence)
    names = as_names(signal)
    if not names:
        raise BadInput("Name the answer that counts as signal with signal=…, such as signal=word.")
    people = required(frame, participant, role="participant")
    frame, said = with_withheld(frame, response=response, target=target, withheld=withheld)
    chosen = rows.select(
        frame, used=[people, response, target, *within], measured=[response], units=[people], where=where, keep=keep
    )
    chosen = rows.with_design(chosen, units={"participant": people}, factors=within, measure=None)
    counts = count(
        chosen.frame,
        response=response,
        target=target,
        signal=names,
        participant=people,
        within=within,
        common_noise=common_noise,
    )
    progress(0.5, "d′ and criterion")
    if counts.frame["d_prime"].isna().all():
        raise BadInput(
            f"No participant has both signal and noise in one cell{f' of {listed(within)}' if within else ''}: "
            f"d′ compares the answers to the two. Check target=… and within=…"
        )
    labels = column_names(within, OWN_NAMES)
    tested = [differences(counts, confidence=confidence)] if _has_pairs(counts) else []
    means = means_table(counts, labels, confidence=confidence)
    return Report(
        tables=(sensitivity_table(counts, labels, confidence=confidence), means, *tested),
        figures=figures(labels, confidence=confidence),
        notes=(
            *chosen.notes,
            *said,
            *counts.notes,
            f"Signal is {listed(names)} in '{response}' and '{target}'. d′ = z(H) − z(F), c = −(z(H) + z(F))/2, with "
            f"the log-linear correction H = (hits + .5)/(signals + 1) and F = (false alarms + .5)/(noises + 1) in all "
            f"cells (Hautus 1995). {percent_text(confidence)} intervals of means: t over participants; of single "
            f"participants: normal, with the standard error of Gourevitch and Galanter (1967).",
            *note_of_tests(counts, tested=bool(tested), common_noise=common_noise),
        ),
        warnings=(
            *chosen.warnings,
            *counts.warnings,
            *warnings(counts),
            *(said for table in tested for said in remarks(table)),
        ),
        design=chosen.design,
        sentences=(
            *(sentence(line, labels, confidence=confidence) for line in means.lines()),
            *(said for table in tested for said in sentences(table, confidence=confidence)),
        ),
    )


def _has_pairs(counts: Counts) -> bool:
    return 2 <= len(counts.cells) <= MOST_CELLS


METHOD = declared(
    "signal-detection",
    "Signal detection",
    "Sensitivity d′ and criterion c per participant and cell, from answers that are signal or noise.",
    signal_detection,
    Parameter(
        "response",
        "Response",
        "column",
        help="The answer that was given.",
        default="response",
        role="measure",
        also=("choice", "answer"),
    ),
    Parameter(
        "target",
        "Truth",
        "column",
        help="The column with the right answer, or a factor such as lexicality.",
        default="target",
        role="factor",
        also=("truth",),
    ),
    Parameter(
        "signal",
        "Signal",
        "text",
        help="The answer or level that counts as signal; if they have different names, both, as in yes,old.",
    ),
    Parameter("within", "Factors", "columns", help="One d′ per combination of their levels.", role="factor"),
    Parameter(
        "common_noise",
        "Noise without a level counts in every cell",
        "boolean",
        help="Noise that has no level of the factors, such as nonwords, is the noise of every cell.",
    ),
    Parameter(
        "withheld",
        "Truth where no answer is right",
        "text",
        help="As in go/no-go, such as none. A row without an answer then counts as an answer that is not signal.",
        default="",
    ),
    group="compare",
    question=(
        "How well do people detect “{signal}”? Sensitivity d′",
        "How well do people tell signal from noise? Sensitivity d′",
    ),
    needs=("signal",),
    example=example,
    tables=(SENSITIVITY, CELLS, DIFFERENCES),
)
