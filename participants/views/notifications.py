"""Pages of notifications: what somebody was told, and what they want to be told of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.study.access import researcher_of
from experiments.views.page import ResearcherView
from participants.models import Subscription
from participants.views.watching import WatchView
from participants.watching.monitoring import tally_of
from participants.watching.notifications import notifications_for, sentence_of

MOST_SHOWN = 200

# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    FormOfSubscription = forms.ModelForm[Subscription]
else:
    FormOfSubscription = forms.ModelForm


class Choices(FormOfSubscription):
    """What somebody wants to be told of a study."""

    class Meta:
        model = Subscription
        fields = ("every_finished", "quota_full", "errors", "dropouts_above", "by_mail")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if not settings.MAIL_IS_SET_UP:
            self.fields["by_mail"].help_text = _("This platform sends no mail; notifications are on its pages alone.")
            self.fields["by_mail"].disabled = True


class OfStudy(WatchView):
    """What the person wants to be told of the study, and what they were told."""

    is_about_data = True
    changes_need = "viewer"
    template_name = "watch/notifications.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(Choices(instance=self._stored()))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = Choices(request.POST, instance=self._stored())
        if not form.is_valid():
            return self._page(form, status=422)
        chosen = form.save(commit=False)
        if not any(form.cleaned_data[name] for name in ("every_finished", "quota_full", "errors", "dropouts_above")):
            Subscription.objects.filter(study_id=self.study.pk, user=researcher_of(request)).delete()
            messages.success(request, _("You are told nothing of this study."))
            return redirect(self.url("notifications"))
        if "every_finished" in form.changed_data or chosen.pk is None:
            chosen.finished_before = tally_of(self.study, simulated=False).finished
        chosen.changed_at = timezone.now()
        # Pressed twice at once, the form is stored once.
        Subscription.objects.update_or_create(
            study_id=self.study.pk,
            user=researcher_of(request),
            defaults={name: getattr(chosen, name) for name in (*Choices.Meta.fields, "finished_before", "changed_at")},
        )
        messages.success(request, _("Your choice was saved."))
        return redirect(self.url("notifications"))

    def _stored(self) -> Subscription:
        user = researcher_of(self.request)
        found = Subscription.objects.filter(study_id=self.study.pk, user=user).first()
        return found or Subscription(study_id=self.study.pk, user=user)

    def _page(self, form: Choices, *, status: int = 200) -> HttpResponseBase:
        found = notifications_for(researcher_of(self.request)).filter(study_id=self.study.pk)[:MOST_SHOWN]
        return self.page(form=form, told=[(one, sentence_of(one)) for one in found], status=status)


class Notifications(ResearcherView):
    """Everything that somebody was told, of all studies; POST marks all as read."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        found = notifications_for(researcher_of(request)).select_related("study")[:MOST_SHOWN]
        context = self.frame(told=[(one, sentence_of(one)) for one in found])
        return TemplateResponse(request, "watch/all_notifications.html", context)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        notifications_for(researcher_of(request)).filter(read_at=None).update(read_at=timezone.now())
        return redirect("notifications")
