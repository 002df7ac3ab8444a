"""Page of the scores of words of a study's texts: check a table and show it, store it, remove a score."""

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

from analysis.codebook.words import scores_of_words
from analysis.views.asking import AnalysisView
from experiments.formats.csvtext import csv_text
from experiments.formats.faults import spoken
from experiments.materials.shapes import MAX_BYTES, MaterialsFaults, Table
from experiments.materials.word_tables import WordTable, WordTableRefused, read_word_table
from experiments.models import WordScore
from experiments.study.word_scores import remove_word_score, store_word_scores
from experiments.uploads.reading import read_uploaded_table

# A table that was checked is carried by the form as far as forms carry; a longer one is chosen again.
MOST_CARRIED = 1_200_000


class WordsFile(forms.Form):
    """A table with a line for every word."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy(
            "CSV or XLSX: the columns item, condition and word, with one line for each word in the order of the "
            "text, and a column of numbers for each score, such as surprisal."
        ),
    )
    note = forms.CharField(
        label=gettext_lazy("Where the scores come from"),
        max_length=500,
        help_text=gettext_lazy("Program, version and model, for the codebook."),
    )
    together = forms.ChoiceField(
        label=gettext_lazy("A region of several words gets"),
        choices=WordScore.Together.choices,
        help_text=gettext_lazy("Surprisals of words add up to that of the region. For frequencies, use the mean."),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Replace scores with the same names"),
        required=False,
        help_text=gettext_lazy("The earlier values are deleted permanently."),
    )
    carried = forms.CharField(required=False, widget=forms.HiddenInput, strip=False, max_length=MOST_CARRIED)
    carried_name = forms.CharField(required=False, widget=forms.HiddenInput, max_length=200)

    def clean(self) -> dict[str, Any]:
        """Ask for a file where none is carried, and refuse one that is too large."""
        given: dict[str, Any] = super().clean() or {}
        file = given.get("file")
        if file is None and not given.get("carried"):
            self.add_error("file", _("Choose a file."))
        elif file is not None and file.size > MAX_BYTES:
            self.add_error(
                "file",
                _("The file has %(size).1f MB; the limit is %(most)d MB.")
                % {"size": file.size / 1024**2, "most": MAX_BYTES // 1024**2},
            )
        return given


class WordScoresPage(AnalysisView):
    """All scores of words; posting a table checks it and shows its first words, or stores its scores."""

    is_of_pools = False
    step = "materials"
    template_name = "analysis/texts/word_scores.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(WordsFile())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = WordsFile(request.POST, request.FILES)
        if not form.is_valid():
            return self._page(form, status=422)
        given = form.cleaned_data
        file = given["file"]
        data, name = (file.read(), file.name) if file else (given["carried"].encode(), given["carried_name"])
        try:
            table = read_uploaded_table(data, name)
            found = read_word_table(self.study.task, table)
            if "store" not in request.POST:
                return self._page(self._carrying(form, table, name), found=found)
            store_word_scores(
                self.study.task,
                found.scores,
                together=given["together"],
                provenance=f"{given['note'].strip().rstrip('.')}. From {name}.",
                user=request.user,
                replace=given["replace"],
            )
        except (MaterialsFaults, WordTableRefused) as refusal:
            said = spoken(refusal.faults) if isinstance(refusal, MaterialsFaults) else str(refusal)
            form.add_error("file", said)
            return self._page(form, status=422)
        for warning in found.warnings:
            messages.warning(request, warning)
        said = ngettext(
            "%(n)d score of %(words)d words was stored.",
            "%(n)d scores of %(words)d words were stored.",
            len(found.scores),
        )
        messages.success(request, said % {"n": len(found.scores), "words": found.words})
        return redirect("analysis:word_scores", self.study.slug)

    def _carrying(self, form: WordsFile, table: Table, name: str) -> WordsFile:
        text = csv_text(table.header, [row.cells for row in table.rows])
        kept = {key: form.cleaned_data[key] for key in ("note", "together", "replace")}
        fits = len(text) < MOST_CARRIED
        form = WordsFile(initial={**kept, "carried": text if fits else "", "carried_name": name})
        form.fields["file"].help_text = (
            _("The checked file %(name)s is stored, unless you choose another one.") % {"name": name}
            if fits
            else _("Choose %(name)s again to store it; the file is too long for this page to keep.") % {"name": name}
        )
        return form

    def _page(self, form: WordsFile, *, found: WordTable | None = None, status: int = 200) -> HttpResponseBase:
        return self.page(form=form, found=found, scores=scores_of_words(self.study), status=status)


class RemoveWordScore(AnalysisView):
    """Ask, then remove a score of words with its values."""

    is_of_pools = False
    step = "materials"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, score_id: int) -> HttpResponseBase:
        score = self._score(score_id)
        return self.page(
            heading=_("Remove %(name)s?") % {"name": score.name},
            sentences=[_("Reports that used the score stay as they are. You can compute or upload it again.")],
            losses=[
                ngettext(
                    "its values for the words of %(n)d text",
                    "its values for the words of %(n)d texts",
                    len(score.values),
                )
                % {"n": len(score.values)}
            ],
            button=_("Remove the score"),
            cancel_url=reverse("analysis:word_scores", args=[self.study.slug]),
            is_destructive=True,
        )

    def post(self, request: HttpRequest, score_id: int) -> HttpResponseBase:
        score = self._score(score_id)
        name = score.name
        remove_word_score(score, user=request.user)
        messages.success(request, _("%(name)s was removed.") % {"name": name})
        return redirect("analysis:word_scores", self.study.slug)

    def _score(self, score_id: int) -> WordScore:
        score = WordScore.objects.filter(part__study=self.study, pk=score_id).first()
        if score is None:
            raise Http404(_("There is no such score; it may have been removed."))
        return score
