"""Pages of invitations: accept a link; create and revoke links as an administrator or owner of a study."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import View

from config.accounts import invitations, roles
from config.accounts.forms import Invite, InviteToStudy, OwnAccount
from config.accounts.models import Invitation
from experiments.study.access import may_make_studies, researcher_of
from experiments.study.audit import record_of_platform
from experiments.views.page import ResearcherView, StudyView

logger = logging.getLogger(__name__)


@method_decorator([never_cache, sensitive_post_parameters("password", "again")], name="dispatch")
class AcceptInvitation(View):
    """Accept an invitation: create an account, or add the shared study to an existing one."""

    def get(self, request: HttpRequest, pk: int, token: str) -> HttpResponseBase:
        invitation = invitations.find(pk, token)
        if invitation is None:
            return self._void()
        return self._page(invitation, OwnAccount(initial={"email": invitation.email}))

    def post(self, request: HttpRequest, pk: int, token: str) -> HttpResponseBase:
        invitation = invitations.find(pk, token)
        if invitation is None:
            return self._void()
        try:
            if request.POST.get("join") and admin.site.has_permission(request):
                study = invitations.join(pk, token, user=researcher_of(request))
                messages.success(request, _("“%(title)s” is shared with you now.") % {"title": study.title})
                return redirect("study:index")
            form = OwnAccount(request.POST)
            if not form.is_valid():
                return self._page(invitation, form, status=422)
            given = form.cleaned_data
            user = invitations.accept(pk, token, name=given["name"], email=given["email"], password=given["password"])
        except invitations.UsedUp:
            return self._void()
        then = reverse("welcome") if may_make_studies(user) and invitation.study is None else reverse("study:index")
        login = Login(user=user, email_verification=EmailVerificationMethod.NONE, redirect_url=then)
        entered: HttpResponseBase = perform_password_login(request, {"username": user.get_username()}, login)
        return entered

    def _page(self, invitation: Invitation, form: OwnAccount, status: int = 200) -> HttpResponseBase:
        context = {
            "invitation": invitation,
            "form": form,
            "can_join": invitation.study is not None and admin.site.has_permission(self.request),
        }
        return render(self.request, "accounts/invitation.html", context, status=status)

    def _void(self) -> HttpResponseBase:
        context = {
            "heading": _("This link no longer works"),
            "sentences": [
                _("The link was used, it is too old, or a part of it is missing. Nothing was changed."),
                _(
                    "Ask the person who sent the link for a new one. At its next start, a new platform prints its "
                    "first link again."
                ),
            ],
        }
        return render(self.request, "accounts/message.html", context, status=410)


class Welcome(ResearcherView):
    """The first page of a new user: three ways to begin."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return TemplateResponse(
            request, "accounts/welcome.html", self.frame(makes_studies=may_make_studies(request.user))
        )


@method_decorator(never_cache, name="dispatch")
class InviteSomebody(ResearcherView):
    """Create links, list unused ones, and revoke them (administrators)."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if admin.site.has_permission(request) and not request.user.is_superuser:
            raise PermissionDenied(_("Only administrators can invite people to the platform. Ask one of them."))
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(Invite(mail_is_set_up=settings.MAIL_IS_SET_UP))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = Invite(request.POST, mail_is_set_up=settings.MAIL_IS_SET_UP)
        if not form.is_valid():
            return self._page(form, status=422)
        email = form.cleaned_data["email"]
        path = invitations.invite(by=request.user, role=form.cleaned_data["role"], email=email)
        address = request.build_absolute_uri(path)
        return self._page(
            Invite(mail_is_set_up=settings.MAIL_IS_SET_UP), address=address, sent=sent(request, address, email)
        )

    def _page(self, form: Invite, *, status: int = 200, **context: Any) -> HttpResponseBase:
        context = self.frame(form=form, waiting=waiting(study=None), days=invitations.DAYS, **context)
        return TemplateResponse(self.request, "accounts/invite.html", context, status=status)


class TakeBack(ResearcherView):
    """Revoke an unused link."""

    def post(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise PermissionDenied
        removed, _rows = Invitation.objects.filter(pk=pk, used_at__isnull=True).delete()
        if removed:
            record_of_platform(action="invitation taken back", user=request.user)
            messages.success(request, _("The link no longer works."))
        return redirect("invite")

    def get(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        return redirect("invite")


@method_decorator(never_cache, name="dispatch")
class InviteSomebodyToStudy(StudyView):
    """Create a link to a study for a person without an account (owners)."""

    changes_need = "owner"
    template_name = "accounts/invite_to_study.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.is_owner:
            raise Http404(_("There is no such page."))
        return self._page(InviteToStudy(mail_is_set_up=settings.MAIL_IS_SET_UP))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = InviteToStudy(request.POST, mail_is_set_up=settings.MAIL_IS_SET_UP)
        if not form.is_valid():
            return self._page(form, status=422)
        email = form.cleaned_data["email"]
        path = invitations.invite(
            by=request.user, role=roles.GUEST, email=email, study=self.study, study_role=form.cleaned_data["role"]
        )
        address = request.build_absolute_uri(path)
        return self._page(
            InviteToStudy(mail_is_set_up=settings.MAIL_IS_SET_UP), address=address, sent=sent(request, address, email)
        )

    def _page(self, form: Invite, *, status: int = 200, **context: Any) -> HttpResponseBase:
        return self.page(form=form, days=invitations.DAYS, extra="people", status=status, **context)


def waiting(*, study: Any) -> Any:
    """Return the invitations that are unused and still valid."""
    out = Invitation.objects.filter(used_at__isnull=True, expires_at__gt=timezone.now(), is_first=False)
    return out.filter(study=study) if study else out.select_related("study")


def sent(request: HttpRequest, address: str, email: str) -> str:
    """Send the link if mail is configured; return the address, or an empty text. Failures are shown, not raised."""
    if not email or not settings.MAIL_IS_SET_UP:
        return ""
    inviter = researcher_of(request)
    by = inviter.get_full_name() or inviter.get_username()
    text = render_to_string("accounts/invitation_mail.txt", {"address": address, "by": by, "days": invitations.DAYS})
    try:
        send_mail(_("Your account on Lectern"), text, None, [email])
    except OSError:
        logger.warning("An invitation could not be sent", exc_info=True)
        messages.error(request, _("The e-mail could not be sent. Pass the link on yourself."))
        return ""
    return email
