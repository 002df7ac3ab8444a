"""Add, resolve and delete comments at the steps of a study.

Everybody who sees a step may comment on it: viewers too, and people who see the data only on the steps that they see.
Whoever may edit the study, and the author, resolve a comment; the author alone deletes it.
"""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from experiments.models import Comment
from experiments.study.access import researcher_of
from experiments.study.comments.stored import add_comment, comments_at, delete_comment, resolve
from experiments.study.refusals import LifecycleRefusal
from experiments.study.steps import StepLink, study_steps
from experiments.views.addresses import key_in
from experiments.views.page import StudyView

MOST_LETTERS = Comment._meta.get_field("body").max_length


class NewComment(forms.Form):
    """What somebody says."""

    body = forms.CharField(max_length=MOST_LETTERS)


class Comments(StudyView):
    """Stores a comment, or does something with one: `action` is add, resolve, reopen or delete."""

    is_about_data = True
    changes_need = "viewer"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:home", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        step = self._step()
        back = redirect(f"{step.url}#comments")
        action = request.POST.get("action", "")
        if action == "add":
            form = NewComment(request.POST)
            if not form.is_valid():
                messages.error(
                    request, _("Write a comment of at most %(most)d characters.") % {"most": MOST_LETTERS or 0}
                )
                return back
            try:
                add_comment(self.study, step.slug, step.task, form.cleaned_data["body"], researcher_of(request))
            except LifecycleRefusal as refusal:
                messages.error(request, str(refusal))
            return back
        comment = self._comment(step)
        is_own = comment.author_id == researcher_of(request).pk
        if not (is_own or (self.can_edit and action != "delete")):
            raise PermissionDenied(
                _("Only its author deletes a comment; people who may edit the study resolve it, too.")
            )
        if action == "delete":
            delete_comment(comment, request.user)
        elif action in ("resolve", "reopen"):
            resolve(comment, request.user, is_resolved=action == "resolve")
        return back

    def _step(self) -> StepLink:
        given = (self.request.POST.get("step", ""), self.request.POST.get("task", ""))
        for link in study_steps(self.study.seen_through(""), self.request.user):
            if (link.slug, link.task) == given and (self.sees_all or link.is_about_data):
                return link
        raise Http404(_("There is no such step."))

    def _comment(self, step: StepLink) -> Comment:
        key = key_in(self.request.POST.get("comment", ""))
        comment = comments_at(self.study, step.slug, step.task).filter(pk=key).first()
        if comment is None:
            raise Http404(_("There is no such comment. Perhaps it was deleted."))
        return comment
