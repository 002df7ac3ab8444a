"""Pages of login, passwords and sessions of an account."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.core.ratelimit import consume
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import views as passwords
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import translation
from django.utils.translation import gettext as _
from requests import RequestException

from config.accounts.errands import later
from config.accounts.forms import SignInForm
from config.accounts.roles import has_administrator
from experiments.study.audit import record_of_account

logger = logging.getLogger(__name__)


class SignIn(passwords.LoginView):
    """The admin's log-in page at its old address; users with a second factor are asked for it before they are logged
    in.
    """

    authentication_form = SignInForm
    template_name = "accounts/login.html"
    next_page = reverse_lazy("admin:index")  # type: ignore[assignment]  # a lazy address is one for Django

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if admin.site.has_permission(request):
            # Not `redirect`: where to go on is an address, never the name of a view.
            return HttpResponseRedirect(self.get_success_url())
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        login = Login(
            user=form.get_user(),
            email_verification=EmailVerificationMethod.NONE,
            redirect_url=self.get_success_url(),
        )
        # The password was checked by Django's form, and by the guard against password guessing.
        answer: HttpResponse = perform_password_login(self.request, {"username": form.get_user().get_username()}, login)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {
            "title": _("Log in"),
            "app_path": self.request.get_full_path(),
            "is_unclaimed": not has_administrator(),
            "university_url": _university_url(self.get_redirect_url()) if settings.OIDC_IS_SET_UP else "",
            **super().get_context_data(**kwargs),
        }


def _university_url(then: str) -> str:
    address = reverse("openid_connect_login", args=[settings.OIDC_PROVIDER_ID])
    return f"{address}?next={then}" if then else address


def through_university(step: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a step of the log-in through a university that says so where its server is away."""

    def asked(request: HttpRequest, provider_id: str) -> HttpResponse:
        if request.GET.get("process") == "connect" and request.headers.get("Sec-Fetch-Site") != "same-origin":
            # A link on another site could connect somebody else's university with this account.
            return redirect("socialaccount_connections")
        try:
            return step(request, provider_id)
        except RequestException:
            logger.warning("The log-in of the university could not be reached", exc_info=True)
            return _message(
                request,
                heading=_("The log-in of your university does not answer"),
                sentences=[_("Nothing was changed. Try again in a few minutes, or log in with a password.")],
                status=503,
            )

    return asked


class AskForPassword(passwords.PasswordResetView):
    """Send a link for a new password, or say who can create one if the platform sends no mail.

    Whether there is such an account is looked up after the answer, which therefore takes as long either way.
    """

    template_name = "accounts/password_ask.html"
    email_template_name = "accounts/password_mail.txt"
    subject_template_name = "accounts/password_mail_subject.txt"
    success_url = reverse_lazy("password_reset_done")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "mail_is_set_up": settings.MAIL_IS_SET_UP}

    def form_valid(self, form: Any) -> HttpResponse:
        # Reveal neither which accounts exist nor whether a mailbox is being flooded.
        address = form.cleaned_data["email"].lower()
        if not settings.MAIL_IS_SET_UP or not consume(self.request, action="reset_password", key=address):
            return redirect(self.success_url)
        language = translation.get_language()
        options = {
            "domain_override": self.request.get_host(),
            "use_https": self.request.is_secure(),
            "token_generator": self.token_generator,
            "from_email": self.from_email,
            "email_template_name": self.email_template_name,
            "subject_template_name": self.subject_template_name,
        }

        def send() -> None:
            with translation.override(language):
                form.save(**options)

        later(send)
        return redirect(self.success_url)


class SetPassword(passwords.PasswordResetConfirmView):
    """Set a new password by a link. It works once, because its token depends on the old password."""

    template_name = "accounts/password_set.html"
    success_url = reverse_lazy("password_reset_complete")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        record_of_account(self.user, action="password set", user=self.user, detail="by a link")
        return response


def password_asked(request: HttpRequest) -> HttpResponse:
    """Say that a letter is on its way, if there is such an account."""
    return _message(
        request,
        heading=_("Check your e-mail"),
        sentences=[
            _("If there is an account with this address, we have sent it a link for a new password."),
            _("The link works once and for 24 hours. If no e-mail arrives, ask an administrator of this platform."),
        ],
    )


def password_was_set(request: HttpRequest) -> HttpResponse:
    """Say that the new password holds."""
    return _message(request, heading=_("Your new password is set"), sentences=[_("You can log in with it now.")])


def _message(request: HttpRequest, *, heading: str, sentences: list[str], status: int = 200) -> HttpResponse:
    return render(request, "accounts/message.html", {"heading": heading, "sentences": sentences}, status=status)


class Sessions(ListUserSessionsView):
    """Where somebody is logged in; each of their sessions can be ended, and all others at once."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if "session" not in request.POST:
            response: HttpResponseBase = super().post(request, *args, **kwargs)
            record_of_account(request.user, action="sessions ended", user=request.user, detail="all others")
            return response
        given = request.POST["session"]
        chosen = get_object_or_404(UserSession, user=request.user, pk=given if given.isdecimal() else 0)
        chosen.end()
        record_of_account(request.user, action="sessions ended", user=request.user, detail="one")
        messages.success(request, _("The session was ended."))
        return redirect("usersessions_list")
