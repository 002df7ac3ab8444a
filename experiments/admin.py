"""Django admin for studies, the audit log and researchers' accounts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from experiments.models import AuditEntry, Study
from experiments.templatetags.history import history_words
from experiments.views.records import DeclaredLookups, RecordAdmin

admin.site.index_template = "studies/index.html"


@admin.register(Study)
class StudyAdmin(RecordAdmin):
    """The plain list of studies; a row leads to the study's own pages."""

    study_lookup = "pk"
    list_display = ["title", "slug", "paradigm", "status", "owner", "created_at"]
    list_filter = ["status"]
    search_fields = ["title", "slug"]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        study = self.get_object(request, object_id)
        return redirect("study:home", study.slug) if study else redirect("study:index")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("study:start")


class WhatHappened(admin.AllValuesFieldListFilter):
    """Filter of the audit log by action, labelled in the language of the page."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": capfirst(gettext(str(choice["display"])))}


@admin.register(AuditEntry)
class AuditEntryAdmin(RecordAdmin):
    """The audit log: who did what, and when. Entries of deleted studies are visible to superusers only."""

    list_display = ["at", "of_study", "by", "what", "in_words"]
    list_filter = [("action", WhatHappened)]
    search_fields = ["study_slug", "detail"]
    fields = ["at", "of_study", "by", "what", "in_words"]
    readonly_fields = ["of_study", "by", "what", "in_words"]
    date_hierarchy = "at"
    list_select_related = ["user"]

    @admin.display(description=_("Study"), ordering="study_slug")
    def of_study(self, entry: AuditEntry) -> str:
        return entry.study_slug or "–"

    @admin.display(description=_("By whom"), ordering="user__username")
    def by(self, entry: AuditEntry) -> str:
        return str(entry.user or "–")

    @admin.display(description=_("What happened"), ordering="action")
    def what(self, entry: AuditEntry) -> str:
        return str(capfirst(gettext(entry.action)))

    @admin.display(description=_("In detail"))
    def in_words(self, entry: AuditEntry) -> str:
        return history_words(entry.detail)


admin.site.unregister(User)
admin.site.unregister(Group)


# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    AdminOfUsers = DjangoUserAdmin[User]
else:
    AdminOfUsers = DjangoUserAdmin


@admin.register(User)
class UserAdmin(DeclaredLookups, AdminOfUsers, ModelAdmin):
    """People with an account. Staff status is what lets a researcher log in and own studies."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
