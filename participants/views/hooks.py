"""Pages of the hooks of a study, for those who may edit it: to everybody else they do not exist."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.study.refusals import LifecycleRefusal
from experiments.views.addresses import key_in
from participants.hooks import managing
from participants.hooks.reaching import LONGEST_ADDRESS
from participants.models import Hook, HookEvent
from participants.views.watching import EditorsView

A_PAGE = 50


class Kinds(forms.Form):
    """Which events are sent."""

    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Send when"),
        choices=managing.CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one kind of event.")},
    )


class NewHook(Kinds):
    """A hook that is to be added."""

    address = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(attrs={"inputmode": "url", "placeholder": "https://lab.example.org/lectern"}),
        help_text=gettext_lazy("Your program that receives the events. Everybody who may edit the study can read it."),
    )
    field_order = ("address", "kinds")

    def clean_address(self) -> str:
        try:
            return managing.checked_address(self.cleaned_data["address"])
        except LifecycleRefusal as refusal:
            raise forms.ValidationError(str(refusal)) from None


class HookView(EditorsView):
    """A page of hooks. Viewers see none: addresses of receivers may hold secrets."""

    def hook(self, pk: int) -> Hook:
        """Return a hook of this study. Raises Http404."""
        self.refuse_viewers()
        found = Hook.objects.filter(study_id=self.study.pk, pk=pk).first()
        if found is None:
            raise Http404(_("There is no such hook in this study. Perhaps somebody deleted it."))
        return found

    def to(self, hook: Hook) -> HttpResponseBase:
        """Return to the page of a hook."""
        return redirect(self.url("hook", str(hook.pk)))


class Hooks(HookView):
    """All hooks of a study, and a form for another one."""

    template_name = "watch/hooks.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        self.refuse_viewers()
        return self._page(NewHook())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = NewHook(request.POST)
        if form.is_valid():
            given = form.cleaned_data
            try:
                hook = managing.add_hook(self.study, address=given["address"], kinds=given["kinds"], user=request.user)
            except LifecycleRefusal as refusal:
                form.add_error(None, str(refusal))
            else:
                # Shown in this answer alone: it is stored neither in a cookie nor in the address.
                return self.page(template_name="watch/hook_secret.html", hook=hook, secret=hook.secret, is_new=True)
        return self._page(form, status=422)

    def _page(self, form: NewHook, *, status: int = 200) -> HttpResponseBase:
        waiting, given_up = (
            Count("events", filter=Q(events__state=state))
            for state in (HookEvent.State.WAITING, HookEvent.State.GIVEN_UP)
        )
        hooks = Hook.objects.filter(study_id=self.study.pk).annotate(waiting=waiting, given_up=given_up)
        return self.page(form=form, hooks=hooks, is_full=len(hooks) >= managing.MOST_HOOKS, status=status)


class OneHook(HookView):
    """A hook: its events, and what can be done with it."""

    template_name = "watch/hook.html"

    def get(self, request: HttpRequest, hook_id: int) -> HttpResponseBase:
        hook = self.hook(hook_id)
        return self._page(hook, Kinds(initial={"kinds": list(hook.kinds)}))

    def post(self, request: HttpRequest, hook_id: int) -> HttpResponseBase:
        hook = self.hook(hook_id)
        action = request.POST.get("action", "")
        if action == "choose":
            form = Kinds(request.POST)
            if not form.is_valid():
                return self._page(hook, form, status=422)
            managing.choose_kinds(hook, form.cleaned_data["kinds"], user=request.user)
            messages.success(request, _("Your choice was saved."))
        elif action in ("on", "off"):
            managing.switch(hook, on=action == "on", user=request.user)
            messages.success(request, _("The hook is on.") if action == "on" else _("The hook is off."))
        elif action == "test" and hook.is_active:
            managing.send_test(hook)
            messages.success(request, _("A test is sent within a minute. This page then shows the answer."))
        elif action in ("replay", "replay-all"):
            event = key_in(request.POST.get("event", "")) if action == "replay" else None
            number = managing.replay(hook, event=event, user=request.user)
            if number:
                messages.success(
                    request,
                    ngettext("%(n)d event is sent again.", "%(n)d events are sent again.", number) % {"n": number},
                )
            else:
                messages.warning(request, _("There was nothing to send again."))
        else:
            messages.error(request, _("Nothing was changed. Choose one of the buttons of this page."))
        return self.to(hook)

    def _page(self, hook: Hook, form: Kinds, *, status: int = 200) -> HttpResponseBase:
        events = hook.events.order_by("-pk")
        return self.page(
            hook=hook,
            form=form,
            events=Paginator(events, A_PAGE).get_page(self.request.GET.get("page")),
            waiting=events.filter(state=HookEvent.State.WAITING).count(),
            given_up=events.filter(state=HookEvent.State.GIVEN_UP).count(),
            status=status,
        )


class RotateSecret(HookView):
    """Gives a hook a new secret, after a question."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, hook_id: int) -> HttpResponseBase:
        hook = self.hook(hook_id)
        return self.page(
            heading=_("Make a new secret?"),
            sentences=[
                _("For 24 hours the old and the new secret both sign, so that you can replace it in your program."),
                _("A secret that was replaced less than a day ago stops signing at once."),
            ],
            button=_("Make a new secret"),
            cancel_url=self.url("hook", str(hook.pk)),
        )

    def post(self, request: HttpRequest, hook_id: int) -> HttpResponseBase:
        hook = managing.rotate_secret(self.hook(hook_id), user=request.user)
        return self.page(template_name="watch/hook_secret.html", hook=hook, secret=hook.secret, is_new=False)


class DeleteHook(HookView):
    """Deletes a hook, after a question."""

    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, hook_id: int) -> HttpResponseBase:
        hook = self.hook(hook_id)
        waiting = hook.events.filter(state=HookEvent.State.WAITING).count()
        return self.page(
            heading=_("Delete the hook?"),
            sentences=[hook.address, _("Nothing more is sent to this address. Data of the study stay as they are.")],
            losses=[
                _("the secret and the list of deliveries"),
                ngettext("%(n)d event that waits", "%(n)d events that wait", waiting) % {"n": waiting},
            ],
            button=_("Delete the hook"),
            is_destructive=True,
            cancel_url=self.url("hook", str(hook.pk)),
        )

    def post(self, request: HttpRequest, hook_id: int) -> HttpResponseBase:
        managing.delete_hook(self.hook(hook_id), user=request.user)
        messages.success(request, _("The hook was deleted."))
        return redirect(self.url("hooks"))
