"""Pages for a study in several languages: which it has, what lacks in each, and its texts to translate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from experiments.formats.faults import Fault
from experiments.languages import language_choices, name_of
from experiments.models import Study
from experiments.procedure.mentions import lacking_texts
from experiments.rules.own_texts import OF_STUDY, OwnText, own_texts
from experiments.study.lifecycle import FrozenStudy
from experiments.study.opening.languages import untranslated
from experiments.study.wording import WordingFaults, save_languages, save_translations
from experiments.views.page import StudyView
from experiments.views.texts.pages import language_tabs, text_tabs

# Texts longer than this, and those of several lines, get a field of several lines.
_ONE_LINE = 60


@dataclass(frozen=True)
class TranslatedField:
    """A text of the study with what is said instead in another language."""

    own: OwnText
    said: str
    number: int
    is_fixed: bool

    @property
    def is_long(self) -> bool:
        return "\n" in self.own.text or max(len(self.own.text), len(self.said)) > _ONE_LINE


@dataclass(frozen=True)
class Section:
    """The texts of one part of the study."""

    label: str
    fields: Sequence[TranslatedField]

    @property
    def number_lacking(self) -> int:
        return sum(not field.said for field in self.fields)


class Languages(StudyView):
    """The languages of a study, with what lacks in each; adds and removes them."""

    step = "texts"
    template_name = "studies/texts/all_languages.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page()

    def post(self, request: HttpRequest) -> HttpResponseBase:
        tag, removed = request.POST.get("add", ""), request.POST.get("remove", "")
        if removed in self.study.languages and "confirmed" not in request.POST:
            return self._ask(removed)
        kept = [each for each in self.study.languages if each != removed]
        try:
            save_languages(self.study, [*kept, tag] if tag else kept, request.user)
        except WordingFaults as found:
            return self._page(found.faults, status=422)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect("study:languages", self.study.slug)
        if tag:
            said = _("%(language)s was added. Participants get the standard texts in it; translate your own below.")
            messages.success(request, said % {"language": name_of(tag)})
            return redirect("study:translations", self.study.slug, tag)
        messages.success(request, _("%(language)s was removed.") % {"language": name_of(removed)})
        return redirect("study:languages", self.study.slug)

    def _ask(self, tag: str) -> HttpResponseBase:
        n, texts = len(self.study.translations.get(tag, {})), self.study.texts.filter(language=tag).count()
        losses = [
            ngettext("%(n)d translated text", "%(n)d translated texts", n) % {"n": n},
            ngettext("%(n)d version of a text in this language", "%(n)d versions of texts in this language", texts)
            % {"n": texts},
        ]
        return self.page(template_name="studies/texts/remove_language.html", tag=tag, name=name_of(tag), losses=losses)

    def _page(self, faults: Sequence[Fault] = (), *, status: int = 200) -> HttpResponseBase:
        taken = self.study.all_languages
        number = len(own_texts(self.study))
        return self.page(
            rows=[
                {
                    "tag": tag,
                    "name": name_of(tag),
                    "number": number,
                    "translated": number - len(untranslated(self.study, tag)),
                    "lacking": len(untranslated(self.study, tag)),
                    "texts": language_tabs(self.study.said_in(tag), "consent"),
                }
                for tag in self.study.languages
            ],
            main=name_of(self.study.participants_language),
            choices=[(tag, label) for tag, label in language_choices() if tag not in taken],
            tabs=text_tabs(self.study, "", {each.kind: each for each in lacking_texts(self.study)}),
            faults=faults,
            can_change=self.can_edit and not self.study.is_frozen,
            status=status,
        )


class Translations(StudyView):
    """Every text of the study's own beside a field for what it says in one of its further languages."""

    step = "texts"
    template_name = "studies/texts/translations.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.tag = kwargs.pop("tag")
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(self._translations())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        self._translations()
        keys = [one.key for one in own_texts(self.study)]
        said = {key: request.POST[key].replace("\r\n", "\n") for key in keys if key in request.POST}
        try:
            study = save_translations(self.study, self.tag, said, request.user)
        except WordingFaults as found:
            return self._page(said, found.faults, status=422)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect("study:translations", self.study.slug, self.tag)
        lacking = len(untranslated(study, self.tag))
        if lacking:
            sentence = ngettext(
                "Saved. %(n)d text is not translated yet.", "Saved. %(n)d texts are not translated yet.", lacking
            )
            messages.success(request, sentence % {"n": lacking})
        else:
            messages.success(request, _("Saved. Everything is translated."))
        return redirect("study:translations", self.study.slug, self.tag)

    def _translations(self) -> Mapping[str, str]:
        """Return what the study says in this language. Raises Http404 where it does not have it."""
        if self.tag not in self.study.languages:
            raise Http404(_("The study does not have this language."))
        said: Mapping[str, str] = self.study.translations.get(self.tag, {})
        return said

    def _page(self, said: Mapping[str, str], faults: Sequence[Fault] = (), *, status: int = 200) -> HttpResponseBase:
        read = self.study.said_in(self.tag)
        return self.page(
            tag=self.tag,
            name=name_of(self.tag),
            read=read,
            main=name_of(self.study.language),
            sections=_sections(self.study, said),
            texts=text_tabs(read, "", {}),
            tabs=text_tabs(self.study, "", {each.kind: each for each in lacking_texts(self.study)}),
            faults=faults,
            can_change=self.can_edit,
            status=status,
        )


def _sections(study: Study, said: Mapping[str, str]) -> list[Section]:
    labels = {part.name: part.shown_name for part in study.ordered_parts}
    sections: dict[str, list[TranslatedField]] = {}
    for number, one in enumerate(own_texts(study)):
        is_fixed = study.is_frozen and one.key not in OF_STUDY
        sections.setdefault(one.part, []).append(TranslatedField(one, said.get(one.key, ""), number, is_fixed))
    return [Section(labels.get(part) or _("The whole study"), fields) for part, fields in sections.items()]
