"""Pages for opening, pausing and closing a study: check list, quota and links."""

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
from experiments.models import Study
from experiments.rules.sources import KINDS, sources_of
from experiments.study.audit import record
from experiments.study.lifecycle import (
    LifecycleRefusal,
    NotReady,
    close_study,
    open_study,
    opening_faults,
    opening_panels,
    opening_warnings,
    pause,
    resume,
    save_details,
)
from experiments.study.personal_links import personal_query
from experiments.views.forms import LINKS_MAX, NumberOfLinks, Quota
from experiments.views.page import StudyView, attachment

CHECKS = [
    ("materials", gettext_lazy("Materials are complete")),
    ("design", gettext_lazy("The design is sound")),
    ("procedure", gettext_lazy("The procedure can be carried out")),
    ("texts", gettext_lazy("Participants’ texts and consent are written")),
    ("sources", gettext_lazy("Sources and quotas are sound")),
    ("settings", gettext_lazy("Contact, responsible person and data protection are named")),
]


@dataclass(frozen=True)
class CheckLine:
    """One line of the check list: fine, or what is missing and where to put it right."""

    text: Any
    is_ok: bool
    url: str


@dataclass(frozen=True)
class RecruitmentLink:
    """An address to paste into a recruitment platform, with what to do there."""

    name: str
    address: str
    explanation: str


def check_list(study: Study) -> list[CheckLine]:
    """Return the check list for opening: one line for each fault, one for each subject without any."""
    faults = opening_faults(study)
    lines = []
    known = {step for step, _label in CHECKS}
    for step, label in CHECKS:
        url = reverse(f"study:{step}", args=[study.slug])
        own = [fault for fault in faults if fault.step == step or (step == "settings" and fault.step not in known)]
        lines += [CheckLine(text=str(fault), is_ok=False, url=url) for fault in own]
        if step == "sources" and not (study.sources or study.criteria):
            continue
        if not own and not (step == "design" and not study.lists.exists()):
            lines.append(CheckLine(text=label, is_ok=True, url=url))
    return lines


def recruitment_links(study: Study, address: str) -> list[RecruitmentLink]:
    """Return the addresses for the recruitment platforms. `address` is the absolute address of the landing page."""
    general = RecruitmentLink(
        name=_("General link"),
        address=address,
        explanation=_("For mailing lists, posters and classes. Whoever opens it can take part once per browser."),
    )
    named = [
        RecruitmentLink(
            name=f"{KINDS[source.kind]}: {source.name}",
            address=f"{address}?{source.query}" if source.query else address,
            explanation=_("What the last page of each outcome leads back to stands under Sources."),
        )
        for source in sources_of(study.sources)
    ]
    if named:
        # The link of a source without parameters is the general one.
        return named if any(link.address == address for link in named) else [*named, general]
    code = str(study.conduct.get("completion_code") or "")
    return [
        general,
        RecruitmentLink(
            name="Prolific",
            address=f"{address}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}"
            "&SESSION_ID={{%SESSION_ID%}}",
            explanation=_(
                "Paste it as the study link and choose “I’ll use URL parameters”. To send people back, enter "
                "%(address)s as the return address under Procedure."
            )
            % {"address": f"https://app.prolific.com/submissions/complete?cc={code or 'CODE'}"},
        ),
        RecruitmentLink(
            name="SONA",
            address=f"{address}?survey_code=%SURVEY_CODE%",
            explanation=_(
                "Paste it as the study URL. To grant credit automatically, enter SONA’s completion URL as the return "
                "address under Procedure, with {survey_code} in the place of XXXX."
            ),
        ),
        RecruitmentLink(
            name="Mechanical Turk",
            address=f"{address}?workerId=${{workerId}}&assignmentId=${{assignmentId}}&hitId=${{hitId}}",
            explanation=_(
                "For tools that fill in these placeholders. In the plain “Survey Link” project use the general link; "
                "workers then paste the completion code that the last page shows."
            ),
        ),
    ]


