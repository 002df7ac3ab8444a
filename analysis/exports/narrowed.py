"""A part of `trials.csv` or `participants.csv`: the rows that meet conditions, one page of them or all as a file.

Pages are found by the row after which they begin, so that the last page of a million trials costs what the first one
does. Nothing is read of sessions that have no row to show.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db.models import Exists, OuterRef, QuerySet

from analysis.codebook.columns import ExportColumn
from analysis.codebook.people import participant_columns
from analysis.codebook.trials import trial_columns
from analysis.exports.archive import in_snapshot
from analysis.exports.cells import Cells, Variant, csv_pieces
from analysis.exports.rows.judged import JudgedSession
from analysis.exports.rows.people import participant_rows
from analysis.exports.rows.trials import trial_rows
from analysis.exports.stored import StoredTrial, stored_stimuli
from experiments.models import Study
from participants.models import Session, Trial
from participants.session.planned_exclusion import ANALYSED

A_PAGE = 50
# The most sessions whose trials a picture of a distribution shows; of more, every so many-th in the order of starting.
DRAWN_SESSIONS = 100
KEPT, EXCLUDED = "kept", "excluded"
TARGETS, FILLERS = "targets", "fillers"
Place = tuple[int, int]


@dataclass(frozen=True)
class Conditions:
    """What rows have to meet; an empty text asks for nothing.

    `standing` is `kept` (analyses use it) or `excluded`, `kind` is `targets` or `fillers`, `levels` are levels of the
    design by factor, `participant` is a part of a pseudonym, `phase` and `item` are as `trials.csv` has them.
    """

    simulated: bool = False
    standing: str = ""
    participant: str = ""
    phase: str = ""
    kind: str = ""
    item: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_about_texts(self) -> bool:
        """Whether trials without a text are out of the question."""
        return bool(self.kind or self.item or self.levels)

    def sessions(self, study: Study) -> QuerySet[Session]:
        """Return the sessions that may have rows, in the order in which they started."""
        found = Session.objects.filter(study=study, is_simulated=self.simulated).order_by("pk")
        if self.participant:
            found = found.filter(participant__pseudonym__icontains=self.participant)
        # A kept session may have trials that a rule leaves out by themselves, so of trials more is asked below.
        return found.filter(ANALYSED) if self.standing == KEPT else found

    def stimuli(self, study: Study) -> set[int]:
        """Return the texts that rows may show."""
        return {
            pk
            for pk, one in stored_stimuli(study).items()
            if (not self.item or one.item == self.item)
            and (not self.kind or (self.kind == FILLERS) == one.is_filler)
            and (self.kind != TARGETS or not one.is_practice)
            and all((one.levels or {}).get(name) == level for name, level in self.levels.items())
        }


@dataclass(frozen=True)
class Page:
    """Rows of a table under their columns, and where the next page begins; None where this is the last one."""

    columns: Sequence[ExportColumn]
    rows: list[Cells]
    following: Place | None


class Trials:
    """The trials of a study that meet conditions; of a study seen through a task or a pool, those of its tasks."""

    def __init__(self, study: Study, conditions: Conditions) -> None:
        self.study, self.conditions = study, conditions
        self.columns = trial_columns(study).all
        self._at = [[column.name for column in self.columns].index(name) for name in ("session", "position")]
        self._stimuli = conditions.stimuli(study) if conditions.is_about_texts else None

    def sessions(self) -> QuerySet[Session]:
        """Return the sessions with trials that meet the conditions, but for trials that rules leave out."""
        wanted = Trial.objects.filter(session=OuterRef("pk"))
        if self.study.chosen_task:
            wanted = wanted.filter(part__in=self.study.current_tasks)
        if self.conditions.phase:
            wanted = wanted.filter(phase=self.conditions.phase)
        if self._stimuli is not None:
            wanted = wanted.filter(stimulus__in=self._stimuli)
        return self.conditions.sessions(self.study).filter(Exists(wanted))

    def page(self, after: Place | None = None) -> Page:
        """Return the rows after the trial of a session and position, at most `A_PAGE` of them."""
        sessions = self.sessions()
        if after is not None:
            sessions = sessions.filter(pk__gte=after[0])
        rows = list(islice(self._rows(sessions, after), A_PAGE + 1))
        return Page(self.columns, rows[:A_PAGE], self._place(rows[A_PAGE - 1]) if len(rows) > A_PAGE else None)

    def rows(self) -> Iterator[Cells]:
        """Yield all rows."""
        return self._rows(self.sessions(), None)

    def drawn(self, measure: str, by: Sequence[str]) -> tuple[dict[str, list[float]], int, int]:
        """Return the values of a measure by the levels of factors, of how many sessions, and how many there are.

        Of more than `DRAWN_SESSIONS` sessions a share is read that is spread evenly over the order of starting.
        """
        keys = list(self.sessions().values_list("pk", flat=True))
        step = -(-len(keys) // DRAWN_SESSIONS) or 1
        chosen = keys[::step]
        names = [column.name for column in self.columns]
        at, levels = names.index(measure), [names.index(name) for name in by]
        found: dict[str, list[float]] = {}
        for row in self._rows(Session.objects.filter(pk__in=chosen), None):
            value = row[at]
            number = {"true": 1.0, "false": 0.0}.get(value) if isinstance(value, str) else value
            if number is not None:
                label = ", ".join(str(row[place]) for place in levels if row[place] is not None)
                found.setdefault(label, []).append(float(number))
        return dict(sorted(found.items())), len(chosen), len(keys)

    def _rows(self, sessions: QuerySet[Session], after: Place | None) -> Iterator[Cells]:
        conditions, stimuli = self.conditions, self._stimuli

        def chosen(judged: JudgedSession, trial: StoredTrial) -> bool:
            if after is not None and judged.session.pk == after[0] and trial.position <= after[1]:
                return False
            if conditions.phase and trial.phase != conditions.phase:
                return False
            if stimuli is not None and trial.stimulus not in stimuli:
                return False
            return not conditions.standing or judged.facts_of(trial).excluded == (conditions.standing == EXCLUDED)

        return trial_rows(self.study, only=sessions, chosen=chosen)

    def _place(self, row: Cells) -> Place:
        session, position = (row[at] for at in self._at)
        return int(session or 0), int(position or 0)


class People:
    """The participants of a study that meet conditions; those on trials mean nothing here."""

    def __init__(self, study: Study, conditions: Conditions) -> None:
        self.study, self.conditions = study, conditions
        self.columns = participant_columns(study)

    def sessions(self) -> QuerySet[Session]:
        """Return the sessions that meet the conditions."""
        found = self.conditions.sessions(self.study)
        return found.exclude(ANALYSED) if self.conditions.standing == EXCLUDED else found

    def page(self, after: Place | None = None) -> Page:
        """Return the rows after a session, at most `A_PAGE` of them."""
        sessions = self.sessions() if after is None else self.sessions().filter(pk__gt=after[0])
        keys = list(sessions.values_list("pk", flat=True)[: A_PAGE + 1])
        rows = list(participant_rows(self.study, Session.objects.filter(pk__in=keys[:A_PAGE])))
        return Page(self.columns, rows, (keys[A_PAGE - 1], 0) if len(keys) > A_PAGE else None)

    def rows(self) -> Iterator[Cells]:
        """Yield all rows."""
        return participant_rows(self.study, self.sessions())


def only_columns(
    columns: Sequence[ExportColumn], names: Collection[str], rows: Iterator[Cells]
) -> tuple[list[ExportColumn], Iterator[Cells]]:
    """Return the columns of these names, in the order of the file, and rows of them alone."""
    places = [place for place, column in enumerate(columns) if column.name in names]
    return [columns[place] for place in places], (tuple(row[place] for place in places) for row in rows)


def csv_of(table: Trials | People, names: Collection[str], *, variant: Variant = "plain") -> Iterator[bytes]:
    """Yield the rows of a table with the columns of these names as a CSV file, in pieces."""
    columns, rows = only_columns(table.columns, names, table.rows())
    return in_snapshot(csv_pieces(columns, rows, variant=variant))


__all__ = ["EXCLUDED", "FILLERS", "KEPT", "TARGETS", "Conditions", "Page", "People", "Trials", "csv_of"]
