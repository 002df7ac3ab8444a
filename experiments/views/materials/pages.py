"""Pages for uploading materials: drop a file or paste a table, preview the design, then store it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings as platform
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.formats.faults import Fault
from experiments.materials import (
    MaterialsFaults,
    Preview,
    design_of,
    materials_csv,
    preview_of,
)
from experiments.materials.from_files import Said
from experiments.materials.mapping import FaultyCell
from experiments.materials.segmentation.texts import stored_regions, texts_to_mark
from experiments.materials.shapes import MAX_BYTES, AskedColumns, Design
from experiments.materials.versions.comparing import compared
from experiments.media.storage import files_of
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.started_by import command_on_the_data
from experiments.study.lifecycle import FrozenStudy, mark_looked_at, save_design
from experiments.study.steps import key_of
from experiments.study.versions.kept import MOST_NOTE, versions_of
from experiments.study.versions.wording import change_in_words
from experiments.uploads.of_study import checked_table
from experiments.views.forms import SeveralFilesField
from experiments.views.materials.columns import MOST_CELLS, USES, ColumnsForm, carried_said, factor_of, rows_of
from experiments.views.materials.matrix import keys_of, matrix_of, others_of, profiles_of, squares_of
from experiments.views.page import StudyView, attachment

# The table travels through the page that shows it, as a field of a form, which has a limit of its own.
MAX_CARRIED = 2_400_000
MOST_FILES = 20


class MaterialsSource(forms.Form):
    """A table from a file or from the clipboard; exactly one of the two."""

    file = SeveralFilesField(
        label=gettext_lazy("CSV or XLSX file"),
        required=False,
        help_text=gettext_lazy(
            "If you choose several files of one study, such as one for each list, the platform joins them."
        ),
    )
    pasted = forms.CharField(
        label=gettext_lazy("Or paste from a spreadsheet"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "class": "paste", "spellcheck": "false", "wrap": "off"}),
        help_text=gettext_lazy("Copy the cells with the header row, and paste them here."),
    )

    repair = forms.BooleanField(
        label=gettext_lazy("Repair characters"),
        required=False,
        help_text=gettext_lazy(
            "Removes invisible characters, and corrects letters that were encoded twice, such as Ã©."
        ),
    )

    incomplete = forms.BooleanField(
        label=gettext_lazy("Texts are missing on purpose"),
        required=False,
        help_text=gettext_lazy(
            "Tick this if some items have no text in some conditions. You need not tick it for a design that is "
            "incomplete by a pattern, such as pairs of formulations; the platform recognises it."
        ),
    )

    def clean_file(self) -> Any:
        files = self.cleaned_data["file"]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(
                _("You chose %(n)d files, but at most %(most)d can be joined. Nothing was stored."),
                params={"n": len(files), "most": MOST_FILES},
            )
        size = sum(file.size for file in files)
        if size > MAX_BYTES:
            said = {"size": size / 1024**2, "most": MAX_BYTES // 1024**2}
            raise forms.ValidationError(
                _("The file has %(size).1f MB, but at most %(most)d MB can be read. Nothing was stored.")
                if len(files) == 1
                else _(
                    "Together, the files have %(size).1f MB, but at most %(most)d MB can be read. Nothing was stored."
                ),
                params=said,
            )
        return files

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        pasted = cleaned.get("pasted", "").strip()
        if cleaned.get("file") and pasted:
            raise forms.ValidationError(_("Choose a file or paste a table, not both."))
        if not cleaned.get("file") and not pasted:
            raise forms.ValidationError(_("Choose a file, or paste a table with its header row."))
        return cleaned

    def given(self) -> tuple[list[tuple[bytes, str]], str]:
        """Return what was chosen or pasted, each with its name, and the name of all of it."""
        if files := self.cleaned_data.get("file"):
            return [(file.read(), file.name) for file in files], ", ".join(file.name for file in files)[:200]
        name = _("the pasted table")
        return [(self.cleaned_data["pasted"].encode("utf-8", "surrogatepass"), name)], name


def shown_design(preview: Preview | None, study: Study) -> dict[str, Any]:
    """Return what the templates of matrix and squares need; pictures that the study has are shown."""
    if preview is None:
        return {"preview": None}
    matrix, columns = matrix_of(preview, picture_addresses(study))
    return {
        "preview": preview,
        "keys": keys_of(preview),
        "matrix": matrix,
        "matrix_columns": columns,
        "others": others_of(preview),
        "profiles": profiles_of(preview),
        "n_texts": sum(cell is not None for row in preview.rows for cell in row.cells),
    }


@dataclass(frozen=True)
class FaultLine:
    """A fault in the table of faults; `cell` is the cell that it is about where it can be corrected there."""

    fault: Fault
    cell: FaultyCell | None


def lines_of(faults: Sequence[Fault], cells: Mapping[tuple[int, str], FaultyCell]) -> list[FaultLine]:
    """Return the faults with their cells: each cell once, at the first fault that is about it."""
    lines, shown = [], set[tuple[int, str]]()
    for fault in faults:
        cell = cells.get((fault.line or 0, fault.column))
        is_first = cell is not None and (cell.line, cell.column) not in shown and len(shown) < MOST_CELLS
        if cell is not None and is_first:
            shown.add((cell.line, cell.column))
        lines.append(FaultLine(fault, cell if is_first else None))
    return lines


def picture_addresses(study: Study) -> dict[str, str]:
    """Return the address of every picture of a study by its name."""
    return {
        file.name: reverse("participants:media", args=[str(study.slug), file.content_hash, file.extension])
        for file in files_of(study)
        if file.kind == "image"
    }


def told(said: Sequence[Fault]) -> dict[str, Any]:
    """Return what was done to a table, step by step, what is asked about it, and what else is worth a look."""
    return {
        "steps": [one for one in said if one.choice.startswith("-")],
        "offers": [one for one in said if one.choice and not one.choice.startswith("-")],
        "warnings": [one for one in said if not one.choice],
    }


class MaterialsView(StudyView):
    """A page of the step Materials."""

    step = "materials"

    def columns(self) -> dict[str, Any]:
        """Return what the page says about the columns that a table needs."""
        paradigm = paradigm_named(self.study.paradigm)
        return {
            "paradigm_columns": paradigm.all_stimulus_columns,
            "shows_media": bool(paradigm.media_columns),
            # What attention items are judged by.
            "has_ratings": any(measure.name == "rating" for measure in paradigm.measures_of(self.study.settings)),
        }


class Materials(MaterialsView):
    """The materials as they are stored; the form for them where there are none."""

    template_name = "studies/materials/page.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        preview = preview_of(design_of(self.study))
        has_any = bool(preview.rows or preview.fillers or preview.practice)
        to_mark = texts_to_mark(self.study) if has_any else []
        return self.page(
            **(shown_design(preview, self.study) if has_any else {"preview": None}),
            item_ids=dict(self.study.items.values_list("code", "pk")),
            form=MaterialsSource(),
            links=self._links() if has_any else [],
            reading=self.study.task.reading if has_any else {},
            n_versions=versions_of(self.study).count(),
            has_unspaced=bool(to_mark),
            n_without_regions=sum(not stored_regions(one) for one in to_mark),
            **self.columns(),
        )

    def _links(self) -> list[Any]:
        """Return what other rooms offer for these materials; a room may have nothing for a study."""
        offered = (import_string(path)(self.study) for path in platform.MATERIALS_LINKS)
        return [link for link in offered if link is not None]


class Template(MaterialsView):
    """An empty table to begin with: the columns of the paradigm, and rows that show how an item is written."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        paradigm = paradigm_named(self.study.paradigm)
        further = [column.name for column in paradigm.stimulus_columns]
        columns = ["item", "text", "condition", "is_filler", "is_practice", *further]
        rows = [
            ["kettle", "…", "a", "false", "false"],
            ["kettle", "…", "b", "false", "false"],
        ]
        if not paradigm.shows_several:
            # Elsewhere a filler and a practice text stand alone; in a comparison each would need its own rivals.
            rows += [["museum", "…", "", "true", "false"], ["garden", "…", "", "false", "true"]]
        empty = [""] * len(further)
        content = "".join(
            ",".join([*row, *end]) + "\r\n" for row, end in [(columns, []), *((row, empty) for row in rows)]
        )
        # With a mark of the encoding, so that spreadsheets open it as it is.
        return attachment(content.encode("utf-8-sig"), f"{self.study.paradigm}-materials.csv")


