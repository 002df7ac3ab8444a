"""Page that proposes where texts in scripts without spaces are cut into regions, to confirm or to correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import ngettext

from experiments.formats.words import REGION_MARKS, regions_fault
from experiments.materials.segmentation import EXTRA, LIBRARIES, languages_of
from experiments.materials.segmentation.texts import COLUMN, stored_regions, texts_to_mark
from experiments.models import Stimulus
from experiments.paradigms import paradigm_named
from experiments.paradigms.pieces.areas import area_faults
from experiments.study.lifecycle import save_column
from experiments.study.refusals import LifecycleRefusal
from experiments.uploads.reading import Unreadable, read_in_child
from experiments.views.materials.pages import MaterialsView
from experiments.views.page import shown_of

AT_ONCE = 50
# Of one field: a text with a mark after every character.
MOST_TYPED = 100_000


@dataclass(frozen=True)
class RegionsRow:
    """A text on the page: its key, item and condition, what the field holds, and where that comes from."""

    key: int
    item: str
    condition: str
    text: str
    cut: str
    is_proposed: bool = False
    faults: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the field."""
        return f"cut-{self.key}"


def proposals(texts: Sequence[str], language: str) -> list[str]:
    """Return the cuts that libraries propose, made in the process that reads uploads; "" where there is none."""
    if not texts:
        return []
    try:
        cuts: list[str] = read_in_child("experiments.materials.segmentation:proposed_cuts", list(texts), language)
    except Unreadable:
        return [""] * len(texts)
    return cuts


class Regions(MaterialsView):
    """Lists the texts without spaces with their regions. What is stored is what somebody has looked at."""

    template_name = "studies/materials/regions.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(texts_to_mark(self.study))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        stimuli = texts_to_mark(self.study)
        page = self._paged(stimuli)
        typed = {
            one.pk: request.POST[f"cut-{one.pk}"][:MOST_TYPED].replace("\r\n", "\n").strip()
            for one in page
            if f"cut-{one.pk}" in request.POST
        }
        conflict = self.conflict_of(_shown(page))
        faults = {one.pk: self._faults(one, typed[one.pk]) for one in page if typed.get(one.pk)}
        if conflict or any(faults.values()):
            if conflict:
                messages.error(request, conflict)
            return self._page(stimuli, typed=typed, faults=faults, status=409 if conflict else 422)
        changed = {
            one.pk: typed[one.pk] for one in page if typed.get(one.pk, "") != stored_regions(one) and one.pk in typed
        }
        try:
            if changed:
                save_column(self.study, COLUMN, changed, request.user)
        except (LifecycleRefusal, LookupError) as refusal:
            messages.error(request, str(refusal))
            return redirect("study:materials", self.study.slug)
        said = ngettext(
            "The regions of %(n)d text were stored.", "The regions of %(n)d texts were stored.", len(changed)
        )
        messages.success(request, said % {"n": len(changed)})
        if page.has_next():
            there = redirect("study:regions", self.study.slug)
            there["Location"] += f"?page={page.next_page_number()}"
            return there
        return redirect("study:materials", self.study.slug)

    def _faults(self, stimulus: Stimulus, cut: str) -> list[str]:
        """Return what is wrong with the regions of a text, alone and with its other columns."""
        if not any(mark in cut for mark in REGION_MARKS):
            # A text of one word is its own region.
            return [fault for fault in [regions_fault(stimulus.text, regions=cut)] if fault]
        faults = area_faults(stimulus.text, unit="word", marked=cut, regions=cut, called="region")
        further = paradigm_named(self.study.paradigm).stimulus_faults(stimulus.text, {**stimulus.extra, COLUMN: cut})
        return faults or [sentence for _column, sentence in further]

    def _paged(self, stimuli: Sequence[Stimulus]) -> Page[Stimulus]:
        return Paginator(stimuli, AT_ONCE).get_page(self.request.GET.get("page"))

    def _page(
        self,
        stimuli: Sequence[Stimulus],
        *,
        typed: Mapping[int, str] | None = None,
        faults: Mapping[int, list[str]] | None = None,
        status: int = 200,
    ) -> HttpResponseBase:
        language = self.study.language
        page = self._paged(stimuli)
        languages = dict.fromkeys(languages_of([one.text for one in stimuli], language))
        libraries = [LIBRARIES[one] for one in languages if one in LIBRARIES]
        rows = self._rows(page, typed, faults or {})
        return self.page(
            status=status,
            rows=rows,
            table={"page": page, **self._neighbours(page)},
            shown=_shown(page),
            n_proposed=sum(row.is_proposed for row in rows),
            libraries=[library for library in libraries if library.is_installed],
            lacking=[library for library in libraries if not library.is_installed],
            extra=EXTRA,
            is_faulty=bool(faults and any(faults.values())),
            is_fixed=self.study.is_frozen or not self.can_edit,
        )

    def _rows(
        self, page: Page[Stimulus], typed: Mapping[int, str] | None, faults: Mapping[int, list[str]]
    ) -> list[RegionsRow]:
        is_asked = typed is None and self.can_edit and not self.study.is_frozen
        asked = [one for one in page if not stored_regions(one)] if is_asked else []
        proposed = dict(
            zip([one.pk for one in asked], proposals([one.text for one in asked], self.study.language), strict=True)
        )
        return [
            RegionsRow(
                one.pk,
                one.item.code,
                one.condition.name if one.condition else "",
                one.text,
                (typed or {}).get(one.pk, stored_regions(one) or proposed.get(one.pk, "")),
                is_proposed=bool(proposed.get(one.pk)),
                faults=faults.get(one.pk, []),
            )
            for one in page
        ]

    def _neighbours(self, page: Page[Stimulus]) -> dict[str, str]:
        return {
            "previous_url": f"?page={page.previous_page_number()}" if page.has_previous() else "",
            "next_url": f"?page={page.next_page_number()}" if page.has_next() else "",
        }


def _shown(page: Page[Stimulus]) -> str:
    return shown_of({str(one.pk): [one.text, stored_regions(one)] for one in page})
