"""Page of all people with an account: role in words, when they were last seen, how many studies they own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.accounts.roles import IN_SHORT, role_of
from experiments.views.listings import Column, table_of
from experiments.views.page import ResearcherView

COLUMNS = [
    Column("name", gettext_lazy("User name"), order_by=("username",)),
    Column("role", gettext_lazy("Role"), order_by=("-is_superuser", "is_active")),
    Column("studies", gettext_lazy("Studies"), order_by=("studies_owned",), numeric=True),
    Column("seen", gettext_lazy("Last log-in"), order_by=("last_login",)),
    Column("joined", gettext_lazy("Account since"), order_by=("date_joined",)),
]
FILTERS = {
    "state": [
        ("open", gettext_lazy("Can log in"), Q(is_active=True, is_staff=True)),
        ("closed", gettext_lazy("Cannot log in"), Q(is_active=False) | Q(is_staff=False)),
    ]
}


@dataclass(frozen=True)
class PersonRow:
    """One account in the table."""

    user: User
    role: Any


class People(ResearcherView):
    """All accounts, for administrators."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise PermissionDenied(_("Only administrators see all accounts."))
        accounts = User.objects.prefetch_related("groups").annotate(studies_owned=Count("studies"))
        table = table_of(
            request,
            accounts,
            columns=COLUMNS,
            default_sort="name",
            search_in=("username", "first_name", "last_name", "email"),
            filters=FILTERS,
        )
        rows = [PersonRow(user, IN_SHORT[role_of(user)]) for user in table.page]
        return TemplateResponse(request, "accounts/people.html", self.frame(table=table, rows=rows))
