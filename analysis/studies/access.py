"""Access to reports: a report is visible to people who can see its study (both studies, for a comparison)."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from analysis.exports.rows.pairs import PAIRS
from analysis.models import AnalysisRun
from experiments.study.access import can_view, studies_for


def readable_runs(runs: QuerySet[AnalysisRun], user: Any) -> QuerySet[AnalysisRun]:
    """Return those of a study's runs whose report a member of the study may read.

    A report that compares two studies holds means of both and names the other one. Where the other study was deleted,
    nobody can be asked who may see it, so its report stays with the person who ran it, who had to see both.
    """
    if user.is_superuser:
        return runs
    of_the_study_alone = Q(other_study=None) & ~Q(table=PAIRS)
    of_ones_own = Q(other_study=None, created_by=user)
    return runs.filter(of_the_study_alone | of_ones_own | Q(other_study__in=studies_for(user)))


def refusal_to_read(run: AnalysisRun, user: Any) -> str:
    """Return why a member of the study may not read a run, as a sentence; empty where nothing speaks against it."""
    if user.is_superuser or (run.other_study is None and run.table != PAIRS):
        return ""
    if run.other_study is not None:
        if can_view(user, run.other_study):
            return ""
        return _(
            "This analysis compares the study with another one that you may not see. Only people who may see "
            "both studies see its report: ask the person who ran it to have you added to the other study."
        )
    if run.created_by_id == user.pk:
        return ""
    return _(
        "This analysis compares the study with another one, which has been deleted. Only the person who ran the "
        "analysis sees its report."
    )
