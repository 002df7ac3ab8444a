"""Roles of accounts (administrator, researcher, guest, closed) and their representation in Django's fields."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import Group, User
from django.utils.translation import gettext_lazy as _

from config.accounts.models import Invitation
from experiments.study.access import GUESTS, may_make_studies

CLOSED = "closed"
ADMINISTRATOR, RESEARCHER, GUEST = (role.value for role in Invitation.Role)
CHOICES = [
    (RESEARCHER, _("Makes studies: sees their own studies and those that are shared with them")),
    (GUEST, _("Sees only what is shared with them, and cannot make studies")),
    (ADMINISTRATOR, _("Administrator: sees all studies and invites people")),
    (CLOSED, _("Cannot log in")),
]

IN_SHORT = {
    RESEARCHER: _("Researcher: makes studies"),
    GUEST: _("Guest: sees what is shared"),
    ADMINISTRATOR: _("Administrator: sees everything"),
    CLOSED: _("Closed: cannot log in"),
}


def role_of(user: User) -> str:
    """Return 'administrator', 'researcher', 'guest' or 'closed'."""
    if not user.is_active or not user.is_staff:
        return CLOSED
    if user.is_superuser:
        return ADMINISTRATOR
    return RESEARCHER if may_make_studies(user) else GUEST


def give_role(user: User, role: str) -> None:
    """Store a role. A closed account keeps its other fields, and is reopened by another role."""
    user.is_active = role != CLOSED
    if role != CLOSED:
        user.is_staff, user.is_superuser = True, role == ADMINISTRATOR
    user.save()
    if role == GUEST:
        user.groups.add(Group.objects.get_or_create(name=GUESTS)[0])
    elif role != CLOSED:
        user.groups.remove(*Group.objects.filter(name=GUESTS))


def has_administrator(*, beside: Collection[int] = ()) -> bool:
    """Return whether there is an administrator who can log in, not counting `beside`."""
    administrators = User.objects.filter(is_superuser=True, is_active=True, is_staff=True).exclude(pk__in=beside)
    # University accounts have no password.
    return administrators.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX, socialaccount__isnull=True).exists()
