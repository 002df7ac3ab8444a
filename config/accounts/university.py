"""Single sign-on through a university (OpenID Connect), with roles from its claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib.auth import get_user_model, logout
from django.http import HttpRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from config.accounts.roles import has_administrator
from config.accounts.staying import end_sessions, is_confirmed_by_university, note_university
from experiments.study.audit import record_of_account


def values_of(claims: Mapping[str, Any], name: str) -> set[str]:
    """Return the values of a claim, which may be a text or a list; dots address nested claims.

    >>> sorted(values_of({"realm": {"roles": ["staff", "member"]}}, "realm.roles"))
    ['member', 'staff']
    >>> values_of({"affiliation": "staff"}, "affiliation"), values_of({}, "affiliation")
    ({'staff'}, set())
    """
    found: Any = claims.get(name)
    if found is None and "." in name:
        found = claims
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    if found is None:
        return set()
    return {str(value) for value in found} if isinstance(found, (list, tuple)) else {str(found)}


def is_one_of(claims: Mapping[str, Any], wanted: Iterable[str]) -> bool:
    """Return whether the role claim has one of these values; `*` admits everybody."""
    wanted = set(wanted)
    return "*" in wanted or bool(wanted & values_of(claims, settings.OIDC_ROLE_CLAIM))


class UniversityAdapter(DefaultSocialAccountAdapter):
    """Admit only researchers; update roles from the claims at every login, except for accounts with a password."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return True  # who may not come in was refused before

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return True  # nobody is asked for what the university has said

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Refuse people who are not researchers or whose account is closed; update the role of accounts that follow
        the university.
        """
        data = sociallogin.account.extra_data
        claims = {**(data.get("id_token") or {}), **(data.get("userinfo") or {})} or data
        sociallogin.claims = claims
        if sociallogin.state.get("process") == "connect":
            return
        is_administrator = is_one_of(claims, settings.OIDC_ADMINISTRATORS)
        if not is_administrator and not is_one_of(claims, settings.OIDC_RESEARCHERS):
            if sociallogin.is_existing:
                self._end_sessions(request, sociallogin.user)
            raise ImmediateHttpResponse(self._refused(request))
        user = sociallogin.user
        if not sociallogin.is_existing:
            if user.email and get_user_model().objects.filter(email__iexact=user.email).exists():
                # An e-mail address is not enough proof to log into an existing account.
                raise ImmediateHttpResponse(
                    self._refused(
                        request,
                        _("There is already an account with your e-mail address here."),
                        _(
                            "Log in with its password and connect it under “Your account”; after that, you can "
                            "log in with %(name)s."
                        )
                        % {"name": settings.OIDC_NAME},
                    )
                )
            user.is_staff, user.is_superuser = True, is_administrator
            return
        if not user.is_active:
            raise ImmediateHttpResponse(self._refused(request))
        if not user.is_staff:
            # An administrator removed the role here; a university login does not restore it.
            raise ImmediateHttpResponse(self._refused(request))
        follows = settings.OIDC_ADMINISTRATORS and not user.has_usable_password()
        # As on the page of accounts: the last administrator keeps the role, or nobody would be in charge.
        if (
            follows
            and user.is_superuser != is_administrator
            and (is_administrator or has_administrator(beside=[user.pk]))
        ):
            user.is_superuser = is_administrator
            user.save(update_fields=["is_superuser"])
            detail = "administrator" if is_administrator else "no administrator any more"
            record_of_account(user, action="role changed", user=None, detail=f"{detail}, by the university")
        if request.user == user and is_confirmed_by_university(request):
            # The university confirms a session that goes on: with the second factor that it has been shown.
            note_university(request)
            raise ImmediateHttpResponse(redirect(sociallogin.get_redirect_url(request) or settings.LOGIN_REDIRECT_URL))

    def _end_sessions(self, request: HttpRequest, user: Any) -> None:
        """End the sessions of somebody whom the university names no more: all of an account without a password."""
        if not user.has_usable_password():
            end_sessions(request, user)
        elif request.user == user and is_confirmed_by_university(request):
            logout(request)
        record_of_account(user, action="sessions ended", user=None, detail="no researcher any more, by the university")

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> Any:
        user = super().save_user(request, sociallogin, form)
        detail = "administrator" if user.is_superuser else "researcher"
        record_of_account(user, action="account made", user=None, detail=f"{detail}, by the university")
        return user

    def _refused(self, request: HttpRequest, *sentences: str) -> Any:
        context = {
            "heading": _("You cannot log in here"),
            "sentences": sentences
            or [
                _("%(name)s knows you but does not list you as a researcher, or your account here was closed.")
                % {"name": settings.OIDC_NAME},
                _("Ask an administrator of this platform."),
            ],
        }
        return render(request, "accounts/message.html", context, status=403)
