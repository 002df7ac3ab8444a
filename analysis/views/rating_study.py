"""Page for creating a rating study from the texts of a report: preview, then draft."""

from __future__ import annotations

from itertools import count
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.models import AnalysisRun
from analysis.studies.rating_study import (
    AS_THEY_ARE,
    MAGNITUDES,
    RATING,
    Rateable,
    make_rating_study,
    rateable_texts,
    usual_number_of_items,
)
from analysis.views.reports import RunView
from experiments.languages import language_choices
from experiments.models import Study
from experiments.study_files import StudyFileFaults
from experiments.views.forms import CopyAddress
from experiments.views.page import refuse_guests


class NewRatingStudy(CopyAddress):
    """Address, title and language of the draft, and which texts go into it."""

    title = forms.CharField(
        label=gettext_lazy("Title"), max_length=200, help_text=gettext_lazy("Participants see this title.")
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=language_choices,
        help_text=gettext_lazy("The language of the participants’ pages and of the questions."),
    )
    paradigm = forms.ChoiceField(
        label=gettext_lazy("People answer"),
        choices=[
            (RATING, gettext_lazy("questions on five points")),
            (MAGNITUDES, gettext_lazy("by magnitude estimation: any number, relative to a first text")),
        ],
        initial=RATING,
        required=False,
    )
    systems = forms.MultipleChoiceField(label=gettext_lazy("Systems"), widget=forms.CheckboxSelectMultiple)
    edits = forms.MultipleChoiceField(
        label=gettext_lazy("Edits"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("In addition to the unchanged texts, which always take part."),
    )
    items = forms.IntegerField(label=gettext_lazy("Items"), min_value=1)

    def __init__(self, *args: Any, rateable: Rateable, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rateable = rateable
        several = len(rateable.systems) > 1
        cast("forms.ChoiceField", self.fields["systems"]).choices = [(name, name) for name in rateable.systems]
        cast("forms.ChoiceField", self.fields["edits"]).choices = [
            (name, name) for name in rateable.edits if name != AS_THEY_ARE
        ]
        if not several:
            del self.fields["systems"]
        available = len(rateable.items(rateable.systems[:1]))
        self.fields["items"].help_text = _(
            "The number of items to use of %(n)d, spread evenly from the first to the last. Everybody sees every "
            "item in one version; with a multiple of the number of versions, all versions are equally frequent."
        ) % {"n": available}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned.setdefault("systems", list(self.rateable.systems[:1]))
        if self.errors:
            return cleaned
        available = len(self.rateable.items(cleaned["systems"]))
        if cleaned["items"] > available:
            self.add_error(
                "items",
                ngettext(
                    "%(n)d item has all these versions; choose at most this number.",
                    "%(n)d items have all these versions; choose at most this number.",
                    available,
                )
                % {"n": available},
            )
        return cleaned


class MakeRatingStudy(RunView):
    """Shows what the draft will hold, then makes it."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.can_edit:
            raise PermissionDenied(
                _("You can look at this study but not change it. Ask its owner to let you change it.")
            )
        refuse_guests(request)
        run = self.find(with_report=True)
        return self._page(run, self._form(run))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        refuse_guests(request)
        run = self.find(with_report=True)
        form = self._form(run, request.POST)
        if not form.is_valid():
            return self._page(run, form, status=422)
        given = form.cleaned_data
        try:
            study = make_rating_study(
                run,
                form.rateable,
                slug=given["slug"],
                title=given["title"],
                language=given["language"],
                systems=given["systems"],
                edits=[AS_THEY_ARE, *given["edits"]],
                n_items=given["items"],
                paradigm=given["paradigm"] or RATING,
                user=request.user,
            )
        except StudyFileFaults as found:
            form.add_error(None, ValidationError([str(fault) for fault in found.faults]))
            return self._page(run, form, status=422)
        messages.success(
            request,
            _("The rating study is a draft. Check its questions and texts, add what is missing, and open it."),
        )
        return redirect("study:home", study.slug)

    def _form(self, run: AnalysisRun, *data: Any) -> NewRatingStudy:
        rateable = rateable_texts(run)
        if rateable is None:
            raise Http404(_("This analysis has no texts that people could rate."))
        systems = rateable.systems[:1]
        return NewRatingStudy(
            *data,
            rateable=rateable,
            initial={
                "slug": free_address(f"{self.study.slug[:40].strip('-')}-rated"),
                "title": _("How good are these texts?"),
                "language": self.study.language,
                "systems": list(systems),
                "edits": [name for name in rateable.edits if name != AS_THEY_ARE],
                "items": usual_number_of_items(rateable, systems=systems, edits=rateable.edits),
            },
        )

    def _page(self, run: AnalysisRun, form: NewRatingStudy, *, status: int = 200) -> HttpResponseBase:
        asked = _("fluency, meaning and simplicity") if form.rateable.has_source else _("fluency and simplicity")
        return self.page(
            status=status,
            heading=_("Make a rating study"),
            sentences=[
                _(
                    "People rate the original texts and the edited ones without knowing which is which. Their "
                    "ratings show whether readers mind a change that a metric rewards."
                ),
                _(
                    "You get a draft with a factor “edit” and questions about %(asked)s on five points. Nobody "
                    "can take part before you have checked and opened it. This analysis stays."
                )
                % {"asked": asked},
            ],
            form=form,
            button=_("Make the draft"),
            cancel_url=reverse("analysis:run", args=[self.study.slug, run.pk]),
        )


def free_address(base: str) -> str:
    """Return an address that no study has: the base, or the base with the first number that is free."""
    taken = set(Study.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for number in count(1) if (slug := base if number == 1 else f"{base}-{number}") not in taken)