class Replace(MaterialsView):
    """The form for other materials than those that are stored."""

    template_name = "studies/materials/replace.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page(form=MaterialsSource(), n_items=self.study.items.count(), **self.columns())


class Check(MaterialsView):
    """Shows what a table means, with everything that is wrong. Stores nothing."""

    template_name = "studies/materials/check.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:materials", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if self.study.is_frozen:
            messages.error(request, str(FrozenStudy(self.study)))
            return redirect("study:materials", self.study.slug)
        if "unread" in request.POST or "table" in request.POST:
            return self.again()
        form = MaterialsSource(request.POST, request.FILES)
        if not form.is_valid():
            return self.page(
                form=form,
                n_items=self.study.items.count(),
                template_name="studies/materials/replace.html",
                status=422,
                **self.columns(),
            )
        data, name = form.given()
        said = form.cleaned_data
        return self.show(data, name=name, repaired=said["repair"], incomplete=said["incomplete"])

    def again(self) -> HttpResponseBase:
        """Show a table once more that the page carried: otherwise mapped, without a step, or repaired."""
        posted = self.request.POST
        name, incomplete = posted.get("name", "")[:200], self.is_incomplete()
        if "table" in posted:
            said = carried_said(posted)
            return self.show(
                self.carried(), name=name, is_carried=True, repaired=True, said=said, incomplete=incomplete
            )
        repaired = bool(posted.get("repair"))
        said = ColumnsForm(posted).said()
        return self.show(
            self.carried("unread"), name=name, is_carried=True, repaired=repaired, said=said, incomplete=incomplete
        )

    def is_incomplete(self) -> bool:
        """Return whether a form says that texts are missing on purpose."""
        return bool(self.request.POST.get("incomplete"))

    def carried(self, field: str = "table") -> bytes:
        """Return the table that the page carried. Browsers send every line break of a form as two characters."""
        return self.request.POST.get(field, "").replace("\r\n", "\n").encode("utf-8", "surrogatepass")

    def show(
        self,
        data: bytes | Sequence[tuple[bytes, str]],
        *,
        name: str,
        is_carried: bool = False,
        repaired: bool = False,
        said: Said | None = None,
        incomplete: bool = False,
    ) -> HttpResponseBase:
        """Return the page for a table: the design it makes, or its faults."""
        try:
            read = checked_table(
                self.study,
                data,
                name,
                is_carried=is_carried,
                repaired=repaired,
                said=said,
                incomplete=incomplete,
            )
        except MaterialsFaults as found:
            return self.faulty(found, name=name, repaired=repaired)
        if len(read.carried.encode("utf-8")) > MAX_CARRIED:
            message = _("The table has more than %(most).1f MB of text.") % {"most": MAX_CARRIED / 1024**2}
            suggestion = _(
                "Leave out columns that you do not need, or store the table with the command %(command)s."
            ) % {"command": command_on_the_data("create_study")}
            return self.faulty(MaterialsFaults([Fault(message=message, suggestion=suggestion)]), name=name)
        preview = preview_of(read.design)
        return self.page(
            **shown_design(preview, self.study),
            squares=squares_of(preview),
            name=name,
            carried=read.carried,
            **told(read.design.warnings),
            reading=read.design.reading,
            said=json.dumps(
                {
                    name: read.design.reading[name]
                    for name in ("columns", "choices", "corrections")
                    if name in read.design.reading
                }
            ),
            corrections=json.dumps(read.design.reading.get("corrections", [])),
            note=self.request.POST.get("note", "")[:MOST_NOTE],
            most_note=MOST_NOTE,
            changes=self.changes(read.design),
            repaired=repaired,
            can_be_repaired=read.can_be_repaired,
            incomplete=incomplete,
            n_items=self.study.items.count(),
            **self.asked(read.asked),
        )

    def changes(self, design: Design) -> list[str]:
        """Return what a table would change in the stored materials, in words; nothing where there are none."""
        stored = design_of(self.study)
        return change_in_words(compared(stored, design).plain) if stored.items else []

    def asked(self, asked: AskedColumns | None) -> dict[str, Any]:
        """Return what the form needs that asks what each column is."""
        if asked is None or len(asked.carried.encode("utf-8")) > MAX_CARRIED:
            return {"asked": None}
        further = [column.name for column in paradigm_named(self.study.paradigm).all_stimulus_columns]
        return {
            "asked": asked,
            "asked_rows": rows_of(asked, further),
            "asked_uses": USES,
            "asked_factor": factor_of(asked),
            "asked_choices": json.dumps(asked.choices),
            "is_asked_first": asked.is_guessed and any(not column.is_unchanged for column in asked.columns),
        }

    def faulty(self, found: MaterialsFaults, *, name: str, repaired: bool = False) -> HttpResponseBase:
        """Return the page that lists all faults, with the matrix as far as it could be read."""
        cells = found.cells if found.asked is not None else {}
        faults = [fault for fault in found.faults if not fault.choice] or found.faults
        return self.page(
            **shown_design(found.preview, self.study),
            name=name,
            faults=faults,
            lines=lines_of(faults, cells),
            has_cells=bool(cells),
            corrections=json.dumps([one.plain for one in found.corrections]),
            **told([*(fault for fault in found.faults if fault.choice), *found.warnings]),
            repaired=repaired,
            form=MaterialsSource(initial={"incomplete": self.is_incomplete()}),
            has_holes=found.has_holes,
            n_items=self.study.items.count(),
            status=422,
            **self.columns(),
            **self.asked(found.asked),
        )


