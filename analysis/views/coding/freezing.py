"""Pages for freezing codings, and for unfreezing them with a reason."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.coding.freezing import freeze, freeze_warnings, unfreeze
from analysis.views.coding.overview import CodeView


class Reason(forms.Form):
    """Why codings may be changed again."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        help_text=gettext_lazy(
            "The history of the study keeps it, for example: two recalls were coded in the wrong language."
        ),
    )


class Freeze(CodeView):
    """Asks, then freezes."""

    template_name = "analysis/coding/freeze.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page(warnings=freeze_warnings(self.study))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        with self.refusals_told():
            freeze(self.study, user=request.user)
            messages.success(
                request, _("The codings are frozen. Analyses and exports now use codes that no longer change.")
            )
        return redirect(self.url("overview"))


class Unfreeze(CodeView):
    """Asks for the reason, then lets codings be changed again."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(Reason())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = Reason(request.POST)
        if not form.is_valid():
            return self._page(form, status=422)
        with self.refusals_told():
            unfreeze(self.study, user=request.user, reason=form.cleaned_data["reason"])
            messages.success(request, _("You can change the codings again."))
        return redirect(self.url("overview"))

    def _page(self, form: Reason, *, status: int = 200) -> HttpResponseBase:
        return self.page(
            heading=_("Allow changes to the codings again?"),
            sentences=[
                _(
                    "Coders, adjudication and imports can change codings again. Finished reports stay as they "
                    "are, and say so if the data have changed since."
                )
            ],
            form=form,
            button=_("Unfreeze the codings"),
            cancel_url=self.url("overview"),
            status=status,
        )
