"""Page of previews: try out any list without being counted, and create links for people without an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.languages import in_language
from experiments.models.one_task import SlugOfTask
from experiments.study.lifecycle import LifecycleRefusal
from experiments.study.preview_links import MOST_DAYS, USUAL_DAYS, make_preview_link, revoke_preview_link
from experiments.views.page import StudyView


class NewPreviewLink(forms.Form):
    """For whom a link is, and how long it is valid."""

    note = forms.CharField(
        label=gettext_lazy("For whom"), max_length=100, widget=forms.TextInput(attrs={"placeholder": "Ethics board"})
    )
    days = forms.IntegerField(
        label=gettext_lazy("Holds for so many days"), min_value=1, max_value=MOST_DAYS, initial=USUAL_DAYS
    )


class Preview(StudyView):
    """Links into the participants' pages, one for each list, and links for people without an account."""

    step = "preview"
    template_name = "studies/preview.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(NewPreviewLink())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if "revoke" in request.POST:
            return self._revoke(request.POST["revoke"])
        form = NewPreviewLink(request.POST)
        if not form.is_valid():
            return self._page(form, status=422)
        try:
            _link, token = make_preview_link(
                self.study, note=form.cleaned_data["note"], days=form.cleaned_data["days"], user=request.user
            )
        except LifecycleRefusal as refusal:
            form.add_error(None, in_language(str(refusal)))
            return self._page(form, status=422)
        address = request.build_absolute_uri(reverse("participants:preview-link", args=[str(self.study.slug), token]))
        return self._page(NewPreviewLink(), new_link=address)

    def _revoke(self, key: str) -> HttpResponseBase:
        pk = int(key) if key.isdecimal() and len(key) < 16 else 0
        done = _("The link was taken back. It opens nothing any more.")
        self.attempt(revoke_preview_link, pk, self.request.user, done=done)
        return redirect("study:preview", self.study.slug)

    def _page(self, form: NewPreviewLink, *, new_link: str = "", status: int = 200) -> HttpResponseBase:
        now = timezone.now()
        links: list[dict[str, Any]] = [
            {"link": link, "holds": link.revoked_at is None and link.expires_at > now}
            for link in self.study.preview_links.select_related("created_by")
        ]
        study = self.study
        return self.page(
            lists=[
                (task, SlugOfTask(str(study.slug), task.name) if study.has_several_tasks else study.slug, each)
                for task in study.tasks
                for each in task.lists.all()
            ],
            has_choice=len(study.ordered_parts) > 1 or bool(study.groups),
            links=links,
            form=form,
            new_link=new_link,
            status=status,
        )
