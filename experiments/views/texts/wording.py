"""Page for a study's own wording of interface texts: one field per text, or a whole language file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.formats.faults import Fault
from experiments.languages import name_of
from experiments.procedure.mentions import lacking_texts
from experiments.rules.interface_texts import FORMS, is_from_right, participants_texts
from experiments.rules.wording import (
    DIRECTION,
    LANGUAGE,
    MOST_BYTES,
    MOST_LETTERS,
    without_originals,
)
from experiments.study.lifecycle import FrozenStudy
from experiments.study.wording import WordingFaults, language_file, language_file_of, save_wording
from experiments.uploads.reading import read_uploaded_list
from experiments.views.page import StudyView, attachment
from experiments.views.texts.pages import text_tabs

SECTIONS = {
    "pages": gettext_lazy("Pages, buttons and messages"),
    "start": gettext_lazy("Start page"),
    "consent": gettext_lazy("Consent"),
    "ending": gettext_lazy("Return links, and sessions that end early"),
    "withdrawal": gettext_lazy("Withdrawal"),
    "closed": gettext_lazy("When nobody can start"),
    "refusals": gettext_lazy("Refusals of the server"),
    "sounds": gettext_lazy("Sounds with a text"),
    "attempts": gettext_lazy("Questions asked again"),
    "supervision": gettext_lazy("Sessions in the laboratory"),
    "media": gettext_lazy("While pictures and sounds load"),
    "ratings": gettext_lazy("Ratings"),
    "known-languages": gettext_lazy("Question about languages"),
    "questions": gettext_lazy("Questions"),
    "scales": gettext_lazy("Questions with scales"),
    "comparison": gettext_lazy("Comparison"),
    "maze": gettext_lazy("Maze task"),
    "mouse-contingent-reading": gettext_lazy("Mouse-contingent reading"),
    "rating": gettext_lazy("Texts side by side"),
    "self-paced-reading": gettext_lazy("Self-paced reading"),
    "sentence-recall": gettext_lazy("Sentence recall"),
    "sound-check": gettext_lazy("Sound check"),
    "timed-choice": gettext_lazy("Timed choice"),
    "typed-production": gettext_lazy("Typed production"),
}
# Originals longer than this get a field of several lines.
_ONE_LINE = 50


@dataclass(frozen=True)
class TextField:
    """A text of the interface with what the study says instead."""

    place: str
    original: str
    said: str
    form: str
    fault: str

    @property
    def name(self) -> str:
        """The key in a form that an address within the page can have."""
        return self.place.replace(".", "-")

    @property
    def is_long(self) -> bool:
        return max(len(self.original), len(self.said)) > _ONE_LINE


@dataclass(frozen=True)
class Section:
    """The texts of one part of the interface."""

    name: str
    label: str
    fields: Sequence[TextField]


class Wording(StudyView):
    """Every text of the study's language beside a field, and the way in for a language file."""

    step = "texts"
    template_name = "studies/texts/wording.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.show(self.study.wording)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        said = self._said(request)
        try:
            study = save_wording(self.study, said, request.user)
        except WordingFaults as found:
            return self.show(said, found.faults, status=422)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect("study:wording", self.study.slug)
        n = _own_texts(study.wording)
        sentence = ngettext("Saved: %(n)d text of the study’s own.", "Saved: %(n)d texts of the study’s own.", n)
        messages.success(request, sentence % {"n": n})
        return redirect("study:wording", self.study.slug)

    def _said(self, request: HttpRequest) -> dict[str, str]:
        """Return what the fields say; with nothing in all of them the declared language goes, too."""
        places = [field.place for section in self._sections(self.study.wording, ()) for field in section.fields]
        lines = {place: _in_one_line(request.POST.get(place, "")) for place in places}
        said = {place: line for place, line in lines.items() if line}
        if not said:
            return {}
        declared = {key: self.study.wording[key] for key in (LANGUAGE, DIRECTION) if key in self.study.wording}
        if self.study.participants_language.partition("-")[0] == self.study.language:
            said = without_originals(said, self.study.language)
        return {**declared, **said}

    def show(
        self, said: Mapping[str, str], faults: Sequence[Fault] = (), *, of_file: str = "", status: int = 200
    ) -> HttpResponseBase:
        """Return the page with these texts; faults stand beside their fields, or above all where they are of a file."""
        stored = self.study.wording
        is_whole = self.study.participants_language.partition("-")[0] != self.study.language
        return self.page(
            sections=self._sections(said, () if of_file else faults),
            tabs=text_tabs(self.study, "", {each.kind: each for each in lacking_texts(self.study)}),
            faults=[(fault, "" if of_file else _anchor(fault)) for fault in faults],
            of_file=of_file,
            own=_own_texts(stored),
            is_whole=is_whole,
            language=name_of(self.study.language),
            own_language=self.study.participants_language,
            original_direction="rtl" if is_from_right(self.study.language) else "ltr",
            can_change=self.can_edit and not self.study.is_frozen,
            most=MOST_LETTERS,
            status=status,
        )

    def _sections(self, said: Mapping[str, str], faults: Sequence[Fault]) -> list[Section]:
        told: dict[str, str] = {}
        for fault in faults:
            told[fault.setting] = f"{told.get(fault.setting, '')} {fault.message} {fault.suggestion}".strip()
        by_section: dict[str, list[TextField]] = {}
        for key, forms in participants_texts(self.study.language).items():
            fields = by_section.setdefault(key.partition(".")[0], [])
            for form in _forms(key, forms, said):
                place = f"{key}.{form}" if form else key
                original = forms.get(form) or forms.get("other") or forms.get("", "")
                fields.append(TextField(place, original, said.get(place, ""), form, told.get(place, "")))
        return [Section(name, str(SECTIONS.get(name, name)), fields) for name, fields in by_section.items()]


