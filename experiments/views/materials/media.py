"""Page of a study's media: list files, show missing ones, add and remove files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.media.kinds import MAX_UPLOAD_BYTES
from experiments.media.naming import MediaState, media_state
from experiments.models import MediaFile
from experiments.study.lifecycle import FrozenStudy
from experiments.study.media import MediaFaults, add_files, read_uploaded_files, take_files
from experiments.views.forms import SeveralFilesField
from experiments.views.materials.pages import MaterialsView

# Items named in the row of a file; further ones are only hinted at.
MOST_ITEMS = 3


class MediaUpload(forms.Form):
    """Files, and what is to be known of their origin."""

    files = SeveralFilesField(  # type: ignore[assignment]  # the name that people and tests know
        label=gettext_lazy("Pictures and sounds, or ZIP archives with them"),
        help_text=gettext_lazy(
            "PNG, JPEG, WebP, GIF (still); WAV, MP3, Ogg, M4A. The platform removes data about person, place and "
            "time from every file."
        ),
        most_bytes=MAX_UPLOAD_BYTES,
    )
    licence = forms.CharField(
        label=gettext_lazy("Author and licence"),
        required=False,
        max_length=300,
        help_text=gettext_lazy(
            "For all these files, such as: drawn by A. Author, CC BY 4.0. Every export contains it."
        ),
    )


@dataclass(frozen=True)
class FileRow:
    """One file as the page shows it."""

    file: MediaFile
    address: str
    items: str


class Media(MaterialsView):
    """The files of the study, and what is wrong with them."""

    template_name = "studies/materials/media.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.show(MediaUpload())

    def show(self, form: MediaUpload, *, faults: Sequence[Any] = (), status: int = 200) -> HttpResponseBase:
        """Return the page; `faults` are those of an upload that was refused."""
        state = media_state(self.study)
        return self.page(
            form=form,
            upload_faults=faults,
            state=state,
            rows=self._rows(state),
            size=sum(file.size for file in state.files),
            has_materials=self.study.items.exists(),
            status=status,
            **self.columns(),
        )

    def _rows(self, state: MediaState) -> list[FileRow]:
        used: dict[str, list[str]] = {}
        for named in state.named:
            used.setdefault(named.name, []).extend(named.items)
        return [
            FileRow(
                file,
                reverse("participants:media", args=[self.study.slug, file.content_hash, file.extension]),
                _items(used.get(file.name, [])),
            )
            for file in state.files
        ]


class Add(Media):
    """Checks files and stores them where nothing is wrong with any of them."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:media", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = MediaUpload(request.POST, request.FILES)
        if not form.is_valid():
            return self.show(form, status=422)
        try:
            if self.study.is_frozen:
                raise FrozenStudy(self.study)
            checked = read_uploaded_files([(file.name or "", file.read()) for file in form.cleaned_data["files"]])
            add_files(self.study, checked, request.user, licence=form.cleaned_data["licence"])
        except MediaFaults as found:
            return self.show(form, faults=found.faults, status=422)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
            return redirect("study:media", self.study.slug)
        n = len(checked.files)
        messages.success(request, ngettext("%(n)d file was stored.", "%(n)d files were stored.", n) % {"n": n})
        for warning in checked.warnings[:20]:
            messages.warning(request, str(warning))
        return redirect("study:media", self.study.slug)


class Remove(Media):
    """Removes the files that were ticked, after asking."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:media", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        names = request.POST.getlist("name")
        if not names:
            messages.error(request, _("Tick the files to remove."))
            return redirect("study:media", self.study.slug)
        if "confirmed" not in request.POST and not self.study.is_frozen:
            return self._asked(names)
        try:
            gone = take_files(self.study, names, request.user)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
        else:
            n = len(gone)
            messages.success(request, ngettext("%(n)d file was removed.", "%(n)d files were removed.", n) % {"n": n})
        return redirect("study:media", self.study.slug)

    def _asked(self, names: Sequence[str]) -> HttpResponseBase:
        """Return the page that names the files and the items which would lack them."""
        state = media_state(self.study)
        wanting = dict.fromkeys(item for named in state.named if named.name in names for item in named.items)
        return self.page(
            template_name="studies/pieces/confirm.html",
            heading=ngettext("Remove %(n)d file?", "Remove %(n)d files?", len(names)) % {"n": len(names)},
            sentences=[_("These items use them: %(items)s.") % {"items": ", ".join(wanting)}] if wanting else [],
            losses=names,
            kept_names=names,
            button=_("Remove them"),
            is_destructive=True,
            cancel_url=reverse("study:media", args=[self.study.slug]),
        )


def _items(codes: Sequence[str]) -> str:
    """Return the items that show a file, as a cell of the table; the first ones of many."""
    several = list(dict.fromkeys(codes))
    return ", ".join(several[:MOST_ITEMS]) + (" …" if len(several) > MOST_ITEMS else "")
