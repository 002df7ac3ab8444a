"""Pages for uploading materials: drop a file or paste a table, preview the design, then store it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings as platform
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
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
from experiments.materials.columns import CONDITION, OPTIONAL, REQUIRED
from experiments.materials.mapping import LEFT_OUT
from experiments.materials.shapes import MAX_BYTES, MAX_COLUMNS, MAX_NAME, AskedColumn, AskedColumns
from experiments.paradigms import paradigm_named
from experiments.study.lifecycle import FrozenStudy, save_design
from experiments.uploads.materials import CheckedTable
from experiments.uploads.reading import read_uploaded_design
from experiments.views.forms import SeveralFilesField
from experiments.views.materials.matrix import keys_of, others_of, profiles_of, squares_of
from experiments.views.page import StudyView, attachment

# The table travels through the page that shows it, as a field of a form, which has a limit of its own.
MAX_CARRIED = 2_400_000
MOST_FILES = 20
# Choices of the form that asks what a column is, beside the names that it can have.
AS_CALLED, LEVEL = "=", "level"


class MaterialsSource(forms.Form):
    """A table from a file or from the clipboard; exactly one of the two."""

    file = SeveralFilesField(
        label=gettext_lazy("CSV or XLSX file"),
        required=False,
        help_text=gettext_lazy("Several files of one study, such as a file for each list, are joined."),
    )
    pasted = forms.CharField(
        label=gettext_lazy("Or paste from a spreadsheet"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "class": "paste", "spellcheck": "false", "wrap": "off"}),
        help_text=gettext_lazy("Copy the cells, the header row included, and paste them here."),
    )

    repair = forms.BooleanField(
        label=gettext_lazy("Repair characters"),
        required=False,
        help_text=gettext_lazy("Take out what cannot be seen, and mend letters that were encoded twice, such as Ã©."),
    )

    incomplete = forms.BooleanField(
        label=gettext_lazy("Texts are missing on purpose"),
        required=False,
        help_text=gettext_lazy(
            "Items need not have a text in every condition. A design that is incomplete by a pattern, such as pairs of "
            "formulations, is recognised without this."
        ),
    )

    def clean_file(self) -> Any:
        files = self.cleaned_data["file"]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(
                _("These are %(n)d files; at most %(most)d can be joined. Nothing was stored."),
                params={"n": len(files), "most": MOST_FILES},
            )
        size = sum(file.size for file in files)
        if size > MAX_BYTES:
            said = {"size": size / 1024**2, "most": MAX_BYTES // 1024**2}
            raise forms.ValidationError(
                _("The file has %(size).1f MB; at most %(most)d MB can be read. Nothing was stored.")
                if len(files) == 1
                else _("The files have %(size).1f MB together; at most %(most)d MB can be read. Nothing was stored."),
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


def shown_design(preview: Preview | None) -> dict[str, Any]:
    """Return what the templates of matrix and squares need."""
    if preview is None:
        return {"preview": None}
    return {
        "preview": preview,
        "keys": keys_of(preview),
        "matrix": preview.rows,
        "others": others_of(preview),
        "profiles": profiles_of(preview),
        "n_texts": sum(cell is not None for row in preview.rows for cell in row.cells),
    }


class MaterialsView(StudyView):
    """A page of the step Materials."""

    step = "materials"

    def columns(self) -> dict[str, Any]:
        """Return what the page says about the columns that a table needs."""
        paradigm = paradigm_named(self.study.paradigm)
        return {"paradigm_columns": paradigm.all_stimulus_columns, "shows_media": bool(paradigm.media_columns)}


class Materials(MaterialsView):
    """The materials as they are stored; the form for them where there are none."""

    template_name = "studies/materials/page.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        preview = preview_of(design_of(self.study))
        has_any = bool(preview.rows or preview.fillers or preview.practice)
        return self.page(
            **(shown_design(preview) if has_any else {"preview": None}),
            item_ids=dict(self.study.items.values_list("code", "pk")),
            form=MaterialsSource(),
            links=self._links() if has_any else [],
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
        if "unread" in request.POST:
            given = self.carried("unread")
            name, incomplete = request.POST.get("name", "")[:200], self.is_incomplete()
            return self.show(given, name=name, is_carried=True, mapping=self.mapping(), incomplete=incomplete)
        if "table" in request.POST:
            name, incomplete = request.POST.get("name", "")[:200], self.is_incomplete()
            return self.show(self.carried(), name=name, is_carried=True, repaired=True, incomplete=incomplete)
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

    def mapping(self) -> dict[str, str]:
        """Return what the form says of the columns; of those that are what they are called it says nothing."""
        given = self.request.POST
        factor = _plain(given.get("factor", "")) or CONDITION
        said: dict[str, str] = {}
        for number in range(MAX_COLUMNS):
            column, use = given.get(f"column-{number}", ""), given.get(f"use-{number}", AS_CALLED)
            if column and use == LEVEL:
                said[column] = f"text, {factor}={_plain(given.get(f'level-{number}', '')) or _plain(column)}"
            elif column and use != AS_CALLED:
                said[column] = use[:MAX_NAME]
        return said

    def is_incomplete(self) -> bool:
        """Return whether a form says that texts are missing on purpose."""
        return bool(self.request.POST.get("incomplete"))

    def carried(self, field: str = "table") -> bytes:
        """Return the table that the page carried. Browsers send every line break of a form as two characters."""
        return self.request.POST.get(field, "").replace("\r\n", "\n").encode("utf-8", "surrogatepass")

    def read(
        self,
        data: bytes | Sequence[tuple[bytes, str]],
        name: str,
        *,
        is_carried: bool = False,
        repaired: bool = False,
        mapping: dict[str, str] | None = None,
        incomplete: bool = False,
    ) -> CheckedTable:
        """Return the design that a table makes in this study, and the table itself. Raises MaterialsFaults."""
        paradigm = paradigm_named(self.study.paradigm)
        return read_uploaded_design(
            data,
            name,
            paradigm=paradigm.slug,
            settings=paradigm.complete_settings(self.study.settings),
            procedure=self.study.procedure,
            carried=is_carried,
            repaired=repaired,
            mapping=mapping,
            incomplete=incomplete,
        )

    def show(
        self,
        data: bytes | Sequence[tuple[bytes, str]],
        *,
        name: str,
        is_carried: bool = False,
        repaired: bool = False,
        mapping: dict[str, str] | None = None,
        incomplete: bool = False,
    ) -> HttpResponseBase:
        """Return the page for a table: the design it makes, or its faults."""
        try:
            read = self.read(
                data, name, is_carried=is_carried, repaired=repaired, mapping=mapping, incomplete=incomplete
            )
        except MaterialsFaults as found:
            return self.faulty(found, name=name)
        if len(read.carried.encode("utf-8")) > MAX_CARRIED:
            message = _("The table has more than %(most).1f MB of text.") % {"most": MAX_CARRIED / 1024**2}
            suggestion = _("Leave out columns that nobody needs, or store it with the command create_study.")
            return self.faulty(MaterialsFaults([Fault(message=message, suggestion=suggestion)]), name=name)
        preview = preview_of(read.design)
        return self.page(
            **shown_design(preview),
            squares=squares_of(preview),
            name=name,
            carried=read.carried,
            warnings=read.design.warnings,
            can_be_repaired=read.can_be_repaired,
            incomplete=incomplete,
            n_items=self.study.items.count(),
            **self.asked(read.asked),
        )

    def asked(self, asked: AskedColumns | None) -> dict[str, Any]:
        """Return what the form needs that asks what each column is."""
        if asked is None or len(asked.carried.encode("utf-8")) > MAX_CARRIED:
            return {"asked": None}
        further = [column.name for column in paradigm_named(self.study.paradigm).all_stimulus_columns]
        levels = [factor for column in asked.columns for factor in column.use.levels]
        return {
            "asked": asked,
            "asked_rows": [_asked_row(column, further) for column in asked.columns],
            "asked_factor": levels[0] if levels else CONDITION,
            "is_asked_first": asked.is_guessed and any(not column.is_unchanged for column in asked.columns),
        }

    def faulty(self, found: MaterialsFaults, *, name: str) -> HttpResponseBase:
        """Return the page that lists all faults, with the matrix as far as it could be read."""
        return self.page(
            **shown_design(found.preview),
            name=name,
            faults=found.faults,
            warnings=found.warnings,
            form=MaterialsSource(initial={"incomplete": self.is_incomplete()}),
            has_holes=found.has_holes,
            n_items=self.study.items.count(),
            status=422,
            **self.columns(),
            **self.asked(found.asked),
        )


def _asked_row(column: AskedColumn, further: Sequence[str]) -> dict[str, Any]:
    """Return what the form says of one column: its choices, which of them is made, and its level."""
    use = column.use
    chosen = LEFT_OUT if use.is_left_out else LEVEL if use.levels else AS_CALLED if column.is_unchanged else use.name
    names = [*REQUIRED, CONDITION, *OPTIONAL, *further]
    names += [] if chosen in (AS_CALLED, LEVEL, LEFT_OUT, *names) else [chosen]
    return {
        "column": column,
        "chosen": chosen,
        "names": [name for name in names if name != column.name],
        "level": next(iter(use.levels.values()), ""),
    }


def _plain(said: str) -> str:
    """Return a name without the signs that divide a mapping."""
    return " ".join(re.sub(r"[,=]", " ", said).split())[:MAX_NAME]


class Store(Check):
    """Stores a table that has been looked at, in one transaction."""

    def post(self, request: HttpRequest) -> HttpResponseBase:
        name = request.POST.get("name", "")[:200]
        try:
            design = self.read(self.carried(), name, is_carried=True, incomplete=self.is_incomplete()).design
        except MaterialsFaults as found:
            return self.faulty(found, name=name)
        try:
            save_design(self.study, design, request.user)
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
