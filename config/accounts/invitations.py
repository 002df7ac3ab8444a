"""Create, look up and accept invitations; a link is shown once and used once."""

from __future__ import annotations

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from config.accounts.models import Invitation
from config.accounts.roles import ADMINISTRATOR, give_role, has_administrator
from experiments.models import Study
from experiments.study.access import role_in
from experiments.study.audit import record_of_account, record_of_platform
from experiments.study.lifecycle import save_member

FIRST_HOURS = 24
DAYS = 7


class UsedUp(Exception):
    """The link has been used meanwhile, was revoked, or has expired."""


def digest(token: str) -> str:
    """Return the stored digest of a token."""
    return sha256(token.encode()).hexdigest()


def first_link() -> str:
    """Create the only link of a platform without an administrator and return its path; earlier ones become invalid.

    Raises UsedUp if there is an administrator.
    """
    with transaction.atomic():
        if has_administrator():
            raise UsedUp
        Invitation.objects.filter(is_first=True).delete()
        path = _made(role=ADMINISTRATOR, is_first=True, expires_at=timezone.now() + timedelta(hours=FIRST_HOURS))
        record_of_platform(action="first link made", user=None)
    return path


def invite(*, by: Any, role: str, email: str = "", study: Study | None = None, study_role: str = "") -> str:
    """Create a link for a colleague and return its path, which cannot be recovered later. `by` is None for a
    command.
    """
    with transaction.atomic():
        path = _made(
            role=role,
            email=email,
            study=study,
            study_role=study_role,
            created_by=by,
            expires_at=timezone.now() + timedelta(days=DAYS),
        )
        detail = ", ".join(filter(None, [role, email, f"{study_role} of {study.slug}" if study else ""]))
        record_of_platform(action="invitation made", user=by, detail=detail)
    return path


def _made(**fields: Any) -> str:
    token = secrets.token_urlsafe(32)
    made = Invitation.objects.create(token_hash=digest(token), **fields)
    return reverse("invitation", args=[made.pk, token])


def find(pk: int, token: str) -> Invitation | None:
    """Return the valid invitation of a link, or None."""
    found = Invitation.objects.select_related("study", "created_by").filter(pk=pk).first()
    # Compared in constant time, also where there is no such invitation.
    is_right = secrets.compare_digest(found.token_hash if found else digest(""), digest(token))
    if found is None or not is_right or found.used_at is not None or found.expires_at <= timezone.now():
        return None
    if found.is_first:
        return None if has_administrator() else found
    return found if _still_stands(found) else None


def _still_stands(invitation: Invitation) -> bool:
    """Return whether the inviting user still has the right to invite; a command always has."""
    by = invitation.created_by
    if by is None:
        return True
    if not by.is_active:
        return False
    return by.is_superuser or (invitation.study is not None and role_in(by, invitation.study) == "owner")


def accept(pk: int, token: str, *, name: str, email: str, password: str) -> User:
    """Create the account and mark the link as used, atomically. Raises UsedUp."""
    with transaction.atomic():
        invitation = _used_up(pk, token)
        user = User(username=email, email=email, first_name=name)
        user.set_password(password)
        give_role(user, invitation.role)
        record_of_account(user, action="account made", user=user, detail=f"{invitation.role}, by a link")
        _share(invitation, user)
    return user


def join(pk: int, token: str, *, user: User) -> Study:
    """Add a user who already has an account to the study of a link. Raises UsedUp if the link has no study."""
    with transaction.atomic():
        invitation = _used_up(pk, token)
        if invitation.study is None:
            raise UsedUp
        _share(invitation, user)
    return invitation.study


def _used_up(pk: int, token: str) -> Invitation:
    # Locked, so that of two who open a link at once only one gets an account.
    list(Invitation.objects.select_for_update().filter(pk=pk).values_list("pk"))
    invitation = find(pk, token)
    if invitation is None:
        raise UsedUp
    invitation.used_at = timezone.now()
    invitation.save(update_fields=["used_at"])
    return invitation


def _share(invitation: Invitation, user: User) -> None:
    study = invitation.study
    if study is not None and role_in(user, study) == "":
        save_member(study, user, invitation.study_role, invitation.created_by)