class Open(StudyView):
    """The check list, the quota and the links."""

    step = "open"
    template_name = "studies/open.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(Quota(initial={"quota": self.study.quota}))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = Quota(request.POST)
        if not form.is_valid():
            return self._page(form, status=422)
        save_details(self.study, {"quota": form.cleaned_data["quota"]}, request.user)
        quota = form.cleaned_data["quota"]
        messages.success(
            request,
            _("The quota is now %(quota)d.") % {"quota": quota} if quota else _("There is no quota any more."),
        )
        return redirect("study:open", self.study.slug)

    def _page(self, form: Quota, *, status: int = 200) -> HttpResponseBase:
        address = self.request.build_absolute_uri(self.study.get_absolute_url())
        counts = [task.lists.count() for task in self.study.tasks]
        fills_all = lcm(*counts)
        checks = check_list(self.study) if self.study.status != Study.Status.OPEN else []
        return self.page(
            form=form,
            checks=checks,
            is_ready=all(line.is_ok for line in checks),
            warnings=opening_warnings(self.study),
            panels=opening_panels(self.study) if checks else [],
            links=recruitment_links(self.study, address),
            personal=NumberOfLinks(initial={"number": 50}),
            number_of_lists=counts[0] if len(counts) == 1 else 0,
            lists_of_tasks=counts if len(counts) > 1 and fills_all > 1 else [],
            fills_all=fills_all,
            completion_code=self.study.conduct.get("completion_code"),
            redirect_url=self.study.conduct.get("redirect_url"),
            status=status,
        )


class PersonalLinks(StudyView):
    """A table of links, each good for one person. Nothing is stored: a link names its person by a random id."""

    step = "open"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.can_edit:
            raise PermissionDenied(_("You can look at this study but not change it. Ask its owner."))
        form = NumberOfLinks(request.GET)
        if not form.is_valid():
            messages.error(request, _("Ask for a number of links between 1 and %(most)d.") % {"most": LINKS_MAX})
            return redirect("study:open", self.study.slug)
        address = request.build_absolute_uri(self.study.get_absolute_url())
        rows = [
            [number, f"{address}?{personal_query(self.study)}"] for number in range(1, form.cleaned_data["number"] + 1)
        ]
        record(self.study, action="personal links made", user=request.user, detail=f"{len(rows)} links")
        return attachment(csv_text(["number", "link"], rows), f"{self.study.slug}-personal-links.csv")


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
                "Opening freezes materials, design, order and instructions for good, so that all participants get the "
                "same. To change them later, make a copy of the study."
            ),
        ),
        button=gettext_lazy("Open the study"),
        done=gettext_lazy("The study is open. Give away one of the links below."),
    ),
    "reopen": StatusChange(
        change=open_study,
        is_possible=lambda study: study.status == Study.Status.CLOSED,
        heading=gettext_lazy("Open the study again?"),
        sentences=(
            gettext_lazy("The same links work again, and new data are added to those that are there."),
            gettext_lazy("Analyses that were run before stay as they are; run them again to include new data."),
        ),
        button=gettext_lazy("Open again"),
        done=gettext_lazy("The study is open again."),
    ),
    "pause": StatusChange(
        change=pause,
        is_possible=lambda study: _is_open(study) and not study.is_paused,
        heading=gettext_lazy("Pause the study?"),
        sentences=(
            gettext_lazy("Nobody new can start. Who has started can finish, and everything they send is stored."),
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
                "Nobody can start or come back: whoever opens the study is told that it is closed. What is already "
                "on somebody’s screen can be finished and is stored. To let everybody finish, pause the study and "
                "close it later."
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
            messages.info(request, _("The study is in another state by now. Nothing was changed."))
            return redirect("study:open", self.study.slug)
        return self.page(
            heading=wanted.heading,
            sentences=wanted.sentences,
            button=wanted.button,
            is_destructive=wanted.is_destructive,
            kept={"next": _back(request.GET.get("next", ""))},
            cancel_url=_back(request.GET.get("next", "")) or reverse("study:open", args=[self.study.slug]),
        )

    def post(self, request: HttpRequest, action: str) -> HttpResponseBase:
        wanted = self._wanted(action)
        try:
            wanted.change(self.study, request.user)
        except NotReady:
            messages.error(request, _("The study cannot open yet. What is missing is listed below."))
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, wanted.done)
        return redirect(_back(request.POST.get("next", "")) or reverse("study:open", args=[self.study.slug]))

    def _wanted(self, action: str) -> StatusChange:
        if action not in CHANGES:
            raise Http404(_("There is no such page."))
        return CHANGES[action]


def _back(path: str) -> str:
    # Only a path of this site, so that the link cannot lead away.
    return path if path.startswith("/admin/studies/") else ""
