"""Tell people what they asked to be told of their studies: on the page *Notifications*, and by mail where it is set up.

`tell_some` is a duty of the worker: requests of participants do nothing for it. Each notification has a key, and the
database takes a key once, so however many workers look at the same time, everything is told once.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from experiments.models import Study
from experiments.study.access import CODER, role_in, studies_with_data_for
from participants.models import BrowserError, IntakeProblem, Notification, Session, Subscription
from participants.session.assignment import valid_sessions
from participants.watching.monitoring import Tally, tally_of

logger = logging.getLogger(__name__)
# Of fewer people a share says nothing.
LEAST_STARTED = 10
# A closed study is looked at for as long as somebody may still be counted as running.
AFTER_CLOSING = timedelta(days=2)


@dataclass(frozen=True)
class Due:
    """Something that is to be told: its kind, the key under which it is told once, and a number for the sentence."""

    kind: str
    key: str
    number: int


@dataclass(frozen=True)
class Standing:
    """How a study stands, for everybody who asked: real sessions alone."""

    tally: Tally
    is_full: bool


def tell_some() -> None:
    """Store what is due, once for each person, and mail it to those who want that; a failed mail stops nothing."""
    subscriptions = Subscription.objects.filter(_worth_a_look(), user__is_active=True).select_related("study", "user")
    known: dict[int, Standing] = {}
    for subscription in subscriptions.order_by("study_id", "pk"):
        study = subscription.study
        # Who lost the role in the meantime is told nothing.
        if role_in(subscription.user, study) in ("", CODER):
            continue
        if study.pk not in known:
            known[study.pk] = standing_of(study)
        for due in what_is_due(subscription, known[study.pk]):
            with transaction.atomic():
                told, is_new = Notification.objects.get_or_create(
                    study=study, user=subscription.user, kind=due.kind, key=due.key, defaults={"number": due.number}
                )
            if is_new and subscription.by_mail:
                _mail(told)


def _worth_a_look() -> Q:
    wanted = Q(every_finished__isnull=False) | Q(quota_full=True) | Q(errors=True) | Q(dropouts_above__isnull=False)
    lately = Session.objects.filter(last_seen_at__gte=timezone.now() - AFTER_CLOSING).values("study")
    return wanted & (Q(study__status=Study.Status.OPEN) | Q(study__in=lately))


def standing_of(study: Study) -> Standing:
    """Return how a study stands now."""
    tally = tally_of(study, simulated=False)
    taken = valid_sessions(study, simulated=False, now=timezone.now()).count() if study.quota is not None else 0
    return Standing(tally, study.quota is not None and taken >= study.quota)


def what_is_due(subscription: Subscription, standing: Standing) -> Iterator[Due]:
    """Yield what is to be told by the choices of a person; what was told before is among it."""
    tally, study = standing.tally, subscription.study
    if step := subscription.every_finished:
        reached = tally.finished // step * step
        if reached > subscription.finished_before:
            yield Due(Notification.Kind.FINISHED, str(reached), tally.finished)
    if subscription.quota_full and standing.is_full:
        yield Due(Notification.Kind.QUOTA, str(study.quota), study.quota or 0)
    if subscription.errors and (day := _last_error_since(subscription)):
        yield Due(Notification.Kind.ERRORS, day, 0)
    limit = subscription.dropouts_above
    if limit is not None and tally.started >= LEAST_STARTED:
        share = 100 * tally.dropped / tally.started
        if share > limit:
            yield Due(Notification.Kind.DROPOUTS, str(limit), round(share))


def _last_error_since(subscription: Subscription) -> str:
    study, since = subscription.study, subscription.changed_at
    of_browser = BrowserError.objects.filter(
        Q(session=None) | Q(session__is_simulated=False), study=study, at__gte=since
    )
    aside = IntakeProblem.objects.filter(
        session__study=study, session__is_simulated=False, received_at__gte=since
    ).exclude(kind=IntakeProblem.Kind.RESTARTED)
    times = [
        *of_browser.order_by("-pk").values_list("at", flat=True)[:1],
        *aside.order_by("-pk").values_list("received_at", flat=True)[:1],
    ]
    return max(times).date().isoformat() if times else ""


def sentence_of(notification: Notification) -> str:
    """Return what happened, as a sentence in the language of the reader."""
    number = notification.number
    if notification.kind == Notification.Kind.FINISHED:
        return ngettext("%(n)d person has finished.", "%(n)d people have finished.", number) % {"n": number}
    if notification.kind == Notification.Kind.QUOTA:
        return _("The quota of %(n)d people is full.") % {"n": number}
    if notification.kind == Notification.Kind.ERRORS:
        return _("There were errors on %(day)s. Open Monitor to see them.") % {"day": notification.key}
    return _("%(n)d %% of the people who began have left, more than the %(limit)s %% that you set.") % {
        "n": number,
        "limit": notification.key,
    }


def notifications_for(user: Any) -> QuerySet[Notification]:
    """Return what somebody was told of studies whose data they may still see, the newest first."""
    mine = Notification.objects.filter(user=user)
    return mine if user.is_superuser else mine.filter(study__in=studies_with_data_for(user))


def unread_for(user: Any) -> int:
    """Return how many notifications somebody has not read."""
    return notifications_for(user).filter(read_at=None).count() if user.is_authenticated else 0


def _mail(notification: Notification) -> None:
    address = notification.user.email
    if not settings.MAIL_IS_SET_UP or not address:
        return
    study = notification.study
    with translation.override(settings.LANGUAGE_CODE):
        said = sentence_of(notification)
        try:
            send_mail(
                # A subject is one line.
                f"{' '.join(study.title.split())}: {said}",
                _(
                    "%(said)s\n\nStudy: “%(title)s” (%(slug)s).\nYou choose these messages on its page Monitor, "
                    "under Notifications."
                )
                % {"said": said, "title": study.title, "slug": study.slug},
                None,
                [address],
            )
        except Exception:
            # The page has it; the next message is sent all the same.
            logger.exception("A notification of %s could not be sent", study.slug)
