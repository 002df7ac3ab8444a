"""What people do with the account of a provider on the study's page; each change leaves an entry in the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.rules.sources import PROLIFIC, sources_of
from experiments.study.audit import record
from experiments.study.refusals import LifecycleRefusal
from participants.models import Payment, RecruitmentAccount
from participants.recruiting import working
from participants.recruiting.providers.base import Draft
from participants.recruiting.providers.prolific import PAUSE, PUBLISH, START
from participants.recruiting.providers.sona import is_completion_url
from participants.sealing import keyed_digest

LONGEST_TOKEN, SHORTEST_TOKEN = 1_000, 16
# What a button asks for: the provider's word, and the state that then is there.
TRANSITIONS: Mapping[str, tuple[str, str]] = {
    "publish": (PUBLISH, "ACTIVE"),
    "pause": (PAUSE, "PAUSED"),
    "start": (START, "ACTIVE"),
}
# Outcomes for which a study at Prolific has codes.
CODES = ("completed", "screened-out", "failed-check", "over-quota", "declined")


@transaction.atomic
def connect(study: Study, provider: str, token: str, user: Any) -> RecruitmentAccount:
    """Store a token, sealed; a new one replaces the old one. Raises LifecycleRefusal."""
    token = token.strip()
    if provider not in RecruitmentAccount.Provider.values:
        raise LifecycleRefusal(_("Choose the provider."))
    if provider == RecruitmentAccount.Provider.SONA and not is_completion_url(token):
        raise LifecycleRefusal(
            _(
                "Copy the server-side completion URL of your study from SONA. It begins with https:// and contains "
                "WebstudyCredit, experiment_id and credit_token."
            )
        )
    if not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN or not token.isascii() or any(mark <= " " for mark in token):
        raise LifecycleRefusal(_("This is not an API token. Copy the whole token from your provider's settings."))
    account = RecruitmentAccount.objects.select_for_update().filter(study=study, provider=provider).first()
    if account is None:
        account = RecruitmentAccount(study=study, provider=provider, created_by=user, created_at=timezone.now())
    account.token = token
    account.is_over = False
    try:
        with transaction.atomic():
            account.save()
    except IntegrityError:
        raise LifecycleRefusal(_("Somebody connected this provider a moment ago. Look at the page again.")) from None
    _wish(account, {"action": working.TEST})
    record(study, action="recruitment account connected", user=user, detail=provider)
    return account


@transaction.atomic
def disconnect(account: RecruitmentAccount, user: Any) -> None:
    """Forget the token and everything read. Raises LifecycleRefusal while payments are on their way.

    The ledger goes with it, unless something was paid: then the account stays without a token, so that nobody is paid
    again.
    """
    account = RecruitmentAccount.objects.select_for_update().get(pk=account.pk)
    if account.payments.filter(state__in=[Payment.State.SENT, Payment.State.UNKNOWN]).exists():
        raise LifecycleRefusal(_("Payments are on their way. Wait until they are confirmed."))
    account.submissions.all().delete()
    account.payments.filter(state=Payment.State.PREPARED, sent_at=None).delete()
    account.totals.filter(payments=None).delete()
    if account.payments.exists():
        account.token_sealed, account.wish, account.wished_at, account.is_over = "", {}, None, True
        account.save(update_fields=["token_sealed", "wish", "wished_at", "is_over"])
    else:
        account.delete()
    record(account.study, action="recruitment account removed", user=user, detail=account.provider)


def draft_of(study: Study, details: Mapping[str, Any], *, link: str) -> Draft:
    """Return the study as it would be made at Prolific; `link` is the address of its first page.

    Raises LifecycleRefusal without a source of the kind Prolific that has a code for people who completed the study.
    """
    source = next((one for one in sources_of(study.sources) if one.kind == PROLIFIC), None)
    codes = {
        outcome: source.outcomes[outcome].code
        for outcome in CODES
        if source is not None and outcome in source.outcomes and source.outcomes[outcome].code
    }
    if "completed" not in codes:
        raise LifecycleRefusal(
            _("Add a source for Prolific on the page Recruitment first, with a code for “Completed”.")
        )
    if len(set(codes.values())) < len(codes):
        raise LifecycleRefusal(_("Two outcomes have the same code. Prolific needs a different code for each."))
    return Draft(
        key=f"lectern-{study.slug}-{keyed_digest(f'draft {study.pk}')[:8]}",
        name=str(details["name"]),
        description=str(details["description"]),
        link=link,
        places=int(details["places"]),
        reward=int(details["reward"]),
        minutes=int(details["minutes"]),
        codes=codes,
        excluded_groups=tuple(details.get("excluded_groups") or ()),
    )


def ask_to_create(account: RecruitmentAccount, draft: Draft, user: Any) -> None:
    """Let the worker make the draft. Raises LifecycleRefusal where there is a study already."""
    if account.provider_study:
        raise LifecycleRefusal(_("The study is at the provider already."))
    _wish(account, {"action": working.CREATE, "draft": asdict(draft)})
    record(account.study, action="recruitment draft asked for", user=user, detail=f"{draft.places} places")


def ask_to_move(account: RecruitmentAccount, what: str, user: Any) -> None:
    """Let the worker publish, pause or start the study at the provider. Raises LifecycleRefusal."""
    if what not in TRANSITIONS or not account.provider_study:
        raise LifecycleRefusal(_("There is no study at the provider yet."))
    to, status = TRANSITIONS[what]
    _wish(account, {"action": working.TRANSITION, "to": to, "status": status})
    record(account.study, action="recruitment changed", user=user, detail=what)


def ask_for_places(account: RecruitmentAccount, places: int, user: Any) -> None:
    """Let the worker set how many people may take part in all; fewer than now are refused. Raises LifecycleRefusal."""
    if not account.provider_study:
        raise LifecycleRefusal(_("There is no study at the provider yet."))
    if places <= account.places:
        raise LifecycleRefusal(_("The study has %(n)d places. Write a larger number.") % {"n": account.places})
    _wish(account, {"action": working.PLACES, "places": places})
    record(account.study, action="recruitment changed", user=user, detail=f"{places} places")


def ask_to_read(account: RecruitmentAccount) -> None:
    """Let the worker read the submissions now, which settles what is unknown."""
    _wish(account, {"action": working.READ})


def adopt(account: RecruitmentAccount, provider_study: str, user: Any) -> None:
    """Use a study that was made at the provider by hand. Raises LifecycleRefusal."""
    if account.provider_study:
        raise LifecycleRefusal(_("The study is at the provider already."))
    if not provider_study.isascii() or not provider_study.isalnum() or len(provider_study) > 60:
        raise LifecycleRefusal(_("The id of a study consists of letters and digits, as in its address at Prolific."))
    account.provider_study = provider_study
    account.save(update_fields=["provider_study"])
    ask_to_read(account)
    record(account.study, action="recruitment changed", user=user, detail="study adopted")


def _wish(account: RecruitmentAccount, wish: dict[str, Any]) -> None:
    RecruitmentAccount.objects.filter(pk=account.pk).update(wish=wish, wished_at=timezone.now())


def accounts_of(study: Study) -> Sequence[RecruitmentAccount]:
    """Return the accounts of a study."""
    return list(RecruitmentAccount.objects.filter(study=study))
