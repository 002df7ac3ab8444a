"""Base class of study pages: access control, concurrent edits, page frame."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.generic import View

from experiments.models import Part, Study
from experiments.study.access import (
    DATA,
    EDITOR,
    OWNER,
    may_make_studies,
    role_in,
    studies_for,
    studies_with_data_for,
)
from experiments.study.comments.stored import comments_at, unresolved
from experiments.study.refusals import LifecycleRefusal
from experiments.study.steps import StepLink, blocks_of, next_step, study_steps


def shown_of(values: Mapping[str, Any]) -> str:
    """Return what a form carries to say which stored values it showed, so that nobody overwrites what came later."""
    plain = json.dumps(values, sort_keys=True, default=str)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def attachment(content: str | bytes, name: str, kind: str = "text/csv; charset=utf-8") -> HttpResponse:
    """Return a file that the browser saves under a name."""
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def sent_to_log_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the login page and back; after a POST, a message says that the form was not saved."""
    back = request.get_full_path()
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        messages.warning(
            request,
            _("You are logged out, so your changes on the page were not saved. Log in and enter them again."),
        )
        # Many forms are sent to an address that is no page; the page is the one that the form stood on.
        back = f"/{request.headers.get('Referer', '').partition(f'//{request.get_host()}/')[2]}"
    return redirect_to_login(back, reverse("admin:login"))


class ResearcherView(View):
    """A page for people who are logged in to the admin; everybody else is sent to the log-in page."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not admin.site.has_permission(request):
            return sent_to_log_in(request)
        return super().dispatch(request, *args, **kwargs)

    def frame(self, **context: Any) -> dict[str, Any]:
        """Return the context of the admin's frame with `context` in it."""
        unread = import_string(settings.UNREAD_NOTIFICATIONS)(self.request.user)
        return {**admin.site.each_context(self.request), "unread": unread, **context}


class StudyView(ResearcherView):
    """A page of one study.

    Researchers who were not added to the study get 404, so that its existence stays private, and so do people with the
    role `data` except where `is_about_data`. GET is for everybody who was added; every other method needs
    `changes_need` (editor by default, or owner) and answers 403 without it.

    Subclasses set `step` (the slug of their step, which the left column marks) and `template_name`, which extends
    `studies/frame/base.html`, and return `self.page(...)`. `self.study`, `self.can_edit` and `self.is_owner` are set.
    """

    step: ClassVar[str] = ""
    template_name: ClassVar[str] = ""
    changes_need: ClassVar[Literal["viewer", "editor", "owner"]] = "editor"
    # Whether people with the role `data` see the page; all others do not exist for them.
    is_about_data: ClassVar[bool] = False
    # Whether the page is about a pool of tasks where the address names one.
    is_of_pools: ClassVar[bool] = False

    study: Study
    can_edit: bool
    is_owner: bool
    sees_all: bool

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not admin.site.has_permission(request):
            return sent_to_log_in(request)
        self.study = self.study_of(request, kwargs.pop("slug"))
        role = role_in(request.user, self.study)
        self.can_edit = role in (OWNER, EDITOR)
        self.is_owner = role == OWNER
        self.sees_all = role != DATA
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            allowed = {"viewer": True, "editor": self.can_edit, "owner": self.is_owner}[self.changes_need]
            if not allowed:
                raise PermissionDenied(
                    _("You can look at this study but not change it. Ask its owner to let you change it.")
                )
        return super().dispatch(request, *args, **kwargs)

    @property
    def shown_standard(self) -> str:
        """The key in `Study.looked_at` of what the page shows; empty for pages on which nothing is confirmed."""
        return ""

    def study_of(self, request: HttpRequest, slug: str) -> Study:
        """Return the study of the address. Raises Http404 where there is none."""
        return study_for(request, slug, with_pools=self.is_of_pools, with_data=self.is_about_data)

    def conflict_of(self, stored: str) -> str:
        """Return what to say where somebody stored other values since the form was shown, else nothing."""
        if self.request.POST.get("shown", stored) == stored:
            return ""
        return _(
            "Somebody saved this page while you were changing it. Your version is below and is not saved. "
            "Compare it with the stored version in another tab. If you save now, your version replaces the "
            "stored one."
        )

    def attempt(self, change: Callable[..., object], *given: Any, done: Any, **further: Any) -> None:
        """Make a change of the study and say that it is `done`, or why it was refused."""
        try:
            change(self.study, *given, **further)
        except LifecycleRefusal as refusal:
            messages.error(self.request, str(refusal))
        else:
            messages.success(self.request, done)

    def page(self, *, status: int = 200, template_name: str = "", **context: Any) -> TemplateResponse:
        """Return the page: the admin's frame, the steps with their states, and `context`."""
        steps = [one for one in study_steps(self.study, self.request.user) if self.sees_all or one.is_about_data]
        waiting = unresolved(self.study)
        steps = [replace(link, comments=waiting.get((link.slug, link.task), 0)) for link in steps]
        current = self._current_step(steps)
        following = next_step(steps)
        return TemplateResponse(
            self.request,
            template_name or self.template_name,
            self.frame(
                study=self.study,
                step_blocks=blocks_of(steps),
                next_step=following,
                # While a study is made, every finished page leads to what comes next.
                is_next_elsewhere=self.study.status == Study.Status.DRAFT
                and self.can_edit
                and following is not None
                and (current is None or (current.state.kind not in ("missing", "standard") and current != following)),
                current_step=current,
                standard_steps=[link for link in steps if link.state.kind == "standard"],
                whole_slug=str(self.study.slug),
                unseen=self.shown_standard if current and self.shown_standard in current.state.standard else "",
                can_edit=self.can_edit,
                is_owner=self.is_owner,
                sees_all=self.sees_all,
                comments=comments_at(self.study, current.slug, current.task) if current else None,
                **context,
            ),
            status=status,
        )

    def _current_step(self, steps: Sequence[StepLink]) -> StepLink | None:
        """Return the step that the page belongs to."""
        return {link.slug: link for link in steps if link.task in ("", self.study.task.name)}.get(self.step)


class QuestionnaireView(StudyView):
    """A page of one of the questionnaires of a study, whose name stands in the address."""

    step = "parts"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.part_name = kwargs.pop("part")
        return super().dispatch(request, *args, **kwargs)

    @property
    def questionnaire(self) -> Part:
        """The questionnaire of the address. Raises Http404 for a task and a page."""
        for part in self.study.ordered_parts:
            if part.name == self.part_name and part.kind == Part.Kind.QUESTIONNAIRE:
                return part
        raise Http404(_("There is no such part."))


def refuse_guests(request: HttpRequest) -> None:
    """Raise PermissionDenied for somebody who sees what is shared with them and makes no studies."""
    if not may_make_studies(request.user):
        raise PermissionDenied(
            _("Your account can only see what is shared with it. Ask an administrator to let you create studies.")
        )


def study_for(request: HttpRequest, slug: str, *, with_pools: bool = False, with_data: bool = False) -> Study:
    """Return the study, or raise Http404 where it does not exist or the person was not added to it.

    The address may name a task; `with_pools` also a pool of tasks. `with_data` admits people with the role `data`.
    """
    studies = studies_with_data_for(request.user) if with_data else studies_for(request.user)
    study = studies.select_related("owner").filter(slug=slug).first()
    if study is None:
        raise Http404(_("There is no such study, or nobody has added you to it."))
    task = getattr(slug, "task", "")
    known = {part.name for part in study.tasks} | (set(study.pools) if with_pools else set())
    if task and task not in known:
        raise Http404(_("The study has no task with this name."))
    return study.seen_through(task)
