"""Access control of studies: owners, editors, viewers, coders and superusers.

A coder is a member who sees only the texts to be coded, so every function that grants access to a study excludes
coders; `studies_to_code` and `can_code` are for them.
"""

from __future__ import annotations

from typing import TypeGuard, cast

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Account
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from experiments.models import Membership, Study

User = Account | AnonymousUser

OWNER = "owner"
EDITOR = Membership.Role.EDITOR.value
VIEWER = Membership.Role.VIEWER.value
CODER = Membership.Role.CODER.value
# The group of guests, who see what is shared with them and cannot create studies.
GUESTS = "Sees only what is shared"


def studies_for(user: User) -> QuerySet[Study]:
    """Return the studies that a researcher may see, newest first; none for anonymous users."""
    if not _may_enter(user):
        return Study.objects.none()
    if user.is_superuser:
        return Study.objects.all()
    # A subquery instead of a join keeps a study with several members from appearing several times.
    member_of = Membership.objects.filter(user=user).exclude(role=CODER).values("study")
    return Study.objects.filter(Q(owner=user) | Q(pk__in=member_of))


def studies_to_code(user: User) -> QuerySet[Study]:
    """Return the studies in which a user is only a coder, newest first."""
    if not _may_enter(user) or user.is_superuser:
        return Study.objects.none()
    coder_in = Membership.objects.filter(user=user, role=CODER).values("study")
    return Study.objects.filter(pk__in=coder_in).exclude(owner=user)


def role_in(user: User, study: Study) -> str:
    """Return 'owner', 'editor', 'viewer', 'coder' or an empty text. A superuser is an owner of everything."""
    if not _may_enter(user):
        return ""
    if user.is_superuser or study.owner_id == user.pk:
        return OWNER
    return Membership.objects.filter(study=study, user=user).values_list("role", flat=True).first() or ""


def can_view(user: User, study: Study) -> bool:
    """Return whether this person may look at the study, its data and its analyses."""
    return role_in(user, study) in (OWNER, EDITOR, VIEWER)


def can_code(user: User, study: Study) -> bool:
    """Return whether this person may be given texts of the study to code: every member, coders included."""
    return role_in(user, study) != ""


def can_edit(user: User, study: Study) -> bool:
    """Return whether this person may change, run and analyse the study."""
    return role_in(user, study) in (OWNER, EDITOR)


def may_make_studies(user: User) -> bool:
    """Return whether this user may create studies, in any way; guests may not."""
    return _may_enter(user) and (user.is_superuser or not user.groups.filter(name=GUESTS).exists())


def researcher_of(request: HttpRequest) -> Account:
    """Return the user of a request to a page that requires login."""
    return cast("Account", request.user)


def _may_enter(user: User) -> TypeGuard[Account]:
    return bool(user.is_authenticated and user.is_active)
