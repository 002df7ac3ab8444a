"""Detect what has changed in a study since an analysis was run."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.computing.code_version import code_version
from analysis.data.frames import people_stamp, run_stamp
from analysis.exports.of_task import through_task
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun, Coding, SequentialLook
from experiments.models import Study
from participants.models import Session, Tombstone
from participants.watching.finished import first_people, pseudonyms_of


class Changes:
    """Compares runs with the study as it is now; what all of them are held against is asked for once."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._stamps: dict[tuple[str, int | None], str] = {}
        # The report of a look is about its people, and is not made stale by those who came after them.
        stopped = SequentialLook.objects.filter(study=study, run__isnull=False)
        self._looked_at: dict[int | None, int] = dict(stopped.values_list("run", "people"))
        sessions = Session.objects.filter(study=study)
        codings = Coding.objects.filter(response__trial__session__study=study)
        # Asked only where a report is older than the data.
        self._times: tuple[tuple[QuerySet[Any], str], ...] = (
            (sessions, "finished_at"),
            (sessions, "excluded_at"),
            (Tombstone.objects.filter(study=study), "at"),
            (codings, "changed_at"),
        )

    def stamp_for(self, run: AnalysisRun) -> str:
        """Return the stamp of what a run would read now; empty where its task is gone."""
        if (people := self._looked_at.get(run.pk)) is not None:
            return people_stamp(pseudonyms_of(first_people(self.study, people)))
        key = (run.part, run.other_study_id)
        if key not in self._stamps:
            try:
                self._stamps[key] = run_stamp(through_task(self.study, run.part), run.other_study)
            except BadInput:
                self._stamps[key] = ""
        return self._stamps[key]

    def since(self, run: AnalysisRun) -> str:
        """Return a sentence on what changed since a finished run read its data; empty where nothing did."""
        started = run.started_at
        if run.status != AnalysisRun.Status.DONE or started is None:
            return ""
        if run.data_stamp == self.stamp_for(run):
            return (
                "" if run.code_version == code_version(run.method) else _("The platform's methods have changed since.")
            )
        finished, excluded, withdrawn, coded = (
            rows.filter(**{f"{name}__gt": started}).count() for rows, name in self._times
        )
        told = (
            (finished, ngettext("%(n)d more finished session", "%(n)d more finished sessions", finished)),
            (excluded, ngettext("%(n)d exclusion", "%(n)d exclusions", excluded)),
            (withdrawn, ngettext("%(n)d withdrawal", "%(n)d withdrawals", withdrawn)),
            (coded, ngettext("%(n)d changed coding", "%(n)d changed codings", coded)),
        )
        parts = [words % {"n": n} for n, words in told if n]
        if parts:
            return _("The data have changed since: %(changes)s.") % {"changes": ", ".join(parts)}
        return _("The data have changed since.")
