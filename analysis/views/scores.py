"""Page of the scores of a study's texts: list, store from a report or a file, remove."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.codebook.materials import material_metrics
from analysis.computing.code_version import code_version
from analysis.exports.reports import report_from
from analysis.methods.report import Report
from analysis.models import TextScore
from analysis.scores.stored import Scores, ScoresRefused, remove, score_names, store, stored_scores
from analysis.studies.materials import profile_of
from analysis.studies.score_sources import PROFILE, can_be_stored, scores_of_file, scores_of_report
from analysis.views.asking import AnalysisView
from analysis.views.reports import RunView
from experiments.materials.shapes import MAX_BYTES
from experiments.models import Study
from experiments.views.page import StudyView


class ScoresFile(forms.Form):
    """A table of scores that were computed elsewhere."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "CSV or XLSX: the columns item and condition (or the text), and a column of numbers for each score. "
            "The exported texts.csv with further columns is such a table."
        ),
    )
    note = forms.CharField(
        label=gettext_lazy("Where the scores come from"),
        max_length=500,
        help_text=gettext_lazy("Program, version and model, for the codebook."),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Replace scores with the same names"),
        required=False,
        help_text=gettext_lazy("The earlier values are deleted permanently."),
    )

    def clean_file(self) -> Any:
        """Refuse a file that is too large to be a table of scores."""
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(
                _("The file has %(size).1f MB; the limit is %(most)d MB.")
                % {"size": file.size / 1024**2, "most": MAX_BYTES // 1024**2}
            )
        return file


class ScoresPage(AnalysisView):
    """All scores of the texts; posting a file stores its scores."""

    step = "materials"
    template_name = "analysis/texts/scores.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(ScoresFile())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = ScoresFile(request.POST, request.FILES)
        if not form.is_valid():
            return self._page(form, status=422)
        file, replace = form.cleaned_data["file"], form.cleaned_data["replace"]
        taken = material_metrics(self.study)
        try:
            uploaded = scores_of_file(
                self.study, file.read(), file.name, note=form.cleaned_data["note"], passed_over=taken
            )
            store(
                self.study,
                uploaded.scores,
                provenance=uploaded.provenance,
                user=request.user,
                taken=taken,
                replace=replace,
            )
        except ScoresRefused as refusal:
            form.add_error("file", str(refusal))
            return self._page(form, status=422)
        for warning in uploaded.warnings:
            messages.warning(request, warning)
        _say_what_was_stored(request, uploaded.scores)
        return redirect("analysis:scores", self.study.slug)

    def _page(self, form: ScoresFile, *, status: int = 200) -> HttpResponseBase:
        return self.page(form=form, scores=stored_scores(self.study), of_materials=material_metrics(self.study),
                         status=status)  # fmt: skip


class StoreOfRun(RunView):
    """Store the scores of single texts that a report holds: one click, and another where some are replaced."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("analysis:run", self.study.slug, self.run_id)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(with_report=True)
        if not run.report or not can_be_stored(method=run.method, table=run.table):
            raise Http404(_("The report has no scores of single texts."))
        where = f"Column of {run.method}, analysis {run.pk}, code version {run.code_version}."
        back = reverse("analysis:run", args=[self.study.slug, run.pk])
        return store_report(self, run.method, report_from(run.report), provenance=where, back=back)


class StoreOfProfile(AnalysisView):
    """Store the measures that the page of the profile shows."""

    step = "materials"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("analysis:profile", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        report = profile_of(self.study)
        if report is None:
            raise Http404(_("There is no profile of the texts of this study."))
        where = f"Column of {PROFILE}, code version {code_version(PROFILE)}."
        back = reverse("analysis:profile", args=[self.study.slug])
        return store_report(self, PROFILE, report, provenance=where, back=back)


def store_report(view: StudyView, method: str, report: Report, *, provenance: str, back: str) -> HttpResponseBase:
    """Store the scores of a report; ask first where scores of the same names would be replaced."""
    request, study = view.request, view.study
    try:
        scores = scores_of_report(study, method, report)
        taken = material_metrics(study)
        # What the materials bring under the same name stays as it is.
        own = {f"{name}_{method.replace('-', '_')}" if name in taken else name: scores[name] for name in scores}
        there = sorted(set(own) & set(score_names(study)))
        if there and "replace" not in request.POST:
            return view.page(
                heading=_("Replace scores of the texts?"),
                sentences=[_("Scores with these names are stored already.")],
                losses=there,
                button=_("Replace them"),
                cancel_url=back,
                is_destructive=True,
                kept={"replace": "1"},
            )
        replace = "replace" in request.POST
        store(study, own, provenance=provenance, user=request.user, taken=taken, replace=replace)
    except ScoresRefused as refusal:
        messages.error(request, str(refusal))
        return redirect(back)
    _say_what_was_stored(request, own)
    return redirect("analysis:scores", study.slug)


def _say_what_was_stored(request: HttpRequest, scores: Scores) -> None:
    texts = len({stimulus for values in scores.values() for stimulus in values})
    messages.success(
        request,
        ngettext(
            "%(n)d score of %(texts)d texts was stored.", "%(n)d scores of %(texts)d texts were stored.", len(scores)
        )
        % {"n": len(scores), "texts": texts},
    )


class RemoveScore(AnalysisView):
    """Ask, then remove a score with its values."""

    step = "materials"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, score_id: int) -> HttpResponseBase:
        score = _score_of(self.study, score_id)
        return self.page(
            heading=_("Remove %(name)s?") % {"name": score.name},
            sentences=[_("Reports that used the score stay as they are. You can compute or upload it again.")],
            losses=[
                ngettext("its value for %(n)d text", "its values for %(n)d texts", score.values.count())
                % {"n": score.values.count()}
            ],
            button=_("Remove the score"),
            cancel_url=reverse("analysis:scores", args=[self.study.slug]),
            is_destructive=True,
        )

    def post(self, request: HttpRequest, score_id: int) -> HttpResponseBase:
        score = _score_of(self.study, score_id)
        name = score.name
        remove(score, user=request.user)
        messages.success(request, _("%(name)s was removed.") % {"name": name})
        return redirect("analysis:scores", self.study.slug)


def _score_of(study: Study, score_id: int) -> TextScore:
    score = TextScore.objects.filter(study=study, pk=score_id).first()
    if score is None:
        raise Http404(_("There is no such score; it may have been removed."))
    return score
