"""Delete reports that name a participant who withdraws.

A report of tests keeps what it says; its page tells that the data have changed since. A report that lists participants
(the scores of a normalisation, the points behind means, the random effects of a mixed model, an incomplete participant
named in a note) or quotes what participants wrote holds a trace of the one who withdrew and is deleted; where its
parameters name that participant, they go too. Whatever the method, a report quotes what participants wrote where one of
its parameters names a column that holds it. A run that is in parts began with the data of the one who withdrew and
begins anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from django.db.models import Q
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils.translation import gettext as _

from analysis.models import AnalysisRun
from experiments.models import Study
from experiments.paradigms import UnknownParadigm
from participants.models import Participant


@receiver(post_delete, sender=Participant, dispatch_uid="analysis.erase_reports_that_name")
def erase_reports_that_name(sender: type[Participant], instance: Participant, **event: Any) -> None:
    """Delete every report of the study that names the participant; its run stays and says why."""
    # Imported here, as methods below, because that is too early while Django starts.
    from analysis.runs.life import begin_anew_without

    begin_anew_without(instance.study_id, instance.pseudonym)
    of_study = AnalysisRun.objects.filter(study_id=instance.study_id)
    quoting = list(_runs_that_quote(instance.study_id))
    of_study.filter(
        Q(report__contains=instance.pseudonym) | Q(error__contains=instance.pseudonym) | Q(pk__in=quoting)
    ).update(
        status=AnalysisRun.Status.FAILED,
        report="",
        data_hash="",
        data_stamp="",
        error=_(
            "A participant whose data were in this report has withdrawn, so the report was deleted. Run the "
            "analysis again to get a report without them."
        ),
    )
    for run_id, params in list(of_study.values_list("pk", "params")):
        kept = {name: value for name, value in params.items() if instance.pseudonym not in json.dumps(value)}
        if kept != params:
            AnalysisRun.objects.filter(pk=run_id).update(params=kept)


def _runs_that_quote(study_id: int) -> Iterator[int]:
    """Yield the keys of the runs of a study whose reports may hold what participants wrote."""
    study = Study.objects.filter(pk=study_id).first()
    reports = AnalysisRun.objects.filter(study_id=study_id).exclude(report="")
    own_words: dict[tuple[str, str], frozenset[str] | None] = {}
    for run_id, slug, params, part, table in reports.values_list("pk", "method", "params", "part", "table"):
        if (part, table) not in own_words:
            own_words[part, table] = _columns_of_own_words(study, part, table)
        if _quotes_answers(slug, params, own_words[part, table]):
            yield run_id


def _columns_of_own_words(study: Study | None, part: str, table: str) -> frozenset[str] | None:
    """Return the columns of a table in which participants' own words stand; None where nobody can tell any more."""
    from analysis.data.tables import columns_of
    from analysis.exports.of_task import through_task
    from analysis.methods.report import BadInput

    if study is None:
        return None
    try:
        columns = columns_of(through_task(study, part), table)
    except (BadInput, UnknownParadigm):  # a task, a table or a paradigm that is no longer there
        return None
    return frozenset(column.name for column in columns if column.has_own_words)


def _quotes_answers(slug: str, params: dict[str, Any], own_words: frozenset[str] | None) -> bool:
    from analysis.methods.registry import method_named
    from analysis.methods.report import BadInput

    try:
        method = method_named(slug)
    except BadInput:  # a method of a package that is no longer there
        return True
    if method.quotes_answers or own_words is None:
        return True
    # What was not given is the column of the usual name.
    usual = {one.name: one.default for one in method.parameters if one.kind in ("column", "columns")}
    settings = {one.name for one in method.parameters if one.kind not in ("column", "columns", "text")}
    named = [
        json.dumps(value, ensure_ascii=False) for name, value in {**usual, **params}.items() if name not in settings
    ]
    # Lists of columns and conditions on rows are texts that hold the name.
    return any(re.search(rf"(?<!\w){re.escape(column)}(?!\w)", text) for column in own_words for text in named)
