"""Pages of recruitment by the API of a provider, for those who may edit the study: to everybody else they do not exist.

Owners connect accounts, publish and confirm totals; editors look, read and propose. Nobody sees an id.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from experiments.study.refusals import LifecycleRefusal
from experiments.views.addresses import key_in
from participants.models import Payment, PaymentTotal, RecruitmentAccount, Session
from participants.recruiting import managing
from participants.recruiting.ledger import Kind
from participants.recruiting.proposing import (
    Person,
    chosen,
    confirm,
    discard,
    in_words,
    money,
    people_of,
    propose,
    propose_again,
    written_amounts,
)
from participants.recruiting.providers.prolific import LEAST_OF_A_REJECTION, REJECTION_CATEGORIES, Prolific
from participants.views.watching import EditorsView

A_PAGE = 100
ALL_KINDS = {
    RecruitmentAccount.Provider.PROLIFIC: (Kind.APPROVE, Kind.BONUS, Kind.SCREEN_OUT, Kind.REJECT, Kind.RETURN),
    RecruitmentAccount.Provider.SONA: (Kind.CREDIT,),
}
WHOM = {
    "completed": gettext_lazy("everybody who completed the study here and waits for review there"),
    "finished": gettext_lazy("everybody who completed the study here, also those who are approved"),
    "screened": gettext_lazy("everybody whom the study screened out"),
    "ticked": gettext_lazy("the people ticked in the table"),
}
# Only the owner may ask for these.
OF_OWNERS = ("connect", "disconnect", "adopt", "publish", "pause", "start", "places", "again")


class Connection(forms.Form):
    """The account of a provider."""

    provider = forms.ChoiceField(label=gettext_lazy("Provider"), choices=RecruitmentAccount.Provider.choices)
    token = forms.CharField(
        label=gettext_lazy("API token, or completion URL"),
        max_length=managing.LONGEST_TOKEN,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "Prolific: an API token from your settings there. SONA: the server-side completion URL of the study. It is "
            "stored encrypted and never shown again."
        ),
    )


class DraftForm(forms.Form):
    """A study that is to be made at Prolific."""

    name = forms.CharField(label=gettext_lazy("Title that people see"), max_length=120)
    description = forms.CharField(
        label=gettext_lazy("Description that people see"),
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    places = forms.IntegerField(label=gettext_lazy("Places"), min_value=1, max_value=20_000)
    reward = forms.CharField(
        label=gettext_lazy("Reward for each person"),
        max_length=12,
        help_text=gettext_lazy("In the currency of your account, such as 3.00."),
    )
    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=1, max_value=600)
    excluded_groups = forms.CharField(
        label=gettext_lazy("Participant groups to exclude"),
        required=False,
        max_length=2_000,
        help_text=gettext_lazy("Ids of groups at Prolific, separated by spaces. People in them do not see the study."),
    )

    def clean_reward(self) -> int:
        try:
            reward = money(self.cleaned_data["reward"])
        except LifecycleRefusal as refusal:
            raise forms.ValidationError(str(refusal)) from None
        if not 0 < reward <= 100_000:
            raise forms.ValidationError(_("A reward is more than 0 and at most 1,000."))
        return reward

    def clean_excluded_groups(self) -> list[str]:
        groups: list[str] = self.cleaned_data["excluded_groups"].replace(",", " ").split()
        if len(groups) > 50 or any(not one.isalnum() or not one.isascii() or len(one) > 60 for one in groups):
            raise forms.ValidationError(_("Ids of groups consist of letters and digits."))
        return groups


@dataclass(frozen=True)
class PersonRow:
    """A submission as the page shows it."""

    person: Person
    here: str
    payments: list[Payment]


class RecruitingView(EditorsView):
    """A page of recruitment by API."""

    step = "sources"

    def refuse_editors(self) -> None:
        """Raise PermissionDenied for everybody but the owner."""
        if not self.is_owner:
            raise PermissionDenied(_("Only the owner of the study may do this, because it is about money."))

    def account(self, key: Any) -> RecruitmentAccount:
        """Return an account of this study. Raises Http404."""
        found = RecruitmentAccount.objects.filter(study=self.study, pk=key_in(str(key))).first()
        if found is None:
            raise Http404(_("There is no such account in this study."))
        return found


class Recruiting(RecruitingView):
    """Accounts, submissions and the ledger."""

    template_name = "watch/recruiting.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        self.refuse_viewers()
        return self._page(Connection())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        given, action = request.POST, request.POST.get("action", "")
        if action in OF_OWNERS:
            self.refuse_editors()
        try:
            if action == "connect":
                form = Connection(given)
                if not form.is_valid():
                    return self._page(form, status=422)
                managing.connect(self.study, form.cleaned_data["provider"], form.cleaned_data["token"], request.user)
                messages.success(request, _("The token was stored. Within a minute this page says whether it works."))
            elif action == "propose":
                total = self._propose(self.account(given.get("account")))
                return redirect(self.url("recruiting_total", str(total.pk)))
            elif action == "again":
                total = propose_again(self.account(given.get("account")), request.user)
                return redirect(self.url("recruiting_total", str(total.pk)))
            else:
                self._ask(self.account(given.get("account")), action)
        except LifecycleRefusal as refusal:
            return self._page(Connection(), str(refusal), status=422)
        return redirect(self.url("recruiting"))

    def _ask(self, account: RecruitmentAccount, action: str) -> None:
        user, given = self.request.user, self.request.POST
        if action == "disconnect":
            managing.disconnect(account, user)
            messages.success(self.request, _("The account was removed, and its token deleted."))
            return
        if action == "read":
            managing.ask_to_read(account)
        elif action in managing.TRANSITIONS:
            managing.ask_to_move(account, action, user)
        elif action == "places":
            places = given.get("places", "")
            managing.ask_for_places(account, int(places) if places.isdecimal() and len(places) < 6 else 0, user)
        elif action == "adopt":
            managing.adopt(account, given.get("provider_study", "").strip(), user)
        else:
            raise LifecycleRefusal(_("Nothing was changed. Choose one of the buttons of this page."))
        messages.success(self.request, _("The platform does this within a minute. This page then says how it went."))

    def _propose(self, account: RecruitmentAccount) -> PaymentTotal:
        given = self.request.POST
        kinds = {kind.value: kind for kind in ALL_KINDS[RecruitmentAccount.Provider(account.provider)]}
        kind = kinds.get(given.get("kind", ""))
        if kind is None:
            raise LifecycleRefusal(_("Choose what to do."))
        people = people_of(account)
        amounts: dict[str, int] | int = 0
        lines = given.get("lines", "").strip()
        if kind is Kind.BONUS and lines:
            by_pseudonym = written_amounts(self.study, lines)
            whom = [one for one in people if one.pseudonym in by_pseudonym]
            lacking = sorted(set(by_pseudonym) - {one.pseudonym for one in whom})
            if lacking:
                raise LifecycleRefusal(_("There is no submission of %(names)s.") % {"names": ", ".join(lacking[:10])})
            amounts = {one.key: by_pseudonym[one.pseudonym] for one in whom}
        else:
            whom = chosen(people, given.get("whom", ""), given.getlist("person"))
            if kind in (Kind.BONUS, Kind.SCREEN_OUT):
                amounts = money(given.get("amount", ""))
        return propose(
            account,
            kind,
            whom,
            amounts=amounts,
            purpose=given.get("purpose", ""),
            message=given.get("message", ""),
            category=given.get("category", ""),
            user=self.request.user,
        )

    def _page(self, form: Connection, fault: str = "", *, status: int = 200) -> HttpResponseBase:
        accounts = managing.accounts_of(self.study)
        return self.page(
            form=form,
            fault=fault,
            cards=[self._card(account) for account in accounts],
            can_connect=self.is_owner and len(accounts) < len(RecruitmentAccount.Provider.choices),
            categories=REJECTION_CATEGORIES,
            least=LEAST_OF_A_REJECTION,
            whom=WHOM.items(),
            status=status,
        )

    def _card(self, account: RecruitmentAccount) -> dict[str, Any]:
        by_submission: dict[str, list[Payment]] = defaultdict(list)
        payments = list(Payment.objects.filter(account=account).order_by("pk"))
        for payment in payments:
            by_submission[payment.submission_hash].append(payment)
        rows = [PersonRow(one, _here(one), by_submission[one.submission_hash]) for one in people_of(account)]
        sums = [
            (label, sum(each.amount for each in of_state), len(of_state))
            for state, label in Payment.State.choices
            if (of_state := [each for each in payments if each.state == state])
        ]
        kinds = ALL_KINDS[RecruitmentAccount.Provider(account.provider)]
        return {
            "account": account,
            "reward": in_words(account.reward, account.currency),
            "people": Paginator(rows, A_PAGE).get_page(self.request.GET.get("page")),
            "kinds": [(kind.value, Payment.Kind(kind.value).label) for kind in kinds],
            "sums": [(label, in_words(total, account.currency), number) for label, total, number in sums],
            "to_confirm": [
                (total, in_words(total.total, total.currency))
                for total in account.totals.filter(confirmed_at=None).order_by("pk")
            ],
            "can_be_sent_again": any(
                each.state in (Payment.State.MISSING, Payment.State.REFUSED) and each.submission_sealed
                for each in payments
            ),
            "is_unsettled": any(each.state in (Payment.State.SENT, Payment.State.UNKNOWN) for each in payments),
        }


def _here(one: Person) -> str:
    if not one.pseudonym:
        return _("nobody here")
    if one.session_status == Session.Status.RUNNING:
        return _("Running")
    return str(Session.Outcome(one.outcome).label) if one.outcome else ""


class Draft(RecruitingView):
    """A study for Prolific: what would be sent, exactly, and then its order."""

    template_name = "watch/recruiting_draft.html"

    def get(self, request: HttpRequest, account_id: int) -> HttpResponseBase:
        self.refuse_viewers()
        self.account(account_id)
        initial = {"name": self.study.title, "minutes": self.study.estimated_minutes, "places": self.study.quota}
        return self.page(form=DraftForm(initial=initial), body="")

    def post(self, request: HttpRequest, account_id: int) -> HttpResponseBase:
        self.refuse_editors()
        account = self.account(account_id)
        form = DraftForm(request.POST)
        if not form.is_valid():
            return self.page(form=form, body="", status=422)
        try:
            link = request.build_absolute_uri(self.study.get_absolute_url())
            draft = managing.draft_of(self.study, form.cleaned_data, link=link)
            body = json.dumps(Prolific("", "").body_of_draft(draft), ensure_ascii=False, indent=2)
            if request.POST.get("action") != "create" or request.POST.get("shown") != body:
                cost = in_words(draft.places * draft.reward)
                return self.page(form=form, body=body, cost=cost)
            managing.ask_to_create(account, draft, request.user)
        except LifecycleRefusal as refusal:
            form.add_error(None, str(refusal))
            return self.page(form=form, body="", status=422)
        messages.success(request, _("The draft is made within a minute. It costs nothing before it is published."))
        return redirect(self.url("recruiting"))


class Total(RecruitingView):
    """Proposed payments, with their total, which the owner types to confirm it."""

    template_name = "watch/recruiting_total.html"

    def get(self, request: HttpRequest, total_id: int) -> HttpResponseBase:
        self.refuse_viewers()
        return self._page(self._total(total_id))

    def post(self, request: HttpRequest, total_id: int) -> HttpResponseBase:
        self.refuse_editors()
        total = self._total(total_id)
        try:
            if request.POST.get("action") == "discard":
                discard(total, request.user)
                messages.success(request, _("The proposal was discarded. Nothing was sent."))
            else:
                confirm(total, request.POST.get("typed", ""), request.user)
                messages.success(request, _("The total was confirmed. The payments are sent within a minute."))
        except LifecycleRefusal as refusal:
            return self._page(total, str(refusal), status=422)
        return redirect(self.url("recruiting"))

    def _total(self, key: int) -> PaymentTotal:
        found = PaymentTotal.objects.filter(study=self.study, pk=key).select_related("account").first()
        if found is None:
            raise Http404(_("There is no such proposal in this study."))
        return found

    def _page(self, total: PaymentTotal, fault: str = "", *, status: int = 200) -> HttpResponseBase:
        people = {one.submission_hash: one for one in people_of(total.account)}
        rows = [
            (payment, people.get(payment.submission_hash), in_words(payment.amount, total.currency))
            for payment in total.payments.order_by("pk")
        ]
        said = ngettext("%(n)d person", "%(n)d people", len(rows)) % {"n": len(rows)}
        sum_in_words = in_words(total.total, total.currency)
        return self.page(
            total=total, rows=rows, said=said, in_words=sum_in_words, typed=in_words(total.total), fault=fault,
            message=next((payment.message for payment, _one, _amount in rows if payment.message), ""), status=status,
        )  # fmt: skip
