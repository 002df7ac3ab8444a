"""Pages for opening, pausing and closing a study, and for its links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import lcm
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.formats.csvtext import csv_text
from experiments.languages import in_language
from experiments.models import Study
from experiments.procedure.mentions import lacking_texts
from experiments.study.lifecycle import (
    LifecycleRefusal,
    NotReady,
    close_study,
    open_study,
    opening_panels,
    pause,
    resume,
    save_details,
)
from experiments.study.personal_links import LINKS_MAX, personal_links
from experiments.study.preview_links import make_preview_link, revoke_preview_link
from experiments.views.addresses import key_in, safe_path
from experiments.views.forms import Quota
from experiments.views.opening.checks import check_list
from experiments.views.opening.links import (
    NewPreviewLink,
    NumberOfLinks,
    preview_links_of,
    recruitment_links,
)
from experiments.views.page import StudyView, attachment
from experiments.views.texts.pages import lacking_notes


class Open(StudyView):
    """Button, quota and dates; the check list; all links of the study."""

    step = "open"
    template_name = "studies/open.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page()

    def post(self, request: HttpRequest) -> HttpResponseBase:
        match request.POST.get("action"):
            case "preview-link":
                return self._make_preview_link(NewPreviewLink(request.POST))
            case "take-back":
                return self._take_back(request.POST.get("link", ""))
        form = Quota(request.POST)
        if not form.is_valid():
            return self._page(form=form, status=422)
        save_details(self.study, {"quota": form.cleaned_data["quota"]}, request.user)
        quota = form.cleaned_data["quota"]
        messages.success(
            request,
            _("The quota is now %(quota)d.") % {"quota": quota} if quota else _("The study has no quota any more."),
        )
        return redirect("study:open", self.study.slug)

    def _make_preview_link(self, form: NewPreviewLink) -> HttpResponseBase:
        """Make a link for somebody without an account and show it, this once."""
        if not form.is_valid():
            return self._page(new_preview=form, status=422)
        try:
            _link, token = make_preview_link(
                self.study, note=form.cleaned_data["note"], days=form.cleaned_data["days"], user=self.request.user
            )
        except LifecycleRefusal as refusal:
            form.add_error(None, in_language(str(refusal)))
            return self._page(new_preview=form, status=422)
        address = reverse("participants:preview-link", args=[str(self.study.slug), token])
        return self._page(new_link=self.request.build_absolute_uri(address))

    def _take_back(self, key: str) -> HttpResponseBase:
        done = _("The link was revoked. It no longer opens anything.")
        self.attempt(revoke_preview_link, key_in(key), self.request.user, done=done)
        return redirect(f"{reverse('study:open', args=[self.study.slug])}#people-without-account")

    def _page(
        self,
        *,
        form: Quota | None = None,
        new_preview: NewPreviewLink | None = None,
        new_link: str = "",
        status: int = 200,
    ) -> HttpResponseBase:
        study = self.study
        address = self.request.build_absolute_uri(study.get_absolute_url())
        counts = [task.lists.count() for task in study.tasks]
        fills_all = lcm(*counts)
        lacking = lacking_notes(lacking_texts(study))
        checks = check_list(study, lacking) if study.status != Study.Status.OPEN else []
        return self.page(
            form=form or Quota(initial={"quota": study.quota}),
            checks=checks,
            stopping=[check for check in checks if not check.is_ok],
            number_of_notes=sum(check.number_of_notes for check in checks),
            is_ready=all(check.is_ok for check in checks),
            own_url=reverse("study:open", args=[study.slug]),
            lacking=lacking,
            panels=opening_panels(study) if checks else [],
            links=recruitment_links(study, address),
            address=address,
            personal=NumberOfLinks(initial={"number": 50}),
            preview_links=preview_links_of(study),
            new_preview=new_preview or NewPreviewLink(),
            new_link=new_link,
            number_of_lists=counts[0] if len(counts) == 1 else 0,
            lists_of_tasks=counts if len(counts) > 1 and fills_all > 1 else [],
            fills_all=fills_all,
            completion_code=study.conduct.get("completion_code"),
            redirect_url=study.conduct.get("redirect_url"),
            status=status,
        )


class PersonalLinks(StudyView):
    """A table of links, each good for one person. Nothing is stored: a link names its person by a random id."""

    step = "open"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.can_edit:
            raise PermissionDenied(
                _("You can look at this study but not change it. Ask its owner to let you change it.")
            )
        form = NumberOfLinks(request.GET)
        if not form.is_valid():
            messages.error(request, _("Ask for a number of links between 1 and %(most)d.") % {"most": LINKS_MAX})
            return redirect("study:open", self.study.slug)
        address = request.build_absolute_uri(self.study.get_absolute_url())
        links = personal_links(self.study, address, number=form.cleaned_data["number"], user=request.user)
        table = csv_text(["number", "link"], [[number, link] for number, link in enumerate(links, start=1)])
        return attachment(table, f"{self.study.slug}-personal-links.csv")


@dataclass(frozen=True)
class StatusChange:
    """One change of a study's status: when it is possible, what it means, what does it."""

    change: Callable[[Study, Any], Study]
    is_possible: Callable[[Study], bool]
    heading: Any
    sentences: tuple[Any, ...]
    button: Any
    done: Any
    is_destructive: bool = False