def _in_one_line(text: str) -> str:
    """Return a text with a space in place of every line break and the spaces around it."""
    return " ".join(line.strip(" \t\r") for line in text.split("\n")).strip(" \t")


class Upload(Wording):
    """Takes a language file: its texts become those of the study, in the language that it declares."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:wording", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        file = request.FILES.get("file")
        if file is None:
            return self._refused("", [Fault(message=_("No file was chosen."))])
        wording, faults = read_uploaded_list(
            "experiments.rules.wording.files:read_language_file", file.read(MOST_BYTES + 1), self.study.language
        )
        if faults:
            return self._refused(file.name or "", faults)
        try:
            study = save_wording(self.study, wording, request.user)
        except WordingFaults as found:
            return self._refused(file.name or "", found.faults)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect("study:wording", self.study.slug)
        n = _own_texts(study.wording)
        sentence = ngettext(
            "The file was uploaded: %(n)d text differs from the platform’s text.",
            "The file was uploaded: %(n)d texts differ from the platform’s texts.",
            n,
        )
        messages.success(request, sentence % {"n": n})
        return redirect("study:wording", self.study.slug)

    def _refused(self, name: str, faults: Sequence[Fault]) -> HttpResponseBase:
        return self.show(self.study.wording, faults, of_file=name or _("the file"), status=422)


class Remove(StudyView):
    """Brings all texts of the language back, after asking."""

    step = "texts"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        n = _own_texts(self.study.wording)
        return self.page(
            heading=_("Remove all texts of the study’s own?"),
            sentences=[_("Participants then read all standard texts of the study’s language.")],
            losses=[ngettext("%(n)d text of the study’s own", "%(n)d texts of the study’s own", n) % {"n": n}],
            button=_("Remove all texts of the study’s own"),
            is_destructive=True,
            cancel_url="../",
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        self.attempt(save_wording, {}, request.user, done=_("The texts were removed."))
        return redirect("study:wording", self.study.slug)


class LanguageFile(StudyView):
    """A language file to begin with: the English one, or what participants of the study read now."""

    def get(self, request: HttpRequest, which: str) -> HttpResponseBase:
        if which == "template":
            name, texts = "en.json", language_file("en")
        elif which == "texts":
            name, texts = f"{self.study.participants_language}.json", language_file_of(self.study)
        else:
            raise Http404(_("There is no such language file."))
        return attachment(json.dumps(texts, ensure_ascii=False, indent=2) + "\n", name, "application/json")


def _anchor(fault: Fault) -> str:
    is_text = fault.setting and fault.setting not in (LANGUAGE, DIRECTION)
    return f"text-{fault.setting.replace('.', '-')}" if is_text else ""


def _own_texts(wording: Mapping[str, str]) -> int:
    return sum(key not in (LANGUAGE, DIRECTION) for key in wording)


def _forms(key: str, forms: Mapping[str, str], said: Mapping[str, str]) -> list[str]:
    """Return the forms of a text that have a field: those of the language, or those that the study says instead."""
    own = [form for form in FORMS if f"{key}.{form}" in said]
    if not own:
        return list(forms) if key not in said else [""]
    return [form for form in FORMS if form in forms or form in own]
