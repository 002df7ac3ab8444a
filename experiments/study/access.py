"""Access control of studies: owners, members, teams, and superusers.

Roles come from the person's own membership and from every team with which the study is shared; the strongest counts. A
person with the role `data` sees what was collected and nothing of how it is made; a coder sees only the texts to be
coded. So `studies_for`, `can_view` and everything that rests on them exclude both; `studies_with_data_for` is for the
former, `studies_to_code` and `can_code` are for the latter.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeGuard, cast

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Account
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from experiments.models import Membership, Study, TeamShare

User = Account | AnonymousUser

OWNER = "owner"
EDITOR = Membership.Role.EDITOR.value
VIEWER = Membership.Role.VIEWER.value
DATA = Membership.Role.DATA.value
CODER = Membership.Role.CODER.value
# From the strongest to the weakest.
ROLES = (EDITOR, VIEWER, DATA, CODER)
WHOLE = (EDITOR, VIEWER)
# The group of guests, who see what is shared with them and cannot create studies.
GUESTS = "Sees only what is shared"


def studies_for(user: User) -> QuerySet[Study]:
    """Return the studies of which a researcher may see everything, newest first; none for anonymous users."""
    return _studies_of(user, WHOLE)


def studies_with_data_for(user: User) -> QuerySet[Study]:
    """Return the studies whose data a researcher may see: those of `studies_for`, and those with the role `data`."""
    return _studies_of(user, (*WHOLE, DATA))


def studies_to_code(user: User) -> QuerySet[Study]:
    """Return the studies in which a user may code without seeing the study itself, newest first."""
    if not _may_enter(user) or user.is_superuser:
        return Study.objects.none()
    return Study.objects.filter(_with_role(user, (CODER,))).exclude(owner=user).exclude(_with_role(user, WHOLE))


def roles_in(user: User, study: Study) -> set[str]:
    """Return every role that somebody has in a study, of their own or by a team. A superuser owns everything."""
    if not _may_enter(user):
        return set()
    if user.is_superuser or study.owner_id == user.pk:
        return {OWNER}
    own = Membership.objects.filter(study=study, user=user).values_list("role", flat=True)
    by_team = TeamShare.objects.filter(study=study, team__members__user=user).values_list("role", flat=True)
    return set(own.union(by_team))


def role_in(user: User, study: Study) -> str:
    """Return the strongest role: 'owner', 'editor', 'viewer', 'data', 'coder' or an empty text."""
    roles = roles_in(user, study)
    return next((role for role in (OWNER, *ROLES) if role in roles), "")


def can_view(user: User, study: Study) -> bool:
    """Return whether this person may look at the whole study, its data and its analyses."""
    return role_in(user, study) in (OWNER, *WHOLE)


def can_code(user: User, study: Study) -> bool:
    """Return whether this person may be given texts of the study to code: every member but those with `data` alone."""
    return bool(roles_in(user, study) - {DATA})


def can_edit(user: User, study: Study) -> bool:
    """Return whether this person may change, run and analyse the study."""
    return role_in(user, study) in (OWNER, EDITOR)


def may_make_studies(user: User) -> bool:
    """Return whether this user may create studies, in any way; guests may not."""
    return _may_enter(user) and (user.is_superuser or not user.groups.filter(name=GUESTS).exists())


def researcher_of(request: HttpRequest) -> Account:
    """Return the user of a request to a page that requires login."""
    return cast("Account", request.user)


def _studies_of(user: User, roles: Collection[str]) -> QuerySet[Study]:
    if not _may_enter(user):
        return Study.objects.none()
    if user.is_superuser:
        return Study.objects.all()
    return Study.objects.filter(Q(owner=user) | _with_role(user, roles))


def _with_role(user: Account, roles: Collection[str]) -> Q:
    # Subqueries instead of joins keep a study with several members from appearing several times.
    own = Membership.objects.filter(user=user, role__in=roles).values("study")
    by_team = TeamShare.objects.filter(team__members__user=user, role__in=roles).values("study")
    return Q(pk__in=own) | Q(pk__in=by_team)


def _may_enter(user: User) -> TypeGuard[Account]:
    return bool(user.is_authenticated and user.is_active)