def _is_open(study: Study) -> bool:
    return study.status == Study.Status.OPEN


CHANGES = {
    "start": StatusChange(
        change=open_study,
        is_possible=lambda study: study.status == Study.Status.DRAFT,
        heading=gettext_lazy("Open the study?"),
        sentences=(
            gettext_lazy("Everybody who has the link can take part from now on."),
            gettext_lazy(
                "Opening locks materials, design, order and instructions permanently, so that all participants "
                "get the same. To change them later, make a copy of the study."
            ),
        ),
        button=gettext_lazy("Open the study"),
        done=gettext_lazy("The study is open. Share one of the links below."),
    ),
    "reopen": StatusChange(
        change=open_study,
        is_possible=lambda study: study.status == Study.Status.CLOSED,
        heading=gettext_lazy("Open the study again?"),
        sentences=(
            gettext_lazy("The same links work again, and new data are added to the existing data."),
            gettext_lazy("Earlier analyses do not change. Run them again to include new data."),
        ),
        button=gettext_lazy("Open again"),
        done=gettext_lazy("The study is open again."),
    ),
    "pause": StatusChange(
        change=pause,
        is_possible=lambda study: _is_open(study) and not study.is_paused,
        heading=gettext_lazy("Pause the study?"),
        sentences=(
            gettext_lazy(
                "Nobody new can start. People who have started can finish, and everything that they send is stored."
            ),
        ),
        button=gettext_lazy("Pause"),
        done=gettext_lazy("The study is paused. Nobody new can start."),
    ),
    "resume": StatusChange(
        change=resume,
        is_possible=lambda study: _is_open(study) and study.is_paused,
        heading=gettext_lazy("Let people start again?"),
        sentences=(gettext_lazy("The links work again at once."),),
        button=gettext_lazy("Resume"),
        done=gettext_lazy("People can start again."),
    ),
    "close": StatusChange(
        change=close_study,
        is_possible=_is_open,
        heading=gettext_lazy("Close the study?"),
        sentences=(
            gettext_lazy(
                "Nobody can start or come back: people who open the study read that it is closed. What is "
                "already on a person’s screen can be finished and is stored. If everybody should be able to "
                "finish, pause the study now and close it later."
            ),
            gettext_lazy("The data stay. A closed study can be opened again."),
        ),
        button=gettext_lazy("Close the study"),
        done=gettext_lazy("The study is closed."),
        is_destructive=True,
    ),
}


class Change(StudyView):
    """Asks before the status of a study changes, then changes it."""

    step = "open"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, action: str) -> HttpResponseBase:
        wanted = self._wanted(action)
        if not wanted.is_possible(self.study):
            messages.info(request, _("Somebody changed the state of the study in the meantime. Nothing was changed."))
            return redirect("study:open", self.study.slug)
        return self.page(
            heading=wanted.heading,
            sentences=wanted.sentences,
            button=wanted.button,
            is_destructive=wanted.is_destructive,
            kept={"next": safe_path(request.GET.get("next", ""))},
            cancel_url=safe_path(request.GET.get("next", "")) or reverse("study:open", args=[self.study.slug]),
        )

    def post(self, request: HttpRequest, action: str) -> HttpResponseBase:
        wanted = self._wanted(action)
        try:
            wanted.change(self.study, request.user)
        except NotReady:
            messages.error(request, _("The study cannot open yet. The list below says what is missing."))
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, wanted.done)
        return redirect(safe_path(request.POST.get("next", "")) or reverse("study:open", args=[self.study.slug]))

    def _wanted(self, action: str) -> StatusChange:
        if action not in CHANGES:
            raise Http404(_("There is no such page."))
        return CHANGES[action]
