"""Pages of the versions of materials: the list, the difference of any two, the way back to an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.formats.differences import Piece, differences_between
from experiments.materials import design_of, materials_csv
from experiments.materials.versions.comparing import (
    ADDED,
    CHANGED,
    REMOVED,
    CellChange,
    MaterialsChange,
    TextChange,
    compared,
)
from experiments.models import MaterialsVersion
from experiments.study.lifecycle import FrozenStudy, LifecycleRefusal, mark_looked_at
from experiments.study.steps import key_of
from experiments.study.versions.going_back import go_back, version_numbered
from experiments.study.versions.kept import MOST_NOTE, current_version, design_of_version, versions_of
from experiments.study.versions.wording import change_in_words
from experiments.views.listings import Choice, Column, Header, Table, address, table_of
from experiments.views.materials.pages import MaterialsView
from experiments.views.page import attachment

AT_ONCE = 25
# Characters on one page that are compared word by word. Longer texts are shown as they were and as they are.
MOST_COMPARED = 400_000
# More columns than these are not offered as filters.
MOST_COLUMNS = 8
CHANGES = {
    CHANGED: gettext_lazy("Changed"),
    ADDED: gettext_lazy("Added"),
    REMOVED: gettext_lazy("Removed"),
}
BADGES = {CHANGED: "badge-warn", ADDED: "badge-good", REMOVED: "badge-bad"}
COLUMNS = (
    Column("number", gettext_lazy("Version"), order_by=("number",)),
    Column("at", gettext_lazy("Saved"), order_by=("created_at",)),
    Column("by", gettext_lazy("Who"), order_by=("created_by__username",)),
    Column("kind", gettext_lazy("What happened")),
    Column("change", gettext_lazy("Changes")),
    Column("texts", gettext_lazy("Texts"), order_by=("n_texts",), numeric=True),
    Column("actions", ""),
)


@dataclass(frozen=True)
class ShownCell:
    """A cell that differs, as pieces of what it said and says."""

    column: str
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class ShownChange:
    """A text that differs, with its cells as the page shows them."""

    change: TextChange
    cells: Sequence[ShownCell]

    @property
    def label(self) -> Any:
        return CHANGES[self.change.change]

    @property
    def badge(self) -> str:
        return BADGES[self.change.change]


class VersionsView(MaterialsView):
    """A page about versions."""

    def version(self, number: int) -> MaterialsVersion:
        """Return a version of these materials. Raises Http404 where there is none."""
        try:
            return version_numbered(self.study, number)
        except LookupError as missing:
            raise Http404(_("There is no such version of the materials.")) from missing


class Versions(VersionsView):
    """All versions, the newest first."""

    template_name = "studies/materials/versions/list.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        versions = versions_of(self.study)
        table = table_of(request, versions, columns=COLUMNS, default_sort="-number")
        # In order, so that each of the page knows the one that was kept before it.
        numbers = list(versions.values_list("number", flat=True))
        before = dict(pairwise(numbers))
        return self.page(
            table=table,
            rows=[(one, change_in_words(one.change), before.get(one.number)) for one in table.page],
            numbers=numbers,
            newest=numbers[0] if numbers else 0,
            can_go_back=self.can_edit and not self.study.is_frozen,
        )


class Difference(VersionsView):
    """What differs between two versions, by item and condition."""

    template_name = "studies/materials/versions/difference.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        before, after = self.version(_number(request, "before")), self.version(_number(request, "after"))
        found = compared(design_of_version(before), design_of_version(after))
        table = changes_table(request, found)
        return self.page(
            before=before,
            after=after,
            numbers=list(versions_of(self.study).values_list("number", flat=True)),
            found=found,
            words=change_in_words(found.plain),
            table=table,
            reset=f"?before={before.number}&after={after.number}",
            rows=shown_changes(list(table.page.object_list)),
        )


class VersionCsv(VersionsView):
    """The materials of a version as a table."""

    def get(self, request: HttpRequest, number: int) -> HttpResponseBase:
        text = materials_csv(design_of_version(self.version(number)), excel=request.GET.get("for") == "excel")
        return attachment(text, f"{self.study.slug}-materials-version-{number}.csv")


class NoteForm(forms.Form):
    """A note about the version that is made."""

    note = forms.CharField(
        label=gettext_lazy("Note about this version"),
        required=False,
        max_length=MOST_NOTE,
        help_text=gettext_lazy("Why you go back. It is shown in the list of versions."),
    )


class GoBack(VersionsView):
    """Stores an earlier version again, after asking."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, number: int) -> HttpResponseBase:
        return self._page(number, NoteForm())

    def post(self, request: HttpRequest, number: int) -> HttpResponseBase:
        self.version(number)
        form = NoteForm(request.POST)
        current = current_version(self.study.task)
        if not form.is_valid() or "confirmed" not in request.POST:
            return self._page(number, form, status=422)
        if current is not None and request.POST.get("current") != str(current.number):
            messages.error(
                request,
                _("Somebody changed the materials in the meantime. Nothing was changed. Look at the versions again."),
            )
            return redirect("study:materials_versions", self.study.slug)
        try:
            made = go_back(self.study, number, request.user, note=form.cleaned_data["note"])
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
        else:
            mark_looked_at(self.study, key_of("design", self.study), request.user)
            messages.success(
                request,
                _("The materials are those of version %(old)d again, as version %(number)d.")
                % {"old": number, "number": made.number},
            )
        return redirect("study:materials_versions", self.study.slug)

    def _page(self, number: int, form: NoteForm, *, status: int = 200) -> HttpResponseBase:
        version, current = self.version(number), current_version(self.study.task)
        if self.study.is_frozen:
            messages.error(self.request, str(FrozenStudy(self.study)))
            return redirect("study:materials_versions", self.study.slug)
        change = compared(design_of(self.study), design_of_version(version)).plain
        newest = current.number if current else 0
        sentences = [
            _(
                "The materials of version %(old)d become the newest version, number %(next)d. No version is removed: "
                "the present materials stay version %(newest)d."
            )
            % {"old": number, "next": newest + 1, "newest": newest},
            _("In the present materials this means: %(changes)s.")
            % {"changes": ", ".join(change_in_words(change)) or _("nothing changes")},
        ]
        return self.page(
            heading=_("Go back to version %(number)d?") % {"number": number},
            sentences=sentences,
            button=_("Go back to this version"),
            is_destructive=False,
            kept={"current": newest},
            form=form if self.can_edit else None,
            cancel_url=reverse("study:materials_versions", args=[self.study.slug]),
            status=status,
        )


