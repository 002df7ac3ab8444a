"""Page for erasing all participants of a study at the end of retention, after asking twice."""

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

from experiments.models import Study
from participants.erasure.whole_studies import LossOfAll, StillOpen, erase_all, loss_of_all
from participants.erasure.withdrawal import Loss
from participants.views.watching import WatchView


class ShortNameForm(forms.Form):
    """Asks for the short name of the study, so that nobody erases the wrong one."""

    short_name = forms.CharField(
        max_length=60,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off", "data-not-kept": True}
        ),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study
        self.fields["short_name"].label = _("Type the short name of the study, %(slug)s") % {"slug": study.slug}

    def clean_short_name(self) -> str:
        typed: str = self.cleaned_data["short_name"]
        if typed != self.study.slug:
            raise forms.ValidationError(_("This is not the short name of the study. Nothing was erased."))
        return typed


class EraseAll(WatchView):
    """Erases all participants of a study that is not open; for its owner."""

    changes_need = "owner"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.is_owner:
            raise Http404(_("There is no such page."))
        return self._ask(ShortNameForm(study=self.study))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = ShortNameForm(request.POST, study=self.study)
        if not form.is_valid():
            return self._ask(form, status=422)
        try:
            loss = erase_all(self.study, user=request.user)
        except StillOpen:
            return self._ask(form, status=409)
        messages.success(
            request,
            ngettext("%(n)d participant was erased.", "%(n)d participants were erased.", loss.participants)
            % {"n": loss.participants},
        )
        return redirect(self.url("watch"))

    def _ask(self, form: ShortNameForm, *, status: int = 200) -> HttpResponseBase:
        if self.study.status == Study.Status.OPEN:
            return self.page(
                heading=_("Close the study first"),
                sentences=[str(StillOpen())],
                button=_("To the page Open"),
                button_url=reverse("study:open", args=[self.study.slug]),
                cancel_url=self.url("watch"),
                template_name="studies/pieces/refused.html",
                status=status if status != 200 else 409,
            )
        loss = loss_of_all(self.study)
        if not loss.participants:
            return self.page(
                heading=_("There is nobody to erase"),
                sentences=[_("The study has no data of participants.")],
                cancel_url=self.url("watch"),
                template_name="studies/pieces/refused.html",
            )
        return self.page(
            heading=_("Erase all participants?"),
            sentences=[
                _(
                    "Do this on the day on which the data must be deleted, after you have exported what you may "
                    "keep. You cannot undo it."
                ),
                *[str(sentence) for sentence in STAYS],
            ],
            losses=loss_lines(loss),
            form=form,
            button=_("Erase all participants"),
            is_destructive=True,
            cancel_url=self.url("watch"),
            status=status,
        )


STAYS = (
    gettext_lazy(
        "Materials, texts, design and plan stay, and so do reports of means, tests and models. Reports that name "
        "a participant are deleted. The history of the study keeps who erased how many participants, and the "
        "reasons for exclusions."
    ),
    gettext_lazy(
        "Files that were exported before are not erased. If somebody restores a backup, these "
        "participants are erased from it as well."
    ),
)


def loss_lines(loss: LossOfAll) -> list[str]:
    """Return what is erased, one line for each kind that there is."""
    of_them = [_("%(n)d finished") % {"n": loss.finished}]
    if loss.simulated:
        of_them.append(_("%(n)d simulated") % {"n": loss.simulated})
    people = ngettext("%(n)d participant", "%(n)d participants", loss.participants) % {"n": loss.participants}
    answers, ids = loss.responses, loss.recruitment_ids
    return [
        _("%(people)s (%(of_them)s), with consents and withdrawal codes")
        % {"people": people, "of_them": ", ".join(of_them)},
        *([ngettext("%(n)d answer", "%(n)d answers", answers) % {"n": answers}] if answers else []),
        *beside_answers(loss),
        *([ngettext("%(n)d recruitment id", "%(n)d recruitment ids", ids) % {"n": ids}] if ids else []),
        _("how people coded the answers, if they did"),
    ]


def beside_answers(loss: Loss | LossOfAll) -> list[str]:
    """Return what is erased in addition to answers, one line for each kind."""
    batches, problems, errors = loss.event_batches, loss.problems, loss.browser_errors
    kinds = (
        (batches, ngettext("%(n)d batch of browser events", "%(n)d batches of browser events", batches)),
        (problems, ngettext("%(n)d result set aside", "%(n)d results set aside", problems)),
        (errors, ngettext("%(n)d browser error", "%(n)d browser errors", errors)),
    )
    return [words % {"n": number} for number, words in kinds if number]
