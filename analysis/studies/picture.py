"""The picture with which Analyse begins: the main measure by condition, before any test.

The main measure is that of the first suggested analysis, on the same rows. Means of every finished session are kept
(`SessionMeans`), as its answers never change; a page makes some of those that are missing and reads the others, so that
its time does not grow with the answers of the study.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np
import pandas as pd
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from analysis.codebook.columns import ExportColumn
from analysis.codebook.questions import Words, fixed_names, joined
from analysis.codebook.tables import long_columns
from analysis.codebook.trials import trial_columns
from analysis.data.frames import coding_facts
from analysis.exports.cells import Cells
from analysis.exports.reports import labels_of, words_of
from analysis.exports.rows.long import long_rows
from analysis.exports.rows.trials import trial_rows
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.rows import used
from analysis.methods.t_intervals import of_mean, resampled
from analysis.models import SessionMeans
from analysis.sequential_plans.outside import would_unblind
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import SuggestedAnalysis
from participants.models import Session
from participants.session.planned_exclusion import ANALYSED, people_have_answered

# Changes where means are computed otherwise.
FORM = 1
# How many sessions are read at once, and for how many seconds a request goes on with the next ones.
AT_ONCE, SECONDS = 100, 2.0
# So many missing sessions a picture makes while it is asked for; for more the page says how far it is.
BY_ITSELF = AT_ONCE
# Of more people in a condition a dot stands for several of them.
MOST_DOTS = 200
MOST_CELLS = 24
# What is drawn in the unit in which it was measured.
AS_MEASURED = {"log_rt": "rt_ms", "inverse_rt": "rt_ms"}
METHODS = ("lmm", "glmm", "ordinal", "multinomial", "preference")
# Of comparisons of several texts each text has a row: what stands in it about the answer.
OF_OPTIONS = ("rank", "best")
CHANNELS = ("x", "colour", "panel")


@dataclass(frozen=True)
class MainMeasure:
    """What the picture shows: means of a column of a table, of some rows, by up to three factors.

    Of comparisons (`compared`) it is the share in which a condition was chosen among those that were shown, of several
    texts the mean rank or the share of being the best. Of answers that are categories (`of_categories`) it is the share
    of each, and the answer is the first of what the picture is divided by.
    """

    column: str
    table: str
    where: str
    factors: tuple[str, ...]
    stamp: str
    compared: bool = False
    of_categories: bool = False

    @property
    def divided_by(self) -> tuple[str, ...]:
        """The columns by which the picture is divided."""
        return ((self.column, *self.factors) if self.of_categories else self.factors)[: len(CHANNELS)]

    @property
    def is_resampled(self) -> bool:
        """Whether intervals come of people drawn again: of shares and ranks, which have ends."""
        return self.compared or self.of_categories or (self.table == "options" and self.column in OF_OPTIONS)


@dataclass(frozen=True)
class Progress:
    """For how many of the finished sessions, those left out aside, means are there."""

    done: int
    people: int

    @property
    def missing(self) -> int:
        return self.people - self.done


def main_measure(study: Study, offered: Sequence[SuggestedAnalysis]) -> MainMeasure | None:
    """Return what the picture of a task shows, given its suggested analyses; None where it has no measure of this kind.

    Without factors it is the first judgement of the paradigm.
    """
    first = next((one for one in offered if one.method in METHODS and not one.is_companion), None)
    names = {column.name for column in trial_columns(study).all}
    factors = [str(factor["name"]) for factor in study.factors]
    column, table, where, compared = "", "trials", "", False
    of_categories = first is not None and first.method == "multinomial"
    if first is not None and first.method == "preference" and first.table != "trials":
        table = first.table
        there = {one.name for one in _table(study, table, [])[0]}
        column = next((name for name in OF_OPTIONS if name in there and _is_used(first, name)), "")
    elif first is not None and first.method == "preference":
        compared = len(factors) == 1
        column = "chosen" if compared else ""
    elif first is not None:
        left, _tilde, right = str(first.params["formula"]).partition("~")
        column = left.strip().removeprefix("log(").removesuffix(")") if "(" in left else left.strip()
        column = AS_MEASURED.get(column, column)
        where = str(first.params.get("where", ""))
        factors = [name for name in factors if name in fixed_names(right)]
        table = first.table
        if table == "codings":  # the final codes stand in the trials, too
            table, where = "trials", ""
    else:
        column = next(iter(paradigm_named(study.paradigm).judgements_of(study.settings)), "")
    if not column or (table == "trials" and column not in names):
        return None
    facts = [FORM, study.chosen_task, study.paradigm, table, column, where, factors, study.settings, study.factors]
    facts += [study.plan.get("exclusion_rules", []), study.shown_questions, coding_facts(study)]
    facts += ["shares"] if of_categories else []
    stamp = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()
    most = len(CHANNELS) - of_categories
    return MainMeasure(column, table, where, tuple(factors[:most]), stamp, compared, of_categories)


def is_hidden(study: Study) -> bool:
    """Return whether a sequential plan keeps the data from everybody until it stops."""
    return would_unblind(study, "trials")


def _is_used(suggestion: SuggestedAnalysis, column: str) -> bool:
    """Return whether a suggested analysis names a column among its parameters."""
    return column in map(str, suggestion.params.values())


def sessions_of(study: Study) -> QuerySet[Session]:
    """Return the finished sessions that the picture shows: those of people, and simulated ones as long as nobody is."""
    finished = Session.objects.filter(ANALYSED, study=study)
    return finished.filter(is_simulated=False) if people_have_answered(study) else finished


def progress_of(study: Study, measure: MainMeasure) -> Progress:
    """Return for how many sessions the means are there; two counts in the database."""
    sessions = sessions_of(study)
    return Progress(sessions.filter(_kept(study, measure)).count(), sessions.count())


def fill(study: Study, measure: MainMeasure, *, seconds: float = SECONDS) -> Progress:
    """Make means that are missing, bundle by bundle, until so many seconds have passed; at least one bundle."""
    end = monotonic() + seconds
    while True:
        missing = sessions_of(study).exclude(pk__in=_rows(study, measure).values("session"))
        keys = list(missing.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
        if keys:
            found = means_of_sessions(study, measure, keys)
            SessionMeans.objects.bulk_create(
                [
                    SessionMeans(session_id=key, part=study.chosen_task, stamp=measure.stamp, cells=found.get(key, []))
                    for key in keys
                ],
                update_conflicts=True,
                unique_fields=["session", "part"],
                update_fields=["stamp", "cells"],
            )
        if len(keys) < AT_ONCE or monotonic() > end:
            return progress_of(study, measure)


def _rows(study: Study, measure: MainMeasure) -> QuerySet[SessionMeans]:
    return SessionMeans.objects.filter(session__study=study, part=study.chosen_task, stamp=measure.stamp)


def _kept(study: Study, measure: MainMeasure) -> Q:
    return Q(pk__in=_rows(study, measure).values("session"))


def means_of_sessions(study: Study, measure: MainMeasure, keys: Sequence[int]) -> dict[int, list[list[Any]]]:
    """Return the means of sessions: by their keys, of every condition its levels, the number of trials and the mean.

    Rows that a rule leaves out, fillers and practice have no part in them.
    """
    frame = _frame(study, measure, keys)
    if frame.empty:
        return {}
    if measure.compared:
        frame = _compared(frame, measure.factors[0])
    try:
        asked = [measure.column, *measure.factors]
        chosen = used.select(frame, used=asked, where=measure.where or None, keep="simulated").frame
    except BadInput:
        return {}
    if measure.of_categories:
        return _shares(chosen, measure)
    values = chosen[measure.column].replace({"true": 1, "false": 0})
    chosen = chosen.assign(value=pd.to_numeric(values, errors="coerce")).dropna(subset=["value"])
    for factor in measure.factors:
        chosen = chosen[chosen[factor] != ""]
    found: dict[int, list[list[Any]]] = defaultdict(list)
    for group, own in chosen.groupby(["session", *measure.factors], sort=False)["value"]:
        session, *levels = map(str, group)
        found[int(session)].append([levels, len(own), float(own.mean())])
    return found


def _shares(frame: pd.DataFrame, measure: MainMeasure) -> dict[int, list[list[Any]]]:
    """Return of sessions the share of every answer that was given, in each condition; others have none."""
    given = frame[frame[measure.column] != ""]
    for factor in measure.factors:
        given = given[given[factor] != ""]
    found: dict[int, list[list[Any]]] = defaultdict(list)
    for group, own in given.groupby(["session", *measure.factors], sort=False)[measure.column]:
        session, *levels = map(str, group)
        for answer, n in own.value_counts().items():
            found[int(session)].append([[str(answer), *levels], len(own), float(n / len(own))])
    return found


def _with_shares_of_nobody(cells: Sequence[Sequence[Any]], answers: Sequence[str]) -> list[tuple[list[str], float]]:
    """Return the shares of one person with those of answers that were never given: they are 0."""
    there = {tuple(levels): mean for levels, _n, mean in cells}
    conditions = dict.fromkeys(levels[1:] for levels in there)
    return [([answer, *own], there.get((answer, *own), 0.0)) for own in conditions for answer in answers]


def _frame(study: Study, measure: MainMeasure, keys: Sequence[int]) -> pd.DataFrame:
    """Return the rows of sessions, of those columns alone that the picture and the rules need."""
    columns, rows = _table(study, measure.table, keys)
    names = [column.name for column in columns]
    wanted = {measure.column, *measure.factors, "session", "excluded", "is_filler", "phase", "simulated"}
    wanted |= {"conditions_shown", "chosen"} if measure.compared else set()
    wanted |= {name for name in names if name in measure.where}
    places = [place for place, name in enumerate(names) if name in wanted]
    cells = [["" if row[place] is None else str(row[place]) for place in places] for row in rows]
    return pd.DataFrame(cells, columns=[names[place] for place in places], dtype=object)


def _table(study: Study, name: str, keys: Sequence[int]) -> tuple[tuple[ExportColumn, ...], Iterator[Cells]]:
    if name == "trials":
        return trial_columns(study).all, trial_rows(study, keys)
    tables = paradigm_named(study.paradigm).long_tables_of(study.settings)
    table = next(one for one in tables if one.name == name)
    return long_columns(study, table), long_rows(study, table, keys)


def _compared(frame: pd.DataFrame, factor: str) -> pd.DataFrame:
    """Return a row for every condition of every comparison that was decided: whether it was chosen."""
    decided = frame[frame["chosen"] != ""]
    long = decided.assign(**{factor: decided["conditions_shown"].str.split("|")}).explode(factor, ignore_index=True)
    return long.assign(chosen=(long["chosen"] == long[factor]).map({True: "true", False: "false"}))


def report_of(study: Study, measure: MainMeasure) -> Report:
    """Return the picture as a report: means with 95 % intervals over people, and what stands behind them.

    Of every person it is the mean of a condition. Levels stand in the order of the study, with its names for print.
    """
    words = words_of(study)
    by_cell: dict[tuple[str, ...], list[float]] = defaultdict(list)
    people = 0
    kept = _rows(study, measure).filter(session__in=sessions_of(study)).values_list("cells", flat=True)
    divided = measure.divided_by
    answers: list[str] = []
    if measure.of_categories:
        given = {str(levels[0]) for cells in kept.iterator(chunk_size=2000) for levels, _n, _mean in cells}
        answers = sorted(given)
    for cells in kept.iterator(chunk_size=2000):
        people += bool(cells)
        pairs = _with_shares_of_nobody(cells, answers) if answers else [(levels, mean) for levels, _n, mean in cells]
        for levels, mean in pairs:
            by_cell[tuple(levels)].append(mean)
    order = labels_of(study).levels
    places = {name: {level: place for place, level in enumerate(of)} for name, of in order.items()}
    ordered = sorted(
        by_cell,
        key=lambda levels: [
            places.get(factor, {}).get(level, len(places.get(factor, {})))
            for factor, level in zip(divided, levels, strict=True)
        ],
    )[:MOST_CELLS]
    names = list(CHANNELS[: len(divided)])
    one = not divided
    columns = [Column(name, words.name(factor), "text") for name, factor in zip(names, divided, strict=True)]
    columns = columns or [Column("x", "", "text")]
    means, dots, each = [], [], 1
    for levels in ordered:
        shown = [words.level(factor, level) for factor, level in zip(divided, levels, strict=True)]
        shown = [_("all")] if one else shown
        values = np.sort(np.array(by_cell[levels]))
        found = of_mean(values, 0.95)
        if measure.is_resampled and len(values) > 1:
            found["ci_low"], found["ci_high"] = resampled(values, 0.95)
        means.append((*shown, found["mean"], _number(found["ci_low"]), _number(found["ci_high"]), len(values)))
        step = -(-len(values) // MOST_DOTS)
        each = max(each, step)
        dots += [(*shown, float(value)) for value in values[step // 2 :: step]]
    label = words.name(measure.column)
    unit = unit_of(study, measure)
    y_label = f"{label} ({unit})" if unit else label
    y_label = _name(words, measure) if measure.is_resampled else y_label
    mean_columns = (
        *columns,
        Column("mean", _("Mean"), "number"),
        Column("low", _("Lower end"), "number"),
        Column("high", _("Upper end"), "number"),
        Column("n", _("People"), "integer"),
    )
    encoding = dict(zip(names or ["x"], names or ["x"], strict=True)) | {"y": "mean", "low": "low", "high": "high"}
    title = title_of(words, measure)
    return Report(
        method="picture",
        params={"people": people},
        tables=(
            Table("means", title, mean_columns, tuple(means)),
            Table("people", title, (*columns, Column("value", y_label, "number")), tuple(dots)),
        ),
        figures=(
            Figure(
                name="main-measure",
                title=title,
                kind="people",
                table="means",
                encoding=encoding,
                caption=_caption(people, each),
                x_label="" if one else words.name(divided[0]),
                y_label=y_label[:1].upper() + y_label[1:],
                points="people",
                points_value="value",
                titles={name: words.name(of) for name, of in zip(names, divided, strict=True)},
            ),
        ),
    )


def unit_of(study: Study, measure: MainMeasure) -> str:
    """Return the unit of the measure, as the codebook has it."""
    columns, _rows_of = _table(study, measure.table, [])
    return next((column.unit for column in columns if column.name == measure.column), "")


def title_of(words: Words, measure: MainMeasure) -> str:
    """Return what the picture shows, in words."""
    rows = words.rows(measure.where)
    what = _name(words, measure)
    what = what[:1].upper() + what[1:]
    if measure.factors:
        what = _("%(measure)s by %(factors)s") % {
            "measure": what,
            "factors": joined([words.name(name) for name in measure.factors]),
        }
    return f"{what} ({rows[:1].lower() + rows[1:]})" if rows else what


def _name(words: Words, measure: MainMeasure) -> str:
    """Return what the numbers of the picture are."""
    if measure.compared:
        return _("share of choices")
    if measure.of_categories:
        return _("share of answers")
    if measure.is_resampled:
        return _("share of being chosen as the best") if measure.column == "best" else _("mean rank (1 is the best)")
    return words.name(measure.column)


def _caption(people: int, each: int) -> str:
    dots = (
        _("Every dot is the mean of one person in one condition.")
        if each == 1
        else _("Every dot is about %(n)d people: the mean of one of them.") % {"n": each}
    )
    return _(
        "%(people)d people. %(dots)s Shapes are the distributions of these means; large points are means over people "
        "with 95 %% intervals, which do not tell whether conditions differ."
    ) % {"people": people, "dots": dots}


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