def changes_table(request: HttpRequest, found: MaterialsChange) -> Table:
    """Return one page of the texts that differ, narrowed as the address says: `change`, `column`, `q` for the item."""
    change, column = request.GET.get("change", ""), request.GET.get("column", "")
    words = request.GET.get("q", "").strip()
    columns = list(found.columns)[:MOST_COLUMNS] if len(found.columns) > 1 else []
    texts = [
        one
        for one in found.texts
        if (change not in CHANGES or one.change == change)
        and (column not in columns or (one.change == CHANGED and any(cell.column == column for cell in one.cells)))
        and (not words or words.lower() in one.item.lower())
    ]
    page = Paginator(texts, AT_ONCE).get_page(request.GET.get("page"))
    of_changes = [(name, f"{label} ({found.numbers[name]})") for name, label in CHANGES.items() if found.numbers[name]]
    of_columns = [(name, f"{name} ({found.columns[name]})") for name in columns]
    filters = {"change": _choices(request, "change", of_changes if len(of_changes) > 1 else [])}
    filters["column"] = _choices(request, "column", of_columns)
    return Table(
        headers=[Header(label, False) for label in (_("Item"), _("Condition"), _("Change"), _("Text"))],
        page=page,
        search=words,
        filters={name: some for name, some in filters.items() if some},
        kept=[(key, str(value)) for key, value in request.GET.items() if key not in ("q", "page")],
        is_narrowed=len(texts) < len(found.texts),
        previous_url=address(request, page=str(page.previous_page_number())) if page.has_previous() else "",
        next_url=address(request, page=str(page.next_page_number())) if page.has_next() else "",
    )


def shown_changes(texts: Sequence[TextChange]) -> list[ShownChange]:
    """Return texts that differ with the differences of their cells, word by word up to `MOST_COMPARED` characters."""
    left, shown = MOST_COMPARED, []
    for one in texts:
        cells = []
        for cell in one.cells:
            left -= len(cell.before) + len(cell.after)
            cells.append(
                ShownCell(cell.column, differences_between(cell.before, cell.after) if left > 0 else _whole(cell))
            )
        shown.append(ShownChange(one, cells))
    return shown


def _whole(cell: CellChange) -> list[Piece]:
    pieces = [Piece("removed", cell.before), Piece("added", cell.after)]
    return [piece for piece in pieces if piece.text]


def _choices(request: HttpRequest, parameter: str, values: Sequence[tuple[str, str]]) -> list[Choice]:
    if not values:
        return []
    chosen = request.GET.get(parameter, "")
    known = chosen in dict(values)
    everything = Choice(_("All"), address(request, **{parameter: None, "page": None}), not known)
    return [
        everything,
        *(Choice(label, address(request, **{parameter: name, "page": None}), name == chosen) for name, label in values),
    ]


def _number(request: HttpRequest, name: str) -> int:
    said = request.GET.get(name, "")
    if not (said.isascii() and said.isdigit() and len(said) < 9):
        raise Http404(_("There is no such version of the materials."))
    return int(said)
