"""What participants' pages of a study share: its language, its words, and what the scripts of the first pages need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase

from experiments.languages import language_of_texts
from experiments.models import Study
from experiments.rules.wording import in_sections, of_browser
from experiments.study.personal_links import SIGNATURE
from experiments.study.server_words import in_words_of
from participants.models import Session
from participants.session.recruitment import parameter_names

StudyPage = Callable[[HttpRequest, Study], HttpResponseBase]


def in_language_of_study(page: StudyPage) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """Find the study of the address and render the page in its language."""
    return _in_language(page, str)


def in_language_of_texts(page: StudyPage) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """The same for pages of reviewers of the study: English if the platform has the study's language only for
    participants.
    """
    return _in_language(page, language_of_texts)


def _in_language(page: StudyPage, wanted: Callable[[str], str]) -> Callable[[HttpRequest, str], HttpResponseBase]:
    def view(request: HttpRequest, slug: str) -> HttpResponseBase:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise Http404
        with in_words_of(study, wanted(study.language)):
            return page(request, study)

    view.__name__, view.__doc__ = page.__name__, page.__doc__
    return view


def landing_config(study: Study, here: Session | None, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the script of the pages before the start needs; `here` is the session of the browser's cookie."""
    return {
        "slug": study.slug,
        "api": f"/api/studies/{study.slug}/",
        "language": study.participants_language,
        **wording_of(study),
        "requirements": facts["requirements"],
        "consent_version": facts["consent"]["version"],
        "has_session": here is not None,
        "session": here.participant.pseudonym if here else "",
        "supervised": facts["supervised"],
        "recruitment_parameters": [*parameter_names(study), SIGNATURE],
    }


def wording_of(study: Study) -> dict[str, Any]:
    """Return what the page's script needs to say what the study says, nothing where it says nothing of its own."""
    return {"wording": texts} if (texts := in_sections(of_browser(study.wording))) else {}
