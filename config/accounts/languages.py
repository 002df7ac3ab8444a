"""Language of researchers' pages: the user's choice, otherwise the browser's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in
from django.db.models import Model
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language, gettext_lazy
from django.views.decorators.http import require_http_methods

from config.accounts.models import Preference

Handler = Callable[[HttpRequest], HttpResponse]
OWN_APPS = ("analysis", "experiments", "participants", "accounts")
# What the admin shows; not asked of the admin, which finds its pages later than names are needed.
RECORDS = (
    "experiments.Study", "experiments.AuditEntry", "participants.Participant", "participants.Session",
    "participants.Trial", "participants.Response", "analysis.AnalysisRun",
)  # fmt: skip


class ChosenLanguageMiddleware:
    """Apply the language that a user chose earlier, on any computer, from login on."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        tag = getattr(request, "language_of_person", "")
        if tag:
            remember(response, tag)
        return response


@receiver(user_logged_in)
def recall_language(request: HttpRequest | None, user: AbstractBaseUser, **_: Any) -> None:
    """Load the chosen language at login."""
    if request is not None:
        chosen = Preference.objects.filter(user_id=user.pk).values_list("language", flat=True).first()
        request.language_of_person = chosen or ""  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
def choose_language(request: HttpRequest) -> HttpResponse:
    """Ask for the language of the pages, or keep the one that was chosen: with the account, and in this browser."""
    then = request.POST.get("next", request.GET.get("next", ""))
    if not url_has_allowed_host_and_scheme(then, {request.get_host()}, require_https=request.is_secure()):
        then = "/admin/"
    tag = request.POST.get("language", "")
    if request.method == "GET" or tag not in dict(settings.LANGUAGES) or not check_for_language(tag):
        return render(request, "accounts/language.html", {"then": then, "languages": settings.LANGUAGES})
    if request.user.is_authenticated:
        Preference.objects.update_or_create(user_id=request.user.pk, defaults={"language": tag})
    response = HttpResponseRedirect(then)
    remember(response, tag)
    return response


def remember(response: HttpResponse, tag: str) -> None:
    """Store the language in a cookie."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        tag,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def own_models() -> Iterator[type[Model]]:
    """Return the models whose records are shown to people."""
    return (apps.get_model(label) for label in RECORDS)


def names_of(model: type[Model]) -> Iterator[Any]:
    """Return what a page calls the records of a model and their fields."""
    yield model._meta.verbose_name
    yield model._meta.verbose_name_plural
    yield from (field.verbose_name for field in model._meta.fields)


def name_records_in_languages() -> None:
    """Translate names of models and fields on pages; migrations keep the English ones."""
    for model in own_models():
        about: Any = model._meta
        about.verbose_name = gettext_lazy(str(about.verbose_name))
        about.verbose_name_plural = gettext_lazy(str(about.verbose_name_plural))
        for field in about.fields:
            field.verbose_name = gettext_lazy(str(field.verbose_name))
    for app in apps.get_app_configs():
        if app.label in OWN_APPS:
            app.verbose_name = gettext_lazy(str(app.verbose_name))
