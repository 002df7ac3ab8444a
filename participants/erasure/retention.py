"""Enforce retention: erase studies on their erasure day, if so configured, and notify their owners beforehand."""

from __future__ import annotations

import logging
from datetime import date

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _

from experiments.models import NOTICE, Membership, Study
from experiments.study.audit import record
from experiments.study.lifecycle import close_study
from participants.erasure.whole_studies import erase_all
from participants.models import Participant

logger = logging.getLogger(__name__)


def keep_promises(*, today: date | None = None) -> None:
    """Send the notices that are due and erase what is due; safe to call at any time."""
    give_notices(today=today)
    erase_what_is_due(today=today)


def give_notices(*, today: date | None = None) -> int:
    """Notify owners of studies that will be erased within 30 days, once per erasure day; return the number of
    studies.
    """
    today = today or timezone.localdate()
    waiting = _with_people().filter(retention_until__lte=today + NOTICE)
    told = 0
    for study in waiting.filter(
        Q(retention_noticed_for=None) | ~Q(retention_noticed_for=F("retention_until"))
    ).select_related("owner"):
        now = timezone.now()
        with transaction.atomic():
            claimed = Study.objects.filter(
                pk=study.pk, erases_itself=True, retention_until=study.retention_until,
                retention_noticed_for=study.retention_noticed_for,
            )  # fmt: skip
            if not claimed.update(retention_noticed_for=study.retention_until, retention_noticed_at=now):
                continue  # another process was faster, or the day was changed
            study.refresh_from_db()
            record(study, action="erasure announced", user=None, detail=f"for {study.erasure_day}")
        told += 1
        _write_notice(study)
    return told


def erase_what_is_due(*, today: date | None = None) -> int:
    """Close and erase studies whose erasure day has come and whose owners were notified in time; return their
    number.
    """
    today = today or timezone.localdate()
    erased = 0
    for study in _with_people().filter(retention_until__lte=today, retention_noticed_for=F("retention_until")):
        with transaction.atomic():
            study = Study.objects.select_for_update().get(pk=study.pk)
            if study.erasure_day is None or study.erasure_day > today:
                continue
            if study.status == Study.Status.OPEN:
                close_study(study, None)
            erase_all(study, user=None)
            Study.objects.filter(pk=study.pk).update(retention_noticed_for=None, retention_noticed_at=None)
        logger.info("All participants of the study %s were erased, as it is set", study.slug)
        erased += 1
    return erased


def _with_people() -> QuerySet[Study]:
    return Study.objects.filter(Exists(Participant.objects.filter(study=OuterRef("pk"))), erases_itself=True)


def _addresses(study: Study) -> list[str]:
    """Return the addresses to notify: the owner; if unreachable the editors; otherwise the administrators."""
    accounts = User.objects.filter(is_active=True).exclude(email="").order_by("pk")
    for people in (
        accounts.filter(pk__in=[study.owner_id] if study.owner_id else []),
        accounts.filter(memberships__study=study, memberships__role=Membership.Role.EDITOR),
        accounts.filter(is_superuser=True),
    ):
        if found := list(people.values_list("email", flat=True)):
            return found
    return []


def _write_notice(study: Study) -> None:
    addresses = _addresses(study) if settings.MAIL_IS_SET_UP else []
    if not addresses:
        return
    with translation.override(settings.LANGUAGE_CODE):
        day = formats.date_format(study.erasure_day, "DATE_FORMAT") if study.erasure_day else ""
        try:
            send_mail(
                # A subject is one line.
                _("The data of “%(title)s” will be erased on %(day)s")
                % {"title": " ".join(study.title.split()), "day": day},
                _(
                    "On %(day)s the study “%(title)s” (%(slug)s) is closed, and everything about its "
                    "participants is erased permanently, as its settings say.\n\nBefore that day, export what you "
                    "may keep. To choose another day, or to erase by hand, open “Settings” of the study."
                )
                % {"title": study.title, "slug": study.slug, "day": day},
                None,
                addresses,
            )
        except Exception:
            # A failure of one message must not stop the others or the erasure.
            logger.exception("The notice of the erasure of %s could not be sent; its pages show it", study.slug)
