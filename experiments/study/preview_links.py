"""Preview links: let people without an account, such as supervisors and ethics boards, read and try out a study.

People with such a link see what participants see, but no participants' data; nothing is stored. The token is random,
stored only as a hash, and valid until the link expires or is revoked.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import PreviewLink, Study
from experiments.study.audit import record
from experiments.study.refusals import LifecycleRefusal

USUAL_DAYS = 60
MOST_DAYS = 366
MOST_LINKS = 50
# 192 bits, which cannot be guessed.
_BYTES = 24


@transaction.atomic
def make_preview_link(study: Study, *, note: str, days: int, user: Any) -> tuple[PreviewLink, str]:
    """Create a link that is valid for this many days. Return it and its token, which cannot be recovered later.

    Raises LifecycleRefusal without a note, for days that make no sense, and where a study has too many links.
    """
    note = note.strip()
    if not note or len(note) > 100:
        raise LifecycleRefusal(_("Write in 1 to 100 characters who will use the link. No link was made."))
    if not 1 <= days <= MOST_DAYS:
        raise LifecycleRefusal(_("A link is valid for 1 to %(n)d days. No link was made.") % {"n": MOST_DAYS})
    if study.preview_links.count() >= MOST_LINKS:
        raise LifecycleRefusal(_("A study can have at most %(n)d links. No link was made.") % {"n": MOST_LINKS})
    token = token_urlsafe(_BYTES)
    link = PreviewLink.objects.create(
        study=study,
        token_hash=_hash_of(token),
        note=note,
        created_by=user,
        expires_at=timezone.now() + timedelta(days=days),
    )
    record(study, action="preview link made", user=user, detail=f"{note}, until {link.expires_at:%Y-%m-%d}")
    return link, token


@transaction.atomic
def revoke_preview_link(study: Study, pk: int, user: Any) -> None:
    """Revoke a link at once. Does nothing if it is already revoked; raises LifecycleRefusal for an unknown link."""
    link = study.preview_links.select_for_update().filter(pk=pk).first()
    if link is None:
        raise LifecycleRefusal(_("There is no such link."))
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        record(study, action="preview link taken back", user=user, detail=link.note)


def holding_link(study: Study, token: str) -> PreviewLink | None:
    """Return the link of a study that a token opens now, or None."""
    if not token or len(token) > 100:
        return None
    links = study.preview_links.filter(revoked_at=None, expires_at__gt=timezone.now())
    return links.filter(token_hash=_hash_of(token)).first()


def _hash_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
