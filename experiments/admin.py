"""The admin's records of studies, and the accounts of the people who work here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from experiments.models import AuditEntry, Study
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


@admin.register(AuditEntry)
class AuditEntryAdmin(RecordAdmin):
    """Who did what, when. An entry of a deleted study is left to superusers."""

    list_display = ["at", "study_slug", "user", "action", "detail"]
    list_filter = ["action"]
    search_fields = ["study_slug", "detail"]
    fields = ["at", "study_slug", "user", "action", "detail"]
    date_hierarchy = "at"


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
    list_display = ["username", "email", "first_name", "last_name", "is_staff", "is_superuser", "last_login"]
    add_fieldsets = [
        (None, {"classes": ["wide"], "fields": ["username", "usable_password", "password1", "password2"]}),
        (
            _("What they can do"),
            {
                "description": _("A researcher needs staff status to log in; studies are shared study by study."),
                "fields": ["is_staff", "is_superuser"],
            },
        ),
    ]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"is_staff": True, **super().get_changeform_initial_data(request)}


@admin.register(Group)
class GroupAdmin(DeclaredLookups, DjangoGroupAdmin, ModelAdmin):
    """Groups of accounts."""
