"""Page of participants' texts: welcome, consent, instructions, debriefing, each with its versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.languages import name_of
from experiments.models import Markup, Study, StudyText
from experiments.procedure.default_texts import default_required_boxes
from experiments.procedure.durations import told_minutes
from experiments.procedure.mentions import Lacking, known_keys, lacking_texts
from experiments.procedure.texts import PLACEHOLDERS, blocks, current_text, default_text, facts_of, filled
from experiments.study.lifecycle import (
    FrozenStudy,
    LifecycleRefusal,
    confirm_text,
    insert_sentences,
    mark_looked_at,
    save_text,
)
from experiments.study.opening.texts import gone_faults
from experiments.study.steps import key_of_text
from experiments.views.addresses import safe_path
from experiments.views.page import StudyView
from experiments.views.texts.forms import TextBody, lines_of, text_form

# The parameter of an address that says of which language of the study its texts are.
LANGUAGE_PARAMETER = "language"
HEADINGS = {
    StudyText.Kind.WELCOME: gettext_lazy("The text of the landing page does not mention:"),
    StudyText.Kind.CONSENT: gettext_lazy("The consent does not mention:"),
    StudyText.Kind.DEBRIEFING: gettext_lazy("The debriefing does not mention:"),
}


class Texts(StudyView):
    """One text: the form, how it reads, and its versions."""

    step = "texts"
    template_name = "studies/texts/page.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.kind = kwargs.pop("kind", StudyText.Kind.WELCOME.value)
        if self.kind not in StudyText.Kind.values:
            raise Http404(_("There is no text with this key."))
        return super().dispatch(request, *args, **kwargs)

    @property
    def shown_standard(self) -> str:
        return key_of_text(self.kind, self.study)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if self.kind != StudyText.Kind.INSTRUCTIONS and self.study.chosen_task:
            # Texts of the whole study have one address, that without a task.
            return redirect(f"{address_of(self.study.seen_through(''), self.kind)}{_query(request)}")
        versions = self._versions()
        current = versions[0] if versions else None
        shown = self._asked_version(request, versions)
        if "default" in request.GET:
            boxes = default_required_boxes(self.said.language) if self.kind == StudyText.Kind.CONSENT else []
            initial = {
                "body": default_text(self.said, self.kind),
                "markup": Markup.MARKDOWN.value,
                "required_boxes": "\n".join(boxes),
            }
            return self._page(text_form(self.kind)(initial=initial), versions, is_unsaved=True)
        source = shown or current
        initial = {
            "body": source.body if source else "",
            "markup": source.markup if source else Markup.MARKDOWN.value,
            "required_boxes": "\n".join(source.required_boxes) if source else "",
            "optional_boxes": "\n".join(source.optional_boxes) if source else "",
        }
        is_old = shown is not None and shown != current
        return self._page(
            text_form(self.kind)(initial=initial), versions, shown_version=shown if is_old else None, is_unsaved=is_old
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if request.POST.get("action") in ("insert", "confirm"):
            return self._review(request, request.POST["action"])
        versions = self._versions()
        current = {"markup": versions[0].markup if versions else Markup.MARKDOWN.value}
        form = text_form(self.kind)({**current, **request.POST.dict()})
        if not form.is_valid():
            return self._page(form, versions, is_unsaved=True, status=422)
        if request.POST.get("action") == "preview":
            return self._page(form, versions, is_unsaved=True)
        newest = str(versions[0].version) if versions else "0"
        if request.POST.get("base_version", newest) != newest:
            conflict = _(
                "Somebody saved version %(version)s while you were writing. Your text below is not saved. "
                "Compare it with that version under Versions. If you save now, your text becomes the newest "
                "version."
            ) % {"version": newest}
            return self._page(form, versions, is_unsaved=True, conflict=conflict, status=409)
        try:
            text = save_text(
                self.said,
                self.kind,
                form.cleaned_data["body"],
                request.user,
                required_boxes=form.cleaned_data.get("required_boxes"),
                optional_boxes=form.cleaned_data.get("optional_boxes"),
                markup=form.cleaned_data["markup"],
                mentions=self._mentions(request, versions),
            )
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect(self._url(self.kind))
        self._looked_at()
        if versions and text.version == versions[0].version:
            messages.info(request, _("Nothing was changed, so there is no new version."))
        else:
            messages.success(request, _("Saved as version %(version)d.") % {"version": text.version})
        return redirect(self._url(self.kind))

    def _review(self, request: HttpRequest, action: str) -> HttpResponseBase:
        """Insert what an edited text lacks, or keep that it is right as it is; back to the page that asked."""
        try:
            if action == "insert":
                text = insert_sentences(self.said, self.kind, request.user)
                messages.success(
                    request,
                    _("The sentence was inserted and saved as version %(version)d. Read the text once more.")
                    % {"version": text.version},
                )
            else:
                confirm_text(self.said, self.kind, request.user)
                messages.success(request, _("You confirmed that the text is right as it is."))
            self._looked_at()
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
        return redirect(safe_path(request.POST.get("next", "")) or self._url(self.kind))

    def _mentions(self, request: HttpRequest, versions: list[StudyText]) -> list[str] | None:
        """Return the keys of what the text that is saved mentions.

        That is what was shown with the form: of a standard text all that the study declared then. A tick says that it
        mentions the rest by now, too.
        """
        if self.kind == StudyText.Kind.INSTRUCTIONS or "mentions" not in request.POST:
            return None
        now = known_keys(self.said, self.kind)
        known = {*now, *(key for version in versions for key in version.mentions)}
        shown = [key for key in request.POST["mentions"].split() if key in known]
        return list(dict.fromkeys([*shown, *now])) if "mentions_all" in request.POST else shown

    def _page(
        self,
        form: TextBody,
        versions: list[StudyText],
        *,
        shown_version: StudyText | None = None,
        is_unsaved: bool = False,
        conflict: str = "",
        status: int = 200,
    ) -> HttpResponseBase:
        locked = ""
        if self.study.is_frozen and self.kind == StudyText.Kind.INSTRUCTIONS:
            locked = _(
                "The instructions are part of the measurement, so they are locked since the study was "
                "opened. Duplicate it to make changes."
            )
        for each in form.fields.values():
            each.disabled = bool(locked) or not self.can_edit
        markup = _value(form, "markup") or Markup.MARKDOWN.value
        lacking = {each.kind: each for each in lacking_texts(self.said)}
        facts = facts_of(self.said, told_minutes(self.study))
        own = lacking.get(self.kind)
        return self.page(
            form=form,
            kind=self.kind,
            kind_label=StudyText.Kind(self.kind).label,
            tabs=text_tabs(self.said, self.kind, lacking),
            own_url=self._url(self.kind),
            pages=blocks(filled(_value(form, "body"), facts, markup), markup),
            markup=markup,
            placeholders=[
                {"name": name, "meaning": meaning, "value": facts[name.strip("{}")]}
                for name, meaning in PLACEHOLDERS.items()
            ],
            boxes=[
                {"text": line, "required": name == "required_boxes"}
                for name in ("required_boxes", "optional_boxes")
                if name in form.fields
                for line in lines_of(_value(form, name))
            ],
            versions=[version for version in versions if not version._state.adding],
            languages=language_tabs(self.said, self.kind),
            said=self.said,
            base_version=versions[0].version if versions else 0,
            shown_version=shown_version,
            is_unsaved=is_unsaved,
            conflict=conflict,
            locked=locked,
            follows=bool(versions) and versions[0].is_default and not self.study.is_frozen and not is_unsaved,
            has_default=True,
            lacking=lacking_notes([own] if own and not is_unsaved else []),
            mentions=" ".join(self._shown_mentions(form, shown_version or (versions[0] if versions else None))),
            asks_for_mentions=own is not None and self.can_edit,
            mentions_all="mentions_all" in self.request.POST,
            status=status,
        )

    def _shown_mentions(self, form: TextBody, source: StudyText | None) -> list[str]:
        """Return the keys of what the text in the form mentions, which come back when it is saved."""
        if "mentions" in self.request.POST:
            return self.request.POST["mentions"].split()
        is_standard = source is None or source.is_default or "default" in self.request.GET
        return known_keys(self.said, self.kind) if is_standard else list(source.mentions) if source else []

    def _versions(self) -> list[StudyText]:
        newest = current_text(self.said, self.kind)
        if newest and newest._state.adding:
            return [newest]
        return [
            newest if newest and text.pk == newest.pk else text
            for text in self._texts().filter(kind=self.kind).order_by("-version")
        ]

    def _texts(self) -> QuerySet[StudyText]:
        """Return the texts of the whole study, and of the instructions those of the task that is meant."""
        task = self.study.task
        return self.study.texts.filter(language=self.said.read_in).filter(
            Q(part=None) | Q(part=task if task.pk else None)
        )

    def _asked_version(self, request: HttpRequest, versions: list[StudyText]) -> StudyText | None:
        asked = request.GET.get("version")
        if asked is None:
            return None
        found = next((text for text in versions if str(text.version) == asked), None)
        if found is None:
            raise Http404(_("There is no such version of this text."))
        return found

    def _url(self, kind: str) -> str:
        return address_of(self.said, kind)

    @property
    def said(self) -> Study:
        """The study in the language whose texts the page is about."""
        return self.study.said_in(self.request.GET.get(LANGUAGE_PARAMETER, ""))

    def _looked_at(self) -> None:
        # What a study begins with is what its main language says; others are held against that.
        if not self.said.read_in:
            mark_looked_at(self.study, self.shown_standard, self.request.user)


def text_tabs(study: Study, chosen: str, lacking: Mapping[str, Lacking]) -> list[dict[str, Any]]:
    """Return the tabs of a study's texts: each once, instructions once for each task, with the state of each."""
    tabs = []
    whole = study.seen_through("")
    several = whole.has_several_tasks
    for kind in StudyText.Kind:
        of_task = kind == StudyText.Kind.INSTRUCTIONS
        for task in whole.tasks if of_task and several else [None]:
            seen = whole.seen_through(task.name) if task else whole
            text = current_of(seen, kind.value)
            tabs.append(
                {
                    "label": f"{kind.label}: {task.shown_name}" if task else kind.label,
                    "url": address_of(seen, kind.value),
                    "is_current": kind == chosen and (task is None or task.name == study.task.name),
                    "version": (text.version or 1) if text and (text.body.strip() or text.is_default) else None,
                    "is_standard": bool(text and text.is_default and not study.is_frozen),
                    "number_lacking": len(lacking[kind].sentences) + len(lacking[kind].gone) if kind in lacking else 0,
                }
            )
    return tabs


