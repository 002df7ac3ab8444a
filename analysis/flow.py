"""How many people and trials there were at every stage, from those who started to what is analysed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from analysis.exports.cells import Cells

UNFINISHED = "session not finished"
PLANNED = "planned rule: "


@dataclass(frozen=True)
class LeftOut:
    """What one reason left out: people with all their trials, or single trials."""

    reason: str
    people: int
    trials: int

    @property
    def is_planned(self) -> bool:
        """Whether a rule of the plan left it out, and not a decision afterwards."""
        return self.reason.startswith(PLANNED) or self.reason == UNFINISHED


@dataclass(frozen=True)
class Stage:
    """People and trials at one stage, and what was left out on the way to it."""

    label: str
    people: int
    trials: int
    left_out: tuple[LeftOut, ...] = ()


def flow_of(frame: pd.DataFrame) -> list[Stage]:
    """Return the stages of `trials.csv`: started, finished, kept as people, kept as trials, targets.

    Counts trials of the main phase. Simulated rows are left out as soon as there are others, as in every analysis.

    >>> rows = {"participant": ["P1", "P1", "P2"], "phase": "main", "is_filler": "false", "answered": "true",
    ...     "simulated": "false", "excluded": ["false", "true", "true"],
    ...     "exclusion_reason": ["", "planned rule: answered faster than 200 ms", "session not finished"]}
    >>> [(stage.people, stage.trials) for stage in flow_of(pd.DataFrame(rows))]
    [(2, 3), (1, 2), (1, 2), (1, 1), (1, 1)]
    """
    frame = frame[(frame["phase"] == "main") & (frame["answered"] == "true")]
    if not (frame["simulated"] == "true").all():
        frame = frame[frame["simulated"] != "true"]
    whole = frame.groupby("participant")["excluded"].transform(lambda excluded: (excluded == "true").all())
    reason = frame["exclusion_reason"].where(frame["exclusion_reason"] != "", "no reason given")
    # A participant all of whose trials were left out one by one is not a participant who was left out.
    same = reason.groupby(frame["participant"]).transform("nunique") == 1
    whole &= same & (frame["excluded"] == "true")
    finished = frame[~(whole & (reason == UNFINISHED))]
    people = finished[~whole[finished.index]]
    kept = people[people["excluded"] != "true"]
    targets = kept[kept["is_filler"] != "true"]
    return [
        _stage("Started", frame),
        _stage("Finished", finished, _left_out(frame, finished, reason)),
        _stage("Analysed people", people, _left_out(finished, people, reason)),
        _stage("Analysed trials", kept, _left_out(people, kept, reason, single=True)),
        _stage("Of these, targets", targets),
    ]


def flow_rows(stages: list[Stage]) -> Iterator[Cells]:
    """Yield the cells of `flow.csv`: stage, reason, people, trials; a row without a reason is what remained."""
    for stage in stages:
        for left in stage.left_out:
            yield (stage.label, left.reason, left.people, left.trials)
        yield (stage.label, "", stage.people, stage.trials)


def _stage(label: str, frame: pd.DataFrame, left_out: tuple[LeftOut, ...] = ()) -> Stage:
    return Stage(label, people=int(frame["participant"].nunique()), trials=len(frame), left_out=left_out)


def _left_out(
    before: pd.DataFrame, after: pd.DataFrame, reason: pd.Series, *, single: bool = False
) -> tuple[LeftOut, ...]:
    gone = before[~before.index.isin(after.index)]
    counts = []
    for why, rows in gone.groupby(reason[gone.index], sort=False):
        people = 0 if single else int(rows["participant"].nunique())
        counts.append(LeftOut(str(why), people=people, trials=len(rows)))
    return tuple(sorted(counts, key=lambda left: (-left.people, -left.trials, left.reason)))
