"""Page with all texts of participants one below the other, to read them once and say that they are fine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from experiments.models import Study, StudyText
from experiments.procedure.durations import told_minutes
from experiments.procedure.mentions import lacking_texts
from experiments.procedure.texts import blocks, current_text, facts_of, filled
from experiments.study.lifecycle import NEEDED_TO_OPEN, save_details
from experiments.study.steps import key_of_text
from experiments.views.forms import FormOfStudy, StudyFacts
from experiments.views.page import StudyView
from experiments.views.texts.pages import address_of, text_tabs


class NeededFacts(FormOfStudy):
    """What participants' texts name and a study cannot open without."""

    class Meta:
        model = Study
        fields = NEEDED_TO_OPEN
        labels = StudyFacts.Meta.labels
        widgets = StudyFacts.Meta.widgets

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in NEEDED_TO_OPEN:
            self.fields[name].required = True


@dataclass(frozen=True)
class ReadText:
    """A text as participants read it. `key` is that under which somebody says that it is fine; empty if they did."""

    label: str
    url: str
    pages: list[Any]
    boxes: list[Any]
    key: str


class ReadTexts(StudyView):
    """All texts as participants read them, with what is missing in them."""

    step = "texts"
    template_name = "studies/texts/read.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(NeededFacts(instance=self.study))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = NeededFacts(request.POST, instance=Study.objects.get(pk=self.study.pk))
        if not form.is_valid():
            return self._page(form, status=422)
        save_details(self.study, form.cleaned_data, request.user)
        messages.success(request, _("The settings were saved."))
        return redirect("study:read_texts", self.study.slug)

    def _page(self, form: NeededFacts, *, status: int = 200) -> HttpResponseBase:
        texts = self._read()
        lacking = {each.kind: each for each in lacking_texts(self.study)}
        is_draft = not self.study.is_frozen
        lacks_facts = not all(getattr(self.study, name) for name in NEEDED_TO_OPEN)
        return self.page(
            texts=texts,
            unseen_keys=[text.key for text in texts if text.key],
            tabs=text_tabs(self.study, "", lacking),
            is_read=True,
            form=form,
            asks_for_facts=is_draft and (form.is_bound or lacks_facts),
            status=status,
        )

    def _read(self) -> list[ReadText]:
        """Return the texts in the order in which participants meet them."""
        whole = self.study.seen_through("")
        facts = facts_of(whole, told_minutes(whole))
        found = []
        for kind in StudyText.Kind:
            several = kind == StudyText.Kind.INSTRUCTIONS and whole.has_several_tasks
            for task in whole.tasks if several else [None]:
                seen = whole.seen_through(task.name) if task else whole
                text = current_text(seen, kind.value)
                if text is None:
                    continue
                key = key_of_text(kind.value, seen)
                is_new = text.is_default and key not in whole.looked_at and not whole.is_frozen
                found.append(
                    ReadText(
                        label=f"{kind.label}: {task.shown_name}" if task else str(kind.label),
                        url=address_of(seen, kind.value),
                        pages=blocks(filled(text.body, facts, text.markup), text.markup),
                        boxes=[
                            {"text": line, "required": name == "required_boxes"}
                            for name in ("required_boxes", "optional_boxes")
                            for line in getattr(text, name)
                        ],
                        key=key if is_new else "",
                    )
                )
        return found