class Store(Check):
    """Stores a table that has been looked at, in one transaction."""

    def post(self, request: HttpRequest) -> HttpResponseBase:
        name = request.POST.get("name", "")[:200]
        try:
            repaired, said = bool(request.POST.get("repaired")), carried_said(request.POST)
            incomplete = self.is_incomplete()
            design = checked_table(
                self.study,
                self.carried(),
                name,
                is_carried=True,
                repaired=repaired,
                said=said,
                incomplete=incomplete,
            ).design
        except MaterialsFaults as found:
            return self.faulty(found, name=name)
        try:
            save_design(self.study, design, request.user, detail=name, note=request.POST.get("note", "")[:MOST_NOTE])
            if not paradigm_named(self.study.paradigm).shows_several:
                # The page with the button has shown factors, conditions and lists.
                mark_looked_at(self.study, key_of("design", self.study), request.user)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect("study:materials", self.study.slug)
        messages.success(
            request,
            _("Stored: %(items)d items, %(conditions)d conditions, %(lists)d lists.")
            % {
                "items": sum(item.is_target for item in design.items),
                "conditions": max(1, len(design.conditions)),
                "lists": len(design.lists),
            },
        )
        return redirect("study:materials", self.study.slug)


class Download(MaterialsView):
    """The materials as a table from which the same design can be made again."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        text = materials_csv(design_of(self.study), excel=request.GET.get("for") == "excel")
        return attachment(text, f"{self.study.slug}-materials.csv")