def current_of(study: Study, kind: str) -> StudyText | None:
    """Return the newest version of a text as it is stored, without composing a standard text.

    Of a further language with none stored it is the standard text that it has until then.
    """
    texts = study.texts.filter(kind=kind, language=study.read_in)
    if kind == StudyText.Kind.INSTRUCTIONS:
        texts = texts.filter(part=study.task if study.task.pk else None)
    text = texts.order_by("-version").first()
    if text is None and study.read_in and not study.is_frozen:
        return StudyText(study=study, kind=kind, language=study.read_in, version=0, is_default=True)
    return text


def language_tabs(study: Study, kind: str) -> list[dict[str, Any]]:
    """Return the languages of a study with the address of a text in each; none where there is one alone."""
    if not study.languages:
        return []
    read = [study.said_in(""), *(study.said_in(tag) for tag in study.languages)]
    return [
        {"name": name_of(said.language), "url": address_of(said, kind), "is_current": said.read_in == study.read_in}
        for said in read
    ]


def lacking_notes(lacking: Sequence[Lacking]) -> list[dict[str, Any]]:
    """Return what pages say of edited texts that lack something: the sentences, and the address that changes them."""
    return [
        {
            "heading": HEADINGS[StudyText.Kind(each.kind)] if each.sentences else "",
            "sentences": each.sentences,
            "gone": [fault.message for fault in gone_faults(each)],
            "number": len(each.sentences),
            "url": address_of(each.text.study.said_in(each.text.language), each.kind),
        }
        for each in lacking
    ]


def address_of(study: Study, kind: str) -> str:
    """Return the address of the page of a kind of text: that of the welcome is the first of them."""
    query = f"?{urlencode({LANGUAGE_PARAMETER: study.read_in})}" if study.read_in else ""
    if kind == StudyText.Kind.WELCOME:
        return reverse("study:texts", args=[study.slug]) + query
    return reverse("study:text", args=[study.slug, kind]) + query


def _query(request: HttpRequest) -> str:
    query = request.META.get("QUERY_STRING", "")
    return f"?{query}" if query else ""


def _value(form: TextBody, name: str) -> str:
    value = form[name].value()
    return value if isinstance(value, str) else ""
