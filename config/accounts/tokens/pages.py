"""Pages of personal tokens: make and revoke one's own; administrators see that others exist."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from config.accounts.models import PersonalToken
from config.accounts.tokens.forms import NewToken
from config.accounts.tokens.made import MOST, TooMany, make_token, revoke_token
from experiments.views.page import ResearcherView


def shown(tokens: QuerySet[PersonalToken]) -> QuerySet[PersonalToken]:
    """Return tokens as the pages list them: with their studies, those that are valid first."""
    return tokens.select_related("user").prefetch_related("studies").order_by("revoked_at", "-expires_at", "-pk")


class Tokens(ResearcherView):
    """The tokens of the person who is logged in."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        tokens = shown(PersonalToken.objects.filter(user=request.user.pk))[:200]
        context = self.frame(tokens=tokens, now=timezone.now(), of_everybody=False)
        return TemplateResponse(request, "accounts/tokens/tokens.html", context)


class TokensOfEverybody(ResearcherView):
    """The tokens of all people, for administrators; the tokens themselves are not stored."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise PermissionDenied(_("Only administrators see the tokens of everybody."))
        tokens = shown(PersonalToken.objects.all())[:1000]
        context = self.frame(tokens=tokens, now=timezone.now(), of_everybody=True)
        return TemplateResponse(request, "accounts/tokens/tokens.html", context)


@method_decorator(never_cache, name="dispatch")
class MakeToken(ResearcherView):
    """Asks what a token is for, makes it and shows it once. People confirm who they are first."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not admin.site.has_permission(request):
            return super().dispatch(request, *args, **kwargs)
        confirmed: HttpResponseBase = reauthentication_required(super().dispatch)(request, *args, **kwargs)
        return confirmed

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(NewToken(user=request.user))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = NewToken(request.POST, user=request.user)
        if not form.is_valid():
            return self._page(form, status=422)
        given = form.cleaned_data
        try:
            made, token = make_token(
                request.user,
                name=given["name"],
                scopes=given["scopes"],
                expires_at=form.expires_at,
                studies=list(given["studies"]) or None,
            )
        except TooMany:
            message = ngettext(
                "You have %(n)d valid token, which is the most. Revoke one first.",
                "You have %(n)d valid tokens, which is the most. Revoke one first.",
                MOST,
            )
            form.add_error(None, message % {"n": MOST})
            return self._page(form, status=422)
        context = self.frame(made=made, token=token)
        return TemplateResponse(request, "accounts/tokens/made.html", context)

    def _page(self, form: NewToken, *, status: int = 200) -> HttpResponseBase:
        return TemplateResponse(self.request, "accounts/tokens/new.html", self.frame(form=form), status=status)


class RevokeToken(ResearcherView):
    """Asks, then revokes a token: one's own, or as an administrator anybody's."""

    def get(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        token = self._token(request, pk)
        context = self.frame(revoked=token, is_own=token.user_id == request.user.pk)
        return TemplateResponse(request, "accounts/tokens/revoke.html", context)

    def post(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        token = self._token(request, pk)
        if revoke_token(token, by=request.user):
            messages.success(
                request, _("“%(name)s” was revoked. Programs that use it are refused.") % {"name": token.name}
            )
        return redirect("tokens" if token.user_id == request.user.pk else "tokens_of_everybody")

    def _token(self, request: HttpRequest, pk: int) -> PersonalToken:
        every = PersonalToken.objects.select_related("user")
        return get_object_or_404(every if request.user.is_superuser else every.filter(user=request.user.pk), pk=pk)
