"""Page of participants' texts: welcome, consent, instructions, debriefing, each with its versions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from experiments.models import Markup, Study, StudyText
from experiments.procedure.default_texts import default_required_boxes
from experiments.procedure.texts import PLACEHOLDERS, blocks, current_text, default_text, facts_of, filled
from experiments.study.lifecycle import FrozenStudy, save_text
from experiments.views.page import StudyView
from experiments.views.texts.forms import TextBody, lines_of, text_form


class Texts(StudyView):
    """One text: the form, how it reads, and its versions."""

    step = "texts"
    template_name = "studies/texts/page.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.kind = kwargs.pop("kind", StudyText.Kind.WELCOME.value)
        if self.kind not in StudyText.Kind.values:
            raise Http404(_("There is no such text."))
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        versions = self._versions()
        current = versions[0] if versions else None
        shown = self._asked_version(request, versions)
        if "default" in request.GET:
            boxes = default_required_boxes(self.study.language) if self.kind == StudyText.Kind.CONSENT else []
            initial = {
                "body": default_text(self.study, self.kind),
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
                "Somebody saved version %(version)s while you were writing. Your text below is not saved. Compare it "
                "with that version under Versions; saving now makes yours the newest."
            ) % {"version": newest}
            return self._page(form, versions, is_unsaved=True, conflict=conflict, status=409)
        try:
            text = save_text(
                self.study,
                self.kind,
                form.cleaned_data["body"],
                request.user,
                required_boxes=form.cleaned_data.get("required_boxes"),
                optional_boxes=form.cleaned_data.get("optional_boxes"),
                markup=form.cleaned_data["markup"],
            )
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect(self._url(self.kind))
        if versions and text.version == versions[0].version:
            messages.info(request, _("Nothing was changed, so there is no new version."))
        else:
            messages.success(request, _("Saved as version %(version)d.") % {"version": text.version})
        return redirect(self._url(self.kind))

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
            locked = _("The instructions are part of what is measured, so they are fixed since the study was opened.")
        for each in form.fields.values():
            each.disabled = bool(locked) or not self.can_edit
        markup = _value(form, "markup") or Markup.MARKDOWN.value
        newest = {text.kind: text.version for text in self._texts().exclude(body="").order_by("version")}
        return self.page(
            form=form,
            kind=self.kind,
            kind_label=StudyText.Kind(self.kind).label,
            kinds=[
                {
                    "kind": kind.value,
                    "label": kind.label,
                    "url": self._url(kind.value),
                    "version": newest.get(kind.value),
                }
                for kind in StudyText.Kind
            ],
            own_url=self._url(self.kind),
            pages=blocks(filled(_value(form, "body"), facts_of(self.study), markup), markup),
            markup=markup,
            placeholders=[
                {"name": name, "meaning": meaning, "value": facts_of(self.study)[name.strip("{}")]}
                for name, meaning in PLACEHOLDERS.items()
            ],
            boxes=[
                {"text": line, "required": name == "required_boxes"}
                for name in ("required_boxes", "optional_boxes")
                if name in form.fields
                for line in lines_of(_value(form, name))
            ],
            versions=versions,
            base_version=versions[0].version if versions else 0,
            shown_version=shown_version,
            is_unsaved=is_unsaved,
            conflict=conflict,
            locked=locked,
            follows=bool(versions) and versions[0].is_default and not self.study.is_frozen and not is_unsaved,
            has_default=True,
            status=status,
        )

    def _versions(self) -> list[StudyText]:
        newest = current_text(self.study, self.kind)
        return [
            newest if newest and text.pk == newest.pk else text
            for text in self._texts().filter(kind=self.kind).order_by("-version")
        ]

    def _texts(self) -> QuerySet[StudyText]:
        """Return the texts of the whole study, and of the instructions those of the task that is meant."""
        task = self.study.task
        return self.study.texts.filter(Q(part=None) | Q(part=task if task.pk else None))

    def _asked_version(self, request: HttpRequest, versions: list[StudyText]) -> StudyText | None:
        asked = request.GET.get("version")
        if asked is None:
            return None
        found = next((text for text in versions if str(text.version) == asked), None)
        if found is None:
            raise Http404(_("There is no such version of this text."))
        return found

    def _url(self, kind: str) -> str:
        return address_of(self.study, kind)


def address_of(study: Study, kind: str) -> str:
    """Return the address of the page of a kind of text: that of the welcome is the first of them."""
    if kind == StudyText.Kind.WELCOME:
        return reverse("study:texts", args=[study.slug])
    return reverse("study:text", args=[study.slug, kind])


def _value(form: TextBody, name: str) -> str:
    value = form[name].value()
    return value if isinstance(value, str) else ""
