"""Propose payments and decisions, confirm their total, and send again what was not done. Nobody reads an id.

Proposed twice, a purpose is there once: the database refuses a second row for a submission and a purpose. Only rows of
a confirmed total are sent, and confirming it twice confirms it once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.study.audit import record
from experiments.study.refusals import LifecycleRefusal
from participants.models import (
    Participant,
    Payment,
    PaymentTotal,
    ProviderSubmission,
    RecruitmentAccount,
    RecruitmentIdentity,
    Session,
)
from participants.recruiting.ledger import OF_REWARD, REWARD, Event, Kind, after
from participants.recruiting.providers.prolific import LEAST_OF_A_REJECTION, REJECTION_CATEGORIES
from participants.recruiting.storing import row_of

MOST_ROWS = 2_000
MOST_OF_ONE = 100_000
LONGEST_MESSAGE = 2_000
AT_ONCE = 500


@dataclass(frozen=True)
class Person:
    """A submission beside the session of its person, if there is one. `key` stands for it on pages."""

    key: str
    submission_hash: str
    submission_sealed: str
    status: str
    pseudonym: str = ""
    session_status: str = ""
    outcome: str = ""


def people_of(account: RecruitmentAccount) -> list[Person]:
    """Return everybody who can be paid by an account: submissions with their sessions, and for SONA the sessions."""
    study = account.study
    sessions = {
        hashed: (pseudonym, status, outcome, sealed)
        for hashed, pseudonym, status, outcome, sealed in RecruitmentIdentity.objects.filter(
            study=study, participant__is_simulated=False
        ).values_list(
            "external_id_hash",
            "participant__pseudonym",
            "participant__sessions__status",
            "participant__sessions__outcome",
            "external_id_sealed",
        )
    }
    if account.provider == RecruitmentAccount.Provider.SONA:
        codes = RecruitmentIdentity.objects.filter(study=study, source="survey_code", participant__is_simulated=False)
        return [
            Person(f"i{pk}", hashed, sealed, "", *sessions[hashed][:3])
            for pk, hashed, sealed in codes.order_by("pk").values_list("pk", "external_id_hash", "external_id_sealed")
        ]
    found = ProviderSubmission.objects.filter(account=account).order_by("pk")
    columns = ("pk", "submission_hash", "submission_sealed", "status", "person_hash")
    return [
        Person(f"s{pk}", hashed, sealed, status, *(sessions[person][:3] if person in sessions else ()))
        for pk, hashed, sealed, status, person in found.values_list(*columns)
    ]


def money(text: str) -> int:
    """Return an amount in hundredths. Raises LifecycleRefusal.

    >>> money("1.50"), money("2,05"), money("7")
    (150, 205, 700)
    """
    try:
        amount = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0 or amount != round(amount, 2) or amount * 100 > MOST_OF_ONE * MOST_ROWS:
        raise LifecycleRefusal(_("“%(text)s” is not an amount. Write it like 1.50.") % {"text": text[:40]})
    return int(amount * 100)


def in_words(hundredths: int, currency: str = "") -> str:
    """Return an amount as pages write it.

    >>> in_words(150, "GBP"), in_words(5)
    ('1.50 GBP', '0.05')
    """
    return f"{hundredths // 100}.{hundredths % 100:02d} {currency}".strip()


def written_amounts(study: Study, text: str) -> dict[str, int]:
    """Return amounts by pseudonym from lines like `P7K2M, 1.50`. Raises LifecycleRefusal with every wrong line."""
    amounts: dict[str, int] = {}
    faults = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        pseudonym, _comma, amount = line.replace(";", ",").replace("\t", ",").partition(",")
        name = pseudonym.strip().upper()
        try:
            given = money(amount)
        except LifecycleRefusal:
            faults.append(_("Line %(n)d: write a participant, a comma and an amount.") % {"n": number})
            continue
        if name in amounts:
            faults.append(_("Line %(n)d: %(name)s appears twice.") % {"n": number, "name": name})
        amounts[name] = given
    known = set(
        Participant.objects.filter(study=study, pseudonym__in=list(amounts)).values_list("pseudonym", flat=True)
    )
    strangers = [name for name in amounts if name not in known]
    if strangers:
        faults.append(_("There are no participants %(names)s.") % {"names": ", ".join(strangers[:10])})
    if faults or not amounts:
        raise LifecycleRefusal(" ".join(faults[:10]) or _("Write at least one line."))
    return amounts


@transaction.atomic
def propose(
    account: RecruitmentAccount,
    kind: Kind,
    people: Iterable[Person],
    *,
    amounts: Mapping[str, int] | int = 0,
    purpose: str = "",
    message: str = "",
    category: str = "",
    user: Any,
) -> PaymentTotal:
    """Prepare one row for each person and return their total, which the owner has to confirm.

    `amounts`: of everybody, or by `Person.key`. People who have a row for the purpose already are left out. Raises
    LifecycleRefusal, also where nobody is left.
    """
    purpose = REWARD if kind in OF_REWARD else (purpose.strip().lower() or kind.value)
    message = message.strip()
    _check(account, kind, purpose, message, category)
    RecruitmentAccount.objects.select_for_update().get(pk=account.pk)
    now = timezone.now()
    total = PaymentTotal.objects.create(
        study=account.study, account=account, total=0, currency=account.currency, created_by=user, created_at=now
    )
    has_row = set(
        Payment.objects.filter(study=account.study, purpose=purpose).values_list("submission_hash", flat=True)
    )
    rows = []
    for person in people:
        amount = amounts if isinstance(amounts, int) else amounts.get(person.key, 0)
        is_paid = kind in (Kind.BONUS, Kind.SCREEN_OUT)
        if person.submission_hash in has_row or (is_paid and amount == 0):
            continue
        if is_paid and not 0 < amount <= MOST_OF_ONE:
            raise LifecycleRefusal(
                _("One amount is %(amount)s; the most for one person is %(most)s.")
                % {"amount": in_words(amount), "most": in_words(MOST_OF_ONE)}
            )
        has_row.add(person.submission_hash)
        rows.append(
            Payment(
                study=account.study,
                account=account,
                total=total,
                submission_hash=person.submission_hash,
                submission_sealed=person.submission_sealed,
                kind=kind.value,
                purpose=purpose,
                amount=account.reward if kind is Kind.APPROVE else amount if is_paid else 0,
                message=message,
                category=category if kind is Kind.REJECT else "",
                changed_at=now,
            )
        )
    if not rows:
        raise LifecycleRefusal(_("Nobody is left for this: everybody chosen has a row for this purpose already."))
    if len(rows) > MOST_ROWS:
        raise LifecycleRefusal(_("Propose at most %(n)d at once.") % {"n": MOST_ROWS})
    Payment.objects.bulk_create(rows, batch_size=AT_ONCE)
    total.total = sum(row.amount for row in rows)
    total.save(update_fields=["total"])
    detail = f"{kind.value}, {purpose}: {len(rows)} rows, {in_words(total.total, total.currency)}"
    record(account.study, action="payments proposed", user=user, detail=detail)
    return total


def _check(account: RecruitmentAccount, kind: Kind, purpose: str, message: str, category: str) -> None:
    of_sona = account.provider == RecruitmentAccount.Provider.SONA
    if of_sona != (kind is Kind.CREDIT):
        raise LifecycleRefusal(_("This provider cannot do that."))
    if len(purpose) > 40 or (purpose == REWARD and kind not in OF_REWARD) or not purpose.isprintable():
        raise LifecycleRefusal(_("Name the bonus in at most 40 characters, and not “reward”."))
    if len(message) > LONGEST_MESSAGE:
        raise LifecycleRefusal(_("The message has at most %(n)d characters.") % {"n": LONGEST_MESSAGE})
    if kind is Kind.REJECT and (len(message) < LEAST_OF_A_REJECTION or category not in REJECTION_CATEGORIES):
        raise LifecycleRefusal(
            _("A rejection needs a category, and a message of at least %(n)d characters. Yours has %(have)d.")
            % {"n": LEAST_OF_A_REJECTION, "have": len(message)}
        )
    if kind is Kind.RETURN and not message:
        raise LifecycleRefusal(_("Write why people are asked to return their submission. They read it."))


@transaction.atomic
def confirm(total: PaymentTotal, typed: str, user: Any) -> None:
    """Confirm a total by typing it; from then on its rows are sent. Confirmed again, nothing changes.

    Raises LifecycleRefusal where another total was typed.
    """
    total = PaymentTotal.objects.select_for_update().get(pk=total.pk)
    if total.confirmed_at is not None:
        return
    rows = list(total.payments.values_list("amount", flat=True))
    if money(typed) != total.total or sum(rows) != total.total:
        raise LifecycleRefusal(
            _("The total is %(total)s. Type exactly this to confirm it; nothing was sent.")
            % {"total": in_words(total.total, total.currency)}
        )
    total.confirmed_by, total.confirmed_at = user, timezone.now()
    total.save(update_fields=["confirmed_by", "confirmed_at"])
    detail = f"{len(rows)} rows, {in_words(total.total, total.currency)}"
    record(total.study, action="payments confirmed", user=user, detail=detail)


@transaction.atomic
def discard(total: PaymentTotal, user: Any) -> None:
    """Discard a total that nobody confirmed, with its rows."""
    total = PaymentTotal.objects.select_for_update().get(pk=total.pk)
    if total.confirmed_at is not None:
        raise LifecycleRefusal(_("This total was confirmed; its payments are sent."))
    # Rows that were tried before under another total keep what is known of them.
    total.payments.filter(sent_at=None).delete()
    if total.payments.exists():
        raise LifecycleRefusal(_("Some of these rows were sent before and cannot be discarded. Confirm the total."))
    total.delete()
    record(total.study, action="payments discarded", user=user)


@transaction.atomic
def propose_again(account: RecruitmentAccount, user: Any) -> PaymentTotal:
    """Propose again all rows that were refused, or that were read back as not done. Raises LifecycleRefusal."""
    RecruitmentAccount.objects.select_for_update().get(pk=account.pk)
    states = [Payment.State.MISSING, Payment.State.REFUSED]
    rows: Sequence[Payment] = list(
        Payment.objects.select_for_update().filter(account=account, state__in=states).exclude(submission_sealed="")
    )
    if not rows:
        raise LifecycleRefusal(_("There is nothing to send again."))
    now = timezone.now()
    total = PaymentTotal.objects.create(
        study=account.study,
        account=account,
        total=sum(row.amount for row in rows),
        currency=account.currency,
        created_by=user,
        created_at=now,
    )
    for row in rows:
        was_missing = row.state == Payment.State.MISSING
        row.state, row.total, row.changed_at = after(row_of(row), Event.AGAIN).value, total, now
        # Of what was read back as not done it stays known when it was sent: it may still turn up.
        row.sent_at = row.sent_at if was_missing else None
        row.save(update_fields=["state", "total", "sent_at", "changed_at"])
    record(account.study, action="payments proposed", user=user, detail=f"again: {len(rows)} rows")
    return total


def chosen(people: Sequence[Person], rule: str, keys: Iterable[str] = ()) -> list[Person]:
    """Return the people whom a rule of the page chooses: who completed here and waits there, who was screened out here,
    or those ticked.
    """
    complete = Session.Status.COMPLETE.value
    screened = (Session.Outcome.SCREENED_OUT.value, Session.Outcome.FAILED_CHECK.value)
    # SONA shows no status.
    waits = ("AWAITING REVIEW", "")
    match rule:
        case "completed":
            return [one for one in people if one.session_status == complete and one.status in waits]
        case "finished":
            return [one for one in people if one.session_status == complete and one.status in (*waits, "APPROVED")]
        case "screened":
            return [one for one in people if one.outcome in screened and one.status in ("ACTIVE", *waits)]
        case "ticked":
            wanted = set(keys)
            return [one for one in people if one.key in wanted]
    return []
