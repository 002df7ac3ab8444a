"""Page that compares two runs of the same method side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from analysis.exports.reports import question_of, shown_report
from analysis.methods.report import Column
from analysis.models import AnalysisRun
from analysis.reports.apa import shown_cells
from analysis.reports.comparison import Comparison, Difference, compare
from analysis.studies.access import readable_runs
from analysis.studies.asking import params_in_words
from analysis.studies.planned import standing_of
from analysis.views.reports import RunView, slug_of_other

SHOWN = 200


class ComparePage(RunView):
    """What differs between this run and the one that `?with=` names."""

    template_name = "analysis/reports/compare.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(with_report=True)
        if not run.report:
            raise Http404(_("This analysis has no report."))
        others = readable_runs(comparable_runs(run), request.user)
        asked = request.GET.get("with", "")
        known = others.filter(pk=asked) if asked.isdigit() else others.none()
        other = known.first() if asked else others.first()
        if asked and other is None:
            raise Http404(_("There is no such analysis to compare with."))
        context: dict[str, Any] = {
            "run": run,
            "question": question_of(run),
            "others": [
                (each, question_of(each), params_in_words(each.params, table=each.table, other=slug_of_other(each)))
                for each in others.select_related("other_study").defer("report")[:SHOWN]
            ],
        }
        if other is not None:
            first, second = sorted((run, other), key=lambda each: each.pk)
            comparison = compare(
                shown_report(first),
                shown_report(second),
                first_params=first.params,
                second_params=second.params,
            )
            context |= {
                "other": other,
                "first": first,
                "both": (first, second),
                "second": second,
                "standings": (standing_of(first), standing_of(second)),
                "comparison": comparison,
                "same_data": first.data_hash == second.data_hash,
                "same_code": first.code_version == second.code_version,
                "tables": shown_tables(comparison),
            }
        return self.page(**context)


def comparable_runs(run: AnalysisRun) -> Any:
    """Return the other finished runs of the same method on the same study, the newest first."""
    return (
        AnalysisRun.objects.filter(study=run.study_id, method=run.method, status=AnalysisRun.Status.DONE)
        .exclude(pk=run.pk)
        .order_by("-pk")
    )


def shown_tables(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the tables that differ, their differences as they are shown, cut where there are very many."""
    return [
        {
            "table": table,
            "rows": by_row(table.differences[:SHOWN]),
            "more": max(0, len(table.differences) - SHOWN),
        }
        for table in comparison.tables
        if not table.is_same
    ]


def by_row(differences: Sequence[Difference]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the differences of each row of the table together, so that the row is named once."""
    return [
        (row, [shown_difference(difference) for difference in of_row])
        for row, of_row in groupby(differences, key=lambda difference: difference.row)
    ]


def shown_difference(difference: Difference) -> dict[str, Any]:
    """Return one difference with its numbers rounded as in a report."""
    first, second = shown_cells(difference.column, [difference.first, difference.second])
    change = difference.change
    shown = "" if change is None else str(shown_cells(Column("change", "", "number"), [change])[0])
    return {
        "quantity": difference.column.label,
        "first": str(first),
        "second": str(second),
        "change": shown,
        "crosses": difference.crosses,
    }
