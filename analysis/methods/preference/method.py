"""Estimate preferences from pairs, rankings and best–worst judgements (`preference`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.declarations import Progress, no_progress
from analysis.methods.preference import long, mixed, settings, tables, transitivity, wide
from analysis.methods.preference import wording as remarks
from analysis.methods.preference.choices import SEQUENTIAL, choices_of
from analysis.methods.preference.connected import islands, tiers, wins
from analysis.methods.preference.estimates import differences, equal_worths, estimates
from analysis.methods.preference.example import example
from analysis.methods.preference.judgements import PAIRS, Judgements, pairwise
from analysis.methods.preference.likelihood import FAR, fit, in_coordinates, log_likelihood, with_pseudo
from analysis.methods.preference.resampling import covariance, inflation
from analysis.methods.report import BadInput, Report, TooFew
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes
from analysis.methods.seeds import check_seed
from analysis.methods.wording import counted, listed


def preference(
    frame: pd.DataFrame,
    *,
    a: str | None = "a",
    b: str | None = "b",
    choice: str | None = "choice",
    side: str | None = "side",
    comparison: str | None = "comparison",
    option: str | None = "option",
    rank: str | None = "rank",
    best: str | None = "best",
    worst: str | None = "worst",
    participant: str | None = "participant",
    item: str | None = "item",
    random: str = settings.NONE,
    model: str = SEQUENTIAL,
    bootstrap: int = 1000,
    seed: int = 1,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Put options in order by comparisons: pairs with or without ties, rankings, best–worst.

    Pairs are wide, a row each: `a`, `b`, `choice` (a, b, tie, or the option's name), `side`. Rankings and best–worst
    are long, a row per option: `comparison`, `option`, and `rank` (equal ranks are ties) or `best` and `worst`.

    Raises BadInput where options were never compared with each other, and where nothing decides between them.

    >>> frame, parameters = example()
    >>> print(preference(frame, **parameters).sentences[0])
    plain (...), short (...) > dense (...); between signs of > every option differs from every other (Holm, p < .05).
    """
    settings.check(bootstrap=bootstrap, confidence=confidence)
    check_seed(seed)
    groups = [] if random == settings.NONE else random.split(",")
    pairs_there = all(column is not None for column in (a, b, choice))
    used = [a, b, choice, side] if pairs_there else [comparison, option, rank, best, worst]
    chosen = rows.select(frame, used=[*used, participant, item], units=[participant, item], where=where, keep=keep)
    chosen = rows.with_design(chosen, units={"participant": participant, "item": item}, factors=(), measure=None)
    data, notes = _with_groups(chosen.frame, groups, {"participant": participant, "item": item})
    if pairs_there:
        judged = wide.read(data, a=str(a), b=str(b), choice=str(choice), side=side, participant=participant, item=item)
    elif comparison is not None and option is not None:
        judged = long.read(
            data,
            comparison=comparison,
            option=option,
            rank=rank,
            best=best,
            worst=worst,
            participant=participant,
            item=item,
        )
    else:
        raise BadInput(
            "Name the columns of pairs (a=…, b=…, choice=…), or those of rankings and best–worst, one row per option "
            "(comparison=…, option=…, and rank=… or best=… and worst=…)."
        )
    progress(0.1, "counting choices")
    pairs = pairwise(judged)
    number = len(judged.options)
    table = wins(pairs, number)
    found_tiers = _comparable(judged, table)
    choices = choices_of(judged, model=model)
    coordinates = in_coordinates(choices, number)
    pseudo = len(found_tiers) > 1
    ones = np.ones(len(coordinates.starts))
    if pseudo:
        helped, ghosts = with_pseudo(coordinates, number)
        made = fit(helped, np.concatenate([ones, ghosts]))
    else:
        made = fit(coordinates, ones)
    if not made.converged or float(np.abs(made.theta).max()) > FAR:
        raise BadInput(
            "The comparisons leave no finite estimate: the side (or ties) alone foretell every choice. Leave side=… "
            "out, or collect comparisons in which both sides win."
        )
    clusters = [index for name in groups if (index := judged.clusters(name)) is not None]
    sizes = [int(index.max()) + 1 for index in clusters]
    theta, matrix, df, draws = made.theta, made.covariance, np.inf, 0
    # Of the comparisons that were made: half wins that keep worths finite are no data.
    log_lik = log_likelihood(coordinates, made.theta)
    sds: tuple[Floats, ...] = ()
    is_mixed = bool(groups) and judged.kind == PAIRS and not judged.ties and not pseudo
    is_mixed = is_mixed and number <= mixed.MOST_OPTIONS
    said: list[str] = []
    if is_mixed:
        progress(0.2, "fitting the mixed model")
        model_found = mixed.fitted(judged, clusters, sided=choices.sided)
        theta, matrix, sds = model_found.theta, model_found.covariance, model_found.sds
        log_lik = -model_found.criterion / 2
        if not model_found.converged:
            said.append("The mixed model did not converge; do not use its numbers; try random=none.")
    elif groups:
        df = float(min(sizes) - 1)
        matrix, draws = covariance(
            coordinates,
            pairs,
            made.theta,
            clusters,
            options=number,
            pseudo=pseudo,
            draws=bootstrap,
            random=np.random.default_rng(seed),
            advance=lambda share: progress(0.2 + 0.7 * share, f"drawing {listed(f'{g}s' for g in groups)}"),
        )
    estimated = estimates(theta, matrix, number, df=df)
    lines = differences(estimated, confidence=confidence)
    equal = equal_worths(estimated)
    misfit = None
    if judged.kind == PAIRS and not choices.sided and not pseudo:
        misfit = transitivity.misfit(judged, made.log_likelihood, len(made.theta))
    everybody, people = transitivity.of_all(pairs, number), transitivity.of_people(judged, pairs)
    worth = tables.worth_table(judged.options, estimated, lines, confidence=confidence)
    counts = tables.counts_table(judged.options, pairs)
    further = [tables.random_table(judged.options, groups, sds)] if sds else []
    return Report(
        tables=(
            worth,
            tables.parameters_table(choices, estimated, confidence=confidence),
            tables.differences_table(judged.options, lines),
            counts,
            tables.scores_table(judged),
            tables.agreement_table(everybody, people, transitivity.agreement(judged, pairs)),
            tables.fit_table(judged, choices, log_lik, equal, misfit),
            *further,
        ),
        figures=tables.figures(judged, confidence=confidence),
        notes=(
            *chosen.notes,
            *notes,
            *judged.notes,
            f"{counted(len(judged.made), 'comparison')} of {counted(number, 'option')}"
            f"{_people(judged)}, {counted(judged.ties, 'of them with a tie', 'of them with ties')}.",
            remarks.model_note(judged, choices, model=model),
            remarks.random_note(groups, mixed=is_mixed, draws=bootstrap, used=draws, df=df, confidence=confidence),
        ),
        warnings=(
            *chosen.warnings,
            *judged.warnings,
            *said,
            *remarks.warnings(
                judged,
                estimated,
                counts,
                everybody,
                people,
                groups=groups,
                sizes=sizes,
                grown=_grown(judged, coordinates, made, groups),
                tiers=found_tiers,
                misfit=misfit,
            ),
        ),
        design=chosen.design,
        sentences=remarks.sentences(
            worth, equal, groups=groups if np.isfinite(df) else [], sizes=sizes if np.isfinite(df) else []
        ),
    )


