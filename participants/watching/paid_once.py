"""Whether the ledger of payments is sound. It only reads."""

from __future__ import annotations

from django.db.models import Count, F, Q, Sum

from experiments.models import Study
from participants.models import Payment, PaymentTotal

SENT = (Payment.State.SENT, Payment.State.UNKNOWN)


def paid_once(study: Study) -> list[str]:
    """I12: one row for each submission and purpose, nothing sent that nobody confirmed, totals equal their rows."""
    rows = Payment.objects.filter(study=study)
    twice = rows.order_by().values("submission_hash", "purpose").annotate(number=Count("pk")).filter(number__gt=1)
    faults = [f"{row['number']} payments are for one submission and one purpose ({row['purpose']})." for row in twice]
    flying = rows.filter(kind=Payment.Kind.BONUS, state__in=SENT).order_by().values("submission_hash")
    faults += [
        f"{row['number']} bonuses of one submission are on their way at once."
        for row in flying.annotate(number=Count("pk")).filter(number__gt=1)
    ]
    unconfirmed = rows.filter(total__confirmed_at=None).exclude(
        state__in=[Payment.State.PREPARED, Payment.State.REFUSED, Payment.State.CONFIRMED]
    )
    faults += [f"Payment {row.pk} is {row.state}, but nobody confirmed its total." for row in unconfirmed]
    odd = rows.filter(Q(state__in=SENT, sent_at=None) | ~Q(account__study=study) | ~Q(total__account=F("account")))
    faults += [f"Payment {row.pk} has no time at which it was sent, or belongs elsewhere." for row in odd]
    totals = PaymentTotal.objects.filter(study=study, confirmed_at=None).annotate(sum=Sum("payments__amount"))
    return faults + [
        f"Total {total.pk} is {total.total}, but its payments come to {total.sum or 0}."
        for total in totals
        if (total.sum or 0) != total.total
    ]
