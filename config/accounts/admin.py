"""Django admin for accounts: record changes of roles, create password links, remove lost second factors.

Models of the library that people do not work with are unregistered; their data are shown on other pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from config.accounts.forms import AccountForm
from config.accounts.roles import ADMINISTRATOR, IN_SHORT, give_role, has_administrator, role_of
from experiments.admin import UserAdmin
from experiments.models import Study
from experiments.study.audit import record_of_account

for _model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, UserSession):
    # The library registers its records when this is imported; imported later, it would offer them after all.
    import_module(f"{_model.__module__.rpartition('.')[0]}.admin")
    if admin.site.is_registered(_model):
        admin.site.unregister(_model)
admin.site.unregister(User)


def new_password_path(user: User) -> str:
    """Return the URL for setting a new password, valid once and for a day."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password_reset_confirm", args=[uid, default_token_generator.make_token(user)])


def refusals_to_delete(accounts: Sequence[User]) -> list[str]:
    """Return why these accounts may not be deleted together: the platform, or studies with data, would be left
    without anyone in charge.
    """
    refusals = []
    is_administrators = any(role_of(account) == ADMINISTRATOR for account in accounts)
    if is_administrators and not has_administrator(beside=[account.pk for account in accounts]):
        refusals.append(
            _(
                "This is the last administrator who can log in, so the account stays. Make somebody "
                "else an administrator first."
            )
        )
    for account in accounts:
        owned = Study.objects.filter(owner=account, participants__isnull=False).distinct().order_by("title")
        if titles := [study.title for study in owned]:
            refusals.append(
                _(
                    "%(name)s owns studies with data: %(titles)s. Every study with data needs an owner, so the "
                    "account stays. First make somebody else the owner, on the page “People” of each study; or "
                    "erase the participants; or choose “Cannot log in”."
                )
                % {"name": account, "titles": ", ".join(f"“{title}”" for title in titles)}
            )
    return refusals


@admin.register(User)
class AccountAdmin(UserAdmin):
    """People with an account, links for new passwords, and second factors that were lost."""

    change_form_template = "accounts/change_account.html"
    form = AccountForm
    fieldsets = [(None, {"fields": ["first_name", "email", "username", "role"]})]
    list_display = ["username", "first_name", "email", "role", "last_login"]
    list_filter = []
    filter_horizontal = []

    @admin.display(description=gettext_lazy("What they may do"))
    def role(self, account: User) -> str:
        return str(IN_SHORT[role_of(account)])

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        # New users choose their password themselves.
        return redirect("invite")

    def get_urls(self) -> list[URLPattern]:
        return [
            path(
                "<int:pk>/password-link/", self.admin_site.admin_view(self.password_link), name="account_password_link"
            ),
            path(
                "<int:pk>/second-factor/", self.admin_site.admin_view(self.remove_factor), name="account_second_factor"
            ),
            *super().get_urls(),
        ]

    def password_link(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Create a link and show it once."""
        user = self._account(request, pk)
        if request.method != "POST":
            return redirect("admin:auth_user_change", pk)
        record_of_account(user, action="password link made", user=request.user)
        address = request.build_absolute_uri(new_password_path(user))
        context = {**self.admin_site.each_context(request), "account": user, "address": address}
        return never_cache(render)(request, "accounts/password_link.html", context)

    def remove_factor(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Remove a lost second factor; the user logs in by password and sets up another."""
        user = self._account(request, pk)
        if request.method == "POST":
            removed, _rows = Authenticator.objects.filter(user=user).delete()
            if removed:
                record_of_account(user, action="second factor removed", user=request.user)
                messages.success(request, _("%(name)s now logs in with the password only.") % {"name": user})
        return redirect("admin:auth_user_change", pk)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        has_factor = object_id.isdecimal() and Authenticator.objects.filter(user_id=int(object_id)).exists()
        return super().change_view(
            request,
            object_id,
            form_url,
            {**(extra_context or {}), "has_factor": has_factor, "show_save_and_add_another": False},
        )

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        before = role_of(User.objects.get(pk=obj.pk))
        role = form.cleaned_data["role"]
        give_role(obj, role)
        if role != before:
            record_of_account(obj, action="role changed", user=request.user, detail=f"{before} → {role}")

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Explain why an account cannot be deleted instead of asking for confirmation."""
        account = self.get_object(request, object_id)
        refusals = refusals_to_delete([account]) if account is not None else []
        if refusals and self.has_delete_permission(request, account):
            for refusal in refusals:
                messages.error(request, refusal)
            return redirect("admin:auth_user_change", object_id)
        return super().delete_view(request, object_id, extra_context)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Name among what is in the way why accounts of the list have to stay; then none of them is deleted."""
        deleted, counts, needed, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, needed, [*protected, *refusals_to_delete(list(objs))]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        record_of_account(obj, action="account deleted", user=request.user)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for account in queryset:
            record_of_account(account, action="account deleted", user=request.user)
        super().delete_queryset(request, queryset)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST" and response.status_code == 302:
            record_of_account(self._account(request, int(id)), action="password set", user=request.user)
        return response

    def _account(self, request: HttpRequest, pk: int) -> User:
        account = get_object_or_404(User, pk=pk)
        if not request.user.is_superuser or not self.has_change_permission(request, account):
            raise PermissionDenied
        return account