def _with_groups(
    data: pd.DataFrame, groups: list[str], columns: dict[str, str | None]
) -> tuple[pd.DataFrame, list[str]]:
    """Return the rows that have a value of everything that is random. Raises BadInput where there is no such column."""
    notes = []
    for name in groups:
        column = columns[name]
        if column is None:
            raise BadInput(f"random={name} needs the column that holds the {name}; name it with {name}=…")
        known = codes(data, column).notna()
        if codes(data.loc[known], column).nunique() < 2:
            raise TooFew(f"random={name} needs several {name}s; the column '{column}' names fewer than two.")
        if not known.all():
            notes.append(f"{counted(int((~known).sum()), 'row')} without {name} left out.")
            data = data.loc[known]
    return data, notes


def _comparable(judged: Judgements, table: Any) -> list[list[int]]:
    """Return the groups inside which worths are finite. Raises BadInput where options cannot be compared."""
    names = judged.options
    groups = islands(table)
    if len(groups) > 1:
        apart = "; ".join(listed(names[at] for at in group) for group in groups[:4])
        raise BadInput(
            f"Some options were never compared with others, not even by way of third ones ({apart}): there is no one "
            f"scale for them. Analyse each group with where=…, or collect comparisons between them."
        )
    if judged.kind == PAIRS and judged.ties == len(judged.made):
        raise BadInput("Every comparison was a tie, so that nothing decides between the options.")
    if all(len(judgement.tiers) == 1 for judgement in judged.made):
        raise BadInput("In every comparison all options have the same rank, so that nothing decides between them.")
    return tiers(table)


def _grown(judged: Judgements, choices: Any, made: Any, groups: list[str]) -> dict[str, float]:
    """Return the factor by which standard errors grow if the judgements of one person (or item) are clustered."""
    found = {}
    for name in ("participant", "item"):
        index = judged.clusters(name)
        if groups or index is None or bool((index < 0).any()):
            continue
        if 1 < transitivity.distinct(index) < len(judged.made):
            found[name] = inflation(choices, made.theta, made.covariance, index)
    return found


def _people(judged: Judgements) -> str:
    people, items = transitivity.distinct(judged.participants), transitivity.distinct(judged.items)
    by = f" by {counted(people, 'participant')}" if people else ""
    return f"{by} on {counted(items, 'item')}" if items else by


METHOD = declared(
    "preference",
    "Preference",
    "Worths of options from pairs, rankings or best–worst judgements, with ties, sides and clusters.",
    preference,
    *settings.PARAMETERS,
    group="compare",
    question=("Which conditions do people prefer, and by how much?",),
    needs=("comparisons",),
    example=example,
    tables=tables.TABLES,
)
