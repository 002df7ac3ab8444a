"""What participants' pages of a study share: its language, its words, and what the scripts of the first pages need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.http import urlencode

from experiments.languages import PARAMETER, language_of_texts, own_name_of
from experiments.models import Study
from experiments.rules.wording import in_sections, of_browser
from experiments.study.personal_links import SIGNATURE
from experiments.study.server_words import in_words_of
from participants.authentication import session_of
from participants.models import Session
from participants.session.recruitment import parameter_names

# Whether the language of the session of the browser counts before that of the address, after it, or not at all.
FIRST, LAST, NEVER = "first", "last", "never"
StudyPage = Callable[[HttpRequest, Study], HttpResponseBase]


def in_language_of_study(page: StudyPage) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """Find the study of the address and render the page in its language.

    Of several languages in that which the address asks for, otherwise in that of the session of the browser, otherwise
    in the main one. The page gets the study as it is said in it.
    """
    return _in_language(page, str)


def in_language_of_session(page: StudyPage) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """The same for pages within a session, which stays in the language in which it began."""
    return _in_language(page, str, session=FIRST)


def in_asked_language(page: StudyPage) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """The same for previews, which a session of the browser does not concern."""
    return _in_language(page, str, session=NEVER)


def in_language_of_texts(page: StudyPage) -> Callable[[HttpRequest, str], HttpResponseBase]:
    """The same for pages of reviewers of the study: English if the platform has the study's language only for
    participants.
    """
    return _in_language(page, language_of_texts, session=NEVER)


def _in_language(
    page: StudyPage, wanted: Callable[[str], str], *, session: str = LAST
) -> Callable[[HttpRequest, str], HttpResponseBase]:
    def view(request: HttpRequest, slug: str) -> HttpResponseBase:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise Http404
        if study.languages:
            study = read_by(study, request, session=session)
        with in_words_of(study, wanted(study.language)):
            return page(request, study)

    view.__name__, view.__doc__ = page.__name__, page.__doc__
    return view


def read_by(study: Study, request: HttpRequest, *, session: str) -> Study:
    """Return the study as who asks reads it; `session`: when the language of a session counts beside the address."""
    asked, known = request.GET.get(PARAMETER, ""), None if session == NEVER else session_of(request, study.slug)
    own = known.study.language if known is not None else ""
    first, then = (own, asked) if session == FIRST else (asked, own)
    return study.said_in(first if first in study.all_languages else then)


def language_query(study: Study) -> str:
    """Return what an address needs to lead to a page in this language: `?lang=de`, nothing in studies in one."""
    return f"?{urlencode({PARAMETER: study.language})}" if study.languages else ""


def language_switch(study: Study, request: HttpRequest) -> list[dict[str, Any]]:
    """Return the languages to choose from, each with its own name and the address of this page in it; none for one."""
    if not study.languages:
        return []
    switch = []
    for tag in study.all_languages:
        given = request.GET.copy()
        given[PARAMETER] = tag
        said = study.said_in(tag) if tag in study.languages else study.said_in("")
        switch.append(
            {
                "tag": said.participants_language,
                "direction": said.participants_direction,
                "name": own_name_of(said.participants_language),
                "url": f"?{given.urlencode()}",
                "is_current": tag == study.language,
            }
        )
    return switch


def landing_config(study: Study, here: Session | None, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the script of the pages before the start needs; `here` is the session of the browser's cookie."""
    return {
        "slug": study.slug,
        "api": f"/api/studies/{study.slug}/",
        "language": study.participants_language,
        **wording_of(study),
        "language_query": language_query(study),
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
